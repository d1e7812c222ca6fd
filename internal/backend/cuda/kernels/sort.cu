// sort.cu - sorts by radix, from the lowest digit of 8 bits up; each step is stable, so the result
// is unique. *_begin turns keys into unsigned integers of the requested order (as
// internal/kernels/sort/sort.h) and finds the bits in which they differ; equal digits are left out.
// For each other digit *_count counts its values in each chunk, sort_sums and sort_edges find where
// they begin in the result, *_scatter moves them. *_end writes keys back; only the last steps write
// the user's memory.
#include "algorithm.h"

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_sort sort;

#define DIGITS PORTABLE__CUDA_DIGITS
#define THREADS PORTABLE__CUDA_SORT_THREADS
#define WARPS (THREADS / 32)
#define ROUNDS PORTABLE__CUDA_SORT_ROUNDS
#define CHUNK PORTABLE__CUDA_SORT_CHUNK
#define ALL_LANES 0xffffffffu

#define EACH(i, count) for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += (i64)gridDim.x * blockDim.x)

// ---- keys ----

template <typename word> static __device__ inline word load(const char *at, int bytes, int aligned) {
  if (bytes == 1) return *(const unsigned char *)at;
  if (aligned) return bytes == 2 ? *(const unsigned short *)at : bytes == 4 ? *(const unsigned *)at : (word) * (const u64 *)at;
  word x = 0;
  for (int i = 0; i < bytes; i++) x |= (word)((const unsigned char *)at)[i] << (8 * i);
  return x;
}

template <typename word> static __device__ inline void store(char *at, word x, int bytes, int aligned) {
  if (!aligned) {
    for (int i = 0; i < bytes; i++) at[i] = (char)(x >> (8 * i));
    return;
  }
  switch (bytes) {
  case 1: *(unsigned char *)at = (unsigned char)x; break;
  case 2: *(unsigned short *)at = (unsigned short)x; break;
  case 4: *(unsigned *)at = (unsigned)x; break;
  default: *(u64 *)at = x; break;
  }
}

template <typename word> static __device__ inline word sign() { return (word)1 << (8 * sizeof(word) - 1); }

template <typename word> static __device__ inline word key_of(const sort &s, i64 i) {
  word x = load<word>(s.keys + i * s.key_step, s.key_bytes, s.key_aligned) << (8 * ((int)sizeof(word) - s.key_bytes));
  if (x & sign<word>()) x ^= (word)s.mask;
  return (word)((x ^ (word)s.flip) - (word)s.back);
}

template <typename word> static __device__ inline word bits_of(const sort &s, word key) {
  word x = (word)(key + (word)s.back) ^ (word)s.flip;
  if (x & sign<word>()) x ^= (word)s.mask;
  return x >> (8 * ((int)sizeof(word) - s.key_bytes));
}

static __device__ inline void set_place(const sort &s, void *places, i64 at, i64 place) {
  if (s.place_bytes == 4)
    ((unsigned *)places)[at] = (unsigned)place;
  else
    ((i64 *)places)[at] = place;
}

static __device__ inline i64 get_place(const sort &s, const void *places, i64 at) {
  return s.place_bytes == 4 ? (i64)((const unsigned *)places)[at] : ((const i64 *)places)[at];
}

template <typename word> static __device__ void begin(const sort &s) {
  u64 both = ~0ull, one = 0;
  EACH(i, s.count) {
    const word key = key_of<word>(s, i);
    ((word *)s.to)[i] = key;
    if (s.with_places) set_place(s, s.to_place, i, i);
    both &= key;
    one |= key;
  }
  for (int w = 16; w >= 1; w /= 2) {
    both &= (u64)__shfl_xor_sync(ALL_LANES, (i64)both, w);
    one |= (u64)__shfl_xor_sync(ALL_LANES, (i64)one, w);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAnd(&s.bits[0], both);
    atomicOr(&s.bits[1], one);
  }
}

extern "C" __global__ void sort_clear(sort s) {
  s.bits[0] = ~0ull;
  s.bits[1] = 0;
}

extern "C" __global__ void sort_differ(sort s) { *s.differ = s.bits[0] ^ s.bits[1]; }

// ---- positions of a digit's elements ----

template <typename word> static __device__ void count(const sort &s) {
  __shared__ int of[DIGITS];
  for (i64 chunk = blockIdx.x; chunk < s.chunks; chunk += gridDim.x) {
    of[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < CHUNK && chunk * CHUNK + i < s.count; i += THREADS)
      atomicAdd(&of[(((const word *)s.from)[chunk * CHUNK + i] >> s.shift) & (DIGITS - 1)], 1);
    __syncthreads();
    s.counts[threadIdx.x * s.chunks + chunk] = of[threadIdx.x];
    __syncthreads();
  }
}

