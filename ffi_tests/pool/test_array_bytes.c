/* test_array_bytes.c - portable_array_bytes: counts and bounds that fit, and all the ways not to.
 * Not in this file: allocation; nothing here starts the library but the common end. */
#include "check.h"

static portable_status bytes_of(int32_t rank, int64_t n, int64_t lower, int32_t bits, size_t element, size_t *out) {
  int64_t extents[15], bounds[15];
  int i;
  for (i = 0; i < 15; i++) {
    extents[i] = n;
    bounds[i] = lower;
  }
  *out = 77;
  return portable_array_bytes(rank, extents, bounds, bits, element, out);
}

int main(void) {
  const int64_t shape[3] = {10, 20, 30};
  size_t n = 0;

  CHECK_STATUS(portable_array_bytes(3, shape, NULL, 32, 8, &n), PORTABLE_OK);
  CHECK(n == 48000);
  /* Rank 0 is a scalar: one element, no extents. */
  CHECK_STATUS(portable_array_bytes(0, NULL, NULL, 32, 8, &n), PORTABLE_OK);
  CHECK(n == 8);
  CHECK_STATUS(bytes_of(1, 0, 1, 32, 8, &n), PORTABLE_OK);
  CHECK(n == 0);
  CHECK_STATUS(bytes_of(7, 2, -1, 32, 16, &n), PORTABLE_OK);
  CHECK(n == 2048);
  CHECK_STATUS(bytes_of(15, 2, 0, 64, 1, &n), PORTABLE_OK);
  CHECK(n == 32768);

  /* More than 2^31 elements are nothing special; bounds are held in the user's kind. */
  CHECK_STATUS(bytes_of(2, 100000, 1, 32, 8, &n), PORTABLE_OK);
  CHECK(n == (size_t)80000000000);
  CHECK_STATUS(bytes_of(1, 2147483647, 1, 32, 1, &n), PORTABLE_OK);
  CHECK_STATUS(bytes_of(1, 2147483647, 2, 32, 1, &n), PORTABLE_ERR_OVERFLOW);
  CHECK(n == 0);
  CHECK_STATUS(bytes_of(1, 2147483647, 2, 64, 1, &n), PORTABLE_OK);
  CHECK_STATUS(bytes_of(1, 10, INT64_MAX - 3, 64, 1, &n), PORTABLE_ERR_OVERFLOW);
  CHECK(n == 0);
  CHECK_STATUS(bytes_of(3, 3000000000, 1, 64, 8, &n), PORTABLE_ERR_OVERFLOW);
  CHECK(n == 0);
  CHECK_STATUS(bytes_of(1, INT64_MAX, 1, 64, 16, &n), PORTABLE_ERR_OVERFLOW);

  CHECK_STATUS(bytes_of(1, -1, 1, 32, 8, &n), PORTABLE_ERR_ARG);
  CHECK(n == 0);
  CHECK_TEXT("-1");
  CHECK_STATUS(bytes_of(-1, 1, 1, 32, 8, &n), PORTABLE_ERR_ARG);
  CHECK_STATUS(bytes_of(16, 1, 1, 32, 8, &n), PORTABLE_ERR_ARG);
  CHECK_STATUS(bytes_of(1, 1, 1, 32, 0, &n), PORTABLE_ERR_ARG);
  CHECK_STATUS(bytes_of(1, 1, 1, 16, 8, &n), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_bytes(1, NULL, NULL, 32, 8, &n), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_bytes(1, shape, NULL, 32, 8, NULL), PORTABLE_ERR_ARG);
  /* A zero extent anywhere gives nothing, however large the others are. */
  {
    const int64_t mixed[3] = {INT64_MAX, 0, INT64_MAX};
    CHECK_STATUS(portable_array_bytes(3, mixed, NULL, 64, 8, &n), PORTABLE_OK);
    CHECK(n == 0);
  }

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
