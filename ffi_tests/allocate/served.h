/* served.h - whether portable::allocate serves this program, as docs/start/allocate.md says. Not in this file: a valgrind or sanitizer around it. */
#ifndef SERVED_H
#define SERVED_H

#include <stdlib.h>
#include <string.h>

static inline int served(void) {
  const char *disable = getenv("GATOR_DISABLE"), *check = getenv("PORTABLE_CHECK");
  return !(disable && strcmp(disable, "1") == 0) || (check && strstr(check, "memory"));
}

#endif
