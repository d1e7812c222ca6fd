/* portable_twin.h - twins: one array in two places, of the host and of a device, maybe with different orders of elements. Part of portable.h;
 * include that.
 *
 * Nothing is copied without a call. The program says which side it changes, by how it takes it (portable_twin_host, portable_twin_device) or by
 * portable_twin_modified_host and _device, and brings the other side up to date with portable_twin_sync_device and _sync_host, which
 * convert the order. The marks keep this:
 *
 *     portable_twin_host(h, PORTABLE_TWIN_OVERWRITE, &a);   the host side is newer from here on
 *     ...                                                   fill a
 *     portable_twin_sync_device(h, NULL);                   both are the same
 *     portable_twin_device(h, PORTABLE_TWIN_UPDATE, &b);    the device side is newer
 *     ...                                                   launches that compute in b
 *     portable_twin_sync_host(h, NULL);
 *
 * The device side is in memory that kernels of the device reach (portable_space_of_device), where config.device says no other space: of a cuda device
 * managed memory, or its own with PORTABLE_MANAGED=0. Where the device computes in the host's memory and both sides have one layout there is one memory, and a sync copies nothing; marks
 * and checks are the same, so that a sync which was forgotten is found on any machine. config.separate, or PORTABLE_TWINS=separate in the
 * environment, gives each side memory of its own there too.
 *
 * Checks: with PORTABLE_CHECK_ARRAYS (PORTABLE_CHECK=arrays) a side is refused where it is stale: when it is taken for reading or updating, by
 * portable_array_copy, _equal, _checksum, _data and other functions of arrays, for which the sides and views of them are known, and as a
 * declared argument of portable_launch. So is a mark on one side while the other one is newer. A sync then looks with checksums, too, for
 * changes that were not marked. Texts say which side is stale, since when, and what to call.
 * A conflict, both sides changed since they were the same, is refused by every sync, checks or not, because it would lose one of them.
 *
 * The rules at the head of portable_array.h hold. In addition:
 *   Sides:   are ordinary arrays, and are released like them. Both have the same bounds. When the twin has ended, they are arrays like others.
 *   Marks:   are of the whole array. portable_array_fill and _copy mark the side that they write.
 *   Threads: marks are guarded by the library; what is in the sides is guarded by the code that computes on them.
 */
#ifndef PORTABLE_TWIN_H
#define PORTABLE_TWIN_H

#ifndef PORTABLE_LAYOUT_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A twin. 0 is none; a handle of one that was released by all is recognised and refused. */
typedef uint64_t portable_twin;

/* Access to a side. */
#define PORTABLE_TWIN_READ      1 /* it is read */
#define PORTABLE_TWIN_UPDATE    2 /* it is read and changed, or only parts of it are set */
#define PORTABLE_TWIN_OVERWRITE 3 /* all of its elements are set before they are read; what the other side has is not wanted any more */

/* Options of a new twin. host NULL: C order from 0; device NULL: as host. Looked at are space, order, fastest, row_bytes and
 * pool, and of host lower, which both sides have, and zero, which sets both. The orders may be PORTABLE_ORDER_BY_RULE. */
typedef struct portable_twin_config {
  uint32_t struct_size; /* sizeof(portable_twin_config), set by PORTABLE_TWIN_CONFIG_INIT */
  int32_t  separate;    /* 1: two memories, also where one would do */
  const portable_array_config *host, *device;
  portable_device of;   /* that rules are asked for; 0: the default one */
} portable_twin_config;

#define PORTABLE_TWIN_CONFIG_INIT { (uint32_t)sizeof(portable_twin_config), 0, NULL, NULL, 0 }

/* Makes a twin; elements are not set, and neither side is newer. label, kind, element_bytes, extents as of portable_array_create.
 * Ownership: the caller is the first holder, until portable_twin_release.
 * Returns: as portable_array_create; ERR_ARG also for different lower bounds in host and device.
 * Source: the double-mapped arrays of OpenFPM.  Since: 0.1 */
portable_status portable_twin_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                     const portable_twin_config *config, portable_twin *twin_out);

/* Makes a twin whose host side is an array that is there, the program's own memory (portable_array_wrap) for instance, and counts as newer.
 * The device side is made, in the order of the host side where config->device is NULL; config->host is not looked at.
 * Ownership: the twin is one more holder of the array's memory.
 * Returns: as portable_twin_create; ERR_STATE, ERR_HANDLE (the array).  Since: 0.1 */
