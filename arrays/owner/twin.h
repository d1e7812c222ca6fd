/* twin.h - twins, for the files that work on their sides. A flag in its descriptor marks a side and
 * each view of it; the owner of the memory (array.c) has the twin's handle. Lock:
 * portable__twin_lock guards all twins. Under it code takes only locks that come after it
 * (docs/ARCHITECTURE.md), and a refusal enters Go. */
#ifndef PORTABLE__TWIN_H
#define PORTABLE__TWIN_H

#include <pthread.h>

#include "array.h"
#include "../../internal/handle/slots.h"
#include "../../internal/observe/watch.h"

enum { PORTABLE__HOST_SIDE, PORTABLE__DEVICE_SIDE };

#define PORTABLE__SINCE 160 /* bytes of the text that names the change */

struct portable__twin_side {
  portable_array array;
  uintptr_t lowest, end; /* byte span of its memory */
  int32_t newer;         /* changed since both were the same */
  int32_t open;          /* taken for changes, without a launch since */
  uint64_t changes;      /* count of marks */
  int64_t arriving;      /* syncs to it under way in streams */
  char since[PORTABLE__SINCE];
  char unmarked[PORTABLE__LABEL_MAX + 1]; /* label of a launch that declares a write and has no mark; else empty */
};

struct portable__twin {
  struct portable__slot_head slot;
  int64_t holders;
  int32_t one_memory;
  int32_t agreed;   /* both sides had `checksum` after the last sync; only under checks */
  uint64_t checksum;
  struct portable__twin_side side[2];
};

/* ---- twin.c ---- */

extern struct portable__slot_table portable__twins;
extern pthread_mutex_t portable__twin_lock;
extern _Atomic int64_t portable__twins_live;

/* ---- twin_check.c. Called under the lock, except none, arguments and watch. refuse is called without it for a copy of a twin. ---- */

/* Marks the effect of the access. ERR_STATE: under checks, the side is stale or busy. opens: the change comes later. */
portable_status portable__twin_take(const char *function, struct portable__twin *t, int32_t side, int32_t access, int32_t opens);
/* Marks the side as newer, with the text "how function ('what')"; what may be NULL. */
void portable__twin_mark(struct portable__twin *t, int32_t side, const char *how, const char *function, const char *what);
/* Clears the marks: both sides are equal. */
void portable__twin_same(struct portable__twin *t);
/* ERR_STATE: both sides are newer; or, under checks, a launch wrote a side without a mark. */
portable_status portable__twin_conflict(const char *function, struct portable__twin *t);
/* 1: checks allow the access. */
int portable__twin_fresh(const struct portable__twin *t, int32_t side, int32_t access);
/* Go writes the text (arrays.Marks); with checks of memory, an ERR_STATE is also a finding. access: of struct portable__twin_refusal. */
portable_status portable__twin_refuse(const char *function, const struct portable__twin *t, int32_t side, int32_t access) PORTABLE__COLD;
portable_status portable__twin_none(const char *function, portable_twin twin) PORTABLE__COLD; /* the handle is invalid */

/* Called before a launch whose kernel declares pointers. ERR_STATE: under checks, a pointer is into a stale side. */
portable_status portable__twin_arguments(const char *label, const void *block, const struct portable__argument *arguments, size_t count);

extern __thread int portable__twin_syncs __attribute__((tls_model("initial-exec"))); /* launches of this thread are the library's own */

/* Registers the observer of launches; on: PORTABLE_CHECK=arrays. */
void portable__twin_watch(int32_t on);

#endif
