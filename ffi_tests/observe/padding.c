/* padding.c - observers read nothing that was never written, and nothing behind the end of the variables that the program sets:
 * for valgrind. The argument block has bytes between its members that are never written. */
#include "check.h"

struct block {
  char c;
  double x;
};

static void kernel(const portable_tile *t, void *args) {
  const struct block *b = args;
  CHECK(b->c == 1 && t->lower[0] >= 0);
}

int main(void) {
  portable_bounds b = portable_bounds_1(10);
  struct block *block = malloc(sizeof *block);
  void *p = NULL;
  block->c = 1;
  block->x = 2;
  setenv("PORTABLE_CHECK", "launch", 1);
  setenv("PORTABLE_TUNING", "padded: tile=4", 1);
  setenv("PORTABLE_VERBOSE", "/dev/null", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100, "h", &p), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("padded", &b, kernel, block, sizeof *block, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  free(block);
  return check_end();
}
