/* fortran_reduce.c - what portable_core_mod calls for reductions. In C because a launch is.
 *
 * A Fortran kernel takes its tile and one variable or array by reference, which is to C what it is with bind(c). Results of one
 * kind lie one behind the other in the partial results (capi/reduce.c), so the first one's address is an array's. */
#include <string.h>

#include "edge.h"

typedef void (*fortran_kernel)(const portable_tile *tile, void *results);

struct call {
  fortran_kernel kernel;
  int32_t kind;
  int32_t count;
};

static void run(const portable_tile *tile, void *args, void *const *partial) {
  ((const struct call *)args)->kernel(tile, partial[0]);
}

/* Exactly, though the kernel adds to an ordinary variable: with one iteration at a time, which adds its term to 0. */
static void run_singly(const portable_tile *tile, void *args, void *const *partial) {
  const struct call *c = args;
  struct portable__job *job = tile->launch;
  union { double real64[PORTABLE_EXACT_MOST]; float real32[PORTABLE_EXACT_MOST]; } terms;
  portable_tile one = *tile;
  memcpy(one.upper, one.lower, sizeof one.upper);
  while (!portable__job_failed(job)) {
    if (job->integer_bytes) portable__tile_integers(&one, job->integer_bytes);
    memset(&terms, 0, sizeof terms);
    c->kernel(&one, &terms);
    for (int32_t i = 0; i < c->count; i++)
      portable_exact_add(partial[i], c->kind == PORTABLE_KIND_REAL32 ? (double)terms.real32[i] : terms.real64[i]);
    int32_t d = 0;
    for (; d < tile->rank; d++) {
      if (tile->upper[d] - one.lower[d] >= tile->stride[d]) {
        one.upper[d] = one.lower[d] += tile->stride[d];
        break;
      }
      one.upper[d] = one.lower[d] = tile->lower[d];
    }
    if (d == tile->rank) return;
  }
}

portable_status portable__fortran_parallel_reduce(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                  void (*kernel)(void), void (*const *held)(void), const portable_launch_config *config,
                                                  int32_t integer_bytes, int32_t wide, int32_t kind, int32_t count,
                                                  const int32_t *operations, int32_t flags, void *results) {
  char name[256];
  portable_reduction list[PORTABLE_REDUCTIONS_MOST];
  size_t bytes = kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : kind == PORTABLE_KIND_INT64 || kind == PORTABLE_KIND_REAL64 ? 8 : 4;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  struct call call = {(fortran_kernel)(held ? *held : kernel), kind, count};
  for (int32_t i = 0; i < count && i < PORTABLE_REDUCTIONS_MOST; i++) {
    portable_reduction r = PORTABLE_REDUCTION(operations[i], kind, (char *)results + (size_t)i * bytes);
    r.flags = (uint32_t)flags;
    list[i] = r;
  }
  int singly = (flags & PORTABLE_REDUCE_EXACT) && kind != PORTABLE_KIND_EXACT;
  return portable__reduce(name[0] ? name : NULL, bounds, singly ? run_singly : run, &call, sizeof call, list, (size_t)count, config,
                          integer_bytes, wide);
}
