/* twin.h - twins, for what works on their sides. Private. A side, and every view of it, has a flag in its descriptor that says which side it
 * is; the owner of its memory (array.c) knows the twin. All of a twin is guarded by one lock for all twins, under which nothing is called that
 * takes another one or waits. */
#ifndef PORTABLE__TWIN_H
#define PORTABLE__TWIN_H

#include <pthread.h>

#include "array.h"
#include "../../internal/handle/slots.h"
#include "../../internal/observe/watch.h"

enum { PORTABLE__HOST_SIDE, PORTABLE__DEVICE_SIDE };

#define PORTABLE__SINCE 160 /* bytes of what has made a side newer */

struct portable__twin_side {
  portable_array array;
  uintptr_t lowest, end; /* its memory */
  int32_t newer;         /* changed since both were the same */
  int32_t open;          /* taken for changes; no launch has come since */
  uint64_t changes;      /* how often it was marked */
  int64_t arriving;      /* syncs to it that are under way in streams */
  char since[PORTABLE__SINCE];
  char unmarked[PORTABLE__LABEL_MAX + 1]; /* a launch that declares that it writes the side, of which no mark tells; empty: none */
};

struct portable__twin {
  struct portable__slot_head slot;
  int64_t holders;
  int32_t one_memory;
  int32_t agreed;   /* both had `checksum` after the last sync; only under checks */
  uint64_t checksum;
  struct portable__twin_side side[2];
};

/* ---- twin.c ---- */

extern struct portable__slot_table portable__twins;
extern pthread_mutex_t portable__twin_lock;
extern _Atomic int64_t portable__twins_live;

/* ---- twin_check.c; all but uses, copied, arguments and watch under the lock ---- */

/* ERR_STATE where checks are on and a side can not be taken so; else marks what that means. opens: what changes it comes later. */
portable_status portable__twin_take(const char *function, struct portable__twin *t, int32_t side, int32_t access, int32_t opens);
/* What changed the side: "how function ('what')"; what, a name of it, may be NULL. */
void portable__twin_mark(struct portable__twin *t, int32_t side, const char *how, const char *function, const char *what);
/* Both are the same. */
void portable__twin_same(struct portable__twin *t);
/* ERR_STATE: both sides are newer; under checks: a launch has written one, and no mark says so. */
portable_status portable__twin_conflict(const char *function, struct portable__twin *t);
/* 1: under checks the side can be taken so. */
int portable__twin_fresh(const struct portable__twin *t, int32_t side, int32_t access);
/* Go says why (arrays.Marks); with checks of memory the text of an ERR_STATE becomes a finding of a missing sync. access: as of portable__twin_refusal. */
portable_status portable__twin_refuse(const char *function, const struct portable__twin *t, int32_t side, int32_t access) PORTABLE__COLD;
portable_status portable__twin_none(const char *function, portable_twin twin) PORTABLE__COLD; /* the handle is none */

/* Before a launch whose kernel declares pointers: under checks ERR_STATE where one is into a stale side. */
portable_status portable__twin_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count);

extern __thread int portable__twin_syncs __attribute__((tls_model("initial-exec"))); /* launches of this thread are the library's own */

/* Under checks of arrays twins are notified of launches. */
void portable__twin_watch(int32_t on);

#endif
