/* opencl.h - drivers of OpenCL behind the names of NVIDIA's driver: the same engine launches,
 * copies and waits, and finds its functions here instead of in libcuda. Private. Nothing is loaded
 * before portable__opencl_open. The library stays open for ever. Addresses are addresses: memory is
 * Intel's unified shared memory, else fine-grained shared virtual memory; devices without either
 * are left out. Threads: all functions are safe. */
#ifndef PORTABLE__OPENCL_H
#define PORTABLE__OPENCL_H

#include <stddef.h>
#include <stdint.h>

#define PORTABLE__OPENCL_MOST 16 /* devices */

/* Opens PORTABLE_OPENCL_LIBRARY, else libOpenCL.so.1, and looks for devices: GPUs first. Returns how many can be used; 0: why
 * says for each device what it lacks. A later call with devices found returns their number. */
int32_t portable__opencl_open(char *why, size_t room);

/* The function that stands for one of NVIDIA's driver; NULL: OpenCL has none such. Returned for any names by pointer to a function. */
void *portable__opencl_function(const char *name);

/* Facts that choose a compiler's output. */
struct portable__opencl_form {
  int32_t spir;      /* 1: takes bitcode of LLVM (cl_khr_spir) */
  int32_t llvm;      /* major version of the driver's LLVM, if its platform says so; else 0 */
  int32_t il;        /* 1: takes SPIR-V */
  int32_t warp_free; /* reserved: 0 */
  char driver[128];  /* name and version: part of the key of a cached image */
};
/* 0: there is no such device. */
int portable__opencl_form(int32_t ordinal, struct portable__opencl_form *to);

/* An image for cuModuleLoadDataEx begins so; the program follows. */
struct portable__opencl_image {
  char magic[8]; /* PORTABLE__OPENCL_MAGIC */
  uint64_t bytes; /* of the program */
  uint32_t form;  /* PORTABLE__OPENCL_... */
  uint32_t entries;
  /* then of each entry: uint32_t bytes of its parameters, uint32_t length of its name, the name, without a 0 */
};
#define PORTABLE__OPENCL_MAGIC "portocl1"
enum { PORTABLE__OPENCL_SPIR, PORTABLE__OPENCL_IL };

#endif
