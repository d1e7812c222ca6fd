/* kernel_record.h - the record of a kernel object, for kernel.c and the files that give it versions
 * for devices. A launch finds it without a lock: a record is never freed, only reused. */
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
  _Atomic(void *) host_block; /* a portable_block_function */
  _Atomic(portable_reduce_function) host_reduce;
  _Atomic(struct portable__cuda_program *) cuda; /* NULL: no version for CUDA devices */
  size_t block_bytes, count;
  struct portable__argument *arguments;
  int32_t liveouts; /* number of live-outs among the arguments */
  char label[256];
};

/* Holds the record until portable__slot_release: another thread, or the kernel itself, may destroy the kernel meanwhile, and the record must not serve
 * the next kernel yet. */
struct kernel *portable__kernel_hold(portable_kernel handle);
/* Called by Go with checked arguments: makes the record. 0: no memory, or all records are in use. */
portable_kernel portable__kernel_make(const char *label, size_t block_bytes, const portable_argument *arguments, size_t count);
portable_status portable__no_kernel(const char *function, portable_kernel handle);

/* The results of a reducing launch. */
struct portable__reduce_call {
  const portable_reduction *results;
  size_t count;
};

/* A reduction on a device: the leaves that the entry gets (portable_device_leaf.h), and the grid. */
struct portable__cuda_leaves {
  uint64_t info;
  int64_t blocks;
  int32_t threads;
};

/* A launch of a kernel object. */
struct portable__kernel_call {
  const struct kernel *kernel;
  const portable_bounds *bounds;
  const void *args; /* with addresses in place of handles of live-outs */
  const portable_launch_config *config;
  const struct portable__host_version *once; /* or NULL */
  int32_t team; /* 1: of outer iterations, with so much scratch each */
  size_t scratch_bytes;
  const int32_t *threads; /* of a block, with team 1; NULL: outer iterations */
  int32_t size;           /* all of them */
  const struct portable__reduce_call *reduce; /* NULL: none */
  const struct portable__cuda_leaves *leaves; /* or NULL; the launch waits for its end */
};

/* Launches a kernel object; fills call->kernel. */
portable_status portable__kernel_call(portable_kernel kernel, struct portable__kernel_call *call);

/* The host version of blocks (blocks.c). */
portable_status portable__blocks_host(const struct portable__kernel_call *call);

/* 1: the kernel has a host version for this launch. */
int portable__kernel_has_host(const struct portable__kernel_call *call);

/* The device that a launch names. */
portable_device portable__device_of(const portable_launch_config *config);

/* Keeps the blocks of the arguments until the stream has completed the launch. An ended stream has completed it. */
void portable__kernel_keep(const struct kernel *k, const void *args, portable_stream stream);

/* The result of a launch that the host version must run: the kernel has no version for devices, the compiler is missing or refused generated code,
 * the launch is bit for bit, or a reduction is inside a kernel or callback or has results that devices do not have. */
#define PORTABLE__NOT_HERE 1

#endif
