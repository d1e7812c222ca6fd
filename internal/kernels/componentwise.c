/* componentwise.c - see componentwise.h: axes, blocks, what lies apart in memory is brought together and taken apart again. Operations
 * are in componentwise_operations.c. */
#include "componentwise.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* the loops that carry elements are to be vectorised where they can be */
#endif

#define BLOCK_BYTES 4096 /* of an operand, brought together at a time */
#define LONG_RUN 48      /* elements along the fastest axis from which on a run is worth a call of its own */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

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

void portable__component_arrange(struct portable__componentwise *w) {
  struct portable__component_axis in[PORTABLE_LOOP_RANK];
  int32_t axes = 0, last = -1;
  w->count = 1;
  for (int32_t d = 0; d < w->axes; d++) {
    if (w->axis[d].extent == 0) w->count = 0;
    if (w->axis[d].extent == 1) continue;
    int32_t at = axes++;
    for (; at > 0 && faster(&w->axis[d], &in[at - 1]); at--) in[at] = in[at - 1];
    in[at] = w->axis[d];
  }
  for (int32_t d = 0; d < axes && w->count; d++) w->count *= in[d].extent;
  if (axes == 0 || w->count == 0) {
    w->axes = 1; /* all steps are those of one element, or none is made */
    if (axes == 0) w->axis[0] = (struct portable__component_axis){.extent = 1};
    if (w->count == 0) w->axis[0].extent = 0;
    for (int k = 0; k < PORTABLE__OPERANDS; k++) w->axis[0].step[k] = w->bytes[k];
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
}

/* ---- places ---- */

/* An element of each operand. */
struct place {
  char *at[PORTABLE__OPERANDS];
  int64_t index[PORTABLE_LOOP_RANK];
};

static void go_to(const struct portable__componentwise *w, int64_t element, struct place *p) {
  for (int k = 0; k < PORTABLE__OPERANDS; k++) p->at[k] = w->at[k];
  for (int32_t d = 0; d < w->axes; d++) {
    int64_t i = d == w->axes - 1 ? element : element % w->axis[d].extent;
    element /= w->axis[d].extent;
    p->index[d] = i;
    for (int k = 0; k < PORTABLE__OPERANDS; k++)
      if (w->at[k]) p->at[k] += i * w->axis[d].step[k];
  }
}

/* Goes on along the first axis, at most to its end. */
static void go_on(const struct portable__componentwise *w, int64_t elements, struct place *p) {
  for (int32_t d = 0;; d++, elements = 1) {
    const struct portable__component_axis *x = &w->axis[d];
    int64_t moved = elements;
    int ends = (p->index[d] += elements) >= x->extent && d < w->axes - 1;
    if (ends) {
      moved -= p->index[d];
      p->index[d] = 0;
    }
    for (int k = 0; k < PORTABLE__OPERANDS; k++)
      if (w->at[k]) p->at[k] += moved * x->step[k];
    if (!ends) return;
  }
}

/* ---- bringing together, and taking apart ---- */

#define COPY(bytes, to_step, from_step)                          \
  for (int64_t i = 0; i < count; i++, to += to_step, from += from_step) memcpy(to, from, bytes)

/* A step that is known makes the loop half as long. */
#define COPIES(bytes)                                            \
  if (to_step == bytes)                                          \
    COPY(bytes, bytes, from_step);                               \
  else if (from_step == bytes)                                   \
    COPY(bytes, to_step, bytes);                                 \
  else                                                           \
    COPY(bytes, to_step, from_step);                             \
  break

static void copy(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count, int64_t bytes) {
  if (from_step == bytes && to_step == bytes && count > 4) {
    memcpy(to, from, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 1: COPIES(1);
  case 2: COPIES(2);
  case 4: COPIES(4);
  case 8: COPIES(8);
  case 16: COPIES(16);
  default: COPY((size_t)bytes, to_step, from_step);
  }
}

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

/* ---- operands ---- */

static int truth_how(const struct portable__componentwise *w, int k) {
  return k == PORTABLE__MASK ? PORTABLE__TRUTH : k == PORTABLE__RESULT ? PORTABLE__AS_IT_IS : w->operation->operands;
}

/* Elements of an operand along the first axis into a block. */
static void bring_run(const struct portable__componentwise *w, int k, const char *from, int64_t count, char *block, int how) {
  if (how == PORTABLE__AS_IT_IS)
    copy(block, w->bytes[k], from, w->axis[0].step[k], count, w->bytes[k]);
  else
    truth_of((unsigned char *)block, from, w->axis[0].step[k], count, w->bytes[k], how);
}

static void put_run(const struct portable__componentwise *w, char *to, int64_t count, const char *block) {
  if (w->operation->truth)
    logical_of(to, w->axis[0].step[PORTABLE__RESULT], (const unsigned char *)block, count, w->bytes[PORTABLE__RESULT]);
  else
    copy(to, w->axis[0].step[PORTABLE__RESULT], block, w->bytes[PORTABLE__RESULT], count, w->bytes[PORTABLE__RESULT]);
}

/* The next elements of an operand, over several runs, into a block, or out of it. */
static void carry(const struct portable__componentwise *w, int k, const struct place *p, int64_t count, char *block) {
  int64_t index[PORTABLE_LOOP_RANK], bytes = w->bytes[k];
  int how = truth_how(w, k);
  char *at = p->at[k];
  if (how != PORTABLE__AS_IT_IS || (k == PORTABLE__RESULT && w->operation->truth)) bytes = 1;
  memcpy(index, p->index, sizeof index[0] * (size_t)w->axes);
  for (;;) {
    int64_t run = least(count, w->axis[0].extent - index[0]);
    if (k == PORTABLE__RESULT)
      put_run(w, at, run, block);
    else
      bring_run(w, k, at, run, block, how);
    if ((count -= run) == 0) return;
    block += run * bytes;
    at -= index[0] * w->axis[0].step[k];
    index[0] = 0;
    for (int32_t d = 1;; d++) {
      at += w->axis[d].step[k];
      if (++index[d] < w->axis[d].extent || d == w->axes - 1) break;
      at -= index[d] * w->axis[d].step[k];
      index[d] = 0;
    }
  }
}

/* Whether elements along the first axis are as an operation takes them: one behind the other, at addresses that suit them. */
static int lies_ready(const struct portable__componentwise *w, int k, const char *at) {
  int64_t bytes = w->bytes[k];
  if (w->axis[0].step[k] != bytes || (uintptr_t)at % (uintptr_t)(bytes < 8 ? bytes : 8)) return 0;
  if (k == PORTABLE__RESULT) return !w->operation->truth || bytes == 1;
  return truth_how(w, k) == PORTABLE__AS_IT_IS;
}

struct blocks {
  _Alignas(64) char of[PORTABLE__OPERANDS][BLOCK_BYTES];
};

/* Elements of a block: as many as fit for each operand. */
static int64_t block_count(const struct portable__componentwise *w) {
  int64_t bytes = 1;
  for (int k = 0; k < PORTABLE__OPERANDS; k++)
    if (w->bytes[k] > bytes) bytes = w->bytes[k];
  return BLOCK_BYTES / bytes;
}

/* Fills the blocks of operands that are one value. 1: there are some. */
static int repeat_values(const struct portable__componentwise *w, int64_t count, struct blocks *b) {
  int some = 0;
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++) {
    if (w->at[k] || !w->bytes[k]) continue;
    some = 1;
    if (truth_how(w, k) == PORTABLE__AS_IT_IS)
      copy(b->of[k], w->bytes[k], (const char *)w->value[k], 0, count, w->bytes[k]);
    else
      truth_of((unsigned char *)b->of[k], (const char *)w->value[k], 0, count, w->bytes[k], truth_how(w, k));
  }
  return some;
}

/* Brings the next elements of all operands together where they are not, and says where they are. Gives how many there are: at most
 * `most`, which fit a block; or `left` where no block is needed. runs: elements of several runs may be in a block. */
static int64_t operands_at(const struct portable__componentwise *w, const struct place *p, int64_t left, int64_t most, int runs, int values,
                           struct blocks *b, const void *operand[PORTABLE__OPERANDS]) {
  int64_t run = w->axis[0].extent - p->index[0];
  int ready[PORTABLE__OPERANDS], all = !values;
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++) {
    ready[k] = w->at[k] && (!runs || run >= most) && lies_ready(w, k, p->at[k]);
    all &= ready[k] || !w->bytes[k];
  }
  all &= w->at[PORTABLE__RESULT] != NULL && !runs && lies_ready(w, PORTABLE__RESULT, p->at[PORTABLE__RESULT]);
  int64_t n = least(left, all ? run : runs ? most : least(most, run));
  for (int k = PORTABLE__A; k < PORTABLE__OPERANDS; k++) {
    operand[k] = ready[k] ? (const void *)p->at[k] : b->of[k];
    if (w->at[k] && !ready[k]) carry(w, k, p, n, b->of[k]);
  }
  return n;
}

