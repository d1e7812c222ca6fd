// reduce.cu - reductions of arrays with the bits of the host (internal/kernels/reduction/array.h).
// Elements of a leaf belong in turn to lanes of 128 bytes; a lane is a thread, so a warp reads
// whole lines of memory (*_leaves). If lines of an array are adjacent and elements of a line are
// not, a thread has all lanes of one line (*_lines). *_tree combines up to 1024 partial results,
// *_finish stores. Integers need no order: 32 lanes. Compiled for one PORTABLE__KIND at a time. Not
// here: exact sums (host).
#include "algorithm.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_reduction reduction;
typedef portable__cuda_partial partial;

enum { NOTHING, NANS, NUMBER, UNSURE };
enum { FIND_ANY, FIND_NUMBER, FIND_VALUE };
enum { MINLOC = 5, MAXLOC = 6, ANY = 7, ALL = 8 };
#define ALL_LANES 0xffffffffu
// On OpenCL the warps of a block exchange values together: all go on while the first has work, and
// none asks alone.
#if defined(PORTABLE_ON_OPENCL)
#define GOES_ON(own, each, end) ((own) - (i64)(threadIdx.x / 32) * (each) < (end))
#define SOME_LANE(is) 1
#else
#define GOES_ON(own, each, end) ((own) < (end))
#define SOME_LANE(is) __ballot_sync(ALL_LANES, is)
#endif
#define INFINITE_32 __int_as_float(0x7f800000)
#define INFINITE_64 __longlong_as_double(0x7ff0000000000000ll)
#define LARGEST_32 __int_as_float(0x7f7fffff)
#define LARGEST_64 __longlong_as_double(0x7fefffffffffffffll)
#define NAN_32 __int_as_float(0x7fc00000)
#define NAN_64 __longlong_as_double(0x7ff8000000000000ll)

template <typename real> struct pair {
  real re, im;
};

// ---- exchange of lanes between threads ----

static __device__ inline i64 down(i64 x, int by, int width) { return __shfl_down_sync(ALL_LANES, x, by, width); }
static __device__ inline float down(float x, int by, int width) { return __shfl_down_sync(ALL_LANES, x, by, width); }
static __device__ inline double down(double x, int by, int width) { return __shfl_down_sync(ALL_LANES, x, by, width); }
template <typename real> static __device__ inline pair<real> down(pair<real> x, int by, int width) {
  pair<real> y = {down(x.re, by, width), down(x.im, by, width)};
  return y;
}

// ---- operations: begin, masked (the neutral element), add an element, fold two lanes, finish a lane, combine leaves,
// store ----

static __device__ inline void set(partial *p, i64 x) { p->value.i = x; }
static __device__ inline void set(partial *p, float x) { p->value.f = x; }
static __device__ inline void set(partial *p, double x) { p->value.d = x; }
static __device__ inline void set(partial *p, pair<float> x) { p->value.c[0] = x.re, p->value.c[1] = x.im; }
static __device__ inline void set(partial *p, pair<double> x) { p->value.z[0] = x.re, p->value.z[1] = x.im; }
static __device__ inline void get(const partial *p, i64 *x) { *x = p->value.i; }
static __device__ inline void get(const partial *p, float *x) { *x = p->value.f; }
static __device__ inline void get(const partial *p, double *x) { *x = p->value.d; }
static __device__ inline void get(const partial *p, pair<float> *x) { x->re = p->value.c[0], x->im = p->value.c[1]; }
static __device__ inline void get(const partial *p, pair<double> *x) { x->re = p->value.z[0], x->im = p->value.z[1]; }

struct plus {
  static __device__ inline i64 of(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }
  static __device__ inline float of(float a, float b) { return a + b; }
  static __device__ inline double of(double a, double b) { return a + b; }
  template <typename real> static __device__ inline pair<real> of(pair<real> a, pair<real> b) {
    pair<real> c = {a.re + b.re, a.im + b.im};
    return c;
  }
};

