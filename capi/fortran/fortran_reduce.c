/* fortran_reduce.c - what portable_core_mod calls for reductions. In C because a launch is.
 *
 * A Fortran kernel takes its tile and one variable or array by reference, which is to C what it is with bind(c). Results of one
 * kind lie one behind the other in the partial results (exec/algorithm/reduce.c), so the first one's address is an array's. A value with its
 * place is to reduce.c a value of the user's, which is combined here: Fortran's places are indices, one for each dimension. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../exec/algorithm/reduce.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../exec/launch/kernel.h"

typedef void (*fortran_kernel)(const portable_tile *tile, void *results);
typedef void (*fortran_place_kernel)(const portable_tile *tile, void *value, void *place);
typedef void (*fortran_combine)(void *into, const void *from);

#define AT 8 /* where in a value with its place the indices begin */
#define PLACE_MOST (AT + 8 * PORTABLE_LOOP_RANK)

/* ---- plain kernels, and the user's operation ---- */

struct call { void (*kernel)(void), (*combine)(void); };

static void run(const portable_tile *tile, void *args, void *const *partial) {
  ((fortran_kernel)((const struct call *)args)->kernel)(tile, partial[0]);
}

static void combine_users(void *into, const void *from, void *context) {
  ((fortran_combine)((const struct call *)context)->combine)(into, from);
}

/* ---- places ---- */

struct place {
  char none[PLACE_MOST]; /* the value that no iteration has bettered, one below the lower bounds */
  char held[PLACE_MOST]; /* what the results hold, then the result */
  int32_t kind, rank, bytes, most;
};

static void run_place(const portable_tile *tile, void *args, void *const *partial) {
  ((fortran_place_kernel)((const struct call *)args)->kernel)(tile, partial[0], (char *)partial[0] + AT);
}

/* 1: a is better than b; 2: they are equal. A NaN is worse than all else, and comparing it must not trap. */
#define BETTER(type, unordered, is_nan) { \
    type x, y; \
    memcpy(&x, a, sizeof x); \
    memcpy(&y, b, sizeof y); \
    if (unordered(x, y)) return is_nan(y) && !is_nan(x); \
    return x == y ? 2 : most ? x > y : x < y; \
  }
#define NEVER(...) 0
static int better(int32_t kind, int most, const char *a, const char *b) {
  switch (kind) {
  case PORTABLE_KIND_INT32: BETTER(int32_t, NEVER, NEVER)
  case PORTABLE_KIND_INT64: BETTER(int64_t, NEVER, NEVER)
  case PORTABLE_KIND_REAL32: BETTER(float, isunordered, isnan)
  default: BETTER(double, isunordered, isnan)
  }
}

static int64_t index_of(const struct place *p, const char *value, int32_t d) {
  int32_t i32;
  int64_t i64;
  memcpy(&i32, value + AT + 4 * d, sizeof i32);
  if (p->bytes == 4) return i32;
  memcpy(&i64, value + AT + 8 * d, sizeof i64);
  return i64;
}

static int has_place(const struct place *p, const char *value) {
  return memcmp(value + AT, p->none + AT, (size_t)p->rank * (size_t)p->bytes) != 0;
}

/* In the order of array elements. */
static int before(const struct place *p, const char *a, const char *b) {
  for (int32_t d = p->rank - 1; d >= 0; d--) {
    int64_t i = index_of(p, a, d), j = index_of(p, b, d);
    if (i != j) return i < j;
  }
  return 0;
}

static void combine_places(void *into, const void *from, void *context) {
  const struct place *p = context;
  int is = better(p->kind, p->most, from, into);
  /* Whatever the results held came before the first iteration. */
  if (is == 2) is = has_place(p, from) && (!has_place(p, into) || (into != p->held && before(p, from, into)));
  if (is) memcpy(into, from, AT + (size_t)p->rank * (size_t)p->bytes);
}

static portable_status place_begins(const char *label, const portable_bounds *bounds, const struct portable__fortran_reduction *what,
                                    struct place *p) {
  struct portable__partial extreme;
  memset(p, 0, sizeof *p);
  p->kind = what->kind;
  p->bytes = what->place_bytes;
  p->rank = what->place_count < PORTABLE_LOOP_RANK ? what->place_count : PORTABLE_LOOP_RANK;
  p->most = what->operation[0] == PORTABLE_REDUCE_MAXLOC;
  portable__partial_find(p->most ? PORTABLE_REDUCE_MAX : PORTABLE_REDUCE_MIN, what->kind, 0, &extreme);
  memcpy(p->none, portable_bounds_count(bounds) == 0 ? extreme.empty : extreme.identity, extreme.bytes);
  for (int32_t d = 0; d < p->rank; d++) {
    int64_t below = bounds->lower[d];
    if (p->bytes == 4 ? below <= INT32_MIN || bounds->upper[d] > INT32_MAX || below > INT32_MAX : below == INT64_MIN)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "parallel_reduce '%s': the indices of dimension %d (%" PRId64 ":%" PRId64 ", and one below them) "
                            "do not fit the integers of place, of %d bytes", label, (int)d + 1, bounds->lower[d], bounds->upper[d], (int)p->bytes);
    below--;
    int32_t narrow = (int32_t)below;
    memcpy(p->none + AT + p->bytes * d, p->bytes == 4 ? (const void *)&narrow : (const void *)&below, (size_t)p->bytes);
  }
  memcpy(p->held, what->results, extreme.bytes);
  memcpy(p->held + AT, what->place, (size_t)p->rank * (size_t)p->bytes);
  return PORTABLE_OK;
}

/* ---- launches ---- */

portable_status portable__fortran_parallel_reduce_user(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                       void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                       int32_t integer_bytes, int32_t wide, const struct portable__fortran_reduction *what,
                                                       void (*combine)(void), void (*const *held_combine)(void)) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_reduction list[PORTABLE_REDUCTIONS_MOST];
  struct place place;
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
    if ((status = place_begins(shown, bounds, what, &place)) != PORTABLE_OK) return status;
    list[0].operation = PORTABLE_REDUCE_USER;
    list[0].to = place.held;
    list[0].bytes = AT + (size_t)place.rank * (size_t)place.bytes;
    list[0].identity = place.none;
    list[0].combine = combine_places;
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
    memcpy(what->place, place.held + AT, (size_t)place.rank * (size_t)place.bytes);
  }
  return status;
}

portable_status portable__fortran_parallel_reduce(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                  void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                  int32_t integer_bytes, int32_t wide, const struct portable__fortran_reduction *what) {
  return portable__fortran_parallel_reduce_user(version, label, label_bytes, bounds, kernel, held, config, integer_bytes, wide, what, NULL, NULL);
}
