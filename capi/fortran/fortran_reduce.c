/* fortran_reduce.c - reductions of portable_core_mod. A Fortran kernel takes its tile and one
 * variable or array by reference, as with bind(c). Results of one kind are contiguous in the
 * partial results (exec/algorithm/reduce.c), so the address of the first is an array's. A value
 * with its place is a value of the user for reduce.c, and is combined here: places of Fortran are
 * indices, one for each dimension. */
#include <string.h>

#include "fortran_results.h"

#include "../../exec/algorithm/reduce.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../exec/launch/kernel.h"

typedef void (*fortran_kernel)(const portable_tile *tile, void *results);
typedef void (*fortran_place_kernel)(const portable_tile *tile, void *value, void *place);
typedef void (*fortran_combine)(void *into, const void *from);

/* ---- plain kernels, and the user's operation ---- */

struct call { void (*kernel)(void), (*combine)(void); };

static void run(const portable_tile *tile, void *args, void *const *partial) {
  ((fortran_kernel)((const struct call *)args)->kernel)(tile, partial[0]);
}

static void combine_users(void *into, const void *from, void *context) {
  ((fortran_combine)((const struct call *)context)->combine)(into, from);
}

/* ---- places ---- */

static void run_place(const portable_tile *tile, void *args, void *const *partial) {
  ((fortran_place_kernel)((const struct call *)args)->kernel)(tile, partial[0], (char *)partial[0] + PORTABLE__PLACE_AT);
}

/* ---- launches ---- */

portable_status portable__fortran_parallel_reduce_user(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                       void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                       int32_t integer_bytes, int32_t wide, const struct portable__fortran_reduction *what,
                                                       void (*combine)(void), void (*const *held_combine)(void)) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_reduction list[PORTABLE_REDUCTIONS_MOST];
  struct portable__place place;
  const int32_t op = what->operation[0], places = op == PORTABLE_REDUCE_MINLOC || op == PORTABLE_REDUCE_MAXLOC;
  const size_t bytes = what->kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : portable__kind_bytes(what->kind);
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  const char *shown = name[0] ? name : "unlabelled";
  struct call call = {held ? *held : kernel, held_combine ? *held_combine : combine};
  for (int32_t i = 0; i < what->count && i < PORTABLE_REDUCTIONS_MOST; i++) {
    portable_reduction r = PORTABLE_REDUCTION(what->operation[i], what->kind, NULL);
    if (what->flags & PORTABLE_REDUCE_WIDE && r.operation != PORTABLE_REDUCE_SUM && r.operation != PORTABLE_REDUCE_PRODUCT)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': result %d: in_double is for sums and products; a %s is the same without it",
                            shown, (int)i + 1, portable__operation_name(r.operation));
    if (what->results) r.to = (char *)what->results + (size_t)i * bytes;
    r.flags = (uint32_t)what->flags;
    r.liveout = what->liveout;
    list[i] = r;
  }
  if (!what->results && !what->liveout && op != PORTABLE_REDUCE_USER)
    return portable__fail(PORTABLE_ERR_HANDLE, "parallel_reduce '%s': the live-out was not created, or it was destroyed; portable_liveout_create "
                          "makes it", shown);
  if (op == PORTABLE_REDUCE_USER) {
    if (!what->results) return portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': result is the address of nothing; give c_loc of a variable", shown);
    list[0].bytes = what->bytes < 0 ? 0 : (size_t)what->bytes;
    list[0].identity = what->identity;
    list[0].combine = combine_users;
    list[0].context = &call;
  } else if (places) {
    const struct portable__place_of of = {what->results, what->place, what->kind, op == PORTABLE_REDUCE_MAXLOC, what->place_bytes, what->place_count};
    if ((status = portable__place_begin(shown, bounds, &of, &place)) != PORTABLE_OK) return status;
    list[0].operation = PORTABLE_REDUCE_USER;
    list[0].to = place.held;
    list[0].bytes = PORTABLE__PLACE_AT + (size_t)place.rank * (size_t)place.bytes;
    list[0].identity = place.none;
    list[0].combine = portable__place_combine;
    list[0].context = &place;
  }
  if (list[0].operation == PORTABLE_REDUCE_USER) list[0].kind = 0;
  const struct portable__host_version host = {.reduce = places ? run_place : run, .context = &call, .context_bytes = sizeof call, .results = list,
                                              .result_count = list[0].kind == 0 ? 1 : (size_t)what->count, .integer_bytes = integer_bytes, .flags = wide};
  if (what->listed && PORTABLE__UNLIKELY(portable__arguments_count(config)))
    status = portable__launch_arguments(name, bounds, what->args, what->listed - 1, config, &host);
  else
    status = portable__reduce(name[0] ? name : NULL, bounds, host.reduce, &call, sizeof call, list, host.result_count, config, integer_bytes, wide);
  if (places && status == PORTABLE_OK) {
    memcpy(what->results, place.held, bytes);
    memcpy(what->place, place.held + PORTABLE__PLACE_AT, (size_t)place.rank * (size_t)place.bytes);
  }
  return status;
}

portable_status portable__fortran_parallel_reduce(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                  void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                  int32_t integer_bytes, int32_t wide, const struct portable__fortran_reduction *what) {
  return portable__fortran_parallel_reduce_user(version, label, label_bytes, bounds, kernel, held, config, integer_bytes, wide, what, NULL, NULL);
}
