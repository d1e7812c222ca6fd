/* record.c WHAT - a program with one error, or one event to record, chosen by its first argument;
 * main.go reads its trace. The lines that a trace must name end with a comment: "@" and a name. Not
 * in this file: Fortran (steps.f90). */
#define _GNU_SOURCE
#include "portable.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static int *volatile nowhere;

static int is(const char *what, const char *name) { return strcmp(what, name) == 0; }

static void *block(size_t bytes, const char *label) {
  void *p = NULL;
  if (portable_alloc(bytes, label, &p) != PORTABLE_OK) exit(9); /* @block */
  return p;
}

static void jump(int number) {
  (void)number;
  siglongjmp(back, 1);
}

struct arguments {
  int64_t sum;
};

static void writes_arguments(const portable_tile *t, void *args) { ((struct arguments *)args)->sum += t->upper[0]; }

/* Two threads wait for each other, where there are two: so one of them is not the launching one. */
static void allocates(const portable_tile *t, void *args) {
  static volatile int inside;
  void *p = NULL;
  (void)args;
  __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 5000 && inside < 2 && portable_num_threads() > 1 && t->lower[0] != t->upper[0]; i++) usleep(1000);
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (i % 250 == 0) portable_alloc(64, "in kernel", &p); /* @kernel */
}

static void nothing(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void launch(portable_kernel_function kernel, const char *label, int64_t n) {
  portable_bounds bounds = portable_bounds_1(n);
  struct arguments block = {0};
  portable_parallel_for(label, &bounds, kernel, &block, sizeof block, NULL); /* @launch */
}

static void *storm(void *seed) {
  uintptr_t x = (uintptr_t)seed;
  void *kept[64] = {NULL};
  for (int i = 0; i < 3000; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    void **p = &kept[x >> 58];
    if (*p) {
      portable_free(*p);
      *p = NULL;
    } else {
      portable_alloc(1 + (x >> 40) % 5000, x & 64 ? "even" : "odd", p);
    }
  }
  for (int i = 0; i < 64; i++) portable_free(kept[i]);
  return NULL;
}

static void wrong_index(void) {
  portable_array array;
  const int64_t extents[2] = {4, 5}, index[2] = {4, 0};
  if (portable_array_create("table", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &array) != PORTABLE_OK) exit(8);
  *(double *)portable_array_at(&array, index) = 1; /* @index */
  portable_array_release(&array);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (portable_init(NULL) != PORTABLE_OK) return 7;
  char *a = block(8000, "a"), *b = block(800, "b"); /* @blocks */
  if (is(what, "leak"))
    for (volatile int i = 0; i < 3; i++) block(100, "forgotten"); /* @leak */
  if (is(what, "growth") || is(what, "stop"))
    for (volatile int i = 0; i < 4; i++) {
      if (i < 2) block(10, "made at first"); /* @first */
      block(1000, "more"); /* @more */
      if (portable_checkpoint("step") != PORTABLE_OK) return 6; /* @checkpoint */
    }
  if (is(what, "double")) {
    portable_free(b); /* @freed */
    portable_free(b); /* @again */
    b = NULL;
  }
  if (is(what, "interior")) portable_free(a + 64); /* @interior */
  if (is(what, "foreign"))
    for (volatile int i = 0; i < 5; i++) portable_free(&what); /* @foreign */
  if (is(what, "null")) gatorDeallocate(NULL); /* @null */
  if (is(what, "free")) free(a); /* @free */
  if (is(what, "index")) wrong_index();
  if (is(what, "timers")) {
    portable_timer_start("outer");
    portable_timer_start("inner");
    portable_timer_stop("outer"); /* @timers */
    portable_timer_stop("inner");
  }
  if (is(what, "bounds")) {
    portable_bounds none;
    memset(&none, 0, sizeof none);
    portable_parallel_for("no bounds", &none, allocates, NULL, 0, NULL); /* @bounds */
  }
  if (is(what, "arguments")) launch(writes_arguments, "writes", 1000);
  if (is(what, "kernel")) launch(allocates, "allocates", 1000); /* @caller */
  if (is(what, "fault")) *nowhere = 1; /* @fault */
  if (is(what, "survives")) {
    signal(SIGSEGV, jump);
    if (!sigsetjmp(back, 1)) *nowhere = 1;
  }
  if (is(what, "aborts")) abort(); /* @abort */
  if (is(what, "exit") || is(what, "stop")) exit(3);
  if (is(what, "fork")) {
    pid_t child = fork();
    if (child == 0) {
      portable_checkpoint("child");
      portable_free(a);
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  if (is(what, "storm") || is(what, "crash")) {
    pthread_t threads[6];
    for (uintptr_t i = 0; i < 6; i++) pthread_create(&threads[i], NULL, storm, (void *)(i + 1));
    if (is(what, "crash")) usleep(3000);
    if (is(what, "crash")) *nowhere = 2; /* @crash */
    for (int i = 0; i < 6; i++) pthread_join(threads[i], NULL);
  }
  if (is(what, "events")) {
    portable_timer_start("region"); /* @region */
    launch(nothing, "empty", 10);
    portable_timer_stop("region");
    portable_fence();
    portable_checkpoint("end");
  }
  portable_free(a); /* @last */
  portable_free(b);
  return portable_finalize() == PORTABLE_OK ? 0 : 5;
}
