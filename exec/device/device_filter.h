/* device_filter.h - filters of arrays on cuda devices. Private; see device_algorithm.h. */
#ifndef PORTABLE__DEVICE_FILTER_H
#define PORTABLE__DEVICE_FILTER_H

#include "../../internal/kernels/scan/choose.h"
#include "device_algorithm.h"

enum portable__filter_what { PORTABLE__PACK, PORTABLE__UNPACK, PORTABLE__INDICES };

/* What the chosen ones become, or come from. */
struct portable__filter_packed {
  char *first;
  int64_t step, room;      /* bytes from one to the next; how many there are */
  const char *rest;        /* PACK: what goes behind the chosen ones; NULL: nothing */
  int64_t rest_step;
  int64_t lower;           /* INDICES: of the first element */
  int32_t index_bytes;
};

/* Does the filter of an array that has elements. total_out: how many are chosen, of which those are done that there is room for. */
portable_status portable__device_filter(const struct portable__place *place, int32_t what, const struct portable__chosen *c,
                                        const struct portable__filter_packed *packed, int64_t *total_out);

#endif