struct times {
  static __device__ inline i64 of(i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
  static __device__ inline float of(float a, float b) { return a * b; }
  static __device__ inline double of(double a, double b) { return a * b; }
  template <typename real> static __device__ inline pair<real> of(pair<real> a, pair<real> b) {
    pair<real> c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
  }
};

static __device__ inline void widen(i64 *to, i64 from) { *to = from; }
static __device__ inline void widen(float *to, float from) { *to = from; }
static __device__ inline void widen(double *to, double from) { *to = from; }
template <typename a, typename b> static __device__ inline void widen(pair<a> *to, pair<b> from) { to->re = (a)from.re, to->im = (a)from.im; }
static __device__ inline void number(i64 *to, int n) { *to = n; }
static __device__ inline void number(float *to, int n) { *to = (float)n; }
static __device__ inline void number(double *to, int n) { *to = n; }
template <typename real> static __device__ inline void number(pair<real> *to, int n) { to->re = (real)n, to->im = 0; }

// The element's type in memory and in a lane; the number of lanes of a leaf.
template <typename operation, typename element, typename lane, int count, int start> struct arithmetic {
  typedef element element_type;
  typedef lane lane_type;
  enum { lanes = count, few = sizeof(lane) * count > 128 ? 4 : count, looks = 0 };
  static __device__ inline lane begin() {
    lane a;
    number(&a, start);
    return a;
  }
  static __device__ inline lane masked() { return begin(); }
  static __device__ inline lane read(element x) {
    lane a;
    widen(&a, x);
    return a;
  }
  static __device__ inline lane add(lane a, lane x) { return operation::of(a, x); }
  static __device__ inline int unsure(lane) { return NUMBER; }
  static __device__ inline int is_number(lane) { return 1; }
  static __device__ inline void combine(partial *p, const partial *q) {
    lane a, b;
    get(p, &a), get(q, &b);
    set(p, operation::of(a, b));
  }
};

static __device__ inline bool is_less(i64 a, i64 b) { return a < b; }
static __device__ inline bool is_less(float a, float b) { return a < b; }
static __device__ inline bool is_less(double a, double b) { return a < b; }

// The first of equal values stays; a NaN is never less, so it is skipped.
template <typename limits, typename element, typename lane, int count, int greatest> struct extreme {
  typedef element element_type;
  typedef lane lane_type;
  enum { lanes = count, few = sizeof(lane) * count > 128 ? 4 : count, looks = 1 };
  static __device__ inline lane begin() { return greatest ? limits::bottom() : limits::top(); }
  static __device__ inline lane masked() { return begin(); }
  static __device__ inline lane read(element x) { return (lane)x; }
  static __device__ inline bool better(lane x, lane a) { return greatest ? is_less(a, x) : is_less(x, a); }
  static __device__ inline lane add(lane a, lane x) { return better(x, a) ? x : a; }
  static __device__ inline int unsure(lane a) { return a != begin() ? NUMBER : UNSURE; }
  static __device__ inline int is_number(lane x) { return x == x; }
  static __device__ inline void combine(partial *p, const partial *q) {
    lane a, b;
    get(p, &a), get(q, &b);
    if (q->has > p->has || (q->has == p->has && q->has == NUMBER && better(b, a))) *p = *q;
  }
  static __device__ inline lane stored(const partial *p) {
    lane x;
    get(p, &x);
    return p->has == NUMBER ? x : p->has == NANS ? limits::nan() : greatest ? limits::least() : limits::most();
  }
};

// ---- where elements are ----

template <typename type> static __device__ inline type load(const char *at, int aligned) {
  if (aligned) return *(const type *)at;
  type x;
  for (unsigned i = 0; i < sizeof x; i++) ((char *)&x)[i] = at[i];
  return x;
}

static __device__ inline int truth(const char *at, int bytes, int aligned) {
  if (bytes == 1) return *at != 0;
  if (bytes == 2) return load<short>(at, aligned) != 0;
  if (bytes == 4) return load<int>(at, aligned) != 0;
  return load<i64>(at, aligned) != 0;
}

struct place {
  const char *data, *mask;
};

// Position of element number e along the axes, the fastest first. Numbers of 32 bits are divided in a fraction of the
// time.
static __device__ inline void go(const portable__cuda_axis *axis, int rank, i64 e, i64 *data, i64 *mask) {
  for (int k = 0; k < rank - 1; k++) {
    i64 next, i;
    if ((u64)(e | axis[k].extent) >> 32 == 0) {
      unsigned small = (unsigned)e / (unsigned)axis[k].extent;
      next = small;
      i = (unsigned)e - small * (unsigned)axis[k].extent;
    } else {
      next = e / axis[k].extent;
      i = e - next * axis[k].extent;
    }
    e = next;
    *data += i * axis[k].step;
    *mask += i * axis[k].other_step;
  }
  if (rank > 0) {
    *data += e * axis[rank - 1].step;
    *mask += e * axis[rank - 1].other_step;
  }
}

static __device__ inline place line_of(const reduction &r, i64 line) {
  i64 data = 0, mask = 0;
  go(r.out, r.outer, line, &data, &mask);
  place p = {r.data + data, r.mask ? r.mask + mask : 0};
  return p;
}

// 0: masked out.
template <typename o> static __device__ inline int element(const reduction &r, place line, i64 e, typename o::lane_type *x) {
  i64 data = 0, mask = 0;
  go(r.in, r.inner, e, &data, &mask);
  if (line.mask && !truth(line.mask + mask, r.mask_bytes, r.aligned)) {
    *x = o::masked();
    return 0;
  }
  *x = o::read(load<typename o::element_type>(line.data + data, r.aligned));
  return 1;
}

// The same for a line with one axis.
template <typename o> static __device__ inline void element_along(const reduction &r, place line, i64 e, typename o::lane_type *x) {
  if (line.mask && !truth(line.mask + e * r.in[0].other_step, r.mask_bytes, r.aligned))
    *x = o::masked();
  else
    *x = o::read(load<typename o::element_type>(line.data + e * r.in[0].step, r.aligned));
}

static __device__ inline i64 leaf_count(const reduction &r, i64 leaf) {
  i64 left = r.count - leaf * PORTABLE__CUDA_LEAF;
  return left < PORTABLE__CUDA_LEAF ? left : PORTABLE__CUDA_LEAF;
}

// ---- leaves ----

template <typename o> static __device__ void leaves(const reduction &r) {
  typedef typename o::lane_type lane;
  typedef typename o::element_type element_type;
  enum { width = o::lanes, each = 32 / width };
  const int thread = threadIdx.x % 32, mine = thread % width;
  const i64 units = r.leaves * r.lines, warps = (i64)gridDim.x * (blockDim.x / 32);
  const bool together = r.inner == 1 && !r.mask && r.aligned && r.in[0].step == (i64)sizeof(element_type);
  for (i64 base = ((i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * each; GOES_ON(base, each, units); base += warps * each) {
    const i64 unit = base + thread / width;
    const bool there = unit < units;
    const i64 number = there ? unit / r.leaves : 0, leaf = there ? unit - number * r.leaves : 0;
    const i64 from = leaf * PORTABLE__CUDA_LEAF;
    const int count = there ? (int)leaf_count(r, leaf) : 0;
    const place line = line_of(r, number);
    lane a = o::begin();
    if (together) {
      const element_type *x = (const element_type *)(line.data) + from;
#pragma unroll 8
      for (int i = mine; i < count; i += width) a = o::add(a, o::read(x[i]));
    } else {
      for (int i = mine; i < count; i += width) {
        lane x;
        element<o>(r, line, from + i, &x);
        a = o::add(a, x);
      }
    }
#pragma unroll
    for (int w = width / 2; w >= 1; w /= 2) a = o::add(a, down(a, w, width));
    int has = __shfl_sync(ALL_LANES, o::unsure(a), 0, width);
    if (o::looks && SOME_LANE(there && has == UNSURE)) {
      int seen = 0;
      for (int i = mine; i < count && has == UNSURE; i += width) {
        lane x;
        if (element<o>(r, line, from + i, &x)) seen |= 1 | o::is_number(x) << 1;
      }
      const unsigned group = (width == 32 ? ALL_LANES : (1u << (width % 32)) - 1) << (thread / width * width % 32);
      const unsigned any = __ballot_sync(ALL_LANES, seen & 1) & group, numbers = __ballot_sync(ALL_LANES, seen & 2) & group;
      if (has == UNSURE) has = numbers ? NUMBER : any ? NANS : NOTHING;
    }
    if (there && mine == 0) {
      partial *p = &r.partials[unit];
      set(p, a);
      p->leaf = leaf;
      p->has = has;
    }
  }
}

// For neighbouring lines with one axis: each thread has one line, with all lanes of a leaf.
template <typename o> static __device__ void lines(const reduction &r) {
  typedef typename o::lane_type lane;
  enum { width = o::few };
  const i64 units = r.leaves * r.lines, threads = (i64)gridDim.x * blockDim.x;
  for (i64 unit = (i64)blockIdx.x * blockDim.x + threadIdx.x; unit < units; unit += threads) {
    const i64 leaf = unit / r.lines, number = unit - leaf * r.lines, from = leaf * PORTABLE__CUDA_LEAF;
    const int count = (int)leaf_count(r, leaf);
    const place line = line_of(r, number);
    lane a[width];
#pragma unroll
    for (int k = 0; k < width; k++) a[k] = o::begin();
    for (int i = 0; i < count; i += width) {
#pragma unroll
      for (int k = 0; k < width; k++) {
        lane x;
        if (i + k >= count) continue;
        element_along<o>(r, line, from + i + k, &x);
        a[k] = o::add(a[k], x);
      }
    }
#pragma unroll
    for (int w = width / 2; w >= 1; w /= 2)
#pragma unroll
      for (int k = 0; k < w; k++) a[k] = o::add(a[k], a[k + w]);
    int has = o::unsure(a[0]);
    if (has == UNSURE) {
      int seen = 0;
      for (int i = 0; i < count && seen < 2; i++) {
        lane x;
        if (element<o>(r, line, from + i, &x)) seen |= 1 | o::is_number(x) << 1;
      }
      has = seen & 2 ? NUMBER : seen ? NANS : NOTHING;
    }
    partial *p = &r.partials[number * r.leaves + leaf];
    set(p, a[0]);
    p->leaf = leaf;
    p->has = has;
  }
}

// ---- the tree ----

// A block combines up to 1024 partial results of a line, r.step apart. Blocks: first those of the first line.
template <typename o> static __device__ void tree(const reduction &r) {
  const i64 all = (r.leaves - 1) / r.step + 1, groups = (all - 1) / PORTABLE__CUDA_TREE + 1;
  for (i64 block = blockIdx.x; block < groups * r.lines; block += gridDim.x) {
    const i64 line = block / groups, first = (block - line * groups) * PORTABLE__CUDA_TREE;
    const int count = (int)(all - first < PORTABLE__CUDA_TREE ? all - first : PORTABLE__CUDA_TREE);
    partial *p = r.partials + line * r.leaves + first * r.step;
    for (int width = 1; width < count; width *= 2) {
      for (int i = (int)threadIdx.x * 2 * width; i < count - width; i += (int)blockDim.x * 2 * width) o::combine(&p[i * r.step], &p[(i + width) * r.step]);
      __syncthreads();
    }
  }
}

// ---- results ----

// The number, in the line, of the leaf's first element with that value; -1: there is none.
template <typename o> static __device__ i64 find(const reduction &r, place line, const partial *p) {
  const i64 from = p->leaf * PORTABLE__CUDA_LEAF;
  typename o::lane_type value;
  get(p, &value);
  if (p->has == NOTHING) return -1;
  const int count = (int)leaf_count(r, p->leaf);
#if defined(PORTABLE_ON_OPENCL)
  for (int i = 0; i < count && threadIdx.x % 32 == 0; i++) { // the first thread alone
    typename o::lane_type x;
    if (element<o>(r, line, from + i, &x) && (p->has != NUMBER || x == value)) return from + i;
  }
#else
  const int thread = threadIdx.x % 32;
  for (int i = 0; i < count; i += 32) {
    typename o::lane_type x;
    int here = i + thread < count && element<o>(r, line, from + i + thread, &x) && (p->has != NUMBER || x == value);
    unsigned found = __ballot_sync(ALL_LANES, here);
    if (found) return from + i + __ffs((int)found) - 1;
  }
#endif
  return -1;
}

static __device__ void store_location(const reduction &r, i64 line, i64 at) {
  i64 *to = (i64 *)r.results + line;
  if (r.rank == 0) *to = at;
  for (int k = 0; k < r.rank; k++) {
    to[r.place[k]] = at < 0 ? -1 : at % r.extent[k];
    if (at >= 0) at /= r.extent[k];
  }
}

// A warp has a line.
template <typename o> static __device__ void finish_extreme(const reduction &r) {
  const i64 warps = (i64)gridDim.x * (blockDim.x / 32);
  for (i64 line = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; line < r.lines; line += warps) {
    const partial *p = &r.partials[line * r.leaves];
    if (r.op == MINLOC || r.op == MAXLOC) {
      const i64 at = find<o>(r, line_of(r, line), p);
      if (threadIdx.x % 32 == 0) store_location(r, line, at);
    } else if (threadIdx.x % 32 == 0) {
      ((typename o::element_type *)r.results)[line] = (typename o::element_type)o::stored(p);
    }
  }
}

template <typename to_type, typename from_type> static __device__ inline void narrow(to_type *to, from_type x) { *to = (to_type)x; }
template <typename a, typename b> static __device__ inline void narrow(pair<a> *to, pair<b> x) { to->re = (a)x.re, to->im = (a)x.im; }

template <typename o> static __device__ void finish(const reduction &r) {
  const i64 threads = (i64)gridDim.x * blockDim.x;
  for (i64 line = (i64)blockIdx.x * blockDim.x + threadIdx.x; line < r.lines; line += threads) {
    typename o::lane_type x;
    get(&r.partials[line * r.leaves], &x);
    narrow((typename o::element_type *)r.results + line, x);
  }
}

#define ENTRIES(name, operation, end)                                         \
  extern "C" __global__ void name##_leaves(reduction r) { leaves<operation>(r); } \
  extern "C" __global__ void name##_lines(reduction r) { lines<operation>(r); }   \
  extern "C" __global__ void name##_tree(reduction r) { tree<operation>(r); }     \
  extern "C" __global__ void name##_finish(reduction r) { end(r); }
#define ARITHMETIC(name, op, element, lane, count, start)                     \
  typedef arithmetic<op, element, lane, count, start> name##_of;              \
  ENTRIES(name, name##_of, finish<name##_of>)
#define EXTREME(name, limits, element, lane, count, greatest)                 \
  typedef extreme<limits, element, lane, count, greatest> name##_of;          \
  ENTRIES(name, name##_of, finish_extreme<name##_of>)

#if PORTABLE__KIND <= 4

#if PORTABLE__KIND == 1
typedef signed char kind;
#elif PORTABLE__KIND == 2
typedef short kind;
#elif PORTABLE__KIND == 3
typedef int kind;
#else
typedef i64 kind;
#endif

struct limits {
  static __device__ inline i64 top() { return (i64)(~0ull >> (65 - 8 * sizeof(kind))); }
  static __device__ inline i64 bottom() { return -top() - 1; }
  static __device__ inline i64 most() { return top(); }
  static __device__ inline i64 least() { return bottom(); }
  static __device__ inline i64 nan() { return 0; }
};
ARITHMETIC(sum, plus, kind, i64, 32, 0)
ARITHMETIC(product, times, kind, i64, 32, 1)
EXTREME(min, limits, kind, i64, 32, 0)
EXTREME(max, limits, kind, i64, 32, 1)

#elif PORTABLE__KIND == 5

struct limits {
  static __device__ inline float top() { return INFINITE_32; }
  static __device__ inline float bottom() { return -INFINITE_32; }
  static __device__ inline float most() { return LARGEST_32; }
  static __device__ inline float least() { return -LARGEST_32; }
  static __device__ inline float nan() { return NAN_32; }
};
ARITHMETIC(sum, plus, float, float, 32, 0)
ARITHMETIC(product, times, float, float, 32, 1)
ARITHMETIC(wide_sum, plus, float, double, 16, 0)
ARITHMETIC(wide_product, times, float, double, 16, 1)
EXTREME(min, limits, float, float, 32, 0)
EXTREME(max, limits, float, float, 32, 1)

#elif PORTABLE__KIND == 6

struct limits {
  static __device__ inline double top() { return INFINITE_64; }
  static __device__ inline double bottom() { return -INFINITE_64; }
  static __device__ inline double most() { return LARGEST_64; }
  static __device__ inline double least() { return -LARGEST_64; }
  static __device__ inline double nan() { return NAN_64; }
};
ARITHMETIC(sum, plus, double, double, 16, 0)
ARITHMETIC(product, times, double, double, 16, 1)
EXTREME(min, limits, double, double, 16, 0)
EXTREME(max, limits, double, double, 16, 1)

#elif PORTABLE__KIND == 7

ARITHMETIC(sum, plus, pair<float>, pair<float>, 16, 0)
ARITHMETIC(product, times, pair<float>, pair<float>, 16, 1)
ARITHMETIC(wide_sum, plus, pair<float>, pair<double>, 8, 0)
ARITHMETIC(wide_product, times, pair<float>, pair<double>, 8, 1)

#elif PORTABLE__KIND == 8

ARITHMETIC(sum, plus, pair<double>, pair<double>, 8, 0)
ARITHMETIC(product, times, pair<double>, pair<double>, 8, 1)

#else // logicals are counted

#if PORTABLE__KIND == 9
typedef signed char kind;
#elif PORTABLE__KIND == 10
typedef short kind;
#elif PORTABLE__KIND == 11
typedef int kind;
#else
typedef i64 kind;
#endif

static __device__ void finish_count(const reduction &r) {
  const i64 threads = (i64)gridDim.x * blockDim.x;
  for (i64 line = (i64)blockIdx.x * blockDim.x + threadIdx.x; line < r.lines; line += threads) {
    const i64 n = r.partials[line * r.leaves].value.i;
    if (r.op == ANY)
      ((int *)r.results)[line] = n != 0;
    else if (r.op == ALL)
      ((int *)r.results)[line] = n == r.count;
    else
      ((i64 *)r.results)[line] = n;
  }
}

struct counting : arithmetic<plus, kind, i64, 32, 0> {
  static __device__ inline i64 read(kind x) { return x != 0; }
};
ENTRIES(count, counting, finish_count)

#endif
