/* tools.h - what valgrind and AddressSanitizer are told of blocks. Private. Threads: any. */
#ifndef PORTABLE__TOOLS_H
#define PORTABLE__TOOLS_H

#include "../edge/base.h"

extern int portable__tool;         /* not 0: one of them watches. Set before main, then fixed. */
int32_t portable__tool_look(void); /* 1: one watches */
void portable__tool_slab(uintptr_t base, uint64_t bytes);
int32_t portable__tool_slab_ends(uintptr_t base, uint64_t bytes); /* 0: the memory must stay mapped */
size_t portable__tool_room(size_t bytes);
/* On the user's stack; free between cross_in and cross_out, before Go's. Pool 0 is the default pool. */
void portable__tool_alloc(void *ptr, size_t bytes);
void portable__tool_free(portable_pool pool, void *ptr);
/* What the calling thread has done with blocks that a stream keeps comes before whatever their next owner does. */
void portable__tool_passed(void);
const void *portable__tool_known(const void *ptr); /* the same pointer, which nobody may call undefined */

#endif
