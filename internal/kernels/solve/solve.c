/* solve.c - see solve.h: groups of systems, and where their elements are. Main function: portable__solve_range. Systems that lie side by side
 * are read and written in place; others are brought together, a block of rows at a time. The arithmetic is in solve_form.h. Threads: any. */
#include "solve.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "../../../capi/include/kernel/portable_solvers.h"
#include "../base/least.h"
#include "../base/processor.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O2", "fp-contract=off")
#endif

#define ROWS 32             /* of a block that is brought together */
#define CACHED (256 << 10)  /* bytes of a group: they stay in the second-level cache */
#define WIDEST 128          /* systems of a group */
#define WIDEST_APART 32     /* the same, if they are brought together */
#define GROUPS_ENOUGH 4     /* for each thread */
#define AHEAD 2             /* rows that are asked for beforehand */
#define PAGE 64             /* alignment */

/* A group of systems. */
struct cut {
  int64_t width; /* systems of the group */
  int64_t n, m;  /* rows; those that are not at the border */
  int borders;
  int near;      /* the rows were brought together: they are in the cache */
  int cold;      /* no group before has asked for the operands */
  /* The operands of the next group: elimination asks for half of them, back substitution for the rest, so that the memory is never idle. */
  int next;
  uintptr_t ahead[PORTABLE__SOLVE_OPERANDS]; /* no pointers: there may be no next group */
  int64_t ahead_pitch[PORTABLE__SOLVE_OPERANDS];
};

struct bands {
  const char *in[PORTABLE__SOLVE_BANDS];
  int64_t pitch[PORTABLE__SOLVE_BANDS]; /* bytes from row to row */
};

struct rows {
  const char *from;
  char *to;
  int64_t from_pitch, to_pitch;
};

struct form {
  void (*begin)(const struct cut *c, const struct bands *b, void *state);
  int (*eliminate[2])(const struct cut *c, int64_t from, int64_t to, const struct bands *b, const struct rows *d, void *factors, void *state, void *work);
  void (*substitute[2])(const struct cut *c, const struct rows *d, const void *factors, const void *state, void *work);
};

/* The slots of a row of factors: what back substitution needs, in periodic systems with the columns of the border; if all systems share
 * the factors, also those below the pivots, and in the rows of the border. */
enum { PIVOTS, UPPER, UPPER2 };
#define EDGE(band) ((band) + 1)
#define LOWER(band, periodic) ((band) + 1 + ((periodic) ? (band) : 0))
#define BELOW(band, periodic) (LOWER(band, periodic) + (band))
#define SLOTS(band, periodic, one) (LOWER(band, periodic) + ((one) ? ((periodic) ? 2 : 1) * (band) : 0))
/* The slots of the state: the block at the corner; the rest of the rows of the border; these rows. */
enum { BLOCK, SIDE = 4, LAST = 8, STATE = LAST + 2 * PORTABLE__SOLVE_BANDS };

#define T double
#define I int64_t
#define NOT_A_NUMBER (INT64_C(0x7FF8) << 48)
#define TARGET
#define VECTOR 16
#define WIDE(name) name##_64
#include "solve_form.h"
#undef WIDE
#undef T
#undef I
#undef NOT_A_NUMBER
#define T float
#define I int32_t
#define NOT_A_NUMBER (INT32_C(0x7FC0) << 16)
#define WIDE(name) name##_32
#include "solve_form.h"
#undef WIDE

#if defined(__x86_64__)
#undef TARGET
#undef VECTOR
#define TARGET __attribute__((target("avx2")))
#define VECTOR 32
#define WIDE(name) name##_32_avx2
#include "solve_form.h"
#undef WIDE
#undef T
#undef I
#undef NOT_A_NUMBER
#define T double
#define I int64_t
#define NOT_A_NUMBER (INT64_C(0x7FF8) << 48)
#define WIDE(name) name##_64_avx2
#include "solve_form.h"
#undef WIDE
#endif

static const struct form *form_of(const struct portable__solve *s) {
#if defined(__x86_64__)
  if (portable__processor_has(PORTABLE__AVX2))
    return s->bytes == 8 ? &forms_64_avx2[s->band - 1][s->periodic] : &forms_32_avx2[s->band - 1][s->periodic];
#endif
  return s->bytes == 8 ? &forms_64[s->band - 1][s->periodic] : &forms_32[s->band - 1][s->periodic];
}

/* ---- memory ---- */

