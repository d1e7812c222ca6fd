/* solve_form.h - a group of systems as lanes of vectors, for one kind of real; solve.c includes this file once for each kind and set of
 * instructions. T is the type, I the integer of its size, WIDE(name) the name, TARGET the attribute of the instructions, VECTOR the bytes of
 * their vectors.
 *
 * In this file: elimination with and without right-hand sides, back substitution. The order of operations is that of
 * capi/include/kernel/portable_solver_columns.h, which also explains the periodic form: a change here is a change there. Threads: any. */

typedef T WIDE(lanes) __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
typedef I WIDE(bits) __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
#define V WIDE(lanes)
#define FORM TARGET __attribute__((always_inline)) static inline
#define EACH(g) for (int64_t g = 0; g < groups; g++)
#define LANES(at, g) (((V *)(void *)(at))[g])
#define ROW(k, i) (in[k] + (i) * pitch[k])
#define SLOT(row, k, g) LANES((row) + (k) * width, g)
/* Rows of one operand are far apart, so processors do not foresee them: they are asked for beforehand. */
#define ASK(at, g)                                                  \
  do {                                                              \
    if ((g) * VECTOR % 64 == 0) __builtin_prefetch((at) + (g) * VECTOR); \
  } while (0)

/* A row of some operands of the next group. */
#define ASK_NEXT(from, to, i, g)                                                                                           \
  do {                                                                                                                     \
    if ((g) * VECTOR % 64 == 0)                                                                                            \
      for (int k = (from); k < (to); k++)                                                                                  \
        __builtin_prefetch((const char *)(c->ahead[k] + (uintptr_t)((i) * c->ahead_pitch[k] + (g) * VECTOR)), 0, 2);       \
  } while (0)

/* A pivot of 0 becomes NaN, so that nothing is divided by 0, and is noted. */
#define PIVOT(p, seen)                                                              \
  do {                                                                              \
    const WIDE(bits) is_zero = (WIDE(bits))((p) == (T)0);                           \
    (seen) |= is_zero;                                                              \
    (p) = (V)(((WIDE(bits))(p) & ~is_zero) | (is_zero & (I)NOT_A_NUMBER));          \
  } while (0)

/* The sum of the coefficients of row `row` that belong to unknown `unknown`; `from` has its diagonals. */
#define WRAPPED(sum, row, unknown, from)                                            \
  do {                                                                              \
    (sum) = (V){0};                                                                 \
    for (int64_t o = -band; o <= band; o++)                                         \
      if ((((row) + o) % c->n + c->n) % c->n == (unknown)) (sum) = (sum) + (from);  \
  } while (0)
#define LAST_OF(r) SLOT(state, LAST + PORTABLE__SOLVE_BANDS * (r) + o + band, g)

/* Reads the rows of the border, which b->in points to, and begins the elimination. */
FORM void WIDE(begin)(const struct cut *c, const int band, const struct bands *b, T *state) {
  const int64_t width = c->width, groups = width * (int64_t)sizeof(T) / VECTOR;
  for (int r = 0; r < c->borders; r++)
    EACH(g) {
      V x;
      for (int k = 0; k <= 2 * band; k++) SLOT(state, LAST + PORTABLE__SOLVE_BANDS * r + k, g) = LANES(b->in[k] + r * b->pitch[k], g);
      for (int k = 0; k < c->borders; k++) {
        WRAPPED(x, c->m + r, c->m + k, LAST_OF(r));
        SLOT(state, BLOCK + 2 * r + k, g) = x;
      }
      for (int k = 0; k < band; k++) {
        WRAPPED(x, c->m + r, k, LAST_OF(r));
        SLOT(state, SIDE + 2 * r + k, g) = x;
      }
    }
}

/* Eliminates rows from..to-1; b->in points to row `from`. one: the factors are kept, and there is no right-hand side; else d->from has all of
 * its rows, and work gets them. 1: a pivot is 0. */
