/* others.c - a program whose large blocks a shared library measures, resizes and frees; it says whether they came from the
 * pool. With -DHELPER this file is that library, with -DOPENED the program as a library with an entry, and with
 * -DOPENER the program that opens it. -DOWN_FREE gives the program a free of its own, as another allocator linked into it would.
 * Not in this file: how each is linked, and what must be seen (by_hand.sh). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t helper_measures(void *p);
void *helper_resizes(void *p, size_t bytes);
void helper_frees(void *p);
int entry(void);

#if defined(HELPER)
#include <malloc.h>

size_t helper_measures(void *p) { return malloc_usable_size(p); }
void *helper_resizes(void *p, size_t bytes) { return realloc(p, bytes); }
void helper_frees(void *p) { free(p); }

#elif defined(OPENER)
#include <dlfcn.h>

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  int (*run)(void);
  if (!library) return 2;
  *(void **)&run = dlsym(library, "entry");
  return run ? run() : 3;
}

#else
#include "portable.h"

#ifdef OWN_FREE
extern void __libc_free(void *p);
void free(void *p) { __libc_free(p); }
#endif

static int ours(const void *p) {
  portable_pool pool;
  portable_block block;
  return portable_pool_default(&pool) == PORTABLE_OK && portable_pool_find(pool, p, &block) == PORTABLE_OK;
}

int entry(void) {
  size_t n = 300000;
  char *p = malloc(n), *q = malloc(2 * n);
  int served = p && ours(p);
  if (!p || !q || helper_measures(p) < n || helper_measures(q) < 2 * n) return 4;
  memset(p, 'p', n);
  memset(q, 'q', 2 * n);
  p = helper_resizes(p, 5 * n);
  if (!p || p[0] != 'p' || p[n - 1] != 'p') return 5;
  q = helper_resizes(q, 10);
  if (!q || q[9] != 'q') return 6;
  helper_frees(p);
  helper_frees(q);
  helper_frees(malloc(n));
  puts(served ? "served" : "not served");
  return 0;
}

#ifndef OPENED
int main(void) { return entry(); }
#endif
#endif
