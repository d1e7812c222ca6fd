/* kernel.h - launches of kernel objects whose host version is the caller's, and when somebody looks at arguments. Private. */
#ifndef PORTABLE__KERNEL_H
#define PORTABLE__KERNEL_H

#include "edge.h"

/* A host version that counts for one launch, in place of the kernel's own: its argument is the context, the caller's. */
struct portable__host_version {
  portable_kernel_function function;
  const void *context;
  int32_t integer_bytes, flags; /* as of portable__launch */
};

/* portable_launch with such a version. host may be NULL. */
portable_status portable__kernel_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                        const portable_launch_config *config, const struct portable__host_version *host);

/* For portable__fortran_parallel_for: a launch with a block of bytes on a device for which portable_cuda_code has named a version for the label
 * (fortran_kernel.c). 1: it was launched, or has failed, with that status; 0: there is no such version. */
int portable__launch_with_code(const char *label, const portable_bounds *bounds, portable_kernel_function host, const void *block, size_t block_bytes,
                               const portable_launch_config *config, portable_status *status_out);

/* 1: the launch's device may take another version than the host's, or somebody looks at declared arguments. 0: they are of no use. */
int portable__arguments_count(const portable_launch_config *config);

#endif
