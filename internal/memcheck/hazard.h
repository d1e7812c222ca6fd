/* hazard.h - launches of different streams that use one block in no fixed order; part of the checks
 * of memory (memcheck.h). Private. Uses are known from kernel objects, which declare pointers and
 * access, or from words of the argument block that point into a pool. Order comes from streams,
 * events, fences and completed queries, never from speed, so a lucky program is reported too. If
 * order is not known exactly, more is taken as ordered, so that there is no false positive.
 * Threads: all functions are safe; not in signal handlers. */
#ifndef PORTABLE__HAZARD_H
#define PORTABLE__HAZARD_H

#include "../edge/base.h"
#include "../edge/where.h"
#include "memcheck.h"

/* The pointers that the launch of this thread declares. */
struct portable__declared {
  const struct portable__argument *arguments;
  size_t count;
  const void *args; /* where the pointers are */
};

extern __thread const struct portable__declared *portable__hazard_declared; /* NULL: nothing */

/* For an operation of the library that reads one array and writes another one. */
struct portable__declared_two {
  struct portable__argument arguments[2];
  const void *pointers[2];
  struct portable__declared declared;
};

static inline int portable__hazards(void) {
  return PORTABLE__UNLIKELY(atomic_load_explicit(&portable__memchecking, memory_order_relaxed));
}

/* A launch was put into a stream and has this number there; args is its argument block, which may be NULL. */
void portable__hazard_launch(struct portable__stream *s, uint64_t number, const char *label, const void *args, size_t args_bytes);

/* A launch follows, until `follows` is NULL: said of it is what is declared. One that runs at once, outside of all asynchronous streams, is
 * looked at here. */
void portable__hazard_follows(const char *label, const struct portable__declared *follows, const portable_launch_config *config);

/* The launch of this thread uses its declared pointers on this thread, now. */
void portable__hazard_here(const char *label);

/* The same for one that reads and writes there; each may be NULL. */
void portable__hazard_two(struct portable__declared_two *two, const char *label, const void *reads, const void *writes, const portable_launch_config *config);

void portable__hazard_free(uintptr_t start);                                       /* the block that starts there is about to be freed */
void portable__hazard_keeps(const void *address, const struct portable__stream *s); /* the block stays until the stream has passed */

void portable__hazard_waited(struct portable__point point);                                  /* who is outside of streams knows it is done */
void portable__hazard_waited_all(void);                                                      /* all that is done is known to be */
void portable__hazard_waits(const struct portable__stream *s, struct portable__point point); /* what the stream gets from now on comes after it */

#endif
