/* stress.c - everything at once, for STRESS_SECONDS (60): several threads launch kernels of random size, rank, schedule, tile and device,
 * nested, failing, allocating from the pool, with memory that is right or wrong to the bit afterwards; meanwhile one thread
 * changes the number of threads and the default device, one comes and goes as a participant, and one makes and ends
 * short-lived threads that launch. Not in this file: the team alone under sanitizers (team_alone.c). */
#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { LAUNCHERS = 3, N = 20000 };

static _Atomic int stop, wrong;
static _Atomic long launches, failures, blocks, resizes;

#define MUST(condition)                                                                                            \
  do {                                                                                                             \
    if (!(condition) && atomic_fetch_add(&wrong, 1) < 20)                                                          \
      printf("%s:%d: %s  last error: %s\n", __FILE__, __LINE__, #condition, portable_last_error());                \
  } while (0)

struct work {
  int64_t *out; /* [N] */
  int64_t extent[3];
  int32_t rank;
  int depth, allocates;
  int64_t fail_at; /* number of an index, or -1 */
};

static int launch(struct work *w, unsigned *seed);

static unsigned next(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

static void nested(const struct work *outer, unsigned seed) {
  struct work *w = malloc(sizeof *w);
  int64_t *out = malloc(N * sizeof *out);
  if (w && out) {
    *w = (struct work){.out = out, .depth = outer->depth - 1, .allocates = outer->allocates, .fail_at = -1};
    launch(w, &seed);
  }
  free(w);
  free(out);
}

static void kernel(const portable_tile *t, void *args) {
  const struct work *w = args;
  int64_t *copy = NULL, done = 0;
  if (w->allocates) {
    MUST(portable_alloc((size_t)(8 * (t->upper[0] - t->lower[0] + 1)), "copy", (void **)&copy) == 0);
    atomic_fetch_add(&blocks, 1);
    if (copy) copy[0] = 12345 + t->worker;
  }
  int64_t lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};
  for (int d = 0; d < w->rank; d++) {
    lower[d] = t->lower[d];
    upper[d] = t->upper[d];
  }
  for (int64_t i = lower[0]; i <= upper[0]; i++)
    for (int64_t j = lower[1]; j <= upper[1]; j++)
      for (int64_t k = lower[2]; k <= upper[2]; k++) {
        int64_t at = (i * w->extent[1] + j) * w->extent[2] + k;
        w->out[at] += at + 1;
        done++;
        if (at == w->fail_at) portable_kernel_fail(t, 5, "on purpose");
      }
  if (w->depth > 0 && t->lower[0] == 0) nested(w, (unsigned)done);
  if (w->allocates) {
    MUST(copy && copy[0] == 12345 + t->worker);
    MUST(portable_free(copy) == 0);
  }
}

static int launch(struct work *w, unsigned *seed) {
  portable_bounds b;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  int64_t upper[3], left = 1 + next(seed) % N, count = 1;
  if (w->depth < 2) left = 1 + left % 1000;
  w->rank = 1 + (int32_t)(next(seed) % 3);
  for (int d = 0; d < 3; d++) {
    w->extent[d] = d >= w->rank ? 1 : d + 1 == w->rank ? left : 1 + next(seed) % (unsigned)(left < 30 ? left : 30);
    left /= w->extent[d];
    if (left < 1) left = 1;
    upper[d] = w->extent[d] - 1;
    count *= w->extent[d];
    if (next(seed) % 3 == 0) config.tile[d] = 1 + (int64_t)(next(seed) % 40);
  }
  config.schedule = (int32_t)(next(seed) % 3);
  config.device = (portable_device)(next(seed) % 3);
  if (w->fail_at >= 0) w->fail_at = (int64_t)(next(seed) % (unsigned)count);
  memset(w->out, 0, (size_t)count * sizeof *w->out);
  MUST(portable_bounds_make(w->rank, (int32_t)(next(seed) % 2), NULL, upper, NULL, &b) == 0);
  if (b.order == PORTABLE_ORDER_FORTRAN)
    for (int d = 0; d < w->rank; d++) b.lower[d] = 0;
  portable_status status = portable_parallel_for("stress", &b, kernel, w, sizeof *w, &config);
  atomic_fetch_add(&launches, 1);
  if (w->fail_at >= 0) {
    MUST(status == PORTABLE_ERR_KERNEL && strstr(portable_last_error(), "on purpose"));
    atomic_fetch_add(&failures, 1);
  } else {
    MUST(status == PORTABLE_OK);
    for (int64_t i = 0; i < count; i++) MUST(w->out[i] == i + 1);
  }
  return status;
}

static void some(unsigned *seed, int rounds) {
  int64_t *out = NULL;
  MUST(portable_alloc(N * sizeof *out, "out", (void **)&out) == 0);
  for (int i = 0; out && i < rounds; i++) {
    struct work w = {.out = out, .depth = 2 - (int)(next(seed) % 2) * 2, .allocates = next(seed) % 2, .fail_at = next(seed) % 10 ? -1 : 0};
    launch(&w, seed);
  }
  MUST(portable_free(out) == 0);
}

static void *launcher(void *seed) {
  while (!atomic_load(&stop)) some(seed, 50);
  return NULL;
}

static void *resizer(void *seed) {
  while (!atomic_load(&stop)) {
    int32_t n = 1 + (int32_t)(next(seed) % 10);
    struct timespec pause = {0, (long)(next(seed) % 20) * 1000000};
    MUST(portable_set_num_threads(n) == 0);
    MUST(portable_num_threads() == n);
    MUST(portable_set_default_device(1 + (portable_device)(next(seed) % 2)) == 0);
    atomic_fetch_add(&resizes, 1);
    nanosleep(&pause, NULL);
  }
  return NULL;
}

static void *participant(void *seed) {
  while (!atomic_load(&stop)) {
    portable_pool pool = 0;
    MUST(portable_init(NULL) == 0);
    some(seed, 5);
    MUST(portable_pool_default(&pool) == 0 && portable_pool_check(pool) == 0);
    MUST(portable_finalize() == 0);
  }
  return NULL;
}

static void *brief(void *seed) {
  some(seed, 3);
  return NULL;
}

static void *spawner(void *seed) {
  unsigned own[4] = {next(seed), next(seed), next(seed), next(seed)};
  while (!atomic_load(&stop)) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) MUST(pthread_create(&threads[i], NULL, brief, &own[i]) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  }
  return NULL;
}

