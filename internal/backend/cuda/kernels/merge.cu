// merge.cu - merges of two arrays that are in order, by merge path: a thread finds where its part
// of the result begins, and takes the smaller element of both arrays, of equal ones that of a. Keys
// become unsigned integers of the requested order, as in sort.cu. An array that is not in order is
// noted; the result is of no use then, but stays in its memory.
#include "mesh.h"

#define PART PORTABLE__CUDA_MERGE_PART

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_merge work;

static __device__ inline u64 key(const work &w, const char *x, i64 i) {
  const char *const at = x + i * w.key_bytes;
  const u64 sign = 1ull << 63;
  u64 bits = 0;
  if (!w.aligned)
    for (int k = 0; k < w.key_bytes; k++) bits |= (u64)((const unsigned char *)at)[k] << (8 * k);
  else
    bits = w.key_bytes == 8 ? *(const u64 *)at : w.key_bytes == 4 ? *(const unsigned *)at : w.key_bytes == 2 ? *(const unsigned short *)at : *(const unsigned char *)at;
  bits <<= 64 - 8 * w.key_bytes;
  return ((bits & sign ? bits ^ w.mask : bits) ^ w.flip) - w.back;
}

extern "C" __global__ void merge_check(const work w) {
  EACH(i, w.a_count + w.b_count) {
    const bool in_a = i < w.a_count;
    const i64 k = in_a ? i : i - w.a_count;
    const char *const x = in_a ? w.a : w.b;
    if (k > 0 && key(w, x, k) < key(w, x, k - 1)) atomicMin(&w.found[!in_a], k);
  }
}

extern "C" __global__ void merge_path(const work w) {
  const i64 all = w.a_count + w.b_count;
  EACH(part, (all + PART - 1) / PART) {
    const i64 from = part * PART, to = from + PART < all ? from + PART : all;
    i64 i = from > w.b_count ? from - w.b_count : 0, high = from < w.a_count ? from : w.a_count;
    while (i < high) { // how many of the first `from` elements are from a
      const i64 middle = i + (high - i) / 2;
      if (key(w, w.a, middle) <= key(w, w.b, from - middle - 1)) i = middle + 1;
      else high = middle;
    }
    for (i64 k = from, j = from - i; k < to; k++) {
      const bool from_b = i >= w.a_count || (j < w.b_count && key(w, w.b, j) < key(w, w.a, i));
      const i64 at = from_b ? j++ : i++;
      copy(w.c + k * w.key_bytes, (from_b ? w.b : w.a) + at * w.key_bytes, w.key_bytes, w.aligned ? w.key_bytes : 1);
      if (w.value_bytes) copy(w.c_values + k * w.value_bytes, (from_b ? w.b_values : w.a_values) + at * w.value_bytes, w.value_bytes, w.unit);
    }
  }
}
