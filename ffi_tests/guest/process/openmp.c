/* openmp.c - the threads of an OpenMP team allocate, and free what others allocated.
 * Not in this file: Fortran (openmp_arrays.f90). */
#include "guest.h"

#include <omp.h>

enum { COUNT = 2000 };

static unsigned char *blocks[COUNT];

int main(void) {
  int round, wrong = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (round = 0; round < 20; round++) {
#pragma omp parallel for reduction(+ : wrong) schedule(static, 1)
    for (int i = 0; i < COUNT; i++) {
      void *p;
      if (portable_alloc(64 + (size_t)i * 13, "team", &p) != 0) wrong++;
      else blocks[i] = p, blocks[i][0] = (unsigned char)i;
    }
    /* the other way round, so that most are freed by another thread */
#pragma omp parallel for reduction(+ : wrong) schedule(dynamic, 3)
    for (int i = COUNT - 1; i >= 0; i--) {
      if (blocks[i][0] != (unsigned char)i) wrong++;
      if (portable_free(blocks[i]) != 0) wrong++;
    }
#pragma omp parallel reduction(+ : wrong)
    {
      wrong += guest_work((unsigned)omp_get_thread_num());
#pragma omp task
      guest_work(77);
    }
  }
  CHECK(wrong == 0);
  printf("%d threads\n", omp_get_max_threads());
  return check_end();
}
