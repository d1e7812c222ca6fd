/* no_memory.h - the calls that no_memory.c makes while memory is refused (no_memory_calls.c). */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include <portable.h>

/* Makes calls of one kind and takes back what they made; the status of the first that failed. */
struct no_memory_call {
  const char *name;
  portable_status (*run)(void);
  int stopped;          /* 1: run is called while the library does not run, and leaves it so */
  portable_status also; /* a status besides ERR_NOMEM that its comment names for this */
};

extern const struct no_memory_call no_memory_calls[];

/* The text of a failure on a thread of the call's own; "": it is the calling thread's. */
extern char no_memory_text[300];

/* Notes that a release failed after memory was there again. */
void no_memory_stuck(const char *call, portable_status status);

#endif
