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

/* 1: the launch's device may take another version than the host's, or somebody looks at declared arguments. 0: they are of no use. */
int portable__arguments_count(const portable_launch_config *config);

#endif
