/* cuda_launch.h - launches of kernel objects on CUDA devices. Private. Threads: any. */
#ifndef PORTABLE__CUDA_LAUNCH_H
#define PORTABLE__CUDA_LAUNCH_H

#include "../../internal/edge/base.h"
#include "../../internal/backend/cuda/stream.h"
#include "../launch/kernel_record.h"
#include "../stream/work.h"

/* Launches the kernel's version for CUDA on the device of that index. PORTABLE__NOT_HERE: the version cannot run there. */
portable_status portable__cuda_launch(const struct portable__kernel_call *call, struct portable__cuda_program *program, portable_device device,
                                      int32_t index);

/* Recorded work as a node of a graph, whose payload it refers to, and the argument block in it: 1. 0: work of another kind. -1: a launch with a block
 * that is copied at each launch. */
int portable__cuda_node_of(const struct portable__device_work *work, void *payload, struct portable__cuda_node *node_out, void **block_out,
                           size_t *block_bytes_out);

#endif
