/* fill.c - arrays of random numbers have the bits of single calls: kinds, distributions, ranks, orders, strides, hostile cells, streams, inside a kernel.
 * The argument "traps" does so under traps; a number asks for moments and chi-square of so many alone. Not in this file: refusals (refused.c), CUDA
 * devices (ffi_tests/cuda/algorithms). */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* feenableexcept */
#endif
#include <fenv.h>
#include <inttypes.h>
#include <math.h>

#include <portable_random.h>

#include "check.h"

enum { MOST = 40000, ROOM = MOST + 64 };
static const int64_t firsts[] = {0, 1, -2500, ((int64_t)1 << 33) - 777, INT64_MAX - 2 * MOST, INT64_MIN, -1, 4294967295};

/* The number of a cell by a single call, and its bytes. */
static int single(int32_t kind, int32_t distribution, portable_random_key key, int64_t cell, int32_t draw, char *to) {
  const double x = distribution == PORTABLE_RANDOM_NORMAL ? portable_random_normal(key, cell, draw) : portable_random_real64(key, cell, draw);
  const float y = distribution == PORTABLE_RANDOM_NORMAL ? (float)x : portable_random_real32(key, cell, draw);
  if (kind == PORTABLE_KIND_REAL32) memcpy(to, &y, 4);
  else memcpy(to, &x, 8);
  return kind == PORTABLE_KIND_REAL32 ? 4 : 8;
}

