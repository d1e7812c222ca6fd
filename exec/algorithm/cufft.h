/* cufft.h - the user's own cuFFT (PORTABLE_FFT_LIBRARY) for lines on CUDA devices. Private. Plans
 * of cuFFT are made when a layout first asks; they belong to a plan of ours, and end with it, or
 * when the library stops. Not here: which library (fft_library.c). Threads: any. */
#ifndef PORTABLE__CUFFT_H
#define PORTABLE__CUFFT_H

#include <pthread.h>
#include <stdatomic.h>

#include "../device/device_arrays.h"

/* Types of transforms of a kind, in the order of the names of portable__cufft_execute. */
enum { PORTABLE__CUFFT_COMPLEX, PORTABLE__CUFFT_FORWARD, PORTABLE__CUFFT_BACKWARD };

/* Lines that one plan describes. Steps count elements of the side: along a line, from one line to the next. */
struct portable__cufft_shape {
  int64_t n, lines, step[2], next[2];
  int32_t type, doubles, index, reserved; /* index: of the CUDA device */
};

struct portable__cufft_plan {
  struct portable__cufft_plan *next;
  const struct portable__fft_plan *of;
  struct portable__cufft_shape shape;
  pthread_mutex_t busy; /* stream and work memory are set, then used */
  uint64_t turn;        /* of the last use */
  size_t work;          /* bytes of work memory */
  int32_t users, refused, handle;
};

extern _Atomic int portable__cufft_is_open;

/* 1: the library has all functions. 0: it lacks *lacks_out; NULL: it has none of them. */
int portable__cufft_bind(void *library, const char **lacks_out);

/* Transforms all lines, of which there are some. Waits for the end. *taken_out 0: cuFFT has no plan for them, and nothing was done. */
portable_status portable__cufft_lines(const struct portable__place *place, const struct portable__fft *f, int32_t kind, int *taken_out);

/* A plan that stays until it is released. refused 1: cuFFT has none for the shape. NULL: an error. */
struct portable__cufft_plan *portable__cufft_take(const struct portable__place *place, const struct portable__fft_plan *of, const struct portable__cufft_shape *shape,
                                                  portable_status *status_out);
void portable__cufft_give(struct portable__cufft_plan *p);

/* Transforms `lines` in the native stream, whose context is current. Called with p->busy. Gives a result of cuFFT, and the name of the function. */
int portable__cufft_begin(const struct portable__cufft_plan *p, void *native, void *work, const char **function_out);
int portable__cufft_execute(const struct portable__cufft_plan *p, void *in, void *out, int backward, const char **function_out);
/* Sets the text. ERR_NOMEM, or ERR_DEVICE. */
portable_status portable__cufft_fail(int result, const char *function, const char *call, const char *label, const struct portable__cufft_shape *shape);

/* Ends the plans of cuFFT that belong to a plan; NULL: all. No call uses them. */
void portable__cufft_end(const struct portable__fft_plan *of);

#endif
