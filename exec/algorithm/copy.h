/* copy.h - strided copies on the team (internal/kernels/copy/copy.h has what they are): launches named `label`, that are waited for. Private.
 * Not in this file: whether both sides overlap, and are memory at all; callers know. Threads: any, at any time.
 * config: NULL, or device, stream and schedule; its tile is not looked at. */
#ifndef PORTABLE__CAPI_COPY_H
#define PORTABLE__CAPI_COPY_H

#include "../../internal/kernels/copy/copy.h"

/* Returns: 0, ERR_OVERFLOW (PORTABLE__COPY_SHORTER of a value that does not fit; nothing was written), as portable_parallel_for. */
portable_status portable__copy_run(const struct portable__copy *copy, const char *label, const portable_launch_config *config);

/* The same; into an asynchronous stream it returns at once, and what is copied must stay until the stream has passed it. Conversions but
 * PORTABLE__COPY_SHORTER. */
portable_status portable__copy_start(const struct portable__copy *copy, const char *label, const portable_launch_config *config);

/* The first, of what the host reaches on both sides; on a cuda device it is a launch without a version for it, in its order. waits 0: as the second. */
portable_status portable__copy_by_host(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int32_t waits);

/* *equal_out: 1 where all elements of `to` and `from` are equal, else 0; kind as portable__copy_equal has it; `to` is only read. */
portable_status portable__copy_equal_run(const struct portable__copy *pair, int32_t kind, const char *label, const portable_launch_config *config,
                                         int32_t *equal_out);

/* *sum_out: depends on the elements and their numbers only; the axes' `to` count elements (PORTABLE__COPY_SAME). */
portable_status portable__copy_checksum_run(const struct portable__copy *numbered, const char *label, const portable_launch_config *config,
                                            uint64_t *sum_out);

#endif
