/* misuse.h - what the generated C programs of misuse share: looking at a status, what a misuse must not change,
 * and the choice of a kind by name. Not in this file: any kind (internal/gen). */
#ifndef MISUSE_H
#define MISUSE_H

#include "portable.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct kind {
  const char *name;
  void (*commit)(void);
};

/* The call under test: with LOOKS its status is printed with its text, else nobody looks. */
#define ASK(call)                  \
  do {                             \
    portable_status ask_ = (call); \
    if (LOOKS) say(ask_);          \
  } while (0)

#define MUST(condition) must((condition), #condition)

static inline void say(portable_status status) {
  if (status == PORTABLE_OK)
    fprintf(stderr, "status 0\n");
  else
    fprintf(stderr, "status %d %s: %s\n", (int)status, portable_status_name(status), portable_last_error());
}

static inline void must(int condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "BROKEN: %s  last error: %s\n", what, portable_last_error());
  exit(3);
}

static inline portable_stats stats_of(portable_pool pool) {
  portable_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  MUST(portable_pool_stats(pool, &s) == PORTABLE_OK);
  return s;
}

/* So many blocks of a pool are live, its invariants hold, and it serves on. */
static inline void pool_goes_on(portable_pool pool, uint64_t live) {
  void *more;
  MUST(stats_of(pool).in_use_blocks == live);
  MUST(portable_pool_check(pool) == PORTABLE_OK);
  MUST(portable_pool_alloc(pool, 8000, "more", &more) == PORTABLE_OK);
  memset(more, 1, 8000);
  MUST(portable_pool_free(pool, more) == PORTABLE_OK);
}

static inline portable_pool the_pool(void) {
  portable_pool pool = 0;
  MUST(portable_pool_default(&pool) == PORTABLE_OK);
  return pool;
}

static inline void goes_on(uint64_t live) { pool_goes_on(the_pool(), live); }

/* A pool of host memory that the kinds of pools misuse. */
static inline portable_pool new_pool(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool = 0;
  config.name = "mine";
  config.initial_bytes = 1u << 20;
  MUST(portable_pool_create(&config, &pool) == PORTABLE_OK);
  return pool;
}

static inline int32_t no_visit(const portable_block *block, void *payload) {
  (void)block, (void)payload;
  return 0;
}

static inline void *no_slab(size_t bytes, void *payload) {
  (void)bytes, (void)payload;
  return NULL;
}

static inline portable_stream new_stream(void) {
  portable_stream s = 0;
  MUST(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s) == PORTABLE_OK);
  return s;
}

static inline portable_event new_event(void) {
  portable_event e = 0;
  MUST(portable_event_create(&e) == PORTABLE_OK);
  return e;
}

static inline void nothing(const portable_tile *tile, void *args) { (void)tile, (void)args; }

static inline void no_call(portable_status status, void *payload) { (void)status, (void)payload; }

static inline portable_status launch_nothing(portable_stream stream, portable_device device) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(10);
  config.stream = stream;
  config.device = device;
  return portable_parallel_for("nothing", &bounds, nothing, NULL, 0, &config);
}

/* A callback that waits for what its payload names; its stream stands still until go_on_stream. */
static portable_stream inside_stream;
static portable_event inside_event;
static portable_status inside_status;
static char inside_text[1000];
static int inside_pipe[2];

static inline void hold_stream(portable_status status, void *payload) {
  char one;
  (void)payload;
  MUST(status == PORTABLE_OK && read(inside_pipe[0], &one, 1) == 1);
}

static inline void go_on_stream(void) { MUST(write(inside_pipe[1], "!", 1) == 1); }

static inline void wait_inside(portable_status status, void *payload) {
  const char *what = (const char *)payload;
  (void)status;
  inside_status = strcmp(what, "fence") == 0       ? portable_stream_fence(inside_stream)
                  : strcmp(what, "fence all") == 0 ? portable_fence()
                  : strcmp(what, "destroy") == 0   ? portable_stream_destroy(inside_stream)
                  : strcmp(what, "finalize") == 0  ? portable_finalize()
                                                   : portable_event_wait(inside_event);
  snprintf(inside_text, sizeof inside_text, "%s", portable_last_error());
}

/* Functions of the program that call what they must not, or do not return. */
static portable_pool inside_pool;
static pthread_t inside_main;
static jmp_buf inside_jump;
static _Atomic int inside_begun, inside_workers;

static inline void slab_gone(void *slab, size_t bytes, void *payload) {
  (void)bytes, (void)payload;
  free(slab);
}

static inline void *slab_inside(size_t bytes, void *payload) {
  const char *what = (const char *)payload;
  portable_stats stats;
  void *p;
  stats.struct_size = (uint32_t)sizeof stats;
  inside_status = strcmp(what, "alloc") == 0   ? portable_pool_alloc(inside_pool, 100, "inner", &p)
                  : strcmp(what, "stats") == 0 ? portable_pool_stats(inside_pool, &stats)
                                               : portable_finalize();
  snprintf(inside_text, sizeof inside_text, "%s", portable_last_error());
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

/* Two iterations on two threads. */
static inline portable_status launch_two(portable_kernel_function kernel) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds bounds = portable_bounds_1(2);
  inside_main = pthread_self();
  config.device = 2;
  return portable_parallel_for("two", &bounds, kernel, NULL, 0, &config);
}

static inline void both_inside(const portable_tile *tile, void *args) {
  (void)args;
  inside_workers = tile->workers;
}

static inline void finalize_inside(const portable_tile *tile, void *args) {
  (void)args;
  if (tile->lower[0] != 0) return;
  inside_status = portable_finalize();
  snprintf(inside_text, sizeof inside_text, "%s", portable_last_error());
}

/* The launching thread waits, so that the other one runs its own iteration. */
static inline void exit_inside(const portable_tile *tile, void *args) {
  (void)tile, (void)args;
  if (!pthread_equal(pthread_self(), inside_main)) {
    inside_begun = 1;
    pthread_exit(NULL);
  }
  while (!inside_begun) sched_yield();
}

static inline void exit_callback(portable_status status, void *payload) {
  (void)status, (void)payload;
  pthread_exit(NULL);
}

static inline void jump_inside(const portable_tile *tile, void *args) {
  (void)tile, (void)args;
  if (pthread_equal(pthread_self(), inside_main)) longjmp(inside_jump, 1);
}

static inline void say_inside(void) {
  fprintf(stderr, "status %d %s: %s\n", (int)inside_status, portable_status_name(inside_status), inside_text);
}

static inline int misuse_main(int argc, char **argv, const struct kind *kinds, size_t count) {
  size_t i;
  if (pipe(inside_pipe) != 0) return 2;
  for (i = 0; i < count; i++) {
    if (argc < 2) puts(kinds[i].name);
    if (argc < 2 || strcmp(argv[1], kinds[i].name) != 0) continue;
    kinds[i].commit();
    fprintf(stderr, "end of case\n");
    return 0;
  }
  if (argc < 2) return 0;
  fprintf(stderr, "there is no kind '%s'\n", argv[1]);
  return 2;
}

#endif
