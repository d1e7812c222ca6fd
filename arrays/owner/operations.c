/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "twin.h"

const struct portable__above_owner portable__above_owner = {
    .twin_watch = portable__twin_watch,
    .twin_arguments = portable__twin_arguments,
};
