/* observers.h - what Go sets for observers from the environment: tools of Kokkos, NVTX, the log, checks, tuning. Private. Go calls it under the
 * lock of the instance, before observers are notified of a start. Not here: the observers' side (watch.h). */
#ifndef PORTABLE__OBSERVERS_H
#define PORTABLE__OBSERVERS_H

#include "../edge/base.h"

/* kokkos.c: libraries, with semicolons between, and the tools' arguments; "0": not even what is linked into the program. 0: no memory. */
int32_t portable__tools_set(portable__text libraries, size_t bytes, portable__text arguments, size_t arguments_bytes);
/* nvtx.c: ranges for NVIDIA's profilers; wanted: 1 yes, -1 no, 0 where a profiler is there. NULL, or why it can not be. */
portable__text portable__nvtx_open(int32_t wanted);
/* verbose.c: the log's file; no byte: none. 0, or what errno says. */
int32_t portable__verbose_open(portable__text path, size_t bytes, int32_t how); /* how: 0 or PORTABLE__FILE_DEFAULT */
/* One line of it. Takes no lock and calls nobody. */
void portable__verbose_line(portable__text text, size_t bytes);
/* checks.c: PORTABLE_CHECK_..., where the program has not said. */
void portable__checks_default(uint32_t checks);

/* ---- tuning.c ---- */

/* What is said for a label, or for all labels that begin so; 0 in a field is nothing. */
struct portable__tuning {
  char label[PORTABLE__LABEL_MAX + 1];
  size_t label_bytes;
  int64_t tile[PORTABLE_LOOP_RANK], chunk;
  int32_t tile_rank, schedule, block_size;
  int32_t arrays; /* PORTABLE__TUNING_ARRAYS: it is of arrays of the label, too, which layout.c asks for */
  char where[PORTABLE__LABEL_MAX + 1]; /* file and line, for messages */
};

#define PORTABLE__TUNING_ARRAYS      1
#define PORTABLE__TUNING_ARRAYS_ONLY 2

/* The first `exact` entries are whole labels; none turns tuning off. 0: no memory, all stays as it was. */
int32_t portable__tuning_set(const struct portable__tuning *entries, size_t count, size_t exact);

#endif
