/* portable_check.h - what a program can say to the checks of memory. Part of portable.h; include that.
 *
 * In this file: checkpoints. Not in this file: which checks there are (PORTABLE_CHECK=memory, PORTABLE_TRACE), which the environment says. */
#ifndef PORTABLE_CHECK_H
#define PORTABLE_CHECK_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Says that the program is at a point that comes again, such as the end of a time step: the bytes around all blocks are looked at, what is
 * live goes into the trace, and what has become more at each of the last three checkpoints of this label is reported. Without
 * PORTABLE_CHECK=memory or PORTABLE_TRACE it does nothing, for the price of a branch.
 * Ownership: label is copied; NULL is "".
 * Threads: safe; blocks of other threads that come or go meanwhile may be counted or not.
 * Source: valgrind's VALGRIND_DO_CHANGED_LEAK_CHECK.
 * Returns: 0.  Since: 0.1 */
portable_status portable_checkpoint(const char *label);

/* ---- for the Fortran modules --------------------------------------------------------------------- */

/* The same with a label that has no end but its blanks. */
void portable__fortran_checkpoint(const char *label, size_t label_bytes);

#ifdef __cplusplus
}
#endif

#endif
