/* array_form.h - sum, product, min and max of elements of one type; included by array_operations.c for each type. Private.
 * The type is KIND, in C NUMBER; SUMMED is what it is added up in, which wraps, ONE what keeps short unsigned integers from
 * becoming int, BITS integers of its size, MEMBER its member of a partial result, LEAST and MOST what no value is less and more
 * than, LOWEST and HIGHEST the results of max and min without an element. A real (REAL) has NOT_A_NUMBER, MINIMUM and MAXIMUM (the
 * compiler's names of the processor's own), and PAIR, the complex type made of two, with MEMBER2. Pure functions. */
#ifndef OPERATION

#define TYPED(name) PASTE(name, KIND)
#define NAMED(name) PASTE(PASTE(name, OPERATION), KIND)

typedef SUMMED TYPED(vector) __attribute__((vector_size(16)));
typedef NUMBER TYPED(signed) __attribute__((vector_size(16)));
typedef BITS TYPED(bits) __attribute__((vector_size(16)));

#ifdef REAL
static void TYPED(take_pair)(const void *lane, partial *out) {
  memcpy(out->value.MEMBER2, lane, sizeof out->value.MEMBER2);
  out->has = PORTABLE__NUMBER;
}

static void TYPED(fold_pair)(const void *lanes, partial *out) {
  SUMMED l[PORTABLE__LANE_BYTES / sizeof(SUMMED)];
  memcpy(l, lanes, sizeof l);
  for (int w = (int)(sizeof l / sizeof *l) / 2; w >= 2; w /= 2)
    for (int i = 0; i < w; i++) l[i] = l[i] + l[i + w];
  TYPED(take_pair)(l, out);
}

static void TYPED(combine_pair)(void *into, const void *from, void *context) {
  partial *p = into;
  const partial *q = from;
  (void)context;
  p->value.MEMBER2[0] += q->value.MEMBER2[0];
  p->value.MEMBER2[1] += q->value.MEMBER2[1];
}

static void PASTE(store, PAIR)(const partial *p, void *result) { memcpy(result, p->value.MEMBER2, 2 * sizeof(NUMBER)); }

static void TYPED(store)(const partial *p, void *result) { memcpy(result, &p->value.MEMBER, sizeof(NUMBER)); }
#else
static void TYPED(store)(const partial *p, void *result) {
  NUMBER x = (NUMBER)p->value.MEMBER;
  memcpy(result, &x, sizeof x);
}
#endif

/* This file again, for each operation. */
#define OPERATION sum
#define OP +
#define START 0
#include "array_form.h"

#define OPERATION product
#define OP *
#define START 1
#include "array_form.h"

#define OPERATION min
#define OP <
#define START MOST
#define EMPTY HIGHEST
#define INSTRUCTION MINIMUM
#include "array_form.h"

#define OPERATION max
#define OP >
#define START LEAST
#define EMPTY LOWEST
#define INSTRUCTION MAXIMUM
#include "array_form.h"

static int64_t TYPED(find)(const void *elements, const unsigned char *mask, int64_t count, const partial *p, int32_t what) {
  const NUMBER *x = elements;
  NUMBER value = (NUMBER)p->value.MEMBER;
  for (int64_t i = 0; i < count; i++)
#ifdef REAL
    if ((!mask || mask[i]) && (what == PORTABLE__FIND_VALUE ? x[i] == value : what == PORTABLE__FIND_ANY || x[i] == x[i])) return i;
#else
    if ((!mask || mask[i]) && (what == PORTABLE__FIND_VALUE ? x[i] == value : 1)) return i;
#endif
  return -1;
}


#undef TYPED
#undef NAMED
#undef KIND
#undef NUMBER
#undef SUMMED
#undef ONE
#undef BITS
#undef MEMBER
#undef LEAST
#undef MOST
#undef LOWEST
#undef HIGHEST
#undef REAL
#undef PAIR
#undef MEMBER2
#undef NOT_A_NUMBER
#undef MINIMUM
#undef MAXIMUM

#elif !defined(EMPTY) /* ---- a sum or a product ---- */

static void NAMED(begin)(void *lanes) {
  SUMMED *l = lanes;
  for (int i = 0; i < PORTABLE__LANE_BYTES / (int)sizeof *l; i++) l[i] = START;
}

static void NAMED(add)(void *lanes, const void *elements, int64_t count) {
  enum { per = 16 / sizeof(SUMMED) };
  const SUMMED *x = elements;
  SUMMED *l = lanes;
  TYPED(vector) a0, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3, x4, x5, x6, x7;
#define ADD(i) a##i = a##i OP x##i;
  const int64_t ahead = portable__ask_ahead();
  REGISTERS(LOAD_LANES)
  for (; count >= LANES; count -= LANES, x += LANES) {
    ASK_AHEAD(x)
    REGISTERS(LOAD)
    REGISTERS(ADD)
  }
  REGISTERS(STORE_LANES)
  for (int64_t i = 0; i < count; i++) l[i] = (SUMMED)(ONE l[i] OP x[i]);
}

