/* fallback.h - kernels of the host that ran in place of a CUDA device. Threads: any. */
#ifndef PORTABLE__FALLBACK_H
#define PORTABLE__FALLBACK_H

#include "../../internal/edge/base.h"

/* Called before such a kernel runs on this thread, in the default stream or a synchronous one. Waits for the stream; gives its pending error. */
portable_status portable__fallback_turn(const char *call, const char *label, portable_stream stream);

/* Counts a run on the threads of the host, in ns. */
void portable__fallback(const char *label, int64_t count, int64_t ns);

/* list: all labels, the slowest first, in one malloc'ed block; -1: no memory. forget: called when the library starts. */
int64_t portable__fallback_rows(portable_fallback **rows_out);
void portable__fallback_forget(void);

#endif