static int64_t up(int64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* A row in all slots, with right-hand sides. */
static int64_t row_bytes(const struct portable__solve *s, int64_t width) {
  return (s->one ? 1 : SLOTS(s->band, s->periodic, 0) + 1) * width * s->bytes;
}

static int64_t state_bytes(int64_t width) { return STATE * width * (int64_t)sizeof(double); }
static int64_t block_bytes(const struct portable__solve *s) { return (2 * s->band + 1) * ROWS * WIDEST_APART * s->bytes; }

/* The parts: state, block, right-hand sides, factors; or 10 numbers a row of one system. */
int64_t portable__solve_scratch_bytes(const struct portable__solve *s) {
  int64_t bytes;
  const int64_t column = 10 * s->bytes, group = row_bytes(s, s->width), a_row = s->systems > 1 && group > column ? group : column;
  const int64_t more = state_bytes(s->width) + block_bytes(s) + 4 * PAGE;
  return __builtin_mul_overflow(a_row, s->n, &bytes) || __builtin_add_overflow(bytes, more, &bytes) ? -1 : up(bytes);
}

int64_t portable__solve_factors_bytes(const struct portable__solve *s) {
  int64_t bytes;
  const int64_t a_row = SLOTS(s->band, s->periodic, 1) * PORTABLE__SOLVE_LANES * s->bytes;
  return __builtin_mul_overflow(a_row, s->n, &bytes) || __builtin_add_overflow(bytes, state_bytes(PORTABLE__SOLVE_LANES), &bytes) ? -1 : up(bytes);
}

/* Where the systems of a group begin, in bytes from the first element of each operand. */
struct lanes {
  int64_t count, width; /* systems; lanes, a multiple of the least number */
  int64_t offset[WIDEST_APART][PORTABLE__SOLVE_OPERANDS];
};

/* System `system`; index gets its place on the axes. */
static int64_t locate(const struct portable__solve *s, int64_t system, int64_t *index, int64_t *offset) {
  int64_t number = 0;
  memset(offset, 0, PORTABLE__SOLVE_OPERANDS * sizeof *offset);
  for (int32_t a = 0; a < s->axes; a++) {
    const struct portable__solve_axis *axis = &s->axis[a];
    const int64_t i = index[a] = a == s->axes - 1 ? system : system % axis->extent;
    system /= axis->extent;
    number += i * axis->weight;
    for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) offset[k] += i * axis->step[k];
  }
  return number;
}

/* Copies elements that lie `step` bytes apart to places that lie to_step bytes apart. */
static void move(char *to, int64_t to_step, const char *from, int64_t step, int64_t count, int32_t bytes) {
  if (bytes == 8)
    for (int64_t i = 0; i < count; i++, to += to_step, from += step) memcpy(to, from, 8);
  else
    for (int64_t i = 0; i < count; i++, to += to_step, from += step) memcpy(to, from, 4);
}

#if defined(__SSE2__)
/* Turns contiguous lanes to rows of lanes, or back: two by two, or four by four. */
static int64_t turn8(char *const *lane, int64_t width, char *rows, int64_t count, int back) {
  const int64_t pitch = width * 8, done = count / 2 * 2;
  const int64_t next = back ? 0 : width * (lane[1] - lane[0]); /* of the next group, which is asked for now */
  for (int64_t l = 0; l < width; l += 2) {
    char *const a = lane[l], *const b = lane[l + 1];
    for (int64_t i = 0; i < done; i += 2) {
      if (next && i % 8 == 0) {
        __builtin_prefetch((const char *)((uintptr_t)a + (uintptr_t)(next + i * 8)));
        __builtin_prefetch((const char *)((uintptr_t)b + (uintptr_t)(next + i * 8)));
      }
      double *const upper = (double *)(void *)(rows + i * pitch + l * 8), *const lower = (double *)(void *)(rows + (i + 1) * pitch + l * 8);
      const __m128d x = _mm_loadu_pd(back ? upper : (const double *)(const void *)(a + i * 8));
      const __m128d y = _mm_loadu_pd(back ? lower : (const double *)(const void *)(b + i * 8));
      _mm_storeu_pd(back ? (double *)(void *)(a + i * 8) : upper, _mm_unpacklo_pd(x, y));
      _mm_storeu_pd(back ? (double *)(void *)(b + i * 8) : lower, _mm_unpackhi_pd(x, y));
    }
  }
  return done;
}
static int64_t turn4(char *const *lane, int64_t width, char *rows, int64_t count, int back) {
  const int64_t pitch = width * 4, done = count / 4 * 4;
  const int64_t next = back ? 0 : width * (lane[1] - lane[0]);
  for (int64_t l = 0; l < width; l += 4)
    for (int64_t i = 0; i < done; i += 4) {
      __m128 x[4];
      for (int k = 0; k < 4 && next && i % 16 == 0; k++) __builtin_prefetch((const char *)((uintptr_t)lane[l + k] + (uintptr_t)(next + i * 4)));
      for (int k = 0; k < 4; k++) x[k] = _mm_loadu_ps((const float *)(const void *)(back ? rows + (i + k) * pitch + l * 4 : lane[l + k] + i * 4));
      _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
      for (int k = 0; k < 4; k++) _mm_storeu_ps((float *)(void *)(back ? lane[l + k] + i * 4 : rows + (i + k) * pitch + l * 4), x[k]);
    }
  return done;
}
#endif

