/* call.h - the arguments of calls on arrays. C tests them by one function for each call, its
 * verdict, which gives the status; Go repeats the checks for the text (exec/array_refusal.go).
 * Threads: any. */
#ifndef PORTABLE__ARRAY_CALL_H
#define PORTABLE__ARRAY_CALL_H

#include <string.h>

#include "../../capi/include/c/portable.h"
#include "../../internal/edge/base.h"
#include "../../internal/kernels/base/axis.h"

/* The numbers are those of exec.Algorithm. */
enum {
  PORTABLE__REDUCE_ARRAY, PORTABLE__SCAN, PORTABLE__CALL_PACK, PORTABLE__CALL_UNPACK, PORTABLE__CALL_INDICES, PORTABLE__SORT, PORTABLE__SORT_BY_KEY,
  PORTABLE__SORT_INDEX, PORTABLE__BINARY, PORTABLE__UNARY, PORTABLE__MERGE, PORTABLE__FILL, PORTABLE__PARALLEL_FILTER,
  PORTABLE__RANDOM_FILL, PORTABLE__SOLVE_THREE, PORTABLE__SOLVE_FIVE, PORTABLE__FFT_FORWARD, PORTABLE__FFT_BACKWARD
};

/* The arguments of the program; 0 if a call does not have one. */
struct portable__array_call {
  int32_t call, op, kind, rank, mask_kind, index_kind;
  portable__text label; /* not NULL */
  const int64_t *extents;
  const void *result, *a, *b, *mask, *count_out; /* a: keys, bounds; b: values, indices, packed vectors */
  const void *bands[5]; /* of solves: the diagonals, the lowest first; of three the first ones */
  const void *options;
  int64_t element_bytes, count, lower; /* of transforms: the numbers of a line, and the dimension */
};

struct portable__reduction_call {
  portable__text label;
  const portable_reduction *results;
  size_t count, first;
  int32_t kernel; /* 0: NULL */
};

/* Refuses a call: Go gives status and text; `otherwise` if Go does not run. */
portable_status portable__array_refused(const struct portable__array_call *call, portable_status otherwise) PORTABLE__COLD;

/* 1: the structure was begun with its INIT. Options that an older header does not have get defaults. */
#define PORTABLE__SIZE_IS_GOOD(given, most) ((given)->struct_size >= sizeof(uint32_t) && (given)->struct_size <= (most))
#define PORTABLE__OPTIONS(options, given)                                                                             \
  ((given) == NULL || (PORTABLE__LIKELY((given)->struct_size == sizeof(options)) && (memcpy(&(options), (given), sizeof(options)), 1)) || \
   (PORTABLE__SIZE_IS_GOOD(given, sizeof(options)) && (memcpy(&(options), (given), (given)->struct_size), 1)))

static inline int portable__launch_is_good(const portable_launch_config *l) { return !l || PORTABLE__SIZE_IS_GOOD(l, sizeof *l); }

/* The configuration of a call's launch, without tile and division: they count elements, but the launch counts leaves or units. */
static inline void portable__call_config(const portable_launch_config *given, portable_launch_config *config) {
  const portable_launch_config init = PORTABLE_LAUNCH_CONFIG_INIT;
  *config = init;
  if (!given) return;
  memcpy(config, given, given->struct_size);
  memset(config->tile, 0, sizeof config->tile);
  config->division = NULL;
}

/* How many threads may work on a launch with that configuration; at least 1. */
int32_t portable__call_workers(const portable_launch_config *config);

#define PORTABLE__INDEX_TEXT (PORTABLE_LOOP_RANK * 24)

/* Writes the indices of an element, counted from 0 in the order of memory, as the language of `order` does: (3,1) or [0][2]. whole: a dimension
 * that has all of its indices, as (:,1), and is not counted; -1: none. */
void portable__index_text(char text[PORTABLE__INDEX_TEXT], int32_t rank, const int64_t *extents, int32_t order, int64_t number, int32_t whole) PORTABLE__COLD;

/* 1: the array has no element; 0: it has; -1: rank or extents are invalid. */
static inline int portable__array_empty(int32_t rank, const int64_t *extents) {
  int64_t negative = 0;
  int empty = 0;
  if (rank < 1 || rank > PORTABLE_LOOP_RANK || !extents) return -1;
  for (int32_t d = 0; d < rank; d++) {
    negative |= extents[d];
    empty |= extents[d] == 0;
  }
  return negative < 0 ? -1 : empty;
}

static inline int portable__order_is_good(int32_t order) { return order == PORTABLE_ORDER_C || order == PORTABLE_ORDER_FORTRAN; }
static inline int portable__is_kind(int32_t kind) { return kind >= PORTABLE_KIND_INT8 && kind <= PORTABLE_KIND_LOGICAL64; }
static inline int portable__is_logical(int32_t kind) { return kind >= PORTABLE_KIND_LOGICAL8 && kind <= PORTABLE_KIND_LOGICAL64; }
static inline int32_t portable__logical_bytes(int32_t kind) { return 1 << (kind - PORTABLE_KIND_LOGICAL8); }
/* Bytes of an index; 0: an invalid kind of an index. */
static inline int32_t portable__index_bytes(int32_t kind) { return kind == PORTABLE_KIND_INT32 ? 4 : kind == PORTABLE_KIND_INT64 ? 8 : 0; }

/* 1: the indices from `lower` of `count` elements fit an index of that size. */
static inline int portable__indices_fit(int64_t lower, int64_t count, int32_t bytes) {
  int64_t last;
  const int64_t most = bytes == 4 ? INT32_MAX : INT64_MAX;
  return !count || (!__builtin_add_overflow(lower, count - 1, &last) && last <= most && lower >= -most - 1);
}

/* The byte stride of each dimension; strides NULL: contiguous elements of that size. */
struct portable__steps {
  int64_t bytes;
  const int64_t *strides;
};

/* The axes of an array, the fastest first, with the strides of a second array as mask_step; dims (or NULL) gets the dimension of each.
 * 0: its byte count overflows. An array without elements may have extents of any size. */
int portable__axes(int32_t rank, const int64_t *extents, int32_t order, struct portable__steps array, struct portable__steps other,
                   struct portable__array_axis *axis, int32_t *dims);

/* ---- verdicts: the status of a call's arguments, without a text ---- */

struct portable__array_reduction;
struct portable__chosen;
struct portable__componentwise;
struct portable__fft;
struct portable__random_fill;
struct portable__scan;
struct portable__solve;

/* They also find options, axes and the operation. */
portable_status portable__reduce_array_verdict(const struct portable__array_call *c, portable_array_options *o, struct portable__array_reduction *r,
                                               struct portable__array_axis *axis, int32_t *dims);
portable_status portable__scan_verdict(const struct portable__array_call *c, portable_scan_options *o, struct portable__scan *s,
                                       struct portable__array_axis *axis, int32_t *dims);
portable_status portable__filter_verdict(const struct portable__array_call *c, portable_filter_options *o, struct portable__chosen *chosen);
portable_status portable__sort_verdict(const struct portable__array_call *c, portable_sort_options *o);
portable_status portable__component_verdict(const struct portable__array_call *c, portable_componentwise_options *o, struct portable__componentwise *w);
portable_status portable__solve_verdict(const struct portable__array_call *c, portable_solve_options *o, struct portable__solve *s);
portable_status portable__fft_verdict(const struct portable__array_call *c, portable_fft_options *o, struct portable__fft *f);
portable_status portable__parallel_filter_verdict(const struct portable__array_call *c);
portable_status portable__random_verdict(const struct portable__array_call *c, portable_random_options *o, struct portable__random_fill *f);

#endif