/* Goes on by elements of several runs. */
static void pass(const struct portable__componentwise *w, int64_t count, struct place *p) {
  while (count > 0) {
    int64_t run = least(count, w->axis[0].extent - p->index[0]);
    go_on(w, run, p);
    count -= run;
  }
}

/* ---- fills ---- */

#define FILL(type)                                               \
  {                                                              \
    type x;                                                      \
    memcpy(&x, value, sizeof x);                                 \
    for (int64_t i = 0; i < count; i++) memcpy(to + i * (int64_t)sizeof x, &x, sizeof x); \
  }

/* alike: all bytes of the value are. */
static void fill_run(char *to, int64_t step, int64_t count, const char *value, int64_t bytes, int alike) {
  if (step != bytes) {
    copy(to, step, value, 0, count, bytes);
    return;
  }
  if (alike) {
    memset(to, *value, (size_t)(count * bytes));
    return;
  }
  switch (bytes) {
  case 2: FILL(uint16_t) break;
  case 4: FILL(uint32_t) break;
  case 8: FILL(uint64_t) break;
  default: copy(to, step, value, 0, count, bytes); break;
  }
}

static void fill(const struct portable__componentwise *w, int64_t from, int64_t to) {
  const char *value = (const char *)(w + 1);
  int64_t bytes = w->bytes[PORTABLE__RESULT];
  int alike = !memcmp(value, value + 1, (size_t)(bytes - 1));
  struct place p;
  go_to(w, from, &p);
  for (int64_t left = to - from, n; left > 0; left -= n) {
    n = least(left, w->axis[0].extent - p.index[0]);
    fill_run(p.at[PORTABLE__RESULT], w->axis[0].step[PORTABLE__RESULT], n, value, bytes, alike);
    go_on(w, n, &p);
  }
}

