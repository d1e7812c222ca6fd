/* cuda_copy.h - how one copy is put into a stream of a cuda device. Private. Not in this file: which way a copy goes by host and device together
 * (exec/device/far_copy.c), and the kernels (kernels/copy.cu). Threads: safe; a plan is its caller's. */
#ifndef PORTABLE__CUDA_COPY_H
#define PORTABLE__CUDA_COPY_H

#include "../../kernels/copy/copy.h"

enum { PORTABLE__CUDA_NO_WAY, PORTABLE__CUDA_PLAIN, PORTABLE__CUDA_SET, PORTABLE__CUDA_ROWS, PORTABLE__CUDA_SLICES, PORTABLE__CUDA_BY_KERNEL };

/* What the kernels get: struct Box of kernels/copy.cu. */
struct portable__cuda_box {
  char *to;
  const char *from;
  int64_t count;
  int32_t rank, reserved;
  struct {
    int64_t extent, to, from;
  } axis[PORTABLE__COPY_RANK + 1];
  _Alignas(16) unsigned char value[16];
};

struct portable__cuda_copy {
  int32_t way, index;  /* of the device */
  char label[64];
  int64_t bytes;       /* of one that is plain; of the element that is set, and how many */
  int64_t times;
  struct portable__cuda_box box;
  const char *entry;   /* of the kernel, where that is the way; static memory */
  void *function;      /* the kernel, which the caller finds */
  int32_t transposes;
};

/* The way of a plan. constant: `from` is one element for all, in memory of the host. reached: by the device, on both sides. */
void portable__cuda_copy_plan(const struct portable__copy_plan *plan, int32_t constant, int32_t reached, struct portable__cuda_copy *out);

/* Puts it into a stream, whose device's context is current: all but PORTABLE__CUDA_BY_KERNEL, and nothing of PORTABLE__CUDA_NO_WAY. 0, or the
 * driver's code, and the call that gave it. */
int portable__cuda_copy_put(void *native, const struct portable__cuda_copy *work, const char **call_out);

/* Blocks and threads of the kernel. */
void portable__cuda_copy_grid(const struct portable__cuda_copy *work, int32_t multiprocessors, uint32_t grid_out[3], uint32_t block_out[3]);

#endif
