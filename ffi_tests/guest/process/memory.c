/* memory.c WHAT - right and wrong use of memory of the pool, for the tools that watch it: run_valgrind.sh and
 * run_asan.sh say what each must report. The lines that they must name are marked. */
#include "portable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile char sink;
static char *kept;

static char *take(size_t bytes) {
  void *p = NULL;
  if (portable_alloc(bytes, "taken", &p) != 0) exit(3); /* allocated */
  return p;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  portable_pool pool;
  char *a, *b;
  void *p = NULL;
  int i;
  if (portable_init(NULL) != 0) return 3;
  a = take(1000);
  b = take(100);
  memset(a, 1, 1000);
  memset(b, 1, 100);
  if (strcmp(what, "overrun") == 0) a[1000] = 1; /* overrun */
  if (strcmp(what, "underrun") == 0) b[-1] = 1; /* underrun */
  if (strcmp(what, "read") == 0) sink = a[1003]; /* read */
  if (strcmp(what, "after_free") == 0) {
    portable_free(b);
    b[10] = 1; /* after_free */
    b = NULL;
  }
  if (strcmp(what, "own_pool") == 0) {
    if (portable_pool_create(NULL, &pool) != 0 || portable_pool_alloc(pool, 77, "own", &p) != 0) return 3;
    ((char *)p)[77] = 1; /* own_pool */
    portable_pool_free(pool, p);
    portable_pool_destroy(pool);
  }
  if (strcmp(what, "leak") == 0) {
    kept = take(5000);
    kept = NULL;
    for (i = 0; i < 100; i++) portable_free(take(100)); /* washes the address out of registers and stacks */
    portable_free(a);
    portable_free(b);
    return 0;
  }
  if (strcmp(what, "uninitialised") == 0) {
    p = take(64);
    if (((char *)p)[5] == 3) puts("three"); /* uninitialised */
    portable_free(p);
  }
  if (strcmp(what, "clean") == 0) {
    void *many[200];
    portable_stats s;
    for (i = 0; i < 200; i++) {
      many[i] = take((size_t)i * 1001);
      memset(many[i], i, (size_t)i * 1001);
    }
    for (i = 0; i < 200; i += 2) portable_free(many[i]);
    for (i = 1; i < 200; i += 2) portable_free(many[i]);
    p = take((size_t)200 << 20); /* a slab of its own */
    memset((char *)p + (199 << 20), 1, 1 << 20);
    portable_free(p);
    if (portable_pool_default(&pool) != 0 || portable_pool_check(pool) != 0) return 3;
    portable_pool_trim(pool, NULL);
    s.struct_size = (uint32_t)sizeof s;
    if (portable_pool_stats(pool, &s) != 0) return 3;
    if (portable_pool_create(NULL, &pool) != 0 || portable_pool_alloc(pool, 77, "own", &p) != 0) return 3;
    memset(p, 1, 77);
    if (portable_pool_free(pool, p) != 0 || portable_pool_destroy(pool) != 0) return 3;
  }
  if (strcmp(what, "wrong_free") == 0 &&
      portable_free(a + 8) == 0) /* wrong_free */
    return 3;
  portable_free(a);
  portable_free(b);
  portable_finalize();
  return 0;
}