/* Moves whole rows of all lanes, where each lane is contiguous: from lane[...] to rows, or back. Gives how many are done. */
static int64_t turn(const struct portable__solve *s, int k, const struct lanes *l, int64_t from, int64_t count, char *rows, int back) {
#if defined(__SSE2__)
  char *lane[WIDEST_APART];
  if (s->step[k] != s->bytes || l->count < l->width) return 0;
  for (int64_t i = 0; i < l->width; i++) lane[i] = s->at[k] + l->offset[i][k] + from * s->bytes;
  return s->bytes == 8 ? turn8(lane, l->width, rows, count, back) : turn4(lane, l->width, rows, count, back);
#else
  (void)s, (void)k, (void)l, (void)from, (void)count, (void)rows, (void)back;
  return 0;
#endif
}

/* So many rows of operand k in all lanes, brought together; lanes without a system get `rest`. */
static void bring(const struct portable__solve *s, int k, const struct lanes *l, int64_t from, int64_t rows, char *to, double rest) {
  const int64_t pitch = l->width * s->bytes, done = turn(s, k, l, from, rows, to, 0);
  union {
    double real64;
    float real32;
  } same;
  if (s->bytes == 8)
    same.real64 = rest;
  else
    same.real32 = (float)rest;
  from += done, rows -= done, to += done * pitch;
  for (int64_t lane = 0; lane < l->width && rows > 0; lane++) {
    char *const here = to + lane * s->bytes;
    if (lane < l->count)
      move(here, pitch, s->at[k] + l->offset[lane][k] + from * s->step[k], s->step[k], rows, s->bytes);
    else
      move(here, pitch, (const char *)&same, 0, rows, s->bytes);
  }
}

/* The solutions of the lanes go to their places. */
static void send(const struct portable__solve *s, const struct lanes *l, char *from) {
  const int64_t pitch = l->width * s->bytes, done = turn(s, PORTABLE__SOLVE_RHS, l, 0, s->n, from, 1), step = s->step[PORTABLE__SOLVE_RHS];
  for (int64_t lane = 0; lane < l->count && done < s->n; lane++)
    move(s->at[PORTABLE__SOLVE_RHS] + l->offset[lane][PORTABLE__SOLVE_RHS] + done * step, step, from + done * pitch + lane * s->bytes, pitch, s->n - done,
         s->bytes);
}

/* ---- groups ---- */

static struct cut cut_of(const struct portable__solve *s, int64_t width, int near) {
  const int borders = s->periodic ? (int)least(s->band, s->n) : 0;
  return (struct cut){.width = width, .n = s->n, .m = s->n - borders, .borders = borders, .near = near};
}

/* Eliminates the lanes. 1: a pivot is 0. */
static int eliminate_lanes(const struct portable__solve *s, const struct form *form, const struct lanes *l, char *state, char *block, char *factors,
                           char *work) {
  const int64_t pitch = l->width * s->bytes;
  const struct cut c = cut_of(s, l->width, 1);
  const struct rows d = {work, work, pitch, pitch};
  struct bands b;
  const int bands = 2 * s->band + 1;
  int seen = 0;
  for (int k = 0; k < bands; k++) {
    b.in[k] = block + k * ROWS * pitch;
    b.pitch[k] = pitch;
    bring(s, k, l, c.m, c.borders, block + k * ROWS * pitch, k == s->band);
  }
  form->begin(&c, &b, state);
  for (int64_t from = 0; from < c.m || from == 0; from += ROWS) {
    const int64_t rows = least(ROWS, c.m - from);
    for (int k = 0; k < bands; k++) bring(s, k, l, from, rows, block + k * ROWS * pitch, k == s->band);
    seen |= form->eliminate[s->one](&c, from, from + rows, &b, &d, factors, state, work);
  }
  return seen;
}