/* ---- ranges ---- */

void portable__component_range(const struct portable__componentwise *w, int64_t from, int64_t to) {
  struct blocks b;
  struct place p;
  const void *operand[PORTABLE__OPERANDS];
  if (from >= to) return;
  if (!w->operation) {
    fill(w, from, to);
    return;
  }
  int64_t most = block_count(w);
  int values = repeat_values(w, least(most, to - from), &b), runs = w->axis[0].extent < LONG_RUN && w->axes > 1;
  go_to(w, from, &p);
  for (int64_t left = to - from, n; left > 0; left -= n) {
    n = operands_at(w, &p, left, most, runs, values, &b, operand);
    int direct = !runs && lies_ready(w, PORTABLE__RESULT, p.at[PORTABLE__RESULT]);
    w->operation->apply(direct ? (void *)p.at[PORTABLE__RESULT] : b.of[PORTABLE__RESULT], operand[PORTABLE__A], operand[PORTABLE__B],
                        operand[PORTABLE__MASK], n);
    if (!direct) carry(w, PORTABLE__RESULT, &p, n, b.of[PORTABLE__RESULT]);
    pass(w, n, &p);
  }
}

int64_t portable__component_fault(const struct portable__componentwise *w, int64_t from, int64_t to) {
  struct blocks b;
  struct place p;
  const void *operand[PORTABLE__OPERANDS];
  if (from >= to || !w->operation->fault) return -1;
  int64_t most = block_count(w);
  int runs = w->axis[0].extent < LONG_RUN && w->axes > 1;
  repeat_values(w, least(most, to - from), &b);
  go_to(w, from, &p);
  for (int64_t n; from < to; from += n) {
    n = operands_at(w, &p, to - from, most, runs, 1, &b, operand);
    w->operation->fault(b.of[PORTABLE__RESULT], operand[PORTABLE__A], operand[PORTABLE__B], NULL, n);
    const char *found = memchr(b.of[PORTABLE__RESULT], 1, (size_t)n);
    if (found) return from + (found - b.of[PORTABLE__RESULT]);
    pass(w, n, &p);
  }
  return -1;
}
