/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "reach.h"

const struct portable__above_launch portable__above_launch = {
    .device_name = portable_device_name,
    .num_threads = portable_num_threads,
    .host_reaches = portable__host_reaches,
};
