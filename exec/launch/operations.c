/* operations.c - what this room does for rooms below it (internal/edge/above.h). In C because C calls it. */
#include "../../internal/edge/above.h"
#include "reach.h"

const struct portable__above_launch portable__above_launch = {
    .device_name = portable_device_name,
    .num_threads = portable_num_threads,
    .host_reaches = portable__host_reaches,
};
