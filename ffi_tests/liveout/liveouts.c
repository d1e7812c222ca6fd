/* liveouts.c - live-outs of every kind, written on the host, by kernels and by reductions; what a reduction refuses; and that a
 * failed one changes nothing. Not in this file: what reductions give (reductions.c). */
#include "check.h"

#define KINDS(X) \
  X(int8_t, PORTABLE_KIND_INT8) X(int16_t, PORTABLE_KIND_INT16) X(int32_t, PORTABLE_KIND_INT32) X(int64_t, PORTABLE_KIND_INT64) \
  X(float, PORTABLE_KIND_REAL32) X(double, PORTABLE_KIND_REAL64) X(uint8_t, PORTABLE_KIND_LOGICAL8) X(uint16_t, PORTABLE_KIND_LOGICAL16) \
  X(uint32_t, PORTABLE_KIND_LOGICAL32) X(uint64_t, PORTABLE_KIND_LOGICAL64)

static void test_kinds(void) {
#define KIND(type, kind)                                                                 \
  {                                                                                      \
    portable_liveout l = 0;                                                              \
    type one = 1, seven = 7, found = 3;                                                  \
    CHECK_STATUS(portable_liveout_create("kind", kind, &seven, &l), PORTABLE_OK);        \
    CHECK_STATUS(portable_liveout_host_read(l, kind, &found), PORTABLE_OK);              \
    CHECK(found == 7);                                                                   \
    CHECK_STATUS(portable_liveout_host_write(l, kind, &one), PORTABLE_OK);               \
    CHECK_STATUS(portable_liveout_host_read(l, kind, &found), PORTABLE_OK);              \
    CHECK(found == 1);                                                                   \
    CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);                              \
    CHECK_STATUS(portable_liveout_create(NULL, kind, NULL, &l), PORTABLE_OK);            \
    CHECK_STATUS(portable_liveout_host_read(l, kind, &found), PORTABLE_OK);              \
    CHECK(found == 0);                                                                   \
    CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);                              \
  }
  KINDS(KIND)
  portable_liveout l = 0;
  const double z[] = {1, -2};
  double found[2] = {0, 0};
  float small[2] = {3, 4}, small_found[2];
  CHECK_STATUS(portable_liveout_create("complex", PORTABLE_KIND_COMPLEX64, z, &l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read(l, PORTABLE_KIND_COMPLEX64, found), PORTABLE_OK);
  CHECK(found[0] == 1 && found[1] == -2);
  CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_create("complex", PORTABLE_KIND_COMPLEX32, small, &l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read(l, PORTABLE_KIND_COMPLEX32, small_found), PORTABLE_OK);
  CHECK(small_found[0] == 3 && small_found[1] == 4);
  CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);
}

static void test_typed(void) {
  portable_liveout l[4] = {0};
  int32_t i32 = 0;
  int64_t i64 = 0;
  float r32 = 0;
  double r64 = 0;
  const int32_t kinds[] = {PORTABLE_KIND_INT32, PORTABLE_KIND_INT64, PORTABLE_KIND_REAL32, PORTABLE_KIND_REAL64};
  for (int k = 0; k < 4; k++) CHECK_STATUS(portable_liveout_create("typed", kinds[k], NULL, &l[k]), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_write_int32(l[0], -32), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_write_int64(l[1], -64), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_write_real32(l[2], 0.5f), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_write_real64(l[3], 0.25), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_int32(l[0], &i32), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_int64(l[1], &i64), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_real32(l[2], &r32), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_real64(l[3], &r64), PORTABLE_OK);
  CHECK(i32 == -32 && i64 == -64 && r32 == 0.5f && r64 == 0.25);
  CHECK_STATUS(portable_liveout_host_read_real64(l[2], &r64), PORTABLE_ERR_ARG);
  CHECK_TEXT("the live-out is of the kind real32, not real64");
  for (int k = 0; k < 4; k++) CHECK_STATUS(portable_liveout_destroy(l[k]), PORTABLE_OK);
}

/* ---- kernels and reductions ---- */

struct write_once {
  double *to;
  int64_t at;
};

static void writes(const portable_tile *t, void *args) {
  const struct write_once *w = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (i == w->at) *w->to = (double)i;
}

static void adds(const portable_tile *t, void *args, void *const *partial) {
  double *s = partial[0];
  int64_t *n = partial[1];
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) *s += (double)i, ++*n;
}

static void inside(const portable_tile *t, void *args) {
  double found = 0;
  (void)t;
  CHECK_STATUS(portable_liveout_host_read_real64(*(portable_liveout *)args, &found), PORTABLE_OK);
  CHECK(found == 3.5);
}

