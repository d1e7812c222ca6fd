/* exact_add.h - one value into an exact sum, to be inlined. Private; see exact.h. Owner of the sum only. */
#ifndef PORTABLE__EXACT_ADD_H
#define PORTABLE__EXACT_ADD_H

#include <string.h>

#include "exact.h"

/* Adds magnitude * 2^(position-1074), or takes it away. position + 96 is within the limbs. */
static inline void portable__exact_add_bits(portable_exact *sum, uint64_t magnitude, uint32_t position, int negative) {
  int64_t *limb = &sum->word[position / 32], sign = -(int64_t)negative; /* x ^ sign - sign is x or -x */
  uint32_t shift = position % 32;
  uint64_t low = magnitude << shift, high = shift ? magnitude >> (64 - shift) : 0;
  limb[0] += ((int64_t)(low & 0xffffffff) ^ sign) - sign;
  limb[1] += ((int64_t)(low >> 32) ^ sign) - sign;
  limb[2] += ((int64_t)high ^ sign) - sign;
  if (__builtin_expect(++sum->word[PORTABLE__EXACT_LOAD] >= PORTABLE__EXACT_LOAD_MOST, 0)) portable_exact_normalise(sum);
}

static inline void portable__exact_add(portable_exact *sum, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t exponent = (uint32_t)(bits >> 52) & 0x7ff;
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  int negative = (int)(bits >> 63);
  if (__builtin_expect(exponent == 0x7ff, 0)) {
    sum->word[mantissa ? PORTABLE__EXACT_NAN : negative ? PORTABLE__EXACT_MINUS : PORTABLE__EXACT_PLUS]++;
    return;
  }
  /* Numbers without the hidden bit have the position of the smallest ones with it. */
  uint64_t hidden = exponent != 0;
  portable__exact_add_bits(sum, mantissa | hidden << 52, exponent - (uint32_t)hidden, negative);
}

#endif
