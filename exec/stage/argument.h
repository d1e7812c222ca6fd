/* argument.h - arguments of portable_arg (struct portable__fortran_argument of portable_kernel.h):
 * their forms and notes, by the numbers of portable_argument_mod. Threads: any. */
#ifndef PORTABLE__STAGE_ARGUMENT_H
#define PORTABLE__STAGE_ARGUMENT_H

#include "../../capi/include/c/portable.h"

#define PORTABLE__ARGUMENT_RANKS 7

/* Form of an argument; data of HANDLE is a portable_array. */
enum { PORTABLE__VALUE, PORTABLE__VIEW, PORTABLE__ADDRESS, PORTABLE__MISSING, PORTABLE__LIVEOUT, PORTABLE__BOUNDS, PORTABLE__HANDLE };

/* Notes of an argument: it may share memory with others that have this note; the elements are contiguous, and `next` is not set; the kernel takes the
 * elements in any order. */
enum { PORTABLE__MAY_OVERLAP = 1, PORTABLE__DENSE = 2, PORTABLE__ANY_ORDER = 4 };

#endif
