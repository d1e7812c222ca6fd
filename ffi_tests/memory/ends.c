/* ends.c WHAT - programs that a memory check must not keep alive, and one that it must: a jump into a block (jump, jump_freed, jump_kernel), SIGTRAP
 * that is the program's own (raised, int3), and reads behind blocks by several threads at once (overrun). ends.sh compares. */
#include "portable.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCKS 64
#define ROUNDS 40

static int is(const char *what, const char *name) { return strcmp(what, name) == 0; }

static void jump_into(void *block) {
  void (*procedure)(void);
  memcpy(&procedure, &block, sizeof procedure);
  procedure(); /* the jump */
  puts("came back");
}

static void jumps(const portable_tile *tile, void *arguments) {
  if (tile->lower[0] == 0) jump_into(*(void **)arguments);
}

static void read_behind(const portable_tile *tile, void *arguments) {
  char **block = arguments;
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++)
    for (int k = 0; k < 8; k++) (void)((volatile char *)block[i])[4096];
}

static int overrun(void) {
  const portable_bounds bounds = portable_bounds_1(BLOCKS);
  void *block[BLOCKS];
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < BLOCKS; i++)
      if (portable_alloc(4096, "short by one", &block[i]) != PORTABLE_OK) return 2;
    if (portable_parallel_for("read behind", &bounds, read_behind, block, sizeof block, NULL) != PORTABLE_OK) return 3;
    for (int i = 0; i < BLOCKS; i++)
      if (portable_free(block[i]) != PORTABLE_OK) return 4;
  }
  puts("went on to the end");
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const portable_bounds one = portable_bounds_1(1);
  void *block;
  int status = 0;
  if (portable_init(NULL) != PORTABLE_OK || portable_alloc(4096, "data", &block) != PORTABLE_OK) return 1;
  memset(block, 0xC3, 4096); /* x86-64: return */
  if (is(what, "jump_freed") && portable_free(block) != PORTABLE_OK) return 1;
  if (is(what, "jump") || is(what, "jump_freed")) jump_into(block);
  if (is(what, "jump_kernel")) portable_parallel_for("jumps", &one, jumps, &block, sizeof block, NULL);
  if (is(what, "raised")) raise(SIGTRAP);
#if defined(__x86_64__)
  if (is(what, "int3")) __asm__ volatile("int3");
#elif defined(__aarch64__)
  if (is(what, "int3")) __asm__ volatile("brk #0");
#endif
  if (is(what, "overrun")) status = overrun();
  if (portable_free(block) != PORTABLE_OK) return 1;
  return portable_finalize() == PORTABLE_OK ? status : 1;
}
