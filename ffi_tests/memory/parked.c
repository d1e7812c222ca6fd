/* parked.c WHAT - a program whose freed blocks come back to the next allocation of the same bytes and label, and what it asks meanwhile: with
 * PORTABLE_MEMCHECK=mode=fast, where they are parked in C, each answer is the one without checks (run.sh compares). Not in this file: accesses (places.c). */
#include "portable.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 1000
#define BYTES (N * sizeof(double))

static int failed;

static void require(int holds, const char *what, int line) {
  if (holds) return;
  printf("line %d: not so: %s\n", line, what);
  failed = 1;
}

#define REQUIRE(condition) require((condition) != 0, #condition, __LINE__)

static double *block(size_t bytes, const char *label) {
  void *p = NULL;
  REQUIRE(portable_alloc(bytes, label, &p) == PORTABLE_OK);
  return p;
}

static portable_stats stats(void) {
  portable_stats s = {.struct_size = sizeof s};
  portable_pool pool;
  REQUIRE(portable_pool_default(&pool) == PORTABLE_OK);
  REQUIRE(portable_pool_check(pool) == PORTABLE_OK);
  REQUIRE(portable_pool_stats(pool, &s) == PORTABLE_OK);
  return s;
}

static int is_found(const void *address) {
  portable_pool pool;
  portable_block b = {.struct_size = sizeof b};
  REQUIRE(portable_pool_default(&pool) == PORTABLE_OK);
  return portable_pool_find(pool, address, &b) == PORTABLE_OK;
}

/* Blocks of a few sizes and labels come and go in each step. */
static void steps(int count) {
  static const char *const labels[] = {"h", "flux", "", "a label that is long enough to be cut where a short one is kept: north of 64 bytes"};
  for (int step = 0; step < count; step++) {
    double *p[8];
    for (int i = 0; i < 8; i++) {
      p[i] = block(BYTES + 8 * (size_t)(i % 3), labels[i % 4]);
      p[i][0] = p[i][N - 1] = i;
    }
    for (int i = 0; i < 8; i++) {
      REQUIRE(p[i][0] == i && p[i][N - 1] == i);
      REQUIRE(portable_free(p[i]) == PORTABLE_OK);
    }
  }
}

static void statistics(void) {
  portable_stats before = stats(), s;
  steps(20);
  s = stats();
  REQUIRE(s.allocations == before.allocations + 160 && s.frees == before.frees + 160);
  REQUIRE(s.in_use_blocks == before.in_use_blocks && s.in_use_bytes == before.in_use_bytes);
  double *a = block(BYTES, "a");
  portable_free(a);
  double *b = block(BYTES, "a");
  s = stats();
  REQUIRE(s.in_use_blocks == before.in_use_blocks + 1 && s.in_use_bytes == before.in_use_bytes + BYTES);
  portable_free(b);
  REQUIRE(!is_found(b) && !is_found(b + 5));
  REQUIRE(stats().in_use_blocks == before.in_use_blocks);
  /* through the handle of the pool, and back */
  portable_pool pool;
  void *c;
  portable_pool_default(&pool);
  REQUIRE(portable_pool_alloc(pool, BYTES, "a", &c) == PORTABLE_OK);
  REQUIRE(portable_free(c) == PORTABLE_OK);
  a = block(BYTES, "a");
  REQUIRE(portable_pool_free(pool, a) == PORTABLE_OK);
  /* a pool of the program's takes none of them, and gives none */
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool own;
  REQUIRE(portable_pool_create(&config, &own) == PORTABLE_OK);
  REQUIRE(portable_pool_alloc(own, BYTES, "a", &c) == PORTABLE_OK);
  REQUIRE(portable_pool_free(own, c) == PORTABLE_OK);
  a = block(BYTES, "a");
  REQUIRE(portable_pool_alloc(own, BYTES, "a", &c) == PORTABLE_OK && c != a);
  REQUIRE(portable_free(a) == PORTABLE_OK && portable_pool_free(own, c) == PORTABLE_OK);
  REQUIRE(portable_pool_destroy(own) == PORTABLE_OK);
  REQUIRE(stats().in_use_blocks == before.in_use_blocks);
}

