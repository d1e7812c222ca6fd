/* exchange.h - between halo.c, exchange.c, particles.c and blocks.c. Private. Threads: one user of
 * a halo at a time. */
#ifndef PORTABLE__EXCHANGE_H
#define PORTABLE__EXCHANGE_H

#include "halo.h"

/* The record of a handle; NULL with an error that names `call`. */
struct portable__halo *portable__halo_find(const char *call, portable_halo halo, portable_status *status);

/* Finds the field whose signature differs between ranks, of the first `least` ones. Collective. */
portable_status portable__exchange_differ(struct portable__halo *halo, const struct portable__fields *fields, const int64_t *signatures, int32_t least);
/* The memory exists, and the work of devices with it has ended. Before there is a plan: that of the fields. */
portable_status portable__exchange_fence(const struct portable__halo *halo, const struct portable__exchange *x, const struct portable__fields *fields,
                                         const portable_launch_config *launch);
/* Moves rows of a list of the plan, on a device or on the host. */
portable_status portable__exchange_move(const struct portable__halo *halo, const struct portable__fields *fields, const struct portable__exchange *x, int32_t which,
                                        int32_t way, int64_t from, int64_t to, const portable_launch_config *launch);

#endif
