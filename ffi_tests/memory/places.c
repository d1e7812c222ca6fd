/* places.c WHAT - a program that reads or writes where it must not, in the way of its first argument, and does the rest right: with
 * PORTABLE_CHECK=memory each is reported, and the program goes on and ends as it would (run.sh compares). Not in this file: Fortran (places.f90). */
#define _GNU_SOURCE
#include "portable.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 1000

static double *a;
static int *volatile nowhere;
static sigjmp_buf back;
static struct sigaction old;
static volatile sig_atomic_t traps;

static int is(const char *what, const char *name) { return strcmp(what, name) == 0; }

static double *block(size_t count, const char *label) {
  void *p = NULL;
  if (portable_alloc(count * sizeof(double), label, &p) != PORTABLE_OK) {
    fprintf(stderr, "%s\n", portable_last_error());
    exit(1);
  }
  return p;
}

/* Without the checks this lies in the padding of the block. */
static void beyond(void) { ((volatile double *)a)[N] = 5; }

/* Closes what it has not opened, and has files of its own in the place of all that was there. */
static void own_files(void) {
  struct stat s;
  char name[64];
  int fd = 0, most = 3;
  snprintf(name, sizeof name, "own_files_%d", (int)getpid());
  for (int i = 3; i < 1024; i++)
    if (close(i) == 0) most = i;
  while (fd >= 0 && fd < most) fd = open(name, O_CREAT | O_WRONLY | O_APPEND, 0666);
  beyond();
  portable_free(block(N, "b"));
  if (stat(name, &s) == 0) printf("%ld bytes in its file\n", (long)s.st_size);
  unlink(name);
}

static void kernel(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) ((volatile double *)a)[i] = (double)i;
}

static void *on_a_thread(void *mask) {
  if (mask) pthread_sigmask(SIG_SETMASK, mask, NULL);
  beyond();
  return NULL;
}

static void ends_with_42(int number) {
  (void)number;
  _exit(42);
}

static void jumps(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void calls_old(int number, siginfo_t *info, void *context) {
  static const char text[] = "the later handler\n";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0) _exit(1);
  if (old.sa_flags & SA_SIGINFO)
    old.sa_sigaction(number, info, context);
  else
    _exit(43);
}

static void counts(int number) {
  (void)number;
  traps++;
}

/* Deeper than any stack. */
static int deep(volatile char *above) {
  volatile char own[4096];
  own[0] = own[4095] = (char)(above[0] + 1);
  return deep(own) + own[4095];
}

static void handle(int number, void (*plain)(int), void (*full)(int, siginfo_t *, void *)) {
  struct sigaction s;
  memset(&s, 0, sizeof s);
  if (full) {
    s.sa_flags = SA_SIGINFO;
    s.sa_sigaction = full;
  } else {
    s.sa_handler = plain;
  }
  sigaction(number, &s, number == SIGSEGV ? &old : NULL);
}

/* Handlers of the program's: the library's accesses never come to them, its own faults do. */
static void with_handlers(const char *what) {
  if (is(what, "handler_after")) handle(SIGSEGV, ends_with_42, NULL);
  if (is(what, "handler_jumps")) handle(SIGSEGV, jumps, NULL);
  if (is(what, "handler_chains")) handle(SIGSEGV, NULL, calls_old);
  if (is(what, "handler_launch")) {
    portable_bounds all = portable_bounds_1(N + 4);
    handle(SIGSEGV, ends_with_42, NULL);
    portable_parallel_for("fill", &all, kernel, NULL, 0, NULL); /* looks whose handler is in front */
  } else {
    portable_free(block(10, "between")); /* so does any call that takes or gives a block */
    beyond();
  }
  if (is(what, "handler_jumps")) {
    for (volatile int times = 0; times < 3; times++)
      if (sigsetjmp(back, 1) == 0) *nowhere = 1;
    beyond();
    return;
  }
  printf("a fault of its own\n");
  fflush(stdout);
  *nowhere = 1;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  portable_bounds all = portable_bounds_1(N + 4);
  double sum = 0, *b;
  if (is(what, "handler_before")) handle(SIGSEGV, ends_with_42, NULL);
  if (portable_init(NULL) != PORTABLE_OK) return 1;
  if (portable_set_checks(portable_checks()) != PORTABLE_OK) return 1; /* what is on may be said again */
  double *neighbour = block(N, "neighbour"); /* whom a write before the array meets without checks */
  a = block(N, "a");
  for (int i = 0; i < N; i++) a[i] = 1;

  if (is(what, "write_after_end")) beyond();
  if (is(what, "own_files")) own_files();
  if (is(what, "first")) ((volatile double *)neighbour)[N] = 5;
  for (int i = 0; is(what, "lost") && i < 30; i++) block(N, "lost");
  if (is(what, "twice")) {
    b = block(N, "b");
    if (portable_free(b) != PORTABLE_OK || portable_free(b) == PORTABLE_OK) return 1;
  }
  if (is(what, "deep")) return deep((volatile char *)what);
  if (is(what, "inside") && portable_free(a + 1) == PORTABLE_OK) return 1;
  if (is(what, "read_after_end")) sum += 0 * (((volatile double *)a)[N] != 77);
  if (is(what, "write_before")) ((volatile double *)a)[-1] = 5;
  if (is(what, "kernel")) portable_parallel_for("fill", &all, kernel, NULL, 0, NULL);
  if (is(what, "loop")) /* more often than is stepped */
    for (int i = 0; i < 500; i++) beyond();
  if (is(what, "thread") || is(what, "blocked")) {
    pthread_t thread;
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGTRAP);
    pthread_create(&thread, NULL, on_a_thread, is(what, "blocked") ? &mask : NULL);
    pthread_join(thread, NULL);
  }
  if (is(what, "read_after_free") || is(what, "write_after_free")) {
    b = block(N, "b");
    b[3] = 4;
    portable_free(b);
    if (is(what, "read_after_free"))
      sum += 0 * (((volatile double *)b)[3] != 77);
    else
      ((volatile double *)b)[3] = 5;
  }
  if (is(what, "copy")) {
    b = block(N, "b");
    memcpy(b, a, (N + 2) * sizeof *b);
    sum += b[N - 1] - 1;
    portable_free(b);
  }
  if (strncmp(what, "handler_", 8) == 0) with_handlers(what);
  if (is(what, "trap")) {
    handle(SIGTRAP, counts, NULL);
    beyond();
    raise(SIGTRAP);
    beyond();
    printf("%d trap\n", (int)traps);
  }
  if (is(what, "fork")) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
      beyond();
      _exit(7);
    }
    waitpid(child, &status, 0);
    printf("the child ended with %d\n", WEXITSTATUS(status));
  }
  fflush(stdout);
#if defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-dealloc"
#endif
  if (is(what, "libc_free")) free(a);

  for (int i = 0; i < N; i++) sum += a[i];
  printf("%s: %.1f\n", what, sum);
  if (portable_free(a) != PORTABLE_OK || portable_free(neighbour) != PORTABLE_OK) return 1;
  return portable_finalize() == PORTABLE_OK ? 3 : 1;
}
