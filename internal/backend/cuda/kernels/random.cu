// random.cu - arrays of random numbers by cell: random_uniform, random_normal, with the bits of the
// host (internal/kernels/random). A thread makes the block of an even cell and writes both of its
// numbers. A module has one kernel, PORTABLE__ENTRY, for one kind of element, PORTABLE__KIND.
#include "algorithm.h"

#include "portable_random.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif
#ifndef PORTABLE__ENTRY
#define PORTABLE__ENTRY random_uniform
#endif

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_random work;

#if PORTABLE__KIND == 5
typedef float real;
typedef float2 both;
#else
typedef double real;
typedef double2 both;
#endif

// Each kernel makes a number of 64 bits.
struct random_uniform_form {
  static __device__ inline void of(u64 bits, double *x) { *x = portable__random_uniform64(bits); }
  static __device__ inline void of(u64 bits, float *x) { *x = portable__random_uniform32(bits); }
};
struct random_normal_form {
  template <typename type> static __device__ inline void of(u64 bits, type *x) { *x = (type)portable__random_quantile(portable__random_uniform64(bits)); }
};

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(PORTABLE__ENTRY, _form) form;

// Element e; the fastest axis first.
static __device__ inline char *place(const work &w, i64 e) {
  char *at = w.at;
  for (int d = 0; d < w.axes; d++) {
    const i64 extent = w.axis[d].extent;
    i64 i = e;
    if (d < w.axes - 1) {
      if ((u64)(e | extent) >> 32 == 0) {
        i = (unsigned)e % (unsigned)extent;
        e = (unsigned)e / (unsigned)extent;
      } else {
        i = e % extent;
        e /= extent;
      }
    }
    at += i * w.axis[d].step;
  }
  return at;
}

static __device__ inline void put(const work &w, i64 e, real x) {
  char *at = place(w, e);
  if (w.aligned) {
    *(real *)at = x;
    return;
  }
  for (unsigned i = 0; i < sizeof x; i++) at[i] = ((const char *)&x)[i];
}

// Pair p has the elements 2p - odd and 2p + 1 - odd, where odd is the last bit of the first cell.
extern "C" __global__ void PORTABLE__ENTRY(const work w) {
  const i64 odd = w.first & 1, pairs = w.count / 2 + (w.count & 1 || odd);
  portable_random_key key;
  for (int k = 0; k < 4; k++) key.word[k] = w.key[k];
  const bool whole = w.axes == 1 && w.axis[0].step == sizeof(real) && (u64)(w.at - odd * (i64)sizeof(real)) % sizeof(both) == 0;
  for (i64 p = (i64)blockIdx.x * blockDim.x + threadIdx.x; p < pairs; p += (i64)gridDim.x * blockDim.x) {
    const i64 e = 2 * p - odd;
    const portable_random_block b = portable__random_block(key, (u64)w.first + (u64)e >> 1, w.draw, 0);
    both x;
    form::of(portable__random_half(b, 0), &x.x);
    form::of(portable__random_half(b, 1), &x.y);
    if (whole && e >= 0 && e + 1 < w.count) {
      *(both *)(w.at + e * (i64)sizeof(real)) = x;
      continue;
    }
    if (e >= 0) put(w, e, x.x);
    if (e + 1 < w.count) put(w, e + 1, x.y);
  }
}