/* Parked blocks do not count: each of these blocks is most of what there may be. */
static void limit(void) {
  for (int i = 0; i < 6; i++) {
    double *p = block((size_t)(600 + i) << 10, i % 2 ? "odd" : "even"), *q;
    portable_free(p);
    q = block((size_t)600 << 10, "again");
    void *none = NULL;
    REQUIRE(portable_alloc(900 << 10, "too much", &none) == PORTABLE_ERR_NOMEM && !none);
    portable_free(q);
  }
  REQUIRE(stats().in_use_blocks == 0);
}

static double *passed[4][64];
static pthread_barrier_t meeting;

static void *one_of_four(void *number) {
  int me = *(int *)number;
  for (int round = 0; round < 30; round++) {
    for (int i = 0; i < 64; i++) {
      double *p = passed[me][i] = block(BYTES - (size_t)(i % 4), i % 2 ? "odd" : "even");
      p[0] = p[N - 2] = me;
    }
    pthread_barrier_wait(&meeting);
    for (int i = 0; i < 64; i++) {
      double *p = passed[(me + 1) % 4][i];
      REQUIRE(p[0] == (me + 1) % 4 && p[N - 2] == (me + 1) % 4);
      REQUIRE(portable_free(p) == PORTABLE_OK);
    }
    if (me == round % 4) stats();
    pthread_barrier_wait(&meeting);
  }
  return NULL;
}

static void threads(void) {
  pthread_t thread[4];
  int number[4] = {0, 1, 2, 3};
  pthread_barrier_init(&meeting, NULL, 4);
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, one_of_four, &number[i]);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  portable_stats s = stats();
  REQUIRE(s.in_use_blocks == 0 && s.allocations == 4 * 30 * 64 && s.frees == s.allocations);
}

static void again(void) {
  double *p = NULL;
  for (int i = 0; i < 3; i++) {
    steps(3);
    REQUIRE(portable_finalize() == PORTABLE_OK);
    REQUIRE(portable_free(p) == (p ? PORTABLE_ERR_STATE : PORTABLE_OK)); /* of the run before */
    REQUIRE(portable_init(NULL) == PORTABLE_OK);
    portable_stats s = stats();
    REQUIRE(s.allocations == 0 && s.frees == 0 && s.in_use_blocks == 0);
    p = block(BYTES, "h");
    portable_free(p);
  }
}

static void forks(void) {
  int status = 0;
  double *p = block(BYTES, "p");
  portable_free(block(BYTES, "q"));
  pid_t child = fork();
  if (child == 0) {
    void *q = NULL;
    int refused = portable_alloc(BYTES, "q", &q) == PORTABLE_ERR_FORK && !q && portable_free(p) == PORTABLE_OK;
    _exit(refused ? 7 : 8);
  }
  waitpid(child, &status, 0);
  REQUIRE(WEXITSTATUS(status) == 7);
  portable_free(p);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  portable_config config = PORTABLE_CONFIG_INIT;
  if (strcmp(what, "limit") == 0) {
    config.pool_initial_bytes = 1 << 20;
    config.pool_limit_bytes = 1400 << 10;
  }
  if (portable_init(&config) != PORTABLE_OK) return 1;
  if (strcmp(what, "limit") == 0) limit();
  if (strcmp(what, "statistics") == 0) statistics();
  if (strcmp(what, "threads") == 0) threads();
  if (strcmp(what, "again") == 0) again();
  if (strcmp(what, "fork") == 0) forks();
  if (strcmp(what, "twice") == 0 || strcmp(what, "after_free") == 0 || strcmp(what, "inside") == 0 || strcmp(what, "lost") == 0) {
    double *a = block(BYTES, "a"), *b = block(BYTES, "b");
    portable_free(a);
    if (*what == 't') REQUIRE(portable_free(a) == PORTABLE_ERR_POINTER && strstr(portable_last_error(), "freed already"));
    if (*what == 'i') REQUIRE(portable_free(a + 1) == PORTABLE_ERR_POINTER && portable_free(b + 1) == PORTABLE_ERR_POINTER);
    if (*what == 'a') ((volatile double *)a)[N] = 5; /* without checks in the padding of the block, which has no owner */
    double *c = block(BYTES, "a");
    if (*what != 'l') portable_free(c); /* lost: this one is live, although it was freed before */
    portable_free(b);
  }
  portable_finalize();
  if (!failed) printf("%s: ok\n", what);
  return failed;
}
