/* faults.c - faults from C: one function each, chosen by the first argument.
 * Not in this file: Fortran (pool.f90, kernels.f90), C++ (faults.cpp), what marks mean (../main.go). */
#define _GNU_SOURCE
#include <portable.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile double sink;

/* Takes a block of n doubles. The callers' lines are what reports show. */
static double *take(size_t n, const char *label) {
  void *p = NULL;
  if (portable_alloc(n * sizeof(double), label, &p) != 0) exit(3); /*~ lost_in_c leak; exit_without_finalize leak */
  return (double *)p;
}

/* fault c_write_past_end: <= where < was meant */
static void c_write_past_end(void) {
  double *a = take(100, "a");
  for (int i = 0; i <= 100; i++) a[i] = i; /*~ out-of-bounds */
  portable_free(a);
}

/* fault c_read_past_end: an average over one element too many */
static void c_read_past_end(void) {
  double *a = take(100, "a");
  for (int i = 0; i < 100; i++) a[i] = i;
  for (int i = 0; i <= 100; i++) sink += a[i]; /*~ out-of-bounds */
  portable_free(a);
}

/* fault c_before_start: an index from 1 is taken down by two [guard=start] */
static void c_before_start(void) {
  double *a = take(100, "a");
  for (int i = 1; i <= 100; i++) a[i - 2] = i; /*~ out-of-bounds */
  portable_free(a);
}

/* fault c_bytes: a text is as long as its block, and its end comes behind it */
static void c_bytes(void) {
  void *p = NULL;
  const char *name = "temperature";
  if (portable_alloc(strlen(name), "name", &p) != 0) exit(3);
  for (size_t i = 0; i <= strlen(name); i++) ((char *)p)[i] = name[i]; /*~ out-of-bounds */
  portable_free(p);
}

/* fault c_memcpy: a copy of more bytes than there are */
static void c_memcpy(void) {
  static double from[200];
  double *a = take(100, "a");
  memcpy(a, from, sizeof from); /*~ out-of-bounds */
  sink = a[0];
  portable_free(a);
}

/* fault c_memset: doubles are counted where bytes are meant, of a smaller type */
static void c_memset(void) {
  float *a = NULL;
  volatile size_t n = 100;
  if (portable_alloc(n * sizeof *a, "a", (void **)&a) != 0) exit(3);
  memset(a, 0, n * sizeof(double)); /*~ out-of-bounds */
  portable_free(a);
}

struct row { int32_t n; double x[3]; };

/* fault c_structures: the last structure of an array is one too far */
static void c_structures(void) {
  struct row *r = NULL;
  if (portable_alloc(10 * sizeof *r, "rows", (void **)&r) != 0) exit(3);
  for (int i = 0; i <= 10; i++) r[i].n = i; /*~ out-of-bounds */
  portable_free(r);
}

/* fault c_pool: a block of a pool of the program's */
static void c_pool(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p = NULL;
  if (portable_pool_create(&config, &pool) != 0 || portable_pool_alloc(pool, 80, "own", &p) != 0) exit(3);
  ((double *)p)[10 + (int)sink] = 1; /*~ out-of-bounds */
  portable_pool_free(pool, p);
  portable_pool_destroy(pool);
}

static void *in_thread(void *payload) {
  double *a = (double *)payload;
  for (int i = 0; i <= 100; i++) a[i] = i; /*~ c_thread out-of-bounds; c_thread_freed use-after-free */
  return NULL;
}

static void run_thread(double *a) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, in_thread, a) != 0) exit(3);
  pthread_join(thread, NULL);
}

/* fault c_thread: in a thread that the program has made */
static void c_thread(void) {
  double *a = take(100, "a");
  run_thread(a);
  portable_free(a);
}

/* fault c_thread_freed: a thread uses an array that the main thread has freed */
static void c_thread_freed(void) {
  double *a = take(101, "a");
  portable_free(a);
  run_thread(a);
}

struct axpy { double a, *x, *y; int64_t off; };

static void axpy(const portable_tile *t, void *args) {
  const struct axpy *k = (const struct axpy *)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) k->y[i] += k->a * k->x[i + k->off]; /*~ c_kernel out-of-bounds; c_stream out-of-bounds */
}