static void test_launches(void) {
  portable_liveout l = 0, count = 0;
  struct write_once w = {NULL, 777};
  void *address = NULL;
  double found = 0;
  int64_t n = 0;
  portable_bounds b = portable_bounds_1(1000);
  CHECK_STATUS(portable_liveout_create("dt", PORTABLE_KIND_REAL64, NULL, &l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_create("n", PORTABLE_KIND_INT64, NULL, &count), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_pointer(l, PORTABLE_KIND_REAL64, &address), PORTABLE_OK);
  w.to = address;
  CHECK((uintptr_t)address % 64 == 0);
  CHECK_STATUS(portable_parallel_for("writes", &b, writes, &w, sizeof w, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_real64(l, &found), PORTABLE_OK);
  CHECK(found == 777);
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, NULL),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, NULL)};
  r[0].liveout = l;
  r[1].liveout = count;
  r[0].flags = PORTABLE_REDUCE_INTO;
  CHECK_STATUS(portable_parallel_reduce("adds", &b, adds, NULL, 0, r, 2, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_real64(l, &found), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_int64(count, &n), PORTABLE_OK);
  CHECK(found == 777 + 999 * 500 && n == 1000);
  CHECK_STATUS(portable_liveout_host_write_real64(l, 3.5), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("inside", &b, inside, &l, sizeof l, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_destroy(count), PORTABLE_OK);
}

/* ---- what is refused ---- */

static void fails(const portable_tile *t, void *args, void *const *partial) {
  (void)args;
  *(double *)partial[0] = 1;
  if (t->upper[0] >= 70) portable_kernel_fail(t, 42, "the depth is negative");
}

static void one_more(const portable_tile *t, void *args, void *const *partial) {
  (void)t, (void)args;
  *(int64_t *)partial[0] += INT32_MAX;
  *(double *)partial[1] = 5;
}

static void combine(void *into, const void *from, void *context) { (void)into, (void)from, (void)context; }

/* The reduction `change` of a good one is refused with that status and text, and the destination stays. */
#define REFUSED(status, text, change)                                                                    \
  {                                                                                                      \
    double to = 8;                                                                                       \
    portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &to);           \
    change;                                                                                              \
    CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, &r, 1, NULL), status);              \
    CHECK_TEXT("parallel_reduce 'step': result 0: " text);                                               \
    CHECK(to == 8);                                                                                      \
  }

