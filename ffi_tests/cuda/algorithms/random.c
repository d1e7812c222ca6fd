/* random.c - arrays of random numbers on a cuda device have the bits of single calls: kinds, distributions, cells, ranks, strides, elements that are not
 * aligned, streams, on memory that the host cannot access. Not in this file: the host's own fills (ffi_tests/random). */
#include <portable_random.h>

#include "algorithms.h"

enum { MOST = 5000, ROOM = MOST * 8 + 64 };
static char *there, here[ROOM], wanted[ROOM];

/* Strides in elements; the first element is `at` bytes into the memory. */
static void compare(int32_t kind, int32_t distribution, int32_t order, int32_t rank, const int64_t *extents, const int64_t *strides, int64_t at, int64_t first,
                    portable_stream stream) {
  const portable_random_key key = portable_random_key_make(2026, first, rank);
  const int64_t bytes = kind_bytes[kind];
  portable_launch_config launch = on_device;
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  int64_t in_bytes[8], index[8] = {0}, count = 1;
  memset(wanted, 0x55, sizeof wanted);
  copy_there(there, wanted, ROOM);
  for (int32_t d = 0; d < rank; d++) in_bytes[d] = strides[d] * bytes, count *= extents[d];
  o.order = order, o.distribution = distribution, o.draw = 11, o.first = first, o.strides = in_bytes, o.launch = &launch;
  launch.stream = stream;
  for (int64_t n = 0; n < count; n++) {
    const double x = distribution == PORTABLE_RANDOM_NORMAL ? portable_random_normal(key, first + n, 11) : portable_random_real64(key, first + n, 11);
    const float y = distribution == PORTABLE_RANDOM_NORMAL ? (float)x : portable_random_real32(key, first + n, 11);
    int64_t place = at;
    for (int32_t d = 0; d < rank; d++) place += index[d] * in_bytes[d];
    memcpy(wanted + place, bytes == 4 ? (const void *)&y : (const void *)&x, (size_t)bytes);
    for (int32_t k = 0; k < rank; k++) {
      const int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
  CHECK_STATUS(portable_random_fill("compare", kind, key, there + at, rank, extents, &o), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  copy_there(here, there, ROOM);
  if (memcmp(here, wanted, sizeof here) != 0 && check_failures++ < 20)
    printf("kind %d, distribution %d, order %d, rank %d, first %lld: other bits\n", kind, distribution, order, rank, (long long)first);
}

int main(void) {
  static const int64_t firsts[] = {0, 1, -3, ((int64_t)1 << 33) - 77, INT64_MIN, INT64_MAX - MOST}, counts[] = {1, 2, 3, 256, 511, MOST};
  const int64_t one = 1, back = -1, two = 2, half = MOST / 2, box[3] = {9, 10, 11}, strides[3] = {-330, 33, 3}, inner[3] = {110, 11, 1};
  portable_pool pool;
  portable_stream stream = 0;
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, ROOM, "there", (void **)&there), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(on_device.device, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  for (int f = 0; f < 6; f++)
    for (int32_t kind = PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++)
      for (int32_t distribution = 0; distribution < 2; distribution++) {
        for (int c = 0; c < 6; c++) compare(kind, distribution, 0, 1, &counts[c], &one, 8 * (c % 2), firsts[f], c % 2 ? stream : 0);
        compare(kind, distribution, 0, 1, &half, &two, 16, firsts[f], 0);
        compare(kind, distribution, 0, 1, &half, &back, 8 * half, firsts[f], 0);
        compare(kind, distribution, 0, 1, &half, &one, 3, firsts[f], stream); /* not aligned */
        for (int32_t order = 0; order < 2; order++) {
          compare(kind, distribution, order, 3, box, strides, 8 * 330 * 8 + 8, firsts[f], 0);
          compare(kind, distribution, order, 3, box, inner, 16, firsts[f], stream);
        }
      }
  const int64_t none = 0;
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  o.launch = &on_device;
  CHECK_STATUS(portable_random_fill("none", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), NULL, 1, &none, &o), PORTABLE_OK);
  /* The host cannot fill the memory of a device. */
  o.launch = &on_host;
  CHECK_STATUS(portable_random_fill("far", PORTABLE_KIND_REAL64, portable_random_key_make(1, 2, 3), there, 1, &half, &o), PORTABLE_ERR_POINTER);
  CHECK_TEXT("random_fill 'far'");
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  portable_pool_free(pool, there);
  return check_end();
}