static void launch_axpy(int64_t off, portable_stream stream) {
  struct axpy k = {2.0, take(1000, "x"), take(1000, "y"), off};
  portable_bounds b = portable_bounds_1(1000);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.stream = stream;
  for (int i = 0; i < 1000; i++) k.x[i] = k.y[i] = i;
  portable_parallel_for("axpy", &b, axpy, &k, sizeof k, &config);
  portable_fence();
  portable_free(k.x);
  portable_free(k.y);
}

/* fault c_kernel: a kernel reads one element outside of the array */
static void c_kernel(void) { launch_axpy(1, 0); }

/* fault c_stream: a kernel in a stream reads one element outside of the array */
static void c_stream(void) {
  portable_stream stream;
  if (portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream) != 0) exit(3);
  launch_axpy(1, stream);
  portable_stream_destroy(stream);
}

/* fault c_use_after_free: a block is read behind its free */
static void c_use_after_free(void) {
  double *a = take(100, "a");
  a[7] = 1;
  portable_free(a);
  sink = a[7]; /*~ use-after-free */
}

/* fault c_free_twice: the same block twice */
static void c_free_twice(void) {
  double *a = take(100, "a");
  portable_free(a);
  portable_free(a); /*~ double-free */
  sink = 1;
}

/* fault c_free_of_malloc: what malloc gave */
static void c_free_of_malloc(void) {
  double *a = (double *)malloc(800);
  portable_free(a); /*~ foreign-free */
  free(a);
}

/* fault c_free_of_local: an array on the stack */
static void c_free_of_local(void) {
  double a[100];
  a[0] = sink;
  portable_free(a); /*~ foreign-free */
}

/* fault c_free_inside: a pointer that has walked on */
static void c_free_inside(void) {
  double *a = take(100, "a"), *walk = a;
  for (int i = 0; i < 10; i++) *walk++ = i;
  portable_free(walk); /*~ interior-free */
  portable_free(a);
}

/* fault c_libc_free: free() of a block of the pool */
static void c_libc_free(void) {
  double *a = take(100, "a");
  a[0] = 1;
  free(a); /*~ intrinsic-free|crash */
  sink = 1; /* or the call would be a jump, which leaves no line */
}

/* fault c_wrong_pool: a block of the default pool is given to another one */
static void c_wrong_pool(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  double *a = take(100, "a");
  if (portable_pool_create(&config, &pool) != 0) exit(3);
  portable_pool_free(pool, a); /*~ foreign-free */
  portable_free(a);
  portable_pool_destroy(pool);
}

/* fault lost_in_c: a block that is never freed */
static void lost_in_c(void) { sink = take(100, "lost")[0] = 1; }

/* fault exit_without_finalize: the program ends by exit, with a block */
static void exit_without_finalize(void) {
  take(100, "held")[0] = 1;
  exit(0);
}

/* fault pool_leak: a block of a pool of the program's */
static void pool_leak(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p = NULL;
  if (portable_pool_create(&config, &pool) != 0) exit(3);
  if (portable_pool_alloc(pool, 80, "own", &p) != 0) exit(3); /*~ leak */
}

/* fault c_index: an index of a described array [--checks=arrays] */
static void c_index(void) {
  const int64_t extents[2] = {10, 20};
  portable_array a;
  if (portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a) != 0) exit(3);
  for (int64_t i = 0; i <= 10; i++) {
    double *p = (double *)portable_array_at2(&a, i, 3); /*~ index-out-of-bounds */
    if (p) *p = 1;
  }
  portable_array_release(&a);
}

static void changes_arguments(const portable_tile *t, void *args) {
  struct axpy *k = (struct axpy *)args;
  k->a += (double)t->upper[0];
}

/* fault c_arguments: a kernel writes into its argument block [--checks=launch] */
static void c_arguments(void) {
  struct axpy k = {2.0, NULL, NULL, 0};
  portable_bounds b = portable_bounds_1(1000);
  if (portable_parallel_for("sum", &b, changes_arguments, &k, sizeof k, NULL) == 0) sink = 1; /*~ kernel-wrote-arguments */
}

/* fault c_null: a pointer that was never set */
static void c_null(void) {
  volatile double *volatile a = NULL;
  a[3] = 1; /*~ crash */
}

static void end_with_9(int number) {
  (void)number;
  _exit(9);
}

