/* tuning.c - sizes by label from a file and from the variable: who gets what, what code says wins, bad files, same results. */
#include "seen.h"

#include <stdatomic.h>

enum { NI = 37, NJ = 53 };
static double a[NJ][NI], b[NJ][NI];
static _Atomic int64_t largest[2], tiles;

/* Over a[j][i] in Fortran order: i first. */
static void update(const portable_tile *t, void *args) {
  (void)args;
  tiles++;
  for (int d = 0; d < 2; d++) {
    int64_t n = t->upper[d] - t->lower[d] + 1, now = largest[d];
    while (n > now && !atomic_compare_exchange_weak(&largest[d], &now, n)) {}
  }
  for (int64_t j = t->lower[1]; j <= t->upper[1]; j++)
    for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
      b[j][i] = 0.3 * a[j][i] + 0.1 * a[(j + 1) % NJ][i] + 1.0 / (double)(i + 1);
}

/* Launches, and compares the largest tile; 0 is any. */
static void launch(const char *label, const portable_launch_config *config, int64_t ni, int64_t nj) {
  static double first[NJ][NI];
  static int launched;
  const int64_t lower[] = {0, 0}, upper[] = {NI - 1, NJ - 1};
  portable_bounds bounds;
  largest[0] = largest[1] = tiles = 0;
  memset(b, 0, sizeof b);
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_FORTRAN, lower, upper, NULL, &bounds), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for(label, &bounds, update, NULL, 0, config), PORTABLE_OK);
  if (!launched++) memcpy(first, b, sizeof b);
  CHECK(memcmp(first, b, sizeof b) == 0); /* the same bits, however it is cut */
  if ((ni && largest[0] != ni) || (nj && largest[1] != nj)) {
    check_failures++;
    printf("'%s': the largest tile is %d x %d, not %d x %d\n", label, (int)largest[0], (int)largest[1], (int)ni, (int)nj);
  }
}

static void start(const char *tuning) {
  if (tuning)
    setenv("PORTABLE_TUNING", tuning, 1);
  else
    unsetenv("PORTABLE_TUNING");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
}

static void stop(void) { CHECK_STATUS(portable_finalize(), PORTABLE_OK); }

static void test_inline(void) {
  portable_launch_config own = PORTABLE_LAUNCH_CONFIG_INIT, scheduled = PORTABLE_LAUNCH_CONFIG_INIT;
  own.tile[0] = 11;
  own.tile[1] = 2;
  scheduled.schedule = PORTABLE_SCHEDULE_STATIC;
  start(NULL);
  launch("plain", NULL, 0, 0);
  stop();
  start("update: tile=8x5, schedule=dynamic; flux*: tile=0x3; flux_y: tile=9; chunky: chunk=74; small: chunk=10; *: block=128, tile=4x4");
  launch("update", NULL, 8, 5);
  launch("update", &own, 11, 2); /* what code says wins */
  launch("update", &scheduled, 8, 5);
  launch("flux_x", NULL, NI, 3);
  launch("flux", NULL, NI, 3);
  launch("flux_y", NULL, 9, NJ); /* the whole label before its beginning */
  launch("chunky", NULL, NI, 2);
  launch("small", NULL, 10, 1);
  launch("updates", NULL, 4, 4); /* another label */
  launch(NULL, NULL, 4, 4);
  stop();
  start(NULL);
  launch("update", NULL, 0, 0);
  CHECK(tiles < NI * NJ / 40); /* untuned again */
  stop();
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void test_file(void) {
  char path[64], line[200];
  snprintf(path, sizeof path, "tuning_%d.txt", (int)getpid());
  write_file(path, "# sizes of this machine\nupdate: tile=6x6\n\nupdat: tile=1x1   # misspelt\nbad line\nflux: width=3, tile=7x7, schedule=guided\n");
  seen_begin();
  start(path);
  launch("update", NULL, 6, 6);
  launch("flux", NULL, 7, 7);
  stop();
  start(path); /* nothing is said twice */
  launch("update", NULL, 6, 6);
  stop();
  const char *got = seen_errors();
  CHECK_SEEN(got, "warning", 4);
  snprintf(line, sizeof line, "portable: warning: %s:5: 'bad line' is invalid (label: key=value is wanted); it is ignored\n", path);
  CHECK_SEEN(got, line, 1);
  snprintf(line, sizeof line, "%s:6: label 'flux': 'width=3' is invalid (the keys are tile, chunk, block and schedule of launches, layout and row of arrays)", path);
  CHECK_SEEN(got, line, 1);
  snprintf(line, sizeof line, "%s:6: label 'flux': 'schedule=guided' is invalid", path);
  CHECK_SEEN(got, line, 1);
  snprintf(line, sizeof line, "%s:4: no launch had the label 'updat'", path);
  CHECK_SEEN(got, line, 1);
  write_file(path, "update: tile=3x2\n"); /* read again at the next start */
  start(path);
  launch("update", NULL, 3, 2);
  stop();
  unlink(path);
  seen_begin();
  start(path);
  launch("update", NULL, 0, 0);
  stop();
  CHECK_SEEN(seen_errors(), "the file cannot be read (", 1);
}

int main(void) {
  for (int j = 0; j < NJ; j++)
    for (int i = 0; i < NI; i++) a[j][i] = 1.0 / (i + 3 * j + 1);
  test_inline();
  test_file();
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
