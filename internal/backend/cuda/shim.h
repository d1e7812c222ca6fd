/* shim.h - the driver's library, opened when it is wanted and not before: all cu* functions of cuda.h are trampolines
 * (trampolines.S) that are bound when they are called first. No CUDA types here.
 *
 * Invariants: nothing is loaded before portable__cuda_open. Where the library is missing each function answers
 * CUDA_ERROR_NO_DEVICE, one that the library lacks CUDA_ERROR_NOT_FOUND. A library that was opened stays open for ever: functions
 * of it may be running. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_SHIM_H
#define PORTABLE__CUDA_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* Opens PORTABLE_CUDA_LIBRARY, else libcuda.so.1, and starts the driver. 0, or what cuInit answers; 100 where there is no library.
 * Later calls answer the same, but for a missing library or device, which is looked for again. */
int portable__cuda_open(void);
/* Why the last portable__cuda_open has failed, "" when it has not: what dlopen says, or the driver. Static memory. */
const char *portable__cuda_why(void);
/* 1: the driver was started, by this process and not by its parent. */
int portable__cuda_is_open(void);
/* The function of that name in the driver's library, for what cuda.h does not declare; NULL: there is none. */
void *portable__cuda_symbol(const char *name);

#endif