static const char *shared_state(const struct portable__solve *s) {
  return (const char *)s->factors + s->n * SLOTS(s->band, s->periodic, 1) * PORTABLE__SOLVE_LANES * s->bytes;
}

/* 1: a pivot is 0. */
static int solve_lanes(const struct portable__solve *s, const struct form *form, const struct lanes *l, char *scratch) {
  const struct cut c = cut_of(s, l->width, 1);
  const int64_t pitch = l->width * s->bytes;
  char *const state = scratch, *const block = state + up(state_bytes(l->width)), *const work = block + up(block_bytes(s));
  char *const factors = work + s->n * pitch;
  const struct rows d = {work, work, pitch, pitch};
  int seen = 0;
  bring(s, PORTABLE__SOLVE_RHS, l, 0, s->n, work, 0);
  if (s->one) {
    form->substitute[1](&c, &d, s->factors, shared_state(s), work);
  } else {
    seen = eliminate_lanes(s, form, l, state, block, factors, work);
    form->substitute[0](&c, &d, factors, state, work);
  }
  send(s, l, work);
  return seen;
}

/* Systems side by side: `count`, a multiple of the lanes. */
static int solve_in_place(const struct portable__solve *s, const struct form *form, const int64_t *offset, int64_t count, int cold, char *scratch) {
  struct cut c = cut_of(s, count, 0);
  c.cold = cold;
  char *const state = scratch, *const work = state + up(state_bytes(count)), *const factors = work + s->n * count * s->bytes;
  char *const rhs = s->at[PORTABLE__SOLVE_RHS] + offset[PORTABLE__SOLVE_RHS];
  const struct rows d = {rhs, rhs, s->step[PORTABLE__SOLVE_RHS], s->step[PORTABLE__SOLVE_RHS]};
  struct bands b;
  for (int k = s->one ? PORTABLE__SOLVE_RHS : 0; k < PORTABLE__SOLVE_OPERANDS; k++) {
    if (k > 2 * s->band && k < PORTABLE__SOLVE_RHS) continue;
    c.ahead[c.next] = (uintptr_t)s->at[k] + (uintptr_t)(offset[k] + count * s->bytes);
    c.ahead_pitch[c.next++] = s->step[k];
  }
  if (s->one) {
    form->substitute[1](&c, &d, s->factors, shared_state(s), work);
    return 0;
  }
  for (int k = 0; k <= 2 * s->band; k++) {
    b.pitch[k] = s->step[k];
    b.in[k] = s->at[k] + offset[k] + c.m * s->step[k];
  }
  form->begin(&c, &b, state);
  for (int k = 0; k <= 2 * s->band; k++) b.in[k] = s->at[k] + offset[k];
  const int seen = form->eliminate[0](&c, 0, c.m, &b, &d, factors, state, work);
  form->substitute[0](&c, &d, factors, state, work);
  return seen;
}

/* ---- one system ---- */

#define COLUMN(T, kind)                                                                                                                  \
  static int64_t column_##kind(const struct portable__solve *s, T *x, T *rhs) {                                                          \
    T *const y = x + 2 * s->band * s->n + s->n, *const work = y + s->n;                                                                  \
    const int64_t n = s->n;                                                                                                              \
    if (rhs) memcpy(y, rhs, (size_t)n * sizeof *y);                                                                                      \
    if (s->band == 2)                                                                                                                    \
      return (s->periodic ? portable_pentadiagonal_periodic_column_##kind : portable_pentadiagonal_column_##kind)(                       \
          n, 1, x, x + n, x + 2 * n, x + 3 * n, x + 4 * n, y, work);                                                                     \
    return (s->periodic ? portable_tridiagonal_periodic_column_##kind : portable_tridiagonal_column_##kind)(n, 1, x, x + n, x + 2 * n, y, work); \
  }
COLUMN(double, real64)
COLUMN(float, real32)

