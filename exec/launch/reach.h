/* reach.h - access to memory: from host code, and from devices with memory of their own. Threads:
 * any. */
#ifndef PORTABLE__REACH_H
#define PORTABLE__REACH_H

#include "../../internal/backend/cuda/devices.h"
#include "../../internal/backend/cuda/memory.h"
#include "../../internal/team/emulated.h"
#include "../../internal/observe/watch.h"

/* Tests that the kernel can access the memory of all pointers in its argument block, on that device or (on_host) on the host in its place.
 * Returns: 0, ERR_POINTER. */
portable_status portable__check_reach(const char *label, const void *args, const struct portable__argument *arguments, size_t count,
                                      portable_device device, int32_t on_host);

/* 1: the CUDA device of this index can access the address: its own memory, managed and pinned memory, and all host memory if the machine
 * allows it. */
int portable__cuda_reaches(int32_t index, uintptr_t p);
/* 1: a launch on that device accepts the address: the same, and host memory if PORTABLE_HOSTMEM allows it. */
int portable__cuda_takes(int32_t index, uintptr_t p);
/* 1: host code can access it. */
int portable__host_reaches(uintptr_t p);

/* Called at each start: gives handlers of faults the owner look-up. */
void portable__reach_begins(void);

/* Describes an address for texts: "on the stack", or the label of a block. */
void portable__what_is_at(uintptr_t p, char *text, size_t room);

#endif
