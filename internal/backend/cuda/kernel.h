/* kernel.h - records of programs for CUDA devices: the library's own code, users' code, and one
 * launch. The functions are in exec/device/cuda_program.c and cuda_launch.c. Private. A program is
 * code (exec/device_programs.go) and its forms: for each device a function in each variant, made
 * when a launch first asks. Records and forms stay until the library stops, even if they were
 * replaced or destroyed, because launches may be in streams. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_KERNEL_H
#define PORTABLE__CUDA_KERNEL_H

#include <stdatomic.h>

#include "../../edge/base.h"
#include "devices.h"
#include "module.h"

/* Variants, as bits. Compiled with PORTABLE_NARROW, PORTABLE_LAUNCH_ORDER=1, PORTABLE_BOUNDS_CHECK. Images have only
 * one. */
#define PORTABLE__CUDA_NARROW  1
#define PORTABLE__CUDA_FORTRAN 2
#define PORTABLE__CUDA_CHECKED 4
#define PORTABLE__CUDA_VARIANTS 8

struct portable__cuda_form {
  struct portable__cuda_function f;
  _Atomic int32_t shared_allowed; /* bytes of dynamic shared memory that it may use so far */
};

/* The part of a program that launches read. Go makes and fills it (exec/device_programs.go), and releases it at the end. */
struct portable__cuda_program {
  uint32_t number;          /* kernels report failures by it */
  int32_t one_form;         /* 1: images and the library's own code have only variant 0 */
  int32_t block_size;       /* threads that the code wants; 0: it does not say */
  size_t shared_bytes;      /* dynamic shared memory that the code wants */
  _Atomic int32_t retired;  /* 1: no later launch uses it */
  _Atomic(struct portable__cuda_form *) form[PORTABLE__CUDA_MOST][PORTABLE__CUDA_VARIANTS];
  char label[256];
};

/* Marks a program that no later launch uses. */
void portable__cuda_program_retire(struct portable__cuda_program *program);

/* The program's function on a device in a variant, made at first use; NULL with an error. If *no_compiler_out, where
 * not NULL, is 1, NVRTC was not found, the host runs the launch, and the thread's error is unchanged. */
const struct portable__cuda_form *portable__cuda_program_form(struct portable__cuda_program *program, int32_t index, int32_t variant,
                                                              portable_status *status_out, int32_t *no_compiler_out);

/* For Go: makes a record, NULL: no memory; publishes a function in it, 0: no memory; removes all functions, and releases a retired
 * record, which gives 1. */
struct portable__cuda_program *portable__cuda_program_make(portable__text label);
int portable__cuda_program_publish(struct portable__cuda_program *program, int32_t index, int32_t variant, const struct portable__cuda_function *f);
int portable__cuda_program_forget(struct portable__cuda_program *program);

/* A call of the library's own kernels. Go names them (exec/device_lists.go), when a call first asks. */
enum { PORTABLE__LIST_COPY, PORTABLE__LIST_REDUCE, PORTABLE__LIST_SCAN, PORTABLE__LIST_FILTER, PORTABLE__LIST_SORT, PORTABLE__LIST_COMPONENT,
       PORTABLE__LIST_RANDOM, PORTABLE__LIST_SOLVE, PORTABLE__LIST_FFT, PORTABLE__LIST_HALO, PORTABLE__LIST_SEGMENTED, PORTABLE__LIST_MESH };
#define PORTABLE__LIST(call, op, kind, way) ((uint32_t)(call) << 24 | (uint32_t)(op) << 16 | (uint32_t)(kind) << 8 | (uint32_t)(way))
#define PORTABLE__LIST_MOST 10
struct portable__cuda_list {
  uint32_t key; /* PORTABLE__LIST(...) */
  int32_t count;
  struct portable__cuda_list *next; /* lists stay, and their links never change */
  struct portable__cuda_program *program[PORTABLE__LIST_MOST];
};
/* For Go, which asks both under one lock: NULL: there is none; 0: no memory. */
const struct portable__cuda_list *portable__cuda_list_find(uint32_t key);
int portable__cuda_list_add(uint32_t key, int32_t count, struct portable__cuda_program *const *programs);

/* The functions of a list in its order, the places of function_out so many bytes apart; compiled at first use. The label is for messages.
 * Returns: 0, ERR_NODEVICE, ERR_STATE (no NVRTC), and what the driver gives. */
portable_status portable__cuda_functions(const char *label, portable_device device, uint32_t key, void **function_out, size_t apart);

/* 1: the compiler for the device is available, for those kernels too. 0: callers continue on the host; a warning was
 * printed once in the process. */
int portable__cuda_compiles(int32_t index);

/* One launch into a native stream whose context is current; errors by portable__cuda_fail. params holds all parameters
 * in order. */
portable_status portable__cuda_grid(void *native, const char *label, void *function, const uint32_t grid[3], const uint32_t block[3],
                                    uint32_t shared_bytes, const void *params, size_t params_bytes);

#endif
