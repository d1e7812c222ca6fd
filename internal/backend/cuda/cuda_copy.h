/* cuda_copy.h - one copy in a stream of a cuda device: its plan, and its issue. Private. Not in
 * this file: the path of a copy over host and device (exec/device/far_copy.c), the kernels
 * (kernels/copy.cu). Threads: safe; a plan belongs to its caller. */
#ifndef PORTABLE__CUDA_COPY_H
#define PORTABLE__CUDA_COPY_H

#include "../../kernels/copy/copy.h"

enum { PORTABLE__CUDA_NO_WAY, PORTABLE__CUDA_PLAIN, PORTABLE__CUDA_SET, PORTABLE__CUDA_ROWS, PORTABLE__CUDA_SLICES, PORTABLE__CUDA_BY_KERNEL };

/* Arguments of the kernels: struct Box of kernels/copy.cu. */
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
  int64_t bytes;       /* plain: bytes of the copy; set: bytes of the element, and their count */
  int64_t times;
  struct portable__cuda_box box;
  void *function;      /* the kernel, which the caller finds */
  int32_t entry;       /* of kernels/copy.cu: PORTABLE__ENTRY_... plus the binary logarithm of its unit, or the conversion */
  int32_t transposes;
};
enum { PORTABLE__ENTRY_COPY = 0, PORTABLE__ENTRY_FILL = 5, PORTABLE__ENTRY_TRANSPOSE = 10, PORTABLE__ENTRY_CONVERT = 15 }; /* exec/device_lists.go */

/* Chooses how to copy. constant: `from` is one element for all, in memory of the host. reached: the device can access
 * both sides. */
void portable__cuda_copy_plan(const struct portable__copy_plan *plan, int32_t constant, int32_t reached, struct portable__cuda_copy *out);

/* Puts it into a stream, whose device's context is current: all but PORTABLE__CUDA_BY_KERNEL and PORTABLE__CUDA_NO_WAY.
 * Returns 0, or the driver's code and the failed call. */
int portable__cuda_copy_put(void *native, const struct portable__cuda_copy *work, const char **call_out);

/* Blocks and threads of the kernel. */
void portable__cuda_copy_grid(const struct portable__cuda_copy *work, int32_t multiprocessors, uint32_t grid_out[3], uint32_t block_out[3]);

#endif
