/* array_view.c - views, and the address of one element. A view is a descriptor with the same owner,
 * which it holds; Go plans its shape (arrays/slice.go, reshape.go) in one crossing. Threads: any;
 * no lock. */
#include "questions.h"
#include "../../internal/tracing/found.h"
#include "array.h"
#include "../../internal/memcheck/memcheck.h"
#include "../../exec/launch/reach.h"

#include <stdlib.h>
#include <string.h>

#include "../../internal/team/team.h"

/* Makes a view: `call` changes `view`, a copy of the array, in a crossing. */
#define VIEW(name, call)                                                                        \
  do {                                                                                          \
    static const char function[] = name;                                                        \
    portable_array view;                                                                        \
    portable_status status = begin(function, array, view_out, &view);                           \
    struct portable__crossing crossing;                                                         \
    if (status == PORTABLE_OK && (status = portable__cross_in(&crossing)) == PORTABLE_OK) {     \
      status = (call);                                                                          \
      portable__cross_out(&crossing);                                                           \
      portable__array_named(status, function, array->label);                                    \
    }                                                                                           \
    return end(status, array, &view, view_out);                                                 \
  } while (0)

static const portable_array none;

static portable_status begin(const char *function, const portable_array *array, const portable_array *view_out, portable_array *view) {
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!view_out) return portable__array_missing(function, array->label, "view_out");
  *view = *array;
  return PORTABLE_OK;
}

/* Retains the owner for the view. If view_out is the array itself, its holder becomes the view's. */
static portable_status end(portable_status status, const portable_array *array, const portable_array *view, portable_array *view_out) {
  if (status == PORTABLE_OK && view_out != array) status = portable_array_owner_retain(view->owner);
  if (status == PORTABLE_OK)
    *view_out = *view;
  else if (view_out && view_out != array)
    *view_out = none;
  return status;
}

portable_status portable_array_slice(const portable_array *array, const portable_array_range *ranges, portable_array *view_out) {
  VIEW("portable_array_slice", portable__owner_go.array_slice(&view, ranges));
}

portable_status portable_array_subset_slowest(const portable_array *array, int64_t first, int64_t last, portable_array *view_out) {
  VIEW("portable_array_subset_slowest", portable__owner_go.array_subset(&view, first, last));
}

portable_status portable_array_reshape(const portable_array *array, int32_t rank, const int64_t *extents, const int64_t *lower,
                                       portable_array *view_out) {
  VIEW("portable_array_reshape", portable__owner_go.array_reshape(&view, rank, extents, lower));
}

portable_status portable_array_collapse(const portable_array *array, int64_t lower, portable_array *view_out) {
  int64_t extent = array ? portable_array_size(array) : 0;
  VIEW("portable_array_collapse", portable__owner_go.array_reshape(&view, 1, &extent, &lower));
}

portable_status portable_array_permute(const portable_array *array, const int32_t *dims, portable_array *view_out) {
  VIEW("portable_array_permute", portable__owner_go.array_permute(&view, dims));
}

portable_status portable_array_rebase(const portable_array *array, const int64_t *lower, portable_array *view_out) {
  VIEW("portable_array_rebase", portable__owner_go.array_rebase(&view, lower));
}

/* ---- addresses ---- */

/* A CUDA device can also access managed memory of the default pool, which the descriptor calls host memory. */
static int reaches(int32_t index, const void *data) { return portable__cuda_number(index) && portable__cuda_reaches(index, (uintptr_t)data); }

portable_status portable_array_data(const portable_array *array, int32_t space, void **data_out) {
  static const char function[] = "portable_array_data";
  if (data_out) *data_out = NULL;
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!data_out) return portable__array_missing(function, array->label, "data_out");
  int for_device = space >= PORTABLE_SPACE_DEVICE(0);
  if (for_device && array->space != space && array->space != PORTABLE_SPACE_MANAGED && !reaches(space - PORTABLE_SPACE_DEVICE(0), array->data))
    PORTABLE__ARRAY_EXPLAINED(&status, function, array->label, PORTABLE_ERR_ARG, portable__owner_go.array_far(array->space, space));
  if (status != PORTABLE_OK) return status;
  if (!for_device && (status = portable__array_touched(function, array)) != PORTABLE_OK) return status;
  if ((status = portable__array_uses(function, array, PORTABLE_TWIN_READ)) != PORTABLE_OK) return status;
  *data_out = array->data;
  return PORTABLE_OK;
}

/* NULL: the index is out of bounds. */
static void *find(const portable_array *a, int32_t rank, const int64_t *index) {
  int64_t position = 0;
  if (rank != a->rank || (rank > 0 && !index)) return NULL;
  for (int32_t d = 0; d < rank; d++) {
    uint64_t steps = (uint64_t)index[d] - (uint64_t)a->lower[d];
    if (steps >= (uint64_t)a->extent[d] || index[d] < a->lower[d]) return NULL;
    position += (int64_t)steps * a->stride[d];
  }
  return (char *)a->data + position * (int64_t)a->element_bytes;
}

static portable_status locate(const char *function, const portable_array *array, int32_t rank, const int64_t *index, void **element_out) {
  portable_status status = portable__array_touched(function, array);
  if (status != PORTABLE_OK) return status;
  *element_out = find(array, rank, index);
  if (PORTABLE__UNLIKELY(!*element_out))
    PORTABLE__ARRAY_PLANNED(&status, function, array->label, portable__owner_go.array_locate(array, rank, index));
  return status;
}

portable_status portable_array_locate(const portable_array *array, int32_t rank, const int64_t *index, void **element_out) {
  if (!element_out) return portable__array_missing("portable_array_locate", "", "element_out");
  *element_out = NULL;
  return locate("portable_array_locate", array, rank, index, element_out);
}

#define STAND_IN 65536 /* bytes */

/* The substitute for an element out of bounds. Not thread-local: a library that is loaded later has no space for so much. */
static void *stand_in(const portable_array *array) {
  static char zeroes[STAND_IN] __attribute__((aligned(64)));
  if (array && array->struct_size && array->element_bytes > STAND_IN) return calloc(1, array->element_bytes); /* never freed */
  memset(zeroes, 0, sizeof zeroes);
  return zeroes;
}

void *portable_array_element(const portable_array *array, int32_t rank, const int64_t *index) {
  void *element = NULL;
  if (PORTABLE__LIKELY(locate("PORTABLE_CHECK=arrays: an element", array, rank, index, &element) == PORTABLE_OK)) return element;
  portable__finding(PORTABLE__FOUND_INDEX, array ? array->label : NULL, portable_last_error(), array ? array->data : NULL);
  if (portable__running_job) {
    portable_tile tile;
    memset(&tile, 0, sizeof tile);
    tile.launch = (void *)(uintptr_t)portable__running_job;
    portable_kernel_fail(&tile, PORTABLE_ERR_ARG, portable_last_error());
  } else {
    portable__print_error();
  }
  return stand_in(array);
}