/* scratch has the diagonals, the right-hand side, and room for the work. solves 0: only the row is wanted. */
static int64_t solve_column(const struct portable__solve *s, const int64_t *offset, int solves, char *scratch) {
  const int bands = 2 * s->band + 1;
  char *const y = scratch + bands * s->n * s->bytes;
  for (int k = 0; k < bands; k++)
    move(scratch + k * s->n * s->bytes, s->bytes, s->at[k] + offset[k], s->step[k], s->n, s->bytes);
  char *const rhs = s->at[PORTABLE__SOLVE_RHS] + offset[PORTABLE__SOLVE_RHS];
  if (solves)
    move(y, s->bytes, rhs, s->step[PORTABLE__SOLVE_RHS], s->n, s->bytes);
  else
    memset(y, 0, (size_t)(s->n * s->bytes));
  const int64_t row = s->bytes == 8 ? column_real64(s, (double *)(void *)scratch, NULL) : column_real32(s, (float *)(void *)scratch, NULL);
  if (solves) move(rhs, s->step[PORTABLE__SOLVE_RHS], y, s->bytes, s->n, s->bytes);
  return row;
}

/* ---- ranges ---- */

int64_t portable__solve_factor(struct portable__solve *s, void *scratch) {
  const struct lanes l = {.count = 1, .width = PORTABLE__SOLVE_LANES};
  if (!eliminate_lanes(s, form_of(s), &l, (char *)(uintptr_t)shared_state(s), scratch, s->factors, NULL)) return INT64_MAX;
  return solve_column(s, l.offset[0], 0, scratch) - 1;
}

/* 1: systems that follow one another along the first axis are side by side in all operands. */
static int side_by_side(const struct portable__solve *s) {
  if (s->axes == 0) return 0;
  for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) {
    if (k < PORTABLE__SOLVE_RHS && (s->one || k > 2 * s->band)) continue;
    uintptr_t bits = (uintptr_t)s->at[k] | (uintptr_t)s->step[k];
    for (int32_t a = 0; a < s->axes; a++) bits |= (uintptr_t)s->axis[a].step[k];
    if (s->axis[0].step[k] != s->bytes || bits % (uintptr_t)s->bytes != 0) return 0;
  }
  return 1;
}

void portable__solve_cut(struct portable__solve *s, int32_t threads) {
  const int32_t widest = side_by_side(s) ? WIDEST : WIDEST_APART;
  s->width = PORTABLE__SOLVE_LANES;
  while (s->width < widest && s->n <= CACHED / row_bytes(s, 2 * s->width) && s->systems / (2 * s->width) >= (int64_t)threads * GROUPS_ENOUGH) s->width *= 2;
}

/* The first pivot of 0 in the systems from..to-1, and before. */
static int64_t find(const struct portable__solve *s, int64_t from, int64_t to, int64_t found, char *scratch) {
  int64_t index[PORTABLE_LOOP_RANK], offset[PORTABLE__SOLVE_OPERANDS];
  for (; from < to; from++) {
    const int64_t before = locate(s, from, index, offset) * s->n, row = before < found ? solve_column(s, offset, 0, scratch) : 0;
    if (row) found = least(found, before + row - 1);
  }
  return found;
}

int64_t portable__solve_range(const struct portable__solve *s, int64_t from, int64_t to, void *scratch) {
  const struct form *const form = form_of(s);
  const int in_place = side_by_side(s);
  int64_t index[PORTABLE_LOOP_RANK], found = INT64_MAX;
  struct lanes l;
  int cold = 1;
  while (from < to) {
    const int64_t before = locate(s, from, index, l.offset[0]) * s->n;
    int64_t together = in_place ? least(least(to - from, s->width), s->axis[0].extent - index[0]) / PORTABLE__SOLVE_LANES * PORTABLE__SOLVE_LANES : 0;
    int seen;
    if (s->systems == 1 && !s->one) {
      const int64_t row = solve_column(s, l.offset[0], 1, scratch);
      return row ? before + row - 1 : found;
    }
    if (together) {
      seen = solve_in_place(s, form, l.offset[0], together, cold, scratch);
      cold = 0;
    } else {
      const int64_t most = in_place ? PORTABLE__SOLVE_LANES : s->width;
      for (l.count = 1; l.count < most && from + l.count < to; l.count++) locate(s, from + l.count, index, l.offset[l.count]);
      l.width = (l.count + PORTABLE__SOLVE_LANES - 1) / PORTABLE__SOLVE_LANES * PORTABLE__SOLVE_LANES;
      seen = solve_lanes(s, form, &l, scratch);
      together = l.count;
    }
    if (seen) found = find(s, from, from + together, found, scratch);
    from += together;
  }
  return found;
}
