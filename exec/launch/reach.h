/* reach.h - who reaches what memory: host code and devices with memory of their own. Private. In C because launches ask.
 * Threads: any, at any time. */
#ifndef PORTABLE__REACH_H
#define PORTABLE__REACH_H

#include "../../internal/backend/cuda/devices.h"
#include "../../internal/backend/cuda/memory.h"
#include "../../internal/team/emulated.h"
#include "../../internal/observe/watch.h"

/* Whether what the pointers of an argument block point to is reached from where the kernel runs: on that device, or, on_host, on the host for it.
 * Returns: 0, ERR_POINTER. */
portable_status portable__check_reach(const char *label, const void *args, const struct portable__argument *arguments, size_t count,
                                      portable_device device, int32_t on_host);

/* 1: the cuda device of this index reads and writes what is at the address: memory of its own, managed and pinned memory, and all of the host's
 * where the machine lets it. */
int portable__cuda_reaches(int32_t index, uintptr_t p);
/* 1: a launch on that device takes the address without an error: the same, and the host's memory where PORTABLE_HOSTMEM lets it. */
int portable__cuda_takes(int32_t index, uintptr_t p);
/* 1: host code reaches it. */
int portable__host_reaches(uintptr_t p);

/* At each start: handlers of faults learn whose an address is. */
void portable__reach_begins(void);

/* What an address is, for messages: "on the stack", or the label of a block. */
void portable__what_is_at(uintptr_t p, char *text, size_t room);

#endif
