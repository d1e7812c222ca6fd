/* exact.c - see exact.h: adding one value, carries, reading. Not in this file: adding arrays (exact_array.c).
 *
 * With integers only, so that the program's rounding mode, flushing and traps change nothing. */
#include "exact.h"

#include <string.h>

#include "exact_add.h"

void portable_exact_init(portable_exact *sum) { memset(sum, 0, sizeof *sum); }

void portable_exact_normalise(portable_exact *sum) {
  int64_t carry = 0, *limb = sum->word;
  for (int i = 0; i < PORTABLE__EXACT_LIMBS - 1; i++) {
    int64_t t = limb[i] + carry;
    limb[i] = t & 0xffffffff;
    carry = t >> 32;
  }
  limb[PORTABLE__EXACT_LIMBS - 1] += carry;
  /* Also of an empty sum: who adds up words counts on it. */
  sum->word[PORTABLE__EXACT_LOAD] = 1;
}

void portable_exact_add(portable_exact *sum, double value) { portable__exact_add(sum, value); }

void portable_exact_merge(portable_exact *into, const portable_exact *from) {
  for (int i = 0; i < PORTABLE_EXACT_WORDS; i++) into->word[i] += from->word[i];
  if (into->word[PORTABLE__EXACT_LOAD] >= PORTABLE__EXACT_LOAD_MOST) portable_exact_normalise(into);
}

/* ---- reading ---- */

/* The sum as sign and magnitude, of limbs below 2^32. */
struct magnitude {
  uint32_t limb[PORTABLE__EXACT_LIMBS + 4]; /* and zeros, for reads beyond the end */
  int negative;
  int top; /* number of the highest bit, -1 for zero; bit 0 is 2^-1074 */
};

static void read_magnitude(const portable_exact *sum, struct magnitude *m) {
  portable_exact copy = *sum;
  portable_exact_normalise(&copy);
  memset(m, 0, sizeof *m);
  m->negative = copy.word[PORTABLE__EXACT_LIMBS - 1] < 0;
  if (m->negative) {
    for (int i = 0; i < PORTABLE__EXACT_LIMBS; i++) copy.word[i] = -copy.word[i];
    portable_exact_normalise(&copy);
  }
  m->top = -1;
  for (int i = 0; i < PORTABLE__EXACT_LIMBS; i++) {
    m->limb[i] = (uint32_t)copy.word[i];
    if (m->limb[i]) m->top = 32 * i + 31 - __builtin_clz(m->limb[i]);
  }
}

/* The bits from number `low` up, and rounded to nearest, ties to even, by those below. */
static uint64_t rounded(const struct magnitude *m, int low) {
  int i = low / 32, shift = low % 32;
  uint64_t bits = m->limb[i] | (uint64_t)m->limb[i + 1] << 32;
  if (shift) bits = bits >> shift | (uint64_t)m->limb[i + 2] << (64 - shift);
  if (low == 0) return bits;
  int half = low - 1;
  if (!(m->limb[half / 32] >> half % 32 & 1)) return bits;
  uint32_t below = m->limb[half / 32] & ((UINT32_C(1) << half % 32) - 1);
  for (int k = 0; k < half / 32; k++) below |= m->limb[k];
  return bits + (below != 0 || bits & 1);
}

/* A number of `digits` binary digits whose smallest positive value is bit number `least`, as it is stored without its
 * sign; what does not fit is infinity. A carry out of the digits goes into the exponent, as it should. */
static uint64_t encoded(const struct magnitude *m, int digits, int least, uint64_t infinity) {
  if (m->top < 0) return 0;
  int low = m->top - (digits - 1) > least ? m->top - (digits - 1) : least;
  uint64_t exponent = (uint64_t)(low - least);
  uint64_t bits = (exponent << (digits - 1)) + rounded(m, low);
  return bits < infinity ? bits : infinity;
}

/* 1: not a number, 2: +infinity, 3: -infinity, 0: none of these. */
static int special(const portable_exact *sum) {
  const int64_t *w = sum->word;
  if (w[PORTABLE__EXACT_NAN] || (w[PORTABLE__EXACT_PLUS] && w[PORTABLE__EXACT_MINUS])) return 1;
  return w[PORTABLE__EXACT_PLUS] ? 2 : w[PORTABLE__EXACT_MINUS] ? 3 : 0;
}

double portable_exact_value(const portable_exact *sum) {
  static const uint64_t specials[] = {0, UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000)};
  uint64_t bits = specials[special(sum)];
  double value;
  if (!bits) {
    struct magnitude m;
    read_magnitude(sum, &m);
    bits = encoded(&m, 53, 0, UINT64_C(0x7ff0000000000000));
    if (m.negative && bits) bits |= UINT64_C(1) << 63;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

float portable_exact_value32(const portable_exact *sum) {
  static const uint32_t specials[] = {0, UINT32_C(0x7fc00000), UINT32_C(0x7f800000), UINT32_C(0xff800000)};
  uint32_t bits = specials[special(sum)];
  float value;
  if (!bits) {
    struct magnitude m;
    read_magnitude(sum, &m);
    bits = (uint32_t)encoded(&m, 24, 1074 - 149, UINT32_C(0x7f800000)); /* straight from the sum: never rounded twice */
    if (m.negative && m.top >= 0) bits |= UINT32_C(1) << 31;
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}
