/* stage.c - copies arrays of the host to a CUDA device for one launch, and changes back; see
 * stage.h. Arrays that share elements share the copy. Only elements that the kernel changed are
 * written: the memory may be constant, or other threads write the others. Pages are tested first: a
 * kernel may leave an array unused that is nowhere. Data regions keep copies (exec/present plans
 * them). Lock: one launch with copies, or one statement of a region, at a time, else atomic updates
 * of two would be lost. */
#define _GNU_SOURCE
#include "stage.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/environment.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/observe/watch.h"
#include "../../internal/team/place.h"
#include "../../internal/team/team.h"
#include "../device/devices.h"
#include "../device/far_copy.h"
#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "argument.h"
#include "order.h"

#define PIECE (UINT64_C(64) << 20) /* bytes that come back at a time */
#define PROBES 1024 /* pages of a system call; IOV_MAX is not less */

struct portable__stage {
  struct portable__staging plan;
  portable_launch_config config;
  struct portable__fortran_argument *args;
  const struct portable__fortran_argument *given; /* of the caller */
  char *before, *after; /* what the device got of parts that are written or in another order, one behind the other; a piece that comes back */
  portable_device device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int32_t entries; /* arrays of data regions; under the lock */
static _Atomic int32_t regions;

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
  int64_t steps[PORTABLE__ARGUMENT_RANKS], first = 0, last = (int64_t)portable__kind_bytes(a->kind);
  steps_of(a, steps);
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->extent[d] < 1) return 0;
    const int64_t far = (a->extent[d] - 1) * steps[d];
    if (far < 0) first += far; else last += far;
  }
  span->start = (uintptr_t)(a->data + first);
  span->end = (uintptr_t)(a->data + last);
  span->unit = portable__kind_bytes(a->kind);
  span->written = (a->access & PORTABLE_ACCESS_WRITE) != 0;
  span->read = (a->access & PORTABLE_ACCESS_READ) != 0;
  span->rank = a->rank;
  span->order = portable__stage_order_of(a, steps);
  portable__copy_text(span->name, sizeof span->name, a->name, sizeof a->name);
  return 1;
}

/* ---- the verdict ---- */

static int32_t not_reached(const char *label) {
  portable__fallback_because(label, PORTABLE__WHY_REACH);
  return PORTABLE__STAGE_HOST;
}

static int errors_asked(void) {
  const char *mode = portable__getenv("PORTABLE_HOSTMEM");
  return mode && !strcmp(mode, "error");
}

/* With copies, or on the host: a stream would return before they end, and sums of blocks would be taken before changes are back. */
static int32_t with_copies(const char *label, int32_t index, const portable_launch_config *config) {
  if (errors_asked() || portable__running_job || portable__queue_inside() || (config && config->stream) ||
      portable__watched_by() >> PORTABLE__HASH & 1)
    return not_reached(label);
  if (config && config->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed)) return PORTABLE__STAGE_HOST;
  return portable__cuda_compiles(index) && !(portable__fallback_why(label) & PORTABLE__WHY_CODE) ? PORTABLE__STAGE_COPIES : PORTABLE__STAGE_HOST;
}

int32_t portable__stage_verdict(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                const portable_launch_config *config, int32_t keep) {
  int copies = 0;
  int64_t steps[PORTABLE__ARGUMENT_RANKS];
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_argument *a = &args[i];
    if (a->form == PORTABLE__MISSING || a->rank > PORTABLE__ARGUMENT_RANKS) return not_reached(label);
    if (!is_array(a)) continue;
    if (!steps_of(a, steps)) return not_reached(label);
    const int takes = portable__cuda_takes(index, (uintptr_t)a->data);
    if (takes && !(keep && a->access & PORTABLE_ACCESS_WRITE)) continue;
    if (takes ? !portable__host_reaches((uintptr_t)a->data) : portable__cuda_foreign_space((uintptr_t)a->data)) return not_reached(label); /* memory of a device */
    copies = 1;
  }
  return copies ? with_copies(label, index, config) : PORTABLE__STAGE_NONE;
}

/* ---- memory of the host ---- */

/* 1: every page can be read. Without that system call it is assumed. */
static int readable(uintptr_t start, uint64_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), end = start + bytes;
  struct iovec remote[PROBES], local;
  char taken[PROBES];
  for (uintptr_t at = start; at < end;) {
    unsigned long n = 0;
    for (; n < PROBES && at < end; n++, at = (at / page + 1) * page) remote[n] = (struct iovec){(void *)at, 1}; // NOLINT(performance-no-int-to-ptr)
    local = (struct iovec){taken, n};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, remote, n, 0);
    if (got >= 0 ? (unsigned long)got < n : errno == EFAULT) return 0;
    if (got < 0) return 1;
  }
  return 1;
}

