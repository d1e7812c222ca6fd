/* sort.c - sorts of keys, alone, with values, or as indices. Main function: sort. Steps are in
 * internal/kernels/sort, the device version in exec/device/device_sort.c. Threads: any; no lock. */
#include <inttypes.h>
#include <string.h>

#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/kernels/sort/sort.h"
#include "../../internal/edge/calls.h"
#include "../device/device_arrays.h"
#include "../stream/queue.h"
#include "../timer/timer.h"
#include "call.h"
#include "written.h"

#define CHUNKS 4                    /* for each thread */
#define AROUND (INT64_C(32) << 20)  /* bytes; larger arrays are written past the caches */
#define BIG 65536                   /* one thread may sort so many elements */

#define FAIL(code, ...) portable__fail(code, "sort '%s': " __VA_ARGS__)

/* A sort, and the state of its launches. */
struct sorting {
  struct portable__sort s;
  const char *label;
  portable_launch_config config;
  struct range *stack; /* ranges that all threads cut together; they do not overlap, and all except the first are big */
  int32_t kind, descending;
  portable_status late; /* an error of a stream after the point of no return */
  int ran;              /* the last step has run, with or without an error of its launch */
};

struct range {
  int64_t first, length;
  uint64_t differ; /* at most */
  int32_t from;
};

/* ---- steps as launches ---- */

struct step {
  portable__sort_step *run;
  struct portable__sort *sort;
  _Atomic int ran;
};

static void kernel(const portable_tile *t, void *args) {
  struct step *w = args;
  atomic_store_explicit(&w->ran, 1, memory_order_relaxed);
  w->run(w->sort, t->lower[0], t->upper[0] + 1);
}

