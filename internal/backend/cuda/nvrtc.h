/* nvrtc.h - calls of the compilers of CUDA C. `of` is the driver. No CUDA types here. Private.
 * The library stays open; nvrtc.go searches it. Threads: all functions but portable__nvrtc_open
 * are safe, after it has returned 0. */
#ifndef PORTABLE__NVRTC_H
#define PORTABLE__NVRTC_H

#include <stddef.h>
#include <stdint.h>

#include "shim.h"

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
  const char *call;    /* the failed call, without the word before it: GetPTX */
};

#define PORTABLE__NVRTC_COMPILATION 6

/* Opens a library. Returns 0 and its version; else -1, with the reason in why[room]. Not for two threads at once. */
int portable__nvrtc_open(int of, const char *path, int32_t *major_out, int32_t *minor_out, char *why, size_t room);
/* Stores up to `room` architectures that it knows, 80 for sm_80, the newest last. Returns their number; 0: unknown
 * (before CUDA 11.2). */
int32_t portable__nvrtc_architectures(int32_t *to, int32_t room);
/* 1: it also makes machine code. */
int portable__nvrtc_has_cubin(void);
/* Returns 0, or 1: see result->code. Call it after portable__nvrtc_open returned 0. */
int portable__nvrtc_compile(int of, const struct portable__nvrtc_work *work, struct portable__nvrtc_result *result);
/* The file of hiprtc, as the loader found it; "": not known. Call it after hiprtc was opened. */
const char *portable__hiprtc_file(void);
/* 1: AMD's code generator in the library `generator` ("": the one that hiprtc is linked to) compiles for that architecture; 0: it does not, and hiprtc
 * would abort; -1: it is not there. Features after a colon do not matter. Call it after hiprtc was opened. */
int portable__hiprtc_knows(const char *architecture, const char *generator);
/* The compiler's name of a code. */
const char *portable__nvrtc_error(int of, int code);

#endif
