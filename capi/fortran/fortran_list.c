/* fortran_list.c - launches of Fortran with a bind(c) kernel, whose block is made from a list of
 * portable_arg (fortran_block.h). Not here: kernels that are ordinary procedures
 * (fortran_kernel.c), results (fortran_results.c). */
#include "fortran_block.h"
#include "fortran_results.h"

#include <stdio.h>
#include <string.h>

#include "../../exec/algorithm/reduce.h"
#include "../../exec/launch/kernel.h"
#include "../../exec/launch/launch.h"
#include "../../exec/race/race.h"
#include "../../internal/kernels/reduction/partial.h"

#define LABEL_BYTES (PORTABLE__LABEL_MAX + 1)
#define MOST_REFERENCES 64 /* as in portable_race.inc */

struct portable__race_list {
  const struct portable__fortran_argument *args;
  int32_t count;
};

/* The label with an end, and the block. */
static portable_status begin(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_argument *args, int32_t count,
                             char *name, char *block, size_t *bytes_out) {
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, LABEL_BYTES, label, label_bytes);
  const char *shown = name[0] ? name : "unlabelled";
  status = portable__block_of(shown, args, count, block, bytes_out);
  return status == PORTABLE_OK ? portable__arguments_apart(shown, args, count) : status;
}

portable_status portable__fortran_parallel_for_list(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                    portable_kernel_function kernel, portable_kernel_function checked,
                                                    const struct portable__fortran_argument *args, int32_t count, const portable_launch_config *config,
                                                    int32_t integer_bytes, int32_t flags) {
  char name[LABEL_BYTES], block[PORTABLE__BLOCK_MOST] __attribute__((aligned(16)));
  size_t bytes;
  portable_status status = begin(version, label, label_bytes, args, count, name, block, &bytes);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  flags |= PORTABLE__LENT;
  const int races = portable_races_checked();
  const struct portable__race_list list = {args, count};
  if (PORTABLE__UNLIKELY(races)) {
    portable__race_follows(&list);
    flags |= PORTABLE__WAITS; /* the list is valid until then */
    if (checked) kernel = checked;
  }
  if (PORTABLE__UNLIKELY(portable__arguments_count(config)) && !(races && checked)) {
    const struct portable__host_version host = {
        .function = kernel, .context = block, .context_bytes = bytes, .integer_bytes = integer_bytes, .flags = flags};
    status = portable__launch_arguments(name, bounds, args, count, config, &host);
  } else {
    status = portable__launch(name[0] ? name : NULL, bounds, kernel, block, bytes, config, integer_bytes, flags, NULL);
  }
  if (PORTABLE__UNLIKELY(races)) portable__race_follows(NULL);
  return status;
}

/* A reduction with a list of results and a complete block. */
struct reduction {
  const char *name; /* of the launch */
  const portable_bounds *bounds;
  portable_reduce_function kernel;
  const void *block;
  size_t bytes;
  const struct portable__fortran_result *results;
  int32_t count;
  const struct portable__fortran_argument *args; /* for devices and checks; or NULL */
  int32_t listed;
};

static portable_status reduce(const struct reduction *r, const portable_launch_config *config, int32_t integer_bytes, int32_t flags) {
  portable_reduction list[PORTABLE_REDUCTIONS_MOST];
  struct portable__held held[PORTABLE_REDUCTIONS_MOST];
  portable_status status = portable__results_begin(r->name[0] ? r->name : "unlabelled", r->bounds, r->results, r->count, list, held);
  if (status != PORTABLE_OK) return status;
  flags |= PORTABLE__LENT;
  if (r->args) {
    const struct portable__host_version host = {.reduce = r->kernel, .context = r->block, .context_bytes = r->bytes, .results = list,
                                                .result_count = (size_t)r->count, .integer_bytes = integer_bytes, .flags = flags};
    status = portable__launch_arguments(r->name, r->bounds, r->args, r->listed, config, &host);
  } else {
    status = portable__reduce(r->name[0] ? r->name : NULL, r->bounds, r->kernel, r->block, r->bytes, list, (size_t)r->count, config, integer_bytes, flags);
  }
  if (status == PORTABLE_OK) portable__results_end(r->results, r->count, held);
  return status;
}

