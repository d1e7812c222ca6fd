/* copy.h - strided copies on the team, as launches named `label` that return after their end.
 * config: NULL, or device, stream and schedule; its tile does not count. Callers test overlap
 * (portable__copy_shares). Threads: any. */
#ifndef PORTABLE__COPY_RUN_H
#define PORTABLE__COPY_RUN_H

#include "../../internal/kernels/copy/copy.h"

/* 1: an element is written that another element is read from, so that the order of the copy would decide. Extents are 1 or more. */
int portable__copy_shares(const struct portable__copy *copy);

/* Returns: 0, ERR_OVERFLOW (PORTABLE__COPY_SHORTER: a value does not fit, and nothing is written), errors of portable_parallel_for. */
portable_status portable__copy_run(const struct portable__copy *copy, const char *label, const portable_launch_config *config);

/* The same; in an asynchronous stream it returns at once, and both sides must live until the stream has completed it. All conversions but
 * PORTABLE__COPY_SHORTER. */
portable_status portable__copy_start(const struct portable__copy *copy, const char *label, const portable_launch_config *config);

/* portable__copy_run by the host, which can access both sides; for a CUDA device, a launch without version for it. waits 0: portable__copy_start. */
portable_status portable__copy_by_host(const struct portable__copy *copy, const char *label, const portable_launch_config *config, int32_t waits);

/* *equal_out: 1 if all elements of `to` and `from` are equal, else 0; kind: as in portable__copy_equal. It only reads `to`. */
portable_status portable__copy_equal_run(const struct portable__copy *pair, int32_t kind, const char *label, const portable_launch_config *config,
                                         int32_t *equal_out);

/* *sum_out depends only on the elements and their numbers; `to` of the axes counts elements (PORTABLE__COPY_SAME). */
portable_status portable__copy_checksum_run(const struct portable__copy *numbered, const char *label, const portable_launch_config *config,
                                            uint64_t *sum_out);

#endif
