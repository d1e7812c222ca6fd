/* observers.h - settings of observers from the environment, passed by Go: tools of Kokkos, NVTX,
 * the log, checks, tuning. Private. Go calls the functions under the lock of the instance, before
 * observers are notified of a start. Not here: the observers' side (watch.h). */
#ifndef PORTABLE__OBSERVERS_H
#define PORTABLE__OBSERVERS_H

#include "../edge/base.h"

/* kokkos.c: libraries, with semicolons between, and the tools' arguments; "0": not even those linked into the program.
 * Returns 0: no memory. */
int32_t portable__tools_set(portable__text libraries, size_t bytes, portable__text arguments, size_t arguments_bytes);
/* nvtx.c: ranges for NVIDIA's profilers; wanted: 1 yes, -1 no, 0 if a profiler is there. Returns NULL, or why it
 * failed. */
portable__text portable__nvtx_open(int32_t wanted);
/* verbose.c: the log's file; no bytes: no log. Returns 0 or an errno. */
int32_t portable__verbose_open(portable__text path, size_t bytes, int32_t how); /* how: 0 or PORTABLE__FILE_DEFAULT */
/* Writes one line to the log. Takes no lock and calls no observer. */
void portable__verbose_line(portable__text text, size_t bytes);
/* checks.c: PORTABLE_CHECK_..., for programs that choose none. */
void portable__checks_default(uint32_t checks);

/* ---- tuning.c ---- */

/* The settings for a label, or for all labels with this beginning; 0 in a field is no setting. */
struct portable__tuning {
  char label[PORTABLE__LABEL_MAX + 1];
  size_t label_bytes;
  int64_t tile[PORTABLE_LOOP_RANK], chunk;
  int32_t tile_rank, schedule, block_size;
};

/* The first `exact` entries are whole labels; no entry turns tuning off. Returns 0: no memory, and nothing has
 * changed. */
int32_t portable__tuning_set(const struct portable__tuning *entries, size_t count, size_t exact);

/* Which uses an entry of a whole label has had since it was set. */
#define PORTABLE__TUNING_LAUNCHED 1
#define PORTABLE__TUNING_LAID_OUT 2
uint32_t portable__tuning_used(size_t number);

/* ---- refusals: Go refuses exactly the calls that are not ordinary (exec.HookAdd, exec.SetChecks) ---- */

static inline int portable__hook_ordinary(int has_out, int has_function, uint32_t events) {
  return has_out && has_function && events && !(events & ~PORTABLE_EVENT_ALL);
}

#define PORTABLE__CHECKS_OF_RUN (PORTABLE_CHECK_MEMORY | PORTABLE_CHECK_HASH | PORTABLE_CHECK_RACES) /* the environment alone chooses them */

static inline int portable__checks_ordinary(uint32_t checks) { return !(checks & ~PORTABLE_CHECK_ALL); }

#endif
