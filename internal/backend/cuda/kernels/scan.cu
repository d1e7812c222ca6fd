// scan.cu - scans of arrays with the bits of the host (internal/kernels/scan/scan.h). A block has a
// leaf of 2048, a thread a run of 8. With R the running value, L that of earlier runs, C that of
// earlier leaves, a value is C op (L op R). *_totals computes each leaf's value, *_chain adds those
// up, *_store computes the leaf again and stores it, from shared memory, as out may be data. If
// lines are adjacent and elements of a line are not, a thread has a whole line (*_lines). Compiled
// for one PORTABLE__KIND.
#include "algorithm.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_scan scan;
typedef portable__cuda_value value;

#define LEAF PORTABLE__CUDA_SCAN_LEAF
#define RUN PORTABLE__CUDA_RUN
#define RUNS (LEAF / RUN) // and threads of a block

#if PORTABLE__KIND == 1
typedef signed char kind;
typedef unsigned char whole;
#define MEMBER int8
#elif PORTABLE__KIND == 2
typedef short kind;
typedef unsigned short whole;
#define MEMBER int16
#elif PORTABLE__KIND == 3
typedef int kind;
typedef unsigned whole;
#define MEMBER int32
#elif PORTABLE__KIND == 4
typedef i64 kind;
typedef u64 whole;
#define MEMBER int64
#elif PORTABLE__KIND == 5
typedef float kind;
#define MEMBER real32
#else
typedef double kind;
#define MEMBER real64
#endif

// ---- operations: nothing (the neutral element, also for the sign of 0), empty (the value of no element) ----

#if PORTABLE__KIND <= 4

static __device__ inline kind top() { return (kind)((whole) ~(whole)0 >> 1); }
struct sum {
  static __device__ inline kind nothing() { return 0; }
  static __device__ inline kind empty() { return 0; }
  static __device__ inline kind of(kind a, kind b) { return (kind)(whole)((u64)a + (u64)b); }
};
struct product {
  static __device__ inline kind nothing() { return 1; }
  static __device__ inline kind empty() { return 1; }
  static __device__ inline kind of(kind a, kind b) { return (kind)(whole)((u64)a * (u64)b); }
};
struct least {
  static __device__ inline kind nothing() { return top(); }
  static __device__ inline kind empty() { return top(); }
  static __device__ inline kind of(kind a, kind b) { return b < a ? b : a; }
};
struct greatest {
  static __device__ inline kind nothing() { return (kind)(-top() - 1); }
  static __device__ inline kind empty() { return nothing(); }
  static __device__ inline kind of(kind a, kind b) { return b > a ? b : a; }
};

#else

#if PORTABLE__KIND == 5
static __device__ inline kind nan() { return __int_as_float(0x7fc00000); }
static __device__ inline kind largest() { return __int_as_float(0x7f7fffff); }
#else
static __device__ inline kind nan() { return __longlong_as_double(0x7ff8000000000000ll); }
static __device__ inline kind largest() { return __longlong_as_double(0x7fefffffffffffffll); }
#endif
struct sum {
  static __device__ inline kind nothing() { return (kind)-0.0; }
  static __device__ inline kind empty() { return 0; }
  static __device__ inline kind of(kind a, kind b) { return a + b; }
};
struct product {
  static __device__ inline kind nothing() { return 1; }
  static __device__ inline kind empty() { return 1; }
  static __device__ inline kind of(kind a, kind b) { return a * b; }
};
struct least { // of no element it is NaN, which the next value replaces
  static __device__ inline kind nothing() { return nan(); }
  static __device__ inline kind empty() { return largest(); }
  static __device__ inline kind of(kind a, kind b) { return b < a || a != a ? b : a; }
};
struct greatest {
  static __device__ inline kind nothing() { return nan(); }
  static __device__ inline kind empty() { return -largest(); }
  static __device__ inline kind of(kind a, kind b) { return b > a || a != a ? b : a; }
};

#endif

// ---- where elements are ----

static __device__ inline kind load(const char *at, int aligned) {
  if (aligned) return *(const kind *)at;
  kind x;
  for (unsigned i = 0; i < sizeof x; i++) ((char *)&x)[i] = at[i];
  return x;
}

static __device__ inline void store(char *at, kind x, int aligned) {
  if (aligned) {
    *(kind *)at = x;
    return;
  }
  for (unsigned i = 0; i < sizeof x; i++) at[i] = ((const char *)&x)[i];
}

// Position of element number e along the axes, the fastest first.
static __device__ inline void go(const portable__cuda_axis *axis, int rank, i64 e, i64 *data, i64 *other) {
  for (int k = 0; k < rank; k++) {
    i64 i = e;
    if (k < rank - 1) {
      if ((u64)(e | axis[k].extent) >> 32 == 0) {
        i = (unsigned)e % (unsigned)axis[k].extent;
        e = (unsigned)e / (unsigned)axis[k].extent;
      } else {
        i = e % axis[k].extent;
        e /= axis[k].extent;
      }
    }
    *data += i * axis[k].step;
    *other += i * axis[k].other_step;
  }
}

