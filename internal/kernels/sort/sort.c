/* sort.c - see sort.h: the order of kinds, digits, and which code is for which elements. The code itself is in sort_form.h, which is
 * included here once for each form. Not in this file: checks and launches (exec/algorithm/sort.c). Threads: see sort.h. */
#include "sort.h"

#include "../base/least.h"
#include "../base/processor.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* loops over blocks of keys are vectorised */
#endif

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LEAF_BYTES (512 << 10) /* of elements that are sorted in one thread's cache, with as many bytes of a buffer */
#define FEW 24                 /* elements that are sorted by insertion */
#define BLOCK 512              /* elements that are read at a time */
#define SPARE 5                /* bits of a leaf's digits above what tells its elements apart if they are spread evenly */
#define LEAF_DIGIT 9           /* most bits of a digit of a leaf */
#define LEAF_PASSES 3          /* at most */
#define LINE 64                /* bytes that go to memory together */
#define SAMPLES 256

/* ---- kinds ---- */

int32_t portable__sort_key_bytes(int32_t kind) {
  static const int32_t bytes[] = {0, 1, 2, 4, 8, 4, 8};
  return kind < PORTABLE_KIND_INT8 || kind > PORTABLE_KIND_REAL64 ? 0 : bytes[kind];
}

int32_t portable__sort_element_bytes(int32_t form) {
  return form == PORTABLE__SORT_KEY4 ? 4 : form == PORTABLE__SORT_PAIR8 ? 16 : 8;
}

/* The bits of reals, but for the sign, are in order as integers; those of negative ones in the opposite order, which mask corrects. Then
 * negative NaNs come first, and back turns the circle of all numbers until they are last. */
int32_t portable__sort_order(struct portable__sort *s, int32_t kind, int descending, int32_t form) {
  const int32_t bytes = portable__sort_key_bytes(kind), room = form == PORTABLE__SORT_KEY4 || form == PORTABLE__SORT_PAIR4 ? 4 : 8;
  const uint64_t sign = UINT64_C(1) << (8 * room - 1), all = sign | (sign - 1);
  const int real = kind == PORTABLE_KIND_REAL32 || kind == PORTABLE_KIND_REAL64;
  const uint64_t nans = kind == PORTABLE_KIND_REAL32 ? (UINT64_C(1) << 23) - 1 : (UINT64_C(1) << 52) - 1;
  s->form = form;
  s->key_bytes = bytes;
  s->mask = real ? sign - 1 : 0;
  s->flip = descending ? sign ^ all : sign;
  s->back = real ? nans << (8 * (room - bytes)) : 0;
  return bytes;
}

/* ---- digits ---- */

static int bits_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

int portable__sort_bits(uint64_t x) { return bits_of(x); }

void portable__sort_digit(struct portable__sort *s, uint64_t differ, int64_t length) {
  const int64_t leaf = LEAF_BYTES / portable__sort_element_bytes(s->form);
  int bits = bits_of(differ), width = bits_of((uint64_t)(length / leaf)) + 1;
  if (width < 8) width = 8;
  if (width > PORTABLE__SORT_DIGIT) width = PORTABLE__SORT_DIGIT;
  if (width > bits) width = bits;
  s->width = width;
  s->shift = bits - width;
}

int portable__sort_group_digit(struct portable__sort *s) {
  const uint64_t last = (uint64_t)(s->groups - 1 + s->lower);
  portable__sort_digit(s, last ? last : 1, s->count);
  while (s->width < PORTABLE__SORT_DIGIT && INT64_C(1) << s->shift > PORTABLE__SORT_GROUPS) s->width++, s->shift--;
  return INT64_C(1) << s->shift <= PORTABLE__SORT_GROUPS;
}

void portable__sort_edges(struct portable__sort *s) {
  const int64_t buckets = INT64_C(1) << s->width;
  uint64_t at = 0;
  for (int64_t d = 0; d < buckets; d++) {
    s->edges[d] = (int64_t)at;
    for (int32_t c = 0; c < s->chunks; c++) {
      uint64_t *n = &s->counts[c * buckets + d], here = *n;
      *n = at;
      at += here;
    }
  }
  s->edges[buckets] = (int64_t)at;
}

