/* shim.h - the drivers' libraries, opened on demand: all cu* functions of cuda.h are trampolines
 * (trampolines.S), bound at their first call, to NVIDIA's driver, to twins in AMD's (hip.c) or
 * over OpenCL. With several in a process a call goes to the thread's driver: portable__cuda_turn
 * sets it. No CUDA types here. Without a library each function returns CUDA_ERROR_NO_DEVICE; one
 * that the library lacks returns CUDA_ERROR_NOT_FOUND. Libraries stay open for ever. Threads:
 * all functions are safe. */
#ifndef PORTABLE__CUDA_SHIM_H
#define PORTABLE__CUDA_SHIM_H

#include <stddef.h>
#include <stdint.h>

enum { PORTABLE__DRIVER_CUDA, PORTABLE__DRIVER_HIP, PORTABLE__DRIVER_OPENCL, PORTABLE__DRIVERS };

/* Opens PORTABLE_CUDA_LIBRARY, else libcuda.so.1 (PORTABLE_HIP_LIBRARY, else libamdhip64.so.7 to .5; for OpenCL what
 * portable__cuda_opencl has set), and starts the driver.
 * Returns 0, or the code of cuInit; 100 if there is no library. Later calls return the same, but search again for a
 * missing library or device. */
int portable__cuda_open(int driver);
/* Why the last portable__cuda_open failed, by dlopen or the driver; "" if it did not. Static memory. */
const char *portable__cuda_why(int driver);
/* 1: a driver was started, by this process and not by its parent. */
int portable__cuda_is_open(void);
int portable__cuda_driver_is_open(int driver);
/* The driver of this thread's next calls, where several are open. Returns the one before. */
int portable__cuda_turn(int driver);
/* 1: several drivers are open. */
int portable__cuda_mixed(void);
/* A function of the thread's driver that cuda.h does not declare; NULL: there is none of that name. */
void *portable__cuda_symbol(const char *name);

/* The driver of OpenCL (internal/backend/opencl/opencl.h), of which builds without it know nothing: what opens it, returns the number of its
 * devices, and says why there are none; what finds the twin of a function. Before the first portable__cuda_open of it. */
void portable__cuda_opencl(int32_t (*open)(char *why, size_t room), void *(*function)(const char *name));

/* ---- hip.c ---- */

/* The function of AMD's library that does what the driver's function of that name does; NULL: none. */
void *portable__hip_function(void *library, const char *name);

/* The architecture of a device, such as gfx90a:sramecc+:xnack-, ended by NUL. "": it is not known. */
void portable__hip_architecture(int ordinal, char *to, size_t room);

#endif
