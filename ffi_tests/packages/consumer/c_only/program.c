/* A user's first program in C: one array from the pool. In this file: nothing that a user would not write. */
#include <portable.h>
#include <stdio.h>

int main(void) {
  void *p = NULL;
  double *h;
  int i;
  if (portable_init(NULL) != 0 || portable_alloc(100 * sizeof(double), "h", &p) != 0) {
    fprintf(stderr, "%s\n", portable_last_error());
    return 1;
  }
  h = (double *)p;
  for (i = 0; i < 100; i++) h[i] = i;
  if (h[99] != 99.0 || portable_free(p) != 0 || portable_finalize() != 0) return 1;
  printf("program works\n");
  return 0;
}
