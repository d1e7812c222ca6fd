/* fortran_results.c - results of Fortran's reductions. Operations that C does not have are values
 * of the user, combined here: bits, .eqv., .neqv., and values with their place, which are
 * indices. */
#include "fortran_results.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../internal/kernels/reduction/partial.h"

/* ---- places ---- */

#define AT PORTABLE__PLACE_AT
/* 1: a is better than b; 2: they are equal. A NaN is worse than all else, and comparing it must not trap. */
#define BETTER(type, unordered, is_nan) { \
    type x, y; \
    memcpy(&x, a, sizeof x); \
    memcpy(&y, b, sizeof y); \
    if (unordered(x, y)) return is_nan(y) && !is_nan(x); \
    return x == y ? 2 : most ? x > y : x < y; \
  }
#define NEVER(...) 0
static int better(int32_t kind, int most, const char *a, const char *b) {
  switch (kind) {
  case PORTABLE_KIND_INT32: BETTER(int32_t, NEVER, NEVER)
  case PORTABLE_KIND_INT64: BETTER(int64_t, NEVER, NEVER)
  case PORTABLE_KIND_REAL32: BETTER(float, isunordered, isnan)
  default: BETTER(double, isunordered, isnan)
  }
}

static int64_t index_of(const struct portable__place *p, const char *value, int32_t d) {
  int32_t i32;
  int64_t i64;
  memcpy(&i32, value + AT + 4 * d, sizeof i32);
  if (p->bytes == 4) return i32;
  memcpy(&i64, value + AT + 8 * d, sizeof i64);
  return i64;
}

static int has_place(const struct portable__place *p, const char *value) {
  return memcmp(value + AT, p->none + AT, (size_t)p->rank * (size_t)p->bytes) != 0;
}

/* In the order of array elements. */
static int before(const struct portable__place *p, const char *a, const char *b) {
  for (int32_t d = p->rank - 1; d >= 0; d--) {
    int64_t i = index_of(p, a, d), j = index_of(p, b, d);
    if (i != j) return i < j;
  }
  return 0;
}

void portable__place_combine(void *into, const void *from, void *context) {
  const struct portable__place *p = context;
  int is = better(p->kind, p->most, from, into);
  /* The value before the launch counts as before the first iteration. */
  if (is == 2) is = has_place(p, from) && (!has_place(p, into) || (into != p->held && before(p, from, into)));
  if (is) memcpy(into, from, AT + (size_t)p->rank * (size_t)p->bytes);
}

portable_status portable__place_begin(const char *label, const portable_bounds *bounds, const struct portable__place_of *of, struct portable__place *p) {
  struct portable__partial extreme;
  memset(p, 0, sizeof *p);
  p->kind = of->kind;
  p->bytes = of->place_bytes;
  p->rank = of->place_count < PORTABLE_LOOP_RANK ? of->place_count : PORTABLE_LOOP_RANK;
  p->most = of->most;
  portable__partial_find(p->most ? PORTABLE_REDUCE_MAX : PORTABLE_REDUCE_MIN, of->kind, 0, &extreme);
  memcpy(p->none, portable_bounds_count(bounds) == 0 ? extreme.empty : extreme.identity, extreme.bytes);
  for (int32_t d = 0; d < p->rank; d++) {
    int64_t below = bounds->lower[d];
    if (p->bytes == 4 ? below <= INT32_MIN || bounds->upper[d] > INT32_MAX || below > INT32_MAX : below == INT64_MIN)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "parallel_reduce '%s': the indices of dimension %d (%" PRId64 ":%" PRId64 ", and one below them) "
                            "do not fit the integers of place, of %d bytes", label, (int)d + 1, bounds->lower[d], bounds->upper[d], (int)p->bytes);
    below--;
    int32_t narrow = (int32_t)below;
    memcpy(p->none + AT + p->bytes * d, p->bytes == 4 ? (const void *)&narrow : (const void *)&below, (size_t)p->bytes);
  }
  memcpy(p->held, of->value, extreme.bytes);
  memcpy(p->held + AT, of->place, (size_t)p->rank * (size_t)p->bytes);
  return PORTABLE_OK;
}

/* ---- operations on bits and truth values ---- */

#define BITS(type) \
  static void and_##type(void *into, const void *from, void *context) { (void)context; *(type *)into &= *(const type *)from; } \
  static void or_##type(void *into, const void *from, void *context) { (void)context; *(type *)into |= *(const type *)from; } \
  static void xor_##type(void *into, const void *from, void *context) { (void)context; *(type *)into ^= *(const type *)from; }
BITS(int8_t)
BITS(int16_t)
BITS(int32_t)
BITS(int64_t)

static void eqv(void *into, const void *from, void *context) {
  (void)context;
  *(int32_t *)into = !*(int32_t *)into == !*(const int32_t *)from;
}

