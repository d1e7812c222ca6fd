/* portable.c - the rows of rows.h by the library, on a CUDA device: the peer of plain.cu, with the
 * same rows under the same names. Memory is the device's own, as in plain.cu. Exits with 77 if
 * there is no CUDA device. Usage: bench_cuda_portable [bodies.h [small]] (path of the file with the
 * kernels, small sizes; PORTABLE_DEVICE=cuda) */
#include "rows.h"

#include <portable_random.h>

#include <stdlib.h>
#include <string.h>

#include "bodies.h"

static portable_device device;
static const char *source;

static void check(portable_status status, const char *what) {
  if (status == PORTABLE_OK) return;
  fprintf(stderr, "bench_cuda_portable: %s: %s\n", what, portable_last_error());
  exit(1);
}
#define CHECK(call) check(call, #call)

static portable_kernel kernel(const char *name, size_t bytes, portable_kernel_function host, portable_team_function team, portable_reduce_function reduces) {
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  portable_kernel k;
  code.form = PORTABLE_CUDA_SOURCE_FILE;
  code.code = source;
  CHECK(portable_kernel_create(name, bytes, NULL, 0, &k));
  CHECK(team ? portable_kernel_set_host_team(k, team) : reduces ? portable_kernel_set_host_reduce(k, reduces) : portable_kernel_set_host(k, host));
  CHECK(portable_kernel_set_cuda(k, &code));
  CHECK(portable_kernel_prepare(k, device));
  return k;
}
#define KERNEL(name) kernel(#name, sizeof(name##_args), name, NULL, NULL)

static portable_pool memory;

static void *block(const char *label, int64_t bytes) {
  void *p;
  CHECK(portable_pool_alloc(memory, (size_t)bytes, label, &p));
  return p;
}

static double *field(portable_kernel fills, int64_t n, int64_t period, double first) {
  double *x = (double *)block("field", n * (int64_t)sizeof *x);
  fill_args a = {x, period, first};
  portable_bounds all = portable_bounds_1(n);
  CHECK(portable_launch(fills, &all, &a, NULL));
  CHECK(portable_fence());
  return x;
}

static void drop(void *p) { CHECK(portable_pool_free(memory, p)); }

static void launches(void) {
  portable_kernel k = KERNEL(empty);
  portable_bounds one = portable_bounds_1(1);
  empty_args a = {1};
  double least = 1e30, both = 1e30;
  for (int round = 0; round < REPEATS; round++) {
    CHECK(portable_fence());
    double begin = seconds();
    for (int i = 0; i < QUEUED; i++) portable_launch(k, &one, &a, NULL);
    double took = (seconds() - begin) / QUEUED;
    if (took < least) least = took;
    CHECK(portable_fence());
    took = (seconds() - begin) / QUEUED;
    if (took < both) both = took;
  }
  row("launch, queued", least, 0);
  row("launch, until it is done, one after the other", both, 0);
  MEASURE("launch and wait", 1, 0, (portable_launch(k, &one, &a, NULL), portable_stream_fence(portable_device_stream(device))));
  CHECK(portable_kernel_destroy(k));
}

static void pool(void) {
  void *live[64] = {NULL};
  MEASURE("allocate and free, one size", PAIRS, 0, {
    for (int i = 0; i < PAIRS; i++) {
      void *x;
      portable_pool_alloc(memory, 1 << 20, "pair", &x);
      portable_pool_free(memory, x);
    }
  });
  MEASURE("allocate and free, mixed sizes, 64 live", PAIRS, 0, {
    for (int i = 0; i < PAIRS; i++) {
      void **x = &live[i % 64];
      if (*x) portable_pool_free(memory, *x);
      portable_pool_alloc(memory, (size_t)block_bytes(i), "mixed", x);
    }
  });
  for (int i = 0; i < 64; i++)
    if (live[i]) drop(live[i]);
}

static double sum_of(const double *x, int64_t n) {
  double sum;
  CHECK(portable_reduce_array("sum", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, NULL, &sum));
  return sum;
}

