/* checked.h - calls of the library in benchmarks: an error ends the program with its message. */
#ifndef BENCH_CHECKED_H
#define BENCH_CHECKED_H

#include <portable.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "%s\n", portable_last_error());
  exit(1);
}

#endif
