// segmented.cu - reductions of rows with the bits of the host
// (internal/kernels/reduction/segmented.h). A group of 8 threads has a row, or a leaf of a long
// one: a thread for each lane. *_rows reduces short rows and notes the leaves of long ones,
// *_leaves reduces those, *_tree combines them: a block has a row. A module has the kind
// PORTABLE__KIND. Rows and indices that are refused are noted, not used.
#include "mesh.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_segmented work;

#define SEGMENT 2048
#define SLOT 1024
#define ALL_LANES 0xffffffffu

#if PORTABLE__KIND == 3
typedef int kind;
typedef unsigned number; // sums and products wrap
#define HIGH 2147483647
#define LOW (-HIGH - 1)
#elif PORTABLE__KIND == 4
typedef i64 kind;
typedef u64 number;
#define HIGH 9223372036854775807LL
#define LOW (-HIGH - 1)
#elif PORTABLE__KIND == 5
typedef float kind, number;
#define HIGH 3.40282346638528859811704183484516925e+38F
#define LOW (-HIGH)
#else
typedef double kind, number;
#define HIGH 1.79769313486231570814527423731704357e+308
#define LOW (-HIGH)
#endif

struct sum {
  static __device__ inline kind of(kind a, kind b) { return (kind)((number)a + (number)b); }
  static __device__ inline kind nothing() { return 0; }
};
struct product {
  static __device__ inline kind of(kind a, kind b) { return (kind)((number)a * (number)b); }
  static __device__ inline kind nothing() { return 1; }
};
struct least {
  static __device__ inline kind of(kind a, kind b) { return b < a || a != a ? b : a; }
  static __device__ inline kind nothing() { return HIGH; }
};
struct greatest {
  static __device__ inline kind of(kind a, kind b) { return b > a || a != a ? b : a; }
  static __device__ inline kind nothing() { return LOW; }
};

static __device__ inline i64 beginning(const work &w, i64 r) { return (i64)((u64)get(w.row, w.row_bytes, r) - (u64)w.lower); }

// All threads of a warp call it, each group with n elements of its own. The result is lane 0's.
template <typename o> static __device__ inline kind reduce(const work &w, i64 from, i64 n, int lane) {
  const int has = n < 8 ? (int)n : 8;
  kind r = o::nothing();
  for (i64 k = lane; k < n; k += 8) {
    u64 i = (u64)(from + k);
    if (w.index) {
      i = (u64)get(w.index, w.index_bytes, from + k) - (u64)w.lower;
      if (i >= (u64)w.count) {
        atomicMin(&w.found[1], from + k);
        continue;
      }
    }
    const kind x = ((const kind *)w.data)[i];
    r = k < 8 ? x : o::of(r, x);
  }
  for (int far = 4; far; far /= 2) {
    const kind other = __shfl_down_sync(ALL_LANES, r, far, 8);
    if (lane < far && lane + far < has) r = o::of(r, other);
  }
  return r;
}

#if defined(PORTABLE_ON_OPENCL)
#define TOGETHER (i64)(blockDim.x / 8) // the groups of a block
#else
#define TOGETHER 4 // the groups of a warp
#endif
#define GROUPS(g, count)                                                                           \
  const int lane = threadIdx.x % 8;                                                                \
  const i64 groups = (i64)gridDim.x * blockDim.x / 8, own = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / 8; \
  const i64 whole = ((count) + TOGETHER - 1) / TOGETHER * TOGETHER;                                \
  for (i64 g = own; g < whole; g += groups)

template <typename o> static __device__ void rows(const work &w) {
  GROUPS(r, w.rows) {
    const i64 from = r < w.rows ? beginning(w, r) : 0, to = r < w.rows ? beginning(w, r + 1) : 0;
    const bool wrong = from < 0 || to < from || to > w.entries;
    i64 n = wrong ? 0 : to - from;
    const bool is_long = n > SEGMENT;
    if (wrong && lane == 0) atomicMin(&w.found[0], r);
    for (i64 leaf = lane; is_long && leaf * SEGMENT < n; leaf += 8) w.long_row[from / SLOT + leaf] = r;
    if (is_long) n = 0;
    const kind x = reduce<o>(w, from, n, lane);
    if (lane == 0 && r < w.rows && !is_long) ((kind *)w.results)[r] = x;
  }
}

template <typename o> static __device__ void leaves(const work &w) {
  GROUPS(slot, w.slots) {
    const i64 r = slot < w.slots ? w.long_row[slot] : -1;
    i64 from = 0, n = 0;
    if (r >= 0) {
      const i64 first = beginning(w, r);
      from = first + (slot - first / SLOT) * SEGMENT;
      n = beginning(w, r + 1) - from;
    }
    const kind x = reduce<o>(w, from, n < SEGMENT ? n : SEGMENT, lane);
    if (lane == 0 && r >= 0) ((kind *)w.partials)[slot] = x;
  }
}

template <typename o> static __device__ void tree(const work &w) {
  for (i64 slot = blockIdx.x; slot < w.slots; slot += gridDim.x) {
    const i64 r = w.long_row[slot], first = r < 0 ? 0 : beginning(w, r);
    if (r < 0 || slot != first / SLOT) continue; // the same in all threads
    const i64 count = (beginning(w, r + 1) - first - 1) / SEGMENT + 1;
    kind *const p = (kind *)w.partials + slot;
    for (i64 width = 1; width < count; width *= 2) {
      for (i64 i = threadIdx.x * 2 * width; i + width < count; i += blockDim.x * 2 * width) p[i] = o::of(p[i], p[i + width]);
      __syncthreads();
    }
    if (threadIdx.x == 0) ((kind *)w.results)[r] = p[0];
  }
}

extern "C" __global__ void segmented_clear(const work w) {
  EACH(i, w.slots) w.long_row[i] = -1;
}

#define ENTRIES(name, o)                                                              \
  extern "C" __global__ void name##_rows(const work w) { rows<o>(w); }                \
  extern "C" __global__ void name##_leaves(const work w) { leaves<o>(w); }            \
  extern "C" __global__ void name##_tree(const work w) { tree<o>(w); }

ENTRIES(sum, sum)
ENTRIES(product, product)
ENTRIES(min, least)
ENTRIES(max, greatest)