/* fault c_own_handler: a program with a handler of its own for wrong accesses */
static void c_own_handler(void) {
  struct sigaction own;
  memset(&own, 0, sizeof own);
  own.sa_handler = end_with_9;
  sigaction(SIGSEGV, &own, NULL);
  double *a = take(100, "a");
  for (int i = 0; i <= 100; i++) a[i] = i; /*~ out-of-bounds */
  portable_free(a);
}

static sigjmp_buf back;

static void jump_back(int number) { siglongjmp(back, number); }

/* clean c_recovers: a handler of the program's tests whether an address can be read, and goes on */
static void c_recovers(void) {
  struct sigaction own, before;
  volatile double *volatile nothing = NULL;
  double *a = take(100, "a");
  memset(&own, 0, sizeof own);
  own.sa_handler = jump_back;
  own.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &own, &before);
  if (sigsetjmp(back, 1) == 0) sink = nothing[1];
  sigaction(SIGSEGV, &before, NULL);
  a[99] = 1;
  portable_free(a);
}

/* clean c_ends_exactly: all bytes of blocks of many sizes */
static void c_ends_exactly(void) {
  for (size_t n = 1; n < 400; n += 13) {
    void *p = NULL;
    if (portable_alloc(n, "bytes", &p) != 0) exit(3);
    memset(p, 1, n);
    portable_free(p);
  }
}

/* clean c_kernels: kernels that read and write all of their arrays, in a stream too */
static void c_kernels(void) {
  portable_stream stream;
  launch_axpy(0, 0);
  if (portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream) != 0) exit(3);
  launch_axpy(0, stream);
  portable_stream_destroy(stream);
}

static void *in_good_thread(void *payload) {
  for (int i = 0; i < 50; i++) {
    double *a = take(100 + (size_t)i, "t");
    a[0] = a[99 + i] = i;
    portable_free(a);
  }
  return payload;
}

/* clean c_threads: threads that allocate and free, and one that frees another thread's block */
static void c_threads(void) {
  pthread_t threads[3];
  double *a = take(10, "a");
  for (int i = 0; i < 3; i++)
    if (pthread_create(&threads[i], NULL, in_good_thread, a) != 0) exit(3);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  portable_free(a);
}

/* clean c_pools: a pool of the program's, released as a whole */
static void c_pools(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p = NULL;
  if (portable_pool_create(&config, &pool) != 0 || portable_pool_alloc(pool, 800, "own", &p) != 0) exit(3);
  memset(p, 0, 800);
  portable_pool_free(pool, p);
  portable_pool_destroy(pool);
}

/* clean c_arrays: described arrays with views [--checks=launch,arrays] */
static void c_arrays(void) {
  const int64_t extents[2] = {10, 20};
  const portable_array_range ranges[2] = {PORTABLE_RANGE_INDEX(7), PORTABLE_RANGE_ALL};
  portable_array a, row;
  if (portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &a) != 0) exit(3);
  portable_array_slice(&a, ranges, &row);
  *(double *)portable_array_at1(&row, 19) = 1;
  *(double *)portable_array_at2(&a, 9, 19) = 1;
  portable_array_release(&row);
  portable_array_release(&a);
}

/* clean c_exit: the program ends by exit with everything freed, and a code of its own */
static void c_exit(void) {
  portable_free(take(100, "a"));
  portable_finalize();
  exit(0);
}

#define CASES(X) \
  X(c_write_past_end) X(c_read_past_end) X(c_before_start) X(c_bytes) X(c_memcpy) X(c_memset) X(c_structures) \
  X(c_pool) X(c_thread) X(c_thread_freed) X(c_kernel) X(c_stream) X(c_use_after_free) X(c_free_twice) \
  X(c_free_of_malloc) X(c_free_of_local) X(c_free_inside) X(c_libc_free) X(c_wrong_pool) X(lost_in_c) \
  X(exit_without_finalize) X(pool_leak) X(c_index) X(c_arguments) X(c_null) X(c_own_handler) X(c_recovers) X(c_ends_exactly) X(c_kernels) \
  X(c_threads) X(c_pools) X(c_arrays) X(c_exit)

int main(int argc, char **argv) {
#define NAMED(name) {#name, name},
  static const struct { const char *name; void (*run)(void); } all[] = {CASES(NAMED)};
  if (portable_init(NULL) != 0) return 3;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2 || strcmp(argv[1], all[i].name) != 0) continue;
    all[i].run();
    portable_finalize();
    return 0;
  }
  fprintf(stderr, "no such case\n");
  return 4;
}
