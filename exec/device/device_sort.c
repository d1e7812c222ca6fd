/* device_sort.c - sorts on CUDA devices: scratch memory and steps. The kernels are in
 * internal/backend/cuda/kernels/sort.cu, arguments in exec/algorithm/sort.c. Threads: any. */
#include "device_arrays.h"

#include <string.h>

#define THREADS PORTABLE__CUDA_SORT_THREADS
#define DIGITS_MOST 8
#define SCRATCH 9

/* The first part: keys as integers, and their different digits. For each digit: COUNT to SCATTER. From END on: writing back. */
enum { CLEAR, BEGIN, DIFFER, COUNT, SUMS, EDGES, SCATTER, END };

struct work {
  const char *label;
  struct portable__cuda_sort s;
  struct portable__step step[END + 3];
  int steps, shifts[DIGITS_MOST], digits;
};

static portable_status put(void *native, const struct work *w, int first, int end, const struct portable__cuda_sort *s) {
  portable_status status = PORTABLE_OK;
  for (int i = first; i < end && status == PORTABLE_OK; i++) status = portable__step_put(native, w->label, &w->step[i], s, sizeof *s);
  return status;
}

static portable_status enqueue_begin(void *native, void *payload) {
  const struct work *w = payload;
  return put(native, w, CLEAR, COUNT, &w->s);
}

/* Elements move between two arrays, digit by digit; they begin in `to`. */
static void swap(struct portable__cuda_sort *s) {
  void *keys = s->from, *places = s->from_place;
  s->from = s->to;
  s->from_place = s->to_place;
  s->to = keys;
  s->to_place = places;
}

static portable_status enqueue_rest(void *native, void *payload) {
  const struct work *w = payload;
  struct portable__cuda_sort s = w->s;
  portable_status status = PORTABLE_OK;
  for (int i = 0; i < w->digits && status == PORTABLE_OK; i++) {
    swap(&s);
    s.shift = w->shifts[i];
    status = put(native, w, COUNT, END, &s);
  }
  swap(&s);
  return status == PORTABLE_OK ? put(native, w, END, w->steps, &s) : status;
}

static portable_status find_steps(const struct portable__place *place, const struct portable__sort *s, struct work *w) {
  const int64_t each = (s->count - 1) / THREADS + 1;
  const int64_t blocks[END + 3] = {1, each, 1, w->s.chunks, PORTABLE__CUDA_DIGITS, 1, w->s.chunks, each, each, each};
  w->steps = s->rest == PORTABLE__SORT_NONE || s->rest == PORTABLE__SORT_PLACE ? END + 1 : END + 3;
  for (int i = 0; i < w->steps; i++) portable__step_grid(place, &w->step[i], blocks[i], THREADS);
  w->step[CLEAR].block = w->step[DIFFER].block = 1;
  w->step[SUMS].grid = PORTABLE__CUDA_DIGITS; /* a block has a digit */
  if (w->s.chunks <= 32) w->step[SUMS].block = 32;
  return portable__steps(place, PORTABLE__LIST(PORTABLE__LIST_SORT, 0, s->rest, s->key_bytes <= 4), w->step);
}

static void describe(const struct portable__sort *s, int32_t kind, int descending, struct portable__cuda_sort *to) {
  struct portable__sort order;
  uint64_t even = (uint64_t)(uintptr_t)s->values | (uint64_t)s->value_step | (uint64_t)s->value_bytes;
  portable__sort_order(&order, kind, descending, s->key_bytes <= 4 ? PORTABLE__SORT_KEY4 : PORTABLE__SORT_KEY8);
  to->keys = s->keys;
  to->values = s->values;
  to->count = s->count;
  to->chunks = (s->count - 1) / PORTABLE__CUDA_SORT_CHUNK + 1;
  to->lower = s->lower;
  to->key_step = s->key_step;
  to->value_step = s->value_step;
  to->value_bytes = s->value_bytes;
  to->mask = order.mask;
  to->flip = order.flip;
  to->back = order.back;
  to->key_bytes = s->key_bytes;
  to->place_bytes = s->count <= UINT32_MAX ? 4 : 8;
  to->index_bytes = s->value_bytes;
  to->with_places = s->rest != PORTABLE__SORT_NONE;
  to->key_aligned = ((uint64_t)(uintptr_t)s->keys | (uint64_t)s->key_step) % (uint64_t)s->key_bytes == 0;
  to->unit = portable__evenness(even, 8);
}

/* Sorts by the digits in which keys differ, from the lowest one up. */
static void find_digits(struct work *w, uint64_t differ) {
  for (int shift = 0; shift < 64; shift += PORTABLE__CUDA_DIGIT)
    if (differ >> shift & (PORTABLE__CUDA_DIGITS - 1)) w->shifts[w->digits++] = shift;
}

portable_status portable__device_sort(const struct portable__place *place, const struct portable__sort *s, int32_t kind, int descending) {
  struct work w;
  struct portable__workspace scratch[SCRATCH];
  memset(&w, 0, sizeof w);
  memset(scratch, 0, sizeof scratch);
  w.label = place->label;
  describe(s, kind, descending, &w.s);
  const size_t count = (size_t)s->count, word = s->key_bytes <= 4 ? 4 : 8, places = w.s.with_places ? (size_t)w.s.place_bytes : 0;
  const int moves = s->rest == PORTABLE__SORT_VALUE || s->rest == PORTABLE__SORT_GATHER;
  const struct {
    void **at;
    size_t bytes;
    int shared;
  } blocks[SCRATCH] = {
      {&w.s.from, count * word, 0}, {&w.s.to, count * word, 0}, {&w.s.from_place, count * places, 0}, {&w.s.to_place, count * places, 0},
      {(void **)&w.s.moved, moves ? count * (size_t)s->value_bytes : 0, 0}, {(void **)&w.s.counts, (size_t)w.s.chunks * PORTABLE__CUDA_DIGITS * 8, 0},
      {(void **)&w.s.sums, PORTABLE__CUDA_DIGITS * 8, 0}, {(void **)&w.s.bits, 16, 0}, {(void **)&w.s.differ, 8, 1}};
  portable_status status = find_steps(place, s, &w);
  for (int i = 0; i < SCRATCH && status == PORTABLE_OK; i++) {
    if (!blocks[i].bytes) continue;
    status = portable__workspace_take(place, blocks[i].bytes, blocks[i].shared, &scratch[i]);
    *blocks[i].at = scratch[i].at;
  }
  if (status == PORTABLE_OK) status = portable__place_run(place, s->count, enqueue_begin, &w, 0);
  if (status == PORTABLE_OK) {
    find_digits(&w, *w.s.differ);
    status = portable__place_run(place, s->count, enqueue_rest, &w, 0);
  }
  for (int i = 0; i < SCRATCH; i++) portable__workspace_give(place, &scratch[i], status == PORTABLE_OK);
  return status;
}
