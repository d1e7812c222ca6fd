/* divisions.c - work divisions from C: over random index spaces of rank 1 to 8, also empty ones, numbers and units are each other's inverse,
 * each index has one place, boxes of blocks are the space, and a launch over the grid visits it once. Not in this file: Fortran's
 * twin (divisions.f90), constexpr (constant.cpp). */
#include "check.h"

#include <stdatomic.h>

static uint64_t state = 88172645463325252u;

static int64_t random_below(int64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (int64_t)(state % (uint64_t)n);
}

/* Calls visit for each index of a box with steps, in the order of the last dimension. */
static int next_in_box(int32_t rank, const int64_t *lower, const int64_t *upper, const int64_t *stride, int64_t *index) {
  for (int32_t d = rank - 1; d >= 0; d--) {
    if ((index[d] += stride ? stride[d] : 1) <= upper[d]) return 1;
    index[d] = lower[d];
  }
  return 0;
}

struct marks {
  portable_work_division w;
  _Atomic char *times;
};

static int64_t position(const portable_work_division *w, const int64_t *index) {
  int64_t step[PORTABLE_LOOP_RANK];
  for (int32_t d = 0; d < w->rank; d++) step[d] = (index[d] - w->lower[d]) / w->stride[d];
  return portable_index_number(w->rank, w->order, w->extent, step);
}

static void mark(const portable_team *team, void *args) {
  const struct marks *m = args;
  int64_t lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK], index[PORTABLE_LOOP_RANK];
  if (!portable_work_box(&m->w, team->index, NULL, lower, upper)) return;
  memcpy(index, lower, sizeof index);
  do atomic_fetch_add(&m->times[position(&m->w, index)], 1);
  while (next_in_box(m->w.rank, lower, upper, m->w.stride, index));
}

static void round_trips(const portable_work_division *w, int32_t of, int32_t in) {
  int64_t n = portable_work_count(w, of, in), step = n / 100 + 1, unit[PORTABLE_LOOP_RANK];
  for (int64_t number = 0; number < n; number += step) {
    portable_work_unit(w, of, in, number, unit);
    for (int32_t d = 0; d < w->rank; d++) CHECK(unit[d] >= 0 && unit[d] < portable_work_extent(w, of, in, d));
    CHECK(portable_work_number(w, of, in, unit) == number);
  }
}

/* Each index has a place, which leads back to it, and is in the boxes of its block and thread. */
static void places(const portable_work_division *w, const int64_t *upper) {
  int64_t index[PORTABLE_LOOP_RANK], again[PORTABLE_LOOP_RANK], lo[PORTABLE_LOOP_RANK], up[PORTABLE_LOOP_RANK];
  int64_t block[PORTABLE_LOOP_RANK], thread[PORTABLE_LOOP_RANK], element[PORTABLE_LOOP_RANK];
  memcpy(index, w->lower, sizeof index);
  do {
    portable_work_place(w, index, block, thread, element);
    CHECK(portable_work_index(w, block, thread, element, again) == 1);
    CHECK(memcmp(index, again, (size_t)w->rank * sizeof *index) == 0);
    CHECK(portable_work_box(w, block, thread, lo, up) == 1);
    for (int32_t d = 0; d < w->rank; d++)
      CHECK(block[d] < w->blocks[d] && thread[d] < w->threads[d] && element[d] < w->elements[d] && lo[d] <= index[d] && index[d] <= up[d]);
  } while (next_in_box(w->rank, w->lower, upper, w->stride, index));
}

/* How many of all elements the guard lets through, and how many indices the boxes of all threads hold. */
static void guards(const portable_work_division *w, int64_t count) {
  int64_t inside = 0, in_boxes = 0, index[PORTABLE_LOOP_RANK], lo[PORTABLE_LOOP_RANK], up[PORTABLE_LOOP_RANK];
  int64_t block[PORTABLE_LOOP_RANK], thread[PORTABLE_LOOP_RANK], element[PORTABLE_LOOP_RANK];
  for (int64_t b = 0; b < portable_work_count(w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID); b++) {
    portable_work_unit(w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID, b, block);
    for (int64_t t = 0; t < portable_work_count(w, PORTABLE_WORK_THREAD, PORTABLE_WORK_BLOCK); t++) {
      portable_work_unit(w, PORTABLE_WORK_THREAD, PORTABLE_WORK_BLOCK, t, thread);
      int64_t box = portable_work_box(w, block, thread, lo, up);
      for (int32_t d = 0; d < w->rank; d++) box *= up[d] < lo[d] ? 0 : (up[d] - lo[d]) / w->stride[d] + 1;
      in_boxes += box;
      for (int64_t e = 0; e < portable_work_count(w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_THREAD); e++) {
        portable_work_unit(w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_THREAD, e, element);
        inside += portable_work_index(w, block, thread, element, index);
      }
    }
  }
  CHECK(inside == count && in_boxes == count);
}

