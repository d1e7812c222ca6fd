/* device_reduce.h - reductions of kernel objects on CUDA devices. Private. Threads: any. */
#ifndef PORTABLE__DEVICE_REDUCE_H
#define PORTABLE__DEVICE_REDUCE_H

#include "../../internal/edge/base.h"
#include "../launch/kernel_record.h"

/* portable__cuda_launch for a reduction. */
portable_status portable__device_reduce(const struct portable__kernel_call *call, struct portable__cuda_program *program, portable_device device,
                                        int32_t index);

#endif
