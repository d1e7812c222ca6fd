/* device_arrays.h - scans, sorts, random numbers, systems of few diagonals, transforms and ghost
 * cells on CUDA devices; see device_algorithm.h for the common part, and device_scan.c,
 * device_sort.c, device_random.c, device_solve.c, device_fft.c and device_halo.c. */
#ifndef PORTABLE__DEVICE_ARRAYS_H
#define PORTABLE__DEVICE_ARRAYS_H

#include "../../internal/kernels/scan/scan.h"
#include "../../internal/kernels/sort/sort.h"
#include "../../internal/kernels/random/random.h"
#include "../../internal/kernels/fft/fft.h"
#include "../../internal/kernels/solve/solve.h"
#include "device_algorithm.h"

/* Scans s, which is cut and not empty. */
portable_status portable__device_scan(const struct portable__place *place, const struct portable__scan *s, int32_t op, int32_t kind);

/* Sorts s, which has keys. A failure leaves keys and values unchanged. */
portable_status portable__device_sort(const struct portable__place *place, const struct portable__sort *s, int32_t kind, int descending);

/* Fills at least one element. Waits for the end, unless the place has a stream. */
portable_status portable__device_random(const struct portable__place *place, const struct portable__random_fill *f);

/* kind: PORTABLE_KIND_REAL32 or _REAL64. There are systems. Waits for the end. *found_out: the first pivot of 0, as portable__solve_range
 * gives it. */
portable_status portable__device_solve(const struct portable__place *place, const struct portable__solve *s, int32_t kind, int64_t *found_out);

/* Transforms all lines, of which there are some. Waits for the end. */
portable_status portable__device_fft(const struct portable__place *place, const struct portable__fft *f, int32_t kind);

/* Moves elements of ghost cells, of which there are some. Waits for the end. */
portable_status portable__device_halo(const struct portable__place *place, const struct portable__cuda_halo *w);

#endif
