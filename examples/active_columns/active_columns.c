/* active_columns.c - physics of the columns with clouds only: they are packed, computed and put
 * back. A column is a struct, and portable_pack copies whole ones. Compared with the loop that has
 * an `if` inside: the same bits. active_columns [COLUMNS [STEPS]] */
#include <portable.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernels' bodies are in a file of its own, which is compiled here for the host, and is a text here for devices. */
#include "active_columns_kernels.h"
PORTABLE_CUDA_FILE(active_columns_source, "active_columns_kernels.h");

static void done(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "%s\n", portable_last_error());
  exit(1);
}

static portable_kernel kernel(const char *label, const char *entry, portable_kernel_function host) {
  static const portable_argument arguments[] = {
    {"columns", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(columns_block, columns), sizeof(column *)},
    {"cloudy", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(columns_block, cloudy), sizeof(unsigned char *)}};
  portable_kernel made;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.code = active_columns_source;
  code.bytes = active_columns_source_bytes;
  code.entry = entry;
  code.file = "active_columns_kernels.h";
  done(portable_kernel_create(label, sizeof(columns_block), arguments, 2, &made));
  done(portable_kernel_set_host(made, host));
  done(portable_kernel_set_cuda(made, &code));
  return made;
}

static void *array(size_t bytes, const char *label) {
  void *p;
  done(portable_alloc(bytes, label, &p));
  return p;
}

int main(int argc, char **argv) {
  int64_t n = argc > 1 ? atoll(argv[1]) : 5000, steps = argc > 2 ? atoll(argv[2]) : 10, active = 0;
  size_t bytes = (size_t)n * sizeof(column);
  done(portable_init(NULL));
  column *columns = array(bytes, "columns"), *expected = malloc(bytes), *some = array(bytes, "some columns");
  unsigned char *cloudy = array((size_t)n, "cloudy");
  portable_kernel look = kernel("look for clouds", "look_for_clouds", look_for_clouds), rains = kernel("rain", "rain", rain);
  if (!expected) return 1;
  for (int64_t i = 0; i < n; i++) {
    columns[i].rain = 0;
    for (int l = 0; l < LEVELS; l++) {
      columns[i].heat[l] = 0.01 * (double)(i % 37 + l % 5);
      columns[i].water[l] = 0.02 * (double)(i * i % 41) + 0.001 * l;
    }
  }
  memcpy(expected, columns, bytes);
  for (int64_t step = 0; step < steps; step++)
    for (int64_t i = 0; i < n; i++)
      if (is_cloudy(&expected[i])) rain_out(&expected[i]);
  for (int64_t step = 0; step < steps; step++) {
    portable_bounds all = portable_bounds_1(n);
    columns_block block = {columns, cloudy};
    done(portable_launch(look, &all, &block, NULL));
    done(portable_pack("pack columns", sizeof *columns, columns, 1, &n, PORTABLE_KIND_LOGICAL8, cloudy, NULL, some, n, &active));
    portable_bounds few = portable_bounds_1(active);
    block.columns = some;
    done(portable_launch(rains, &few, &block, NULL));
    done(portable_unpack("unpack columns", sizeof *columns, some, active, 1, &n, PORTABLE_KIND_LOGICAL8, cloudy, NULL, columns, NULL));
  }
  done(portable_fence());
  printf("active columns: %lld of %lld in the last step\n", (long long)active, (long long)n);
  int differs = memcmp(columns, expected, bytes) != 0;
  if (differs) fprintf(stderr, "active_columns: the columns differ\n");
  free(expected);
  done(portable_kernel_destroy(rains));
  done(portable_kernel_destroy(look));
  done(portable_free(cloudy));
  done(portable_free(some));
  done(portable_free(columns));
  done(portable_finalize());
  return differs;
}