#define PATCH(T)                                                                                       \
  for (uint64_t i = 0; i < bytes / sizeof(T); i++) {                                                    \
    T x, y;                                                                                            \
    memcpy(&x, after + i * sizeof x, sizeof x);                                                        \
    memcpy(&y, before + i * sizeof y, sizeof y);                                                       \
    if (x != y) memcpy(to + i * sizeof x, &x, sizeof x);                                               \
  }                                                                                                    \
  break;

/* Writes the units that differ. */
static void patch(char *to, const char *before, const char *after, uint64_t bytes, uint64_t unit) {
  switch (unit) {
  case 8: PATCH(uint64_t)
  case 4: PATCH(uint32_t)
  case 2: PATCH(uint16_t)
  default: PATCH(uint8_t)
  }
}

/* ---- copies ---- */

/* Without gaps, so that the driver does it. */
static portable_status copy(struct portable__stage *s, const struct portable__stage_part *part, uint64_t from, char *host, uint64_t bytes, int up) {
  const int32_t there = PORTABLE_SPACE_DEVICE(part->index);
  const struct portable__far far = {.index = part->index, .device = portable__cuda_number(part->index), .from = up ? 0 : there, .to = up ? there : 0};
  char *on_device = (char *)part->there + from; // NOLINT(performance-no-int-to-ptr)
  struct portable__copy c = {.to = up ? on_device : host, .from = up ? host : on_device, .bytes = 1, .rank = 1};
  char label[PORTABLE__LABEL_MAX + 1];
  c.axis[0] = (struct portable__copy_axis){(int64_t)bytes, 1, 1};
  snprintf(label, sizeof label, "copy for %.*s", PORTABLE__LABEL_MAX - 9, s->plan.label);
  return portable__far_copy(&c, label, &s->config, &far, !up);
}

/* To the host. before: the elements that the device got; NULL: what the host has. */
static portable_status back(struct portable__stage *s, const struct portable__stage_part *part, const char *before) {
  portable_status status = PORTABLE_OK;
  for (uint64_t from = 0; from < part->bytes && status == PORTABLE_OK; from += PIECE) {
    const uint64_t bytes = part->bytes - from < PIECE ? part->bytes - from : PIECE;
    char *to = (char *)part->start + from; // NOLINT(performance-no-int-to-ptr)
    status = copy(s, part, from, s->after, bytes, 0);
    if (status != PORTABLE_OK) break;
    if (part->ordered) {
      const struct portable__stage_span *span = &s->plan.spans[part->ordered - 1];
      portable__stage_patch(&s->given[span->argument], span, before + from, s->after, from, bytes, part->unit);
    } else {
      patch(to, before ? before + from : to, s->after, bytes, part->unit);
    }
    if (part->before) memcpy((char *)part->before + from, s->after, bytes); // NOLINT(performance-no-int-to-ptr)
  }
  return status;
}

static portable_status up(struct portable__stage *s) {
  portable_status status = PORTABLE_OK;
  char *before = s->before;
  for (int32_t i = 0; i < s->plan.part_count && status == PORTABLE_OK; i++) {
    const struct portable__stage_part *part = &s->plan.parts[i];
    char *from = (char *)part->start; // NOLINT(performance-no-int-to-ptr)
    if (part->fetch) {
      status = back(s, part, (const char *)part->before); // NOLINT(performance-no-int-to-ptr)
      continue;
    }
    if (part->ordered) {
      const struct portable__stage_span *span = &s->plan.spans[part->ordered - 1];
      portable__stage_permute(&s->given[span->argument], span, before);
      from = before;
    } else if (part->unit) {
      from = memcpy(before, from, part->bytes);
    }
    if (from == before) before += part->bytes;
    if (part->before) from = memcpy((char *)part->before, from, part->bytes); // NOLINT(performance-no-int-to-ptr)
    status = copy(s, part, 0, from, part->bytes, 1);
  }
  return status;
}

static portable_status down(struct portable__stage *s) {
  portable_status status = PORTABLE_OK;
  const char *before = s->before;
  for (int32_t i = 0; i < s->plan.part_count && status == PORTABLE_OK; i++) {
    const struct portable__stage_part *part = &s->plan.parts[i];
    if (part->fetch) continue;
    if (part->unit) status = back(s, part, before);
    if (part->unit || part->ordered) before += part->bytes;
  }
  return status;
}

