/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "copy.h"
#include "device_reduce.h"
#include "reduce.h"

const struct portable__above_algorithm portable__above_algorithm = {
    .reduce = portable__reduce,
    .device_reduce = portable__device_reduce,
    .copy_by_host = portable__copy_by_host,
};