int main(void) {
  const char *text = getenv("STRESS_SECONDS");
  double seconds = emulated_seconds(1) * (text ? atof(text) : 60), begin;
  void *(*roles[])(void *) = {launcher, launcher, launcher, resizer, participant, spawner};
  enum { ROLES = sizeof roles / sizeof roles[0] };
  static unsigned seeds[ROLES];
  pthread_t threads[ROLES];
  long last = -1;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < ROLES; i++) {
    seeds[i] = 1000003u * (unsigned)(i + 1);
    CHECK(pthread_create(&threads[i], NULL, roles[i], &seeds[i]) == 0);
  }
  for (begin = guest_seconds(); guest_seconds() - begin < seconds && wrong == 0;) {
    struct timespec pause = {emulated_seconds(seconds < 10 ? 1 : 5), 0};
    nanosleep(&pause, NULL);
    if (launches == last) {
      printf("nothing has moved for some seconds: the launches wait for each other\n");
      fflush(stdout);
      abort();
    }
    last = launches;
  }
  atomic_store(&stop, 1);
  alarm(emulated_seconds(120));
  for (int i = 0; i < ROLES; i++) pthread_join(threads[i], NULL);
  alarm(0);
  printf("%ld launches, %ld failed on purpose, %ld blocks in kernels, %ld resizes, %d wrong, %.0f s\n", launches, failures, blocks, resizes,
         wrong, guest_seconds() - begin);
  CHECK(wrong == 0 && launches > 100 && failures > 0 && blocks > 0 && resizes > 0);
  return check_end();
}
