/* plugin.c - a user's shared library with the archive inside. Not in this file: who loads it (plugins.c). */
#include "portable.h"

#include <stddef.h>

int plugin_start(void);
int plugin_work(void);
int plugin_end(void);

int plugin_start(void) { return portable_init(NULL); }

int plugin_work(void) {
  void *p = NULL;
  int status = portable_alloc(100000, "plugin", &p);
  if (status != 0) return status;
  ((char *)p)[99999] = 1;
  return portable_free(p);
}

int plugin_end(void) { return portable_finalize(); }