static portable_status step(struct sorting *a, portable__sort_step *run, int64_t units, int32_t schedule) {
  struct step w = {run, &a->s, 0};
  portable_bounds bounds = portable_bounds_1(units);
  portable_launch_config config = a->config;
  if (!config.schedule) config.schedule = schedule;
  portable_status status = portable__launch(a->label, &bounds, kernel, &w, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  a->ran = atomic_load(&w.ran);
  return status == PORTABLE_OK ? status : portable__rename_error(status, "sort");
}

/* The first scatter is the point of no return. After it, steps that could not be launched (the stream was destroyed, or has an error) run here, and
 * the error is returned at the end. */
static void must_step(struct sorting *a, portable__sort_step *run, int64_t units, int32_t schedule) {
  portable_status status = step(a, run, units, schedule);
  if (PORTABLE__LIKELY(status == PORTABLE_OK)) return;
  if (a->ran || status == PORTABLE_ERR_KERNEL) a->late = status;
  if (!a->ran) run(&a->s, 0, units);
}

/* ---- many keys ---- */

/* Finds the digit that cuts a range best, and counts its values. s->differ becomes 0 if all keys are equal. Only the first range can fail; its
 * keys have not moved yet. */
static portable_status cut(struct sorting *a, uint64_t differ) {
  struct portable__sort *const s = &a->s;
  for (;;) {
    if (!differ) differ = 1; /* samples may all be equal */
    portable__sort_digit(s, differ, s->length);
    atomic_store(&s->differ, 0);
    if (s->from) {
      must_step(a, portable__sort_count, s->chunks, 0);
    } else {
      portable_status status = step(a, portable__sort_count, s->chunks, 0);
      if (status != PORTABLE_OK) return status;
    }
    differ = atomic_load(&s->differ);
    const int bits = portable__sort_bits(differ), top = s->shift + s->width;
    if (bits == 0 || (bits <= top && (bits > top - 3 || s->shift == 0))) return PORTABLE_OK;
  }
}

static portable_status many(struct sorting *a) {
  struct portable__sort *const s = &a->s;
  int depth = 0;
  s->disorder = !portable__sort_begins_ordered(s);
  if (!s->disorder) {
    portable_status status = step(a, portable__sort_check, s->chunks, 0);
    if (status != PORTABLE_OK) return status;
    if (!s->disorder) return s->rest == PORTABLE__SORT_PLACE ? step(a, portable__sort_places, s->chunks, 0) : PORTABLE_OK;
  }
  a->stack[depth++] = (struct range){0, s->count, portable__sort_sample(s), 0};
  while (depth > 0) {
    const struct range r = a->stack[--depth];
    s->first = r.first;
    s->length = r.length;
    s->from = r.from;
    s->around = s->length > AROUND / portable__sort_element_bytes(s->form);
    s->differ = 0;
    if (!r.from || r.differ) {
      portable_status status = cut(a, r.differ);
      if (status != PORTABLE_OK) return status;
    }
    if (!s->differ) { /* never the first range, which is not in order */
      must_step(a, portable__sort_equal, s->chunks, 0);
      continue;
    }
    portable__sort_edges(s);
    must_step(a, portable__sort_scatter, s->chunks, 0);
    const int64_t buckets = INT64_C(1) << s->width;
    for (int64_t d = 0; d < buckets; d++) {
      const int64_t n = s->edges[d + 1] - s->edges[d];
      if (n > s->big) a->stack[depth++] = (struct range){r.first + s->edges[d], n, (UINT64_C(1) << s->shift) - 1, r.from == 2 ? 1 : 2};
    }
    must_step(a, portable__sort_buckets, buckets, PORTABLE_SCHEDULE_DYNAMIC);
  }
  if (s->rest == PORTABLE__SORT_GATHER) must_step(a, portable__sort_return, s->chunks, 0);
  return a->late;
}

/* ---- scratch memory ---- */

/* Cuts a piece off a growing block at *at; -1: the byte count overflows. */
static int64_t piece(int64_t *at, int64_t count, int64_t bytes) {
  const int64_t here = *at;
  int64_t more;
  if (here < 0 || __builtin_mul_overflow(count, bytes, &more) || __builtin_add_overflow(here, more, at) ||
      __builtin_add_overflow(*at, 63, at)) {
    *at = -1;
    return -1;
  }
  *at &= ~INT64_C(63);
  return here;
}

static portable_status with_scratch(struct sorting *a) {
  struct portable__sort *const s = &a->s;
  const int32_t bytes = portable__sort_element_bytes(s->form), threads = portable__call_workers(&a->config);
  int64_t at = 0;
  const int small = s->count <= PORTABLE__SORT_SMALL;
  s->direct = s->rest == PORTABLE__SORT_NONE && s->key_bytes == bytes && s->key_step == bytes && (uintptr_t)s->keys % (uintptr_t)bytes == 0;
  s->chunks = threads > 1 ? CHUNKS * threads : 1;
  if (s->chunks <= s->count >> 31) s->chunks = (int32_t)(s->count >> 31) + 1;
  if (s->chunks > s->count) s->chunks = (int32_t)s->count;
  s->big = threads == 1 ? s->count : s->count / (2 * threads);
  if (s->big < BIG) s->big = BIG;
  const int64_t buckets = small ? 0 : INT64_C(1) << PORTABLE__SORT_DIGIT;
  const int64_t b = piece(&at, s->count, bytes), other = piece(&at, s->direct ? 0 : s->count, bytes);
  const int64_t moved = piece(&at, s->rest == PORTABLE__SORT_GATHER ? s->count : 0, s->value_bytes);
  const int64_t counts = piece(&at, buckets * s->chunks, (int64_t)sizeof *s->counts);
  const int64_t edges = piece(&at, buckets + 1, (int64_t)sizeof *s->edges);
  const int64_t stack = piece(&at, small ? 0 : s->count / s->big + 1, (int64_t)sizeof *a->stack);
  if (at < 0 || (uint64_t)at > SIZE_MAX)
    return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " elements need more bytes of scratch memory than a 64-bit integer counts", a->label, s->count);
  void *block = NULL;
  portable_status status = portable__alloc((size_t)at, a->label, strlen(a->label), &block);
  if (status != PORTABLE_OK) return portable__no_scratch(status, "sort", a->label);
  char *const base = block;
  s->b = base + b;
  s->a = s->direct ? (void *)s->keys : (void *)(base + other);
  s->moved = base + moved;
  s->counts = (uint64_t *)(void *)(base + counts);
  s->edges = (int64_t *)(void *)(base + edges);
  a->stack = (struct range *)(void *)(base + stack);
  if (small) {
    status = step(a, portable__sort_all, 1, 0);
    if (a->ran && s->rest == PORTABLE__SORT_GATHER) s->chunks = 1, portable__sort_return(s, 0, 1);
  } else {
    status = many(a);
  }
  portable__free(block);
  return status;
}

