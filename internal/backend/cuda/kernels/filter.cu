// filter.cu - selects elements of an array by a mask: packed, unpacked, or as a list of numbers.
//
// There are three steps: count the chosen elements of each leaf of 4096 (filter_count), sum the
// counts before it (filter_places), and store the elements (pack, unpack, indices) in the order of
// the array. Elements are copied as bytes, as many at a time as all addresses allow.
#include "algorithm.h"

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_filter filter;

#define THREADS 256
#define WARPS (THREADS / 32)

template <typename type> static __device__ inline int is_true(const char *at, int aligned) {
  if (aligned) return *(const type *)at != 0;
  int any = 0;
  for (unsigned i = 0; i < sizeof(type); i++) any |= at[i];
  return any != 0;
}

static __device__ inline int truth(const filter &f, i64 mask) {
  const char *at = f.mask + mask;
  switch (f.mask_bytes) {
  case 1: return is_true<char>(at, 1);
  case 2: return is_true<short>(at, f.mask_aligned);
  case 4: return is_true<int>(at, f.mask_aligned);
  default: return is_true<i64>(at, f.mask_aligned);
  }
}

// Element number e along the axes, the fastest first.
static __device__ inline void go(const filter &f, i64 e, i64 *data, i64 *mask) {
  *data = *mask = 0;
  for (int k = 0; k < f.rank; k++) {
    const portable__cuda_axis &axis = f.axis[k];
    i64 i = e;
    if (k < f.rank - 1) {
      if ((u64)(e | axis.extent) >> 32 == 0) {
        i = (unsigned)e % (unsigned)axis.extent;
        e = (unsigned)e / (unsigned)axis.extent;
      } else {
        i = e % axis.extent;
        e /= axis.extent;
      }
    }
    *data += i * axis.step;
    *mask += i * axis.other_step;
  }
}

template <typename type> static __device__ inline void copy_by(char *to, const char *from, i64 bytes) {
  for (i64 i = 0; i < bytes; i += (i64)sizeof(type)) *(type *)(to + i) = *(const type *)(from + i);
}

static __device__ inline void copy(char *to, const char *from, i64 bytes, int unit) {
  switch (unit) {
  case 1: copy_by<char>(to, from, bytes); break;
  case 2: copy_by<short>(to, from, bytes); break;
  case 4: copy_by<int>(to, from, bytes); break;
  default: copy_by<i64>(to, from, bytes); break;
  }
}

static __device__ inline int leaf_count(const filter &f, i64 leaf) {
  const i64 left = f.count - leaf * PORTABLE__CUDA_LEAF;
  return (int)(left < PORTABLE__CUDA_LEAF ? left : PORTABLE__CUDA_LEAF);
}

extern "C" __global__ void filter_count(filter f) {
  __shared__ int chosen[WARPS];
  const int thread = threadIdx.x;
  for (i64 leaf = blockIdx.x; leaf < f.leaves; leaf += gridDim.x) {
    const int count = leaf_count(f, leaf);
    int n = 0;
    for (int i = 0; i < count; i += THREADS) {
      int is = 0;
      if (i + thread < count) {
        i64 data, mask;
        go(f, leaf * PORTABLE__CUDA_LEAF + i + thread, &data, &mask);
        is = truth(f, mask);
      }
      n += __popc(__ballot_sync(0xffffffffu, is));
    }
    if (thread % 32 == 0) chosen[thread / 32] = n;
    __syncthreads();
    if (thread == 0) {
      for (int w = 1; w < WARPS; w++) n += chosen[w];
      f.places[leaf] = n;
    }
    __syncthreads();
  }
}

// One block. Counts become the sums of all leaves before.
extern "C" __global__ void filter_places(filter f) {
  __shared__ i64 sums[THREADS];
  const int thread = threadIdx.x;
  i64 before = 0;
  for (i64 from = 0; from < f.leaves; from += THREADS) {
    const i64 own = from + thread < f.leaves ? f.places[from + thread] : 0;
    sums[thread] = own;
    __syncthreads();
    for (int width = 1; width < THREADS; width *= 2) {
      const i64 lower = thread >= width ? sums[thread - width] : 0;
      __syncthreads();
      sums[thread] += lower;
      __syncthreads();
    }
    if (from + thread < f.leaves) f.places[from + thread] = before + sums[thread] - own;
    before += sums[THREADS - 1];
    __syncthreads();
  }
  if (thread == 0) *f.total = before;
}

enum { PACK, UNPACK, INDICES };

static __device__ inline void put_index(const filter &f, char *to, i64 index) {
  if (f.index_bytes == 4) {
    const int narrow = (int)index;
    copy(to, (const char *)&narrow, 4, f.unit);
  } else {
    copy(to, (const char *)&index, 8, f.unit);
  }
}

template <int what> static __device__ void move(const filter &f) {
  __shared__ int chosen[WARPS];
  const int thread = threadIdx.x, warp = thread / 32;
  const unsigned lower = (1u << (thread % 32)) - 1;
  for (i64 leaf = blockIdx.x; leaf < f.leaves; leaf += gridDim.x) {
    const int count = leaf_count(f, leaf);
    i64 before = f.places[leaf];
    for (int i = 0; i < count; i += THREADS) {
      i64 data = 0, mask = 0;
      const i64 e = leaf * PORTABLE__CUDA_LEAF + i + thread;
      int is = 0;
      if (i + thread < count) {
        go(f, e, &data, &mask);
        is = truth(f, mask);
      }
      const unsigned all = __ballot_sync(0xffffffffu, is);
      if (thread % 32 == 0) chosen[warp] = __popc(all);
      __syncthreads();
      i64 at = before + __popc(all & lower);
      for (int w = 0; w < WARPS; w++) {
        if (w < warp) at += chosen[w];
        before += chosen[w];
      }
      __syncthreads();
      if (!is || at >= f.room) continue;
      char *packed = f.packed + at * f.packed_step;
      if (what == PACK)
        copy(packed, f.data + data, f.element_bytes, f.unit);
      else if (what == UNPACK)
        copy((char *)f.data + data, packed, f.element_bytes, f.unit);
      else
        put_index(f, packed, f.lower + e);
    }
  }
}

extern "C" __global__ void pack(filter f) { move<PACK>(f); }
extern "C" __global__ void unpack(filter f) { move<UNPACK>(f); }
extern "C" __global__ void indices(filter f) { move<INDICES>(f); }

// Stores the values after the chosen ones.
extern "C" __global__ void pack_rest(filter f) {
  const i64 threads = (i64)gridDim.x * blockDim.x;
  for (i64 i = *f.total + (i64)blockIdx.x * blockDim.x + threadIdx.x; i < f.room; i += threads)
    copy(f.packed + i * f.packed_step, f.rest + i * f.rest_step, f.element_bytes, f.unit);
}