static void neqv(void *into, const void *from, void *context) {
  (void)context;
  *(int32_t *)into = !*(int32_t *)into != !*(const int32_t *)from;
}

static const portable_combine_function combines[][4] = {
    {and_int8_t, and_int16_t, and_int32_t, and_int64_t}, {or_int8_t, or_int16_t, or_int32_t, or_int64_t}, {xor_int8_t, xor_int16_t, xor_int32_t, xor_int64_t}};
static const int64_t all_bits = -1;
static const int32_t yes = 1;

static int is_truth(const struct portable__fortran_result *a) {
  return a->operation == PORTABLE__REDUCE_EQV || a->operation == PORTABLE__REDUCE_NEQV;
}

static int is_place(const struct portable__fortran_result *a) { return a->operation == PORTABLE_REDUCE_MINLOC || a->operation == PORTABLE_REDUCE_MAXLOC; }

/* 1: a logical of any size is true: not all of its bytes are 0. */
static int32_t is_true(const void *logical, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const char *)logical)[i]) return 1;
  return 0;
}

static void as_users(portable_reduction *r, size_t bytes, const void *identity, portable_combine_function combine, void *context) {
  r->operation = PORTABLE_REDUCE_USER;
  r->kind = 0;
  r->bytes = bytes;
  r->identity = identity;
  r->combine = combine;
  r->context = context;
}

portable_status portable__results_begin(const char *label, const portable_bounds *bounds, const struct portable__fortran_result *results, int32_t count,
                                        portable_reduction *list, struct portable__held *held) {
  if (count < 1 || count > PORTABLE_REDUCTIONS_MOST)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': there are %d results; there can be 1 to %d", label, (int)count, PORTABLE_REDUCTIONS_MOST);
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_result *a = &results[i];
    portable_reduction r = PORTABLE_REDUCTION(a->operation, a->kind, a->to);
    r.flags = a->into ? PORTABLE_REDUCE_INTO : 0;
    if (a->operation < 1)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': result %d: there is no such operation of %s; numbers have 'sum', 'product', 'min' and "
                            "'max', integers also 'iand', 'ior' and 'ieor', logicals 'any', 'all', 'eqv' and 'neqv'; with a place it is 'minloc' or "
                            "'maxloc'", label, (int)i + 1, portable__kind_name(a->kind));
    if (is_place(a)) {
      struct portable__place *p = &held[i].is.place;
      const struct portable__place_of of = {a->to, a->place, a->kind, a->operation == PORTABLE_REDUCE_MAXLOC, a->place_bytes, a->place_count};
      if (bounds && bounds->rank > 0 && a->place_count != bounds->rank)
        return portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': result %d: place has %d elements, the bounds have %d dimensions; it has one for "
                              "each", label, (int)i + 1, (int)a->place_count, (int)bounds->rank);
      portable_status status = bounds ? portable__place_begin(label, bounds, &of, p) : PORTABLE_OK;
      if (status != PORTABLE_OK) return status;
      r.to = p->held;
      as_users(&r, AT + (size_t)p->rank * (size_t)p->bytes, p->none, portable__place_combine, p);
    } else if (is_truth(a)) {
      held[i].is.truth = is_true(a->to, portable__kind_bytes(a->kind));
      r.to = &held[i].is.truth;
      as_users(&r, sizeof held[i].is.truth, a->operation == PORTABLE__REDUCE_EQV ? &yes : NULL, a->operation == PORTABLE__REDUCE_EQV ? eqv : neqv, NULL);
    } else if (a->operation >= PORTABLE__REDUCE_IAND && a->operation <= PORTABLE__REDUCE_IEOR) {
      const int32_t of = a->operation - PORTABLE__REDUCE_IAND;
      as_users(&r, portable__kind_bytes(a->kind), of == 0 ? &all_bits : NULL, combines[of][a->kind - PORTABLE_KIND_INT8], NULL);
    }
    list[i] = r;
  }
  return PORTABLE_OK;
}

void portable__results_end(const struct portable__fortran_result *results, int32_t count, const struct portable__held *held) {
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_result *a = &results[i];
    if (is_place(a)) {
      const struct portable__place *p = &held[i].is.place;
      memcpy(a->to, p->held, portable__kind_bytes(a->kind));
      memcpy(a->place, p->held + AT, (size_t)p->rank * (size_t)p->bytes);
    } else if (is_truth(a)) {
      const size_t bytes = portable__kind_bytes(a->kind);
      const int64_t is = held[i].is.truth != 0;
      const int8_t is8 = (int8_t)is;
      const int16_t is16 = (int16_t)is;
      const int32_t is32 = (int32_t)is;
      memcpy(a->to, bytes == 1 ? (const void *)&is8 : bytes == 2 ? (const void *)&is16 : bytes == 4 ? (const void *)&is32 : (const void *)&is, bytes);
    }
  }
}