portable_status portable__fortran_parallel_reduce_list(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                       portable_reduce_function kernel, portable_reduce_function checked,
                                                       const struct portable__fortran_result *results, int32_t result_count,
                                                       const struct portable__fortran_argument *args, int32_t count,
                                                       const portable_launch_config *config, int32_t integer_bytes, int32_t flags) {
  char name[LABEL_BYTES], block[PORTABLE__BLOCK_MOST] __attribute__((aligned(16)));
  size_t bytes;
  portable_status status = begin(version, label, label_bytes, args, count, name, block, &bytes);
  if (status != PORTABLE_OK) return portable__rename_error(status, "parallel_reduce");
  struct reduction r = {name, bounds, kernel, block, bytes, results, result_count, NULL, count};
  const int races = portable_races_checked();
  const struct portable__race_list race = {args, count};
  if (PORTABLE__UNLIKELY(races)) {
    portable__race_follows(&race);
    if (checked) r.kernel = checked;
  }
  if (PORTABLE__UNLIKELY(portable__arguments_count(config)) && !(races && checked)) r.args = args;
  status = reduce(&r, config, integer_bytes, flags);
  if (PORTABLE__UNLIKELY(races)) portable__race_follows(NULL);
  return status;
}

portable_status portable__fortran_parallel_reduce_block(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                        portable_reduce_function kernel, const struct portable__fortran_result *results,
                                                        int32_t result_count, const void *block, size_t block_bytes,
                                                        const portable_launch_config *config, int32_t integer_bytes, int32_t flags) {
  char name[LABEL_BYTES];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  const struct reduction r = {name, bounds, kernel, block, block_bytes, results, result_count, NULL, 0};
  return reduce(&r, config, integer_bytes, flags);
}

/* The positive common divisor of the strides from dimension d on; 0: at most one index each. */
static int64_t divisor(const portable_array_view *v, int32_t rank, int32_t d) {
  int64_t a = 0;
  for (; d < rank; d++) {
    int64_t b = v->dim[d].extent > 1 ? v->dim[d].stride < 0 ? -v->dim[d].stride : v->dim[d].stride : 0;
    while (b) {
      const int64_t c = a % b;
      a = b;
      b = c;
    }
  }
  return a;
}

/* A contiguous array with the view as a section, because a pointer cannot be given strides: dimension d has the length of the common divisor of all
 * later strides. That is enough for sections of contiguous arrays. */
void portable__fortran_section(const void *view, int32_t rank, int64_t element_bytes, struct portable__fortran_section_of *to) {
  const portable_array_view *v = view;
  int64_t within = 1, contiguous = 1, below = 0;
  to->whole = 1;
  for (int32_t d = 0; d < rank; d++) {
    if (v->dim[d].extent > 1 && v->dim[d].stride != contiguous) to->whole = 0;
    contiguous *= v->dim[d].extent;
  }
  for (int32_t d = 0; d < rank; d++) {
    const int64_t extent = v->dim[d].extent, step = extent > 1 ? v->dim[d].stride / within : 1, next = divisor(v, rank, d + 1);
    to->step[d] = step;
    to->first[d] = step < 0 ? 1 - (extent - 1) * step : 1;
    to->last[d] = extent < 1 ? to->first[d] - step : to->first[d] + (extent - 1) * step;
    to->big[d] = to->whole ? extent : next ? next / within : step < 0 ? to->first[d] : to->last[d];
    if (step < 0) below += (extent - 1) * step * within;
    if (next) within = next;
  }
  to->data = (char *)v->data + below * element_bytes;
}

/* ---- races ---- */

