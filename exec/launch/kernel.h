/* kernel.h - launches of kernel objects with a host version of the caller, and calls on declared
 * arguments. */
#ifndef PORTABLE__KERNEL_H
#define PORTABLE__KERNEL_H

#include "../../internal/edge/base.h"

struct portable_thread_block;

/* A host version for one launch, in place of the kernel's own. Its argument is the context of the caller. */
struct portable__host_version {
  portable_kernel_function function; /* one of the four */
  portable_team_function team;       /* of outer iterations, with scratch_bytes each */
  portable_reduce_function reduce;   /* with these results */
  void (*block)(const struct portable_thread_block *b, void *args); /* of blocks with so many threads, and scratch_bytes each */
  const int32_t *threads;
  const void *context;
  size_t context_bytes; /* bytes that the launch copies; 0: none */
  int32_t integer_bytes, flags; /* as of portable__launch */
  int32_t copies; /* 1: the arguments are copies on a device, which this version does not use */
  size_t scratch_bytes, result_count;
  const portable_reduction *results;
};

/* portable_launch, portable_launch_outer or portable_launch_reduce with such a version. host NULL: portable_launch. */
portable_status portable__kernel_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                        const portable_launch_config *config, const struct portable__host_version *host);

/* For portable__fortran_parallel_for: a launch with a block of bytes on a device for which portable_cuda_code has named a version for the label
 * (fortran_kernel.c). 1: it was launched, or has failed, with that status; 0: there is no such version. */
int portable__launch_with_code(const char *label, const portable_bounds *bounds, const struct portable__host_version *host,
                               const portable_launch_config *config, portable_status *status_out);

/* A launch of Fortran with a list of arguments, of portable_arg (fortran_kernel.c). */
portable_status portable__launch_arguments(const char *label, const portable_bounds *bounds, const struct portable__fortran_argument *args, int32_t count,
                                           const portable_launch_config *config, const struct portable__host_version *host);

/* The same for generated code. Its text for devices is a constant of the program, whose address identifies the nest. */
portable_status portable__launch_embedded(const char *label, const portable_bounds *bounds, const struct portable__fortran_argument *args, int32_t count,
                                          const char *text, const struct portable__fortran_code *code, const portable_launch_config *config,
                                          const struct portable__host_version *host);

/* 1: a device version or a check may use the declared arguments. 0: they have no effect. */
int portable__arguments_count(const portable_launch_config *config);

#endif
