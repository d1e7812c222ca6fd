/* callbacks.c - functions of the user that Go calls, the environment of the C library, which is
 * newer than Go's copy, and memory of C for Go that may be refused: cgo's C.malloc and C.CString
 * end the program instead. In C because Go cannot call C pointers. Not in this file: values of
 * variables (internal/edge/environment.c). */
#include <stdlib.h>

#include "base.h"


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

void *portable__memory(size_t bytes) { return malloc(bytes); }

const char *portable__environment(size_t i) { return environ ? environ[i] : NULL; }
