/* componentwise.c - see componentwise.h: axes, and the work on elements along them. Operations are in componentwise_operations.c. */
#include "componentwise.h"

#include "../base/least.h"
#include "../base/past.h"
#include "../base/processor.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* the loops over truth are to be vectorised where they can be */
#endif

#define BLOCK 1024   /* elements whose truth is brought together at a time */
#define LONG_RUN 48  /* elements along the first axis from which on a run is worth a call of its own */
#define ROWS 256     /* of short runs that are worked on together, along the second axis */
#define TILE 64      /* elements, and rows, of a part of an array whose operand lies across */
#define FEW_ROWS 4   /* that are not worth that */
#define LONG_BYTES 1024 /* of a run that is worth going past the caches */

/* ---- axes ---- */

static uint64_t length(int64_t step) { return step < 0 ? 0 - (uint64_t)step : (uint64_t)step; }

/* Whether axis x comes before y: the result's elements are nearer to one another, or the first operand's that says. */
static int faster(const struct portable__component_axis *x, const struct portable__component_axis *y) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++)
    if (length(x->step[k]) != length(y->step[k])) return length(x->step[k]) < length(y->step[k]);
  return 0;
}

static int follows(const struct portable__component_axis *next, const struct portable__component_axis *last) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++)
    if ((uint64_t)next->step[k] != (uint64_t)last->step[k] * (uint64_t)last->extent) return 0;
  return 1;
}

/* Upwards for the result, or for the first operand that has a step there. */
static void turn(struct portable__componentwise *w, struct portable__component_axis *x) {
  int k = 0;
  while (k < PORTABLE__OPERANDS && x->step[k] == 0) k++;
  if (k == PORTABLE__OPERANDS || x->step[k] > 0) return;
  for (k = 0; k < PORTABLE__OPERANDS; k++) {
    if (w->at[k]) w->at[k] += x->step[k] * (x->extent - 1);
    x->step[k] = -x->step[k];
  }
}

/* The second axis: along it short runs are taken together, or it is the one that an operand lies along. */
static void choose_second(struct portable__componentwise *w) {
  int32_t second = 0;
  w->across = 0;
  for (int32_t d = 1; d < w->axes; d++) {
    if (w->axis[0].extent < LONG_RUN) {
      if (second == 0 || w->axis[d].extent > w->axis[second].extent) second = d;
      continue;
    }
    for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++)
      if (w->at[k] && length(w->axis[d].step[k]) < length(w->axis[0].step[k]) &&
          (second == 0 || length(w->axis[d].step[k]) < length(w->axis[second].step[k])))
        second = d;
    w->across = second != 0;
  }
  if (second > 1) {
    struct portable__component_axis x = w->axis[1];
    w->axis[1] = w->axis[second];
    w->axis[second] = x;
  }
}

void portable__component_arrange(struct portable__componentwise *w) {
  struct portable__component_axis in[PORTABLE_LOOP_RANK];
  int32_t axes = 0, last = -1;
  w->count = 1;
  w->across = 0;
  for (int32_t d = 0; d < w->axes; d++) {
    if (w->axis[d].extent == 0) w->count = 0;
    if (w->axis[d].extent == 1) continue;
    int32_t at = axes++;
    for (; at > 0 && faster(&w->axis[d], &in[at - 1]); at--) in[at] = in[at - 1];
    in[at] = w->axis[d];
  }
  for (int32_t d = 0; d < axes && w->count; d++) w->count *= in[d].extent;
  if (axes == 0 || w->count == 0) { /* the axis of one element, or of none */
    w->axes = 1;
    w->axis[0].extent = w->count;
    for (int k = 0; k < PORTABLE__OPERANDS; k++) w->axis[0].step[k] = w->at[k] ? w->bytes[k] : 0;
    return;
  }
  for (int32_t d = 0; d < axes; d++) {
    turn(w, &in[d]);
    if (last >= 0 && follows(&in[d], &w->axis[last]))
      w->axis[last].extent *= in[d].extent;
    else
      w->axis[++last] = in[d];
  }
  w->axes = last + 1;
  choose_second(w);
}

/* ---- places ---- */

/* An element of each operand. */
struct place {
  char *at[PORTABLE__OPERANDS];
  int64_t index[PORTABLE_LOOP_RANK];
};

