/* solve.c - see solve.h: groups of systems, and where their elements are. Main function: portable__solve_range. Systems that lie side by side
 * are read and written in place; others are brought together, a block of rows at a time. The arithmetic is in solve_rows.h. Threads: any. */
#include "solve.h"

#include <string.h>

#include "../../../capi/include/kernel/portable_solvers.h"
#include "../base/least.h"
#include "../base/processor.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O2", "fp-contract=off")
#endif

#define ROWS 8              /* of a block that is brought together */
#define CACHED (256 << 10)  /* bytes of a group: they stay in the second-level cache */
#define WIDEST 128          /* systems of a group */
#define APART 128           /* bytes of a row of lanes, if they are brought together: so rows of 64 stay in the first-level cache */
#define WIDEST_APART 32     /* systems in such a row */
#define GROUPS_ENOUGH 4     /* for each thread */
#define LINE 64             /* bytes of a cache line, and alignment */

#include "solve_turn.h"

/* A group of systems. */
struct cut {
  int64_t width; /* systems of the group */
  int64_t n, m;  /* rows; those that are not at the border */
  int borders;
  int near; /* the rows were brought together: they are in the cache */
  /* The operands of the next group: elimination asks for half of them, back substitution for the rest, so that the memory is never idle. Row i asks
   * for as many bytes as a row of lanes has, which begin at ahead + x / turn * step + x % turn * (bytes of an element), where x = i * share. */
  int next, bytes;
  int64_t share, turn, step[PORTABLE__SOLVE_OPERANDS];
  uintptr_t ahead[PORTABLE__SOLVE_OPERANDS]; /* no pointers: there may be no next group */
};

/* Where the share of row i of `count` operands of the next group begins. */
__attribute__((always_inline)) static inline void ask_next(uintptr_t *at, const struct cut *c, int first, int count, int64_t i) {
  const uint64_t x = (uint64_t)(i * c->share), place = x / (uint64_t)c->turn, rest = x % (uint64_t)c->turn;
  for (int k = 0; k < 3; k++)
    if (k < count) at[k] = c->ahead[first + k] + place * (uint64_t)c->step[first + k] + rest * (uint64_t)c->bytes;
}

struct bands {
  const char *in[PORTABLE__SOLVE_BANDS];
  int64_t pitch[PORTABLE__SOLVE_BANDS]; /* bytes from row to row */
};

/* Right-hand sides, which become solutions, and the highest diagonal. */
struct rows {
  char *at;
  int64_t pitch;
  const char *top;
  int64_t top_pitch;
};

typedef int eliminate_function(const struct cut *c, int64_t from, int64_t to, const struct bands *b, const struct rows *d, void *factors, void *state);
typedef void substitute_function(const struct cut *c, const struct rows *d, const void *factors, const void *state);
struct form {
  void (*begin)(const struct cut *c, const struct bands *b, void *state);
  eliminate_function *eliminate[2]; /* where the rows are, or brought together */
  eliminate_function *factor;
  substitute_function *substitute[2][2]; /* of diagonals of each system, or of shared ones; likewise */
};

/* The slots of a row of factors: what back substitution needs, in periodic systems with the columns of the border; where rows were brought
 * together the highest diagonal, which elimination does not change; if all systems share the factors, also those below the pivots, and in the
 * rows of the border. */