/* Chunk c of a number of elements. */
static int64_t chunk_begin(int64_t length, int32_t chunks, int64_t c) {
  const int64_t each = length / chunks, rest = length % chunks;
  return c * each + (c < rest ? c : rest);
}

int64_t portable__sort_chunk(const struct portable__sort *s, int64_t chunk) { return chunk_begin(s->length, s->chunks, chunk); }

/* A whole line, past the caches where that is asked. Both are aligned to its size. */
static inline void put_line(void *to, const void *line, int32_t around) {
#if defined(__SSE2__)
  if (around) {
    for (int i = 0; i < LINE / 16; i++) _mm_stream_si128((__m128i *)to + i, _mm_load_si128((const __m128i *)line + i));
    return;
  }
#else
  (void)around;
#endif
  memcpy(to, line, LINE);
}

/* Other threads see what went past the caches. */
static inline void put_end(int32_t around) {
#if defined(__SSE2__)
  if (around) _mm_sfence();
#else
  (void)around;
#endif
}

/* The index of the user's for the element that comes at `at`. */
static void put_index(const struct portable__sort *s, int64_t at, int64_t place) {
  char *to = s->values + at * s->value_step;
  const int64_t index = s->lower + place;
  if (s->value_bytes == 4) {
    const int32_t narrow = (int32_t)index;
    memcpy(to, &narrow, sizeof narrow);
  } else {
    memcpy(to, &index, sizeof index);
  }
}

struct pair4 { uint32_t key, rest; };
struct pair8 { uint64_t key, rest; };

/* Whether one of n keys is less than the one before it; mask and other: see portable__sort_order, as signed integers. Comparisons of 64 bits
 * need instructions beyond SSE2. */
#define FALLS(name, signed_type, target)                                                                        \
  target static int name(const signed_type *x, int64_t n, signed_type mask, signed_type other) {                \
    const int top = (int)sizeof(signed_type) * 8 - 1;                                                           \
    signed_type down = 0;                                                                                       \
    if (mask == 0 && other == 0) {                                                                              \
      for (int64_t i = 0; i < n; i++) down |= -(x[i] < x[i - 1]);                                               \
    } else {                                                                                                    \
      for (int64_t i = 0; i < n; i++)                                                                           \
        down |= -((x[i] ^ (x[i] >> top & mask) ^ other) < (x[i - 1] ^ (x[i - 1] >> top & mask) ^ other));       \
    }                                                                                                           \
    return down != 0;                                                                                           \
  }

#ifdef __x86_64__
#define TARGET __attribute__((target("avx2")))
FALLS(falls_4, int32_t, )
FALLS(plain_8, int64_t, )
FALLS(avx2_8, int64_t, TARGET)

static int falls_8(const int64_t *x, int64_t n, int64_t mask, int64_t other) {
  return (portable__processor_has(PORTABLE__AVX2) ? avx2_8 : plain_8)(x, n, mask, other);
}
#else
FALLS(falls_4, int32_t, )
FALLS(falls_8, int64_t, )
#endif

#define FORM(name) name##_key4
#define ROOM_64 0
#define KEY uint32_t
#define SIGNED int32_t
#define ELEMENT uint32_t
#define PAIRS 0
#include "sort_form.h"

#define FORM(name) name##_key8
#define ROOM_64 1
#define KEY uint64_t
#define SIGNED int64_t
#define ELEMENT uint64_t
#define PAIRS 0
#include "sort_form.h"

#define FORM(name) name##_pair4
#define ROOM_64 0
#define KEY uint32_t
#define SIGNED int32_t
#define ELEMENT struct pair4
#define PAIRS 1
#include "sort_form.h"

#define FORM(name) name##_pair8
#define ROOM_64 1
#define KEY uint64_t
#define SIGNED int64_t
#define ELEMENT struct pair8
#define PAIRS 1
#include "sort_form.h"

