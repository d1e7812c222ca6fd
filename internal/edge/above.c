/* above.c - the tables of above.h without the higher rooms: empty, except for functions that this
 * room calls at the end of each thread. In C because C calls through them. */
#include "above.h"

#define EMPTY __attribute__((weak)) = {0}

static int no(void) { return 0; }
static void nothing(struct portable__thread *thread) { (void)thread; }

const struct portable__above_team portable__above_team __attribute__((weak)) = {.launches = no, .left = no};
const struct portable__above_timer portable__above_timer __attribute__((weak)) = {.thread_ends = nothing};
const struct portable__above_memcheck portable__above_memcheck EMPTY;
const struct portable__above_front portable__above_front EMPTY;
const struct portable__above_launch portable__above_launch EMPTY;
const struct portable__above_stream portable__above_stream EMPTY;
const struct portable__above_device portable__above_device EMPTY;
const struct portable__above_graph portable__above_graph EMPTY;
const struct portable__above_algorithm portable__above_algorithm EMPTY;
const struct portable__above_owner portable__above_owner EMPTY;
const struct portable__above_capi portable__above_capi EMPTY;
