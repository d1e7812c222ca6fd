/* teams.c - outer and inner loops from C: each outer index once, scratch that is its team's alone, nested launches, inner ranges,
 * errors. Not in this file: work divisions (divisions.c), speed (bench). */
#include "check.h"

#include <sched.h>
#include <stdatomic.h>

struct grid {
  _Atomic int *times;
  int64_t lower[PORTABLE_LOOP_RANK], extent[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK];
  int32_t rank;
};

static void visit(const portable_team *team, void *args) {
  const struct grid *g = args;
  int64_t at = 0;
  CHECK(team->rank == g->rank && team->size == 1 && team->member == 0 && team->scratch == NULL);
  for (int d = 0; d < g->rank; d++) at = at * g->extent[d] + (team->index[d] - g->lower[d]) / g->stride[d];
  for (int d = g->rank; d < PORTABLE_LOOP_RANK; d++) CHECK(team->index[d] == 0);
  atomic_fetch_add(&g->times[at], 1);
}

static void every_index_once(int32_t rank, int32_t order, const int64_t *lower, const int64_t *upper, const int64_t *stride,
                             const portable_launch_config *config) {
  struct grid g = {.rank = rank};
  int64_t count = 1;
  for (int d = 0; d < rank; d++) {
    g.lower[d] = lower[d];
    g.stride[d] = stride ? stride[d] : 1;
    g.extent[d] = (upper[d] - lower[d]) / g.stride[d] + 1;
    count *= g.extent[d];
  }
  g.times = calloc((size_t)count, sizeof *g.times);
  portable_bounds b;
  CHECK_STATUS(portable_bounds_make(rank, order, lower, upper, stride, &b), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("visit", &b, visit, &g, sizeof g, 0, config), PORTABLE_OK);
  for (int64_t i = 0; i < count; i++) CHECK(g.times[i] == 1);
  free((void *)g.times);
}

static void test_spaces(void) {
  const int64_t lower[] = {-3, 5, 0, 1, 2, -1, 7, 0}, upper[] = {9, 12, 6, 3, 4, 1, 8, 1}, stride[] = {2, 3, 1, 2, 1, 2, 1, 1};
  for (int32_t rank = 1; rank <= PORTABLE_LOOP_RANK; rank++)
    for (int32_t order = 0; order < 2; order++) {
      portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
      every_index_once(rank, order, lower, upper, NULL, NULL);
      every_index_once(rank, order, lower, upper, stride, NULL);
      config.schedule = PORTABLE_SCHEDULE_DYNAMIC;
      for (int d = 0; d < rank; d++) config.tile[d] = 1 + d % 2;
      every_index_once(rank, order, lower, upper, stride, &config);
    }
}

/* ---- scratch ---- */

enum { TEAMS = 400, ITEMS = 1000 };

struct shared {
  _Atomic int wrong, calls;
  _Atomic uintptr_t at[64]; /* by worker */
  int nested;
};

static void fill(const portable_team *team, int64_t mark) {
  int64_t *item = team->scratch;
  for (size_t i = 0; i < team->scratch_bytes / sizeof *item; i++) item[i] = mark;
}

static int holds(const portable_team *team, int64_t mark) {
  const int64_t *item = team->scratch;
  for (size_t i = 0; i < team->scratch_bytes / sizeof *item; i++)
    if (item[i] != mark) return 0;
  return 1;
}

static void inside(const portable_team *team, void *args) {
  struct shared *s = args;
  int64_t mark = -1 - team->index[0];
  if ((uintptr_t)team->scratch % 64 != 0) atomic_fetch_add(&s->wrong, 1);
  fill(team, mark);
  sched_yield();
  if (!holds(team, mark)) atomic_fetch_add(&s->wrong, 1);
}

static void alone(const portable_team *team, void *args) {
  struct shared *s = args;
  int64_t mark = team->index[0];
  if ((uintptr_t)team->scratch % 64 != 0 || team->scratch_bytes != ITEMS * sizeof(int64_t)) atomic_fetch_add(&s->wrong, 1);
  fill(team, mark);
  if (s->nested) { /* larger and smaller than ours, and inside it once more */
    portable_bounds b = portable_bounds_1(3);
    CHECK_STATUS(portable_parallel_outer("inside", &b, inside, s, 0, 8 * (size_t)(1 + mark * 100), NULL), PORTABLE_OK);
  }
  if (mark % 16 == 0) sched_yield();
  if (!holds(team, mark)) atomic_fetch_add(&s->wrong, 1);
  atomic_fetch_add(&s->calls, 1);
  if (team->tile->worker < 64) atomic_store(&s->at[team->tile->worker], (uintptr_t)team->scratch);
}

