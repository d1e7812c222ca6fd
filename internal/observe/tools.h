/* tools.h - notifications of blocks to valgrind and AddressSanitizer. Private. Threads: any. */
#ifndef PORTABLE__TOOLS_H
#define PORTABLE__TOOLS_H

#include "../edge/base.h"

extern int portable__tool;         /* not 0: a tool observes the program. Set before main, then constant. */
int32_t portable__tool_look(void); /* 1: a tool observes the program */
void portable__tool_slab(uintptr_t base, uint64_t bytes);
int32_t portable__tool_slab_ends(uintptr_t base, uint64_t bytes); /* 0: the memory must stay mapped */
size_t portable__tool_room(size_t bytes);
/* alloc runs on the user's stack; free runs between cross_in and cross_out, before Go's free. Pool 0 is the default
 * pool. */
void portable__tool_alloc(void *ptr, size_t bytes);
void portable__tool_free(portable_pool pool, void *ptr);
/* Orders what the calling thread has done with blocks that a stream keeps before the actions of their next owner. */
void portable__tool_passed(void);
const void *portable__tool_known(const void *ptr); /* the same pointer, which no tool calls undefined any more */

#endif
