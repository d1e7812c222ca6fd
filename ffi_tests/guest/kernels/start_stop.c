/* start_stop.c - one kind of call together with threads that start and stop the library: start_stop <what>. Each call returns, with PORTABLE_OK or
 * PORTABLE_ERR_STATE, and nothing crashes. Right: exit 0. A hang ends the program with 1 and the name. Not in this file: all calls at once (every.c). */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 300000, KEYS = 3000 };

static _Atomic int stop, wrong;
static _Atomic long calls;
static const char *what;

static void hangs(int number) {
  static const char text[] = "a call hangs\n";
  (void)number;
  _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

/* Beside a stop a call is served or refused; nothing else. */
static void may(portable_status status) {
  if (status == PORTABLE_OK || status == PORTABLE_ERR_STATE) return;
  if (atomic_fetch_add(&wrong, 1) < 5) printf("%s: %s: %s\n", what, portable_status_name(status), portable_last_error());
}

/* A call may begin in one run of the library and end in another one, where its handle is none. */
static void may_be_gone(portable_status status) {
  if (status != PORTABLE_ERR_HANDLE) may(status);
}

static void ask(const portable_tile *tile, void *none) {
  portable_pool pool;
  (void)tile, (void)none;
  portable_pool_default(&pool);
}

static void set_threads(double *x) {
  static _Atomic int n;
  (void)x;
  may(portable_set_num_threads(1 + (n++ & 1)));
}

static void kernel_asks_pool(double *x) {
  const portable_bounds bounds = portable_bounds_1(1000);
  (void)x;
  may(portable_parallel_for("ask", &bounds, ask, NULL, 0, NULL));
}

static void sort(double *x) { may(portable_sort("s", PORTABLE_KIND_REAL64, x, KEYS, NULL)); }

static void scan(double *x) {
  const int64_t extent[] = {N};
  may(portable_scan("c", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, extent, NULL, x));
}

static void liveout(double *x) {
  portable_liveout l;
  portable_status status = portable_liveout_create("l", PORTABLE_KIND_REAL64, x, &l);
  may(status);
  if (status == PORTABLE_OK) may_be_gone(portable_liveout_destroy(l));
}

static void zero(double *x) {
  const int64_t extents[] = {300, 300};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array a;
  (void)x;
  config.zero = 1;
  portable_status status = portable_array_create("z", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &a);
  may(status);
  if (status == PORTABLE_OK) may(portable_array_release(&a));
}

static void reduce(double *x) {
  const int64_t extent[] = {N};
  double sum;
  may(portable_reduce_array("r", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, extent, NULL, &sum));
}

/* The block may go with its run before it is freed. */
static void alloc(double *x) {
  void *block;
  (void)x;
  portable_status status = portable_alloc(100000, "a", &block);
  may(status);
  if (status == PORTABLE_OK) portable_free(block);
}

static void streams(double *x) {
  portable_stream s;
  portable_event e;
  (void)x;
  portable_status status = portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s);
  may(status);
  if (status != PORTABLE_OK) return;
  if (portable_event_create(&e) == PORTABLE_OK) {
    may_be_gone(portable_event_record(e, s));
    may(portable_event_wait(e));
    portable_event_destroy(e);
  }
  may_be_gone(portable_stream_fence(s));
  may(portable_fence());
  may_be_gone(portable_stream_destroy(s));
}

/* Their memory is zeroed when they have it. */
static void records(double *x) {
  static const int64_t extents[] = {20000};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_record record;
  portable_records r;
  (void)x;
  config.zero = 1;
  may(portable_record_begin(&record, sizeof(double)));
  may(portable_record_add(&record, "x", PORTABLE_KIND_REAL64, sizeof(double), 1, 0));
  portable_status status = portable_records_create("r", &record, PORTABLE_RECORDS_SOA, 0, 1, extents, &config, &r);
  may(status);
  if (status == PORTABLE_OK) may(portable_records_release(&r));
}

/* ---- a release while the last finalize waits ---- */

static _Atomic int held, released, ended;

static void holds(const portable_tile *tile, void *none) {
  (void)tile, (void)none;
  atomic_store(&held, 1);
  for (int i = 0; i < 10000 && !atomic_load(&released); i++) usleep(1000);
}

static void *launches(void *none) {
  const portable_bounds bounds = portable_bounds_1(1);
  may(portable_parallel_for("holds", &bounds, holds, NULL, 0, NULL));
  return none;
}

static void *finalizes(void *none) {
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return none;
}

