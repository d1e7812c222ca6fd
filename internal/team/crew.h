/* crew.h - several members of one team of the host, on one thread: each has a stack of its own, and
 * the next one goes on where a member waits. So an order shows that a device may have, too: what
 * lacks a fence_inner reads what was not written. Private. Threads: any. */
#ifndef PORTABLE__CREW_H
#define PORTABLE__CREW_H

#include <stdint.h>

#define PORTABLE__CREW_MOST 1024 /* members */

/* Calls call(member, context) for each member, from 0 on, or with reverse from the last one down; returns when all have returned.
 * Gives 0; -1: no memory for their stacks, or none can be switched (fibre.h), and nothing has run; else how many members waited when the others had returned: then they
 * went on without them. */
int32_t portable__crew_run(int32_t members, int32_t reverse, void (*call)(int32_t member, void *context), void *context);

/* Lets the other members of the crew that this thread runs go on until each of them has come here. Without a crew: nothing. */
void portable__crew_wait(void);

#endif
