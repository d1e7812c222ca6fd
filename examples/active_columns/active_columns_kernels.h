/* active_columns_kernels.h - the kernels of active_columns.c: one body each, which the host's
 * compiler and the library, for devices, both compile. */
#include <portable_device.h>

#define LEVELS 40

typedef struct column {
  double heat[LEVELS], water[LEVELS], rain;
} column;

/* A quarter of the water above what the air holds falls as rain, and its heat stays. */
PORTABLE_FUNCTION void rain_out(column *c) {
  int l;
  for (l = LEVELS - 1; l >= 0; l--) {
    double most = 0.5 + c->heat[l] * (0.25 + 0.125 * c->heat[l]);
    double falling = c->water[l] > most ? 0.25 * (c->water[l] - most) : 0;
    c->heat[l] += 0.5 * falling;
    c->water[l] -= falling;
    c->rain += falling;
  }
}

PORTABLE_FUNCTION unsigned char is_cloudy(const column *c) {
  int l;
  for (l = 0; l < LEVELS; l++)
    if (c->water[l] > 0.5) return 1;
  return 0;
}

typedef struct columns_block {
  column *columns;
  unsigned char *cloudy;
} columns_block;

PORTABLE_KERNEL(look_for_clouds, columns_block, b) {
  PORTABLE_FOR_1(i) { b->cloudy[i] = is_cloudy(&b->columns[i]); }
}

PORTABLE_KERNEL(rain, columns_block, b) {
  PORTABLE_FOR_1(i) { rain_out(&b->columns[i]); }
}
