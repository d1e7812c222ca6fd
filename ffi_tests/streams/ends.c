/* ends.c [WHAT] - the end of the library, of the process and of forked children, with work in streams. Not in this file: errors of
 * calls (errors.c). */
#define _GNU_SOURCE
#include "streams.h"

#include "child.h"

#include <pthread.h>
#include <signal.h>

enum { N = 100 };

static _Atomic int ran;

static void slow(const portable_tile *t, void *args) {
  struct timespec pause = {0, 1000000};
  (void)args;
  nanosleep(&pause, NULL);
  atomic_fetch_add(&ran, (int)(t->upper[0] - t->lower[0] + 1));
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 7, "lost");
}

/* A kernel that wants the lock of the library's instance, which finalize holds. */
static void makes_pool(const portable_tile *t, void *args) {
  portable_pool pool = 0;
  slow(t, args);
  CHECK_STATUS(portable_pool_create(NULL, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
}

/* Queued work is done, streams that were forgotten are counted, their handles mean nothing afterwards. */
static void with_work(void) {
  void *p = NULL;
  portable_event e = 0;
  portable_stream s = streams_new(), t = streams_new();
  CHECK_STATUS(portable_event_create(&e), PORTABLE_OK);
  for (int i = 0; i < 20; i++) CHECK_STATUS(streams_launch(i % 2 ? s : t, N, i < 10 ? slow : makes_pool, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_event_record(e, s), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "kept", &p), PORTABLE_OK);
  CHECK_STATUS(portable_add_stream_dependency(p, s), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(ran == 20 * N);
  CHECK_STATUS(portable_stream_fence(s), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_stream_create(0, 0, &s), PORTABLE_ERR_STATE);
  CHECK(streams_event_done(e));
  CHECK_STATUS(portable_event_destroy(e), PORTABLE_OK);
  /* And again. */
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(t), PORTABLE_ERR_HANDLE);
  s = streams_new();
  CHECK_STATUS(streams_launch(s, N, slow, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(ran == 21 * N);
  exit(check_end());
}

static void forgotten_error(void) {
  portable_stream s = streams_new();
  CHECK_STATUS(streams_launch(s, N, fails, NULL, 0), PORTABLE_OK);
  exit(check_end());
}

/* Under GATOR_STRICT=1 a leak keeps the library running, and its streams with it. */
static void strict_leak(void) {
  void *p = NULL;
  portable_stream s = streams_new();
  CHECK_STATUS(portable_alloc(1000, "leaks", &p), PORTABLE_OK);
  CHECK_STATUS(streams_launch(s, N, slow, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_ERR_LEAK);
  CHECK(ran == N);
  CHECK_STATUS(streams_launch(s, N, slow, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  CHECK(ran == 2 * N);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  exit(check_end());
}

/* The program ends while a stream works, without finalize. */
static void just_exits(void) {
  portable_stream s = streams_new();
  for (int i = 0; i < 1000; i++) CHECK_STATUS(streams_launch(s, N, slow, NULL, 0), PORTABLE_OK);
  exit(check_failures);
}

static void child(const char *what, const char *setting, const char *text) {
  char out[4096];
  int status = child_run(what, setting, out, sizeof out);
  if (status != 0 || (text[0] ? strstr(out, text) == NULL : out[0] != '\0')) {
    check_failures++;
    printf("%s: status %d, standard error '%s', wanted '%s'\n", what, status, out, text);
  }
}

/* The exit status of a child; -1 when it had to be killed. */
static int outcome(pid_t pid) {
  int status;
  for (int tries = 0; tries < 1000; tries++) {
    struct timespec pause = {0, 10000000};
    if (waitpid(pid, &status, WNOHANG) == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    nanosleep(&pause, NULL);
  }
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return -1;
}

static portable_stream busy, idle;
static portable_event event;

static int refused(void) {
  portable_stream s = 0;
  portable_event e = 0;
  int32_t done;
  return portable_stream_create(0, 0, &s) == PORTABLE_ERR_FORK && portable_stream_fence(busy) == PORTABLE_ERR_FORK &&
         portable_stream_fence(idle) == PORTABLE_ERR_FORK && portable_stream_destroy(busy) == PORTABLE_ERR_FORK &&
         portable_stream_query(idle, &done) == PORTABLE_ERR_FORK && portable_event_create(&e) == PORTABLE_ERR_FORK &&
         portable_event_wait(event) == PORTABLE_ERR_FORK && portable_event_query(event, &done) == PORTABLE_ERR_FORK &&
         portable_event_record(event, idle) == PORTABLE_ERR_FORK && portable_stream_wait_event(idle, event) == PORTABLE_ERR_FORK &&
         portable_event_destroy(event) == PORTABLE_ERR_FORK && portable_fence() == PORTABLE_ERR_FORK &&
         streams_launch(busy, N, slow, NULL, 0) == PORTABLE_ERR_FORK && portable_add_stream_dependency(&s, idle) == PORTABLE_ERR_FORK &&
         portable_finalize() == PORTABLE_ERR_FORK && portable_stream_kind(busy) == -1;
}

static _Atomic int forked;

/* On the stream's own thread: the child comes back from the kernel, and ends. */
static void forks(const portable_tile *t, void *args) {
  (void)args;
  (void)t;
  pid_t pid = fork();
  if (pid != 0) atomic_store(&forked, pid);
}

static void children(void) {
  struct gate g;
  busy = streams_new();
  idle = streams_new();
  CHECK_STATUS(portable_event_create(&event), PORTABLE_OK);
  streams_hold(busy, &g);
  CHECK_STATUS(portable_event_record(event, busy), PORTABLE_OK);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) exit(refused() ? 17 : 18); /* with all hooks of exit */
  CHECK(outcome(pid) == 17);
  streams_go(&g);
  CHECK_STATUS(streams_launch(busy, N, slow, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_fence(busy), PORTABLE_OK);
  fflush(NULL);
  if (strcmp(portable_device_name(0), "openmp") != 0) { /* whose regions have no end in a child that has one of their threads */
    CHECK_STATUS(streams_launch(busy, 1, forks, NULL, 0), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(busy), PORTABLE_OK);
    CHECK(outcome(forked) == 0);
  }
  CHECK_STATUS(streams_launch(busy, N, slow, NULL, 0), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(busy), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(idle), PORTABLE_OK);
  CHECK_STATUS(portable_event_destroy(event), PORTABLE_OK);
}

static _Atomic int stop;

/* Participants come and go while another thread works with streams. */
static void *comes_and_goes(void *argument) {
  (void)argument;
  while (!stop) {
    CHECK(portable_init(NULL) == PORTABLE_OK);
    CHECK(portable_finalize() == PORTABLE_OK);
  }
  return NULL;
}

static void participants(void) {
  pthread_t other;
  ran = 0;
  CHECK(pthread_create(&other, NULL, comes_and_goes, NULL) == 0);
  for (int i = 0; i < 50; i++) {
    portable_stream s = streams_new();
    CHECK_STATUS(streams_launch(s, 1, makes_pool, NULL, 0), PORTABLE_OK);
    if (i % 10 == 0) CHECK_STATUS(portable_set_num_threads(1 + i % 3), PORTABLE_OK);
    CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
  }
  stop = 1;
  pthread_join(other, NULL);
  CHECK(ran == 50);
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 1 && strcmp(argv[1], "work") == 0) with_work();
  if (argc > 1 && strcmp(argv[1], "error") == 0) forgotten_error();
  if (argc > 1 && strcmp(argv[1], "strict") == 0) strict_leak();
  if (argc > 1 && strcmp(argv[1], "exit") == 0) just_exits();
  child("work", NULL, "portable: warning: 2 streams were not destroyed before the library stopped, and ended with it");
  child("error", NULL, "portable: warning: an error in a stream that no fence has returned: parallel_for 'test': the kernel failed with "
        "code 7: lost");
  child("strict", "GATOR_STRICT=1", "");
  child("exit", NULL, "");
  children();
  participants();
  return check_end();
}