template <typename o> static __device__ inline kind begin(const scan &s) { return s.has_initial ? s.initial.MEMBER : o::nothing(); }
template <typename o> static __device__ inline kind before_all(const scan &s) { return s.has_initial ? s.initial.MEMBER : o::empty(); }

// ---- leaves ----

// Neighbouring threads read neighbouring runs; so each run is one element longer in shared memory.
static __device__ inline int at(int i) { return i + i / RUN; }

template <typename o, int storing> static __device__ void leaves(const scan &s) {
  __shared__ kind v[LEAF + RUNS], runs[RUNS];
  const i64 units = s.lines * s.leaves;
  const int thread = threadIdx.x;
  for (i64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
    const i64 line = unit / s.leaves, leaf = unit - line * s.leaves, from = leaf * LEAF;
    const int count = (int)(s.count - from < LEAF ? s.count - from : LEAF), whole_runs = (count + RUN - 1) / RUN;
    i64 line_data = 0, line_other = 0;
    go(s.out, s.outer, line, &line_data, &line_other);
    for (int i = thread; i < count; i += RUNS) {
      i64 data = line_data, other = 0;
      go(s.in, s.inner, from + i, &data, &other);
      v[at(i)] = load(s.data + data, s.aligned);
    }
    __syncthreads();
    if (thread < whole_runs) {
      kind r = v[at(thread * RUN)];
      for (int i = thread * RUN + 1; i < count && i < (thread + 1) * RUN; i++) v[at(i)] = r = o::of(r, v[at(i)]);
      runs[thread] = r;
    }
    __syncthreads();
    if (thread == 0) {
      kind before = o::nothing();
#pragma unroll 8
      for (int k = 0; k < whole_runs; k++) {
        const kind r = runs[k];
        runs[k] = before;
        before = o::of(before, r);
      }
      if (!storing) s.totals[unit].MEMBER = before;
    }
    __syncthreads();
    if (!storing) continue;
    const kind first = s.totals[unit].MEMBER;
    if (thread < whole_runs) {
      const kind before = runs[thread];
      for (int i = thread * RUN; i < count && i < (thread + 1) * RUN; i++) v[at(i)] = o::of(first, o::of(before, v[at(i)]));
    }
    __syncthreads();
    for (int i = thread; i < count; i += RUNS) {
      i64 data = 0, other = line_other;
      go(s.in, s.inner, from + i, &data, &other);
      const kind x = !s.exclusive ? v[at(i)] : i ? v[at(i - 1)] : leaf ? first : before_all<o>(s);
      store(s.results + other, x, s.aligned);
    }
    __syncthreads();
  }
}

// A block has a line. The totals of leaves become the sums of all earlier leaves.
template <typename o> static __device__ void chain(const scan &s) {
  __shared__ kind totals[1024];
  for (i64 line = blockIdx.x; line < s.lines; line += gridDim.x) {
    kind before = begin<o>(s);
    value *of = s.totals + line * s.leaves;
    for (i64 from = 0; from < s.leaves; from += 1024) {
      const int count = (int)(s.leaves - from < 1024 ? s.leaves - from : 1024);
      for (int i = threadIdx.x; i < count; i += blockDim.x) totals[i] = of[from + i].MEMBER;
      __syncthreads();
      if (threadIdx.x == 0) {
#pragma unroll 8
        for (int i = 0; i < count; i++) {
          const kind x = totals[i];
          totals[i] = before;
          before = o::of(before, x);
        }
      }
      __syncthreads();
      for (int i = threadIdx.x; i < count; i += blockDim.x) of[from + i].MEMBER = totals[i];
      __syncthreads();
    }
  }
}

// ---- whole lines ----

template <typename o> static __device__ void whole_lines(const scan &s) {
  const i64 threads = (i64)gridDim.x * blockDim.x;
  for (i64 line = (i64)blockIdx.x * blockDim.x + threadIdx.x; line < s.lines; line += threads) {
    i64 line_data = 0, line_other = 0;
    go(s.out, s.outer, line, &line_data, &line_other);
    kind first = begin<o>(s), last = before_all<o>(s), before = o::nothing(), r = 0;
    for (i64 e = 0; e < s.count; e++) {
      const int in_leaf = (int)(e % LEAF), in_run = in_leaf % RUN;
      i64 data = line_data, other = line_other;
      go(s.in, s.inner, e, &data, &other);
      const kind x = load(s.data + data, s.aligned);
      r = in_run ? o::of(r, x) : x;
      if (in_leaf == 0) before = o::nothing();
      const kind in = o::of(before, r), all = o::of(first, in);
      if (in_run == RUN - 1) before = in;
      if (in_leaf == LEAF - 1) first = all;
      store(s.results + other, s.exclusive ? last : all, s.aligned);
      last = all;
    }
  }
}

#define ENTRIES(name, o)                                                           \
  extern "C" __global__ void name##_totals(scan s) { leaves<o, 0>(s); }            \
  extern "C" __global__ void name##_chain(scan s) { chain<o>(s); }                 \
  extern "C" __global__ void name##_store(scan s) { leaves<o, 1>(s); }             \
  extern "C" __global__ void name##_lines(scan s) { whole_lines<o>(s); }

ENTRIES(sum, sum)
ENTRIES(product, product)
ENTRIES(min, least)
ENTRIES(max, greatest)