/* ---- checks ---- */

static int step_is_good(int64_t step_bytes, int64_t bytes) { return !step_bytes || step_bytes <= -bytes || step_bytes >= bytes; }

/* 1: keys and their companions do not overlap. b: values or indices of element_bytes each; 0: no companions. */
static portable_status memory_verdict(const struct portable__array_call *c, const portable_sort_options *o, int64_t bytes) {
  const int64_t step = o->stride ? o->stride : bytes, value_step = o->value_stride ? o->value_stride : c->element_bytes;
  int64_t all;
  if (__builtin_mul_overflow(step, c->count, &all) || __builtin_mul_overflow(value_step, c->count, &all)) return PORTABLE_ERR_OVERFLOW;
  if (!c->element_bytes) return PORTABLE_OK;
  const struct portable__lying keys = {c->a, bytes, 1, {c->count}, {step}}, moved = {c->b, c->element_bytes, 1, {c->count}, {value_step}};
  if (!portable__lying_fits(&keys) || !portable__lying_fits(&moved)) return PORTABLE_ERR_OVERFLOW;
  return portable__overlap(&keys, &moved) ? PORTABLE_ERR_ARG : PORTABLE_OK;
}

/* 1: the element size of the companions is valid; the program chooses that of values. */
static int bytes_are_good(const struct portable__array_call *c) {
  return c->call == PORTABLE__SORT || (c->element_bytes > 0 && c->element_bytes <= INT32_MAX);
}

portable_status portable__sort_verdict(const struct portable__array_call *c, portable_sort_options *o) {
  const portable_sort_options *given = c->options;
  const int64_t bytes = portable__sort_key_bytes(c->kind);
  if (!bytes_are_good(c) || !PORTABLE__OPTIONS(*o, given) || !bytes || c->count < 0 || (c->count && (!c->a || (c->element_bytes && !c->b))) ||
      o->flags & ~PORTABLE_SORT_DESCENDING || !step_is_good(o->stride, bytes) || (o->value_stride && !c->element_bytes) ||
      !step_is_good(o->value_stride, c->element_bytes) || !portable__launch_is_good(o->launch))
    return PORTABLE_ERR_ARG;
  const portable_status status = c->count ? memory_verdict(c, o, bytes) : PORTABLE_OK;
  return status != PORTABLE_OK || c->call != PORTABLE__SORT_INDEX || portable__indices_fit(c->lower, c->count, (int32_t)c->element_bytes)
             ? status : PORTABLE_ERR_OVERFLOW;
}

/* Waits for the work in the stream. An error of the wait is the sort's error. */
static portable_status fence(const struct sorting *a) {
  static const char name[] = "portable_stream_fence: ";
  const portable_status status = portable_stream_fence(a->config.stream);
  const char *const text = portable_last_error();
  if (PORTABLE__LIKELY(status == PORTABLE_OK) || strncmp(text, name, sizeof name - 1) != 0) return status;
  return FAIL(status, "%s", a->label, text + sizeof name - 1);
}

/* Waits for the stream of a CUDA device; the threads of the host sort then. */
static portable_status fall_back(struct sorting *a, const struct portable__place *place) {
  portable_status status = portable__fallback_turn("sort", a->label, place->stream ? place->stream : portable_device_stream(place->device));
  if (status != PORTABLE_OK) return status;
  const int64_t since = portable__now_ns();
  a->config.device = PORTABLE__THREADS;
  a->config.stream = 0;
  status = with_scratch(a);
  portable__fallback(a->label, a->s.count, portable__now_ns() - since);
  return status;
}

/* Tries a CUDA device. *done: 1 if the call is finished. */
PORTABLE__COLD static portable_status on_device(struct sorting *a, int *done) {
  const struct portable__memory memory[] = {{"keys", a->s.keys, 0}, {a->s.rest == PORTABLE__SORT_PLACE ? "indices_out" : "values", a->s.values, 0}};
  struct portable__place place;
  portable_status status = portable__place("sort", a->label, &a->config, memory, 2, 1, &place);
  const int cuda = portable__cuda_index(place.device) >= 0;
  *done = status != PORTABLE_OK || cuda;
  if (status != PORTABLE_OK || !cuda) return status;
  return place.index >= 0 ? portable__device_sort(&place, &a->s, a->kind, a->descending) : fall_back(a, &place);
}

