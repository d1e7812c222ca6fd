/* liveout.h - the addresses of live-outs. Threads: any. */
#ifndef PORTABLE__LIVEOUT_H
#define PORTABLE__LIVEOUT_H

#include "../../internal/edge/base.h"

/* Finds a live-out of that kind. */
portable_status portable__liveout_find(const char *function, portable_liveout liveout, int32_t kind, void **to_out);
portable_status portable__liveout_at(const char *function, portable_liveout liveout, void **to_out); /* of any kind */

#endif
