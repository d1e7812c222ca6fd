/* checks.c - launch checks: each thing that they find, by API and by PORTABLE_CHECK; and what they do not mind. */
#include "seen.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

struct block {
  double a, *x;
};

static double x[1000];
static volatile double zero;

static void fine(const portable_tile *t, void *args) {
  const struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[i] = b->a * (double)i;
}

static void writes_block(const portable_tile *t, void *args) {
  (void)t;
  ((struct block *)args)->a += 1;
}

static void changes_tile(const portable_tile *t, void *args) {
  (void)args;
  ((portable_tile *)(uintptr_t)t)->upper[0]--;
}

static void divides(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) x[0] = 1 / zero;
}

static void not_a_number(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) x[0] = zero / zero;
}

static void rounds(const portable_tile *t, void *args) {
  (void)args;
  (void)t;
  fesetround(FE_UPWARD);
}

static void blocks_signals(const portable_tile *t, void *args) {
  sigset_t s;
  (void)args;
  (void)t;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &s, NULL);
}

static void unblocks_signals(const portable_tile *t, void *args) {
  sigset_t s;
  (void)args;
  (void)t;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &s, NULL);
}

static void nested(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(3);
  struct block block = {1, x};
  if (t->lower[0] == 0) CHECK_STATUS(portable_parallel_for(args, &b, fine, &block, sizeof block, NULL), PORTABLE_OK);
}

static void refused(const char *label, portable_kernel_function f, const char *text) {
  portable_bounds b = portable_bounds_1(1000);
  struct block block = {1, x};
  CHECK_STATUS(portable_parallel_for(label, &b, f, &block, sizeof block, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT(label);
  CHECK_TEXT(text);
}

/* So many lines of warnings, all with this text, of two launches. */
static void warned(const char *label, portable_kernel_function f, int lines, const char *text) {
  portable_bounds b = portable_bounds_1(1000);
  struct block block = {1, x};
  seen_begin();
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_parallel_for(label, &b, f, &block, sizeof block, NULL), PORTABLE_OK);
  const char *got = seen_errors();
  CHECK_SEEN(got, "portable: warning: PORTABLE_CHECK=launch: ", lines);
  if (lines) CHECK_SEEN(got, text, 1);
}

static void test_kernels(void) {
  int rounding = fegetround();
  refused("writes", writes_block, "has written into its argument block, which all threads share");
  refused("changes", changes_tile, "has changed its tile, which says what is whose work");
  warned("fine", fine, 0, "");
  warned("divides", divides, 1, "the kernel 'divides' raises floating-point exceptions: division by zero");
  warned("nan", not_a_number, 1, "the kernel 'nan' raises floating-point exceptions: invalid");
  warned("rounds", rounds, 1, "the kernel 'rounds' returns with another floating-point mode");
  fesetround(rounding);
  warned("mask", blocks_signals, 1, "the kernel 'mask' returns with signals blocked that were not");
  warned("mask again", unblocks_signals, 0, ""); /* as Go does on each new thread */
  warned(NULL, fine, 1, "a launch of 1000 iterations has no label");
  warned(" ", fine, 1, "a launch of 1000 iterations has the empty label ' '");
}

static void test_flags(void) {
  portable_bounds b = portable_bounds_1(1000);
  struct block block = {1, x};
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(FE_DIVBYZERO);
  warned("flags", fine, 0, ""); /* an exception from before is not the kernel's */
  CHECK(fetestexcept(FE_DIVBYZERO | FE_INVALID) == FE_DIVBYZERO);
  feclearexcept(FE_ALL_EXCEPT);
  seen_begin();
  CHECK_STATUS(portable_parallel_for("nan", &b, not_a_number, &block, sizeof block, NULL), PORTABLE_OK);
  CHECK_SEEN(seen_errors(), "warning", 0);
  CHECK(fetestexcept(FE_DIVBYZERO | FE_INVALID) == FE_INVALID); /* as without checks */
  feclearexcept(FE_ALL_EXCEPT);
}

static void test_nested(void) {
  portable_bounds b = portable_bounds_1(100), none;
  int64_t lower = 10, upper = 1, empty = 9;
  char same[] = "same", other[] = "other";
  seen_begin();
  CHECK_STATUS(portable_parallel_for("same", &b, nested, same, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("same", &b, nested, other, 0, NULL), PORTABLE_OK);
  CHECK_SEEN(seen_errors(), "'same' is launched inside a kernel of the same label", 1);
  seen_begin();
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_FORTRAN, &lower, &empty, NULL, &none), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("empty", &none, fine, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_bounds_make(1, PORTABLE_ORDER_FORTRAN, &lower, &upper, NULL, &none), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("backwards", &none, fine, NULL, 0, NULL), PORTABLE_OK);
  const char *got = seen_errors();
  CHECK_SEEN(got, "warning", 1);
  CHECK_SEEN(got, "parallel_for 'backwards' does nothing: the upper bound of dimension 1, 1, is below the lower one, 10", 1);
}

/* Calls into Go, on threads that were never there, change what is blocked on them: that is not the kernel's doing. */
static void allocates(const portable_tile *t, void *args) {
  void *p = NULL;
  (void)args;
  CHECK_STATUS(portable_alloc((size_t)(100000 + t->lower[0]), "in a kernel", &p), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
}

static void test_arguments(void) {
  static const portable_argument arguments[] = {
      {"a", PORTABLE_ARGUMENT_REAL64, 0, offsetof(struct block, a), sizeof(double)},
      {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(struct block, x), sizeof(void *)},
  };
  portable_bounds b = portable_bounds_1(10);
  portable_kernel k = 0;
  void *p = NULL;
  struct block block = {1, x};
  CHECK_STATUS(portable_kernel_create("object", sizeof block, arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, fine), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK); /* memory of another owner */
  block.x = NULL;
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(8000, "h", &p), PORTABLE_OK);
  block.x = p;
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  block.x = (double *)p + 500;
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_ERR_POINTER);
  CHECK_TEXT("portable_launch of 'object': argument 2 ('x') is 0x");
  CHECK_TEXT("in none of its live blocks: the block was freed");
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &b, &block, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_LAUNCH), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(k), PORTABLE_OK);
}

int main(void) {
  portable_bounds b = portable_bounds_1(1000);
  struct block block = {1, x};
  setenv("PORTABLE_CHECK", "launch, nonsense", 1);
  seen_begin();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_SEEN(seen_errors(), "PORTABLE_CHECK='launch, nonsense' is invalid (there is no check nonsense; there are launch, arrays, memory, hash, races, and all); "
             "using the others", 1);
  CHECK(portable_checks() == PORTABLE_CHECK_LAUNCH);
  refused("by environment", writes_block, "has written into its argument block");
  CHECK_STATUS(portable_set_checks(0x80), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_LAUNCH | PORTABLE_CHECK_MEMORY), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_set_checks: 0x5 has PORTABLE_CHECK_MEMORY or _HASH in it, which");
  CHECK(portable_checks() == PORTABLE_CHECK_LAUNCH);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
  CHECK(portable_checks() == 0);
  CHECK_STATUS(portable_parallel_for("off", &b, writes_block, &block, sizeof block, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  unsetenv("PORTABLE_CHECK");
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_LAUNCH), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* code wins over the environment */
  CHECK(portable_checks() == PORTABLE_CHECK_LAUNCH);
  warned("allocates", allocates, 0, "");
  test_kernels();
  test_flags();
  test_nested();
  test_arguments();
  return check_end();
}
