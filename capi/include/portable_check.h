/* portable_check.h - what a program can say to the checks of memory; part of portable.h. Which checks there are, and what they find:
 * docs/environment.md (PORTABLE_CHECK=memory, PORTABLE_TRACE). */
#ifndef PORTABLE_CHECK_H
#define PORTABLE_CHECK_H

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
