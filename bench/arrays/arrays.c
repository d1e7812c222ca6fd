/* arrays.c - the cost of arrays that know their shape: making and dropping one, a view, one more
 * holder; compared with malloc and free of the same bytes. Not in this file: their contents. usage:
 * bench_arrays portable|malloc pairs [N]. Prints name, value and unit, a line each; with N it does
 * an Nth of the work. */
#include "../pool/allocators.h"

enum { AT_ONCE = 100 };

static long part = 1;
static const int64_t extents[3] = {20, 10, 50};
static portable_array array;

static void fail(void) {
  fprintf(stderr, "bench_arrays: %s\n", portable_last_error());
  exit(1);
}

static void create(void) {
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.order = PORTABLE_ORDER_FORTRAN;
  if (portable_array_create("work", PORTABLE_KIND_REAL64, 0, 3, extents, &config, &a) != PORTABLE_OK) fail();
  if (portable_array_release(&a) != PORTABLE_OK) fail();
}

static void slice(void) {
  const portable_array_range ranges[3] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE(2, 5), PORTABLE_RANGE_INDEX(3)};
  portable_array view;
  if (portable_array_slice(&array, ranges, &view) != PORTABLE_OK || portable_array_release(&view) != PORTABLE_OK) fail();
}

static void retain(void) {
  portable_array more = array;
  if (portable_array_retain(&more) != PORTABLE_OK || portable_array_release(&more) != PORTABLE_OK) fail();
}

static void plain(void) {
  char *volatile p = malloc(80000);
  if (!p) fail();
  free(p);
}

/* In pieces of some 10 us, of which the best counts: a piece that the system did not interrupt. */
static void measure(const char *name, void (*pair)(void)) {
  double best = 1e300;
  pause_50ms();
  for (long n = 0; n < 20000 / part; n++) {
    double t = now();
    for (int i = 0; i < AT_ONCE; i++) pair();
    t = (now() - t) / AT_ONCE;
    if (t < best) best = t;
  }
  result(name, best, "ns/pair");
}

int main(int argc, char **argv) {
  if (argc < 3 || strcmp(argv[2], "pairs") != 0) {
    fprintf(stderr, "usage: bench_arrays portable|malloc pairs [N]\n");
    return 2;
  }
  if (argc > 3) part = atol(argv[3]) > 0 ? atol(argv[3]) : 1;
  if (!strcmp(argv[1], "malloc")) {
    measure("array of 80000 bytes: create and release", plain);
    return 0;
  }
  if (portable_init(NULL) != PORTABLE_OK ||
      portable_array_create("whole", PORTABLE_KIND_REAL64, 0, 3, extents, NULL, &array) != PORTABLE_OK)
    fail();
  measure("array of 80000 bytes: create and release", create);
  measure("array: slice and release", slice);
  measure("array: retain and release", retain);
  portable_array_release(&array);
  return portable_finalize();
}
