/* fallback.h - kernels of the host on a cuda device. Private. Threads: any. */
#ifndef PORTABLE__FALLBACK_H
#define PORTABLE__FALLBACK_H

#include "../../internal/edge/base.h"

/* Before such a kernel runs on this thread, in the default stream or a synchronous one: waits for the stream, whose pending error it gives. */
portable_status portable__fallback_turn(const char *call, const char *label, portable_stream stream);

/* It ran on `threads` for so long; the launch had no version for the device. */
void portable__fallback(const char *label, int64_t count, int64_t ns);

/* All labels, the slowest first, in one malloc'ed piece; -1: no memory. forget: the library starts. */
int64_t portable__fallback_rows(portable_fallback **rows_out);
void portable__fallback_forget(void);

#endif
