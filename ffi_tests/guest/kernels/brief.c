/* brief.c - launches that are over at once, and among them one of the same loop that is not: the library has learned to run such
 * loops on the launching thread alone, and the parts must find each other all the same. Not in this file: how fast (bench). */
#include "guest.h"
#include "meet.h"

static uint64_t begun;
static int meeting;
static int64_t seen[64];

static void kernel(const portable_tile *t, void *args) {
  (void)args;
  if (meeting) meet(t, &begun);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) seen[i]++;
}

static void launch(void) {
  portable_bounds b = portable_bounds_1(64);
  CHECK_STATUS(portable_parallel_for("brief", &b, kernel, NULL, 0, NULL), PORTABLE_OK);
}

int main(void) {
  int64_t launches = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int round = 0; round < 20; round++) {
    meeting = 0;
    for (int i = 0; i < 500; i++, launches++) launch();
    meeting = 1;
    begun = 0;
    launch();
    launches++;
  }
  for (int i = 0; i < 64; i++) CHECK(seen[i] == launches);
  return check_end();
}
