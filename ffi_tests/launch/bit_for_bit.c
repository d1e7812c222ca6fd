/* bit_for_bit.c - launches that ask for bit_for_bit: under PORTABLE_B4B=1 outer iterations, reductions and filters run on the calling thread
 * in the order of their indices; without it they have the same results. Not in this file: parallel_for (launches.c). */
#include "check.h"

#include <pthread.h>

enum { MOST = 50000 };

/* The order of a serial launch. watched 0: of other launches nothing is said. */
struct seen {
  pthread_t caller;
  int64_t next;    /* the index that comes next in order */
  int64_t strange; /* indices of another thread, or out of order */
  int watched;
};

static double values[MOST];
static int32_t indices[2][MOST];

static void see(struct seen *s, int64_t first, int64_t last) {
  if (!s->watched) return;
  if (!pthread_equal(pthread_self(), s->caller) || first != s->next) s->strange++;
  s->next = last + 1;
}

static void row(const portable_team *team, void *args) { see(args, team->index[0], team->index[0]); }

static void add(const portable_tile *tile, void *args, void *const *partial) {
  double *sum = partial[0];
  see(args, tile->lower[0], tile->upper[0]);
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) *sum += values[i];
}

static void choose(const portable_tile *tile, void *args, unsigned char *chosen) {
  see(args, tile->lower[0], tile->upper[0]);
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = values[i] > 0;
}

/* The three launches; the sum and the number of chosen indices. args is not copied: kernels of a serial launch write there. */
static void run(int bit_for_bit, int watched, double *sum, int64_t *count, int32_t *chosen) {
  const portable_bounds b = portable_bounds_1(MOST);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_reduction result = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, sum);
  struct seen s[3];
  memset(s, 0, sizeof s);
  c.bit_for_bit = bit_for_bit;
  for (int i = 0; i < 3; i++) {
    s[i].caller = pthread_self();
    s[i].next = b.lower[0];
    s[i].watched = watched;
  }
  CHECK_STATUS(portable_parallel_outer("rows", &b, row, &s[0], 0, 64, &c), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_reduce("sum", &b, add, &s[1], 0, &result, 1, &c), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_filter("choose", &b, choose, &s[2], 0, PORTABLE_KIND_INT32, chosen, MOST, count, &c), PORTABLE_OK);
  for (int i = 0; i < 3 && watched; i++) CHECK(s[i].strange == 0 && s[i].next == b.upper[0] + 1);
}

int main(void) {
  double sum[2] = {0, 0};
  int64_t count[2] = {0, 0};
  for (int i = 0; i < MOST; i++) values[i] = (i % 7 - 3) * 1e-3 * i + (i % 11 == 0 ? 1e9 : 0.1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  run(1, getenv("PORTABLE_B4B") != NULL, &sum[0], &count[0], indices[0]);
  run(0, 0, &sum[1], &count[1], indices[1]);
  CHECK(memcmp(&sum[0], &sum[1], sizeof sum[0]) == 0 && sum[0] != 0);
  CHECK(count[0] == count[1] && count[0] > 0 && memcmp(indices[0], indices[1], sizeof indices[0]) == 0);
  return check_end();
}
