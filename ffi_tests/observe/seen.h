/* seen.h - what the programs of this room share: standard error and files as texts.
 * Not in this file: anything about the library. */
#ifndef SEEN_H
#define SEEN_H

#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static char seen_text[1 << 20];

/* All of a file; "" when there is none. */
static inline const char *seen_file(const char *path) {
  size_t n = 0;
  FILE *f = fopen(path, "r");
  if (f) {
    n = fread(seen_text, 1, sizeof seen_text - 1, f);
    fclose(f);
  }
  seen_text[n] = '\0';
  return seen_text;
}

static inline int seen_count(const char *text, const char *part) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, part)); p += strlen(part)) n++;
  return n;
}

/* From here to seen_errors standard error goes into a file; seen_errors gives what it got. */
static int seen_saved = -1;
static char seen_path[64];

static inline void seen_begin(void) {
  fflush(stderr);
  seen_saved = dup(2);
  snprintf(seen_path, sizeof seen_path, "seen_%d.txt", (int)getpid());
  int fd = open(seen_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(fd, 2);
  close(fd);
}

static inline const char *seen_errors(void) {
  fflush(stderr);
  dup2(seen_saved, 2);
  close(seen_saved);
  seen_file(seen_path);
  unlink(seen_path);
  return seen_text;
}

#define CHECK_SEEN(text, part, times)                                                                            \
  do {                                                                                                           \
    if (seen_count((text), (part)) != (times)) {                                                                 \
      check_failures++;                                                                                          \
      printf("%s:%d: '%s' is there %d times, not %d, in:\n%s\n", __FILE__, __LINE__, (part), seen_count((text), (part)), \
             (int)(times), (text));                                                                              \
    }                                                                                                            \
  } while (0)

#endif