static void test_refusals(void) {
  portable_bounds b = portable_bounds_1(100);
  portable_liveout l = 0, stale = 0;
  double to[2] = {8, 8};
  portable_reduction good[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &to[0]),
                               PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &to[1])};
  CHECK_STATUS(portable_liveout_create("f", PORTABLE_KIND_REAL32, NULL, &l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_create("stale", PORTABLE_KIND_REAL64, NULL, &stale), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_destroy(stale), PORTABLE_OK);
  REFUSED(PORTABLE_ERR_ARG, "there is no any of real64", r.operation = PORTABLE_REDUCE_ANY)
  REFUSED(PORTABLE_ERR_ARG, "there is no min of complex64", (r.operation = PORTABLE_REDUCE_MIN, r.kind = PORTABLE_KIND_COMPLEX64))
  REFUSED(PORTABLE_ERR_ARG, "there is no sum of logical32", r.kind = PORTABLE_KIND_LOGICAL32)
  REFUSED(PORTABLE_ERR_ARG, "operation 0 of kind 6; they are one of PORTABLE_REDUCE_...", r.operation = 0)
  REFUSED(PORTABLE_ERR_ARG, "operation 1 of kind 99; they are one of PORTABLE_REDUCE_...", r.kind = 99)
  REFUSED(PORTABLE_ERR_ARG, "there is no count of real64", r.operation = PORTABLE_REDUCE_COUNT)
  REFUSED(PORTABLE_ERR_ARG, "it has no destination", r.to = NULL)
  REFUSED(PORTABLE_ERR_ARG, "it has two destinations", r.liveout = l)
  REFUSED(PORTABLE_ERR_ARG, "parallel_reduce: the live-out is of the kind real32, not real64", (r.to = NULL, r.liveout = l))
  REFUSED(PORTABLE_ERR_HANDLE, "parallel_reduce: 0xe", (r.to = NULL, r.liveout = stale))
  REFUSED(PORTABLE_ERR_HANDLE, "parallel_reduce: 0x3039 is not a live-out", (r.to = NULL, r.liveout = 12345))
  REFUSED(PORTABLE_ERR_ARG, "it cannot be left in a live-out", (r.to = NULL, r.liveout = l, r.operation = PORTABLE_REDUCE_MINLOC))
  REFUSED(PORTABLE_ERR_ARG, "flags is 0x40", r.flags = 64)
  REFUSED(PORTABLE_ERR_ARG, "product of real64 is not available exactly", (r.operation = PORTABLE_REDUCE_PRODUCT, r.flags = PORTABLE_REDUCE_EXACT))
  REFUSED(PORTABLE_ERR_ARG, "sum of int32 is not available exactly", (r.kind = PORTABLE_KIND_INT32, r.flags = PORTABLE_REDUCE_EXACT))
  REFUSED(PORTABLE_ERR_ARG, "struct_size is 7", r.struct_size = 7)
  REFUSED(PORTABLE_ERR_ARG, "a user's operation has the kind 0", r.operation = PORTABLE_REDUCE_USER)
  REFUSED(PORTABLE_ERR_ARG, "combine is NULL", (r.operation = PORTABLE_REDUCE_USER, r.kind = 0, r.bytes = 8))
  REFUSED(PORTABLE_ERR_ARG, "bytes is 0; it is 1 to 65536", (r.operation = PORTABLE_REDUCE_USER, r.kind = 0, r.combine = combine))
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, good, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_reduce 'step': there are 0 results; there can be 1 to 64");
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, good, 65, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, NULL, 1, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("results is NULL");
  CHECK_STATUS(portable_parallel_reduce("step", &b, NULL, NULL, 0, good, 1, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("the kernel is NULL");
  CHECK_STATUS(portable_parallel_reduce("step", NULL, adds, NULL, 0, good, 1, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_reduce 'step': bounds is NULL");
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 4, good, 1, NULL), PORTABLE_ERR_ARG);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = 99;
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, good, 1, &config), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("parallel_reduce 'step': there is no device 99");
  config.device = 0;
  config.tile[0] = -1;
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, good, 1, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_reduce 'step': the tile has -1 iterations in dimension 1; it has");
  config.tile[0] = 0;
  config.schedule = -1;
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, good, 1, &config), PORTABLE_ERR_ARG);
  CHECK_TEXT("parallel_reduce 'step': there is no schedule -1; there are");
  /* More exact sums than there are places for. */
  portable_reduction many[17];
  for (int i = 0; i < 17; i++) many[i] = good[0], many[i].flags = PORTABLE_REDUCE_EXACT;
  CHECK_STATUS(portable_parallel_reduce("step", &b, adds, NULL, 0, many, 17, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("result 16: there are more than 16 exact sums");
  /* A kernel that fails, and a count that does not fit: nothing is changed. */
  CHECK_STATUS(portable_parallel_reduce("depth", &b, fails, NULL, 0, good, 2, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_reduce 'depth': the kernel failed with code 42: the depth is negative");
  int32_t few = 8;
  portable_reduction counts[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT32, &few), good[0]};
  CHECK_STATUS(portable_parallel_reduce("many", &b, one_more, NULL, 0, counts, 2, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("result 0: the count ");
  CHECK(to[0] == 8 && to[1] == 8 && few == 8);
  /* Live-outs. */
  void *address = to;
  float f = 8;
  CHECK_STATUS(portable_liveout_create("x", PORTABLE_KIND_EXACT, NULL, &stale), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_liveout_create of 'x': there is no kind 13");
  CHECK_STATUS(portable_liveout_create("x", 0, NULL, &stale), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_create("x", PORTABLE_KIND_INT8, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_host_read(l, PORTABLE_KIND_REAL32, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_host_write(l, PORTABLE_KIND_REAL32, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_host_write(l, PORTABLE_KIND_INT32, &f), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_pointer(l, PORTABLE_KIND_REAL64, &address), PORTABLE_ERR_ARG);
  CHECK(address == NULL);
  CHECK_STATUS(portable_liveout_pointer(l, PORTABLE_KIND_REAL32, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_destroy(l), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("is not a live-out, or it was destroyed");
  CHECK_STATUS(portable_liveout_host_read(l, PORTABLE_KIND_REAL32, &f), PORTABLE_ERR_HANDLE);
  CHECK(f == 8);
  CHECK_STATUS(portable_liveout_destroy(0), PORTABLE_OK);
  portable_kernel object = 0;
  CHECK_STATUS(portable_kernel_create("k", 0, NULL, 0, &object), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_destroy(object), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_kernel_destroy(object), PORTABLE_OK);
}

int main(void) {
  portable_bounds b = portable_bounds_1(10);
  portable_liveout left = 0;
  double to = 0;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &to),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, &left)};
  CHECK_STATUS(portable_parallel_reduce("early", &b, adds, NULL, 0, r, 2, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_liveout_create("early", PORTABLE_KIND_REAL64, NULL, &left), PORTABLE_ERR_STATE);
  CHECK(left == 0);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_kinds();
  test_typed();
  test_launches();
  test_refusals();
  /* One that is left over: listed when the library stops (the test of leaks reads that), and no live-out of the next run. */
  CHECK_STATUS(portable_liveout_create("left over", PORTABLE_KIND_REAL64, NULL, &left), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_liveout_host_read_real64(left, &to), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("or the library was stopped since");
  CHECK_STATUS(portable_liveout_destroy(left), PORTABLE_ERR_HANDLE);
  test_kinds();
  return check_end();
}