/* One value is an element that is the same along all axes. */
static void go_to(const struct portable__componentwise *w, int64_t element, struct place *p) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++) p->at[k] = w->at[k] ? w->at[k] : (char *)(uintptr_t)w->value[k];
  for (int32_t d = 0; d < w->axes; d++) {
    int64_t i = d == w->axes - 1 ? element : element % w->axis[d].extent;
    element /= w->axis[d].extent;
    p->index[d] = i;
    for (int k = 0; k < PORTABLE__OPERANDS; k++) p->at[k] += i * w->axis[d].step[k];
  }
}

/* Goes on along an axis, at most to its end. */
static void go_on(const struct portable__componentwise *w, int32_t d, int64_t elements, struct place *p) {
  for (;; d++, elements = 1) {
    const struct portable__component_axis *x = &w->axis[d];
    int64_t moved = elements;
    int ends = (p->index[d] += elements) >= x->extent && d < w->axes - 1;
    if (ends) {
      moved -= p->index[d];
      p->index[d] = 0;
    }
    for (int k = 0; k < PORTABLE__OPERANDS; k++) p->at[k] += moved * x->step[k];
    if (!ends) return;
  }
}

/* ---- truth ---- */

#define TO_TRUTH(type, test)                                     \
  for (int64_t i = 0; i < count; i++, from += step) {            \
    type x;                                                      \
    memcpy(&x, from, sizeof x);                                  \
    to[i] = (unsigned char)((test) != 0);                        \
  }

#define TO_TRUTHS(type, test)                                    \
  if (step == sizeof(type))                                      \
    for (int64_t i = 0; i < count; i++) {                        \
      type x;                                                    \
      memcpy(&x, from + i * (int64_t)sizeof x, sizeof x);        \
      to[i] = (unsigned char)((test) != 0);                      \
    }                                                            \
  else                                                           \
    TO_TRUTH(type, test)                                         \
  break;

static void truth_of(unsigned char *to, const char *from, int64_t step, int64_t count, int64_t bytes, int how) {
  if (how == PORTABLE__TRUTH_REAL) {
    switch (bytes) {
    case 4: TO_TRUTHS(uint32_t, x << 1)
    default: TO_TRUTHS(uint64_t, x << 1)
    }
    return;
  }
  switch (bytes) {
  case 1: TO_TRUTHS(uint8_t, x)
  case 2: TO_TRUTHS(uint16_t, x)
  case 4: TO_TRUTHS(uint32_t, x)
  default: TO_TRUTHS(uint64_t, x)
  }
}

#define FROM_TRUTHS(type)                                        \
  if (step == sizeof(type))                                      \
    for (int64_t i = 0; i < count; i++) {                        \
      type x = from[i];                                          \
      memcpy(to + i * (int64_t)sizeof x, &x, sizeof x);          \
    }                                                            \
  else                                                           \
    for (int64_t i = 0; i < count; i++, to += step) {            \
      type x = from[i];                                          \
      memcpy(to, &x, sizeof x);                                  \
    }                                                            \
  break;

static void logical_of(char *to, int64_t step, const unsigned char *from, int64_t count, int64_t bytes) {
  switch (bytes) {
  case 1: FROM_TRUTHS(uint8_t)
  case 2: FROM_TRUTHS(uint16_t)
  case 4: FROM_TRUTHS(uint32_t)
  default: FROM_TRUTHS(uint64_t)
  }
}

/* ---- elements along an axis ---- */

/* How an operand becomes what the operation takes. */
static int truth_how(const struct portable__componentwise *w, int k) {
  if (k == PORTABLE__RESULT) return w->operation->truth && w->bytes[k] != 1 ? PORTABLE__TRUTH : PORTABLE__AS_IT_IS;
  return !w->bytes[k] ? PORTABLE__AS_IT_IS : k == PORTABLE__MASK ? PORTABLE__TRUTH : w->operation->operands;
}