static void one_space(void) {
  int32_t rank = 1 + (int32_t)random_below(PORTABLE_LOOP_RANK), order = (int32_t)random_below(2);
  int64_t most = rank < 3 ? 40 : rank < 5 ? 9 : 4, lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK];
  int64_t threads[PORTABLE_LOOP_RANK], elements[PORTABLE_LOOP_RANK];
  struct marks m;
  portable_bounds b, grid;
  for (int32_t d = 0; d < rank; d++) {
    lower[d] = random_below(100) - 50;
    stride[d] = 1 + random_below(3);
    upper[d] = lower[d] + random_below(most) * stride[d] - (random_below(12) == 0);
    threads[d] = 1 + random_below(3);
    elements[d] = 1 + random_below(rank < 5 ? 4 : 2);
  }
  CHECK_STATUS(portable_bounds_make(rank, order, lower, upper, stride, &b), PORTABLE_OK);
  CHECK_STATUS(portable_work_divide(&b, threads, elements, &m.w), PORTABLE_OK);
  int64_t count = portable_bounds_count(&b);
  for (int32_t of = PORTABLE_WORK_BLOCK; of <= PORTABLE_WORK_ELEMENT; of++)
    for (int32_t in = PORTABLE_WORK_GRID; in < of; in++) round_trips(&m.w, of, in);
  if (count > 0) places(&m.w, upper);
  for (int collapsed = 0; collapsed < 3; collapsed++) {
    portable_work_division w = collapsed ? portable_work_collapse(&m.w, collapsed) : m.w;
    CHECK(portable_work_count(&w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_GRID) ==
          portable_work_count(&m.w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_GRID));
    guards(&w, count);
    for (int32_t d = 0; d < rank; d++) {
      CHECK(collapsed != PORTABLE_WORK_THREAD || w.threads[d] == 1);
      CHECK(collapsed != PORTABLE_WORK_BLOCK || w.blocks[d] <= 1);
    }
  }
  m.times = calloc((size_t)count + 1, 1);
  CHECK_STATUS(portable_work_grid(&m.w, &grid), PORTABLE_OK);
  CHECK(portable_bounds_count(&grid) == portable_work_count(&m.w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID));
  CHECK_STATUS(portable_parallel_outer("mark", &grid, mark, &m, sizeof m, 0, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < count; i++) CHECK(m.times[i] == 1);
  CHECK(m.times[count] == 0);
  free((void *)m.times);
}

static void known(void) {
  const int64_t upper[] = {999, 299}, threads[] = {8, 4}, elements[] = {16, 2}, last[] = {7, 37};
  portable_bounds b;
  portable_work_division w;
  int64_t lo[PORTABLE_LOOP_RANK], up[PORTABLE_LOOP_RANK], block[PORTABLE_LOOP_RANK];
  portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, (const int64_t[]){0, 0}, upper, NULL, &b);
  CHECK_STATUS(portable_work_divide(&b, threads, elements, &w), PORTABLE_OK);
  CHECK(w.blocks[0] == 8 && w.blocks[1] == 38);
  CHECK(portable_work_extent(&w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_BLOCK, 0) == 128);
  CHECK(portable_work_extent(&w, PORTABLE_WORK_THREAD, PORTABLE_WORK_GRID, 1) == 152);
  CHECK(portable_work_extent(&w, PORTABLE_WORK_GRID, PORTABLE_WORK_BLOCK, 0) == 0);
  CHECK(portable_work_extent(&w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID, 2) == 0);
  portable_work_unit(&w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID, 9, block);
  CHECK(block[0] == 1 && block[1] == 1);
  CHECK(portable_work_box(&w, last, NULL, lo, up) == 1 && lo[0] == 896 && up[0] == 999 && lo[1] == 296 && up[1] == 299);
}

static void errors(void) {
  portable_bounds b = portable_bounds_1(10), bad = b, huge = portable_bounds_2(INT64_C(1) << 31, (INT64_C(1) << 32) - 1);
  portable_work_division w;
  const int64_t zero[] = {0}, five[] = {5, 5}, large[] = {INT64_MAX};
  CHECK_STATUS(portable_work_divide(&b, NULL, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_work_divide(NULL, NULL, NULL, &w), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_work_divide(&b, zero, NULL, &w), PORTABLE_ERR_ARG);
  CHECK_TEXT("dimension 1 has blocks of 0 threads with 1 elements");
  CHECK(w.rank == 0);
  CHECK_STATUS(portable_work_divide(&b, NULL, zero, &w), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_work_divide(&b, large, five, &w), PORTABLE_ERR_OVERFLOW);
  CHECK_STATUS(portable_work_divide(&huge, NULL, NULL, &w), PORTABLE_OK);
  CHECK_STATUS(portable_work_divide(&huge, NULL, five, &w), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("beyond the index space");
  bad.stride[0] = 0;
  CHECK_STATUS(portable_work_divide(&bad, NULL, NULL, &w), PORTABLE_ERR_ARG);
  memset(&bad, 0, sizeof bad);
  CHECK_STATUS(portable_work_divide(&bad, NULL, NULL, &w), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_work_grid(NULL, &bad), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_work_grid(&w, &bad), PORTABLE_ERR_ARG);
}

int main(void) {
  known();
  errors();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < 300; i++) one_space();
  return check_end();
}
