/* modes.c - the floating-point environment of streams: kernels and callbacks compute with the modes of the thread that put them in;
 * their exceptions are those of the thread that fences, and of no other. Not in this file: launches without streams
 * (../guest/kernels/modes.c). */
#define _GNU_SOURCE
#include "streams.h"

#include <fenv.h>

enum { N = 64 };

static volatile double one = 1, three = 3, nought = 0;
static int mode[N], traps[N], before[N], called_mode;
static double third[N];

static void compute(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    before[i] = fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT);
    mode[i] = fegetround();
    traps[i] = fegetexcept();
    third[i] = one / three;
  }
}

static void called(portable_status status, void *payload) {
  (void)status;
  (void)payload;
  called_mode = fegetround();
}

static void divides(const portable_tile *t, void *args) {
  (void)args;
  if (t->upper[0] == N - 1) third[N - 1] = one / nought;
}

static void modes(portable_stream s) {
  static const int all[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  for (int k = 0; k < 4; k++) {
    fesetround(all[k]);
    double mine = one / three;
    CHECK_STATUS(streams_launch(s, N, compute, NULL, 0), PORTABLE_OK);
    CHECK_STATUS(portable_stream_call(s, called, NULL), PORTABLE_OK);
    fesetround(FE_TONEAREST); /* what it is later does not matter */
    CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    CHECK(called_mode == all[k]);
    for (int i = 0; i < N; i++) CHECK(mode[i] == all[k] && third[i] == mine);
  }
  feenableexcept(FE_DIVBYZERO);
  const int on = fegetexcept(); /* many processors with aarch64 have no traps */
#if defined(__x86_64__)
  CHECK(on == FE_DIVBYZERO);
#endif
  CHECK_STATUS(streams_launch(s, N, compute, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(fegetexcept() == on);
  fedisableexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < N; i++) CHECK(traps[i] == on);
}

static void flags(portable_stream s) {
  portable_stream t = streams_new();
  int32_t done = 0;
  for (int way = 0; way < 4; way++) {
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_STATUS(streams_launch(s, N, divides, NULL, 0), PORTABLE_OK);
    CHECK_STATUS(streams_launch(s, N, compute, NULL, 0), PORTABLE_OK); /* begins without them */
    CHECK_STATUS(portable_stream_fence(t), PORTABLE_OK);
    while (!done) CHECK_STATUS(portable_stream_query(s, &done), PORTABLE_OK);
    done = 0;
    CHECK(!fetestexcept(FE_DIVBYZERO)); /* not before the fence, and not by that of another stream */
    for (int i = 0; i < N; i++) CHECK(before[i] == 0);
    if (way == 0) CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    if (way == 1) CHECK_STATUS(portable_fence(), PORTABLE_OK);
    if (way == 2) feraiseexcept(FE_OVERFLOW);
    if (way >= 2) CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    CHECK(fetestexcept(FE_DIVBYZERO));
    if (way == 2) CHECK(fetestexcept(FE_OVERFLOW));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    CHECK(!fetestexcept(FE_ALL_EXCEPT)); /* once */
  }
  CHECK_STATUS(streams_launch(t, N, divides, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(t), PORTABLE_OK);
  CHECK(fetestexcept(FE_DIVBYZERO));
  feclearexcept(FE_ALL_EXCEPT);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_stream s = streams_new();
  modes(s);
  flags(s);
  CHECK_STATUS(streams_launch(s, N, divides, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return check_end();
}
