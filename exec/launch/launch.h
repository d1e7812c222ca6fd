/* launch.h - launches: what a launch takes where it says nothing, and the launches of other rooms. Private. Not here: kernel objects (kernel.h), what
 * the memory of a device is (reach.h). Threads: any. */
#ifndef PORTABLE__LAUNCH_H
#define PORTABLE__LAUNCH_H

#include "../../internal/edge/base.h"
#include "../../internal/team/devices.h"

/* What a launch takes where it says nothing; Go sets it. */
struct portable__defaults {
  _Atomic int32_t device, devices, schedule, b4b;
};
extern struct portable__defaults portable__defaults;

/* Of a launch whose units are numbered leaves, which do not depend on the number of workers. The kernel finds it in its job. */
struct portable__leaves {
  const char *call; /* what messages of its failure begin with; of static memory */
  /* Cuts the space, which has iterations, as the user's tile says where that is not 0. Called when all else has been checked. */
  portable_status (*cut)(struct portable__leaves *leaves, const char *label, struct portable__cut *space, const int64_t *tile);
};

#define PORTABLE__STREAM_OF(device) (UINT64_C(0xd) << 60 | (uint64_t)(device)) /* the default stream of a device */

#define PORTABLE__WIDE  1 /* flags of portable__launch */
#define PORTABLE__WAITS 2
#define PORTABLE__OUTER 4 /* it is a parallel_outer; messages of its failure say so */
#define PORTABLE__LENT  8 /* args stay as they are until the call returns: they are copied for a queue only */
#define PORTABLE__OURS 16 /* the kernel is the library's own, which has no races */

/* portable_parallel_for with what only Fortran says: the bytes of its default integer (0: the kernel is none of
 * Fortran's), and the flags: bounds may be wider than that; the launch is over when this returns, in an asynchronous stream too.
 * leaves: NULL, or how the units are numbered; such a launch is waited for. */
portable_status portable__launch(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                 const void *args, size_t args_bytes, const portable_launch_config *config,
                                 int32_t integer_bytes, int32_t flags, struct portable__leaves *leaves);

/* What that checks of bounds and configuration, for a launch that is not the team's. config_out is PORTABLE_LAUNCH_CONFIG_INIT before;
 * strided 1: the kernel uses strides, whatever the configuration says. */
portable_status portable__launch_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config,
                                       int32_t strided, portable_launch_config *config_out, struct portable__cut *cut_out);

/* Runs a job that is ready: on the team, or through Go on a device of Go's; those who watch are told. args_bytes: of job->args, 0: they
 * are the user's own memory. The status has its text. */
portable_status portable__job_run(struct portable__job *job, size_t args_bytes);
/* What Go calls. */
void portable__device_named(int32_t number, portable__text name, size_t bytes);
void portable__devices_set(int32_t devices);
void portable__defaults_set(int32_t schedule, int32_t b4b);
void portable__default_device_set(int32_t device);
int32_t portable__job_failed(struct portable__job *job);

/* ---- hierarchy.c: portable_parallel_outer with what only Fortran says ---- */

portable_status portable__outer(const char *label, const portable_bounds *bounds, portable_team_function kernel, const void *args, size_t args_bytes,
                                size_t scratch_bytes, const portable_launch_config *config, int32_t integer_bytes, int32_t wide);

#endif