/* Gives an argument its place on the device. */
static void move(struct portable__fortran_argument *a, const struct portable__stage_span *span) {
  if (span->ordered) {
    portable__stage_move(a, span, span->there);
    return;
  }
  const int64_t by = (int64_t)span->there - (int64_t)span->start;
  a->data += by;
  for (int32_t d = 0; d < a->rank && !(a->notes & PORTABLE__DENSE); d++)
    if (a->extent[d] > 1) a->next[d] += by;
}

/* ---- a plan ---- */

/* Takes the lock, which release unlocks. NULL, without the lock: no memory. */
static struct portable__stage *made(int32_t what, const char *label, int32_t count, int32_t index, const portable_launch_config *config) {
  pthread_mutex_lock(&lock);
  const size_t n = (size_t)count, most = n + (size_t)entries;
  struct portable__stage *s = calloc(1, sizeof *s + n * (sizeof *s->args + sizeof *s->plan.spans) + most * sizeof *s->plan.parts);
  if (!s) {
    pthread_mutex_unlock(&lock);
    portable__fail(PORTABLE_ERR_NOMEM, "copies for '%s': no memory for a list of %d arrays", label, (int)most);
    return NULL;
  }
  s->args = (struct portable__fortran_argument *)(s + 1);
  s->plan.spans = (struct portable__stage_span *)(s->args + n);
  s->plan.parts = (struct portable__stage_part *)(s->plan.spans + n);
  s->plan.what = what;
  s->plan.index = index;
  s->plan.thread = (uint64_t)pthread_self();
  s->plan.device = s->device = portable__cuda_number(index);
  if (config) s->config = *config; else s->config = (portable_launch_config)PORTABLE_LAUNCH_CONFIG_INIT;
  snprintf(s->plan.label, sizeof s->plan.label, "%s", label);
  return s;
}

static portable_status release(struct portable__stage *s, int32_t outcome) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status == PORTABLE_OK) {
    status = portable__stage_go.end(&s->plan, outcome);
    portable__cross_out(&crossing);
    entries = s->plan.entries;
    atomic_store_explicit(&regions, s->plan.regions, memory_order_relaxed);
  }
  pthread_mutex_unlock(&lock);
  free(s->before);
  free(s->after);
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

/* 0: the copies cannot be made; the reason is noted. */
static int prepared(struct portable__stage *s) {
  uint64_t written = 0, piece = 0;
  for (int32_t i = 0; i < s->plan.part_count; i++) {
    const struct portable__stage_part *part = &s->plan.parts[i];
    if (!portable__cuda_space_of(part->start) && !readable(part->start, part->bytes)) return not_reached(s->plan.label), 0;
    if ((part->unit || part->ordered) && !part->fetch) written += part->bytes;
    if (!part->unit) continue;
    if (part->bytes > piece) piece = part->bytes < PIECE ? part->bytes : PIECE;
  }
  if ((!written || (s->before = malloc(written))) && (!piece || (s->after = malloc(piece)))) return 1;
  portable__fallback_because(s->plan.label, PORTABLE__WHY_MEMORY);
  return 0;
}

/* ---- a launch ---- */

/* 1: an array that the device can access shares elements with one that is written. If that may be discarded, both get a copy, and it is one. */
static int discarded(const struct portable__fortran_argument *args, int32_t count, int32_t at) {
  struct portable__stage_span own, other;
  if (!span_of(&args[at], &own)) return 0;
  for (int32_t i = 0; i < count; i++) {
    if (!is_array(&args[i]) || !(args[i].access & PORTABLE_ACCESS_WRITE) || !span_of(&args[i], &other)) continue;
    if (own.start < other.end && other.start < own.end) return 1;
  }
  return 0;
}

portable_status portable__stage_begin(const char *label, const struct portable__fortran_argument *args, int32_t count, int32_t index,
                                      const portable_launch_config *config, int32_t keep, struct portable__stage **stage_out,
                                      const struct portable__fortran_argument **args_out) {
  portable_status status = keep ? portable_stream_fence(portable_device_stream(portable__cuda_number(index))) : PORTABLE_OK; /* of kernels that write the arrays */
  if (status != PORTABLE_OK) return status;
  struct portable__stage *s = made(PORTABLE__STAGE_LAUNCH, label, count, index, config);
  if (!s) return PORTABLE_ERR_NOMEM;
  s->plan.keep = keep;
  s->given = args;
  memcpy(s->args, args, (size_t)count * sizeof *args);
  for (int32_t i = 0; i < count; i++) {
    struct portable__stage_span *span = &s->plan.spans[s->plan.count];
    if (!is_array(&args[i]) || (portable__cuda_takes(index, (uintptr_t)args[i].data) && !(keep && discarded(args, count, i)))) continue;
    span->argument = i;
    if (span_of(&args[i], span)) s->plan.count++;
    else s->args[i].data = NULL; /* no element, so no kernel reads the address */
  }
  status = begin(s);
  if (status != PORTABLE_OK) {
    if (status == PORTABLE_ERR_NOMEM) portable__fallback_because(label, PORTABLE__WHY_MEMORY);
    release(s, PORTABLE__STAGE_NOTHING);
    return status == PORTABLE_ERR_NOMEM ? PORTABLE_OK : status;
  }
  if (!prepared(s)) return release(s, PORTABLE__STAGE_NOTHING);
  for (int32_t i = 0; i < s->plan.count; i++) move(&s->args[s->plan.spans[i].argument], &s->plan.spans[i]);
  *stage_out = s;
  if ((status = up(s)) != PORTABLE_OK) return portable__stage_end(stage_out, status, PORTABLE__STAGE_NOTHING);
  *args_out = s->args;
  return PORTABLE_OK;
}

