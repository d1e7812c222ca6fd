/* stage.c - copies arrays of the host to a CUDA device for one launch, and written ones back; see
 * stage.h. Arrays that share elements share the copy. A written array goes back element by element,
 * not with the gaps between its elements, which other threads may write meanwhile. Main functions:
 * portable__stage_verdict, portable__stage_begin, portable__stage_end. */
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/environment.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/team/team.h"
#include "../device/devices.h"
#include "../device/far_copy.h"
#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "argument.h"

struct portable__stage {
  struct portable__staging plan;
  portable_launch_config config;
  const struct portable__fortran_argument *given;
  struct portable__fortran_argument *args;
  portable_device device;
};

/* ---- arrays in memory ---- */

static int is_array(const struct portable__fortran_argument *a) {
  return (a->form == PORTABLE__VIEW || a->form == PORTABLE__ADDRESS) && a->data;
}

/* Bytes from an element to the next one along each dimension; 0: they are no whole number of elements. */
static int steps_of(const struct portable__fortran_argument *a, int64_t *steps) {
  const int64_t bytes = (int64_t)portable__kind_bytes(a->kind);
  int64_t next = bytes;
  for (int32_t d = 0; d < a->rank; d++) {
    steps[d] = a->extent[d] > 1 && !(a->notes & PORTABLE__DENSE) ? a->next[d] - a->data : next;
    if (steps[d] % bytes != 0) return 0;
    next *= a->extent[d];
  }
  return 1;
}

/* 0: the array has no element. */
static int span_of(const struct portable__fortran_argument *a, struct portable__stage_span *span) {
  int64_t steps[PORTABLE__ARGUMENT_RANKS], first = 0, last = (int64_t)portable__kind_bytes(a->kind), bytes = last;
  steps_of(a, steps);
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->extent[d] < 1) return 0;
    const int64_t far = (a->extent[d] - 1) * steps[d];
    if (far < 0) first += far; else last += far;
    bytes *= a->extent[d];
  }
  span->start = (uintptr_t)(a->data + first);
  span->end = (uintptr_t)(a->data + last);
  span->bytes = (uint64_t)bytes;
  span->written = (a->access & PORTABLE_ACCESS_WRITE) != 0;
  portable__copy_text(span->name, sizeof span->name, a->name, sizeof a->name);
  return 1;
}

/* ---- the verdict ---- */

static int32_t not_reached(const char *label) {
  portable__fallback_because(label, PORTABLE__WHY_REACH);
  return PORTABLE__STAGE_HOST;
}

/* With copies, or on the host: a stream would return before they end; in the other cases the host runs the kernel after all. */
static int32_t with_copies(const char *label, const portable_launch_config *config) {
  const char *mode = portable__getenv("PORTABLE_HOSTMEM");
  if ((mode && !strcmp(mode, "error")) || portable__running_job || portable__queue_inside() || (config && config->stream)) return not_reached(label);
  if (config && config->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed)) return PORTABLE__STAGE_HOST;
  return portable__cuda_compiles() && !(portable__fallback_why(label) & PORTABLE__WHY_CODE) ? PORTABLE__STAGE_COPIES : PORTABLE__STAGE_HOST;
}

int32_t portable__stage_verdict(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                const portable_launch_config *config) {
  int copies = 0;
  int64_t steps[PORTABLE__ARGUMENT_RANKS];
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_argument *a = &args[i];
    if (a->form == PORTABLE__MISSING || a->rank > PORTABLE__ARGUMENT_RANKS) return not_reached(label);
    if (!is_array(a)) continue;
    if (!steps_of(a, steps)) return not_reached(label);
    if (portable__cuda_takes(index, (uintptr_t)a->data)) continue;
    if (portable__cuda_foreign_space((uintptr_t)a->data)) return not_reached(label); /* memory of another device */
    copies = 1;
  }
  return copies ? with_copies(label, config) : PORTABLE__STAGE_NONE;
}

/* ---- copies ---- */

static portable_status copy(struct portable__stage *s, const struct portable__copy *what, int up, int waits) {
  const int32_t there = PORTABLE_SPACE_DEVICE(s->plan.index);
  const struct portable__far far = {.index = s->plan.index, .device = s->device, .from = up ? 0 : there, .to = up ? there : 0};
  char label[PORTABLE__LABEL_MAX + 1];
  snprintf(label, sizeof label, "copy for %.*s", PORTABLE__LABEL_MAX - 9, s->plan.label);
  portable__fallback_hold(1); /* the host has a part in copies with gaps */
  portable_status status = portable__far_copy(what, label, &s->config, &far, waits);
  portable__fallback_hold(0);
  return status;
}

