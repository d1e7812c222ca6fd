/* callbacks.c - what Go can not call by itself: functions of the user, and the C library's environment, which
 * is newer than the copy that Go made at the start of the program. */
#include <stdlib.h>

#include "edge.h"

extern char **environ;

__thread int portable__in_slab_function __attribute__((tls_model("initial-exec")));

void *portable__call_slab_alloc(portable_slab_alloc f, size_t bytes, void *payload) {
  portable__in_slab_function++;
  void *slab = f(bytes, payload);
  portable__in_slab_function--;
  return slab;
}

void portable__call_slab_free(portable_slab_free f, void *slab, size_t bytes, void *payload) {
  portable__in_slab_function++;
  f(slab, bytes, payload);
  portable__in_slab_function--;
}

const char *portable__getenv(const char *name) { return getenv(name); }

const char *portable__environment(size_t i) { return environ ? environ[i] : NULL; }
