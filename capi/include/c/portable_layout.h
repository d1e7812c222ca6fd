/* portable_layout.h - orders of arrays chosen by label and device, outside of the code that computes on them. Part of portable.h; include that.
 *
 * An array, or a side of a twin, whose config.order is PORTABLE_ORDER_BY_RULE(otherwise) is laid out as a rule says for its label, for the
 * device that computes on it, and for its rank; where no rule says anything, in the order `otherwise`. Indices and bounds do not depend on it, so
 * code that walks by index, or through strides, is the same. Rules come from a tuning file (PORTABLE_TUNING, docs/check/profiling.md),
 * and from portable_layout_rule; what the file says goes before. Among several rules the one that names the label more exactly counts (the
 * whole of it, then the longest beginning), then that which names the device, then cpu or gpu.
 */
#ifndef PORTABLE_LAYOUT_H
#define PORTABLE_LAYOUT_H

#ifndef PORTABLE_ARRAY_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* For config.order. The default lower bounds are those of `otherwise`.  Since: 0.1 */
#define PORTABLE_ORDER_BY_RULE(otherwise) (16 + (otherwise))

/* A rule. label: of arrays, a star at its end stands for any end. device: "cpu" (those that compute in the host's memory), "gpu" (the
 * others), the name of a device, "host" (the host's side of twins), or NULL: any. layout: "c", "fortran", or the dimensions with the
 * fastest first, as letters from i or as numbers: "kij" is "3x1x2", and counts for arrays of rank 3; NULL leaves the order open. row_bytes:
 * lines along the fastest dimension begin at multiples of it, a power of two; 0 leaves that open. A rule takes the place of the one
 * for the same label and device; one that leaves both open takes it away. Arrays that are there stay as they are.
 * Ownership: texts are copied.  Threads: safe, also before portable_init.
 * Returns: 0, ERR_ARG (an invalid layout or row_bytes, a label without letters), ERR_FORK.  Source: the order of indices as
 * data, of GridTools and of the papers on storage order.  Since: 0.1 */
portable_status portable_layout_rule(const char *label, const char *device, const char *layout, uint64_t row_bytes);

/* The layout that the rules choose; also for arrays that the program makes itself. */
typedef struct portable_layout {
  int32_t  order;                        /* PORTABLE_ORDER_C, _FORTRAN, _PERMUTED */
  int32_t  fastest[PORTABLE_ARRAY_RANK]; /* [rank], of _PERMUTED: the dimensions, the fastest first */
  uint64_t row_bytes;                    /* 0: no gaps */
} portable_layout;

#define PORTABLE_LAYOUT_HOST (-1) /* for device: the host's side of twins */

/* How an array of the label and rank is laid out for a device (0: the default one).
 * Returns: 0, ERR_ARG (NULL, rank, otherwise), ERR_NODEVICE, ERR_FORK.  Since: 0.1 */
portable_status portable_layout_find(const char *label, portable_device device, int32_t rank, int32_t otherwise, portable_layout *layout_out);

#ifdef __cplusplus
}
#endif

#endif
