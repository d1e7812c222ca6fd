/* copy_look.c - see copy.h: what is asked about elements without writing any: whether both sides are equal, a checksum, whether integers
 * fit. Not in this file: copies (copy_block.c). */
#include "copy_block.h"

/* ---- equal ---- */

struct comparing {
  const struct portable__copy_plan *plan;
  int32_t kind, equal;
};

/* Element by element; equal(t, f) is about addresses. */
#define ALL(equal) { \
    for (int64_t j = 0; j < b->m; j++) \
      for (int64_t i = 0; i < b->n; i++) { \
        const char *t = b->to + j * b->to_m + i * b->to_n, *f = b->from + j * b->from_m + i * b->from_n; \
        if (!(equal)) return 0; \
      } \
    return 1; \
  }
#define SAME(name, T) static int name(const char *t, const char *f) { T x, y; memcpy(&x, t, sizeof x); memcpy(&y, f, sizeof y); return x == y; }
#define SAME_AS(name, T, F) static int name(const char *t, const char *f) { T x; F y; memcpy(&x, t, sizeof x); memcpy(&y, f, sizeof y); return x == (T)y; }
SAME(same1, uint8_t)
SAME(same2, uint16_t)
SAME(same4, uint32_t)
SAME(same8, uint64_t)
SAME(same_float, float)
SAME(same_double, double)
SAME_AS(same_widened, double, float)
SAME_AS(same_narrowed, float, double)
SAME_AS(same_longer, int64_t, int32_t)
SAME_AS(same_shorter, int32_t, int64_t)

static int equal_elements(const struct comparing *c, const struct portable__copy_block *b) {
  const int64_t bytes = c->plan->to_bytes;
  switch (c->plan->copy.conversion) {
  case PORTABLE__COPY_WIDEN: ALL(same_widened(t, f))
  case PORTABLE__COPY_NARROW: ALL(same_narrowed(t, f))
  case PORTABLE__COPY_LONGER: ALL(same_longer(t, f))
  case PORTABLE__COPY_SHORTER: ALL(same_shorter(t, f))
  default: break;
  }
  switch (c->kind) {
  case PORTABLE_KIND_REAL32: ALL(same_float(t, f))
  case PORTABLE_KIND_REAL64: ALL(same_double(t, f))
  case PORTABLE_KIND_COMPLEX32: ALL(same_float(t, f) && same_float(t + 4, f + 4))
  case PORTABLE_KIND_COMPLEX64: ALL(same_double(t, f) && same_double(t + 8, f + 8))
  default: break;
  }
  if (b->to_n == bytes && b->from_n == bytes) {
    for (int64_t j = 0; j < b->m; j++)
      if (memcmp(b->to + j * b->to_m, b->from + j * b->from_m, (size_t)(b->n * bytes)) != 0) return 0;
    return 1;
  }
  switch (bytes) {
  case 1: ALL(same1(t, f))
  case 2: ALL(same2(t, f))
  case 4: ALL(same4(t, f))
  case 8: ALL(same8(t, f))
  default: ALL(memcmp(t, f, (size_t)bytes) == 0)
  }
}

static int equal_block(void *context, const struct portable__copy_block *b) {
  struct comparing *c = context;
  return c->equal = equal_elements(c, b);
}

int32_t portable__copy_equal(const struct portable__copy_plan *plan, int32_t kind, int64_t first, int64_t end) {
  struct comparing c = {plan, kind, 1};
  portable__copy_walk(plan, first, end, equal_block, &c);
  return c.equal;
}

/* ---- checksum ---- */

struct summing {
  const struct portable__copy_plan *plan;
  uint64_t sum;
};

static inline uint64_t stir(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
  return h ^ h >> 32;
}

static inline uint64_t begun(uint64_t number) { return (number + 1) * UINT64_C(0x9e3779b97f4a7c15); }

/* The last word of an element of another length is filled up with zeros. */
static uint64_t hash_any(uint64_t number, const char *p, size_t bytes) {
  uint64_t h = begun(number), word;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    memcpy(&word, p, 8);
    h = stir(h, word);
  }
  if (bytes) {
    word = 0;
    memcpy(&word, p, bytes);
    h = stir(h, word);
  }
  return stir(h, 0);
}

static int sum_block(void *context, const struct portable__copy_block *b) {
  struct summing *s = context;
  const size_t bytes = (size_t)s->plan->from_bytes;
  uint64_t sum = 0;
  for (int64_t j = 0; j < b->m; j++) {
    uint64_t number = (uint64_t)(uintptr_t)b->to + (uint64_t)(j * b->to_m);
    const char *f = b->from + j * b->from_m;
    if (bytes == 8)
      for (int64_t i = 0; i < b->n; i++, number += (uint64_t)b->to_n, f += b->from_n) sum += hash_any(number, f, 8);
    else if (bytes == 4)
      for (int64_t i = 0; i < b->n; i++, number += (uint64_t)b->to_n, f += b->from_n) sum += hash_any(number, f, 4);
    else
      for (int64_t i = 0; i < b->n; i++, number += (uint64_t)b->to_n, f += b->from_n) sum += hash_any(number, f, bytes);
  }
  s->sum += sum;
  return 1;
}

uint64_t portable__copy_checksum(const struct portable__copy_plan *plan, int64_t first, int64_t end) {
  struct summing s = {plan, 0};
  portable__copy_walk(plan, first, end, sum_block, &s);
  return s.sum;
}

/* ---- integers that fit ---- */

static int fits_block(void *context, const struct portable__copy_block *b) {
  int32_t *fits = context;
  for (int64_t j = 0; j < b->m; j++)
    for (int64_t i = 0; i < b->n; i++) {
      int64_t x;
      memcpy(&x, b->from + j * b->from_m + i * b->from_n, sizeof x);
      *fits &= x >= INT32_MIN && x <= INT32_MAX;
    }
  return *fits;
}

int32_t portable__copy_fits(const struct portable__copy_plan *plan, int64_t first, int64_t end) {
  int32_t fits = 1;
  portable__copy_walk(plan, first, end, fits_block, &fits);
  return fits;
}
