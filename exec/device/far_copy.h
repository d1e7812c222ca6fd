/* far_copy.h - copies with at least one side in memory of a CUDA device, managed or pinned. The
 * form of a copy is in internal/kernels/copy/copy.h. Threads: any. */
#ifndef PORTABLE__FAR_COPY_H
#define PORTABLE__FAR_COPY_H

#include "../../internal/kernels/copy/copy.h"
#include "../launch/reach.h"

/* The place of a copy. */
struct portable__far {
  int32_t index;                  /* of the CUDA device */
  int32_t device;                 /* its number */
  int32_t from, to;               /* PORTABLE_SPACE_... of the sides; 0: host memory unknown to the driver */
  int32_t constant;               /* one element for all, in host memory */
};

/* 1: a CUDA device takes part; 0: a copy of the host; -1: an error, no device can do it. `to` NULL: the call only reads. */
int portable__copy_far(const struct portable__copy *copy, const char *label, const portable_launch_config *config, struct portable__far *far_out);

/* portable__copy_run and portable__copy_start of such a copy. PORTABLE__NOT_HERE (kernel_record.h): it needs a kernel, NVRTC is missing, and the host can access both
 * sides; so the host must do all of it. */
portable_status portable__far_copy(const struct portable__copy *copy, const char *label, const portable_launch_config *config,
                                   const struct portable__far *far, int32_t waits);

/* For calls that read elements on the host: copies the sides that the host cannot access to pinned memory, and gives a copy that uses it.
 * portable__far_bring_end releases it. to_too: `to` is also read. */
struct portable__far_brought {
  struct portable__copy copy;
  void *from, *to; /* blocks of `pool`, or NULL */
  portable_pool pool;
};
portable_status portable__far_bring(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                    int32_t to_too, struct portable__far_brought *out);
void portable__far_bring_end(struct portable__far_brought *brought);

#endif
