/* blocks.c - block kernels in C against plain loops, with the same bits: tiled matrix product, reduction, histogram, scan; grids and blocks of 1 to 3
 * dimensions in both orders; blocks that wait only sometimes; rounding modes and failures of a thread. Not in this file: refusals (refused.c), C++,
 * devices. */
#include "check.h"

#include <fenv.h>
#include <sys/mman.h>

#include "../cuda/kernels/blocks_body.h" /* product and histogram, which devices run, too */

/* ---- as CUDA programmers write them ---- */

enum { N = 40 };

static void check_product(void) {
  static double x[N * N], y[N * N], z[N * N];
  const product_args args = {x, y, z, N, 0};
  const int32_t threads[] = {TILE, TILE};
  const portable_bounds grid = portable_bounds_2(N / TILE, N / TILE);
  for (int i = 0; i < N * N; i++) x[i] = 1.0 / (i + 3), y[i] = 1.0 / (2 * i + 7), z[i] = -1;
  CHECK_STATUS(portable_parallel_blocks("product", &grid, threads, product, &args, sizeof args, 0, NULL), PORTABLE_OK);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += x[i * N + k] * y[k * N + j];
      wrong += memcmp(&sum, &z[i * N + j], sizeof sum) != 0;
    }
  CHECK(wrong == 0);
}

enum { WIDTH = 64, BLOCKS = 37 };
struct lines { const double *in; double *out; };

/* A tree in scratch. */
PORTABLE_BLOCK_KERNEL(reduced, struct lines, b, a) {
  double *line = (double *)b->scratch;
  const int t = b->thread[0];
  line[t] = a->in[b->index[0] * WIDTH + t];
  for (int half = WIDTH / 2; half > 0; half /= 2) {
    portable_block_barrier(b);
    if (t < half) line[t] += line[t + half];
  }
  if (t == 0) a->out[b->index[0]] = line[0];
}

/* Running sums at distances 1, 2, 4, ... */
PORTABLE_BLOCK_KERNEL(scanned, struct lines, b, a) {
  PORTABLE_SHARED(b, double, line, 2 * WIDTH);
  const int t = b->thread[0];
  int from = 0;
  line[t] = a->in[b->index[0] * WIDTH + t];
  for (int d = 1; d < WIDTH; d *= 2) {
    portable_block_barrier(b);
    line[(1 - from) * WIDTH + t] = t < d ? line[from * WIDTH + t] : line[from * WIDTH + t - d] + line[from * WIDTH + t];
    from = 1 - from;
  }
  a->out[b->index[0] * WIDTH + t] = line[from * WIDTH + t];
}

static void check_lines(void) {
  static double in[BLOCKS * WIDTH], out[BLOCKS * WIDTH];
  static unsigned char bytes[100003];
  static int32_t bins[256], right[256];
  const struct lines args = {in, out};
  const count_args count = {bytes, bins, (int)sizeof bytes, BLOCKS};
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  int wrong = 0;
  for (int i = 0; i < BLOCKS * WIDTH; i++) in[i] = 1.0 / (i + 1) - 0.01 * (i % 7);
  CHECK_STATUS(portable_parallel_blocks("reduced", &grid, threads, reduced, &args, sizeof args, WIDTH * sizeof(double), NULL), PORTABLE_OK);
  for (int r = 0; r < BLOCKS; r++) {
    double line[WIDTH];
    memcpy(line, in + r * WIDTH, sizeof line);
    for (int half = WIDTH / 2; half > 0; half /= 2)
      for (int t = 0; t < half; t++) line[t] += line[t + half];
    wrong += memcmp(&line[0], &out[r], sizeof line[0]) != 0;
  }
  CHECK(wrong == 0);
  CHECK_STATUS(portable_parallel_blocks("scanned", &grid, threads, scanned, &args, sizeof args, 0, NULL), PORTABLE_OK);
  for (int r = 0; r < BLOCKS; r++) {
    double line[2][WIDTH];
    int from = 0;
    memcpy(line[0], in + r * WIDTH, sizeof line[0]);
    for (int d = 1; d < WIDTH; d *= 2, from = 1 - from)
      for (int t = 0; t < WIDTH; t++) line[1 - from][t] = t < d ? line[from][t] : line[from][t - d] + line[from][t];
    wrong += memcmp(line[from], out + r * WIDTH, sizeof line[from]) != 0;
  }
  CHECK(wrong == 0);
  for (size_t i = 0; i < sizeof bytes; i++) right[bytes[i] = (unsigned char)(i * i / 13)]++;
  CHECK_STATUS(portable_parallel_blocks("histogram", &grid, threads, histogram, &count, sizeof count, 0, NULL), PORTABLE_OK);
  CHECK(memcmp(bins, right, sizeof bins) == 0);
}

/* ---- indices ---- */

struct seen { int32_t *times; int64_t lower[3], stride[3]; int32_t extent[3], threads[3]; int rank, order, waits; int32_t wrong; };