// One block: sums[i] becomes the sum of sums[0..i]; there are as many as threads.
static __device__ inline void running(i64 *sums) {
  const int thread = threadIdx.x, threads = blockDim.x;
  for (int width = 1; width < threads; width *= 2) {
    const i64 lower = thread >= width ? sums[thread - width] : 0;
    __syncthreads();
    sums[thread] += lower;
    __syncthreads();
  }
}

// A block has a digit; it has as many threads as there are chunks.
extern "C" __global__ void sort_sums(sort s) {
  __shared__ i64 sums[THREADS];
  const int thread = threadIdx.x, threads = blockDim.x;
  i64 *counts = s.counts + blockIdx.x * s.chunks, before = 0;
  for (i64 from = 0; from < s.chunks; from += threads) {
    const i64 own = from + thread < s.chunks ? counts[from + thread] : 0;
    sums[thread] = own;
    __syncthreads();
    running(sums);
    if (from + thread < s.chunks) counts[from + thread] = before + sums[thread] - own;
    before += sums[threads - 1];
    __syncthreads();
  }
  if (thread == 0) s.sums[blockIdx.x] = before;
}

// One block.
extern "C" __global__ void sort_edges(sort s) {
  __shared__ i64 sums[DIGITS];
  const i64 own = s.sums[threadIdx.x];
  sums[threadIdx.x] = own;
  __syncthreads();
  running(sums);
  s.sums[threadIdx.x] = sums[threadIdx.x] - own;
}

// Elements of a chunk are numbered along a warp, and a warp has consecutive ones: so of equal digits those of a lower
// round, and of a lower warp, come first.
template <typename word> static __device__ void scatter(const sort &s) {
  __shared__ int of[WARPS][DIGITS];
  __shared__ i64 where[WARPS][DIGITS];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const unsigned lower = (1u << lane) - 1;
  for (i64 chunk = blockIdx.x; chunk < s.chunks; chunk += gridDim.x) {
    word keys[ROUNDS];
    int ranks[ROUNDS];
    for (int w = 0; w < WARPS; w++) of[w][thread] = 0;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
      const i64 i = chunk * CHUNK + warp * (32 * ROUNDS) + r * 32 + lane;
      const bool there = i < s.count;
      keys[r] = there ? ((const word *)s.from)[i] : 0;
      const int digit = (int)(keys[r] >> s.shift) & (DIGITS - 1);
      unsigned same = __ballot_sync(ALL_LANES, there);
      for (int b = 0; b < PORTABLE__CUDA_DIGIT; b++) {
        const unsigned has = __ballot_sync(ALL_LANES, digit >> b & 1);
        same &= digit >> b & 1 ? has : ~has;
      }
      ranks[r] = of[warp][digit] + __popc(same & lower);
      __syncwarp();
      if (there && (same & lower) == 0) of[warp][digit] += __popc(same);
      __syncwarp();
    }
    __syncthreads();
    i64 at = s.sums[thread] + s.counts[thread * s.chunks + chunk];
    for (int w = 0; w < WARPS; w++) {
      where[w][thread] = at;
      at += of[w][thread];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
      const i64 i = chunk * CHUNK + warp * (32 * ROUNDS) + r * 32 + lane;
      if (i >= s.count) continue;
      const i64 to = where[warp][(int)(keys[r] >> s.shift) & (DIGITS - 1)] + ranks[r];
      ((word *)s.to)[to] = keys[r];
      if (s.with_places) set_place(s, s.to_place, to, get_place(s, s.from_place, i));
    }
    __syncthreads();
  }
}

// ---- results ----

template <typename word> static __device__ void end(const sort &s) {
  EACH(i, s.count) store<word>(s.keys + i * s.key_step, bits_of<word>(s, ((const word *)s.from)[i]), s.key_bytes, s.key_aligned);
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

extern "C" __global__ void sort_fetch(sort s) {
  EACH(i, s.count) copy(s.moved + i * s.value_bytes, s.values + get_place(s, s.from_place, i) * s.value_step, s.value_bytes, s.unit);
}

extern "C" __global__ void sort_return(sort s) {
  EACH(i, s.count) copy(s.values + i * s.value_step, s.moved + i * s.value_bytes, s.value_bytes, s.unit);
}

extern "C" __global__ void sort_indices(sort s) {
  EACH(i, s.count) {
    const i64 index = s.lower + get_place(s, s.from_place, i);
    if (s.index_bytes == 4) {
      const int narrow = (int)index;
      copy(s.values + i * s.value_step, (const char *)&narrow, 4, s.unit);
    } else {
      copy(s.values + i * s.value_step, (const char *)&index, 8, s.unit);
    }
  }
}

#define ENTRIES(name, word)                                                      \
  extern "C" __global__ void name##_begin(sort s) { begin<word>(s); }            \
  extern "C" __global__ void name##_count(sort s) { count<word>(s); }            \
  extern "C" __global__ void name##_scatter(sort s) { scatter<word>(s); }        \
  extern "C" __global__ void name##_end(sort s) { end<word>(s); }

ENTRIES(keys4, unsigned)
ENTRIES(keys8, u64)
