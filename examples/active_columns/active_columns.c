/* active_columns.c - physics of the columns that have clouds only, which are packed, worked on and put back: a column is a struct, and
 * portable_pack copies whole ones. Compared with the loop that has an `if` inside: the same bits.
 * active_columns [COLUMNS [STEPS]] */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 40 };

struct column {
  double heat[LEVELS], water[LEVELS], rain;
};

/* A quarter of the water above what the air holds falls as rain, and its heat stays. */
static void rain_out(struct column *c) {
  for (int l = LEVELS - 1; l >= 0; l--) {
    double most = 0.5 + c->heat[l] * (0.25 + 0.125 * c->heat[l]);
    double falling = c->water[l] > most ? 0.25 * (c->water[l] - most) : 0;
    c->heat[l] += 0.5 * falling;
    c->water[l] -= falling;
    c->rain += falling;
  }
}

static unsigned char is_cloudy(const struct column *c) {
  for (int l = 0; l < LEVELS; l++)
    if (c->water[l] > 0.5) return 1;
  return 0;
}

struct block {
  struct column *columns;
  unsigned char *cloudy;
};

static void look_kernel(const portable_tile *t, void *args) {
  const struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->cloudy[i] = is_cloudy(&b->columns[i]);
}

static void rain_kernel(const portable_tile *t, void *args) {
  const struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) rain_out(&b->columns[i]);
}

static void done(portable_status status) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "%s\n", portable_last_error());
  exit(1);
}

int main(int argc, char **argv) {
  int64_t n = argc > 1 ? atoll(argv[1]) : 5000, steps = argc > 2 ? atoll(argv[2]) : 10, active = 0;
  size_t bytes = (size_t)n * sizeof(struct column);
  struct column *columns = malloc(bytes), *expected = malloc(bytes), *some = malloc(bytes);
  unsigned char *cloudy = malloc((size_t)n);
  if (!columns || !expected || !some || !cloudy) return 1;
  for (int64_t i = 0; i < n; i++) {
    columns[i].rain = 0;
    for (int l = 0; l < LEVELS; l++) {
      columns[i].heat[l] = 0.01 * (double)(i % 37 + l % 5);
      columns[i].water[l] = 0.02 * (double)(i * i % 41) + 0.001 * l;
    }
  }
  memcpy(expected, columns, bytes);
  done(portable_init(NULL));
  for (int64_t step = 0; step < steps; step++)
    for (int64_t i = 0; i < n; i++)
      if (is_cloudy(&expected[i])) rain_out(&expected[i]);
  for (int64_t step = 0; step < steps; step++) {
    portable_bounds all = portable_bounds_1(n);
    struct block block = {columns, cloudy};
    done(portable_parallel_for("look for clouds", &all, look_kernel, &block, sizeof block, NULL));
    done(portable_pack("pack columns", sizeof *columns, columns, 1, &n, PORTABLE_KIND_LOGICAL8, cloudy, NULL, some, n, &active));
    portable_bounds few = portable_bounds_1(active);
    block.columns = some;
    done(portable_parallel_for("rain", &few, rain_kernel, &block, sizeof block, NULL));
    done(portable_unpack("unpack columns", sizeof *columns, some, active, 1, &n, PORTABLE_KIND_LOGICAL8, cloudy, NULL, columns, NULL));
  }
  printf("active columns: %lld of %lld in the last step\n", (long long)active, (long long)n);
  int differs = memcmp(columns, expected, bytes) != 0;
  if (differs) fprintf(stderr, "active_columns: the columns differ\n");
  free(columns);
  free(expected);
  free(some);
  free(cloudy);
  done(portable_finalize());
  return differs;
}