FORM int WIDE(eliminate)(const struct cut *c, const int band, const int periodic, const int one, int64_t from, int64_t to, const struct bands *b,
                         const struct rows *d, T *factors, T *state, T *work) {
  const int64_t width = c->width, groups = width * (int64_t)sizeof(T) / VECTOR, slots = SLOTS(band, periodic, one) * width, m = c->m, n = c->n;
  const int edge = EDGE(band), borders = periodic ? c->borders : 0;
  WIDE(bits) seen = {0};
  const char *in[PORTABLE__SOLVE_BANDS];
  int64_t pitch[PORTABLE__SOLVE_BANDS];
  for (int k = 0; k <= 2 * band; k++) {
    in[k] = b->in[k] - from * b->pitch[k];
    pitch[k] = b->pitch[k];
  }
  if (from == 0 && !one)
    for (int r = 0; r < borders; r++) EACH(g) SLOT(work, m + r, g) = LANES(d->from + (m + r) * d->from_pitch, g);
  for (int64_t i = from; i < to; i++) {
    T *const now = factors + i * slots, *const before = now - slots, *const first = before - slots, *const x = work + i * width;
    const int64_t ahead = least(i + AHEAD, (one || c->near ? to : n) - 1);
    EACH(g) {
      V p = LANES(ROW(band, i), g), u = LANES(ROW(band + 1, i), g), y = p, f = (V){0}, f2 = (V){0}, u2 = (V){0};
      if (!one) {
        y = LANES(d->from + i * d->from_pitch, g);
        if (c->cold) {
          for (int k = 0; k <= 2 * band; k++) ASK(ROW(k, ahead), g);
          ASK(d->from + ahead * d->from_pitch, g);
        }
        if (c->next) ASK_NEXT(0, band + 1, i, g);
      }
      if (band == 2 && i >= 2) {
        f2 = LANES(ROW(0, i), g) / SLOT(first, PIVOTS, g);
        p = p - f2 * SLOT(first, UPPER2, g);
        if (one)
          SLOT(now, LOWER(band, periodic) + 1, g) = f2;
        else
          y = y - f2 * LANES(x - 2 * width, g);
      }
      if (i >= 1) {
        f = LANES(ROW(band - 1, i), g);
        if (band == 2 && i >= 2) f = f - f2 * SLOT(first, UPPER, g);
        f = f / SLOT(before, PIVOTS, g);
        p = p - f * SLOT(before, UPPER, g);
        if (band == 2 && i + 1 < m) u = u - f * SLOT(before, UPPER2, g);
        if (one)
          SLOT(now, LOWER(band, periodic), g) = f;
        else
          y = y - f * LANES(x - width, g);
      }
      PIVOT(p, seen);
      SLOT(now, PIVOTS, g) = p;
      SLOT(now, UPPER, g) = u;
      if (band == 2) SLOT(now, UPPER2, g) = u2 = LANES(ROW(4, i), g);
      if (!one) LANES(x, g) = y;
      if (!periodic) continue;
      for (int k = 0; k < borders; k++) {
        V e = (V){0};
        if (i < band || i + band >= m) WRAPPED(e, i, m + k, LANES(ROW(o + band, i), g));
        if (band == 2 && i >= 2) e = e - f2 * SLOT(first, edge + k, g);
        if (i >= 1) e = e - f * SLOT(before, edge + k, g);
        SLOT(now, edge + k, g) = e;
      }
      for (int r = 0; r < borders; r++) {
        V side = SLOT(state, SIDE + 2 * r, g), next = (V){0};
        const V below = side / p;
        for (int k = 0; k < borders; k++) SLOT(state, BLOCK + 2 * r + k, g) = SLOT(state, BLOCK + 2 * r + k, g) - below * SLOT(now, edge + k, g);
        if (one)
          SLOT(now, BELOW(band, periodic) + r, g) = below;
        else
          SLOT(work, m + r, g) = SLOT(work, m + r, g) - below * y;
        if (i + band < m) {
          if (i + 2 * band >= m) WRAPPED(next, m + r, i + band, LAST_OF(r));
          next = next - below * (band == 2 ? u2 : u);
        }
        if (band == 2 && i + 1 < m) side = SLOT(state, SIDE + 2 * r + 1, g) - below * u;
        SLOT(state, SIDE + 2 * r, g) = band == 2 ? side : next;
        SLOT(state, SIDE + 2 * r + 1, g) = next;
      }
    }
  }
  if (periodic && to >= m)
    EACH(g) {
      V p = SLOT(state, BLOCK, g), f;
      PIVOT(p, seen);
      SLOT(state, BLOCK, g) = p;
      if (borders < 2) continue;
      f = SLOT(state, BLOCK + 2, g) / p;
      p = SLOT(state, BLOCK + 3, g) - f * SLOT(state, BLOCK + 1, g);
      PIVOT(p, seen);
      SLOT(state, BLOCK + 2, g) = f;
      SLOT(state, BLOCK + 3, g) = p;
    }
  for (uint64_t k = 0; k < VECTOR / sizeof(T); k++)
    if (seen[k]) return 1;
  return 0;
}

/* y minus a factor, of each lane or of all, times x; y over a pivot. */
#define MINUS(y, row, k, x, g) ((y) = one ? (y) - (row)[(k) * PORTABLE__SOLVE_LANES] * (x) : (y) - SLOT(row, k, g) * (x))
#define OVER(y, row, k, g) ((y) = one ? (y) / (row)[(k) * PORTABLE__SOLVE_LANES] : (y) / SLOT(row, k, g))

/* Right-hand sides to solutions, which d->to gets. one: the factors are shared, and the right-hand sides are eliminated here first; else work
 * has what elimination left. from and to may be work itself. */
