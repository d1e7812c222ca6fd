/* race.c WHAT - for ThreadSanitizer. clean: kernels of two streams that an event, a fence, a query or a callback orders, and a host that
 * reads what they wrote. neighbours: the same without the event, so two streams write one array at once. run_race.sh says
 * what the tool must find. */
#include "streams.h"

enum { N = 1000 };

static int64_t x[N];

static void writes(const portable_tile *t, void *args) {
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] += *(int64_t *)args; /* neighbours */
}

static int64_t total;

static void sums(portable_status status, void *payload) {
  (void)payload;
  for (int i = 0; i < N && status == PORTABLE_OK; i++) total += x[i];
}

static void host_reads(int64_t expected) {
  for (int i = 0; i < N; i++) CHECK(x[i] == expected);
}

int main(int argc, char **argv) {
  int clean = argc < 2 || strcmp(argv[1], "clean") == 0;
  int64_t one = 1;
  int32_t done = 0;
  portable_event e = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_stream s = streams_new(), t = streams_new();
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  for (int round = 0; round < 50; round++) {
    CHECK_STATUS(streams_launch(s, N, writes, &one, sizeof one), PORTABLE_OK);
    if (clean) {
      CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
      CHECK_STATUS(portable_stream_wait_event(t, e), PORTABLE_OK);
    }
    CHECK_STATUS(streams_launch(t, N, writes, &one, sizeof one), PORTABLE_OK);
    if (!clean) {
      portable_fence();
      continue;
    }
    CHECK_STATUS(portable_stream_call(t, sums, NULL), PORTABLE_OK);
    switch (round % 4) {
      case 0: CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK); break;
      case 1: CHECK_STATUS(portable_fence(), PORTABLE_OK); break;
      case 2:
        CHECK_STATUS(portable_event_record(e, t), PORTABLE_OK);
        CHECK_STATUS(portable_event_wait(e), PORTABLE_OK);
        break;
      default:
        do CHECK_STATUS(portable_stream_query(t, &done), PORTABLE_OK);
        while (!done);
    }
    host_reads(2 * round + 2);
    for (int i = 0; i < N; i++) x[i] += 0;
  }
  if (clean) CHECK(total == (int64_t)N * 50 * 51);
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  return check_end();
}
