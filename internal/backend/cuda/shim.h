/* shim.h - the driver's library, opened on demand: all cu* functions of cuda.h are trampolines
 * (trampolines.S) that are bound at their first call. No CUDA types here. Nothing is loaded before
 * portable__cuda_open. If the library is missing each function returns CUDA_ERROR_NO_DEVICE; a
 * function that the library lacks returns CUDA_ERROR_NOT_FOUND. The library stays open for ever,
 * because its functions may be running. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_SHIM_H
#define PORTABLE__CUDA_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* Opens PORTABLE_CUDA_LIBRARY, else libcuda.so.1, and starts the driver. Returns 0, or the code of cuInit; 100 if there
 * is no library. Later calls return the same, but search again for a missing library or device. */
int portable__cuda_open(void);
/* Why the last portable__cuda_open failed, by dlopen or the driver; "" if it did not. Static memory. */
const char *portable__cuda_why(void);
/* 1: the driver was started, by this process and not by its parent. */
int portable__cuda_is_open(void);
/* A function of the driver's library that cuda.h does not declare; NULL: there is none of that name. */
void *portable__cuda_symbol(const char *name);

#endif
