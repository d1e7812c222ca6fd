/* guest.h - what the C programs of guest share besides check.h: time, threads, and some pool work.
 * Not in this file: checks. */
#ifndef GUEST_H
#define GUEST_H

#include "check.h"

#include <time.h>

static inline double guest_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A number out of a line "Name:  123 kB" of /proc/self/status. */
static inline long guest_status(const char *name) {
  char line[256];
  long value = -1;
  FILE *f = fopen("/proc/self/status", "r");
  if (f == NULL) return -1;
  while (fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ':') value = atol(line + strlen(name) + 1);
  fclose(f);
  return value;
}

/* A few blocks taken, written and freed in another order; 0 when all went well. */
static inline int guest_work(unsigned seed) {
  void *p[8];
  int i, wrong = 0;
  for (i = 0; i < 8; i++) {
    size_t bytes = 100 + ((size_t)seed * 7919u + (size_t)i * 104729u) % 40000;
    if (portable_alloc(bytes, "work", &p[i]) != 0) return 1;
    ((unsigned char *)p[i])[0] = (unsigned char)i;
    ((unsigned char *)p[i])[bytes - 1] = (unsigned char)i;
  }
  for (i = 0; i < 8; i++) {
    int k = (i * 3 + (int)(seed & 7)) & 7;
    if (((unsigned char *)p[k])[0] != k) wrong++;
    if (portable_free(p[k]) != 0) wrong++;
  }
  return wrong;
}

#endif