/* Brings truth together, applies, and takes it apart, a block at a time. */
static void apply_blocks(const struct portable__componentwise *w, portable__apply apply, const int *how, char *const *at, const int64_t *step,
                         int64_t count) {
  unsigned char block[PORTABLE__OPERANDS][BLOCK];
  char *from[PORTABLE__OPERANDS];
  int64_t steps[PORTABLE__OPERANDS];
  for (int64_t done = 0, n; done < count; done += n) {
    n = least(count - done, BLOCK);
    for (int k = 0; k < PORTABLE__OPERANDS; k++) {
      from[k] = at[k] + done * step[k];
      steps[k] = step[k];
      if (how[k] == PORTABLE__AS_IT_IS) continue;
      if (k != PORTABLE__RESULT) truth_of(block[k], from[k], step[k], n, w->bytes[k], how[k]);
      from[k] = (char *)block[k];
      steps[k] = 1;
    }
    apply(from, steps, n);
    if (how[PORTABLE__RESULT] != PORTABLE__AS_IT_IS)
      logical_of(at[PORTABLE__RESULT] + done * step[PORTABLE__RESULT], step[PORTABLE__RESULT], block[PORTABLE__RESULT], n,
                 w->bytes[PORTABLE__RESULT]);
  }
}

/* Facts that a range needs once. */
struct way {
  int how[PORTABLE__OPERANDS], blocks; /* some operand is brought together */
  int alike;                           /* all bytes of the value that fills */
  int streams;                         /* the result is much, and goes past the caches; memset needs no help */
};

static void fill(char *to, int64_t step, int64_t count, const char *value, int64_t bytes, int alike);

/* Asks for what a block reads behind `from`: Intel's processors do not while they store past the caches, others do. */
static void ask(const char *from, int64_t bytes) {
  for (int64_t b = 1024; b < 1024 + bytes; b += 64) __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)b));
}

/* A result that is much: each block of it is made in the first-level cache. */
static void stream_along(const struct portable__componentwise *w, const struct way *way, char *const *at, int64_t count) {
  _Alignas(64) char block[PORTABLE__PAST_BLOCK];
  const int64_t *step = w->axis[0].step, bytes = w->bytes[PORTABLE__RESULT];
  const int asks = portable__processor_has(PORTABLE__INTEL);
  char *from[PORTABLE__OPERANDS];
  if (!w->operation) fill(block, bytes, least(count, PORTABLE__PAST_BLOCK / bytes), (const char *)(w + 1), bytes, 0);
  for (int64_t done = 0, n; done < count; done += n) {
    char *to = at[PORTABLE__RESULT] + done * bytes;
    n = least(count - done, portable__past_block(to) / bytes);
    if (w->operation) {
      for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++) {
        from[k] = at[k] + done * step[k];
        if (asks && step[k] == w->bytes[k]) ask(from[k], n * step[k]);
      }
      from[PORTABLE__RESULT] = block;
      way->blocks ? apply_blocks(w, w->operation->apply, way->how, from, step, n) : w->operation->apply(from, step, n);
    }
    portable__past_store(to, block, n * bytes);
  }
}

static void along(const struct portable__componentwise *w, const struct way *way, int32_t d, char *const *at, int64_t count) {
  const int64_t *step = w->axis[d].step;
  if (way->streams && d == 0 && count * w->bytes[PORTABLE__RESULT] >= LONG_BYTES)
    stream_along(w, way, at, count);
  else if (!w->operation)
    fill(at[PORTABLE__RESULT], step[PORTABLE__RESULT], count, (const char *)(w + 1), w->bytes[PORTABLE__RESULT], way->alike);
  else if (way->blocks)
    apply_blocks(w, w->operation->apply, way->how, at, step, count);
  else
    w->operation->apply(at, step, count);
}

static void step_to(const struct portable__componentwise *w, int32_t d, int64_t elements, char *const *at, char **to) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++) to[k] = at[k] + elements * w->axis[d].step[k];
}

/* Whole runs, of which there are `rows` along the second axis. */
static void rows_of(const struct portable__componentwise *w, const struct way *way, int64_t rows, char *const *at) {
  char *corner[PORTABLE__OPERANDS], *row[PORTABLE__OPERANDS];
  int64_t extent = w->axis[0].extent;
  if (!w->across) {
    for (int64_t i = 0; i < extent; i++) {
      step_to(w, 0, i, at, corner);
      along(w, way, 1, corner, rows);
    }
    return;
  }
  for (int64_t i = 0; i < extent; i += TILE) {
    step_to(w, 0, i, at, corner);
    for (int64_t r = 0; r < rows; r++) {
      step_to(w, 1, r, corner, row);
      along(w, way, 0, row, least(TILE, extent - i));
    }
  }
}

