/* files.c - blocks and a launch, for the tests about files and variables: files [BLOCKS [LABEL]]. One block of LABEL is left, so that the end lists it.
 * Prints each call that fails, and "the end"; exits with 0 if none failed. */
#include "portable.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

static int failures;

static void tell(const char *call, portable_status status) {
  if (status == PORTABLE_OK) return;
  failures++;
  fprintf(stderr, "%s: %s: %s\n", call, portable_status_name(status), portable_last_error());
}

static void fill(const portable_tile *tile, void *arguments) {
  double *x = *(double **)arguments;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) x[i] = (double)i;
}

int main(int argc, char **argv) {
  const int64_t n = 1000;
  const portable_bounds bounds = portable_bounds_1(n);
  const char *label = argc > 2 ? argv[2] : "block";
  void *x = NULL;
  tell("portable_init", portable_init(NULL));
  for (long i = argc > 1 ? atol(argv[1]) : 1; i > 0 && failures == 0; i--) {
    tell("portable_alloc", portable_alloc((size_t)(n + 1) * sizeof(double), label, &x));
    if (i == 1 && x) tell("portable_parallel_for", portable_parallel_for(label, &bounds, fill, &x, sizeof x, NULL));
    if (x && (i > 1 || argc < 3)) tell("portable_free", portable_free(x));
  }
  if (argc > 2 && portable_free((char *)x + 8) == PORTABLE_OK) failures++; /* its text has the label */
  if (argc > 2) fprintf(stderr, "error: %s\n", portable_last_error());
  tell("portable_finalize", portable_finalize());
  fprintf(stderr, "the end, AT_SECURE is %lu\n", getauxval(AT_SECURE));
  return failures != 0;
}
