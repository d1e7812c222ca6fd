/* cut.c - cuts an index space into parts (cut.h). */
#include "cut.h"

#include <string.h>

/* Iterations of one dimension, or -1 for more than fit. Unsigned, because upper - lower may not fit. */
static int64_t extent_of(int64_t lower, int64_t upper, int64_t stride) {
  if (upper < lower) return 0;
  uint64_t steps = ((uint64_t)upper - (uint64_t)lower) / (uint64_t)stride;
  return steps >= (uint64_t)INT64_MAX ? -1 : (int64_t)steps + 1;
}

int portable__cut_space(const portable_bounds *bounds, struct portable__cut *cut) {
  if (bounds->struct_size != sizeof *bounds || bounds->rank < 1 || bounds->rank > PORTABLE_LOOP_RANK)
    return PORTABLE__BOUNDS_NONE;
  cut->rank = bounds->rank;
  int64_t count = 1;
  int overflow = 0, empty = 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    int32_t d = bounds->order == PORTABLE_ORDER_FORTRAN ? k : cut->rank - 1 - k;
    if (bounds->stride[d] < 1) return PORTABLE__BOUNDS_STRIDE;
    int64_t n = extent_of(bounds->lower[d], bounds->upper[d], bounds->stride[d]);
    cut->axis[k].lower = bounds->lower[d];
    cut->axis[k].stride = bounds->stride[d];
    cut->axis[k].extent = n;
    cut->axis[k].dim = d;
    if (n < 0 || (n > 0 && __builtin_mul_overflow(count, n, &count))) {
      overflow = 1;
      count = 1;
    }
    if (n == 0) empty = 1;
  }
  cut->count = empty ? 0 : count;
  cut->units = 0;
  cut->grain = 1;
  /* A dimension without iterations makes the whole space empty, however long the others are. */
  return overflow && !empty ? PORTABLE__BOUNDS_OVERFLOW : 0;
}

/* Pieces of a row are whole grains, and no longer than they were if that is possible: they may be the most that the user allows. */
static void whole_grains(struct portable__axis *row, int64_t grain) {
  if (row->tile >= row->extent) return;
  row->tile = row->tile < grain ? grain : row->tile / grain * grain;
  if (row->tile > row->extent) row->tile = row->extent;
}

static void count_units(struct portable__cut *cut) {
  if (cut->grain > 1) whole_grains(&cut->axis[0], cut->grain);
  cut->units = 1;
  for (int32_t k = 0; k < cut->rank; k++) {
    struct portable__axis *a = &cut->axis[k];
    a->tiles = a->tile == 1 ? a->extent : a->tile == a->extent ? 1 : (a->extent - 1) / a->tile + 1; /* divisions are slow */
    cut->units *= a->tiles;
  }
}

/* Rows enough for each worker that one more or less does not matter: then rows stay whole, which is best for
 * vector loops. */
#define ROWS_EACH 256
/* A long piece of a row is a multiple of this many iterations: no two workers write into one cache line then, if the
 * array begins at one. */
#define LINE 16

void portable__cut_units(struct portable__cut *cut, const int64_t *tile, int32_t workers) {
  if (cut->count == 0) return;
  int64_t row = cut->axis[0].extent, rows = cut->rank == 1 ? 1 : cut->count / row;
  cut->merge = 1;
  for (int32_t k = 0; k < cut->rank; k++) cut->axis[k].tile = 1;
  cut->axis[0].tile = row;
  int chosen = 0;
  for (int32_t k = 0; tile && k < cut->rank; k++) chosen |= tile[k] > 0;
  if (chosen) {
    cut->merge = 0;
    for (int32_t k = 0; k < cut->rank; k++) {
      struct portable__axis *a = &cut->axis[k];
      int64_t t = tile[a->dim];
      a->tile = t < 1 || t > a->extent ? a->extent : t;
    }
  } else if (workers > 1 && rows / ROWS_EACH < workers) {
    /* Short of rows: pieces of rows, as small as they have to be for a fair share. */
    int64_t pieces = (int64_t)ROWS_EACH * workers / rows + 1;
    int64_t piece = (row - 1) / pieces + 1;
    cut->axis[0].tile = piece < 4 * LINE ? piece : (piece - 1) / LINE * LINE + LINE;
  }
  count_units(cut);
}

void portable__cut_chunks(struct portable__cut *cut, int64_t most) {
  if (cut->count == 0) return;
  cut->merge = 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    struct portable__axis *a = &cut->axis[k];
    int64_t t = a->extent < most ? a->extent : most;
    a->tile = t < 1 ? 1 : t;
    most /= a->tile;
  }
  count_units(cut);
}

void portable__cut_leaves(struct portable__cut *cut, int64_t leaf) {
  if (cut->count == 0) return;
  cut->merge = 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    struct portable__axis *a = &cut->axis[k];
    int64_t pieces = leaf < 1 ? a->extent : a->extent / leaf;
    if (pieces <= 1) {
      a->tile = a->extent;
      leaf /= a->extent;
      continue;
    }
    a->tile = (a->extent - 1) / pieces + 1;
    if (k == 0 && a->tile >= LINE) a->tile = (a->tile - 1) / LINE * LINE + LINE;
    leaf = 0; /* what is cut is not cut along a further dimension: leaves are in the order of the space */
  }
  count_units(cut);
}

/* The index of an iteration. Unsigned, because the distance from the first one may not fit, though the index does. */
static int64_t index_of(const struct portable__axis *a, int64_t iteration) {
  return (int64_t)((uint64_t)a->lower + (uint64_t)iteration * (uint64_t)a->stride);
}

int64_t portable__cut_box(const struct portable__cut *cut, int64_t from, int64_t to, portable_tile *tile) {
  int64_t rest = from, left = cut->merge ? to - from : 1, inner = 1, units = 1;
  int growing = 1;
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    int64_t first = 0, many = 1;
    if (k == cut->rank - 1) {
      first = rest;
    } else if (a->tiles > 1) { /* a division costs more than all the rest */
      first = rest % a->tiles;
      rest /= a->tiles;
    }
    if (growing) {
      int64_t most = inner == 1 ? left : left / inner;
      many = a->tiles - first < most ? a->tiles - first : most;
      units = inner * many;
      /* The next dimension joins only when this one is in it whole. */
      growing = many == a->tiles && (inner *= many) <= left;
    }
    int64_t begin = first * a->tile;
    int64_t end = first + many == a->tiles ? a->extent - 1 : begin + many * a->tile - 1;
    tile->lower[a->dim] = index_of(a, begin);
    tile->upper[a->dim] = index_of(a, end);
  }
  return units;
}
