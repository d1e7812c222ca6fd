/* refused.c - block kernels that go wrong: refused arguments, barriers that not all threads reach, in each order of threads and each state of a block,
 * and launches and calls inside. The library works afterwards. Not in this file: stacks that are too small (overflow.sh). */
#include "check.h"

#include "portable_blocks.h"

enum { THREADS = 6 };
static const int32_t six[] = {THREADS};

static void waits(const portable_thread_block *b, void *args) {
  (void)args;
  portable_block_barrier(b);
}

static void check_arguments(void) {
  static const int32_t none[] = {0, 1, 1}, many[] = {32, 33, 1}, most[] = {32, 32, 1}, large[] = {1025, 1, 1};
  const int64_t up[] = {3, 3, 3, 3};
  portable_bounds line = portable_bounds_1(4), plane = portable_bounds_2(4, 4), four, unmade = {0};
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_work_division division;
  portable_kernel kernel;
#define REFUSED(call, code, text) \
  do {                            \
    CHECK_STATUS(call, code);     \
    CHECK_TEXT(text);             \
  } while (0)
  REFUSED(portable_parallel_blocks("r", NULL, six, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "parallel_blocks 'r': bounds is NULL");
  REFUSED(portable_parallel_blocks("r", &line, NULL, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "parallel_blocks 'r': threads is NULL");
  REFUSED(portable_parallel_blocks("r", &line, six, NULL, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "parallel_blocks 'r': the kernel is NULL");
  REFUSED(portable_parallel_blocks("r", &line, six, waits, NULL, 8, 0, NULL), PORTABLE_ERR_ARG, "parallel_blocks 'r': args is NULL");
  REFUSED(portable_parallel_blocks("r", &line, none, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "a block has 0 threads in dimension 1; it has 1 to 1024");
  REFUSED(portable_parallel_blocks("r", &line, large, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "a block has 1025 threads in dimension 1");
  REFUSED(portable_parallel_blocks("r", &plane, many, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "a block has 1056 threads [32 33]; it has at most 1024");
  REFUSED(portable_parallel_blocks("r", &unmade, six, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "parallel_blocks 'r': these bounds were not made by portable_bounds_make");
  CHECK_STATUS(portable_bounds_make(4, 0, NULL, up, NULL, &four), PORTABLE_OK);
  REFUSED(portable_parallel_blocks("r", &four, six, waits, NULL, 0, 0, NULL), PORTABLE_ERR_ARG, "the grid of blocks has 4 dimensions");
  REFUSED(portable_parallel_blocks("r", &line, six, waits, NULL, 0, PORTABLE_SCRATCH_MAX + 1, NULL), PORTABLE_ERR_ARG, "67108865 bytes of scratch are asked for each block");
  CHECK_STATUS(portable_work_divide(&line, NULL, NULL, &division), PORTABLE_OK);
  config.division = &division;
  REFUSED(portable_parallel_blocks("r", &line, six, waits, NULL, 0, 0, &config), PORTABLE_ERR_ARG, "the configuration has a division");
  config.division = NULL;
  config.device = 1000;
  REFUSED(portable_parallel_blocks("r", &line, six, waits, NULL, 0, 0, &config), PORTABLE_ERR_NODEVICE, "parallel_blocks 'r': there is no device 1000");
  config.struct_size = 3;
  REFUSED(portable_parallel_blocks("r", &line, six, waits, NULL, 0, 0, &config), PORTABLE_ERR_ARG, "config.struct_size is 3");
  CHECK_STATUS(portable_parallel_blocks("r", &plane, most, waits, NULL, 0, 0, NULL), PORTABLE_OK);
  line = portable_bounds_1(0);
  CHECK_STATUS(portable_parallel_blocks("r", &line, six, waits, NULL, 0, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_create("r", 0, NULL, 0, &kernel), PORTABLE_OK);
  REFUSED(portable_launch_blocks(kernel, &plane, many, NULL, 0, NULL), PORTABLE_ERR_ARG, "portable_launch_blocks 'r': a block has 1056 threads");
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  CHECK_STATUS(portable_launch_blocks(kernel, &plane, most, NULL, 0, NULL), PORTABLE_ERR_HANDLE);
  CHECK_STATUS(portable_kernel_set_host_block(kernel, waits), PORTABLE_ERR_HANDLE);
}

/* ---- barriers that not all threads reach ---- */

/* Thread t comes to many[t] barriers of block 1; in other blocks each comes to two. */
typedef struct { int32_t many[THREADS]; int32_t *ended; } some_args;
static int barrier_line;
static void comes(const portable_thread_block *b, void *args) {
  const some_args *a = args;
  const int many = b->index[0] == 1 ? a->many[b->thread[0]] : 2;
  barrier_line = __LINE__ + 1;
  for (int k = 0; k < many; k++) portable_block_barrier(b);
  portable_atomic_add_int32(a->ended, 1);
}
PORTABLE_BLOCK_KERNEL(comes_rows, some_args, b, a) {
  some_args copy = *a;
  comes(b, &copy);
}

static void check_barriers(void) {
  const portable_bounds grid = portable_bounds_1(3);
  uint32_t seed = 12345;
  for (int trial = 0; trial < 400; trial++) {
    int32_t ended = 0;
    some_args args = {.ended = &ended};
    int differ = 0;
    char line[40];
    for (int t = 0; t < THREADS; t++) {
      seed = seed * 1664525u + 1013904223u;
      args.many[t] = trial < THREADS ? (t == trial ? 1 : 2) : trial < 2 * THREADS ? (t == trial - THREADS ? 1 : 0) : (int32_t)(seed >> 16) % 3;
      differ |= args.many[t] != args.many[0];
    }
    const portable_status status = portable_parallel_blocks("comes", &grid, six, trial % 2 ? comes : comes_rows, &args, sizeof args, 0, NULL);
    CHECK((status == PORTABLE_ERR_KERNEL) == differ);
    CHECK(ended % THREADS == 0 && ended > 0); /* each thread of a block ends */
    if (!differ) continue;
    snprintf(line, sizeof line, "refused.c:%d: thread (", barrier_line);
    CHECK_TEXT("parallel_blocks 'comes': the kernel failed with code -1: not all threads of block (1) come to the barrier at ");
    CHECK_TEXT(line);
    CHECK_TEXT(") has left the kernel; let each thread of a block come to each barrier");
  }
}

/* ---- launches and calls inside ---- */

static _Atomic int inside_refused;
static void nothing(const portable_tile *tile, void *args) { (void)tile, (void)args; }
static void calls(const portable_thread_block *b, void *args) {
  const portable_bounds few = portable_bounds_1(3);
  portable_kernel kernel = 0;
  double sum = 0, values[4] = {1, 2, 3, 4};
  const int64_t n = 4;
  (void)args;
  for (int k = 0; k < 2; k++) {
    inside_refused += portable_parallel_for("in", &few, nothing, NULL, 0, NULL) == PORTABLE_ERR_STATE;
    inside_refused += strstr(portable_last_error(), "parallel_for 'in': a block kernel launches nothing") != NULL;
    inside_refused += portable_parallel_blocks("in", &few, six, waits, NULL, 0, 0, NULL) == PORTABLE_ERR_STATE;
    inside_refused += portable_reduce_array("in", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, values, 1, &n, NULL, &sum) == PORTABLE_ERR_STATE;
    inside_refused += portable_kernel_create("in", 0, NULL, 0, &kernel) == PORTABLE_ERR_STATE;
    inside_refused += strstr(portable_last_error(), "called inside a block kernel") != NULL;
    inside_refused += portable_stream_destroy(12345) == PORTABLE_ERR_HANDLE;
    inside_refused += strstr(portable_last_error(), "portable_stream_destroy: the call is refused; the check that says why does not run here (portable: called "
                                                    "inside a block kernel") != NULL;
    portable_block_barrier(b);
  }
}

static void check_inside(void) {
  const portable_bounds grid = portable_bounds_1(5);
  inside_refused = 0;
  CHECK_STATUS(portable_parallel_blocks("calls", &grid, six, calls, NULL, 0, 0, NULL), PORTABLE_OK);
  CHECK(inside_refused == 5 * THREADS * 2 * 8);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int again = 0; again < 2; again++) {
    check_arguments();
    check_barriers();
    check_inside();
  }
  return check_end();
}
