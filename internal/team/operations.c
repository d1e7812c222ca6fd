/* operations.c - fills this room's table of operations for rooms below it (internal/edge/above.h).
 * In C because C calls it. */
#include "../edge/above.h"
#include "team.h"

const struct portable__above_team portable__above_team = {
    .launches = portable__team_launches,
    .left = portable__team_left,
};
