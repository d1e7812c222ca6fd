/* portable_launch_reduce.h - reductions of kernel objects: what portable_parallel_reduce is for a function, with an implementation for each kind of device.
 * Part of portable.h; include that.
 *
 * The rules at the head of portable_reduce.h hold, and its bits: on a device with CUDA the leaves are those of the host, values are added up in the same order,
 * and so a result is the host's wherever the values are. Which values can differ is said in docs/build/cuda.md. */
#ifndef PORTABLE_LAUNCH_REDUCE_H
#define PORTABLE_LAUNCH_REDUCE_H

#if !defined(PORTABLE_KERNEL_H) || !defined(PORTABLE_REDUCE_H)
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the kernel its implementation of reductions for the devices of the host; NULL takes it away. That for devices with CUDA is set by
 * portable_kernel_set_cuda: its entry is made by PORTABLE_REDUCE_KERNEL_1 to _4 of portable_device_reduce.h, which make this function from the same body.
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_kernel_set_host_reduce(portable_kernel kernel, portable_reduce_function function);

/* Runs a kernel object over an index space and puts the results where `results` says, as portable_parallel_reduce does with a function. It is waited for,
 * in an asynchronous stream too. Complex numbers, exact sums and users' operations are the host's work on every device.
 * Shapes: results[result_count], 1 to 64.
 * Ownership: args points to the argument block, of the size that the kernel was made with; all is only read during the call.
 * Returns: as portable_parallel_reduce; ERR_HANDLE, ERR_STATE (no implementation for the device), ERR_ARG (the device version has other results),
 * ERR_POINTER (a result goes to memory that the host does not reach).  Source: Kokkos' parallel_reduce.  Since: 0.1 */
portable_status portable_launch_reduce(portable_kernel kernel, const portable_bounds *bounds, const void *args, const portable_reduction *results,
                                       size_t result_count, const portable_launch_config *config);

#ifdef __cplusplus
}
#endif

#endif
