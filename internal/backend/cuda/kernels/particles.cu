// particles.cu - cells of particles, neighbours, and sets of numbers, with the bits of the host
// (exec/mesh). Keys of cells are made here and sorted elsewhere; mesh.cu finds where cells begin.
// A thread has a place, or a key. No product is joined with a sum. A particle that is refused is
// noted.
#include "mesh.h"

typedef long long i64;
typedef portable__cuda_particles work;
typedef portable__cuda_map keyed;

static __device__ inline double coordinate(const work &w, int d, i64 i) { return w.kind == 5 ? (double)((const float *)w.position[d])[i] : ((const double *)w.position[d])[i]; }

// ---- cells ----

extern "C" __global__ void cell_keys(const work w) {
  const portable_cell_list &c = w.cells;
  EACH(i, c.particles) {
    int key = 0;
    bool inside = true;
    for (int d = c.rank - 1; d >= 0; d--) {
      const double x = coordinate(w, d, i), last = c.count[d] - 1, u = (x - c.low[d]) * c.per_length[d];
      inside &= x >= c.low[d] && x <= c.high[d];
      key = key * c.count[d] + (inside ? (int)(u < last ? u : last) : 0);
    }
    if (!inside) atomicMin(&w.found[0], i);
    c.cell[i] = key + c.lower;
    c.order[i] = (int)i + c.lower;
  }
}

// ---- neighbours ----

extern "C" __global__ void near_gather(const work w) {
  const portable_cell_list &c = w.cells;
  EACH(k, c.particles) {
    const i64 i = c.order[k] - c.lower;
    int cell = 0;
    bool inside = true;
    for (int d = c.rank - 1; d >= 0; d--) {
      const double x = coordinate(w, d, i);
      w.x[k * c.rank + d] = x;
      inside &= x >= c.low[d] && x <= c.high[d];
      cell = cell * c.count[d] + portable__cell_along(&c, d, x);
    }
    if (!inside || cell != c.cell[k] - c.lower) atomicMin(&w.found[0], i);
  }
}

static __device__ inline bool near(const work &w, const double *a, const double *b) {
  double sum = 0;
  for (int d = 0; d < w.cells.rank; d++) {
    double way = fabs(a[d] - b[d]);
    if (w.length[d] > 0 && w.length[d] - way < way) way = w.length[d] - way;
    sum += way * way;
  }
  return sum <= w.square;
}

// Counts the neighbours of place k, and writes them where found is not NULL.
template <typename type> static __device__ inline i64 look(const work &w, i64 k, type *found) {
  const portable_cell_list &c = w.cells;
  const int number = c.order[k];
  int64_t runs[PORTABLE_CELL_RUNS][2];
  i64 count = 0;
  const int n = portable_cells_around(&c, k, runs);
  for (int r = 0; r < n; r++)
    for (i64 j = runs[r][0]; j < runs[r][1]; j++) {
      if (!near(w, w.x + k * c.rank, w.x + j * c.rank) || j == k || (w.half && c.order[j] < number)) continue;
      if (found) found[count] = c.order[j];
      count++;
    }
  return count;
}

extern "C" __global__ void near_count(const work w) {
  EACH(k, w.cells.particles) put(w.counts, w.bytes, w.cells.order[k] - w.cells.lower, look<int>(w, k, 0));
}

// The numbers of a row are different, so any sort gives one order.
template <typename type> static __device__ inline void sift(type *x, i64 root, i64 n) {
  const type value = x[root];
  for (i64 child; (child = 2 * root + 1) < n; root = child) {
    child += child + 1 < n && x[child] < x[child + 1];
    if (x[child] <= value) break;
    x[root] = x[child];
  }
  x[root] = value;
}

template <typename type> static __device__ void fill(const work &w, i64 k) {
  type *const x = (type *)w.list.col + portable_csr_begin(&w.list, w.cells.order[k] - w.cells.lower);
  const i64 n = look<type>(w, k, x);
  i64 in_order = 1;
  while (in_order < n && x[in_order - 1] < x[in_order]) in_order++;
  if (in_order >= n) return;
  if (n > 48) {
    for (i64 root = n / 2 - 1; root >= 0; root--) sift(x, root, n);
    for (i64 last = n - 1; last > 0; last--) {
      const type value = x[last];
      x[last] = x[0];
      x[0] = value;
      sift(x, 0, last);
    }
    return;
  }
  for (i64 i = in_order, j; i < n; i++) {
    const type value = x[i];
    for (j = i; j > 0 && x[j - 1] > value; j--) x[j] = x[j - 1];
    x[j] = value;
  }
}

extern "C" __global__ void near_fill(const work w) {
  EACH(k, w.cells.particles)
    if (w.bytes == 4) fill<int>(w, k);
    else fill<i64>(w, k);
}

// ---- sets of numbers ----

extern "C" __global__ void map_begin(const keyed w) {
  EACH(i, w.count) {
    put(w.keys, w.bytes, i, get(w.given, w.bytes, i));
    put(w.place, w.bytes, i, i);
  }
}

extern "C" __global__ void map_new(const keyed w) {
  EACH(i, w.count) {
    const i64 key = get(w.keys, w.bytes, i);
    w.sums[i] = (i == 0 || get(w.keys, w.bytes, i - 1) != key) && portable_map_at(&w.map, key) < 0;
  }
}

extern "C" __global__ void map_pack(const keyed w) {
  EACH(i, w.count) {
    const i64 before = i ? w.sums[i - 1] : 0;
    const bool is_new = w.sums[i] > before;
    if (w.is_new) w.is_new[get(w.place, w.bytes, i)] = is_new;
    if (is_new) {
      put(w.added, w.bytes, before, get(w.keys, w.bytes, i));
      put(w.numbers, w.bytes, before, w.map.count + before + w.map.lower);
    }
    if (i == w.count - 1) w.found[0] = w.sums[i];
  }
}

extern "C" __global__ void map_find(const keyed w) {
  EACH(i, w.count) put(w.numbers, w.bytes, i, portable_map_at(&w.map, get(w.given, w.bytes, i)) + w.map.lower);
}
