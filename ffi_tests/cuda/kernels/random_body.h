/* random_body.h - a kernel with random numbers of each kind, for the host and the device (random.c). */
#include <portable_device.h>
#include <portable_random.h>

typedef struct random_args {
  portable_random_key key;
  int64_t first;
  double *uniform, *normal;
  float *small;
  int64_t *whole;
  uint32_t *known; /* [3][4]: the known answers of Random123 */
} random_args;

PORTABLE_KERNEL(random_numbers, random_args, a) {
  PORTABLE_FOR_1(i) {
    const int64_t cell = a->first + i;
    a->uniform[i] = portable_random_real64(a->key, cell, 1);
    a->normal[i] = portable_random_normal(a->key, cell, 2);
    a->small[i] = portable_random_real32(a->key, cell, 3);
    if (i < 3) {
      portable_random_block c = {{0, 0, 0, 0}};
      uint32_t k0 = 0, k1 = 0;
      int k;
      if (i == 1) c.word[0] = c.word[1] = c.word[2] = c.word[3] = k0 = k1 = 0xFFFFFFFFu;
      if (i == 2) c.word[0] = 0x243f6a88u, c.word[1] = 0x85a308d3u, c.word[2] = 0x13198a2eu, c.word[3] = 0x03707344u, k0 = 0xa4093822u, k1 = 0x299f31d0u;
      c = portable_random_philox4x32(c, k0, k1);
      for (k = 0; k < 4; k++) a->known[4 * i + k] = c.word[k];
    }
    a->whole[i] = portable_random_int64(a->key, cell, 4, -5, (int64_t)1 << 62);
  }
}
