/* portable_fallback.h - which launches for a cuda device ran on the host. Part of portable.h; include that.
 *
 * A launch on a cuda device whose kernel has no version for it waits for its stream, and runs on `threads` over the same arrays, which are in managed
 * memory. It is counted by its label, with the time that the kernel took there (not the wait before it). So a program runs
 * from the first day on, and the list says which kernel to write a device version for next. Launches inside kernels are not
 * counted, nor are those with bit_for_bit under PORTABLE_B4B.
 *
 * With PORTABLE_PROFILE the list is printed at the last portable_finalize, below the timers; with PORTABLE_VERBOSE it is in the log. */
#ifndef PORTABLE_FALLBACK_H
#define PORTABLE_FALLBACK_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One label. Times in nanoseconds. */
typedef struct portable_fallback {
  uint32_t struct_size;
  uint32_t reserved;
  const char *label; /* borrowed: until the visit returns */
  int64_t launches, iterations;
  int64_t total_ns, max_ns; /* of all launches, of the longest */
} portable_fallback;

/* Called per label; a value other than 0 ends the listing. It may call this library. */
typedef int32_t (*portable_fallback_visitor)(const portable_fallback *fallback, void *payload);

/* Calls `visit` for each label of which a launch for a cuda device ran on the host since the library started, those that took longest first.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_NOMEM (no room for a copy of the list), ERR_FORK.  Since: 0.1 */
portable_status portable_fallback_list(portable_fallback_visitor visit, void *payload);

/* Prints the same list on standard error, of rank 0 only where there are ranks and PORTABLE_PROFILE does not say all; nothing where it is empty.
 * Behind it come arrays of the host that generated launches copied to a cuda device, with the copies and their bytes.
 * Returns: 0, ERR_STATE, ERR_FORK.  Since: 0.1 */
portable_status portable_fallback_print(void);

#ifdef __cplusplus
}
#endif

#endif
