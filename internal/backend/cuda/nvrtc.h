/* nvrtc.h - the compiler of CUDA C, opened when a source must be compiled: PORTABLE_NVRTC_LIBRARY,
 * else libnvrtc.so of the driver's CUDA, else of 13, 12, 11 or without a number. No CUDA types
 * here.
 *
 * Threads: all functions are safe. The library stays open. */
#ifndef PORTABLE__NVRTC_H
#define PORTABLE__NVRTC_H

#include <stddef.h>
#include <stdint.h>

/* A source, and the files that it includes by name. */
struct portable__nvrtc_work {
  const char *text, *name; /* messages show the name */
  int32_t headers;
  const char *const *header_names, *const *header_texts;
  int32_t options;
  const char *const *option;
  int32_t cubin;           /* 1: machine code for the architecture that the options name (sm_); 0: PTX */
};

/* The result. image and log are malloc'ed; the caller frees them, after a failure too. */
struct portable__nvrtc_result {
  char *image, *log;
  size_t image_bytes, log_bytes;
  int code;            /* the compiler's; 6: the source has errors */
  const char *call;    /* the failed call */
};

#define PORTABLE__NVRTC_COMPILATION 6

/* 0: the library is open, its version is *major_out.*minor_out. Else -1; a missing library is searched again a second
 * later, or when PORTABLE_NVRTC_LIBRARY has changed. */
int portable__nvrtc_open(int32_t *major_out, int32_t *minor_out);
/* Writes why the last portable__nvrtc_open failed to text[room]. */
void portable__nvrtc_why(char *text, size_t room);
/* Stores up to `room` architectures that it knows, 80 for sm_80, the newest last. Returns their number; 0: unknown
 * (before CUDA 11.2). */
int32_t portable__nvrtc_architectures(int32_t *to, int32_t room);
/* 1: it also makes machine code. */
int portable__nvrtc_has_cubin(void);
/* Returns 0, or 1: see result->code. Call it after portable__nvrtc_open returned 0. */
int portable__nvrtc_compile(const struct portable__nvrtc_work *work, struct portable__nvrtc_result *result);
/* The compiler's name of a code. */
const char *portable__nvrtc_error(int code);

#endif