static void test_scratch(int nested) {
  struct shared s = {.nested = nested};
  uintptr_t first = 0;
  portable_bounds b = portable_bounds_1(TEAMS);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  for (int round = 0; round < 10; round++) {
    config.schedule = round % 2 ? PORTABLE_SCHEDULE_DYNAMIC : PORTABLE_SCHEDULE_STATIC;
    atomic_store(&s.calls, 0);
    CHECK_STATUS(portable_parallel_outer("alone", &b, alone, &s, 0, ITEMS * sizeof(int64_t), &config), PORTABLE_OK);
    CHECK(s.wrong == 0 && s.calls == TEAMS);
    /* The launching thread has a part of each static launch, and its scratch stays where it is. */
    if (round % 2 == 0) {
      if (first) CHECK(s.at[0] == first);
      first = s.at[0];
    }
  }
}

/* Two launches at once from two threads: at least one of them runs inline. Then workers have no numbers of their own. */
static void outer_of_two(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(TEAMS / 8);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    CHECK_STATUS(portable_parallel_outer("alone", &b, alone, args, 0, ITEMS * sizeof(int64_t), NULL), PORTABLE_OK);
}

static void test_inside_launch(void) {
  struct shared s = {.nested = 1};
  portable_bounds b = portable_bounds_1(8);
  CHECK_STATUS(portable_parallel_for("of two", &b, outer_of_two, &s, 0, NULL), PORTABLE_OK);
  CHECK(s.wrong == 0 && s.calls == TEAMS);
}

/* ---- the inner level ---- */

struct inner {
  double *x;
  int64_t n;
};

static void add_tile(const portable_tile *t, void *args) {
  double *row = args;
  for (int64_t k = t->lower[0]; k <= t->upper[0]; k++) row[k] += (double)k;
}

static void fill_tile(const portable_tile *t, void *args) {
  double (*box)[4] = args;
  for (int64_t j = t->lower[0]; j <= t->upper[0]; j += t->stride[0])
    for (int64_t k = t->lower[1]; k <= t->upper[1]; k += t->stride[1]) box[j][k]++;
}

static void rows(const portable_team *team, void *args) {
  const struct inner *in = args;
  double *row = in->x + team->index[0] * in->n, box[5][4] = {{0}};
  portable_bounds b = portable_bounds_1(in->n), none = portable_bounds_1(0), strided;
  portable_tile t;
  int64_t from, to;
  portable_parallel_inner(team, &b, add_tile, row);
  portable_parallel_inner(team, &none, add_tile, row);
  portable_fence_inner(team);
  portable_inner_range(team, 0, in->n - 1, &from, &to);
  for (int64_t k = from; k <= to; k++) row[k] += 1;
  portable_fence_inner(team);
  if (portable_single_inner(team)) row[0] += 100;
  const int64_t lower[] = {0, 1}, upper[] = {4, 3}, stride[] = {2, 2};
  portable_bounds_make(2, PORTABLE_ORDER_C, lower, upper, stride, &strided);
  if (portable_inner_tile(team, &strided, 1, &t)) fill_tile(&t, box);
  CHECK(t.launch == team->tile->launch && t.worker == team->tile->worker && t.rank == 2);
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < 4; k++) CHECK(box[j][k] == (j % 2 == 0 && k % 2 == 1));
}

static void test_inner(void) {
  struct inner in = {NULL, 5000}; /* longer than any block */
  in.x = calloc((size_t)(20 * in.n), sizeof *in.x);
  portable_bounds b = portable_bounds_1(20);
  CHECK_STATUS(portable_parallel_outer("rows", &b, rows, &in, sizeof in, 0, NULL), PORTABLE_OK);
  for (int64_t r = 0; r < 20; r++)
    for (int64_t k = 0; k < in.n; k++) CHECK(in.x[r * in.n + k] == (double)k + 1 + (k == 0 ? 100 : 0));
  free(in.x);
}

