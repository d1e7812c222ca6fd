/* numbers.c - random numbers in C: the known answers of Random123, intervals, quantiles, moments and chi-square. Not in this file: other languages
 * (bits.f90, bits.cpp, device.c), which are compared with C (bits_c.c). An argument is the count of numbers for the statistics. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <portable_random.h>

#include "check.h"

static void known(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1, uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
  const portable_random_block c = {{c0, c1, c2, c3}}, r = portable_random_philox4x32(c, k0, k1);
  CHECK(r.word[0] == r0 && r.word[1] == r1 && r.word[2] == r2 && r.word[3] == r3);
}

/* kat_vectors of Random123 1.14, lines "philox4x32 10". */
static void known_answers(void) {
  known(0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  known(~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  known(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

static void limits(void) {
  const portable_random_key key = portable_random_key_make(1, 2, 3);
  CHECK(portable__random_uniform64(0) == ldexp(1.0, -53));
  CHECK(portable__random_uniform64(~(uint64_t)0) == 1.0 - ldexp(1.0, -53));
  /* Fortran, C++ and devices have the same values (bits.*). */
  CHECK(fabs(portable__random_quantile(0.975) - 1.9599639845400545) < 1e-14);
  CHECK(fabs(portable__random_quantile(ldexp(1.0, -53)) + 8.209536151601387) < 1e-13);
  CHECK(fabs(portable__random_quantile(1.0 - ldexp(1.0, -53)) - 8.209536151601387) < 1e-13);
  CHECK(portable__random_quantile(0.5) == 0.0);
  for (int k = 2; k < 53; k++) CHECK(fabs(portable__random_minus_log(ldexp(1.0, -k)) - k * log(2.0)) <= 4e-16 * k);
  CHECK(portable_random_int64(key, 5, 0, 7, 7) == 7);
  int64_t least = INT64_MAX, most = INT64_MIN;
  int seen[6] = {0};
  for (int64_t cell = -500; cell < 500; cell++) {
    const int64_t all = portable_random_int64(key, cell, 0, INT64_MIN, INT64_MAX), few = portable_random_int64(key, cell, 1, 3, -2);
    /* A range of 2^63 + 1: nearly half of all draws are refused. */
    const int64_t half = portable_random_int64(key, cell, 2, INT64_MIN, 0);
    CHECK(all == (int64_t)((uint64_t)INT64_MIN + portable_random_bits(key, cell, 0)));
    CHECK(few >= -2 && few <= 3);
    CHECK(half <= 0);
    if (all < least) least = all;
    if (all > most) most = all;
    if (few >= -2 && few <= 3) seen[few + 2]++;
  }
  for (int k = 0; k < 6; k++) CHECK(seen[k] > 120 && seen[k] < 215);
  CHECK(least < INT64_MIN / 100 * 97 && most > INT64_MAX / 100 * 97);
}

/* Each argument matters: changing any one changes the number. */
static void arguments(void) {
  const portable_random_key key = portable_random_key_make(1, 2, 3);
  const uint64_t bits = portable_random_bits(key, 4, 5);
  const int64_t high = (int64_t)1 << 40;
  CHECK(bits != portable_random_bits(portable_random_key_make(2, 2, 3), 4, 5));
  CHECK(bits != portable_random_bits(portable_random_key_make(1 + high, 2, 3), 4, 5));
  CHECK(bits != portable_random_bits(portable_random_key_make(1, 3, 3), 4, 5));
  CHECK(bits != portable_random_bits(portable_random_key_make(1, 2 + high, 3), 4, 5));
  CHECK(bits != portable_random_bits(portable_random_key_make(1, 2, 4), 4, 5));
  CHECK(bits != portable_random_bits(key, 5, 5));
  CHECK(bits != portable_random_bits(key, 6, 5));
  CHECK(bits != portable_random_bits(key, 4 + high, 5));
  CHECK(bits != portable_random_bits(key, 4, 6));
}

/* A range has the numbers of single calls, from even and odd cells, of any length, and writes nothing else. */
static void ranges(void) {
  const portable_random_key key = portable_random_key_make(-7, 9, 1);
  static const int64_t firsts[] = {0, 1, -1, -2, ((int64_t)1 << 33) - 3, INT64_MAX - 3};
  for (int f = 0; f < 6; f++)
    for (int64_t n = -1; n < 9; n++) {
      double x[10];
      for (int k = 0; k < 10; k++) x[k] = -1.0;
      portable_random_range_real64(key, firsts[f], 2, n, x);
      for (int64_t k = 0; k < 10; k++)
        CHECK(x[k] == (k < n ? portable_random_real64(key, (int64_t)((uint64_t)firsts[f] + (uint64_t)k), 2) : -1.0));
    }
}

/* Bounds are six standard deviations of what is measured. */
static void statistics(int64_t n) {
  enum { BINS = 1024 };
  static int64_t uniform[BINS], normal[BINS];
  const portable_random_key key = portable_random_key_make(20260101, 0, 0);
  double m1 = 0, m2 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, pairs = 0, chi = 0, chi_normal = 0, last = 0;
  for (int64_t i = 0; i < n; i++) {
    const double x = portable_random_real64(key, i, 0), y = portable_random_normal(key, i, 1), u = x - 0.5;
    m1 += u;
    m2 += u * u;
    pairs += u * last; /* neighbours share a block */
    last = u;
    n1 += y;
    n2 += y * y;
    n3 += y * y * y;
    n4 += y * y * y * y;
    uniform[(int)(x * BINS)]++;
    normal[(int)(0.5 * erfc(-y * 0.70710678118654752440) * BINS)]++;
  }
  for (int k = 0; k < BINS; k++) {
    const double expected = (double)n / BINS;
    chi += ((double)uniform[k] - expected) * ((double)uniform[k] - expected) / expected;
    chi_normal += ((double)normal[k] - expected) * ((double)normal[k] - expected) / expected;
  }
  const double root = 6.0 / sqrt((double)n), spread = 6.0 * sqrt(2.0 * (BINS - 1));
  const double N = (double)n;
  CHECK(fabs(m1 / N) < root * sqrt(1 / 12.0));
  CHECK(fabs(m2 / N - 1 / 12.0) < root * sqrt(1 / 180.0));
  CHECK(fabs(pairs / N) < root / 12.0);
  CHECK(fabs(n1 / N) < root);
  CHECK(fabs(n2 / N - 1) < root * sqrt(2.0));
  CHECK(fabs(n3 / N) < root * sqrt(15.0));
  CHECK(fabs(n4 / N - 3) < root * sqrt(96.0));
  CHECK(fabs(chi - (BINS - 1)) < spread);
  CHECK(fabs(chi_normal - (BINS - 1)) < spread);
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  known_answers();
  limits();
  arguments();
  ranges();
  statistics(argc > 1 ? strtoll(argv[1], NULL, 10) : 1000000);
  return check_end();
}
