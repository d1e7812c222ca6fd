/* test_malloc.c - a C program whose malloc and free come to the pool: what C promises of them, on both sides of the
 * threshold and across it, inside libc, in a forked child, in thread-exit hooks, before main, and next to the
 * library's own start and stop. Not in this file: Fortran (features.f90). */
#define _GNU_SOURCE
#include "check.h"
#include "served.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define LARGE ((size_t)1 << 20)

static int off; /* nothing is served */
static void *early, *earliest;

/* Before any constructor, that of the Go runtime too. */
static void before_constructors(void) {
  earliest = malloc(LARGE);
  earliest = realloc(earliest, 2 * LARGE);
  if (earliest) memset(earliest, 4, 2 * LARGE);
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = before_constructors;

/* Before the Go runtime may have started: it must neither hang nor be lost. */
__attribute__((constructor)) static void before_main(void) {
  early = malloc(LARGE);
  if (early) memset(early, 3, LARGE);
}

static uint64_t live(void) {
  portable_pool pool;
  if (portable_pool_default(&pool) != PORTABLE_OK) return 0;
  return check_stats(pool).in_use_blocks;
}

static int ours(const void *p) {
  portable_pool pool;
  portable_block block;
  return portable_pool_default(&pool) == PORTABLE_OK && portable_pool_find(pool, p, &block) == PORTABLE_OK &&
         strcmp(block.label, "ALLOCATE") == 0;
}

static int filled(const unsigned char *p, int with, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != with) return 0;
  return 1;
}

static void sizes(void) {
  void *p = malloc(LARGE), *q;
  CHECK(p && (off || ((uintptr_t)p % 64 == 0 && ours(p))));
  CHECK(malloc_usable_size(p) >= LARGE);
  memset(p, 0xab, LARGE);
  free(p);
  q = calloc(LARGE / 8, 8); /* the same memory again */
  CHECK(q && (off || ours(q)) && filled(q, 0, LARGE));
  free(q);
  p = malloc(0);
  free(p);
  p = malloc(1000);
  CHECK(p && !ours(p));
  free(p);
  free(NULL);
  errno = 0;
  p = malloc((size_t)PTRDIFF_MAX - 100);
  CHECK(p == NULL && errno == ENOMEM);
  volatile size_t huge = SIZE_MAX / 2;
  errno = 0;
  CHECK(calloc(huge, 8) == NULL && errno == ENOMEM);
  p = malloc(LARGE);
  CHECK(realloc(p, huge) == NULL && errno == ENOMEM);
  free(p);
  CHECK(live() == 0);
}

/* A call that succeeds leaves errno alone, on either side and across. */
static void error_number(void) {
  enum { KEPT = 12345 };
  for (size_t n = 1000; n <= 4 * LARGE; n *= 4) {
    errno = KEPT;
    void *p = malloc(n);
    CHECK(p && errno == KEPT);
    p = realloc(p, 3 * n);
    CHECK(p && errno == KEPT);
    free(p);
    CHECK(errno == KEPT);
    p = calloc(2, n);
    CHECK(p && errno == KEPT);
    p = realloc(p, n / 2);
    CHECK(p && errno == KEPT);
    free(p);
    CHECK(errno == KEPT);
  }
}

