/* operations.c - what this room does for rooms below it (internal/edge/above.h). In C because C calls it. */
#include "../../internal/edge/above.h"
#include "timer.h"

const struct portable__above_timer portable__above_timer = {
    .thread_ends = portable__timer_thread_ends,
};
