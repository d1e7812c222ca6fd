/* test_steps.c - time steps as simulation codes have them: many work arrays at once, each with its name, all freed at the end of a step. After the first
 * step the magazines serve them all: not one step goes to Go. Not in this file: how fast that is (bench/pool). */
#define _GNU_SOURCE
#include "check.h"
#include "crossings.h"

enum { ARRAYS = 56, NAMES = 60, STEPS = 400 };

static void *arrays[ARRAYS];
static char names[NAMES][24];

static void step(int number, size_t bytes) {
  for (int i = 0; i < ARRAYS; i++) {
    const char *name = names[(number * ARRAYS + i) % NAMES];
    CHECK_STATUS(portable_alloc(bytes + 8 * (size_t)(i % 3), name, &arrays[i]), PORTABLE_OK);
  }
  for (int i = ARRAYS; i-- > 0;) CHECK_STATUS(portable_free(arrays[i]), PORTABLE_OK);
}

static void steps(void) {
  for (int i = 0; i < STEPS; i++) step(i, 300000); /* a fifth of its pairs in Go would be seen */
}

/* In the class of 64 KiB, from where on blocks are shared, and shorter. */
static void shorter_steps(void) {
  for (int i = 0; i < STEPS; i++) step(i, 62000);
}

static void asked(void) {
  for (int i = 0; i < 5000; i++) check_default_pool();
}

int main(void) {
  const char *fast = getenv("PORTABLE_FASTPATH");
  for (int i = 0; i < NAMES; i++) snprintf(names[i], sizeof names[i], "work_array_%d", i);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  step(0, 300000);
  step(1, 300000);
  int slow = fast && strcmp(fast, "0") == 0;
  CHECK(crossed(steps) == slow);
  CHECK(crossed(asked)); /* it is to be seen */
  portable_stats s = check_stats(check_default_pool());
  CHECK(s.in_use_blocks == 0 && s.allocations == (uint64_t)(STEPS + 2) * ARRAYS && s.frees == s.allocations);
  CHECK(s.high_water_bytes >= (uint64_t)300000 * ARRAYS && s.high_water_bytes <= (uint64_t)350000 * ARRAYS);
  step(0, 300000); /* of these the thread's set is full, */
  step(0, 62000);  /* so that these come to the shelf */
  CHECK(crossed(shorter_steps) == slow);
  CHECK_STATUS(portable_pool_check(check_default_pool()), PORTABLE_OK);
  return check_end();
}
