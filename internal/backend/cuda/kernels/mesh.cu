// mesh.cu - rows of numbers and another order of arrays. Pairs of a row and an item are made
// (csr_pairs, of a transposed list csr_turn), sorted by row elsewhere, and rows begin where they
// are found in the sorted keys (list_rows). A search for each row takes the same time, also where
// many rows are empty. A number that is refused is noted, not used.
#include "mesh.h"

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_rows rows;
typedef portable__cuda_reorder reorder;

// The first of n ascending numbers that is not less than x.
static __device__ inline i64 lower_bound(const void *at, int bytes, i64 n, i64 x) {
  i64 low = 0;
  while (low < n) {
    const i64 middle = low + (n - low) / 2;
    if (get(at, bytes, middle) < x) low = middle + 1;
    else n = middle;
  }
  return low;
}

// ---- pairs ----

extern "C" __global__ void csr_pairs(const rows w) {
  EACH(k, w.count) {
    const i64 row = get(w.given, w.bytes, k);
    if (row < w.lower - 1 || row >= w.rows + w.lower) {
      atomicMin(&w.found[0], k);
      continue;
    }
    put(w.keys, w.bytes, k, row);
    put(w.values, w.bytes, k, k / w.each + w.lower);
  }
}

extern "C" __global__ void csr_check(const rows w) {
  EACH(r, w.from_rows + 1) {
    const i64 at = get(w.from_row, w.bytes, r) - w.lower, before = r ? get(w.from_row, w.bytes, r - 1) - w.lower : 0;
    if (at < before || (r == 0 && at) || at > w.count || (r == w.from_rows && at != w.count)) atomicMin(&w.found[1], r);
  }
}

extern "C" __global__ void csr_turn(const rows w) {
  EACH(k, w.count) {
    const i64 column = get(w.given, w.bytes, k), r = lower_bound(w.from_row, w.bytes, w.from_rows + 1, k + w.lower + 1) - 1;
    if (column < w.lower || column >= w.rows + w.lower) {
      atomicMin(&w.found[0], k);
      continue;
    }
    put(w.keys, w.bytes, k, column);
    put(w.values, w.bytes, k, r + w.lower);
  }
}

// ---- rows ----

extern "C" __global__ void list_none(const rows w) {
  if (blockIdx.x == 0 && threadIdx.x == 0) w.found[2] = lower_bound(w.keys, w.bytes, w.count, w.lower);
}

extern "C" __global__ void list_rows(const rows w) {
  __shared__ i64 none;
  if (threadIdx.x == 0) none = w.found[2]; // a thread of each block reads memory of the host
  __syncthreads();
  const char *keys = (const char *)w.keys + none * w.bytes;
  EACH(r, w.rows + 1) put(w.row, w.bytes, r, lower_bound(keys, w.bytes, w.count - none, r + w.lower) + w.lower);
}

// ---- counts ----

extern "C" __global__ void counts_widen(const rows w) {
  EACH(r, w.rows) {
    const i64 n = get(w.given, w.bytes, r);
    if (n < 0) atomicMin(&w.found[0], r);
    if (n > w.most) atomicMin(&w.found[1], r);
    w.sums[r] = n;
  }
}

// No number is more than most, a sixteenth of what a sum can be: so a sum that is too large is seen before one wraps.
extern "C" __global__ void counts_total(const rows w) {
  EACH(r, w.rows) {
    const i64 all = (i64)((u64)w.sums[r] + (u64)get(w.given, w.bytes, r));
    if (all < 0 || all > w.most) atomicMin(&w.found[1], r);
    if (r == w.rows - 1) w.found[2] = all;
  }
}

extern "C" __global__ void counts_rows(const rows w) {
  EACH(r, w.rows) {
    put(w.row, w.bytes, r, w.sums[r] + w.lower);
    if (r == w.rows - 1) put(w.row, w.bytes, w.rows, w.sums[r] + get(w.given, w.bytes, r) + w.lower);
  }
}

// ---- another order ----

extern "C" __global__ void order_clear(const reorder w) {
  EACH(i, (w.count + 31) / 32) w.taken[i] = 0;
}

extern "C" __global__ void order_check(const reorder w) {
  EACH(i, w.count) {
    const u64 n = (u64)get(w.order, w.bytes, i) - (u64)w.lower;
    if (n >= (u64)w.count) {
      atomicMin(&w.found[0], i);
      continue;
    }
    const unsigned bit = 1u << n % 32;
    if (atomicOr(&w.taken[n / 32], bit) & bit) atomicMin(&w.found[1], (i64)n);
  }
}

// A thread moves a unit of an element.
extern "C" __global__ void order_gather(const reorder w) {
  const i64 units = w.element_bytes / w.unit;
  EACH(u, w.count * units) {
    const i64 i = u / units, n = get(w.order, w.bytes, i) - w.lower;
    copy(w.copy + u * w.unit, w.data + n * w.stride + (u - i * units) * w.unit, w.unit, w.unit);
  }
}

extern "C" __global__ void order_return(const reorder w) {
  const i64 units = w.element_bytes / w.unit;
  EACH(u, w.count * units) {
    const i64 i = u / units;
    copy(w.data + i * w.stride + (u - i * units) * w.unit, w.copy + u * w.unit, w.unit, w.unit);
  }
}
