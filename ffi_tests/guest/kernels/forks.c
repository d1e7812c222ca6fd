/* forks.c - fork and launches: after launches the child is refused and the parent goes on; a fork inside a kernel, on the launching
 * thread or on a worker, whose child comes back from the kernel, does not hang the child; kernels may run commands.
 * Not in this file: fork and the pool (../process/forks.c). */
#define _GNU_SOURCE
#include "guest.h"
#include "meet.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 100 };

static _Atomic int sum;

static void add(const portable_tile *t, void *args) {
  (void)args;
  atomic_fetch_add(&sum, (int)(t->upper[0] - t->lower[0] + 1));
}

static void launch(void) {
  portable_bounds b = portable_bounds_1(N);
  sum = 0;
  CHECK_STATUS(portable_parallel_for("add", &b, add, NULL, 0, NULL), PORTABLE_OK);
  CHECK(sum == N);
}

/* The child's exit status; -1 when it had to be killed. */
static int outcome(pid_t child) {
  int status;
  for (int tries = 0; tries < 1000; tries++) {
    struct timespec pause = {0, 10000000};
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    nanosleep(&pause, NULL);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

static void child_is_refused(void) {
  portable_bounds b = portable_bounds_1(N);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int good = portable_parallel_for("child", &b, add, NULL, 0, NULL) == PORTABLE_ERR_FORK && strstr(portable_last_error(), "forked child");
    good = good && portable_fence() != PORTABLE_OK && portable_set_num_threads(3) == PORTABLE_ERR_FORK;
    good = good && portable_finalize() == PORTABLE_ERR_FORK && portable_num_threads() == 0;
    exit(good ? 17 : 18); /* with all hooks of exit */
  }
  CHECK(outcome(child) == 17);
}

static pid_t parent;
static pthread_t launcher;
static _Atomic int children[N];
static uint64_t begun;
static _Atomic int forked, alone; /* a thread has; there is but one */

static void forks(const portable_tile *t, void *args) {
  int who = *(int *)args, here = pthread_equal(pthread_self(), launcher) != 0;
  if (getpid() == parent) meet(t, &begun);
  alone = t->workers == 1;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    if (here != (who == 0) || getpid() != parent || i % 40 != 5 || (here && forked)) continue;
    pid_t child = fork();
    if (child == 0) return; /* out of the kernel, as if nothing were */
    children[i] = child;
    forked = 1;
  }
  while (who == 0 && !here && !forked) sched_yield(); /* the child is to see this part under way */
}

static void fork_in_kernel(int who) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.tile[0] = 1;
  parent = getpid();
  launcher = pthread_self();
  begun = 0;
  forked = 0;
  for (int i = 0; i < N; i++) children[i] = 0;
  fflush(NULL);
  portable_status status = portable_parallel_for("forks", &b, forks, &who, 0, &config);
  if (getpid() != parent) /* the copy of the launching thread, which gets an error when a part is not done */
    _exit(status == PORTABLE_OK ? (alone ? 19 : 18) : strstr(portable_last_error(), "the other threads are not done") ? 19 : 17);
  CHECK_STATUS(status, PORTABLE_OK);
  for (int i = 0; i < N; i++) {
    if (children[i] == 0) continue;
    int got = outcome(children[i]);
    CHECK(got == (who == 0 ? 19 : 0)); /* the copy of a worker has nothing to do any more: its process ends */
  }
}

static void runs_command(const portable_tile *t, void *args) {
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (i % 25 == 0 && system("exit 3") != 3 << 8) atomic_fetch_add((_Atomic int *)args, 1);
}

int main(void) {
  _Atomic int wrong = 0;
  portable_bounds b = portable_bounds_1(N);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  child_is_refused();
  for (int round = 0; round < 5; round++) {
    launch();
    child_is_refused();
    fork_in_kernel(0);
    launch();
    fork_in_kernel(1);
    launch();
    CHECK_STATUS(portable_parallel_for("commands", &b, runs_command, &wrong, 0, NULL), PORTABLE_OK);
    CHECK(wrong == 0);
  }
  return check_end();
}
