/* far_copy.h - copies that a cuda device does, or has a part in: one side at least is memory of such a device, managed or pinned. Private. What a copy
 * is: internal/kernels/copy/copy.h. Threads: any, at any time. */
#ifndef PORTABLE__FAR_COPY_H
#define PORTABLE__FAR_COPY_H

#include "../../internal/kernels/copy/copy.h"
#include "../launch/reach.h"

/* Where a copy takes place. */
struct portable__far {
  int32_t index;                  /* of the cuda device */
  int32_t device;                 /* its number */
  int32_t from, to;               /* PORTABLE_SPACE_... of the sides; 0: memory of the host that the driver knows nothing of */
  int32_t constant;               /* one element for all, in memory of the host */
};

/* 1: the copy is one of these; 0: of the host; -1: no device does it, with the error. `to` may be NULL: nothing is written. */
int portable__copy_far(const struct portable__copy *copy, const char *label, const portable_launch_config *config, struct portable__far *far_out);

/* portable__copy_run and portable__copy_start of such a copy. PORTABLE__NOT_HERE (kernel_record.h): it wants a kernel, there is no NVRTC, and the host reaches both
 * sides; so the host is to do all of it. */
portable_status portable__far_copy(const struct portable__copy *copy, const char *label, const portable_launch_config *config,
                                   const struct portable__far *far, int32_t waits);

/* What looks at elements on the host: the sides that the host does not reach, without gaps in pinned memory, and the copy with these in their
 * places. Released by portable__far_bring_end. to_too: `to` is read, too. */
struct portable__far_brought {
  struct portable__copy copy;
  void *from, *to; /* blocks of `pool`, or NULL */
  portable_pool pool;
};
portable_status portable__far_bring(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                    int32_t to_too, struct portable__far_brought *out);
void portable__far_bring_end(struct portable__far_brought *brought);

#endif