/* One function of a hand for each thread. */
static void see(const portable_thread_block *b, void *args) {
  struct seen *const *p = args, *s = *p;
  int64_t at = 0, member = 0;
  int32_t bad = b->rank != s->rank || b->size != s->threads[0] * s->threads[1] * s->threads[2];
  for (int k = 0; k < s->rank; k++) {
    const int d = s->order == PORTABLE_ORDER_FORTRAN ? s->rank - 1 - k : k;
    const int64_t place = (b->index[d] - s->lower[d]) / s->stride[d];
    bad |= place * s->stride[d] + s->lower[d] != b->index[d] || b->threads[d] != s->threads[d] || b->thread[d] < 0 || b->thread[d] >= s->threads[d];
    at = at * s->extent[d] + place;
    member = member * s->threads[d] + b->thread[d];
  }
  bad |= member != b->member;
  for (int k = 0; k < s->waits; k++) portable_block_barrier(b);
  if (bad) portable_atomic_add_int32(&s->wrong, 1);
  portable_atomic_add_int32(&s->times[at * b->size + member], 1);
}
struct see_args { struct seen *s; };
PORTABLE_BLOCK_KERNEL(see_rows, struct see_args, b, a) {
  struct see_args copy = *a;
  see(b, &copy);
}

static void check_indices(void) {
  static int32_t times[1 << 16];
  for (int trial = 0; trial < 96; trial++) {
    struct seen s = {.times = times, .rank = trial % 3 + 1, .order = trial / 3 % 2, .waits = trial / 6 % 4 == 0 ? 0 : trial / 6 % 4};
    struct see_args args = {&s};
    int64_t upper[3], all = 1;
    portable_bounds grid;
    for (int d = 0; d < 3; d++) s.extent[d] = s.threads[d] = 1;
    for (int d = 0; d < s.rank; d++) {
      s.lower[d] = trial % 5 - 2 * d;
      s.stride[d] = (trial + d) % 3 + 1;
      s.extent[d] = (trial * 7 + d) % 4 + 1;
      s.threads[d] = (trial * 5 + 3 * d) % 6 + 1;
      upper[d] = s.lower[d] + (s.extent[d] - 1) * s.stride[d];
      all *= s.extent[d] * s.threads[d];
    }
    memset(times, 0, sizeof times);
    CHECK_STATUS(portable_bounds_make(s.rank, s.order, s.lower, upper, s.stride, &grid), PORTABLE_OK);
    CHECK_STATUS(portable_parallel_blocks("see", &grid, s.threads, trial / 48 ? see_rows : see, &args, sizeof args, 0, NULL), PORTABLE_OK);
    int64_t wrong = s.wrong;
    for (int64_t i = 0; i < all; i++) wrong += times[i] != 1;
    CHECK(wrong == 0);
  }
}

/* ---- blocks that wait sometimes, modes, failures ---- */

struct some { double *x; int32_t many; int rounding; };
PORTABLE_BLOCK_KERNEL(sometimes, struct some, b, a) {
  PORTABLE_SHARED(b, double, line, WIDTH);
  const int t = b->thread[0];
  double *x = a->x + b->index[0] * WIDTH;
  for (int k = 0; k < (int)b->index[0] % 3; k++) {
    line[t] = x[t] + 1;
    portable_block_barrier(b);
    x[t] = line[(t + 1) % WIDTH];
    portable_block_barrier(b);
  }
}

static void check_sometimes(void) {
  static double x[BLOCKS * WIDTH];
  struct some args = {x, 0, 0};
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  int wrong = 0;
  for (int i = 0; i < BLOCKS * WIDTH; i++) x[i] = i;
  CHECK_STATUS(portable_parallel_blocks("sometimes", &grid, threads, sometimes, &args, sizeof args, 0, NULL), PORTABLE_OK);
  for (int r = 0; r < BLOCKS; r++)
    for (int t = 0; t < WIDTH; t++) wrong += x[r * WIDTH + t] != r * WIDTH + (t + r % 3) % WIDTH + r % 3;
  CHECK(wrong == 0);
}

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

/* Each fourth thread rounds otherwise, and keeps it over barriers. */
PORTABLE_BLOCK_KERNEL(rounds, struct some, b, a) {
  const int mode = modes[b->thread[0] % 4];
  int32_t bad = fegetround() != a->rounding;
  fesetround(mode);
  for (int k = 0; k < 5; k++) {
    portable_block_barrier(b);
    bad |= fegetround() != mode;
  }
  volatile double one = 1, three = 3;
  a->x[b->index[0] * WIDTH + b->thread[0]] = one / three;
  if (bad) portable_kernel_fail(b->tile, 7, "a mode has changed");
}

static void check_modes(void) {
  static double x[BLOCKS * WIDTH];
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  for (int outside = 0; outside < 2; outside++) {
    struct some args = {x, 0, modes[outside]};
    int wrong = 0;
    fesetround(modes[outside]);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_STATUS(portable_parallel_blocks("rounds", &grid, threads, rounds, &args, sizeof args, 0, NULL), PORTABLE_OK);
    CHECK(fegetround() == modes[outside]);
    CHECK(fetestexcept(FE_INEXACT));
    for (int i = 0; i < BLOCKS * WIDTH; i++) {
      volatile double one = 1, three = 3;
      fesetround(modes[i % WIDTH % 4]);
      wrong += x[i] != one / three;
    }
    fesetround(FE_TONEAREST);
    CHECK(wrong == 0);
  }
}

