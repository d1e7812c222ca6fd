/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "timer.h"

const struct portable__above_timer portable__above_timer = {
    .thread_ends = portable__timer_thread_ends,
};