/* One fill against single calls. Strides in elements, with the first element `at` elements into the memory; all other bytes stay. */
static void compare(int32_t kind, int32_t distribution, int32_t order, int32_t rank, const int64_t *extents, const int64_t *strides, int64_t at, int64_t first, int off) {
  static char memory[8 * ROOM + 8], wanted[8 * ROOM + 8];
  const portable_random_key key = portable_random_key_make(2026, first, rank);
  const int64_t bytes = kind == PORTABLE_KIND_REAL32 ? 4 : 8;
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  int64_t in_bytes[8], index[8] = {0}, count = 1;
  memset(memory, 0x55, sizeof memory);
  memset(wanted, 0x55, sizeof wanted);
  o.order = order, o.distribution = distribution, o.draw = -3, o.first = first;
  for (int32_t d = 0; d < rank; d++) in_bytes[d] = strides[d] * bytes, count *= extents[d];
  o.strides = in_bytes;
  for (int64_t n = 0; n < count; n++) {
    int64_t place = at * bytes + off;
    for (int32_t d = 0; d < rank; d++) place += index[d] * in_bytes[d];
    single(kind, distribution, key, first + n, -3, wanted + place);
    for (int32_t k = 0; k < rank; k++) {
      const int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
  CHECK_STATUS(portable_random_fill("compare", kind, key, memory + at * bytes + off, rank, extents, &o), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  if (memcmp(memory, wanted, sizeof memory) != 0 && check_failures++ < 20)
    printf("kind %d, distribution %d, order %d, rank %d, first %" PRId64 ", %" PRId64 " elements: other bits\n", kind, distribution, order, rank, first, count);
}

static void layouts(void) {
  static const int64_t counts[] = {1, 2, 3, 5, 15, 16, 17, 33, 64, 511, 513, 8193, MOST};
  const int64_t one = 1, two = 2, back = -1;
  for (int f = 0; f < 8; f++)
    for (int32_t kind = PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++)
      for (int32_t distribution = 0; distribution < 2; distribution++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) compare(kind, distribution, 0, 1, &counts[c], &one, 3, firsts[f], 0);
        const int64_t half = MOST / 2, box[4] = {7, 5, 11, 13}, c_strides[4] = {715, 143, 13, 1}, f_strides[4] = {1, 7, 35, 385};
        const int64_t gaps[4] = {-2 * 900, 2 * 160, -2 * 13, 2}, plane[2] = {90, 200}, padded[2] = {210, 1}, column[2] = {1, 100}, few[3] = {3, 2, 500}, rows[3] = {4, 13, 40};
        compare(kind, distribution, 0, 1, &half, &two, 0, firsts[f], 0);
        compare(kind, distribution, 0, 1, &half, &back, half, firsts[f], 1); /* not aligned */
        for (int32_t order = 0; order < 2; order++) {
          compare(kind, distribution, order, 4, box, c_strides, 5, firsts[f], 0);
          compare(kind, distribution, order, 4, box, f_strides, 5, firsts[f], 0);
          compare(kind, distribution, order, 4, box, gaps, 2 * 900 * 6 + 2 * 13 * 10, firsts[f], 0);
          compare(kind, distribution, order, 2, plane, padded, 0, firsts[f], 0);
          compare(kind, distribution, order, 2, plane, column, 0, firsts[f], 0);
          compare(kind, distribution, order, 3, few, rows, 0, firsts[f], 0);
        }
      }
}

/* The vector of 0 of Random123; more of them in numbers.c. */
static void known_answer(void) {
  const portable_random_key nothing = {{0, 0, 0, 0}};
  const int64_t two = 2;
  const uint64_t words[2] = {UINT64_C(0xe169c58d6627e8d5), UINT64_C(0x9b00dbd8bc57ac4c)};
  double x[2];
  CHECK_STATUS(portable_random_fill("known", PORTABLE_KIND_REAL64, nothing, x, 1, &two, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  for (int k = 0; k < 2; k++) CHECK(x[k] == ((double)(words[k] >> 12) + 0.5) * 0x1p-52);
}

/* The least and the largest cell, and no element at all. */
static void edges(void) {
  const portable_random_key key = portable_random_key_make(1, 2, 3);
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  const int64_t two = 2, none = 0, empty[3] = {INT64_MAX, 0, INT64_MAX}, many = INT64_MAX;
  double x[2] = {-1, -1};
  o.first = INT64_MAX - 1;
  CHECK_STATUS(portable_random_fill("last", PORTABLE_KIND_REAL64, key, x, 1, &two, &o), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK(x[0] == portable_random_real64(key, INT64_MAX - 1, 0) && x[1] == portable_random_real64(key, INT64_MAX, 0));
  o.first = INT64_MAX;
  CHECK_STATUS(portable_random_fill("none", PORTABLE_KIND_REAL64, key, NULL, 1, &none, &o), PORTABLE_OK);
  CHECK_STATUS(portable_random_fill("none", PORTABLE_KIND_REAL32, key, NULL, 3, empty, &o), PORTABLE_OK);
  CHECK_STATUS(portable_random_fill("beyond", PORTABLE_KIND_REAL64, key, x, 1, &two, &o), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("random_fill 'beyond': cells from 9223372036854775807 for 2 elements do not fit int64");
  CHECK_STATUS(portable_random_fill("wide", PORTABLE_KIND_REAL64, key, x, 1, &many, NULL), PORTABLE_ERR_OVERFLOW);
}

/* Inside a kernel each iteration fills its row, and in a stream a fill takes its turn. */
struct rows {
  portable_random_key key;
  double *x;
};
enum { ROWS = 50, WIDTH = 400 };

static void fill_rows(const portable_tile *t, void *args) {
  const struct rows *r = args;
  const int64_t width = WIDTH;
  for (int64_t row = t->lower[0]; row <= t->upper[0]; row++) {
    portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
    o.first = row * WIDTH;
    if (portable_random_fill("row", PORTABLE_KIND_REAL64, r->key, r->x + row * WIDTH, 1, &width, &o) != PORTABLE_OK) r->x[row * WIDTH] = -1;
  }
}

static void places(void) {
  static double in_kernel[ROWS * WIDTH], in_stream[ROWS * WIDTH], twice[ROWS * WIDTH];
  const int64_t count = ROWS * WIDTH;
  struct rows r = {portable_random_key_make(7, 8, 9), in_kernel};
  const portable_bounds bounds = portable_bounds_1(ROWS);
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  CHECK_STATUS(portable_parallel_for("rows", &bounds, fill_rows, &r, sizeof r, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &launch.stream), PORTABLE_OK);
  o.launch = &launch;
  CHECK_STATUS(portable_random_fill("stream", PORTABLE_KIND_REAL64, r.key, in_stream, 1, &count, &o), PORTABLE_OK);
  CHECK_STATUS(portable_binary("twice", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, in_stream, in_stream, twice, 1, &count,
                               &(portable_componentwise_options){.struct_size = sizeof(portable_componentwise_options), .launch = &launch}), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(launch.stream), PORTABLE_OK);
  CHECK(!memcmp(in_kernel, in_stream, sizeof in_kernel));
  int wrong = 0;
  for (int64_t n = 0; n < count; n++) {
    const double x = portable_random_real64(r.key, n, 0);
    wrong += memcmp(&x, &in_kernel[n], sizeof x) != 0 || memcmp(&(double){x + x}, &twice[n], sizeof x) != 0;
  }
  CHECK(wrong == 0);
}

/* Sums of powers, and how often 1000 equal intervals of the distribution are hit. */
static void statistics(int64_t count) {
  static double x[1 << 20], y[1 << 20];
  static int64_t hits[2][1000];
  const portable_random_key key = portable_random_key_make(5, 6, 7);
  double sums[2][4] = {{0}}, product = 0;
  for (int64_t done = 0, n; done < count; done += n) {
    portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
    n = count - done < 1 << 20 ? count - done : 1 << 20;
    o.first = done;
    CHECK_STATUS(portable_random_fill("uniform", PORTABLE_KIND_REAL64, key, x, 1, &n, &o), PORTABLE_OK);
    o.draw = 1, o.distribution = PORTABLE_RANDOM_NORMAL;
    CHECK_STATUS(portable_random_fill("normal", PORTABLE_KIND_REAL64, key, y, 1, &n, &o), PORTABLE_OK);
    CHECK_STATUS(portable_fence(), PORTABLE_OK);
    for (int64_t i = 0; i < n; i++) {
      const double p[2] = {x[i] - 0.5, y[i]};
      hits[0][(int)(x[i] * 1000)]++;
      hits[1][(int)(0.5 * erfc(-y[i] * 0.70710678118654752440) * 1000)]++;
      for (int k = 0; k < 2; k++) sums[k][0] += p[k], sums[k][1] += p[k] * p[k], sums[k][2] += p[k] * p[k] * p[k], sums[k][3] += p[k] * p[k] * p[k] * p[k];
      product += p[0] * p[1];
    }
  }
  /* Five standard deviations: a chance of one in a million. */
  static const double mean[2][4] = {{0, 1.0 / 12, 0, 1.0 / 80}, {0, 1, 0, 3}}, variance[2][4] = {{1.0 / 12, 1.0 / 180, 1.0 / 448, 1.0 / 2304 - 1.0 / 6400}, {1, 2, 15, 96}};
  const double n = (double)count;
  for (int k = 0; k < 2; k++) {
    double chi = 0;
    for (int m = 0; m < 4; m++) CHECK(fabs(sums[k][m] / n - mean[k][m]) < 5 * sqrt(variance[k][m] / n));
    for (int i = 0; i < 1000; i++) chi += ((double)hits[k][i] - n / 1000) * ((double)hits[k][i] - n / 1000) / (n / 1000);
    CHECK(fabs(chi - 999) < 5 * sqrt(2 * 999));
  }
  CHECK(fabs(product / n) < 5 * sqrt(1.0 / 12 / n));
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 1 && !strcmp(argv[1], "traps")) {
#if defined(__GLIBC__)
    CHECK(feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW) >= 0); /* launches of few elements compute with them */
#endif
    layouts();
    edges();
  } else if (argc > 1) {
    statistics(atoll(argv[1]));
  } else {
    known_answer();
    layouts();
    edges();
    places();
    statistics(1000000);
  }
  return check_end();
}