PORTABLE_BLOCK_KERNEL(fails, struct some, b, a) {
  portable_block_barrier(b);
  if (b->index[0] == 3 && b->thread[0] == 5) PORTABLE_FAIL(42, "thread 5 has failed");
  portable_block_barrier(b);
  if (b->index[0] == 3) portable_atomic_add_int32((int32_t *)(void *)a->x, 1);
}

static void check_failure(void) {
  double ended = 0;
  int32_t many;
  struct some args = {&ended, 0, 0};
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  CHECK_STATUS(portable_parallel_blocks("fails", &grid, threads, fails, &args, sizeof args, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("parallel_blocks 'fails': the kernel failed with code 42: thread 5 has failed");
  memcpy(&many, &ended, sizeof many);
  CHECK(many == WIDTH); /* the block ends */
}

/* Without a barrier: the block goes on, and the ones after it do not begin. */
PORTABLE_BLOCK_KERNEL(fails_early, struct some, b, a) {
  a->x[b->index[0]]++;
  if (b->index[0] == 3 && b->thread[0] == 5) PORTABLE_FAIL(42, "thread 5 has failed");
}

static void check_early_failure(void) {
  double threads_of[BLOCKS] = {0};
  struct some args = {threads_of, 0, 0};
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.device = 1; /* serial */
  CHECK_STATUS(portable_parallel_blocks("fails", &grid, threads, fails_early, &args, sizeof args, 0, &config), PORTABLE_ERR_KERNEL);
  for (int k = 0; k < BLOCKS; k++) CHECK(threads_of[k] == (k <= 3 ? WIDTH : 0));
}

/* Streams of the host, and launches from several places one after the other. */
static void check_streams(void) {
  static double x[BLOCKS * WIDTH];
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct some args = {x, 0, 0};
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  int wrong = 0;
  for (int i = 0; i < BLOCKS * WIDTH; i++) x[i] = i;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &config.stream), PORTABLE_OK);
  for (int k = 0; k < 2; k++)
    CHECK_STATUS(portable_parallel_blocks("sometimes", &grid, threads, sometimes, &args, sizeof args, 256, &config), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(config.stream), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(config.stream), PORTABLE_OK);
  for (int r = 0; r < BLOCKS; r++)
    for (int t = 0; t < WIDTH; t++) wrong += x[r * WIDTH + t] != r * WIDTH + (t + 2 * (r % 3)) % WIDTH + 2 * (r % 3);
  CHECK(wrong == 0);
}

/* A kernel object. */
static void check_object(void) {
  static double x[BLOCKS * WIDTH];
  struct some args = {x, 0, 0};
  portable_kernel kernel = 0;
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  int wrong = 0;
  for (int i = 0; i < BLOCKS * WIDTH; i++) x[i] = i;
  CHECK_STATUS(portable_kernel_create("object", sizeof args, NULL, 0, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_launch_blocks(kernel, &grid, threads, &args, 0, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_launch_blocks of 'object': the kernel has no implementation of blocks for the host");
  CHECK_STATUS(portable_kernel_set_host_block(kernel, sometimes), PORTABLE_OK);
  CHECK_STATUS(portable_launch_blocks(kernel, &grid, threads, &args, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  for (int r = 0; r < BLOCKS; r++)
    for (int t = 0; t < WIDTH; t++) wrong += x[r * WIDTH + t] != r * WIDTH + (t + r % 3) % WIDTH + r % 3;
  CHECK(wrong == 0);
}

/* Stacks of full blocks leave the process its mappings: where Linux has guards that are no mapping of their own, 1024 stacks do not take one each. */
static int mappings(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int lines = 0;
  for (int c; maps && (c = fgetc(maps)) != EOF;) lines += c == '\n';
  if (maps) fclose(maps);
  return lines;
}

static void check_mappings(void) {
  static double x[2 * PORTABLE_BLOCK_THREADS];
  enum { PAGE = 1 << 16, GUARD_INSTALL = 102 };
  const struct lines args = {x, x + PORTABLE_BLOCK_THREADS};
  const int32_t threads[] = {PORTABLE_BLOCK_THREADS};
  const portable_bounds grid = portable_bounds_1(1);
  void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int has = page != MAP_FAILED && madvise(page, PAGE, GUARD_INSTALL) == 0, before = mappings();
  CHECK_STATUS(portable_parallel_blocks("full", &grid, threads, reduced, &args, sizeof args, sizeof x / 2, NULL), PORTABLE_OK);
  if (has && before) CHECK(mappings() - before < PORTABLE_BLOCK_THREADS / 2);
  if (page != MAP_FAILED) munmap(page, PAGE);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  check_mappings();
  for (int again = 0; again < 2; again++) {
    check_product();
    check_lines();
    check_indices();
    check_sometimes();
    check_modes();
    check_failure();
    check_early_failure();
    check_streams();
    check_object();
  }
  return check_end();
}
