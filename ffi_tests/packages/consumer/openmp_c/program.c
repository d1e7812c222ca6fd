/* Kernels on the program's own OpenMP threads, which know their own variables. */
#include <portable.h>
#include <stdio.h>

static int table;
#pragma omp threadprivate(table)
static int column[100];

static void columns(const portable_tile *t, void *args) {
  int64_t i;
  (void)args;
  for (i = t->lower[0]; i <= t->upper[0]; i++) column[i] = (int)i * table;
}

int main(void) {
  portable_bounds bounds = portable_bounds_1(100);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  int i;
  if (portable_init(NULL) != 0 || portable_device_find("openmp", &config.device) != 0) {
    fprintf(stderr, "%s\n", portable_last_error());
    return 1;
  }
#pragma omp parallel
  table = 2;
  if (portable_parallel_for("columns", &bounds, columns, NULL, 0, &config) != 0) return 2;
  for (i = 0; i < 100; i++)
    if (column[i] != 2 * i) return 3;
  if (portable_finalize() != 0) return 4;
  printf("program works\n");
  return 0;
}
