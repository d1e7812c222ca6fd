/* objects.c - kernel objects: arguments, launches, handles, errors. */
#include "check.h"

#include <stddef.h>

struct axpy {
  double a;
  const double *x;
  double *y;
  int32_t n;
};

static void axpy(const portable_tile *t, void *args) {
  const struct axpy *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->y[i] += b->a * b->x[i];
}

static void twice(const portable_tile *t, void *args) {
  axpy(t, args);
  axpy(t, args);
}

static const portable_argument arguments[] = {
    {"a", PORTABLE_ARGUMENT_REAL64, 0, offsetof(struct axpy, a), sizeof(double)},
    {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_READ, offsetof(struct axpy, x), sizeof(void *)},
    {"y", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(struct axpy, y), sizeof(void *)},
    {"n", PORTABLE_ARGUMENT_INT32, 0, offsetof(struct axpy, n), sizeof(int32_t)},
};

static void refused(const char *text, size_t block_bytes, portable_argument a, portable_argument b) {
  const portable_argument both[] = {a, b};
  portable_kernel k = 5;
  CHECK_STATUS(portable_kernel_create("bad", block_bytes, both, 2, &k), PORTABLE_ERR_ARG);
  CHECK_TEXT(text);
  CHECK_TEXT("'bad'");
  CHECK(k == 0);
}

/* Ends its own kernel object, and makes others. */
static void ends_itself(const portable_tile *t, void *args) {
  portable_kernel *k = *(portable_kernel **)args, other = 0;
  CHECK_STATUS(portable_kernel_destroy(k[0]), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_create("other", 8, NULL, 0, &k[1]), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_create("third", 8, NULL, 0, &other), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(other), PORTABLE_OK);
  portable_kernel_fail(t, 3, "whose");
}

/* A launch under way keeps what it needs, its label too; afterwards the place is taken again. */
static void test_end_in_a_launch(void) {
  portable_bounds one = portable_bounds_1(1);
  for (int i = 0; i < 100; i++) {
    portable_kernel k[2] = {0, 0}, *block = k;
    CHECK_STATUS(portable_kernel_create("ends_itself", sizeof block, NULL, 0, &k[0]), PORTABLE_OK);
    CHECK_STATUS(portable_kernel_set_host(k[0], ends_itself), PORTABLE_OK);
    portable_kernel was = k[0];
    CHECK_STATUS(portable_launch(k[0], &one, &block, NULL), PORTABLE_ERR_KERNEL);
    CHECK_TEXT("parallel_for 'ends_itself': the kernel failed with code 3: whose");
    CHECK_STATUS(portable_launch(was, &one, &block, NULL), PORTABLE_ERR_HANDLE);
    CHECK_STATUS(portable_kernel_destroy(k[1]), PORTABLE_OK);
    CHECK((uint32_t)was < 8); /* the number of the slot */
  }
}

int main(void) {
  enum { N = 3000, MANY = 200 };
  static double x[N], y[N];
  struct axpy block = {2, x, y, N};
  portable_bounds b = portable_bounds_1(N);
  portable_kernel k = 0, many[MANY];
  portable_argument a;
  double sum;
  portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sum);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < N; i++) x[i] = i;
  CHECK_STATUS(portable_kernel_create("axpy", sizeof block, arguments, 4, &k), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_launch of 'axpy': the kernel has no implementation for the host");
  CHECK_STATUS(portable_kernel_set_host(k, axpy), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  for (int i = 0; i < N; i++) CHECK(y[i] == 2.0 * i);
  CHECK_STATUS(portable_kernel_set_host(k, twice), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  for (int i = 0; i < N; i++) CHECK(y[i] == 6.0 * i);
  CHECK_STATUS(portable_launch(k, &b, NULL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_kernel_argument(k, 1, &a), PORTABLE_OK);
  CHECK(strcmp(a.name, "x") == 0 && a.kind == PORTABLE_ARGUMENT_POINTER && a.access == PORTABLE_ACCESS_READ && a.offset == 8);
  CHECK_STATUS(portable_kernel_argument(k, 4, &a), PORTABLE_ERR_ARG);
  CHECK_TEXT("there is no argument 4; there are 4");
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("portable_launch: ");
  CHECK_STATUS(portable_launch_outer(k, &b, &block, 0, NULL), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("portable_launch_outer: ");
  CHECK_STATUS(portable_launch_reduce(k, &b, &block, &result, 1, NULL), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("portable_launch_reduce: ");
  CHECK_STATUS(portable_kernel_set_host(k, axpy), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_kernel_argument(k, 0, &a), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_kernel_destroy(0), PORTABLE_OK);
  CHECK_STATUS(portable_launch(0, &b, NULL, NULL), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_launch(UINT64_MAX, &b, NULL, NULL), PORTABLE_ERR_HANDLE);

  refused("has the kind 9", 16, (portable_argument){"p", 9, 0, 0, 8}, arguments[0]);
  refused("has 4 bytes; its kind has 8", 16, (portable_argument){"p", PORTABLE_ARGUMENT_REAL64, 0, 8, 4}, arguments[0]);
  refused("ends behind the block of 16 bytes", 16, (portable_argument){"p", PORTABLE_ARGUMENT_REAL64, 0, 12, 8}, arguments[0]);
  refused("ends behind the block", 16, (portable_argument){"p", PORTABLE_ARGUMENT_BYTES, 0, SIZE_MAX - 3, 8}, arguments[0]);
  refused("has the access 0", 16, (portable_argument){"p", PORTABLE_ARGUMENT_POINTER, 0, 8, 8}, arguments[0]);
  refused("has the access 1", 16, (portable_argument){"p", PORTABLE_ARGUMENT_INT64, PORTABLE_ACCESS_READ, 8, 8}, arguments[0]);
  refused("has the access 4", 16, (portable_argument){"p", PORTABLE_ARGUMENT_BYTES, 4, 8, 8}, arguments[0]);
  refused("has the access -1", 16, (portable_argument){"p", PORTABLE_ARGUMENT_INT64, -1, 8, 8}, arguments[0]);
  refused("has the access 4", 16, (portable_argument){"p", PORTABLE_ARGUMENT_POINTER, 4, 8, 8}, arguments[0]);
  refused("has 0 bytes", 16, (portable_argument){"p", PORTABLE_ARGUMENT_BYTES, 0, 8, 0}, arguments[0]);
  refused("arguments 1 and 2 overlap", 16, (portable_argument){"p", PORTABLE_ARGUMENT_BYTES, 0, 4, 8}, arguments[0]);
  CHECK_STATUS(portable_kernel_create("bad", 8, NULL, 1, &k), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_kernel_create("bad", 8, NULL, 0, NULL), PORTABLE_ERR_ARG);

  test_end_in_a_launch();

  /* More than one piece of the table; handles of slots that were used before are new ones. */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_kernel_create(NULL, 0, NULL, 0, &many[i]), PORTABLE_OK);
    for (int i = 0; i < MANY; i++)
      for (int j = 0; j < i; j++) CHECK(many[i] != many[j]);
    for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_kernel_destroy(many[i]), PORTABLE_OK);
    for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_kernel_destroy(many[i]), PORTABLE_ERR_HANDLE);
  }
  return check_end();
}
