/* cuda_launch.h - launches of kernel objects on CUDA devices. Private. Threads: any. */
#ifndef PORTABLE__CUDA_LAUNCH_H
#define PORTABLE__CUDA_LAUNCH_H

#include "../../internal/edge/base.h"
#include "../launch/kernel_record.h"

/* Launches the kernel's version for CUDA on the device of that index. PORTABLE__NOT_HERE: the version cannot run there. */
portable_status portable__cuda_launch(const struct portable__kernel_call *call, struct portable__cuda_program *program, portable_device device,
                                      int32_t index);

#endif
