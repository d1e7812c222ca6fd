/* device_componentwise.h - operations on arrays element by element on CUDA devices; see
 * device_algorithm.h for the common part. */
#ifndef PORTABLE__DEVICE_COMPONENTWISE_H
#define PORTABLE__DEVICE_COMPONENTWISE_H

#include "../../internal/kernels/componentwise/componentwise.h"
#include "device_algorithm.h"

/* name: of the operation, as element_NAME of the kernels; kind: PORTABLE_KIND_... of the operands. w has its axes in the order of the array, as
 * for a search, or arranged. Waits for the end, unless the place has a stream. */
portable_status portable__device_componentwise(const struct portable__place *place, const struct portable__componentwise *w, const char *name, int32_t kind);

/* The number of the first element without a result, -1: all have one. Waits. */
portable_status portable__device_component_fault(const struct portable__place *place, const struct portable__componentwise *w, const char *name, int32_t kind,
                                                 int64_t *first_out);

#endif
