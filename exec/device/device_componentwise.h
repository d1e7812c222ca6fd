/* device_componentwise.h - operations on arrays element by element on CUDA devices; see
 * device_algorithm.h for the common part. */
#ifndef PORTABLE__DEVICE_COMPONENTWISE_H
#define PORTABLE__DEVICE_COMPONENTWISE_H

#include "../../internal/kernels/componentwise/componentwise.h"
#include "device_algorithm.h"

/* Forms of operations; exec/device_lists.go has the same numbers. */
enum { PORTABLE__COMPONENT_BINARY, PORTABLE__COMPONENT_UNARY, PORTABLE__COMPONENT_MERGE, PORTABLE__COMPONENT_FAULT };

/* op: PORTABLE_BINARY_... or _UNARY_..., of that form; kind: PORTABLE_KIND_... of the operands. Waits for the end, unless the place has a stream. */
portable_status portable__device_componentwise(const struct portable__place *place, const struct portable__componentwise *w, int32_t form, int32_t op, int32_t kind);

/* The number of the first element without a result, -1: all have one. The axes of w are in the order of the array. Waits. */
portable_status portable__device_component_fault(const struct portable__place *place, const struct portable__componentwise *w, int32_t op, int32_t kind,
                                                 int64_t *first_out);

#endif