/* Returns a pending error of the stream before any element moves. */
static portable_status run(struct sorting *a) {
  if (a->s.count == 0) {
    portable_bounds none = portable_bounds_1(0);
    portable_status status = portable__launch(a->label, &none, kernel, a, 0, &a->config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    return status == PORTABLE_OK ? status : portable__rename_error(status, "sort");
  }
  if (portable__on_device_matters()) {
    int done;
    const portable_status status = on_device(a, &done);
    if (done) return status;
  }
  if (a->config.stream) {
    portable_status status = fence(a);
    if (status != PORTABLE_OK) return status;
  }
  portable__written(&(struct portable__lying){a->s.keys, a->s.key_bytes, 1, {a->s.count}, {a->s.key_step}});
  return with_scratch(a);
}

/* The common part of all sorts; rest, and narrow: pairs have 8 bytes if keys have 4. */
static portable_status sort(struct portable__array_call *c, int32_t rest, int narrow) {
  struct sorting a;
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  if (!c->label) c->label = "unlabelled";
  if (PORTABLE__UNLIKELY(!portable_is_initialized()) && bytes_are_good(c)) return portable__not_running("portable_sort");
  const portable_status verdict = portable__sort_verdict(c, &o);
  if (PORTABLE__UNLIKELY(verdict != PORTABLE_OK)) return portable__array_refused(c, verdict);
  memset(&a, 0, sizeof a);
  a.label = c->label;
  portable__call_config(o.launch, &a.config);
  a.kind = c->kind;
  a.descending = (o.flags & PORTABLE_SORT_DESCENDING) != 0;
  a.s.keys = (char *)(uintptr_t)c->a;
  a.s.values = (char *)(uintptr_t)c->b;
  const int32_t bytes = portable__sort_key_bytes(c->kind);
  a.s.key_step = o.stride ? o.stride : bytes;
  a.s.value_step = o.value_stride ? o.value_stride : c->element_bytes;
  a.s.value_bytes = (int32_t)c->element_bytes;
  a.s.count = c->count;
  a.s.lower = c->lower;
  a.s.rest = rest;
  portable__sort_order(&a.s, c->kind, a.descending,
                       rest == PORTABLE__SORT_NONE ? (bytes <= 4 ? PORTABLE__SORT_KEY4 : PORTABLE__SORT_KEY8)
                       : narrow && bytes <= 4      ? PORTABLE__SORT_PAIR4
                                                   : PORTABLE__SORT_PAIR8);
  return run(&a);
}

portable_status portable_sort(const char *label, int32_t kind, void *keys, int64_t count, const portable_sort_options *options) {
  PORTABLE__CALL("portable_sort");
  struct portable__array_call c = {.call = PORTABLE__SORT, .kind = kind, .label = label, .a = keys, .options = options, .count = count};
  return sort(&c, PORTABLE__SORT_NONE, 0);
}

portable_status portable_sort_by_key(const char *label, int32_t kind, void *keys, void *values, size_t value_bytes, int64_t count,
                                     const portable_sort_options *options) {
  PORTABLE__CALL("portable_sort_by_key");
  struct portable__array_call c = {.call = PORTABLE__SORT_BY_KEY, .kind = kind, .label = label, .a = keys, .b = values, .options = options,
                                   .element_bytes = (int64_t)value_bytes, .count = count};
  const int fits = value_bytes == 1 || value_bytes == 2 || value_bytes == 4 || value_bytes == 8;
  return sort(&c, fits ? PORTABLE__SORT_VALUE : PORTABLE__SORT_GATHER, fits ? value_bytes <= 4 : count <= UINT32_MAX);
}

portable_status portable_sort_index(const char *label, int32_t kind, const void *keys, int64_t count, int32_t index_kind, int64_t lower,
                                    const portable_sort_options *options, void *indices_out) {
  PORTABLE__CALL("portable_sort_index");
  struct portable__array_call c = {.call = PORTABLE__SORT_INDEX, .kind = kind, .index_kind = index_kind, .label = label, .a = keys, .b = indices_out,
                                   .options = options, .element_bytes = portable__index_bytes(index_kind), .count = count, .lower = lower};
  return sort(&c, PORTABLE__SORT_PLACE, count <= UINT32_MAX);
}
