/* cfi.c - what cfi.f90 calls in C: arrays out of C descriptors, by portable_cfi.h. */
#include <portable_cfi.h>

double c_sum(const CFI_cdesc_t *x);
double c_sum(const CFI_cdesc_t *x) {
  portable_array a;
  double sum = 0;
  if (portable_array_from_cfi("x", x, NULL, &a) != PORTABLE_OK || a.rank != 2) return -1;
  for (int64_t j = a.lower[1]; j < a.lower[1] + a.extent[1]; j++)
    for (int64_t i = a.lower[0]; i < a.lower[0] + a.extent[0]; i++) sum += *(double *)portable_array_at2(&a, i, j);
  return sum;
}

/* The sum of all bounds. */
int64_t c_bounds(const CFI_cdesc_t *x);
int64_t c_bounds(const CFI_cdesc_t *x) {
  portable_array a;
  int64_t sum = 0;
  if (portable_array_from_cfi(NULL, x, NULL, &a) != PORTABLE_OK) return -1;
  for (int d = 0; d < a.rank; d++) sum += a.lower[d] + a.lower[d] + a.extent[d] - 1;
  return sum - 1; /* 0 + 3 + 2 + 4 - 1 */
}

/* An argument of dimension(..) is no pointer that could be set. */
int32_t c_refuses(CFI_cdesc_t *x);
int32_t c_refuses(CFI_cdesc_t *x) {
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const int64_t lower[2] = {5, 6};
  config.lower = lower;
  if (portable_array_from_cfi("x", x, &config, &a) != PORTABLE_OK || a.lower[1] != 6) return 1;
  if (portable_array_from_cfi("x", x, NULL, NULL) != PORTABLE_ERR_ARG) return 2;
  config.struct_size = 1;
  if (portable_array_from_cfi("x", x, &config, &a) != PORTABLE_ERR_ARG) return 3;
  if (portable_array_from_cfi("x", NULL, NULL, &a) != PORTABLE_ERR_ARG) return 4;
  if (portable_array_from_cfi("x", x, NULL, &a) != PORTABLE_OK || portable_array_to_cfi(&a, NULL) != PORTABLE_ERR_ARG) return 5;
  return portable_array_to_cfi(&a, x);
}