enum { PIVOTS, UPPER }; /* UPPER: of five diagonals */
#define EDGE(band) (band)
#define TOP(band, periodic) ((band) + ((periodic) ? (band) : 0))
#define LOWER(band, periodic) (TOP(band, periodic) + 1)
#define BELOW(band, periodic) (LOWER(band, periodic) + (band))
#define SLOTS(band, periodic, one, near) (TOP(band, periodic) + ((one) || (near)) + ((one) ? ((periodic) ? 2 : 1) * (band) : 0))
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
#define ANY_ZERO(p) _mm256_movemask_ps(_mm256_cmp_ps((__m256)(p), _mm256_setzero_ps(), _CMP_EQ_OQ))
#define WIDE(name) name##_32_avx2
#include "solve_form.h"
#undef WIDE
#undef T
#undef I
#undef NOT_A_NUMBER
#define T double
#define I int64_t
#define NOT_A_NUMBER (INT64_C(0x7FF8) << 48)
#undef ANY_ZERO
#define ANY_ZERO(p) _mm256_movemask_pd(_mm256_cmp_pd((__m256d)(p), _mm256_setzero_pd(), _CMP_EQ_OQ))
#define WIDE(name) name##_64_avx2
#include "solve_form.h"
#undef WIDE
#undef TARGET
#undef VECTOR
#undef ANY_ZERO
#define TARGET __attribute__((target("avx512f")))
#define VECTOR 64
#define ANY_ZERO(p) _mm512_cmp_pd_mask((__m512d)(p), _mm512_setzero_pd(), _CMP_EQ_OQ)
#define WIDE(name) name##_64_avx512
#define OF_NEAR(name) name##_64_avx2
#include "solve_form.h"
#undef OF_NEAR
#undef WIDE
#endif

static const struct form *form_of(const struct portable__solve *s) {
#if defined(__x86_64__)
  if (s->bytes == 8 && portable__processor_has(PORTABLE__AVX512)) return &forms_64_avx512[s->band - 1][s->periodic];
  if (portable__processor_has(PORTABLE__AVX2))
    return s->bytes == 8 ? &forms_64_avx2[s->band - 1][s->periodic] : &forms_32_avx2[s->band - 1][s->periodic];
#endif
  return s->bytes == 8 ? &forms_64[s->band - 1][s->periodic] : &forms_32[s->band - 1][s->periodic];
}

/* ---- memory ---- */

