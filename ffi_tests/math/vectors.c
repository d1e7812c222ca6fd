/* vectors.c - the time of a call of libm's functions in loops that the compiler makes vectors of (libmvec), for the table of docs/fortran/math.md.
 * The build compiles this file with -O3 -ffast-math. Not in this file: the functions of the library (oracle.c). */
#include "vectors.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define MANY 1024

double vector_results[MANY]; /* not static, so that no compiler finds them unused */
static double x[MANY], y[MANY];

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define LOOP(name, call)                          \
  static __attribute__((noinline)) void name##_loop(void) { \
    for (int i = 0; i < MANY; i++) vector_results[i] = call;   \
  }
#define ONE(name) LOOP(name, name(x[i]))
ONE(exp) ONE(log) ONE(log10) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(erf) ONE(erfc)
LOOP(pow, pow(x[i], y[i])) LOOP(atan2, atan2(x[i], y[i])) LOOP(hypot, hypot(x[i], y[i]))

double vector_time(const char *name, double lower, double upper) {
#define ROW(name) {#name, name##_loop},
  static const struct {
    const char *name;
    void (*loop)(void);
  } rows[] = {ROW(exp) ROW(log) ROW(log10) ROW(sin) ROW(cos) ROW(tan) ROW(asin) ROW(acos) ROW(atan) ROW(sinh) ROW(cosh) ROW(tanh) ROW(asinh) ROW(acosh) ROW(atanh) ROW(erf) ROW(erfc)
              ROW(pow) ROW(atan2) ROW(hypot)};
  for (int i = 0; i < MANY; i++) {
    x[i] = lower + i * (upper - lower) / MANY;
    y[i] = 1.3;
  }
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    double best = 1;
    if (strcmp(rows[r].name, name)) continue;
    for (int k = 0; k < 60; k++) {
      const double begin = seconds();
      rows[r].loop();
      const double took = seconds() - begin;
      if (took < best) best = took;
    }
    return best * 1e9 / MANY;
  }
  return 0;
}