static void fields(portable_kernel fills) {
  portable_kernel k = KERNEL(triad);
  const int64_t n = ELEMENTS;
  portable_bounds all = portable_bounds_1(n);
  triad_args a = {field(fills, ELEMENTS, 7, 1), field(fills, ELEMENTS, 5, 2), field(fills, ELEMENTS, 3, 3), 3};
  double sum = 0;
  MEASURE("triad", 1, 24.0 * ELEMENTS, (portable_launch(k, &all, &a, NULL), portable_fence()));
  MEASURE("sum of an array", 1, 8.0 * ELEMENTS, sum = sum_of(a.a, ELEMENTS));
  printf("# sum %.17g\n", sum);
  MEASURE("random_fill, real64", 1, 8.0 * ELEMENTS,
          (CHECK(portable_random_fill("random", PORTABLE_KIND_REAL64, portable_random_key_make(2026, 1, 1), a.a, 1, &n, NULL)), portable_fence()));
  drop(a.a), drop((void *)(uintptr_t)a.b), drop((void *)(uintptr_t)a.c);
  CHECK(portable_kernel_destroy(k));
}

static void cube(portable_kernel fills) {
  portable_kernel k = KERNEL(stencil);
  const int64_t points = (int64_t)(CUBE + 2) * (CUBE + 2) * (CUBE + 2), lower[3] = {1, 1, 1}, upper[3] = {CUBE, CUBE, CUBE};
  portable_bounds inner;
  stencil_args a = {field(fills, points, 11, 0), field(fills, points, 11, 0), CUBE, 0.1};
  CHECK(portable_bounds_make(3, PORTABLE_ORDER_FORTRAN, lower, upper, NULL, &inner));
  MEASURE("7-point stencil", 1, 16.0 * CUBE * CUBE * CUBE, (portable_launch(k, &inner, &a, NULL), portable_fence()));
  drop(a.to), drop((void *)(uintptr_t)a.from);
  CHECK(portable_kernel_destroy(k));
}

static void cells(portable_kernel fills) {
  portable_kernel k = kernel("max_stable_dt", sizeof(max_stable_dt_args), NULL, NULL, max_stable_dt);
  const int64_t n = (int64_t)PLANE * PLANE;
  portable_bounds all = portable_bounds_1(n);
  max_stable_dt_args a = {field(fills, n, 7, 10), field(fills, n, 5, -2), field(fills, n, 3, -2)};
  double dt = 0;
  portable_reduction to = PORTABLE_REDUCTION(PORTABLE_REDUCE_MIN, PORTABLE_KIND_REAL64, &dt);
  MEASURE("max_stable_dt", 1, 24.0 * (double)n, CHECK(portable_launch_reduce(k, &all, &a, &to, 1, NULL)));
  printf("# dt %.17g\n", dt);
  drop((void *)(uintptr_t)a.h), drop((void *)(uintptr_t)a.u), drop((void *)(uintptr_t)a.v);
  CHECK(portable_kernel_destroy(k));
}

static void matrices(portable_kernel fills) {
  portable_kernel k = kernel("product", sizeof(product_args), NULL, product, NULL);
  const int64_t entries = (int64_t)MATRIX * MATRIX;
  portable_bounds tiles = portable_bounds_2(MATRIX / TILE, MATRIX / TILE);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  product_args a = {field(fills, entries, 1, 0), field(fills, entries, 10, 0), field(fills, entries, 9, 0), MATRIX};
  double last;
  config.block_size = TILE * TILE;
  MEASURE("tiled product of matrices", 1, 2.0 * MATRIX * (double)entries,
          (portable_launch_outer(k, &tiles, &a, 3 * TILE * TILE * sizeof(double), &config), portable_fence()));
  last = sum_of(a.c + entries - 1, 1);
  printf("# product %.17g\n", last);
  drop(a.c), drop((void *)(uintptr_t)a.a), drop((void *)(uintptr_t)a.b);
  CHECK(portable_kernel_destroy(k));
}

int main(int argc, char **argv) {
  source = argc > 1 ? argv[1] : "bodies.h";
  small = argc > 2;
  CHECK(portable_init(NULL));
  device = portable_default_device();
  if (strncmp(portable_device_name(device), "cuda", 4) != 0) {
    fprintf(stderr, "bench_cuda_portable: the device is '%s'; there is no CUDA device, or PORTABLE_DEVICE does not ask for it\n", portable_device_name(device));
    portable_finalize();
    return 77;
  }
  CHECK(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &memory));
  portable_kernel fills = KERNEL(fill);
  launches();
  pool();
  fields(fills);
  cube(fills);
  cells(fills);
  matrices(fills);
  CHECK(portable_kernel_destroy(fills));
  CHECK(portable_finalize());
  return 0;
}
