/* partial.c - see partial.h. One table for each operation, made by macros over the kinds; what differs between kinds
 * is the arithmetic: integers wrap, reals leave NaN out where there is a least or greatest value.
 *
 * Comparisons of reals are the quiet ones: a NaN must not trap. */
#include "partial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* X(name, type, unsigned type, least, greatest, number) and X(name, type, greatest, number) */
#define INTEGERS(X) \
  X(int8, int8_t, uint8_t, INT8_MIN, INT8_MAX, PORTABLE_KIND_INT8) \
  X(int16, int16_t, uint16_t, INT16_MIN, INT16_MAX, PORTABLE_KIND_INT16) \
  X(int32, int32_t, uint32_t, INT32_MIN, INT32_MAX, PORTABLE_KIND_INT32) \
  X(int64, int64_t, uint64_t, INT64_MIN, INT64_MAX, PORTABLE_KIND_INT64)
#define REALS(X) \
  X(real32, float, FLT_MAX, PORTABLE_KIND_REAL32) \
  X(real64, double, DBL_MAX, PORTABLE_KIND_REAL64)
#define COMPLEXES(X) X(complex32, float, PORTABLE_KIND_COMPLEX32) X(complex64, double, PORTABLE_KIND_COMPLEX64)
#define LOGICALS(X) \
  X(logical8, uint8_t, PORTABLE_KIND_LOGICAL8) X(logical16, uint16_t, PORTABLE_KIND_LOGICAL16) \
  X(logical32, uint32_t, PORTABLE_KIND_LOGICAL32) X(logical64, uint64_t, PORTABLE_KIND_LOGICAL64)

#define COMBINE(name) static void name(void *into, const void *from, void *context)
#define VALUES(type) \
  type *i = into; \
  const type *f = from; \
  (void)context

/* ---- load and store: as they are, wide ones rounded, logicals of every length, counts ---- */

#define SAME(name, type) \
  static void load_##name(void *partial, const void *result) { memcpy(partial, result, sizeof(type)); } \
  static int store_##name(void *result, const void *partial) { memcpy(result, partial, sizeof(type)); return 0; }
/* No place is INT64_MAX in partial results, so that each place is before it, and -1 in results. */
#define PLACE(name, type) \
  static void load_##name(void *partial, const void *result) { \
    type *p = partial; \
    memcpy(p, result, sizeof *p); \
    if (p->index == -1) p->index = INT64_MAX; \
  } \
  static int store_##name(void *result, const void *partial) { \
    type r = *(const type *)partial; \
    if (r.index == INT64_MAX) r.index = -1; \
    memcpy(result, &r, sizeof r); \
    return 0; \
  }
#define SAME_INTEGER(name, type, u, least, most, k) SAME(name, type) PLACE(loc_##name, portable_loc_##name)
#define SAME_REAL(name, type, most, k) SAME(name, type) PLACE(loc_##name, portable_loc_##name)
#define SAME_COMPLEX(name, type, k) SAME(name, struct name)

struct complex32 { float re, im; };
struct complex64 { double re, im; };

INTEGERS(SAME_INTEGER)
REALS(SAME_REAL)
COMPLEXES(SAME_COMPLEX)

static void load_wide(void *partial, const void *result) { *(double *)partial = (double)*(const float *)result; }
static int store_wide(void *result, const void *partial) { *(float *)result = (float)*(const double *)partial; return 0; }
static void load_wide2(void *partial, const void *result) {
  const struct complex32 *r = result;
  *(struct complex64 *)partial = (struct complex64){(double)r->re, (double)r->im};
}
static int store_wide2(void *result, const void *partial) {
  const struct complex64 *p = partial;
  *(struct complex32 *)result = (struct complex32){(float)p->re, (float)p->im};
  return 0;
}

#define LOGICAL(name, type, k) \
  static void load_##name(void *partial, const void *result) { *(int32_t *)partial = *(const type *)result != 0; } \
  static int store_##name(void *result, const void *partial) { *(type *)result = *(const int32_t *)partial != 0; return 0; }
LOGICALS(LOGICAL)

static void load_count32(void *partial, const void *result) { *(int64_t *)partial = *(const int32_t *)result; }
static int store_count32(void *result, const void *partial) {
  int64_t n = *(const int64_t *)partial;
  if (n < INT32_MIN || n > INT32_MAX) return 1;
  *(int32_t *)result = (int32_t)n;
  return 0;
}