/* Members of a larger team, as on a device: their ranges are the whole, in order. */
static void test_ranges(void) {
  const int64_t cases[][2] = {{0, -1}, {1, 1}, {0, 9}, {-5, 100}, {7, 11}, {INT64_MIN, INT64_MIN + 12}, {INT64_MAX - 30, INT64_MAX - 1},
                              {INT64_MIN, INT64_MAX - 1}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int32_t size = 1; size <= 40; size += 3) {
      int64_t lower = cases[c][0], upper = cases[c][1], next = lower;
      for (int32_t member = 0; member < size; member++) {
        portable_team team = {.size = size, .member = member};
        int64_t from, to;
        portable_inner_range(&team, lower, upper, &from, &to);
        if (upper < lower) {
          CHECK(to < from);
        } else {
          CHECK(from == next && to + 1 >= from);
          next = to + 1;
        }
      }
      CHECK(upper < lower || next == upper + 1);
    }
}

/* ---- errors ---- */

static void fails(const portable_team *team, void *args) {
  atomic_fetch_add((_Atomic int *)args, 1);
  if (team->index[0] == 3) portable_kernel_fail(team->tile, 42, "team three");
}

static void bad_inner(const portable_team *team, void *args) {
  const portable_bounds *b = args;
  portable_parallel_inner(team, b, add_tile, NULL);
}

static void test_errors(void) {
  portable_bounds b = portable_bounds_1(1000), bad = b, none = portable_bounds_1(0);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  _Atomic int calls = 0;
  CHECK_STATUS(portable_parallel_outer("e", &b, NULL, NULL, 0, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_outer 'e': the kernel is NULL");
  CHECK_STATUS(portable_parallel_outer("e", &b, fails, NULL, 8, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_outer 'e': args is NULL");
  CHECK_STATUS(portable_parallel_outer("e", NULL, fails, NULL, 0, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_outer 'e': bounds is NULL");
  CHECK_STATUS(portable_parallel_outer("e", &b, fails, &calls, 0, PORTABLE_SCRATCH_MAX + 1, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("67108865 bytes of scratch");
  CHECK_TEXT("at most 67108864");
  config.struct_size = 1000000;
  CHECK_STATUS(portable_parallel_outer("e", &b, fails, &calls, 0, 0, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("struct_size is 1000000");
  bad.stride[0] = 0;
  CHECK_STATUS(portable_parallel_outer(NULL, &bad, fails, &calls, 0, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_outer 'unlabelled': the stride of dimension 1 is 0");
  CHECK_STATUS(portable_parallel_outer("e", &none, fails, &calls, 0, 100, NULL), PORTABLE_OK);
  CHECK(calls == 0);
  config = (portable_launch_config)PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_device_find("serial", &config.device), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("e", &b, fails, &calls, 0, 100, &config), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_outer 'e': the kernel failed with code 42: team three");
  CHECK(calls == 4); /* one tile, whose further iterations were left out */
  CHECK_STATUS(portable_parallel_outer("e", &b, bad_inner, &bad, 0, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_inner: a stride of the inner bounds is below 1");
  bad.stride[0] = 2;
  CHECK_STATUS(portable_parallel_outer("e", &b, bad_inner, &bad, 0, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_inner: a stride of the inner bounds is not 1");
  memset(&bad, 0, sizeof bad);
  CHECK_STATUS(portable_parallel_outer("e", &b, bad_inner, &bad, 0, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("not made by portable_bounds_make");
}

/* The block is copied, however large. */
struct large {
  int64_t value[1000];
};

static void reads(const portable_team *team, void *args) {
  const struct large *l = args;
  if (l->value[team->index[0]] != team->index[0] || (uintptr_t)l % 16 != 0) portable_kernel_fail(team->tile, 1, "not the block");
}

static void test_block(void) {
  struct large l;
  for (int i = 0; i < 1000; i++) l.value[i] = i;
  portable_bounds b = portable_bounds_1(1000), few = portable_bounds_1(10);
  CHECK_STATUS(portable_parallel_outer("block", &b, reads, &l, sizeof l, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_outer("block", &few, reads, &l, 10 * sizeof(int64_t), 0, NULL), PORTABLE_OK);
}

int main(void) {
  portable_bounds b = portable_bounds_1(1);
  _Atomic int calls = 0;
  CHECK_STATUS(portable_parallel_outer("early", &b, fails, &calls, 0, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_parallel_outer: the library does not run");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_spaces();
  test_scratch(0);
  test_scratch(1);
  test_inside_launch();
  test_inner();
  test_ranges();
  test_errors();
  test_block();
  return check_end();
}
