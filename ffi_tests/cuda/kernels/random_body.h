/* random_body.h - a kernel with random numbers of each kind, for the host and the device (random.c). */
#include <portable_device.h>
#include <portable_random.h>

typedef struct random_args {
  portable_random_key key;
  int64_t first;
  double *uniform, *normal;
  float *small;
  int64_t *whole;
} random_args;

PORTABLE_KERNEL(random_numbers, random_args, a) {
  PORTABLE_FOR_1(i) {
    const int64_t cell = a->first + i;
    a->uniform[i] = portable_random_real64(a->key, cell, 1);
    a->normal[i] = portable_random_normal(a->key, cell, 2);
    a->small[i] = portable_random_real32(a->key, cell, 3);
    a->whole[i] = portable_random_int64(a->key, cell, 4, -5, (int64_t)1 << 62);
  }
}