/* ---- combine ---- */

#define COMBINE_INTEGER(name, type, u, least, most, k) \
  COMBINE(sum_##name) { VALUES(type); *i = (type)((u)*i + (u)*f); } \
  COMBINE(product_##name) { VALUES(type); *i = (type)((uint64_t)*i * (uint64_t)*f); } \
  COMBINE(min_##name) { VALUES(type); if (*f < *i) *i = *f; } \
  COMBINE(max_##name) { VALUES(type); if (*f > *i) *i = *f; } \
  COMBINE(minloc_##name) { VALUES(portable_loc_##name); if (f->value < i->value || (f->value == i->value && f->index < i->index)) *i = *f; } \
  COMBINE(maxloc_##name) { VALUES(portable_loc_##name); if (f->value > i->value || (f->value == i->value && f->index < i->index)) *i = *f; }
INTEGERS(COMBINE_INTEGER)

#define COMBINE_REAL(name, type, most, k) \
  COMBINE(sum_##name) { VALUES(type); *i += *f; } \
  COMBINE(product_##name) { VALUES(type); *i *= *f; } \
  COMBINE(min_##name) { VALUES(type); if (isless(*f, *i) || isnan(*i)) *i = *f; } \
  COMBINE(max_##name) { VALUES(type); if (isgreater(*f, *i) || isnan(*i)) *i = *f; } \
  COMBINE(minloc_##name) { VALUES(portable_loc_##name); \
    if (isless(f->value, i->value) || (f->value == i->value && f->index < i->index) || (isnan(i->value) && !isnan(f->value))) *i = *f; } \
  COMBINE(maxloc_##name) { VALUES(portable_loc_##name); \
    if (isgreater(f->value, i->value) || (f->value == i->value && f->index < i->index) || (isnan(i->value) && !isnan(f->value))) *i = *f; }
REALS(COMBINE_REAL)

#define COMBINE_COMPLEX(name, type, k) \
  COMBINE(sum_##name) { VALUES(struct name); i->re += f->re; i->im += f->im; } \
  COMBINE(product_##name) { VALUES(struct name); *i = (struct name){i->re * f->re - i->im * f->im, i->re * f->im + i->im * f->re}; }
COMPLEXES(COMBINE_COMPLEX)

COMBINE(any) { VALUES(int32_t); *i = *i || *f; }
COMBINE(all) { VALUES(int32_t); *i = *i && *f; }

/* ---- tables ---- */

/* A table entry whose identity and empty value are computed by the compiler: partial results are aligned by their union. */
struct entry {
  int32_t operation, kind, wide;
  size_t bytes, result_bytes;
  union value { int8_t int8; int16_t int16; int32_t int32; int64_t int64; float real32; double real64; struct complex32 complex32;
    struct complex64 complex64; portable_loc_int8 loc_int8; portable_loc_int16 loc_int16; portable_loc_int32 loc_int32;
    portable_loc_int64 loc_int64; portable_loc_real32 loc_real32; portable_loc_real64 loc_real64; } identity, empty;
  portable__combine combine;
  void (*load)(void *, const void *);
  int (*store)(void *, const void *);
};

#define ROW(op, number, name, type, member, first, none) \
  {PORTABLE_REDUCE_##op, number, 0, sizeof(type), sizeof(type), {.member = first}, {.member = none}, name##_##member, load_##member, store_##member},
#define LOC(op, number, opname, name, type, first, none) \
  {PORTABLE_REDUCE_##op, number, 0, sizeof(type), sizeof(type), {.loc_##name = {first, INT64_MAX}}, {.loc_##name = {none, INT64_MAX}}, \
   opname##_##name, load_loc_##name, store_loc_##name},
#define INTEGER_ROWS(name, type, u, least, most, k) \
  ROW(SUM, k, sum, type, name, 0, 0) ROW(PRODUCT, k, product, type, name, 1, 1) ROW(MIN, k, min, type, name, most, most) \
  ROW(MAX, k, max, type, name, least, least) LOC(MINLOC, k, minloc, name, portable_loc_##name, most, most) \
  LOC(MAXLOC, k, maxloc, name, portable_loc_##name, least, least)
#define REAL_ROWS(name, type, most, k) \
  ROW(SUM, k, sum, type, name, 0, 0) ROW(PRODUCT, k, product, type, name, 1, 1) ROW(MIN, k, min, type, name, (type)INFINITY, most) \
  ROW(MAX, k, max, type, name, -(type)INFINITY, -most) LOC(MINLOC, k, minloc, name, portable_loc_##name, (type)INFINITY, most) \
  LOC(MAXLOC, k, maxloc, name, portable_loc_##name, -(type)INFINITY, -most)
#define NONE {0, 0}
#define UNIT {1, 0}
#define COMPLEX_ROWS(name, type, k) \
  {PORTABLE_REDUCE_SUM, k, 0, sizeof(struct name), sizeof(struct name), {.name = NONE}, {.name = NONE}, sum_##name, load_##name, store_##name}, \
  {PORTABLE_REDUCE_PRODUCT, k, 0, sizeof(struct name), sizeof(struct name), {.name = UNIT}, {.name = UNIT}, product_##name, load_##name, store_##name},
#define LOGICAL_ROWS(name, type, k) \
  {PORTABLE_REDUCE_ANY, k, 0, 4, sizeof(type), {.int32 = 0}, {.int32 = 0}, any, load_##name, store_##name}, \
  {PORTABLE_REDUCE_ALL, k, 0, 4, sizeof(type), {.int32 = 1}, {.int32 = 1}, all, load_##name, store_##name},

static const struct entry entries[] = {
  INTEGERS(INTEGER_ROWS) REALS(REAL_ROWS) COMPLEXES(COMPLEX_ROWS) LOGICALS(LOGICAL_ROWS)
  {PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT64, 0, 8, 8, {.int64 = 0}, {.int64 = 0}, sum_int64, load_int64, store_int64},
  {PORTABLE_REDUCE_COUNT, PORTABLE_KIND_INT32, 0, 8, 4, {.int64 = 0}, {.int64 = 0}, sum_int64, load_count32, store_count32},
  {PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL32, 1, 8, 4, {.real64 = 0}, {.real64 = 0}, sum_real64, load_wide, store_wide},
  {PORTABLE_REDUCE_PRODUCT, PORTABLE_KIND_REAL32, 1, 8, 4, {.real64 = 1}, {.real64 = 1}, product_real64, load_wide, store_wide},
  {PORTABLE_REDUCE_SUM, PORTABLE_KIND_COMPLEX32, 1, 16, 8, {.complex64 = NONE}, {.complex64 = NONE}, sum_complex64, load_wide2, store_wide2},
  {PORTABLE_REDUCE_PRODUCT, PORTABLE_KIND_COMPLEX32, 1, 16, 8, {.complex64 = UNIT}, {.complex64 = UNIT}, product_complex64, load_wide2, store_wide2},
};

int32_t portable__partial_find(int32_t operation, int32_t kind, int32_t wide, struct portable__partial *out) {
  if (kind != PORTABLE_KIND_REAL32 && kind != PORTABLE_KIND_COMPLEX32) wide = 0;
  if (operation != PORTABLE_REDUCE_SUM && operation != PORTABLE_REDUCE_PRODUCT) wide = 0;
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    const struct entry *e = &entries[i];
    if (e->operation != operation || e->kind != kind || e->wide != wide) continue;
    out->bytes = e->bytes;
    out->result_bytes = e->result_bytes;
    memcpy(out->identity, &e->identity, sizeof out->identity);
    memcpy(out->empty, &e->empty, sizeof out->empty);
    out->combine = e->combine;
    out->load = e->load;
    out->store = e->store;
    return 1;
  }
  return 0;
}

size_t portable__kind_bytes(int32_t kind) {
  static const unsigned char bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};
  return kind < 1 || kind >= (int32_t)sizeof bytes ? 0 : bytes[kind];
}

const char *portable__kind_name(int32_t kind) {
  static const char *const names[] = {"no kind", "int8", "int16", "int32", "int64", "real32", "real64", "complex32", "complex64", "logical8",
                                      "logical16", "logical32", "logical64", "exact"};
  return names[kind < 1 || kind > PORTABLE_KIND_EXACT ? 0 : kind];
}

const char *portable__operation_name(int32_t operation) {
  static const char *const names[] = {"no operation", "sum", "product", "min", "max", "minloc", "maxloc", "any", "all", "count", "user"};
  return names[operation < 1 || operation > PORTABLE_REDUCE_USER ? 0 : operation];
}
