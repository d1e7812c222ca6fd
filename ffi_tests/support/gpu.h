/* gpu.h - the name of the device that a test of GPUs runs on: that of TEST_GPU, "hip" or "opencl" for the twins of the tests of CUDA devices
 * (ffi_tests/cuda/hip, ffi_tests/cuda/opencl), else "cuda"; and which devices are such. Threads: any. */
#ifndef GPU_H
#define GPU_H

#include <stdlib.h>
#include <string.h>

/* gpu(""): "cuda"; gpu(":1"): "cuda:1". */
static inline const char *gpu(const char *rest) {
  static char text[2][16];
  const char *said = getenv("TEST_GPU");
  char *const to = text[rest[0] != '\0'];
  strcpy(to, said && (strcmp(said, "hip") == 0 || strcmp(said, "opencl") == 0) ? said : "cuda");
  return strcat(to, rest);
}

/* 1: the device of that name is a GPU, or is driven as one. */
static inline int is_gpu(const char *name) { return strncmp(name, "cuda", 4) == 0 || strncmp(name, "hip", 3) == 0 || strncmp(name, "opencl", 6) == 0; }

#endif