static void NAMED(rows)(void *sums, const void *elements, int64_t step, int64_t rows, int64_t count) {
  enum { per = 16 / sizeof(SUMMED) };
  const char *first = elements;
  SUMMED *l = sums;
  TYPED(vector) a0, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3, x4, x5, x6, x7;
  for (; count >= LANES; count -= LANES, first += PORTABLE__LANE_BYTES, l += LANES) {
    const char *row = first;
    REGISTERS(LOAD_LANES)
    for (int64_t k = 0; k < rows; k++, row += step) {
      REGISTERS(LOAD_ROW)
      REGISTERS(ADD)
    }
    REGISTERS(STORE_LANES)
  }
}
#undef ADD

static void NAMED(take)(const void *lane, partial *out) {
  SUMMED x;
  memcpy(&x, lane, sizeof x);
  out->value.MEMBER = (NUMBER)x;
  out->has = PORTABLE__NUMBER;
}

static void NAMED(fold)(const void *lanes, partial *out) {
  SUMMED l[PORTABLE__LANE_BYTES / sizeof(SUMMED)];
  memcpy(l, lanes, sizeof l);
  for (int w = (int)(sizeof l / sizeof *l) / 2; w >= 1; w /= 2)
    for (int i = 0; i < w; i++) l[i] = (SUMMED)(ONE l[i] OP l[i + w]);
  NAMED(take)(l, out);
}

static void NAMED(combine)(void *into, const void *from, void *context) {
  partial *p = into;
  const partial *q = from;
  (void)context;
#ifdef REAL
  p->value.MEMBER ASSIGN(OP) q->value.MEMBER;
#else
  p->value.i = (int64_t)((uint64_t)p->value.i OP (uint64_t)q->value.i);
#endif
}

#undef OPERATION
#undef OP
#undef START

#else /* ---- min or max: START is what every value is better than; a NaN is never better, so it is left out ---- */

static void NAMED(begin)(void *lanes) {
  NUMBER *l = lanes;
  for (int i = 0; i < PORTABLE__LANE_BYTES / (int)sizeof *l; i++) l[i] = START;
}

static void NAMED(add)(void *lanes, const void *elements, int64_t count) {
  enum { per = 16 / sizeof(NUMBER) };
  const NUMBER *x = elements;
  NUMBER *l = lanes;
  TYPED(signed) a0, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3, x4, x5, x6, x7;
#if defined(REAL) && defined(__SSE2__) /* x OP a ? x : a, with NaN and zeros as there */
#define BETTER(i) a##i = INSTRUCTION(x##i, a##i);
#else
  TYPED(bits) m;
#define BETTER(i) \
  m = (TYPED(bits))(x##i OP a##i); \
  a##i = (TYPED(signed))((m & (TYPED(bits))x##i) | (~m & (TYPED(bits))a##i));
#endif
  const int64_t ahead = portable__ask_ahead();
  REGISTERS(LOAD_LANES)
  for (; count >= LANES; count -= LANES, x += LANES) {
    ASK_AHEAD(x)
    REGISTERS(LOAD)
    REGISTERS(BETTER)
  }
  REGISTERS(STORE_LANES)
  for (int64_t i = 0; i < count; i++) l[i] = x[i] OP l[i] ? x[i] : l[i];
}

static void NAMED(rows)(void *best, const void *elements, int64_t step, int64_t rows, int64_t count) {
  enum { per = 16 / sizeof(NUMBER) };
  const char *first = elements;
  NUMBER *l = best;
  TYPED(signed) a0, a1, a2, a3, a4, a5, a6, a7, x0, x1, x2, x3, x4, x5, x6, x7;
#if !defined(REAL) || !defined(__SSE2__)
  TYPED(bits) m;
#endif
  for (; count >= LANES; count -= LANES, first += PORTABLE__LANE_BYTES, l += LANES) {
    const char *row = first;
    REGISTERS(LOAD_LANES)
    for (int64_t k = 0; k < rows; k++, row += step) {
      REGISTERS(LOAD_ROW)
      REGISTERS(BETTER)
    }
    REGISTERS(STORE_LANES)
  }
}
#undef BETTER

static void NAMED(take)(const void *lane, partial *out) {
  NUMBER x;
  memcpy(&x, lane, sizeof x);
  out->value.MEMBER = x;
  out->has = x != START ? PORTABLE__NUMBER : PORTABLE__UNSURE;
}

static void NAMED(fold)(const void *lanes, partial *out) {
  NUMBER l[PORTABLE__LANE_BYTES / sizeof(NUMBER)];
  memcpy(l, lanes, sizeof l);
  for (int w = (int)(sizeof l / sizeof *l) / 2; w >= 1; w /= 2)
    for (int i = 0; i < w; i++) l[i] = l[i + w] OP l[i] ? l[i + w] : l[i];
  NAMED(take)(l, out);
}

static void NAMED(combine)(void *into, const void *from, void *context) {
  partial *p = into;
  const partial *q = from;
  (void)context;
  if (q->has > p->has || (q->has == p->has && q->has == PORTABLE__NUMBER && q->value.MEMBER OP p->value.MEMBER)) *p = *q;
}

static void NAMED(store)(const partial *p, void *result) {
#ifdef REAL
  NUMBER x = p->has == PORTABLE__NUMBER ? (NUMBER)p->value.MEMBER : p->has == PORTABLE__NANS ? NOT_A_NUMBER : EMPTY;
#else
  NUMBER x = p->has == PORTABLE__NUMBER ? (NUMBER)p->value.MEMBER : EMPTY;
#endif
  memcpy(result, &x, sizeof x);
}

#undef OPERATION
#undef OP
#undef START
#undef EMPTY
#undef INSTRUCTION

#endif
