/* portable_device_vector.h - a list to which all threads of a kernel append, as kernels see it: plain values that C++ and CUDA C share.
 * Part of portable_device.h; include that.
 *
 * In a block:   portable_vector<int> wet;
 * In a body:    if (a->h[i] > 0) a->wet.push_back(i);
 * On the host:  portable::device_vector<int> makes one (portable_device_vector.hpp), and tells what did not fit.
 *
 * Not in this file: memory, errors. A view holds nothing: the list lives longer than the launch. Copies of a view append to one list.
 */
#ifndef PORTABLE_DEVICE_VECTOR_H
#define PORTABLE_DEVICE_VECTOR_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

#if defined(__cplusplus) && PORTABLE_HAS_ATOMIC

/* Elements of a trivially copyable type, in memory that the device can access.
 * Threads: any number of them append at once, also from kernels that run at the same time; elements are read after the launch.
 * Order:   that in which threads come, which differs from run to run.
 * Errors:  none in a kernel: what finds no room is counted, and the list says so after the launch.
 * Since: 0.1.  Source: AppendStructuredBuffer of HLSL. */
template <class T> struct portable_vector {
  T *data;          /* [capacity] */
  int64_t capacity; /* fixed while kernels append */
  int64_t *pushed;  /* how many were appended, also those that found no room */

  /* Appends a copy of value. Gives its place, counted from 0, or -1 where there was no room for it.  Since: 0.1 */
  PORTABLE__HOST_DEVICE int64_t push_back(const T &value) const {
    const int64_t at = portable_atomic_add_int64(pushed, 1);
    if (at >= capacity) return -1;
    data[at] = value;
    return at;
  }
};

#endif

#endif
