/* fallback.h - kernels of the host that ran in place of a CUDA device. Threads: any. */
#ifndef PORTABLE__FALLBACK_H
#define PORTABLE__FALLBACK_H

#include "../../internal/edge/base.h"

/* Called before such a kernel runs on this thread, in the default stream or a synchronous one. Waits for the stream; gives its pending error. */
portable_status portable__fallback_turn(const char *call, const char *label, portable_stream stream);

/* Counts a run on the threads of the host, in ns: the launch had no version for the device. hold 1: launches of this thread are not counted
 * until hold 0, because a second launch of the label does the work. */
void portable__fallback(const char *label, int64_t count, int64_t ns);
void portable__fallback_hold(int32_t hold);

/* Why a launch of a label was not the device's, although it has a version: bits, as in exec/fallback.go. Only WHY_CODE has a later effect: launches
 * that need copies (exec/stage) are then the host's. */
#define PORTABLE__WHY_REACH 1u /* it cannot access an array */
#define PORTABLE__WHY_CODE  2u /* its compiler refused the version */
#define PORTABLE__WHY_ORDER 4u /* a value that is not ordered: the host's order decides */
#define PORTABLE__WHY_MEMORY 8u /* it had no memory left for copies of arrays */
#define PORTABLE__WHY_ASKED 16u /* a directive of the program gives it to the host */
#define PORTABLE__CODE_REFUSED 2 /* of portable__cuda_program_form, in the place of 1: there is no compiler */
void portable__fallback_because(const char *label, uint32_t why);
uint32_t portable__fallback_why(const char *label);

/* list: all labels, the slowest first, in one malloc'ed block; -1: no memory. forget: called when the library starts. */
int64_t portable__fallback_rows(portable_fallback **rows_out);
void portable__fallback_forget(void);

#endif
