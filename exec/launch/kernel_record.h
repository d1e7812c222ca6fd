/* kernel_record.h - what a kernel object is, between kernel.c and the files that give it versions for devices. Private.
 *
 * A launch finds its kernel without a lock; a kernel's record is never freed, only given out again (slots.h). */
#ifndef PORTABLE__KERNEL_RECORD_H
#define PORTABLE__KERNEL_RECORD_H

#include "kernel.h"
#include "../../internal/handle/slots.h"
#include "../../internal/observe/watch.h"

struct portable__cuda_program;

struct kernel {
  struct portable__slot_head slot;
  _Atomic(portable_kernel_function) host;
  _Atomic(portable_team_function) host_team;
  _Atomic(portable_reduce_function) host_reduce;
  _Atomic(struct portable__cuda_program *) cuda; /* NULL: no version for CUDA devices */
  size_t block_bytes, count;
  struct portable__argument *arguments;
  int32_t liveouts; /* arguments of that kind */
  char label[256];
};

/* Whoever uses a kernel holds it: another thread, or the kernel itself, may destroy it meanwhile, and the next one would be made
 * in its place. portable__slot_release ends that. */
struct kernel *portable__kernel_hold(portable_kernel handle);
/* For Go, which has checked the arguments: makes the record. 0: no memory, or all records are in use. */
portable_kernel portable__kernel_make(const char *label, size_t block_bytes, const portable_argument *arguments, size_t count);
portable_status portable__no_kernel(const char *function, portable_kernel handle);

/* What a launch is to add up. */
struct portable__reduce_call {
  const portable_reduction *results;
  size_t count;
};

/* Of a reduction on a device: what the entry is told of its leaves (portable_device_leaf.h), and its grid. */
struct portable__cuda_leaves {
  uint64_t info;
  int64_t blocks;
  int32_t threads;
};

/* A launch of a kernel object. */
struct portable__kernel_call {
  const struct kernel *kernel;
  const portable_bounds *bounds;
  const void *args; /* with the addresses of live-outs in the place of their handles */
  const portable_launch_config *config;
  const struct portable__host_version *once; /* or NULL */
  int32_t team; /* 1: of outer iterations, with so much scratch each */
  size_t scratch_bytes;
  const struct portable__reduce_call *reduce; /* NULL: none */
  const struct portable__cuda_leaves *leaves; /* NULL: none; it is waited for */
};

/* 1: the kernel has what the launch wants on the host. */
int portable__kernel_has_host(const struct portable__kernel_call *call);

/* The device that a launch names. */
portable_device portable__device_of(const portable_launch_config *config);

/* The memory that the arguments point to stays until the stream has passed the launch. A stream that ends meanwhile has passed it. */
void portable__kernel_keep(const struct kernel *k, const void *args, portable_stream stream);

/* Of a launch on a device: the version is a source, there is no compiler for it, and the host version is to run. */
#define PORTABLE__NOT_HERE 1

#endif
