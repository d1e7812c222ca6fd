/* launches.c - operations on arrays as launches: in streams, inside kernels, seen by hooks under their labels, without elements, on
 * arrays that all threads work on, with values larger than an argument block. Not in this file: each operation (model.c). */
#include "check.h"

#include <math.h>
#include <time.h>

enum { MANY = 300000 };

static double *a, *b, *c;
static const int64_t many[1] = {MANY};
static int64_t seen;
static char label[64];

static void heard(const portable_hook_event *event, void *context) {
  (void)context;
  seen++;
  snprintf(label, sizeof label, "%s", event->label);
}

static void slow(const portable_tile *tile, void *args) {
  const struct timespec pause = {0, 20000000};
  double *to = *(double **)args;
  nanosleep(&pause, NULL);
  for (int64_t n = tile->lower[0]; n <= tile->upper[0]; n++) to[n] = 2;
}

/* In a stream an operation comes after what was put in before, and its descriptions may be gone by then. */
static void test_stream(void) {
  portable_stream stream;
  portable_bounds one = portable_bounds_1(MANY);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  config.stream = stream;
  for (int n = 0; n < MANY; n++) a[n] = 1, b[n] = n;
  CHECK_STATUS(portable_parallel_for("slow", &one, slow, &a, sizeof a, &config), PORTABLE_OK);
  {
    int64_t extents[1] = {MANY}, strides[1] = {8};
    double scale = 3, large[300];
    portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
    o.launch = &config, o.flags = PORTABLE_ONE_B, o.a_strides = o.result_strides = strides;
    CHECK_STATUS(portable_binary("scale", PORTABLE_BINARY_MULTIPLY, PORTABLE_KIND_REAL64, a, &scale, c, 1, extents, &o), PORTABLE_OK);
    o.flags = 0;
    CHECK_STATUS(portable_binary("add", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, c, b, c, 1, extents, &o), PORTABLE_OK);
    for (int n = 0; n < 300; n++) large[n] = n;
    extents[0] = 10;
    o.result_strides = NULL;
    CHECK_STATUS(portable_fill("large", large, sizeof large, a, 1, extents, &o), PORTABLE_OK);
    scale = -1, extents[0] = strides[0] = 0;
    memset(&o, 0xff, sizeof o);
    memset(large, 0xff, sizeof large);
  }
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
  for (int n = 0; n < MANY; n++) CHECK(c[n] == 6 + n);
  for (int n = 0; n < 3000; n++) CHECK(a[n] == n % 300);
  CHECK(a[3000] == 2);
  /* A division looks at its operands first, after the work before it. */
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  int64_t *i = malloc(MANY * sizeof *i), zero = 0, seven = 7;
  for (int n = 0; n < MANY; n++) i[n] = 0;
  o.launch = &config;
  CHECK_STATUS(portable_fill("sevens", &seven, 8, i, 1, many, &o), PORTABLE_OK);
  CHECK_STATUS(portable_binary("ones", PORTABLE_BINARY_DIVIDE, PORTABLE_KIND_INT64, i, i, i, 1, many, &o), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
  for (int n = 0; n < MANY; n++) CHECK(i[n] == 1);
  o.flags = PORTABLE_ONE_B;
  CHECK_STATUS(portable_binary("none", PORTABLE_BINARY_DIVIDE, PORTABLE_KIND_INT64, i, &zero, i, 1, many, &o), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK); /* it was reported */
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  CHECK_STATUS(portable_fill("gone", &seven, 8, i, 1, many, &o), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("fill 'gone': 0x");
  free(i);
}

static void outer(const portable_tile *tile, void *args) {
  (void)args;
  for (int64_t n = tile->lower[0]; n <= tile->upper[0]; n++) {
    const int64_t part[1] = {MANY / 10};
    double *row = c + n * (MANY / 10);
    if (portable_unary("inner", PORTABLE_UNARY_SQRT, PORTABLE_KIND_REAL64, b + n * (MANY / 10), row, 1, part, NULL) != PORTABLE_OK)
      portable_kernel_fail(tile, 1, portable_last_error());
  }
}

static void test_inside_a_kernel(void) {
  portable_bounds ten = portable_bounds_1(10);
  for (int n = 0; n < MANY; n++) b[n] = n, c[n] = -1;
  CHECK_STATUS(portable_parallel_for("outer", &ten, outer, NULL, 0, NULL), PORTABLE_OK);
  for (int n = 0; n < MANY; n++) CHECK(c[n] == sqrt((double)n));
}

static void test_watched(void) {
  const int64_t none[2] = {0, 5};
  portable_hook hook;
  CHECK_STATUS(portable_hook_add(heard, NULL, PORTABLE_EVENT_LAUNCH_BEGIN, &hook), PORTABLE_OK);
  CHECK_STATUS(portable_unary("root", PORTABLE_UNARY_SQRT, PORTABLE_KIND_REAL64, b, c, 1, many, NULL), PORTABLE_OK);
  CHECK(seen == 1 && !strcmp(label, "root"));
  CHECK_STATUS(portable_binary(NULL, PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, b, b, c, 1, many, NULL), PORTABLE_OK);
  CHECK(seen == 2 && !strcmp(label, "unlabelled"));
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
  /* No element: nothing is looked at. */
  CHECK_STATUS(portable_binary("none", PORTABLE_BINARY_DIVIDE, PORTABLE_KIND_INT32, NULL, NULL, NULL, 2, none, NULL), PORTABLE_OK);
}

int main(void) {
  a = malloc(MANY * sizeof *a), b = malloc(MANY * sizeof *b), c = malloc(MANY * sizeof *c);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_stream();
  test_inside_a_kernel();
  test_watched();
  free(a), free(b), free(c);
  return check_end();
}
