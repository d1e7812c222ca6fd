/* callbacks.c - what Go can not call by itself: functions of the user, and the list of the C library's environment, which
 * is newer than the copy that Go made at the start of the program. Not in this file: values (internal/edge/environment.c). */
#include "edge.h"

extern char **environ;

void *portable__call_slab_alloc(portable_slab_alloc f, size_t bytes, void *payload) { return f(bytes, payload); }

void portable__call_slab_free(portable_slab_free f, void *slab, size_t bytes, void *payload) { f(slab, bytes, payload); }

const char *portable__environment(size_t i) { return environ ? environ[i] : NULL; }