/* ---- which one ---- */

/* Calls the code for the elements at hand. */
#define EACH(call)                                    \
  switch (s->form) {                                  \
  case PORTABLE__SORT_KEY4: call(key4); break;        \
  case PORTABLE__SORT_KEY8: call(key8); break;        \
  case PORTABLE__SORT_PAIR4: call(pair4); break;      \
  default: call(pair8); break;                        \
  }

uint64_t portable__sort_sample(const struct portable__sort *s) {
  uint64_t differ = 0;
#define CALL(form) differ = sample_##form(s)
  EACH(CALL)
#undef CALL
  return differ;
}

int portable__sort_begins_ordered(const struct portable__sort *s) {
  int ordered = 0;
#define CALL(form) ordered = begins_ordered_##form(s)
  EACH(CALL)
#undef CALL
  return ordered;
}

#define STEP(step)                                                             \
  void portable__sort_##step(struct portable__sort *s, int64_t from, int64_t to) { \
    for (int64_t unit = from; unit < to; unit++) EACH(CALL)                    \
  }

#define CALL(form) check_##form(s, unit)
STEP(check)
#undef CALL
#define CALL(form) count_##form(s, unit)
STEP(count)
#undef CALL
#define CALL(form) scatter_##form(s, unit)
STEP(scatter)
#undef CALL
#define CALL(form) bucket_##form(s, unit)
STEP(buckets)
#undef CALL
#define CALL(form) equal_##form(s, unit)
STEP(equal)
#undef CALL
#define CALL(form) all_##form(s)
STEP(all)
#undef CALL

void portable__sort_places(struct portable__sort *s, int64_t from, int64_t to) {
  for (int64_t c = from; c < to; c++)
    for (int64_t i = chunk_begin(s->count, s->chunks, c); i < chunk_begin(s->count, s->chunks, c + 1); i++) put_index(s, i, i);
}

void portable__sort_return(struct portable__sort *s, int64_t from, int64_t to) {
  for (int64_t c = from; c < to; c++) {
    const int64_t begin = chunk_begin(s->count, s->chunks, c), end = chunk_begin(s->count, s->chunks, c + 1);
    const size_t bytes = (size_t)s->value_bytes;
    if (s->value_step == s->value_bytes) {
      memcpy(s->values + begin * s->value_step, s->moved + begin * s->value_bytes, (size_t)(end - begin) * bytes);
      continue;
    }
    for (int64_t i = begin; i < end; i++) memcpy(s->values + i * s->value_step, s->moved + i * s->value_bytes, bytes);
  }
}

/* A bucket has whole groups: counting them gives the place of each element. */
void portable__sort_group(struct portable__sort *s, int64_t from, int64_t to) {
  const int32_t lower = (int32_t)s->lower;
  int32_t *const key = (int32_t *)(void *)s->keys, *const index = (int32_t *)(void *)s->values;
  for (int64_t d = from; d < to; d++) {
    const uint32_t first = (uint32_t)d << s->shift, behind = (uint32_t)(s->groups + lower);
    const int64_t begin = s->edges[d], end = s->edges[d + 1], groups = least(INT64_C(1) << s->shift, (int64_t)behind - first);
    const struct pair4 *const x = s->b;
    int32_t next[PORTABLE__SORT_GROUPS], at = (int32_t)begin;
    if (groups <= 0) continue;
    memset(next, 0, (size_t)groups * sizeof *next);
    for (int64_t i = begin; i < end; i++) next[x[i].key - first]++;
    for (int64_t g = 0; g < groups; g++) {
      const int32_t here = next[g];
      next[g] = at;
      at += here;
    }
    int32_t *const start = s->start + first - lower;
    for (int64_t g = d ? 0 : lower; g < groups; g++) start[g] = next[g] + lower;
    for (int64_t i = begin; i < end; i++) {
      const struct pair4 e = x[i];
      const int32_t place = next[e.key - first]++;
      key[place] = (int32_t)e.key;
      index[place] = (int32_t)e.rest + lower;
    }
  }
}
