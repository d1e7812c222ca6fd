/* refused.c - what portable_componentwise.h refuses: which status, which text, and that nothing is written. Not in this file: what is
 * computed (model.c). */
#include "check.h"

#include <limits.h>

static double a[12], b[12], c[12];
static int32_t i[12], j[12], k[12], before[12];
static const int64_t shape[2] = {3, 4};
static portable_componentwise_options none = PORTABLE_COMPONENTWISE_OPTIONS_INIT;

#define REFUSED(call, text)            \
  do {                                 \
    CHECK_STATUS(call, PORTABLE_ERR_ARG); \
    CHECK_TEXT(text);                  \
  } while (0)

static void test_arguments(void) {
  portable_componentwise_options o = none;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  const int64_t negative[2] = {3, -4}, immense[2] = {INT64_MAX, 4}, wide[2] = {INT64_MAX, 8};
  int32_t real64 = PORTABLE_KIND_REAL64, int32 = PORTABLE_KIND_INT32;
  REFUSED(portable_binary("x", 0, real64, a, b, c, 2, shape, NULL), "binary 'x': 0 is not an operation; they are PORTABLE_BINARY_ADD to _OR");
  REFUSED(portable_binary("x", PORTABLE_BINARY_OR + 1, real64, a, b, c, 2, shape, NULL), "19 is not an operation");
  REFUSED(portable_unary("x", PORTABLE_UNARY_NOT + 1, real64, a, c, 2, shape, NULL), "unary 'x': 22 is not an operation; they are PORTABLE_UNARY_PLUS to _NOT");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, 99, a, b, c, 2, shape, NULL), "99 is not a kind");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, PORTABLE_KIND_COMPLEX64, a, b, c, 2, shape, NULL), "there is no add of elements of the kind complex64");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ATAN2, int32, i, j, k, 2, shape, NULL), "there is no atan2 of elements of the kind int32; integers have");
  REFUSED(portable_unary("x", PORTABLE_UNARY_SQRT, int32, i, k, 2, shape, NULL), "there is no sqrt");
  REFUSED(portable_binary("x", PORTABLE_BINARY_LESS, PORTABLE_KIND_LOGICAL32, i, j, k, 2, shape, NULL), "logicals have and, or, not");
  REFUSED(portable_binary(NULL, PORTABLE_BINARY_ADD, real64, NULL, b, c, 2, shape, NULL), "binary 'unlabelled': a is NULL");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, NULL, c, 2, shape, NULL), "b is NULL");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, NULL, 2, shape, NULL), "the result is NULL");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 2, NULL, NULL), "extents is NULL");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 0, shape, NULL), "rank is 0; it is 1 to 8");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 9, shape, NULL), "rank is 9");
  REFUSED(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 2, negative, NULL), "extent 2 is -4");
  CHECK_STATUS(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 2, immense, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_STATUS(portable_binary("x", PORTABLE_BINARY_ADD, real64, a, b, c, 1, wide, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("the result spans more bytes");
  REFUSED(portable_merge("x", 77, a, b, PORTABLE_KIND_LOGICAL32, i, c, 2, shape, NULL), "merge 'x': 77 is not a kind");
  REFUSED(portable_merge("x", real64, a, b, int32, i, c, 2, shape, NULL), "mask_kind is 3");
  REFUSED(portable_merge("x", real64, a, b, PORTABLE_KIND_LOGICAL32, NULL, c, 2, shape, NULL), "the mask is NULL");
  REFUSED(portable_fill("x", a, 0, c, 2, shape, NULL), "fill 'x': element_bytes is 0");
  REFUSED(portable_fill("x", NULL, 8, c, 2, shape, NULL), "the value is NULL");
  o.struct_size = 1000;
  REFUSED(portable_unary("x", PORTABLE_UNARY_ABS, real64, a, c, 2, shape, &o), "options.struct_size is 1000");
  o = none, o.flags = 8;
  REFUSED(portable_unary("x", PORTABLE_UNARY_ABS, real64, a, c, 2, shape, &o), "flags is 0x8");
  o = none, o.order = 2;
  REFUSED(portable_unary("x", PORTABLE_UNARY_ABS, real64, a, c, 2, shape, &o), "order is 2");
  o = none, o.result_kind = int32;
  REFUSED(portable_unary("x", PORTABLE_UNARY_NOT, real64, a, c, 2, shape, &o), "result_kind is 3");
  o = none, o.flags = PORTABLE_ONE_A;
  REFUSED(portable_unary("x", PORTABLE_UNARY_ABS, real64, NULL, c, 2, shape, &o), "a is NULL");
  launch.struct_size = 0, o = none, o.launch = &launch;
  REFUSED(portable_unary("x", PORTABLE_UNARY_ABS, real64, a, c, 2, shape, &o), "launch.struct_size is 0");
  launch.struct_size = sizeof launch, launch.device = 99;
  CHECK_STATUS(portable_unary("x", PORTABLE_UNARY_ABS, real64, a, c, 2, shape, &o), PORTABLE_ERR_NODEVICE);
}

static void test_memory(void) {
  portable_componentwise_options o = none;
  const int64_t column[2] = {8, 24}, row[2] = {32, 8}, still[2] = {32, 0}, narrow[2] = {16, 8}, few[2] = {3, 2}, second[2] = {32, 16};
  const int32_t add = PORTABLE_BINARY_ADD, real64 = PORTABLE_KIND_REAL64;
  for (int n = 0; n < 12; n++) c[n] = n;
  REFUSED(portable_binary("x", add, real64, c + 1, b, c, 1, few, NULL), "the result shares memory with a, and not element by element");
  REFUSED(portable_binary("x", add, real64, b, c, c + 1, 1, few, NULL), "shares memory with b");
  o.a_strides = column, o.result_strides = row; /* transposed in place */
  REFUSED(portable_unary("x", PORTABLE_UNARY_PLUS, real64, c, c, 2, shape, &o), "shares memory with a");
  o = none, o.result_strides = still;
  REFUSED(portable_fill("x", a, 8, c, 2, shape, &o), "elements of the result overlap");
  o.result_strides = narrow;
  REFUSED(portable_fill("x", a, 8, c, 2, shape, &o), "elements of the result overlap");
  o = none; /* logicals of half the size, over what they are made from */
  REFUSED(portable_binary("x", PORTABLE_BINARY_LESS, real64, c, b, c, 2, shape, NULL), "shares memory with a");
  for (int n = 0; n < 12; n++) CHECK(c[n] == n);
  /* Operands that are apart are taken: odd and even elements, the same elements, a value among the results. */
  o.a_strides = o.result_strides = second;
  CHECK_STATUS(portable_unary("x", PORTABLE_UNARY_NEGATE, real64, c, c + 1, 2, few, &o), PORTABLE_OK);
  for (int n = 0; n < 12; n++) CHECK(c[n] == (n % 2 ? -(n - 1) : n));
  o.flags = PORTABLE_ONE_B;
  CHECK_STATUS(portable_binary("x", add, real64, c, c + 2, c, 2, few, &o), PORTABLE_OK);
  for (int n = 0; n < 12; n += 2) CHECK(c[n] == n + 2);
}

static void test_division(void) {
  portable_componentwise_options fortran = none, one = none, large = none;
  enum { MANY = 100000 };
  const int64_t many[1] = {MANY};
  const int32_t divide = PORTABLE_BINARY_DIVIDE, int32 = PORTABLE_KIND_INT32;
  int64_t *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
  int32_t zero = 0;
  fortran.order = PORTABLE_ORDER_FORTRAN;
  one.flags = PORTABLE_ONE_B;
  for (int n = 0; n < 12; n++) i[n] = 100 + n, j[n] = n == 6 || n == 9 ? 0 : n + 1, k[n] = before[n] = -n;
  REFUSED(portable_binary("shares", divide, int32, i, j, k, 2, shape, NULL), "binary 'shares': divide divides by 0 at index [1][2] first; nothing was written");
  REFUSED(portable_binary("shares", PORTABLE_BINARY_MOD, int32, i, j, k, 2, shape, &fortran), "mod divides by 0 at index (1,3) first");
  REFUSED(portable_binary("shares", divide, int32, i, &zero, k, 2, shape, &one), "at index [0][0]");
  CHECK(!memcmp(k, before, sizeof k));
  REFUSED(portable_binary("in place", divide, int32, i, j, i, 2, shape, NULL), "divides by 0");
  for (int n = 0; n < 12; n++) CHECK(i[n] == 100 + n);
  for (int n = 0; n < 12; n++) i[n] = n, j[n] = n == 0 ? 0 : n == 5 ? -3 : n;
  CHECK_STATUS(portable_binary("powers", PORTABLE_BINARY_POWER, int32, i, j, k, 2, shape, NULL), PORTABLE_OK); /* 0**0 and 5**-3 have a result */
  CHECK(k[0] == 1 && k[3] == 27 && k[5] == 0);
  i[5] = 0;
  REFUSED(portable_binary("powers", PORTABLE_BINARY_POWER, int32, i, j, k, 2, shape, NULL), "power divides by 0 at index [1][1]");
  for (int n = 0; n < MANY; n++) x[n] = n, y[n] = n == 77777 || n == 99998 ? 0 : 7;
  REFUSED(portable_binary("many", divide, PORTABLE_KIND_INT64, x, y, x, 1, many, &large), "index [77777] first");
  for (int n = 0; n < MANY; n++) CHECK(x[n] == n);
  y[77777] = y[99998] = -1;
  CHECK_STATUS(portable_binary("many", divide, PORTABLE_KIND_INT64, x, y, x, 1, many, &large), PORTABLE_OK);
  for (int n = 0; n < MANY; n++) CHECK(x[n] == n / (y[n]));
  free(x), free(y);
}

static void test_wrapping(void) {
  const int64_t n = 4;
  int32_t x[4] = {INT32_MIN, INT32_MAX, INT32_MIN, 5}, y[4] = {-1, 1, 2, -5}, r[4];
  CHECK_STATUS(portable_binary("x", PORTABLE_BINARY_DIVIDE, PORTABLE_KIND_INT32, x, y, r, 1, &n, NULL), PORTABLE_OK);
  CHECK(r[0] == INT32_MIN && r[1] == INT32_MAX && r[2] == INT32_MIN / 2 && r[3] == -1);
  CHECK_STATUS(portable_binary("x", PORTABLE_BINARY_MOD, PORTABLE_KIND_INT32, x, y, r, 1, &n, NULL), PORTABLE_OK);
  CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0);
  CHECK_STATUS(portable_binary("x", PORTABLE_BINARY_ADD, PORTABLE_KIND_INT32, x, y, r, 1, &n, NULL), PORTABLE_OK);
  CHECK(r[0] == INT32_MAX && r[1] == INT32_MIN && r[3] == 0);
  CHECK_STATUS(portable_unary("x", PORTABLE_UNARY_ABS, PORTABLE_KIND_INT32, x, r, 1, &n, NULL), PORTABLE_OK);
  CHECK(r[0] == INT32_MIN && r[1] == INT32_MAX);
}

int main(void) {
  CHECK_STATUS(portable_unary("x", PORTABLE_UNARY_ABS, PORTABLE_KIND_REAL64, a, c, 2, shape, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_arguments();
  test_memory();
  test_division();
  test_wrapping();
  return check_end();
}
