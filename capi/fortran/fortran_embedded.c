/* fortran_embedded.c - launches of generated code with a device text in the program. The kernel of
 * that text runs on a CUDA device, with copies of arrays that the device cannot access
 * (exec/stage); the launch is waited for, because ordinary Fortran follows. Else the host's kernel
 * runs, counted as a fallback (exec/launch/fallback.c). Not here: records of labels
 * (fortran_kernel.c). */
#include "fortran_block.h"
#include "fortran_results.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "../../exec/device/devices.h"
#include "../../exec/launch/fallback.h"
#include "../../exec/launch/kernel.h"
#include "../../exec/launch/kernel_record.h"
#include "../../exec/launch/reach.h"
#include "../../exec/stage/stage.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/where.h"
#include "../../internal/kernels/reduction/partial.h"

int32_t portable__fortran_on_device(uint64_t stream) {
  if (PORTABLE__LIKELY(!portable__cuda_any()) || portable_races_checked()) return 0;
  return portable__cuda_index(stream ? portable_stream_device(stream) : portable_default_device()) >= 0;
}

int32_t portable__fortran_device_takes(const struct portable__fortran_argument *args, int32_t count) {
  const int32_t index = portable__cuda_index(portable_default_device());
  for (int32_t i = 0; index >= 0 && i < count; i++)
    if (!portable__cuda_takes(index, (uintptr_t)args[i].data)) return 0;
  return index >= 0;
}

int32_t portable__fortran_in_order(const struct portable__fortran_argument *a, const int64_t *order) {
  int64_t next = (int64_t)portable__kind_bytes(a->kind);
  for (int32_t k = 0; k < a->rank; k++) {
    const int64_t d = order[k] - 1, extent = a->extent[d];
    if (extent < 1 || (extent > 1 && !(a->notes & PORTABLE__DENSE) && a->next[d] - a->data != next)) return 0;
    if (a->notes & PORTABLE__DENSE && d != k) return 0;
    next *= extent;
  }
  return a->form == PORTABLE__VIEW;
}

/* Without a running job the launches of a kernel are launches of the program: exchanges it with the caller's. */
void portable__fortran_swap_kernel(const void **job) {
  const void *running = portable__running_job;
  portable__running_job = *job;
  *job = running;
}

/* Bytes of the options of the text: those for arrays in another order, or none. */
static int64_t options_of(const struct portable__stage *stage) { return portable__stage_ordered(stage) ? (int64_t)strlen(PORTABLE__ANY_ORDER_OPTION) : 0; }

struct noted {
  portable_kernel_function kernel;
  void *block;
  _Atomic int32_t on_host; /* 1: the host ran the kernel */
};

/* Replaces the host's kernel where arrays of the launch are current on the device alone: notes that no device ran it. */
static void note_host(const portable_tile *tile, void *args) {
  (void)tile;
  atomic_store_explicit(&((struct noted *)args)->on_host, 1, memory_order_relaxed);
}

static void run_noted(const portable_tile *tile, void *args) {
  struct noted *n = args;
  atomic_store_explicit(&n->on_host, 1, memory_order_relaxed);
  n->kernel(tile, n->block);
}

portable_status portable__fortran_parallel_for_embedded(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                        portable_kernel_function kernel, const void *block, size_t block_bytes,
                                                        const struct portable__fortran_argument *args, int32_t count, const char *text,
                                                        int64_t lines, int64_t line_bytes, const portable_launch_config *config,
                                                        int32_t integer_bytes, int32_t flags) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  const int32_t index = portable__cuda_index(portable__device_of(config));
  const char *known = name[0] ? name : "unlabelled";
  const struct portable__fortran_argument *const listed = args;
  const int32_t verdict = index < 0 || portable_bounds_count(bounds) < 1 ? PORTABLE__STAGE_HOST : portable__stage_verdict(known, args, count, index, config, 0);
  struct portable__stage *stage __attribute__((cleanup(portable__stage_leave))) = NULL;
  if (verdict == PORTABLE__STAGE_COPIES) status = portable__stage_begin(known, listed, count, index, config, 0, &stage, &args);
  if (status != PORTABLE_OK) return status;
  if (verdict == PORTABLE__STAGE_HOST || (verdict == PORTABLE__STAGE_COPIES && !stage)) {
    status = portable__data_host(known, listed, count);
    if (status != PORTABLE_OK) return status;
    return portable__fortran_parallel_for(version, label, label_bytes, bounds, kernel, block, block_bytes, config, integer_bytes, flags);
  }
  struct noted noted = {.kernel = kernel, .block = (void *)(uintptr_t)block};
  struct portable__host_version host = {.function = kernel, .context = block, .context_bytes = block_bytes, .integer_bytes = integer_bytes, .flags = flags, .copies = stage != NULL};
  const struct portable__fortran_code code = {.lines = lines, .line_bytes = line_bytes, .entry_bytes = (int64_t)strlen("portable_nest"),
                                              .options_bytes = options_of(stage)};
  const int32_t present = stage && portable__stage_present(stage);
  if (stage) host.function = present ? note_host : run_noted, host.context = &noted, host.context_bytes = 0;
  if (present) portable__fallback_hold(1); /* the launch below is the one that counts */
  status = portable__launch_embedded(name, bounds, args, count, text, &code, config, &host);
  if (present) portable__fallback_hold(0);
  if (stage) {
    const int32_t on_host = atomic_load(&noted.on_host);
    status = portable__stage_end(&stage, status, on_host ? PORTABLE__STAGE_COPIED : PORTABLE__STAGE_RAN);
    if (status == PORTABLE_OK && on_host && present) status = portable__data_host(known, listed, count);
    if (status != PORTABLE_OK || !on_host || !present) return status;
    return portable__fortran_parallel_for(version, label, label_bytes, bounds, kernel, block, block_bytes, config, integer_bytes, flags);
  }
  if (status != PORTABLE_OK || (config && config->stream)) return status;
  return portable_stream_fence(portable_device_stream(portable__device_of(config)));
}

