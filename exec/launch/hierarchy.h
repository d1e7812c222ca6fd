/* hierarchy.h - launches whose argument block has a head of the library's. Private. Threads:
 * any. */
#ifndef PORTABLE__HIERARCHY_ROOM_H
#define PORTABLE__HIERARCHY_ROOM_H

#include "../../internal/edge/base.h"

struct portable__job;

/* Where the user's block lies behind a head of so many bytes: aligned for any type. */
#define PORTABLE__HEAD_OFFSET(bytes) (((bytes) + 63) / 64 * 64)

/* portable__launch with a block of head, and of args where args_bytes is not 0. */
portable_status portable__launch_headed(const char *label, const portable_bounds *bounds, portable_kernel_function kernel, const void *head,
                                        size_t head_bytes, const void *args, size_t args_bytes, const portable_launch_config *config,
                                        int32_t integer_bytes, int32_t flags);

/* blocks.c: where the user's block begins in that of a launch of blocks; 0: it is another launch. */
size_t portable__blocks_offset(const struct portable__job *job);

#endif