/* ---- fills ---- */

#define EACH(bytes, step)                                        \
  for (int64_t i = 0; i < count; i++) memcpy(to + i * (step), value, bytes)

#define FILL(type)                                               \
  {                                                              \
    type x;                                                      \
    memcpy(&x, value, sizeof x);                                 \
    if (step == sizeof x)                                        \
      for (int64_t i = 0; i < count; i++) memcpy(to + i * (int64_t)sizeof x, &x, sizeof x); \
    else                                                         \
      for (int64_t i = 0; i < count; i++) memcpy(to + i * step, &x, sizeof x); \
  }

static void fill(char *to, int64_t step, int64_t count, const char *value, int64_t bytes, int alike) {
  if (alike && step == bytes) {
    memset(to, *value, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1: FILL(uint8_t) break;
  case 2: FILL(uint16_t) break;
  case 4: FILL(uint32_t) break;
  case 8: FILL(uint64_t) break;
  default: EACH((size_t)bytes, step);
  }
}

/* ---- ranges ---- */

/* Results in their operands' places are in the cache already; those that each take a call wait for that. */
static int streams(const struct portable__componentwise *w) {
  const int64_t bytes = w->bytes[PORTABLE__RESULT];
  if (w->count < portable__past_from / bytes || w->across || w->axis[0].step[PORTABLE__RESULT] != bytes || bytes > PORTABLE__PAST_BLOCK / 8 ||
      w->axis[0].extent * bytes < LONG_BYTES || (w->operation && w->operation->slow))
    return 0;
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++)
    if (w->at[k] == w->at[PORTABLE__RESULT]) return 0;
  return 1;
}

static struct way way_of(const struct portable__componentwise *w) {
  struct way way = {.blocks = 0};
  const char *value = (const char *)(w + 1);
  way.streams = streams(w);
  if (!w->operation) {
    way.alike = !memcmp(value, value + 1, (size_t)(w->bytes[PORTABLE__RESULT] - 1));
    way.streams &= !way.alike;
    return way;
  }
  for (int k = 0; k < PORTABLE__OPERANDS; k++) way.blocks |= way.how[k] = truth_how(w, k);
  return way;
}

void portable__component_range(const struct portable__componentwise *w, int64_t from, int64_t to) {
  if (from >= to) return;
  const struct way way = way_of(w);
  const int64_t extent = w->axis[0].extent;
  const int grouped = w->axes > 1 && (w->across || extent < LONG_RUN);
  struct place p;
  go_to(w, from, &p);
  for (int64_t left = to - from; left > 0;) {
    int64_t rows = grouped && p.index[0] == 0 ? least(least(left / extent, w->axis[1].extent - p.index[1]), w->across ? TILE : ROWS) : 0;
    if (rows >= FEW_ROWS) {
      rows_of(w, &way, rows, p.at);
      go_on(w, 1, rows, &p);
      left -= rows * extent;
      continue;
    }
    int64_t n = least(left, extent - p.index[0]);
    along(w, &way, 0, p.at, n);
    go_on(w, 0, n, &p);
    left -= n;
  }
  if (way.streams) portable__past_end();
}

int64_t portable__component_fault(const struct portable__componentwise *w, int64_t from, int64_t to) {
  char truth[BLOCK], *at[PORTABLE__OPERANDS];
  int64_t step[PORTABLE__OPERANDS];
  struct place p;
  if (from >= to || !w->operation->fault) return -1;
  go_to(w, from, &p);
  for (int64_t n; from < to; from += n) {
    n = least(least(to - from, w->axis[0].extent - p.index[0]), BLOCK);
    memcpy(at, p.at, sizeof at);
    memcpy(step, w->axis[0].step, sizeof step);
    at[PORTABLE__RESULT] = truth;
    step[PORTABLE__RESULT] = 1;
    w->operation->fault(at, step, n);
    const char *found = memchr(truth, 1, (size_t)n);
    if (found) return from + (found - truth);
    go_on(w, 0, n, &p);
  }
  return -1;
}