static int64_t up(int64_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

/* A row in all slots, with right-hand sides. */
static int64_t row_bytes(const struct portable__solve *s, int64_t width) {
  return (s->one ? 1 : SLOTS(s->band, s->periodic, 0, 1) + 1) * width * s->bytes;
}

static int64_t state_bytes(int64_t width) { return STATE * width * (int64_t)sizeof(double); }
static int64_t block_bytes(const struct portable__solve *s) { return (2 * s->band + 1) * ROWS * APART; }

static int64_t apart(const struct portable__solve *s) { return APART / s->bytes; }

/* The parts: state, block, right-hand sides, factors; or 10 numbers a row of one system. */
int64_t portable__solve_scratch_bytes(const struct portable__solve *s) {
  int64_t bytes;
  const int64_t width = s->width > apart(s) ? s->width : apart(s);
  const int64_t column = 10 * s->bytes, group = row_bytes(s, width), a_row = (s->systems > 1 || s->one) && group > column ? group : column;
  const int64_t more = state_bytes(width) + block_bytes(s) + 4 * LINE;
  return __builtin_mul_overflow(a_row, s->n, &bytes) || __builtin_add_overflow(bytes, more, &bytes) ? -1 : up(bytes);
}

int64_t portable__solve_factors_bytes(const struct portable__solve *s) {
  int64_t bytes;
  const int64_t a_row = SLOTS(s->band, s->periodic, 1, 1) * PORTABLE__SOLVE_LANES * s->bytes;
  return __builtin_mul_overflow(a_row, s->n, &bytes) || __builtin_add_overflow(bytes, state_bytes(PORTABLE__SOLVE_LANES), &bytes) ? -1 : up(bytes);
}

/* Where the systems of a group begin, in bytes from the first element of each operand. */
struct lanes {
  int64_t count, width; /* systems; lanes */
  int64_t offset[PORTABLE__SOLVE_OPERANDS][WIDEST_APART];
};

/* System `system`, which becomes a lane; index gets its place on the axes. */
static int64_t locate(const struct portable__solve *s, int64_t system, int64_t *index, struct lanes *l, int64_t lane) {
  int64_t number = 0;
  for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) l->offset[k][lane] = 0;
  for (int32_t a = 0; a < s->axes; a++) {
    const struct portable__solve_axis *axis = &s->axis[a];
    const int64_t i = index[a] = a == s->axes - 1 ? system : system % axis->extent;
    system /= axis->extent;
    number += i * axis->weight;
    for (int k = 0; k < PORTABLE__SOLVE_OPERANDS; k++) l->offset[k][lane] += i * axis->step[k];
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

/* As many lanes as blocks of registers turn. */
static int64_t turned(const struct lanes *l) { return l->count / PORTABLE__SOLVE_LANES * PORTABLE__SOLVE_LANES; }

/* Moves whole rows of these lanes, where each lane is contiguous: from row `from` of the lanes to rows, or back. Gives how many are done. */
static int64_t turn(const struct portable__solve *s, int k, const struct lanes *l, int64_t from, int64_t count, char *rows, int64_t pitch, int back) {
  if (s->step[k] != s->bytes) return 0;
  return turn_of(s->bytes)(s->at[k] + from * s->bytes, l->offset[k], turned(l), rows, pitch, count, back);
}

/* So many rows of operand k in all lanes, brought together; lanes without a system get `rest`. */
static void bring(const struct portable__solve *s, int k, const struct lanes *l, int64_t from, int64_t rows, char *to, int64_t pitch, double rest) {
  const int64_t done = turn(s, k, l, from, rows, to, pitch, 0);
  union {
    double real64;
    float real32;
  } same;
  if (s->bytes == 8)
    same.real64 = rest;
  else
    same.real32 = (float)rest;
  for (int64_t lane = done == rows ? turned(l) : 0, whole = turned(l); lane < l->width; lane++) {
    const int64_t past = lane < whole ? done : 0;
    char *const here = to + past * pitch + lane * s->bytes;
    if (lane < l->count)
      move(here, pitch, s->at[k] + l->offset[k][lane] + (from + past) * s->step[k], s->step[k], rows - past, s->bytes);
    else
      move(here, pitch, (const char *)&same, 0, rows, s->bytes);
  }
}

/* The solutions of the lanes go to their places. */
static void send(const struct portable__solve *s, const struct lanes *l, char *from) {
  const int rhs = PORTABLE__SOLVE_RHS;
  const int64_t pitch = l->width * s->bytes, done = turn(s, rhs, l, 0, s->n, from, pitch, 1), step = s->step[rhs];
  for (int64_t lane = done == s->n ? turned(l) : 0, whole = turned(l); lane < l->count; lane++) {
    const int64_t past = lane < whole ? done : 0;
    move(s->at[rhs] + l->offset[rhs][lane] + past * step, step, from + past * pitch + lane * s->bytes, pitch, s->n - past, s->bytes);
  }
}

/* ---- groups ---- */

static struct cut cut_of(const struct portable__solve *s, int64_t width, int near) {
  const int borders = s->periodic ? (int)least(s->band, s->n) : 0;
  return (struct cut){.width = width, .n = s->n, .m = s->n - borders, .borders = borders, .near = near, .bytes = s->bytes};
}

/* The operands that elimination and back substitution read, in their order. */
static int operands(const struct portable__solve *s, int *operand) {
  int count = 0;
  for (int k = s->one ? PORTABLE__SOLVE_RHS : 0; k < PORTABLE__SOLVE_OPERANDS; k++)
    if (k <= 2 * s->band || k == PORTABLE__SOLVE_RHS) operand[count++] = k;
  return count;
}

/* Lanes that are contiguous and lie as far apart as the first two are followed by others. A row asks for its share of their cache lines. */
static void look_ahead(const struct portable__solve *s, const struct lanes *l, struct cut *c) {
  int operand[PORTABLE__SOLVE_OPERANDS];
  const int count = operands(s, operand);
  for (int i = 0; i < count; i++) {
    const int k = operand[i];
    if (s->step[k] != s->bytes || l->count < l->width) return;
    c->step[i] = l->offset[k][1] - l->offset[k][0];
    c->ahead[i] = (uintptr_t)s->at[k] + (uintptr_t)(l->offset[k][0] + l->width * c->step[i]);
  }
  c->share = l->width;
  c->turn = s->n;
  c->next = 1;
}

/* Eliminates the lanes; d is NULL where there are no right-hand sides. 1: a pivot is 0. */
static int eliminate_lanes(const struct portable__solve *s, const struct form *form, const struct cut *c, const struct lanes *l, char *state, char *block,
                           char *factors, const struct rows *d) {
  const int64_t pitch = l->width * s->bytes, factors_pitch = SLOTS(s->band, s->periodic, s->one, 1) * pitch;
  char *const tops = factors + TOP(s->band, s->periodic) * pitch;
  struct bands b;
  eliminate_function *const eliminate = d ? form->eliminate[1] : form->factor;
  const int top = 2 * s->band;
  int seen = 0;
  for (int k = 0; k <= top; k++) {
    b.in[k] = block + k * ROWS * pitch;
    b.pitch[k] = pitch;
    bring(s, k, l, c->m, c->borders, block + k * ROWS * pitch, pitch, k == s->band);
  }
  if (d) bring(s, PORTABLE__SOLVE_RHS, l, c->m, c->borders, d->at + c->m * pitch, pitch, 0);
  form->begin(c, &b, state);
  b.in[top] = tops;
  b.pitch[top] = factors_pitch;
  for (int64_t from = 0; from < c->m || from == 0; from += ROWS) {
    const int64_t rows = least(ROWS, c->m - from);
    for (int k = 0; k < top; k++) bring(s, k, l, from, rows, block + k * ROWS * pitch, pitch, k == s->band);
    bring(s, top, l, from, rows, tops + from * factors_pitch, factors_pitch, 0);
    if (d) bring(s, PORTABLE__SOLVE_RHS, l, from, rows, d->at + from * pitch, pitch, 0);
    seen |= eliminate(c, from, from + rows, &b, d, factors, state);
  }
  return seen;
}

static const char *shared_state(const struct portable__solve *s) {
  return (const char *)s->factors + s->n * SLOTS(s->band, s->periodic, 1, 1) * PORTABLE__SOLVE_LANES * s->bytes;
}

/* 1: a pivot is 0. */
static int solve_lanes(const struct portable__solve *s, const struct form *form, const struct lanes *l, char *scratch) {
  struct cut c = cut_of(s, l->width, 1);
  const int64_t pitch = l->width * s->bytes;
  char *const state = scratch, *const block = state + up(state_bytes(l->width)), *const work = block + up(block_bytes(s));
  char *const factors = work + s->n * pitch;
  const struct rows d = {work, pitch, factors + TOP(s->band, s->periodic) * pitch, SLOTS(s->band, s->periodic, 0, 1) * pitch};
  int seen = 0;
  look_ahead(s, l, &c);
  if (s->one) {
    bring(s, PORTABLE__SOLVE_RHS, l, 0, s->n, work, pitch, 0);
    form->substitute[1][1](&c, &d, s->factors, shared_state(s));
  } else {
    seen = eliminate_lanes(s, form, &c, l, state, block, factors, &d);
    form->substitute[0][1](&c, &d, factors, state);
  }
  send(s, l, work);
  return seen;
}

/* Systems side by side: `count`, a multiple of the lanes. */
static int solve_in_place(const struct portable__solve *s, const struct form *form, const struct lanes *l, int64_t count, char *scratch) {
  struct cut c = cut_of(s, count, 0);
  char *const state = scratch, *const factors = state + up(state_bytes(count)), *at[PORTABLE__SOLVE_OPERANDS];
  int operand[PORTABLE__SOLVE_OPERANDS];
  const int many = operands(s, operand), top = 2 * s->band, rhs = PORTABLE__SOLVE_RHS;
  struct bands b;
  for (int i = 0; i < many; i++) {
    const int k = operand[i];
    at[k] = s->at[k] + l->offset[k][0];
    c.ahead[i] = (uintptr_t)at[k] + (uintptr_t)(count * s->bytes);
    c.step[i] = s->step[k];
  }
  c.next = 1;
  c.share = c.turn = 1;
  const struct rows d = {at[rhs], s->step[rhs], s->one ? NULL : at[top], s->step[top]};
  if (s->one) {
    form->substitute[1][0](&c, &d, s->factors, shared_state(s));
    return 0;
  }
  for (int k = 0; k <= top; k++) {
    b.pitch[k] = s->step[k];
    b.in[k] = at[k] + c.m * s->step[k];
  }
  form->begin(&c, &b, state);
  for (int k = 0; k <= top; k++) b.in[k] = at[k];
  const int seen = form->eliminate[0](&c, 0, c.m, &b, &d, factors, state);
  form->substitute[0][0](&c, &d, factors, state);
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
static int64_t solve_column(const struct portable__solve *s, const struct lanes *l, int solves, char *scratch) {
  const int bands = 2 * s->band + 1;
  char *const y = scratch + bands * s->n * s->bytes;
  for (int k = 0; k < bands; k++)
    move(scratch + k * s->n * s->bytes, s->bytes, s->at[k] + l->offset[k][0], s->step[k], s->n, s->bytes);
  char *const rhs = s->at[PORTABLE__SOLVE_RHS] + l->offset[PORTABLE__SOLVE_RHS][0];
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
  const struct cut c = cut_of(s, l.width, 1);
  if (!eliminate_lanes(s, form_of(s), &c, &l, (char *)(uintptr_t)shared_state(s), scratch, s->factors, NULL)) return INT64_MAX;
  return solve_column(s, &l, 0, scratch) - 1;
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

/* Systems side by side are worked on in whole cache lines. */
static int64_t a_line(const struct portable__solve *s) { return LINE / s->bytes; }

void portable__solve_cut(struct portable__solve *s, int32_t threads) {
  const int in_place = side_by_side(s);
  const int64_t widest = in_place ? WIDEST : apart(s);
  s->width = (int32_t)(in_place ? a_line(s) : PORTABLE__SOLVE_LANES);
  while (s->width < widest && s->n <= CACHED / row_bytes(s, 2 * s->width) && s->systems / (2 * s->width) >= (int64_t)threads * GROUPS_ENOUGH) s->width *= 2;
}

/* Systems up to the one whose right-hand sides begin at a cache line; 0: this one's do, or rows differ. Vectors across two lines take half as long
 * again. Most operands are allocated alike, so they are then at a line, too. */
static int64_t to_line(const struct portable__solve *s, const struct lanes *l) {
  const uintptr_t past = (uintptr_t)(s->at[PORTABLE__SOLVE_RHS] + l->offset[PORTABLE__SOLVE_RHS][0]) % LINE;
  return past && s->step[PORTABLE__SOLVE_RHS] % LINE == 0 ? (LINE - (int64_t)past) / s->bytes : 0;
}

/* The first pivot of 0 in the systems from..to-1, and before. */
static int64_t find(const struct portable__solve *s, int64_t from, int64_t to, int64_t found, char *scratch) {
  int64_t index[PORTABLE_LOOP_RANK];
  struct lanes l;
  for (; from < to; from++) {
    const int64_t before = locate(s, from, index, &l, 0) * s->n, row = before < found ? solve_column(s, &l, 0, scratch) : 0;
    if (row) found = least(found, before + row - 1);
  }
  return found;
}

int64_t portable__solve_range(const struct portable__solve *s, int64_t from, int64_t to, void *scratch) {
  const struct form *const form = form_of(s);
  const int in_place = side_by_side(s);
  int64_t index[PORTABLE_LOOP_RANK], found = INT64_MAX;
  struct lanes l;
  while (from < to) {
    const int64_t before = locate(s, from, index, &l, 0) * s->n;
    const int64_t few = in_place && to - from >= 2 * s->width ? to_line(s, &l) : 0;
    int64_t together = in_place && !few ? least(least(to - from, s->width), s->axis[0].extent - index[0]) / a_line(s) * a_line(s) : 0;
    int seen;
    if (s->systems == 1 && !s->one) {
      const int64_t row = solve_column(s, &l, 1, scratch);
      return row ? before + row - 1 : found;
    }
    if (together) {
      seen = solve_in_place(s, form, &l, together, scratch);
    } else {
      const int64_t most = few ? few : in_place ? a_line(s) : s->width;
      for (l.count = 1; l.count < most && from + l.count < to; l.count++) locate(s, from + l.count, index, &l, l.count);
      l.width = apart(s);
      seen = solve_lanes(s, form, &l, scratch);
      together = l.count;
    }
    if (seen) found = find(s, from, from + together, found, scratch);
    from += together;
  }
  return found;
}
