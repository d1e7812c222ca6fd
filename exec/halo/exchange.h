/* exchange.h - between halo.c and exchange.c. Private. Threads: one user of a halo at a time. */
#ifndef PORTABLE__EXCHANGE_H
#define PORTABLE__EXCHANGE_H

#include "halo.h"

/* The record of a handle; NULL with an error that names `call`. */
struct portable__halo *portable__halo_find(const char *call, portable_halo halo, portable_status *status);

#endif