static void is_ended(void *data, int64_t elements, void *payload) {
  (void)data, (void)payload;
  atomic_fetch_add(&ended, elements == 1000);
}

/* The memory is freed, in the run that goes on until it is: a launch that the finalize waits for holds it open. */
static int release_late(void) {
  pthread_t launcher, stopper;
  const int64_t extents[] = {1000};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array a;
  const portable_bounds bounds = portable_bounds_1(1);
  config.end = is_ended;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("late", PORTABLE_KIND_REAL64, 0, 1, extents, &config, &a), PORTABLE_OK);
  CHECK(pthread_create(&launcher, NULL, launches, NULL) == 0);
  while (!atomic_load(&held)) usleep(100);
  CHECK(pthread_create(&stopper, NULL, finalizes, NULL) == 0);
  while (portable_parallel_for("probe", &bounds, ask, NULL, 0, NULL) == PORTABLE_OK) usleep(100); /* until it waits */
  CHECK_STATUS(portable_array_release(&a), PORTABLE_OK);
  CHECK(ended == 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* the same run, as the launch goes on */
  atomic_store(&released, 1);
  pthread_join(launcher, NULL);
  pthread_join(stopper, NULL);
  return check_end();
}

/* ---- a callback that cancels its own thread ---- */

static void cancels(portable_status status, void *none) {
  (void)status, (void)none;
  pthread_cancel(pthread_self());
}

static void notes(portable_status status, void *none) {
  (void)none;
  atomic_store(&released, status == PORTABLE_OK);
}

/* Threads of streams are not cancelled: they wait with a lock held. */
static int cancel_stream(void) {
  portable_stream s;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  CHECK_STATUS(portable_stream_call(s, cancels, NULL), PORTABLE_OK);
  usleep(50000); /* it sleeps */
  CHECK_STATUS(portable_stream_call(s, notes, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
  CHECK(released == 1);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  return check_end();
}

/* ---- a child that is forked while another thread stops the library ---- */

static void *starts_and_stops(void *none) {
  while (!atomic_load(&released)) {
    portable_init(NULL);
    portable_finalize();
  }
  return none;
}

/* A call that gives something back waits for the end of a stop; in the child no thread stops anything. */
static int forks(void) {
  pthread_t stopper;
  portable_stream s;
  int status = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_SYNC, &s), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(pthread_create(&stopper, NULL, starts_and_stops, NULL) == 0);
  const int children = is_emulated() ? 20 : 300; /* a child takes a second there */
  for (int i = 0; i < children && status == 0; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(emulated_seconds(10));
      portable_stream_destroy(s);
      _exit(0);
    }
    waitpid(child, &status, 0);
    usleep((useconds_t)(i % 300));
  }
  CHECK(status == 0);
  atomic_store(&released, 1);
  pthread_join(stopper, NULL);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}

static const struct {
  const char *name;
  void (*once)(double *x);
} all[] = {{"set_threads", set_threads}, {"kernel_asks_pool", kernel_asks_pool}, {"sort", sort}, {"scan", scan}, {"liveout", liveout}, {"zero", zero},
           {"reduce", reduce}, {"alloc", alloc}, {"streams", streams}, {"records", records}};

static void (*once)(double *x);

static void *work(void *none) {
  double *x = malloc(N * sizeof *x);
  unsigned seed = 1;
  for (int i = 0; i < N; i++) x[i] = rand_r(&seed);
  for (; !stop; calls++) once(x);
  free(x);
  return none;
}

int main(int argc, char **argv) {
  pthread_t workers[2];
  what = argc > 1 ? argv[1] : "";
  signal(SIGALRM, hangs);
  alarm(emulated_seconds(30));
  if (strcmp(what, "release_late") == 0) return release_late();
  if (strcmp(what, "cancel_stream") == 0) return cancel_stream();
  if (strcmp(what, "forks") == 0) return forks();
  const int cycles = argc > 2 ? atoi(argv[2]) : 100;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, what) == 0) once = all[i].once;
  if (!once) return 2;
  for (int i = 0; i < 2; i++)
    if (pthread_create(&workers[i], NULL, work, NULL)) return 2;
  for (int i = 0; i < cycles; i++) {
    if (portable_init(NULL) != PORTABLE_OK) return 2;
    usleep((useconds_t)(rand() % 1000));
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
    alarm(emulated_seconds(30));
  }
  stop = 1;
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  CHECK(calls > 0 && wrong == 0);
  return check_failures != 0;
}