portable_status portable_twin_wrap(const portable_array *host, const portable_twin_config *config, portable_twin *twin_out);

/* One more holder, and one less; the last one releases both sides. Release of 0 does nothing.
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_twin_retain(portable_twin twin);
portable_status portable_twin_release(portable_twin twin);

/* A side, and what is done with it: UPDATE and OVERWRITE mark it as newer. *array_out is released by the caller.
 * Returns: 0, ERR_ARG (NULL, access), ERR_HANDLE, ERR_STATE (under checks: the side is stale, or a sync to it is under way in a stream; the
 * array's memory was released).  Since: 0.1 */
portable_status portable_twin_host(portable_twin twin, int32_t access, portable_array *array_out);
portable_status portable_twin_device(portable_twin twin, int32_t access, portable_array *array_out);

/* Says that a side, taken before, was changed. what, or NULL, names what has changed it, for messages; it is copied.
 * Returns: 0, ERR_HANDLE, ERR_STATE (under checks: the other side is newer; the mark is set all the same).  Since: 0.1 */
portable_status portable_twin_modified_host(portable_twin twin, const char *what);
portable_status portable_twin_modified_device(portable_twin twin, const char *what);

/* Takes the mark of a side away: its changes are not wanted. It is stale where the other one is newer, else both count as the same.
 * Returns: 0, ERR_HANDLE.  Since: 0.1 */
portable_status portable_twin_discard_host(portable_twin twin);
portable_status portable_twin_discard_device(portable_twin twin);

/* Copies to the side that is named, if the other one is newer; else there is nothing to do. launch: NULL, or device and stream. Into an
 * asynchronous stream it returns at once; the stream holds both sides until it has passed the copy. Work that is launched into that stream later finds
 * the elements, others wait for it.
 * Returns: 0, ERR_HANDLE, ERR_STATE (both sides are newer; the stream records a graph; under checks: changes that were not marked), and what
 * portable_array_copy says.
 * After a failure the marks are as before.  Since: 0.1 */
portable_status portable_twin_sync_host(portable_twin twin, const portable_launch_config *launch);
portable_status portable_twin_sync_device(portable_twin twin, const portable_launch_config *launch);

/* How it stands with a twin. */
typedef struct portable_twin_state {
  uint32_t struct_size;  /* sizeof(portable_twin_state), set by the caller */
  int32_t  host_newer;   /* 1: changed since both were the same; the device side is stale */
  int32_t  device_newer;
  int32_t  one_memory;   /* 1: both sides are the same memory */
  int64_t  holders;
  char     host_since[160], device_since[160]; /* what has made it newer; empty where nothing has */
} portable_twin_state;

/* Returns: 0, ERR_ARG (NULL, struct_size), ERR_HANDLE.  Since: 0.1 */
portable_status portable_twin_query(portable_twin twin, portable_twin_state *state_out);

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_twin_mod; not for users. */

/* portable_twin_create into a handle that is 0, with orders as portable__fortran_array_create has them; ranks are -1 where a list is not there. */
portable_status portable__fortran_twin_create(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank,
                                              const int64_t *extents, int32_t lower_rank, const int64_t *lower, const int32_t *orders,
                                              const int32_t *fastest_ranks, const int32_t *host_fastest, const int32_t *device_fastest,
                                              int32_t zero, int32_t separate, portable_twin *twin);
portable_status portable__fortran_twin_wrap(int32_t version, const portable_array *host, int32_t order, int32_t fastest_rank,
                                            const int32_t *fastest, int32_t separate, portable_twin *twin);
/* side: 0 of the host, 1 of the device. */
portable_status portable__fortran_twin_modified(int32_t version, portable_twin twin, int32_t side, const char *what, size_t what_bytes);
portable_status portable__fortran_twin_sync(int32_t version, portable_twin twin, int32_t side, portable_stream stream);
portable_status portable__fortran_layout_rule(int32_t version, const char *label, size_t label_bytes, const char *device, size_t device_bytes,
                                              const char *layout, size_t layout_bytes, int64_t row_bytes);

#ifdef __cplusplus
}
#endif

#endif
