/* operations.c - what this room does for rooms below it (internal/edge/above.h). In C because C calls it. */
#include "../../internal/edge/above.h"
#include "front.h"
#include "serve_checked.h"

const struct portable__above_front portable__above_front = {
    .hold = portable__front_hold,
    .lost = portable__serve_lost,
};