/* Replaces the host's kernel of a reduction: notes that no device did it. */
static void not_here(const portable_tile *tile, void *args, void *const *partial) {
  (void)tile;
  (void)partial;
  atomic_store_explicit(*(_Atomic int32_t **)args, 1, memory_order_relaxed);
}

/* A result that begins with a NaN or -0.0, which the device's identities do not keep as the host's do. */
static int odd_begin(const struct portable__fortran_result *r) {
  if (!r->into || (r->operation != PORTABLE_REDUCE_SUM && r->operation != PORTABLE_REDUCE_MIN && r->operation != PORTABLE_REDUCE_MAX)) return 0;
  double value = 0;
  if (r->kind == PORTABLE_KIND_REAL32) value = (double)*(const float *)r->to;
  if (r->kind == PORTABLE_KIND_REAL64) value = *(const double *)r->to;
  return isnan(value) || (value == 0 && signbit(value));
}

/* The kernel's last result, which begins with nothing, says that a minimum or maximum met such a value. */
static int may_be_odd(const struct portable__fortran_result *results, int32_t count) {
  return !results[count - 1].into && results[count - 1].operation == PORTABLE_REDUCE_ANY;
}

static int odd_end(const struct portable__fortran_result *results, int32_t count) {
  const struct portable__fortran_result *r = &results[count - 1];
  if (!may_be_odd(results, count)) return 0;
  for (size_t i = 0; i < portable__kind_bytes(r->kind); i++)
    if (((const char *)r->to)[i]) return 1;
  return 0;
}

portable_status portable__fortran_parallel_reduce_embedded(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                           const struct portable__fortran_result *results, int32_t result_count,
                                                           const struct portable__fortran_argument *args, int32_t count, const char *text,
                                                           int64_t lines, int64_t line_bytes, const portable_launch_config *config,
                                                           int32_t integer_bytes, int32_t flags, int32_t *ran_out) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_reduction list[PORTABLE_REDUCTIONS_MOST];
  struct portable__held held[PORTABLE_REDUCTIONS_MOST];
  _Atomic int32_t on_host = 0;
  _Atomic int32_t *const noted = &on_host;
  *ran_out = 0;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  const int32_t index = portable__cuda_index(portable__device_of(config));
  const char *known = name[0] ? name : "unlabelled";
  if (index < 0) return portable__data_host(known, args, count);
  const struct portable__fortran_argument *const listed = args;
  int odd = 0;
  for (int32_t i = 0; i < result_count; i++) odd |= odd_begin(&results[i]);
  const int32_t keep = may_be_odd(results, result_count);
  const int32_t verdict =
      odd || portable_bounds_count(bounds) < 1 ? PORTABLE__STAGE_HOST : portable__stage_verdict(known, args, count, index, config, keep);
  struct portable__stage *stage __attribute__((cleanup(portable__stage_leave))) = NULL;
  if (verdict == PORTABLE__STAGE_HOST) {
    if (odd) portable__fallback_because(known, PORTABLE__WHY_ORDER);
    return portable__data_host(known, listed, count);
  }
  status = portable__results_begin(known, bounds, results, result_count, list, held);
  if (status == PORTABLE_OK && verdict == PORTABLE__STAGE_COPIES) {
    status = portable__stage_begin(known, listed, count, index, config, keep, &stage, &args);
    if (status == PORTABLE_OK && !stage) return portable__data_host(known, listed, count);
  }
  if (status != PORTABLE_OK) return status;
  const struct portable__host_version host = {.reduce = not_here, .context = &noted, .context_bytes = sizeof noted, .results = list,
                                              .result_count = (size_t)result_count, .integer_bytes = integer_bytes, .flags = flags,
                                              .copies = stage != NULL};
  const struct portable__fortran_code code = {.lines = lines, .line_bytes = line_bytes, .entry_bytes = (int64_t)strlen("portable_nest"),
                                              .options_bytes = options_of(stage)};
  portable__fallback_hold(1); /* the caller's own launch is the one that counts */
  status = portable__launch_embedded(name, bounds, args, count, text, &code, config, &host);
  portable__fallback_hold(0);
  const int32_t ran = status == PORTABLE_OK && !atomic_load(&on_host);
  if (ran) portable__results_end(results, result_count, held);
  odd = ran && odd_end(results, result_count);
  if (stage) status = portable__stage_end(&stage, status, !ran ? PORTABLE__STAGE_COPIED : odd ? PORTABLE__STAGE_DISCARDED : PORTABLE__STAGE_RAN);
  if (status != PORTABLE_OK) return status;
  if (odd) portable__fallback_because(known, PORTABLE__WHY_ORDER);
  if (!ran || odd) return portable__data_host(known, listed, count);
  *ran_out = 1;
  return PORTABLE_OK;
}

/* ---- data regions (exec/stage) ---- */

int32_t portable__fortran_data_open(void) { return portable__data_open(); }

portable_status portable__fortran_data(int32_t version, int32_t what, const char *label, size_t label_bytes, const struct portable__fortran_argument *a,
                                       int32_t clause) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  return portable__data(what, name, a, clause);
}