FORM void WIDE(substitute)(const struct cut *c, const int band, const int periodic, const int one, const struct rows *d, const T *factors, const T *state,
                           T *work) {
  const int64_t width = c->width, groups = width * (int64_t)sizeof(T) / VECTOR, m = c->m;
  const int64_t slots = SLOTS(band, periodic, one) * (one ? PORTABLE__SOLVE_LANES : width);
  const int edge = EDGE(band), borders = periodic ? c->borders : 0;
  if (one) {
    for (int r = 0; r < borders; r++) EACH(g) SLOT(work, m + r, g) = LANES(d->from + (m + r) * d->from_pitch, g);
    for (int64_t i = 0; i < m; i++) {
      const T *const now = factors + i * slots;
      T *const x = work + i * width;
      const int64_t ahead = least(i + AHEAD, m - 1);
      EACH(g) {
        V y = LANES(d->from + i * d->from_pitch, g);
        if (c->cold) ASK(d->from + ahead * d->from_pitch, g);
        if (band == 2 && i >= 2) MINUS(y, now, LOWER(band, periodic) + 1, LANES(x - 2 * width, g), g);
        if (i >= 1) MINUS(y, now, LOWER(band, periodic), LANES(x - width, g), g);
        LANES(x, g) = y;
        for (int r = 0; r < borders; r++) MINUS(SLOT(work, m + r, g), now, BELOW(band, periodic) + r, y, g);
      }
    }
  }
  if (borders) EACH(g) {
    V first = SLOT(work, m, g);
    if (borders == 2) {
      V second = SLOT(work, m + 1, g);
      MINUS(second, state, BLOCK + 2, first, g);
      OVER(second, state, BLOCK + 3, g);
      MINUS(first, state, BLOCK + 1, second, g);
      LANES(d->to + (m + 1) * d->to_pitch, g) = second;
    }
    OVER(first, state, BLOCK, g);
    LANES(d->to + m * d->to_pitch, g) = first;
  }
  for (int64_t i = m - 1; i >= 0; i--) {
    const T *const now = factors + i * slots;
    char *const to = d->to + i * d->to_pitch;
    EACH(g) {
      V y = LANES(work + i * width, g);
      if (c->next) ASK_NEXT(one ? 0 : band + 1, one ? 1 : 2 * band + 2, m - 1 - i, g);
      if (i + 1 < m) MINUS(y, now, UPPER, LANES(to + d->to_pitch, g), g);
      if (band == 2 && i + 2 < m) MINUS(y, now, UPPER2, LANES(to + 2 * d->to_pitch, g), g);
      for (int k = 0; k < borders; k++) MINUS(y, now, edge + k, LANES(d->to + (m + k) * d->to_pitch, g), g);
      OVER(y, now, PIVOTS, g);
      LANES(to, g) = y;
    }
  }
}

/* The forms that solve.c calls. */
#define FORMS(name, band, periodic)                                                                                                        \
  TARGET static void WIDE(name##_begin)(const struct cut *c, const struct bands *b, void *state) { WIDE(begin)(c, band, b, state); }       \
  TARGET static int WIDE(name##_eliminate)(const struct cut *c, int64_t from, int64_t to, const struct bands *b, const struct rows *d,     \
                                           void *factors, void *state, void *work) {                                                       \
    return WIDE(eliminate)(c, band, periodic, 0, from, to, b, d, factors, state, work);                                                    \
  }                                                                                                                                        \
  TARGET static int WIDE(name##_factor)(const struct cut *c, int64_t from, int64_t to, const struct bands *b, const struct rows *d,        \
                                        void *factors, void *state, void *work) {                                                          \
    return WIDE(eliminate)(c, band, periodic, 1, from, to, b, d, factors, state, work);                                                    \
  }                                                                                                                                        \
  TARGET static void WIDE(name##_each)(const struct cut *c, const struct rows *d, const void *factors, const void *state, void *work) {    \
    WIDE(substitute)(c, band, periodic, 0, d, factors, state, work);                                                                       \
  }                                                                                                                                        \
  TARGET static void WIDE(name##_one)(const struct cut *c, const struct rows *d, const void *factors, const void *state, void *work) {     \
    WIDE(substitute)(c, band, periodic, 1, d, factors, state, work);                                                                       \
  }
FORMS(three, 1, 0)
FORMS(three_round, 1, 1)
FORMS(five, 2, 0)
FORMS(five_round, 2, 1)

#define FORM_OF(name) {WIDE(name##_begin), {WIDE(name##_eliminate), WIDE(name##_factor)}, {WIDE(name##_each), WIDE(name##_one)}}
static const struct form WIDE(forms)[2][2] = {{FORM_OF(three), FORM_OF(three_round)}, {FORM_OF(five), FORM_OF(five_round)}};

#undef V
#undef FORM
#undef EACH
#undef LANES
#undef ROW
#undef SLOT
#undef ASK
#undef ASK_NEXT
#undef PIVOT
#undef WRAPPED
#undef LAST_OF
#undef MINUS
#undef OVER
#undef FORMS
#undef FORM_OF
