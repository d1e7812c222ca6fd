/* kernel.h - programs for CUDA devices: the library's own code, users' code, and one launch. The
 * functions are in exec/device/cuda_program.c and exec/device/cuda_launch.c. Private. A program is
 * code and its compiled forms: for each device a function in each variant, compiled and loaded when
 * a launch first asks. Programs and their functions stay until the library stops, even if they were
 * replaced or destroyed, because launches may be in streams. Threads: all functions are safe. */
#ifndef PORTABLE__CUDA_KERNEL_H
#define PORTABLE__CUDA_KERNEL_H

#include "../../../capi/include/c/portable.h"
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

struct portable__cuda_program;

/* Makes a program. Code and names of arguments are copied. NULL: no memory. */
struct portable__cuda_program *portable__cuda_program_make(const char *label, const portable_cuda_code *code, const char *const *names, int32_t count);
/* Marks a program that no later launch uses. */
void portable__cuda_program_retire(struct portable__cuda_program *program);

/* The program's function on a device in a variant, made at first use; NULL with an error. If *no_compiler_out, where
 * not NULL, is 1, NVRTC was not found and the thread's error is unchanged. */
const struct portable__cuda_form *portable__cuda_program_form(struct portable__cuda_program *program, int32_t index, int32_t variant,
                                                              portable_status *status_out, int32_t *no_compiler_out);
const portable_cuda_code *portable__cuda_program_code(const struct portable__cuda_program *program);
const char *portable__cuda_program_name(const struct portable__cuda_program *program); /* the label; valid as long as the program */
uint32_t portable__cuda_program_number(const struct portable__cuda_program *program);
/* The label of the program of a number, also a retired one; "a kernel" for a released one. */
void portable__cuda_program_label(uint32_t number, char *text, size_t room);
/* "argument 2 ('h')" of the program of a number; "a view" for an unknown one. */
void portable__cuda_program_argument(uint32_t number, int32_t argument, char *text, size_t room);
/* Copies the compiler's last log into text[room]; returns its whole length with the 0 at the end. */
size_t portable__cuda_program_log(struct portable__cuda_program *program, char *text, size_t room);

/* An entry of an embedded source, kernels/SOURCE.cu, compiled at first use. The label is for messages.
 * Returns: 0, ERR_NODEVICE, ERR_STATE (no NVRTC), and what the driver gives. */
portable_status portable__cuda_builtin(const char *label, portable_device device, const char *source, const char *entry, void **function_out);

/* 1: NVRTC is available, for those entries too. 0: callers continue on the host; a warning was printed once in the
 * process. */
int portable__cuda_compiles(void);

/* Whether the compiler was searched and not found. */
int portable__cuda_misses_compiler(void);

/* One launch into a native stream whose context is current; errors by portable__cuda_fail. params holds all parameters
 * in order. */
portable_status portable__cuda_grid(void *native, const char *label, void *function, const uint32_t grid[3], const uint32_t block[3],
                                    uint32_t shared_bytes, const void *params, size_t params_bytes);

#endif
