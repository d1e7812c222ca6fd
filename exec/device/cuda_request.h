/* cuda_request.h - what the C files of CUDA kernels and the Go exports share. Private. */
#ifndef PORTABLE__CUDA_REQUEST_H
#define PORTABLE__CUDA_REQUEST_H

#include "../../internal/edge/base.h"
#include "../../internal/backend/cuda/module.h"

/* Go is asked to load an entry, and answers in it. */
enum { PORTABLE__CUDA_LOADED, PORTABLE__CUDA_NO_COMPILER, PORTABLE__CUDA_BAD_CODE, PORTABLE__CUDA_DRIVER, PORTABLE__CUDA_NO_MEMORY };
struct portable__cuda_request {
  portable__text label, builtin;
  const portable_cuda_code *code_of;
  int32_t index, variant;
  int32_t outcome, code; /* code: the driver's */
  int32_t lasting;       /* a problem of the code: it is so the next time, too */
  struct portable__cuda_function function;
  char *log;      /* malloc'ed; NULL: nothing was compiled */
  char call[64];  /* of the driver's, that has failed */
  char text[4096];
};


#endif