static portable_status up(struct portable__stage *s, const struct portable__stage_part *part) {
  struct portable__copy c = {.to = (char *)s->plan.block + part->at, .from = (const char *)part->start, .bytes = 1, .rank = 1}; // NOLINT(performance-no-int-to-ptr)
  c.axis[0] = (struct portable__copy_axis){(int64_t)part->bytes, 1, 1};
  return copy(s, &c, 1, 0);
}

static portable_status down(struct portable__stage *s, int32_t argument) {
  const struct portable__fortran_argument *a = &s->given[argument];
  struct portable__copy c = {.to = (char *)(uintptr_t)a->data, .from = s->args[argument].data, .bytes = (int64_t)portable__kind_bytes(a->kind), .rank = a->rank};
  int64_t steps[PORTABLE__ARGUMENT_RANKS];
  steps_of(a, steps);
  for (int32_t d = 0; d < a->rank; d++) c.axis[d] = (struct portable__copy_axis){a->extent[d], steps[d], steps[d]};
  return copy(s, &c, 0, 1);
}

/* Gives an argument its place on the device. */
static void move(struct portable__fortran_argument *a, const struct portable__stage *s, const struct portable__stage_span *span) {
  const int64_t by = (int64_t)(s->plan.block + span->at) - (int64_t)span->start;
  a->data += by;
  for (int32_t d = 0; d < a->rank && !(a->notes & PORTABLE__DENSE); d++)
    if (a->extent[d] > 1) a->next[d] += by;
}

static portable_status end(struct portable__stage *s, int32_t ran) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status == PORTABLE_OK) {
    status = portable__stage_go.end(&s->plan, ran);
    portable__cross_out(&crossing);
  }
  free(s);
  return status;
}

static portable_status begin(struct portable__stage *s) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__stage_go.begin(&s->plan);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable__stage_begin(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                      const portable_launch_config *config, struct portable__stage **stage_out,
                                      const struct portable__fortran_argument **args_out) {
  const size_t n = (size_t)count;
  struct portable__stage *s = calloc(1, sizeof *s + n * (sizeof *s->args + sizeof *s->plan.spans + sizeof *s->plan.parts));
  *stage_out = NULL;
  *args_out = args;
  if (!s) return portable__fail(PORTABLE_ERR_NOMEM, "parallel_for of '%s': no memory for a list of %d arrays to copy", label, (int)count);
  s->args = (struct portable__fortran_argument *)(s + 1);
  s->plan.spans = (struct portable__stage_span *)(s->args + n);
  s->plan.parts = (struct portable__stage_part *)(s->plan.spans + n);
  s->plan.index = index;
  s->given = args;
  s->device = portable__cuda_number(index);
  if (config) s->config = *config; else s->config = (portable_launch_config)PORTABLE_LAUNCH_CONFIG_INIT;
  snprintf(s->plan.label, sizeof s->plan.label, "%s", label);
  memcpy(s->args, args, n * sizeof *args);
  for (int32_t i = 0; i < count; i++) {
    struct portable__stage_span *span = &s->plan.spans[s->plan.count];
    if (!is_array(&args[i]) || portable__cuda_takes(index, (uintptr_t)args[i].data)) continue;
    span->argument = i;
    if (span_of(&args[i], span)) s->plan.count++;
    else s->args[i].data = NULL; /* no element, so no kernel reads the address */
  }
  portable_status status = begin(s);
  if (status == PORTABLE_ERR_NOMEM) {
    portable__fallback_because(label, PORTABLE__WHY_MEMORY);
    free(s);
    return PORTABLE_OK;
  }
  if (status != PORTABLE_OK) {
    free(s);
    return status;
  }
  for (int32_t i = 0; i < s->plan.count; i++) move(&s->args[s->plan.spans[i].argument], s, &s->plan.spans[i]);
  for (int32_t i = 0; i < s->plan.part_count && status == PORTABLE_OK; i++) status = up(s, &s->plan.parts[i]);
  if (status != PORTABLE_OK) return portable__stage_end(s, status, 0);
  *stage_out = s;
  *args_out = s->args;
  return PORTABLE_OK;
}

portable_status portable__stage_end(struct portable__stage *s, portable_status launched, int32_t ran) {
  portable_status status = portable_stream_fence(portable_device_stream(s->device)); /* the block is freed after it */
  if (launched == PORTABLE_OK) launched = status;
  for (int32_t i = 0; i < s->plan.count && ran && launched == PORTABLE_OK; i++)
    if (s->plan.spans[i].written) launched = down(s, s->plan.spans[i].argument);
  status = end(s, ran && launched == PORTABLE_OK);
  return launched == PORTABLE_OK ? status : launched;
}
