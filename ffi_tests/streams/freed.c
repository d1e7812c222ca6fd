/* freed.c - for AddressSanitizer and valgrind: a block that is freed while a stream still writes there is reported by neither, and one that
 * is written after that is. With an argument: that. */
#define _GNU_SOURCE
#include "streams.h"

enum { N = 1000 };

static void slow(const portable_tile *t, void *args) {
  struct timespec pause = {0, 2000000};
  int64_t *x = *(int64_t **)args;
  nanosleep(&pause, NULL);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] = i;
}

static void frees(portable_status status, void *payload) {
  (void)status;
  CHECK_STATUS(portable_free(payload), PORTABLE_OK);
}

int main(int argc, char **argv) {
  int64_t *x = NULL;
  (void)argv;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_stream s = streams_new();
  for (int round = 0; round < 20; round++) {
    CHECK_STATUS(portable_alloc(N * sizeof *x, "x", (void **)&x), PORTABLE_OK);
    CHECK_STATUS(portable_add_stream_dependency(x, s), PORTABLE_OK);
    CHECK_STATUS(streams_launch(s, N, slow, &x, sizeof x), PORTABLE_OK);
    if (round % 2) {
      CHECK_STATUS(portable_free(x), PORTABLE_OK);
    } else {
      CHECK_STATUS(portable_stream_call(s, frees, x), PORTABLE_OK);
      CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    }
  }
  if (argc > 1) streams_launch(s, N, slow, &x, sizeof x); /* too late */
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return check_end();
}
