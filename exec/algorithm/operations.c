/* operations.c - what this room does for rooms below it (internal/edge/above.h). In C because C calls it. */
#include "../../internal/edge/above.h"
#include "copy.h"
#include "device_reduce.h"
#include "reduce.h"

const struct portable__above_algorithm portable__above_algorithm = {
    .reduce = portable__reduce,
    .device_reduce = portable__device_reduce,
    .copy_by_host = portable__copy_by_host,
};
