/* rank_mismatch.c - kernels whose loops are more than the bounds have dimensions: they do nothing, and write nothing before their arrays. And what a
 * tile says of dimensions that there are not, in all launches. */
#include "check.h"

#include <stdatomic.h>

enum { NX = 40, NY = 20, GUARD = 64 };

struct field {
  double *x; /* NX * NY, with GUARD before */
  _Atomic int tiles, bad;
};

static int empty_above(const portable_tile *t) {
  int bad = 0;
  for (int d = t->rank; d < PORTABLE_LOOP_RANK; d++) bad += t->lower[d] != 1 || t->upper[d] != 0 || t->stride[d] != 1;
  return bad;
}

/* Two loops, as in Fortran: indices from 1. */
static void two_loops(const portable_tile *t, void *args) {
  struct field *f = args;
  atomic_fetch_add(&f->tiles, 1);
  atomic_fetch_add(&f->bad, empty_above(t));
  for (int64_t j = t->lower[1]; j <= t->upper[1]; j++)
    for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) f->x[(j - 1) * NX + i - 1] = 7;
}

static int untouched(const double *x, double before) {
  for (int i = 0; i < GUARD + NX * NY; i++)
    if (x[i] != before) return 0;
  return 1;
}

static void one_dimension(double *x) {
  const int64_t lower = NY, upper = NX;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b;
  for (int i = 0; i < GUARD + NX * NY; i++) x[i] = -1;
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_FORTRAN, &lower, &upper, NULL, &b), PORTABLE_OK);
  for (int32_t schedule = PORTABLE_SCHEDULE_STATIC; schedule <= PORTABLE_SCHEDULE_DYNAMIC; schedule++) {
    struct field f = {.x = x + GUARD};
    config.schedule = schedule;
    CHECK_STATUS(portable_parallel_for("two loops", &b, two_loops, &f, 0, &config), PORTABLE_OK);
    CHECK(f.tiles > 0 && f.bad == 0 && untouched(x, -1));
  }
}

/* Every rank, in streams and reductions too. */
static void looks(const portable_tile *t, void *args) { atomic_fetch_add((_Atomic int *)args, empty_above(t)); }
static void looks_and_sums(const portable_tile *t, void *args, void *const *partial) {
  atomic_fetch_add((_Atomic int *)args, empty_above(t));
  *(int64_t *)partial[0] += 1;
}
static void looks_inside(const portable_team *team, void *args) {
  portable_bounds b = portable_bounds_2(3, 4);
  portable_tile t;
  if (!portable_inner_tile(team, &b, 0, &t) || t.rank != 2) atomic_fetch_add((_Atomic int *)args, 1);
  atomic_fetch_add((_Atomic int *)args, empty_above(&t) + empty_above(team->tile));
}

static void every_rank(void) {
  const int64_t upper[PORTABLE_LOOP_RANK] = {3, 2, 2, 3, 2, 2, 2, 2};
  static _Atomic int bad;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &config.stream), PORTABLE_OK);
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++) {
      portable_bounds b;
      int64_t sum = 0;
      const portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, &sum);
      CHECK_STATUS(portable_bounds_make(rank, order, NULL, upper, NULL, &b), PORTABLE_OK);
      CHECK_STATUS(portable_parallel_for("looks", &b, looks, (void *)&bad, 0, NULL), PORTABLE_OK);
      CHECK_STATUS(portable_parallel_for("looks in a stream", &b, looks, (void *)&bad, 0, &config), PORTABLE_OK);
      CHECK_STATUS(portable_parallel_reduce("looks and sums", &b, looks_and_sums, (void *)&bad, 0, &r, 1, NULL), PORTABLE_OK);
      CHECK_STATUS(portable_parallel_outer("looks inside", &b, looks_inside, (void *)&bad, 0, 0, NULL), PORTABLE_OK);
    }
  CHECK_STATUS(portable_stream_destroy(config.stream), PORTABLE_OK);
  CHECK(bad == 0);
}

int main(void) {
  static double x[GUARD + NX * NY];
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  one_dimension(x);
  every_rank();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures ? 1 : 0;
}
