/* view.c - array views in argument blocks of kernels (portable_device_view.h): how they are made,
 * and an index out of bounds on the host. Threads: any, also inside kernels; no lock. */
#include <inttypes.h>
#include <string.h>

#include "../../internal/tracing/found.h"
#include "../../internal/team/team.h"
#include "questions.h"
#include "../../capi/include/device/portable_device.h"
#include "../../internal/memcheck/memcheck.h"

#define VIEW_BYTES(rank) (offsetof(portable_array_view, dim) + (size_t)(rank) * sizeof(portable_view_dimension))

_Static_assert(offsetof(portable_array_view, dim) == PORTABLE__VIEW_HEAD && sizeof(portable_view_dimension) == PORTABLE__VIEW_EACH, "Go knows the size of a view");

static int fits(int32_t rank, const void *view_out, size_t view_bytes) {
  return view_out && (uint32_t)rank <= PORTABLE_LOOP_RANK && (view_bytes == VIEW_BYTES(rank) || view_bytes == sizeof(portable_array_view));
}

/* `of`: the rank of the array; -1: a view of memory. */
static PORTABLE__COLD portable_status refuse(const char *function, const char *label, const void *view_out, int32_t rank, size_t view_bytes, int32_t of,
                                             int32_t order, const int64_t *extents) {
  portable_status status;
  PORTABLE__ARRAY_EXPLAINED(&status, function, label, PORTABLE_ERR_ARG,
                            portable__owner_go.view(!view_out, rank, view_bytes, of, order, extents));
  return status;
}

portable_status portable_view_of(const portable_array *array, int32_t rank, void *view_out, size_t view_bytes) {
  static const char function[] = "portable_view_of";
  portable_array_view view;
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(!fits(rank, view_out, view_bytes) || rank != array->rank))
    return refuse(function, array->label, view_out, rank, view_bytes, array->rank, 0, NULL);
  memset(&view, 0, sizeof view);
  view.data = array->data;
  view.rank = rank;
  for (int32_t d = 0; d < rank; d++) view.dim[d] = (portable_view_dimension){array->lower[d], array->extent[d], array->stride[d]};
  memcpy(view_out, &view, view_bytes);
  return PORTABLE_OK;
}

portable_status portable_view_make(void *data, int32_t rank, int32_t order, const int64_t *lower, const int64_t *extents, void *view_out,
                                   size_t view_bytes) {
  portable_array_view view;
  int64_t stride = 1;
  int ordinary = fits(rank, view_out, view_bytes) && (uint32_t)order <= PORTABLE_ORDER_FORTRAN && (!rank || extents);
  memset(&view, 0, sizeof view);
  view.data = data;
  view.rank = rank;
  for (int32_t k = 0; ordinary && k < rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    view.dim[d] = (portable_view_dimension){lower ? lower[d] : order == PORTABLE_ORDER_FORTRAN, extents[d], stride};
    if (extents[d] < 0 || (extents[d] && __builtin_mul_overflow(stride, extents[d], &stride))) ordinary = 0;
  }
  if (PORTABLE__UNLIKELY(!ordinary)) return refuse("portable_view_make", "memory", view_out, rank, view_bytes, -1, order, extents);
  memcpy(view_out, &view, view_bytes);
  return PORTABLE_OK;
}

int32_t portable_tile_order(const portable_tile *tile) {
  const struct portable__job *job = tile->launch;
  return job && job->cut.rank > 1 && job->cut.axis[0].dim == 0 ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C;
}

PORTABLE__COLD void *portable_view_outside(const void *data, int32_t argument, int32_t rank, int32_t dimension, int64_t index, int64_t lower,
                                           int64_t extent) {
  static char place[PORTABLE__PLACE_BYTES] __attribute__((aligned(64))); /* the substitute element; races on it are the program's */
  (void)argument;
  (void)portable__fail(PORTABLE_ERR_ARG, "the index of dimension %d (of %d) of a view is %" PRId64 "; its bounds are %" PRId64 ":%" PRId64,
                       (int)dimension + 1, (int)rank, index, lower, lower + extent - 1);
  portable__finding(PORTABLE__FOUND_INDEX, NULL, portable_last_error(), (void *)(uintptr_t)data);
  if (portable__running_job) {
    portable_tile tile;
    memset(&tile, 0, sizeof tile);
    tile.launch = (void *)(uintptr_t)portable__running_job;
    portable_kernel_fail(&tile, PORTABLE_ERR_ARG, portable_last_error());
  } else {
    portable__print_error();
  }
  memset(place, 0, sizeof place);
  return place;
}
