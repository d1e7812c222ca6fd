/* launch.h - launches: their defaults, and the launches of other rooms. Not here: kernel objects
 * (kernel.h), access to memory of devices (reach.h). Threads: any. */
#ifndef PORTABLE__LAUNCH_H
#define PORTABLE__LAUNCH_H

#include "../../internal/edge/base.h"
#include "../../internal/team/devices.h"

/* Settings for launches that leave them open; Go writes them. */
struct portable__defaults {
  _Atomic int32_t device, devices, schedule, b4b, team_size;
};
extern struct portable__defaults portable__defaults;

/* A launch whose units are numbered leaves, independent of the number of workers. The kernel finds it in its job. */
struct portable__leaves {
  const char *call; /* the begin of its error texts; static memory */
  /* Cuts a space that is not empty, by the user's tile where it is not 0. Called after all checks. */
  portable_status (*cut)(struct portable__leaves *leaves, const char *label, struct portable__cut *space, const int64_t *tile);
};

#define PORTABLE__STREAM_OF(device) (UINT64_C(0xd) << 60 | (uint64_t)(device)) /* the default stream of a device */

#define PORTABLE__WIDE  1 /* flags of portable__launch */
#define PORTABLE__WAITS 2
#define PORTABLE__OUTER 4 /* a parallel_outer, for texts */
#define PORTABLE__LENT  8 /* args do not change until the call returns: only a queue needs a copy */
#define PORTABLE__OURS 16 /* a kernel of the library, which has no races */
#define PORTABLE__BLOCKS 32 /* a parallel_blocks */

/* How a launch takes a work division: of its bounds; of the grid that its bounds are; not at all. */
enum { PORTABLE__DIVIDES_SPACE, PORTABLE__DIVIDES_OUTER, PORTABLE__DIVIDES_NOT };

/* portable_parallel_for with facts of Fortran: integer_bytes of its default integer (0: not Fortran), and flags: wider bounds
 * (WIDE); return after the end of the launch, also in an asynchronous stream (WAITS). leaves: NULL, or numbered units, whose launch
 * also returns after its end. */
portable_status portable__launch(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                 const void *args, size_t args_bytes, const portable_launch_config *config,
                                 int32_t integer_bytes, int32_t flags, struct portable__leaves *leaves);

/* Checks bounds and configuration for a launch that the team does not run. config_out is PORTABLE_LAUNCH_CONFIG_INIT before.
 * strided 1: the kernel uses strides, whatever the configuration says. kind: PORTABLE__DIVIDES_... */
portable_status portable__launch_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config,
                                       int32_t strided, int32_t kind, portable_launch_config *config_out, struct portable__cut *cut_out);

/* Runs a complete job, on the team or through Go on a device in Go, and notifies observers. args_bytes: of job->args; 0: they are memory
 * of the user. The status has its text. */
portable_status portable__job_run(struct portable__job *job, size_t args_bytes);
/* Called by Go. */
void portable__device_named(int32_t number, portable__text name, size_t bytes);
void portable__devices_set(int32_t devices);
void portable__defaults_set(int32_t schedule, int32_t b4b, int32_t team_size);
void portable__default_device_set(int32_t device);
int32_t portable__job_failed(struct portable__job *job);

/* ---- hierarchy.c: portable_parallel_outer with facts of Fortran ---- */

portable_status portable__outer(const char *label, const portable_bounds *bounds, portable_team_function kernel, const void *args, size_t args_bytes,
                                size_t scratch_bytes, const portable_launch_config *config, int32_t integer_bytes, int32_t wide);
/* Where the user's argument block begins in that of the job, which is any launch. */
size_t portable__outer_offset(const struct portable__job *job);

#endif
