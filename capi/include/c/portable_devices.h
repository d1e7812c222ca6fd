/* portable_devices.h - what devices there are, and what they are like. Part of portable.h; include that.
 *
 * In this file: properties of a device, how much memory it has left, and the way down to the driver's own interface. Not in this file: how
 * launches choose a device (portable_launch.h), devices that the program brings (portable_device_host.h), streams (portable_stream.h).
 *
 * Devices have numbers from 1 on: 1 is serial, 2 threads, then come those that the program brings, then those of NVIDIA's driver, cuda:0 and
 * so on, and of AMD's, hip:0 and so on. A driver is asked only when PORTABLE_DEVICE, the configuration of portable_init or portable_device_find name
 * `cuda`, `cuda:N`, `hip`, `hip:N` or `auto`; others pay nothing for it. `cuda` is cuda:0, or of several devices the one of the local rank (MPI).
 */
#ifndef PORTABLE_DEVICES_H
#define PORTABLE_DEVICES_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of devices. */
#define PORTABLE_DEVICE_HOST     1 /* the host's processors: serial, threads, and devices that the program brings */
#define PORTABLE_DEVICE_EMULATED 2 /* the host's processors, with memory that the host does not reach outside of kernels (PORTABLE_DEVICE=emulated) */
#define PORTABLE_DEVICE_CUDA     3 /* an NVIDIA GPU */
#define PORTABLE_DEVICE_HIP      4 /* an AMD GPU */
#define PORTABLE_DEVICE_OPENCL   5 /* a device of a driver of OpenCL */

/* Properties of a device. On the host's devices the fields of the second half are 0. Sizes in bytes. */
typedef struct portable_device_properties {
  uint32_t struct_size;             /* sizeof(portable_device_properties), set by PORTABLE_DEVICE_PROPERTIES_INIT */
  int32_t  kind;                    /* PORTABLE_DEVICE_... */
  char     name[64];                /* as in PORTABLE_DEVICE: "threads", "cuda:0" */
  char     model[64];               /* the maker's name of it, "" where it is not known */
  uint64_t memory_bytes;            /* all memory of it */
  int32_t  parallelism;             /* multiprocessors of a GPU; else how many threads a launch may use */
  int32_t  concurrent_managed;      /* 1: the host may touch managed memory while kernels run, so no fence is needed for what they do not write */
  int32_t  pageable_access;         /* 1: kernels reach any memory of the host */
  int32_t  max_threads_per_block, warp_size;
  uint64_t shared_bytes_per_block;  /* without asking for more */
  uint64_t shared_bytes_opt_in;     /* with asking for more */
  int32_t  compute_major, compute_minor;
  int32_t  driver_version;          /* 12040 is 12.4 */
  int32_t  integrated;              /* 1: it has no memory of its own */
  char     pci[16];                 /* "0000:3b:00.0" */
  char     uuid[48];                /* "GPU-" and 36 characters, as nvidia-smi -L shows it */
} portable_device_properties;

#define PORTABLE_DEVICE_PROPERTIES_INIT \
  { (uint32_t)sizeof(portable_device_properties), 0, {0}, {0}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0}, {0} }

/* Fills *out with the properties of a device; 0: the default device.
 * Ownership: out is the caller's.  Threads: safe.
 * Returns: 0, ERR_ARG (NULL, struct_size), ERR_NODEVICE, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_device_properties_get(portable_device device, portable_device_properties *out);

/* Free bytes of a device's memory, and all its bytes; for a host's device those of the machine, or of the control group
 * where that has less. 0: the default device. A device of the driver's gets its context, which takes memory of it, too.
 * Threads: safe.  Returns: 0, ERR_ARG (NULL), ERR_NODEVICE, ERR_STATE, ERR_FORK, ERR_DEVICE.  Since: 0.1 */
portable_status portable_device_memory_info(portable_device device, uint64_t *free_bytes_out, uint64_t *total_bytes_out);

/* The driver's own handles of a cuda device, for libraries that take them: *ordinal_out its number for the driver (CUdevice), *context_out its
 * primary context (CUcontext), which the CUDA runtime and OpenACC use, too. Either may be NULL. 0: the default device. The stream's
 * own handle is that of portable_stream_native.
 * Ownership: the library keeps the context until portable_finalize; do not destroy it.  Threads: safe; the context is not made current.
 * Returns: 0, ERR_ARG (a device of the host's), ERR_NODEVICE, ERR_STATE, ERR_FORK, ERR_DEVICE.  Since: 0.1 */
portable_status portable_device_native(portable_device device, int32_t *ordinal_out, void **context_out);

#ifdef __cplusplus
}
#endif

#endif
