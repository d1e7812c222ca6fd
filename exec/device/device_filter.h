/* device_filter.h - filters of arrays on CUDA devices; see device_algorithm.h for the common
 * part. */
#ifndef PORTABLE__DEVICE_FILTER_H
#define PORTABLE__DEVICE_FILTER_H

#include "../../internal/kernels/scan/choose.h"
#include "device_algorithm.h"

enum portable__filter_what { PORTABLE__PACK, PORTABLE__UNPACK, PORTABLE__INDICES };

/* The target of the chosen elements, or their source. */
struct portable__filter_packed {
  char *first;
  int64_t step, room;      /* stride in bytes; capacity in elements */
  const char *rest;        /* PACK: the values after the chosen elements, or NULL */
  int64_t rest_step;
  int64_t lower;           /* INDICES: of the first element */
  int32_t index_bytes;
};

/* Filters an array that is not empty. total_out: the chosen elements; as many as fit are stored. */
portable_status portable__device_filter(const struct portable__place *place, int32_t what, const struct portable__chosen *c,
                                        const struct portable__filter_packed *packed, int64_t *total_out);

#endif
