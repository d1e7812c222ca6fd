/* barriers.c - block kernels of the host: ns of a barrier for each thread, against swapcontext; and
 * blocks without barriers against parallel_for, with 24 steps and with one operation. 512 x 512
 * blocks of 64 threads with 24 barriers; the first argument is another number for 512. One thread,
 * because a block is one thread's. Lines: name, ns, ratio, limit. Exit status 1: a limit is broken.
 * Not in this file: whether results are right (ffi_tests/blocks). */
#include <portable_blocks.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

enum { THREADS = 64, BARRIERS = 24, REPEATS = 5 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- barriers ---- */

typedef struct { int64_t *passed; } waits_args;
PORTABLE_BLOCK_KERNEL(waits, waits_args, b, a) {
  for (int k = 0; k < BARRIERS; k++) portable_block_barrier(b);
  if (b->member == THREADS - 1) *a->passed += THREADS;
}

static double block_ns(int64_t side) {
  int64_t passed = 0;
  const waits_args args = {&passed};
  const int32_t threads[] = {1, THREADS};
  const portable_bounds grid = portable_bounds_2(side, side);
  const double begun = now_ns();
  if (portable_parallel_blocks("waits", &grid, threads, waits, &args, sizeof args, 0, NULL) != PORTABLE_OK || passed != side * side * THREADS) {
    fprintf(stderr, "barriers: %s\n", portable_last_error());
    exit(1);
  }
  return (now_ns() - begun) / (double)(side * side * THREADS * BARRIERS);
}

/* The same ring of threads by the functions of the C library. */
static ucontext_t ring[THREADS], outside;
static int64_t passes;
static void ring_thread(int number) {
  for (;;) {
    passes++;
    if (number == THREADS - 1 && passes >= (int64_t)THREADS * 4 * BARRIERS) setcontext(&outside);
    swapcontext(&ring[number], &ring[(number + 1) % THREADS]);
  }
}

static double swap_ns(void) {
  static char *stacks;
  const size_t bytes = 65536;
  if (!stacks && !(stacks = malloc(THREADS * bytes))) exit(1);
  for (int i = 0; i < THREADS; i++) {
    getcontext(&ring[i]);
    ring[i].uc_stack.ss_sp = stacks + (size_t)i * bytes + (size_t)i * 64;
    ring[i].uc_stack.ss_size = bytes - THREADS * 64;
    makecontext(&ring[i], (void (*)(void))ring_thread, 1, i);
  }
  passes = 0;
  const double begun = now_ns();
  swapcontext(&outside, &ring[0]);
  return (now_ns() - begun) / (double)passes;
}

/* ---- blocks without barriers ---- */

enum { N = 1 << 13 };
typedef struct { const double *x; double *y; } poly_args;
/* As many steps as there were barriers. */
#define STEPS(from, to)                                          \
  double value = (from);                                         \
  for (int k = 0; k < BARRIERS; k++) value = value * 0.5 + 1.25; \
  (to) = value
PORTABLE_BLOCK_KERNEL(poly_blocks, poly_args, b, a) {
  const int64_t i = b->index[0] * THREADS + b->thread[0];
  STEPS(a->x[i], a->y[i]);
}
PORTABLE_KERNEL(poly_for, poly_args, a) {
  PORTABLE_FOR_1(i) { STEPS(a->x[i], a->y[i]); }
}
PORTABLE_BLOCK_KERNEL(one_blocks, poly_args, b, a) {
  const int64_t i = b->index[0] * THREADS + b->thread[0];
  a->y[i] = a->x[i] * 0.5 + 1.25;
}
PORTABLE_KERNEL(one_for, poly_args, a) {
  PORTABLE_FOR_1(i) { a->y[i] = a->x[i] * 0.5 + 1.25; }
}

static double poly_ns(const poly_args *args, portable_block_function blocks, portable_kernel_function loop) {
  const int32_t threads[] = {THREADS};
  const portable_bounds all = portable_bounds_1(N), grid = portable_bounds_1(N / THREADS);
  const double begun = now_ns();
  for (int k = 0; k < 100; k++) {
    if (blocks)
      portable_parallel_blocks("poly", &grid, threads, blocks, args, sizeof *args, 0, NULL);
    else
      portable_parallel_for("poly", &all, loop, args, sizeof *args, NULL);
  }
  return (now_ns() - begun) / (100.0 * N);
}

static int report(const char *name, double ns, double ratio, double limit) {
  printf("%-40s %8.2f ns  ratio %6.2f  at least %5.2f%s\n", name, ns, ratio, limit, ratio < limit ? "  BROKEN" : "");
  return ratio < limit;
}

int main(int count, char **arguments) {
  const int64_t side = count > 1 && atoi(arguments[1]) > 0 ? atoi(arguments[1]) : 512;
  portable_config config = PORTABLE_CONFIG_INIT;
  static double x[N], y[N];
  const poly_args args = {x, y};
  double block = 1e9, swap = 1e9, loop = 1e9, plain = 1e9, one = 1e9, thread = 1e9;
  config.num_threads = 1;
  if (portable_init(&config) != PORTABLE_OK) return 1;
  for (int i = 0; i < N; i++) x[i] = 1.0 / (i + 1);
  /* In turn, so that a disturbance meets all. */
  for (int k = 0; k < REPEATS; k++) {
    const double ns[] = {block_ns(side), swap_ns(), poly_ns(&args, NULL, poly_for), poly_ns(&args, poly_blocks, NULL),
                         poly_ns(&args, NULL, one_for), poly_ns(&args, one_blocks, NULL)};
    if (ns[0] < block) block = ns[0];
    if (ns[1] < swap) swap = ns[1];
    if (ns[2] < loop) loop = ns[2];
    if (ns[3] < plain) plain = ns[3];
    if (ns[4] < one) one = ns[4];
    if (ns[5] < thread) thread = ns[5];
  }
  printf("%-40s %8.2f ns\n", "swapcontext, a switch", swap);
  int broken = report("block barrier, a thread", block, swap / block, 10);
  printf("%-40s %8.2f ns\n", "parallel_for, an iteration", loop);
  broken |= report("block without barriers, a thread", plain, loop / plain, 0.95);
  printf("%-40s %8.2f ns\n", "parallel_for of one operation", one);
  broken |= report("block of one operation, a thread", thread, one / thread, 0.8);
  portable_finalize();
  return count > 1 ? 0 : broken; /* a short run measures nothing */
}