/* The argument as a view, and its name. 0: not an array. */
static int view_of(const struct portable__fortran_argument *a, int32_t i, portable_array_view *view, char *name, size_t room) {
  if (portable__argument_form(a) != PORTABLE__VIEW && a->form != PORTABLE__ADDRESS) return 0;
  struct portable__fortran_argument as_view = *a;
  if (a->form == PORTABLE__ADDRESS) as_view.form = PORTABLE__VIEW;
  if (portable__argument_put("", &as_view, i, NULL, (char *)view) != PORTABLE_OK) return 0;
  portable__copy_text(name, room, a->name, sizeof a->name);
  if (!name[0]) snprintf(name, room, "argument %d", (int)i + 1);
  return 1;
}

/* The whole list of the launch is added before the first array is used, so arrays that share elements may come in any order. */
static void add_list(const struct portable__race_list *list) {
  int32_t *at = portable__race_list_at();
  if (!list || *at >= 0) return;
  for (int32_t i = 0; i < list->count; i++) {
    const struct portable__fortran_argument *a = &list->args[i];
    portable_array_view view;
    char name[64];
    view.rank = 0;
    const int array = view_of(a, i, &view, name, sizeof name);
    const int32_t number = portable__race_append(name, array ? &view : NULL, view.rank, portable__kind_bytes(a->kind), a->access);
    if (i == 0) *at = number;
  }
}

void portable__fortran_shadow_of(const portable_tile *tile, int32_t number, portable_shadow *shadow_out) {
  const struct portable__race_list *list;
  memset(shadow_out, 0, sizeof *shadow_out);
  if (!portable__race_of(tile, &list) || !list || number < 1 || number > list->count) return;
  add_list(list);
  portable__race_shadow(*portable__race_list_at() + number - 1, shadow_out);
}

void portable__fortran_shadow_of_argument(const portable_tile *tile, const struct portable__fortran_argument *a, portable_shadow *shadow_out) {
  const struct portable__race_list *list;
  portable_array_view view;
  char name[64];
  memset(shadow_out, 0, sizeof *shadow_out);
  if (!portable__race_of(tile, &list)) return;
  add_list(list);
  if (view_of(a, 0, &view, name, sizeof name))
    portable__race_shadow(portable__race_add(name, &view, view.rank, portable__kind_bytes(a->kind), PORTABLE_ACCESS_BOTH), shadow_out);
}

int32_t portable__fortran_shadow_apart(const portable_tile *tile, const int32_t *arrays, int32_t count, const int64_t *elements, int32_t rank) {
  const struct portable__race_list *list;
  struct portable__race_reference references[MOST_REFERENCES];
  if (!portable__race_of(tile, &list) || !list || count < 1 || count > MOST_REFERENCES || rank < 1 || rank > PORTABLE_LOOP_RANK) return 0;
  add_list(list);
  memset(references, 0, sizeof references);
  for (int32_t i = 0; i < count; i++, elements += rank + 1) {
    const int32_t writes = arrays[i] < 0, number = writes ? -arrays[i] : arrays[i];
    if (number < 1 || number > list->count) return 0;
    references[i].array = *portable__race_list_at() + number - 1;
    references[i].writes = writes;
    references[i].first = elements[0];
    for (int32_t d = 0; d < rank; d++) references[i].step[d] = (int64_t)((uint64_t)elements[d + 1] - (uint64_t)elements[0]);
  }
  return portable__race_apart(tile, references, count);
}

void portable__fortran_shadow_read(const portable_shadow *array, int64_t element, int64_t iteration, int64_t line) {
  portable_shadow_read(array, element, iteration, (int32_t)line);
}

void portable__fortran_shadow_write(const portable_shadow *array, int64_t element, int64_t iteration, int64_t line) {
  portable_shadow_write(array, element, iteration, (int32_t)line);
}

void portable__fortran_shadow_read32(const portable_shadow *array, int64_t element, int64_t iteration, int32_t line) {
  portable_shadow_read(array, element, iteration, line);
}

void portable__fortran_shadow_write32(const portable_shadow *array, int64_t element, int64_t iteration, int32_t line) {
  portable_shadow_write(array, element, iteration, line);
}