static size_t resident_bytes(void) {
  size_t pages = 0, all = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%zu %zu", &all, &pages) != 2) pages = 0;
  if (f) fclose(f);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Untouched zeros cost no memory; and what the machine cannot hold is not promised. */
static void very_large(void) {
  size_t before = resident_bytes(), n = (size_t)512 << 20;
  char *p = calloc(n / 16, 16);
  CHECK(p && p[0] == 0 && p[n / 2] == 0 && p[n - 1] == 0);
  CHECK(resident_bytes() < before + n / 4);
  free(p);
  p = malloc(2 * (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE)); /* the system decides */
  CHECK(p == NULL || !ours(p));
  free(p);
  CHECK(live() == 0);
}

static int count(const portable_block *b, void *sum) {
  (void)b;
  ++*(int *)sum;
  return 0;
}

/* Requests of the library itself to malloc, under its locks, must not come back to the pool. */
static void from_inside(void) {
  enum { MANY = 5000 };
  static void *held[MANY];
  portable_pool pool;
  int listed = 0;
  if (off) return;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_alloc(10, "many", &held[i]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_list(pool, count, &listed), PORTABLE_OK);
  CHECK(listed == MANY);
  for (int i = 0; i < MANY; i++) CHECK_STATUS(portable_free(held[i]), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

static void resizing(void) {
  static const size_t steps[] = {100, 5000, 70000, 80000, 75000, 3 * LARGE, 2 * LARGE, 200000, 199999, 66000, 60000, 10, LARGE};
  size_t was = 10;
  unsigned char *p = realloc(NULL, was);
  memset(p, 7, was);
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    unsigned char *q = realloc(p, steps[i]);
    CHECK(q != NULL && filled(q, 7, was < steps[i] ? was : steps[i]));
    CHECK(off || ours(q) == (steps[i] >= 65536));
    p = q;
    was = steps[i];
    memset(p, 7, was);
  }
  CHECK(realloc(p, 0) == NULL);
  CHECK(live() == 0);
}

/* libc frees and resizes what the program allocated. */
static void inside_libc(void) {
  size_t room = 100000, n = 300000;
  char *line = malloc(room);
  FILE *f = tmpfile();
  for (size_t i = 0; i < n; i++) fputc('x', f);
  rewind(f);
  CHECK(getline(&line, &room, f) == (ssize_t)n && line[n - 1] == 'x');
  free(line);
  line = malloc(200000);
  line = reallocarray(line, 400000, 2);
  CHECK(line != NULL);
  free(line);
  fclose(f);
  CHECK(live() == 0);
}

static pthread_key_t key;
static void at_thread_end(void *p) { free(p); }
static void *in_thread(void *other) {
  pthread_setspecific(key, malloc(LARGE));
  free(other);
  return malloc(LARGE);
}

static void threads(void) {
  pthread_key_create(&key, at_thread_end);
  for (int i = 0; i < 50; i++) {
    pthread_t t;
    void *p;
    CHECK(pthread_create(&t, NULL, in_thread, malloc(LARGE)) == 0 && pthread_join(t, &p) == 0);
    free(p);
  }
  CHECK(live() == 0);
}

static void forked(void) {
  unsigned char *p = malloc(LARGE);
  int status = -1;
  memset(p, 9, LARGE);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(emulated_seconds(20)); /* a hang becomes a signal */
    unsigned char *q = malloc(LARGE);
    if (!q || ours(q)) _exit(1);
    free(q);
    p = realloc(p, 2 * LARGE);
    if (!p || !filled(p, 9, LARGE)) _exit(2);
    free(p);
    _exit(0);
  }
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  CHECK(filled(p, 9, LARGE));
  free(p);
}

/* The library's own participants come and go; the program's blocks stay, and are no leaks. */
static void beside_participants(void) {
  unsigned char *p = malloc(LARGE);
  void *forgotten = NULL;
  memset(p, 5, LARGE);
  for (int i = 0; i < 2; i++) {
    CHECK(portable_is_initialized() == 0);
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    CHECK(portable_is_initialized() == 1);
    CHECK_STATUS(portable_alloc(1000, "mine", &forgotten), PORTABLE_OK);
    if (i == 0) CHECK_STATUS(portable_free(forgotten), PORTABLE_OK);
    CHECK_STATUS(portable_finalize(), PORTABLE_OK); /* the second one lists "mine", and nothing else */
    CHECK(portable_is_initialized() == 0);
    CHECK_STATUS(portable_finalize(), PORTABLE_ERR_STATE);
    CHECK(filled(p, 5, LARGE));
    CHECK(live() == (off ? 0 : 1));
  }
  free(p);
  CHECK(live() == 0);
}

static void *last;
static void at_the_end(void) { free(last); }

int main(void) {
  off = !served();
  CHECK(early != NULL && filled(early, 3, LARGE));
  free(early);
  CHECK(earliest != NULL && filled(earliest, 4, 2 * LARGE));
  free(earliest);
  sizes();
  error_number();
  very_large();
  from_inside();
  resizing();
  inside_libc();
  threads();
  forked();
  beside_participants();
  last = malloc(LARGE);
  atexit(at_the_end);
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
