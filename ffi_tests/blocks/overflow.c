/* overflow.c - a thread of a block that needs more stack than it has, for overflow.sh: `small` bytes of it are used behind a barrier. With 0 the program
 * ends as it should. Not in this file: what is then said (overflow.sh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <portable_blocks.h>

typedef struct { int bytes; long long *sum; } deep_args;

__attribute__((noinline)) static int deep(int bytes) {
  volatile char line[1024];
  memset((char *)line, bytes, sizeof line);
  return bytes <= 0 ? 0 : deep(bytes - (int)sizeof line) + line[5];
}

__attribute__((noinline)) static int wide(int bytes) {
  volatile char *line = __builtin_alloca((size_t)bytes);
  line[0] = 1;
  return line[0];
}

PORTABLE_BLOCK_KERNEL(stacks, deep_args, b, a) {
  portable_block_barrier(b);
  if (b->thread[0] == 3) *a->sum += a->bytes < 0 ? wide(-a->bytes) : deep(a->bytes);
  portable_block_barrier(b);
}

int main(int count, char **arguments) {
  long long sum = 0;
  const deep_args args = {count > 1 ? atoi(arguments[1]) : 0, &sum};
  const int32_t threads[] = {8};
  const portable_bounds grid = portable_bounds_1(4);
  if (portable_init(NULL) || portable_parallel_blocks("deep stacks", &grid, threads, stacks, &args, sizeof args, 0, NULL)) return 1;
  puts("ended");
  return portable_finalize();
}
