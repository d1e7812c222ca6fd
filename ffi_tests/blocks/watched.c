/* watched.c - block kernels and graphs of them for valgrind and AddressSanitizer: threads that wait on small stacks, with arrays on them, and replays.
 * Nothing is wrong, but with the argument `late`: then a thread of a block writes behind an array after a barrier, in `stray`. Not in this file:
 * all else that blocks and graphs do (blocks.c, graphs). */
#include "check.h"

#include <portable_blocks.h>
#include <portable_graph.h>

enum { WIDTH = 16, BLOCKS = 3, REPLAYS = 3 };
typedef struct { double *x; int64_t late; } turn_args;

__attribute__((noinline)) static void stray(volatile double *x) { *x = 1; }

/* Each thread keeps its neighbours' numbers on its stack over the barriers. */
PORTABLE_BLOCK_KERNEL(turned, turn_args, b, a) {
  PORTABLE_SHARED(b, double, line, WIDTH);
  double kept[WIDTH], *x = a->x + WIDTH * b->index[0];
  const int t = b->thread[0];
  line[t] = x[t];
  portable_block_barrier(b);
  for (int k = 0; k < WIDTH; k++) kept[k] = line[k];
  portable_block_barrier(b);
  if (a->late && b->index[0] == BLOCKS - 1 && t == 5) stray(a->x + WIDTH * BLOCKS);
  x[t] = kept[WIDTH - 1 - t] + 1;
}

static void check_turned(const double *x, int times) {
  int wrong = 0;
  for (int i = 0; i < WIDTH * BLOCKS; i++) wrong += x[i] != (times % 2 ? i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH : i) + times;
  CHECK(wrong == 0);
}

static portable_stream stream;

static portable_status turn(const turn_args *args, portable_stream into) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const int32_t threads[] = {WIDTH};
  const portable_bounds grid = portable_bounds_1(BLOCKS);
  config.stream = into;
  return portable_parallel_blocks("turned", &grid, threads, turned, args, sizeof *args, 64, &config);
}

/* A graph of two such launches, with other arguments in the last replay. */
static void replayed(double *x, double *other) {
  turn_args args = {x, 0};
  portable_graph graph;
  CHECK_STATUS(portable_graph_begin(stream, &graph), PORTABLE_OK);
  CHECK_STATUS(turn(&args, stream), PORTABLE_OK);
  CHECK_STATUS(turn(&args, stream), PORTABLE_OK);
  CHECK_STATUS(portable_graph_end(graph), PORTABLE_OK);
  for (int k = 0; k < REPLAYS; k++) CHECK_STATUS(portable_graph_launch(graph, stream), PORTABLE_OK);
  args.x = other;
  CHECK_STATUS(portable_graph_update(graph, 1, &args, sizeof args), PORTABLE_OK);
  CHECK_STATUS(portable_graph_launch(graph, stream), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
  CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
}

int main(int count, char **arguments) {
  double *x = malloc(WIDTH * BLOCKS * sizeof *x), *other = malloc(WIDTH * BLOCKS * sizeof *x);
  const turn_args args = {x, count > 1 && strcmp(arguments[1], "late") == 0};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  for (int i = 0; i < WIDTH * BLOCKS; i++) x[i] = other[i] = i;
  CHECK_STATUS(turn(&args, 0), PORTABLE_OK);
  CHECK_STATUS(turn(&args, 0), PORTABLE_OK);
  check_turned(x, 2);
  replayed(x, other);
  check_turned(x, 2 + 2 * REPLAYS + 1);
  check_turned(other, 1);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  free(x);
  free(other);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