int32_t portable__stage_ordered(const struct portable__stage *s) {
  for (int32_t i = 0; s && i < s->plan.count; i++)
    if (s->plan.spans[i].ordered) return 1;
  return 0;
}

int32_t portable__stage_present(const struct portable__stage *stage) { return stage->plan.present > 0; }

portable_status portable__stage_end(struct portable__stage **stage, portable_status launched, int32_t outcome) {
  struct portable__stage *s = *stage;
  *stage = NULL;
  portable_status status = portable_stream_fence(portable_device_stream(s->device)); /* the block is freed after it */
  if (launched == PORTABLE_OK) launched = status;
  if (outcome == PORTABLE__STAGE_RAN && launched == PORTABLE_OK) launched = down(s);
  status = release(s, launched == PORTABLE_OK ? outcome : PORTABLE__STAGE_NOTHING);
  return launched == PORTABLE_OK ? status : launched;
}

void portable__stage_leave(struct portable__stage **stage) {
  if (*stage) portable__stage_end(stage, PORTABLE_ERR_KERNEL, PORTABLE__STAGE_NOTHING);
}

/* ---- data regions ---- */

/* Each thread of a region of OpenMP may have its part of an array: on copies of the whole, one would undo what another does. */
static int may_begin(void) { return !portable__running_job && portable__cuda_any() && !errors_asked() && !portable__place_in_openmp(); }

int32_t portable__data_open(void) { return atomic_load_explicit(&regions, memory_order_relaxed) > 0 && !portable__running_job; }

portable_status portable__data(int32_t what, const char *label, const struct portable__fortran_argument *a, int32_t clause) {
  if (what == PORTABLE__DATA_ASKED) return portable__fallback_because(label, PORTABLE__WHY_ASKED), PORTABLE_OK;
  if (what == PORTABLE__DATA_BEGIN || what == PORTABLE__DATA_ENTER ? !may_begin() : !portable__data_open()) return PORTABLE_OK;
  if (a && (!is_array(a) || a->rank > PORTABLE__ARGUMENT_RANKS)) return PORTABLE_OK;
  const int32_t index = portable__cuda_index(portable_default_device());
  if ((what == PORTABLE__DATA_ADD || what == PORTABLE__DATA_ENTER) && portable__cuda_takes(index < 0 ? 0 : index, (uintptr_t)a->data)) return PORTABLE_OK;
  struct portable__stage *s = made(what, label, a != NULL, index < 0 ? 0 : index, NULL);
  if (!s) return PORTABLE_ERR_NOMEM;
  s->plan.clause = clause;
  int64_t steps[PORTABLE__ARGUMENT_RANKS];
  if (a) s->plan.count = steps_of(a, steps) && span_of(a, s->plan.spans);
  else s->plan.count = 0;
  if (a && !s->plan.count) s->plan.what = PORTABLE__DATA_STAY; /* of no array: nothing */
  portable_status status = begin(s);
  const int ready = status == PORTABLE_OK && prepared(s);
  if (status == PORTABLE_OK && !ready) status = portable__fail(PORTABLE_ERR_NOMEM, "data region '%s': no memory for a copy, or an array was freed in a statement that is not seen", label);
  if (status == PORTABLE_OK) status = up(s);
  const portable_status ended = release(s, status == PORTABLE_OK ? PORTABLE__STAGE_COPIED : PORTABLE__STAGE_NOTHING);
  return status == PORTABLE_OK ? ended : status;
}

portable_status portable__data_host(const char *label, const struct portable__fortran_argument *args, int32_t count) {
  portable_status status = PORTABLE_OK;
  if (PORTABLE__LIKELY(!portable__data_open())) return status;
  for (int32_t i = 0; i < count && status == PORTABLE_OK; i++)
    if (is_array(&args[i])) status = portable__data(PORTABLE__DATA_HOST, label, &args[i], 0);
  return status;
}
