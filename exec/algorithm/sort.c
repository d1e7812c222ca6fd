/* sort.c - sorting: checks, scratch memory, and the launches of the steps. In C because a launch is, and because few keys take less
 * time than a call into Go. Not in this file: the steps themselves (internal/kernels/sort/sort.c). Threads: any, at any time. */
#include <inttypes.h>
#include <string.h>

#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "../../gator/front/front.h"
#include "../../internal/kernels/base/overlap.h"
#include "../../internal/kernels/sort/sort.h"
#include "../../internal/edge/calls.h"
#include "../device/device_sort.h"
#include "../stream/queue.h"
#include "../timer/timer.h"
#include "written.h"

#define CHUNKS 4                    /* for each thread */
#define AROUND (INT64_C(32) << 20)  /* bytes of elements from which on they go past the caches */
#define BIG 65536                   /* elements that one thread may always sort */

#define FAIL(code, ...) portable__fail(code, "sort '%s': " __VA_ARGS__)

/* A sort with what launches need. */
struct sorting {
  struct portable__sort s;
  const char *label;
  portable_launch_config config;
  struct range *stack; /* ranges that all threads cut together; no two overlap, and all but the first are big */
  int32_t kind, descending;
  portable_status late; /* an error of a stream's that was told when there was no way back */
  int ran;              /* the last step, whatever its launch said */
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

/* From the first scatter on there is no way back: what was not launched any more, because somebody has destroyed the stream or put in what
 * failed, is done here, and what failed is told at the end. */
static void must_step(struct sorting *a, portable__sort_step *run, int64_t units, int32_t schedule) {
  portable_status status = step(a, run, units, schedule);
  if (PORTABLE__LIKELY(status == PORTABLE_OK)) return;
  if (a->ran || status == PORTABLE_ERR_KERNEL) a->late = status;
  if (!a->ran) run(&a->s, 0, units);
}

/* ---- many keys ---- */

/* The digit that cuts a range best, and how often each of its values occurs. s->differ is 0 afterwards where all keys are equal. A failure
 * is of the first range only, whose keys nobody has moved yet. */
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

/* A piece of the block that begins at *at and grows; -1: the bytes do not fit. */
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

static int32_t workers(const portable_launch_config *config) {
  int32_t device = config->device ? config->device : atomic_load_explicit(&portable__defaults.device, memory_order_relaxed);
  if (config->stream && config->stream >= PORTABLE__STREAM_OF(1) && config->stream <= PORTABLE__STREAM_OF(portable_device_count()))
    device = (int32_t)(config->stream - PORTABLE__STREAM_OF(0));
  if (device < 1 || device > portable_device_count()) return 1; /* the launch will say so */
  return portable__device_workers(device);
}

static portable_status with_scratch(struct sorting *a) {
  struct portable__sort *const s = &a->s;
  const int32_t bytes = portable__sort_element_bytes(s->form), threads = workers(&a->config);
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

static portable_status check_step(const struct sorting *a, const char *what, int64_t step_bytes, int64_t bytes) {
  if (step_bytes > -bytes && step_bytes < bytes)
    return FAIL(PORTABLE_ERR_ARG, "%s is %" PRId64 " bytes; elements of %" PRId64 " bytes are at least as far apart, or it is 0", a->label, what,
                step_bytes, bytes);
  return PORTABLE_OK;
}

/* Keys, and what goes with them or is made of them, have memory of their own. */
static portable_status check_apart(const struct sorting *a) {
  const struct portable__sort *const s = &a->s;
  const struct portable__lying keys = {s->keys, s->key_bytes, 1, {s->count}, {s->key_step}};
  const struct portable__lying moved = {s->values, s->value_bytes, 1, {s->count}, {s->value_step}};
  if (!portable__lying_fits(&keys) || !portable__lying_fits(&moved))
    return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " elements are more than a 64-bit integer counts the bytes of", a->label, s->count);
  if (PORTABLE__UNLIKELY(portable__overlap(&keys, &moved)))
    return FAIL(PORTABLE_ERR_ARG, "the second array (%p) shares memory with the keys (%p); give it memory of its own", a->label,
                (const void *)s->values, (const void *)s->keys);
  return PORTABLE_OK;
}

/* What all sorts have in common. moved: what goes with the keys, or where indices go; bytes of one of these, 0: nothing. */
static portable_status prepare(struct sorting *a, const char *label, int32_t kind, const void *keys, int64_t count, const void *moved,
                               int64_t moved_bytes, const portable_sort_options *options) {
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  const portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const int64_t bytes = portable__sort_key_bytes(kind);
  portable_status status = PORTABLE_OK;
  memset(a, 0, sizeof *a);
  a->label = label ? label : "unlabelled";
  a->config = config;
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running("portable_sort");
  if (options) {
    if (options->struct_size < sizeof(uint32_t) || options->struct_size > sizeof o)
      return FAIL(PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_SORT_OPTIONS_INIT", a->label, (unsigned)options->struct_size);
    memcpy(&o, options, options->struct_size);
  }
  if (!bytes) return FAIL(PORTABLE_ERR_ARG, "%d is no kind of keys; they are PORTABLE_KIND_INT8 to _REAL64", a->label, (int)kind);
  if (count < 0) return FAIL(PORTABLE_ERR_ARG, "count is %" PRId64 "; it is 0 or more", a->label, count);
  if (count && (!keys || (moved_bytes && !moved)))
    return FAIL(PORTABLE_ERR_ARG, "%s is NULL, but there are %" PRId64 " keys", a->label, keys ? "the second array" : "keys", count);
  if (o.flags & ~PORTABLE_SORT_DESCENDING)
    return FAIL(PORTABLE_ERR_ARG, "flags is %#x; there is PORTABLE_SORT_DESCENDING", a->label, (unsigned)o.flags);
  if (o.stride && (status = check_step(a, "stride", o.stride, bytes)) != PORTABLE_OK) return status;
  if (o.value_stride && !moved_bytes) return FAIL(PORTABLE_ERR_ARG, "value_stride is for values and indices; here are keys alone", a->label);
  if (o.value_stride && (status = check_step(a, "value_stride", o.value_stride, moved_bytes)) != PORTABLE_OK) return status;
  if (o.launch) {
    if (o.launch->struct_size < sizeof(uint32_t) || o.launch->struct_size > sizeof a->config)
      return FAIL(PORTABLE_ERR_ARG, "launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", a->label,
                  (unsigned)o.launch->struct_size);
    memcpy(&a->config, o.launch, o.launch->struct_size);
    memset(a->config.tile, 0, sizeof a->config.tile); /* of the keys; chunks and buckets are not */
  }
  a->s.keys = (char *)(uintptr_t)keys;
  a->s.values = (char *)(uintptr_t)moved;
  a->s.key_step = o.stride ? o.stride : bytes;
  a->s.value_step = o.value_stride ? o.value_stride : moved_bytes;
  a->s.value_bytes = (int32_t)moved_bytes;
  a->s.count = count;
  a->s.rest = PORTABLE__SORT_NONE;
  a->kind = kind;
  a->descending = (o.flags & PORTABLE_SORT_DESCENDING) != 0;
  portable__sort_order(&a->s, kind, (o.flags & PORTABLE_SORT_DESCENDING) != 0, bytes <= 4 ? PORTABLE__SORT_KEY4 : PORTABLE__SORT_KEY8);
  int64_t all;
  if (count && (__builtin_mul_overflow(a->s.key_step, count, &all) || __builtin_mul_overflow(a->s.value_step, count, &all)))
    return FAIL(PORTABLE_ERR_OVERFLOW, "%" PRId64 " elements are more than a 64-bit integer counts the bytes of", a->label, count);
  return count && moved_bytes ? check_apart(a) : PORTABLE_OK;
}

/* Waits for what is in the stream; what it can not wait for is the sort's error. */
static portable_status fence(const struct sorting *a) {
  static const char name[] = "portable_stream_fence: ";
  const portable_status status = portable_stream_fence(a->config.stream);
  const char *const text = portable_last_error();
  if (PORTABLE__LIKELY(status == PORTABLE_OK) || strncmp(text, name, sizeof name - 1) != 0) return status;
  return FAIL(status, "%s", a->label, text + sizeof name - 1);
}

/* The stream of a cuda device has come so far; `threads` do the rest. */
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

/* Where there is a cuda device: *done is 1 when the call is over. */
PORTABLE__COLD static portable_status on_device(struct sorting *a, int *done) {
  const struct portable__memory memory[] = {{"keys", a->s.keys, 0}, {a->s.rest == PORTABLE__SORT_PLACE ? "indices_out" : "values", a->s.values, 0}};
  struct portable__place place;
  portable_status status = portable__place("sort", a->label, &a->config, memory, 2, 1, &place);
  const int cuda = portable__cuda_index(place.device) >= 0;
  *done = status != PORTABLE_OK || cuda;
  if (status != PORTABLE_OK || !cuda) return status;
  return place.index >= 0 ? portable__device_sort(&place, &a->s, a->kind, a->descending) : fall_back(a, &place);
}

/* An error that waits in the stream is told before anything is moved. */
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

portable_status portable_sort(const char *label, int32_t kind, void *keys, int64_t count, const portable_sort_options *options) {
  PORTABLE__CALL("portable_sort");
  struct sorting a;
  portable_status status = prepare(&a, label, kind, keys, count, NULL, 0, options);
  return status == PORTABLE_OK ? run(&a) : status;
}

/* Pairs for the key and what goes with it. */
static void pair(struct sorting *a, int32_t kind, int descending, int32_t rest, int narrow) {
  a->s.rest = rest;
  portable__sort_order(&a->s, kind, descending, narrow && a->s.key_bytes <= 4 ? PORTABLE__SORT_PAIR4 : PORTABLE__SORT_PAIR8);
}

portable_status portable_sort_by_key(const char *label, int32_t kind, void *keys, void *values, size_t value_bytes, int64_t count,
                                     const portable_sort_options *options) {
  PORTABLE__CALL("portable_sort_by_key");
  struct sorting a;
  if (value_bytes < 1 || value_bytes > INT32_MAX)
    return portable__fail(PORTABLE_ERR_ARG, "sort '%s': value_bytes is %zu; a value has 1 to %d bytes", label ? label : "unlabelled", value_bytes,
                          (int)INT32_MAX);
  portable_status status = prepare(&a, label, kind, keys, count, values, (int64_t)value_bytes, options);
  if (status != PORTABLE_OK) return status;
  const int descending = options && options->flags & PORTABLE_SORT_DESCENDING;
  const int fits = value_bytes == 1 || value_bytes == 2 || value_bytes == 4 || value_bytes == 8;
  pair(&a, kind, descending, fits ? PORTABLE__SORT_VALUE : PORTABLE__SORT_GATHER, fits ? value_bytes <= 4 : count <= UINT32_MAX);
  return run(&a);
}

portable_status portable_sort_index(const char *label, int32_t kind, const void *keys, int64_t count, int32_t index_kind, int64_t lower,
                                    const portable_sort_options *options, void *indices_out) {
  PORTABLE__CALL("portable_sort_index");
  struct sorting a;
  int64_t last;
  if (index_kind != PORTABLE_KIND_INT32 && index_kind != PORTABLE_KIND_INT64)
    return portable__fail(PORTABLE_ERR_ARG, "sort '%s': index_kind is %d; it is PORTABLE_KIND_INT32 or _INT64", label ? label : "unlabelled",
                          (int)index_kind);
  portable_status status = prepare(&a, label, kind, keys, count, indices_out, index_kind == PORTABLE_KIND_INT32 ? 4 : 8, options);
  if (status != PORTABLE_OK) return status;
  if (count && (__builtin_add_overflow(lower, count - 1, &last) ||
                (index_kind == PORTABLE_KIND_INT32 && (lower < INT32_MIN || last > INT32_MAX))))
    return portable__fail(PORTABLE_ERR_OVERFLOW, "sort '%s': the indices of %" PRId64 " keys from %" PRId64 " on do not fit %s", a.label, count, lower,
                          index_kind == PORTABLE_KIND_INT32 ? "32-bit integers; use PORTABLE_KIND_INT64" : "64-bit integers");
  a.s.lower = lower;
  pair(&a, kind, options && options->flags & PORTABLE_SORT_DESCENDING, PORTABLE__SORT_PLACE, count <= UINT32_MAX);
  return run(&a);
}
