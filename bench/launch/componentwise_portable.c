/* componentwise_portable.c - the operations of componentwise.h by portable_componentwise.h. */
#include <portable.h>

#include <stdio.h>
#include <stdlib.h>

#include "../checked.h"
#include "componentwise.h"

static const portable_componentwise_options none = PORTABLE_COMPONENTWISE_OPTIONS_INIT;

void start(void) { check(portable_init(NULL)); }

void fill(int64_t n, double value, double *c) { check(portable_fill("fill", &value, sizeof value, c, 1, &n, NULL)); }

void add(int64_t n, const double *a, const double *b, double *c) {
  check(portable_binary("add", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, a, b, c, 1, &n, NULL));
}

void root(int64_t n, const double *a, double *c) { check(portable_unary("root", PORTABLE_UNARY_SQRT, PORTABLE_KIND_REAL64, a, c, 1, &n, NULL)); }

void less(int64_t n, const double *a, const double *b, int32_t *mask) {
  check(portable_binary("less", PORTABLE_BINARY_LESS, PORTABLE_KIND_REAL64, a, b, mask, 1, &n, NULL));
}

void sine(int64_t n, const double *a, double *c) { check(portable_unary("sine", PORTABLE_UNARY_SIN, PORTABLE_KIND_REAL64, a, c, 1, &n, NULL)); }

void add_second(int64_t n, const double *a, const double *b, double *c) {
  const int64_t stride = 2 * sizeof(double);
  portable_componentwise_options o = none;
  o.a_strides = o.b_strides = o.result_strides = &stride;
  check(portable_binary("add second", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, a, b, c, 1, &n, &o));
}

void add_inside(int64_t n, const double *a, const double *b, double *c) {
  const int64_t strides[2] = {n * (int64_t)sizeof(double), sizeof(double)}, extents[2] = {n - 2, n - 2};
  portable_componentwise_options o = none;
  o.a_strides = o.b_strides = o.result_strides = strides;
  check(portable_binary("add inside", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, a + n + 1, b + n + 1, c + n + 1, 2, extents, &o));
}
