/* choose.c - see choose.h. */
#include "choose.h"

#include "../base/least.h"

#include "../base/walk.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

/* Eight logicals at a time: all or none of them are chosen more often than chance has it. */
int64_t portable__choose(const unsigned char *logicals, int64_t count, uint16_t *places) {
  int64_t n = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight;
    memcpy(&eight, logicals + i, sizeof eight);
    if (eight == 0) continue;
    if (eight == UINT64_C(0x0101010101010101)) {
      for (int k = 0; k < 8; k++) places[n + k] = (uint16_t)(i + k);
      n += 8;
      continue;
    }
    for (int k = 0; k < 8; k++) { /* no branch: chance would not be foreseen */
      places[n] = (uint16_t)(i + k);
      n += logicals[i + k];
    }
  }
  for (; i < count; i++)
    if (logicals[i]) places[n++] = (uint16_t)i;
  return n;
}

static int64_t leaf_count(const struct portable__chosen *c, int64_t leaf) {
  return least(PORTABLE__CHOOSE_LEAF, c->count - leaf * PORTABLE__CHOOSE_LEAF);
}

enum { PIECE = 256, AHEAD = 4096 };

/* The logicals of a leaf, one byte each; gives their count. Those behind a piece are asked for, also behind the leaf: else memory would rest while the
 * leaf is listed. */
static int64_t bring(const struct portable__chosen *c, int64_t leaf, unsigned char *logicals) {
  struct portable__walk w = {c->data, c->mask, {0}};
  const int64_t count = leaf_count(c, leaf), step = c->axis[0].mask_step;
  portable__walk_to(c->axis, c->rank, leaf * PORTABLE__CHOOSE_LEAF, &w);
  for (int64_t run, at = 0; at < count; at += run) {
    run = least(PIECE, portable__walk_run(c->axis, &w, count - at));
    for (int64_t k = 0; step == c->mask_bytes && k < run * step; k += 64) __builtin_prefetch((const void *)((uintptr_t)w.mask + (uintptr_t)(AHEAD + k)));
    portable__bring_mask(logicals + at, w.mask, step, run, c->mask_bytes);
    portable__walk_on(c->axis, c->rank, run, &w);
  }
  return count;
}

int64_t portable__choose_leaf(const struct portable__chosen *c, int64_t leaf, uint16_t *places) {
  unsigned char logicals[PORTABLE__CHOOSE_LEAF];
  const int64_t count = bring(c, leaf, logicals);
  return portable__choose(logicals, count, places);
}

/* Bytes add up in words as long as none carries. */
int64_t portable__choose_count(const struct portable__chosen *c, int64_t leaf) {
  unsigned char logicals[PORTABLE__CHOOSE_LEAF + 8];
  const int64_t count = bring(c, leaf, logicals);
  int64_t total = 0;
  memset(logicals + count, 0, 8);
  for (int64_t i = 0; i < count;) {
    uint64_t sum = 0, eight;
    for (const int64_t end = least(count, i + 8 * 128); i < end; i += 8) {
      memcpy(&eight, logicals + i, sizeof eight);
      sum += eight;
    }
    sum = (sum & UINT64_C(0x00ff00ff00ff00ff)) + (sum >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    total += (int64_t)(sum * UINT64_C(0x0001000100010001) >> 48);
  }
  return total;
}

#define TAKE(bytes) \
  for (int64_t i = 0; i < count; i++, packed += step) memcpy(packed, data + ((int64_t)places[i] - from) * data_step, bytes)

/* Elements of one run, whose first one has the place `from`. */
static void take(const char *data, int64_t data_step, int64_t from, const uint16_t *places, int64_t count, char *packed, int64_t step,
                 int64_t bytes) {
  if (data_step == bytes && step == bytes && count > 0 && places[count - 1] - places[0] == count - 1) {
    memcpy(packed, data + ((int64_t)places[0] - from) * bytes, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1: TAKE(1); break;
  case 2: TAKE(2); break;
  case 4: TAKE(4); break;
  case 8: TAKE(8); break;
  case 16: TAKE(16); break;
  default: TAKE((size_t)bytes); break;
  }
}

#define PUT(bytes) \
  for (int64_t i = 0; i < count; i++, packed += step) memcpy(data + ((int64_t)places[i] - from) * data_step, packed, bytes)

static void put(char *data, int64_t data_step, int64_t from, const uint16_t *places, int64_t count, const char *packed, int64_t step, int64_t bytes) {
  switch (bytes) {
  case 1: PUT(1); break;
  case 2: PUT(2); break;
  case 4: PUT(4); break;
  case 8: PUT(8); break;
  case 16: PUT(16); break;
  default: PUT((size_t)bytes); break;
  }
}

/* Goes through the runs of a leaf that have a chosen element. DO: with `run` elements from the place `at` on, `some` of them chosen. */
#define EACH_RUN(DO)                                                                                                             \
  struct portable__walk w = {c->data, NULL, {0}};                                                                                \
  int64_t at = 0, left = leaf_count(c, leaf);                                                                                    \
  portable__walk_to(c->axis, c->rank, leaf * PORTABLE__CHOOSE_LEAF, &w);                                                         \
  while (count > 0) {                                                                                                            \
    int64_t run = portable__walk_run(c->axis, &w, left - at), some = run == left ? count : 0;                                    \
    while (some < count && places[some] < at + run) some++;                                                                      \
    DO;                                                                                                                          \
    places += some;                                                                                                              \
    packed += some * step;                                                                                                       \
    count -= some;                                                                                                               \
    at += run;                                                                                                                   \
    portable__walk_on(c->axis, c->rank, run, &w);                                                                                \
  }

void portable__choose_pack(const struct portable__chosen *c, int64_t leaf, const uint16_t *places, int64_t count, char *packed, int64_t step) {
  EACH_RUN(take(w.data, c->axis[0].step, at, places, some, packed, step, c->element_bytes))
}

void portable__choose_unpack(const struct portable__chosen *c, int64_t leaf, const uint16_t *places, int64_t count, const char *packed,
                             int64_t step) {
  EACH_RUN(put((char *)(uintptr_t)w.data, c->axis[0].step, at, places, some, packed, step, c->element_bytes))
}

/* Unsigned, because what is not chosen may not fit. */
static inline int64_t number(int64_t first, int64_t stride, uint16_t place) { return (int64_t)((uint64_t)first + place * (uint64_t)stride); }

#define LIST(type)                                                                   \
  if (step == (int64_t)sizeof(type) && (uintptr_t)list % sizeof(type) == 0) {        \
    type *to = (type *)(void *)list;                                                 \
    for (int64_t i = 0; i < count; i++) to[i] = (type)number(first, stride, places[i]);  \
  } else {                                                                           \
    for (int64_t i = 0; i < count; i++, list += step) {                              \
      type x = (type)number(first, stride, places[i]);                                   \
      memcpy(list, &x, sizeof x);                                                    \
    }                                                                                \
  }

void portable__choose_list(int64_t first, int64_t stride, const uint16_t *places, int64_t count, char *list, int64_t step, int32_t bytes) {
  if (bytes == 4) {
    LIST(int32_t)
  } else {
    LIST(int64_t)
  }
}
