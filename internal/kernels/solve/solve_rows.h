/* solve_rows.h - elimination and back substitution of a group of systems. solve_form.h includes this file with KEEPS 0 for all groups, and with
 * KEEPS 1 for rows that were brought together: these have a known width, so the loop over their vectors is unrolled, and what the next row needs
 * stays in registers. PLACE(name) is the name. The order of operations is that of capi/include/kernel/portable_solver_columns.h, which also
 * explains the periodic form: a change here is a change there. Threads: any. */

#define UNROLL _Pragma("GCC unroll 8")
#if KEEPS
#define EACH(g) UNROLL for (int64_t g = 0; g < groups; g++)
#define WIDTH (APART / (int64_t)sizeof(T))
#define LAST_ROW(kept, at) (kept)[g]
#define KEEP(kept, x) ((kept)[g] = (x))
#else
#define EACH(g) for (int64_t g = 0; g < groups; g++)
#define WIDTH c->width
#define LAST_ROW(kept, at) LANES(at, g)
#define KEEP(kept, x) ((void)0)
#endif

/* For each cache line of a row: asks for that of the next row, which lies far away, so processors do not foresee it; and for a line of each
 * of `count` operands of the next group. So the memory always has work, and never too much at once. */
#define ASK(at, g) __builtin_prefetch((at) + (g) * VECTOR)
#define ASK_NEXT(count, g)                                                                                       \
  do {                                                                                                           \
    UNROLL for (int k = 0; k < 3; k++)                                                                           \
      if (k < (count)) __builtin_prefetch((const char *)(ask[k] + (uintptr_t)((g) * VECTOR)), 0, 2);             \
  } while (0)

/* Eliminates rows from..to-1; b->in points to row `from`, but for the highest diagonal, which has all of its rows. one: the factors are kept, and
 * there is no right-hand side; else d->at has all of its rows. 1: a pivot is 0. */
FORM int PLACE(eliminate)(const struct cut *c, const int band, const int periodic, const int one, int64_t from, int64_t to, const struct bands *b,
                          const struct rows *d, T *factors, T *state) {
  const int64_t width = WIDTH, groups = width * (int64_t)sizeof(T) / VECTOR, m = c->m;
  const int64_t slots = SLOTS(band, periodic, one, KEEPS || (!ALWAYS_IN_PLACE && c->near)) * width;
  const int64_t x_pitch = one ? 0 : KEEPS ? APART : d->pitch;
  const int edge = EDGE(band), borders = periodic ? c->borders : 0, next = !one && (ALWAYS_IN_PLACE || c->next);
  WIDE(bits) seen = {0};
  const char *in[PORTABLE__SOLVE_BANDS];
  int64_t pitch[PORTABLE__SOLVE_BANDS];
  uintptr_t ask[3];
#if KEEPS
  V kept_pivot[APART / VECTOR] = {{0}}, kept_y[APART / VECTOR] = {{0}}; /* of the row before */
#endif
  UNROLL for (int k = 0; k <= 2 * band; k++) {
    pitch[k] = KEEPS ? (int64_t)sizeof(T) * (k == 2 * band ? slots : width) : b->pitch[k];
    in[k] = b->in[k] - (k == 2 * band ? 0 : from * pitch[k]);
  }
  if (KEEPS && from > 0) EACH(g) {
      KEEP(kept_pivot, SLOT(factors + (from - 1) * slots, PIVOTS, g));
      if (!one) KEEP(kept_y, LANES(d->at + (from - 1) * x_pitch, g));
    }
  for (int64_t i = from; i < to; i++) {
    T *const now = factors + i * slots, *const before = now - slots, *const first = before - slots;
    char *const x = one ? NULL : d->at + i * x_pitch;
    const int64_t ahead = i + 1 < c->n ? 1 : 0;
    if (next) ask_next(ask, c, 0, band + 1, i);
    EACH(g) {
      if (!one && g * VECTOR % 64 == 0) {
        if (!KEEPS) {
          UNROLL for (int k = 0; k <= 2 * band; k++) ASK(ROW(k, i + ahead), g);
          ASK(x + ahead * x_pitch, g);
        }
        if (next) ASK_NEXT(band + 1, g);
      }
      V p = LANES(ROW(band, i), g), u = LANES(ROW(band + 1, i), g), y = p, f = (V){0}, f2 = (V){0};
      if (!one) y = LANES(x, g);
      if (band == 2 && i >= 2) {
        f2 = LANES(ROW(0, i), g) / SLOT(first, PIVOTS, g);
        p = p - f2 * LANES(ROW(4, i - 2), g);
        if (one)
          SLOT(now, LOWER(band, periodic) + 1, g) = f2;
        else
          y = y - f2 * LANES(x - 2 * x_pitch, g);
      }
      if (i >= 1) {
        f = LANES(ROW(band - 1, i), g);
        if (band == 2 && i >= 2) f = f - f2 * SLOT(first, UPPER, g);
        f = f / LAST_ROW(kept_pivot, before + PIVOTS * width);
        p = p - f * (band == 2 ? SLOT(before, UPPER, g) : LANES(ROW(2, i - 1), g));
        if (band == 2 && i + 1 < m) u = u - f * LANES(ROW(4, i - 1), g);
        if (one)
          SLOT(now, LOWER(band, periodic), g) = f;
        else
          y = y - f * LAST_ROW(kept_y, x - x_pitch);
      }
      PIVOT(p, seen);
      SLOT(now, PIVOTS, g) = p;
      KEEP(kept_pivot, p);
      if (band == 2) SLOT(now, UPPER, g) = u;
      if (!one) LANES(x, g) = y;
      KEEP(kept_y, y);
      if (!periodic) continue;
      for (int k = 0; k < borders; k++) {
        V e = (V){0};
        if (i < band || i + band >= m) WRAPPED(e, i, m + k, LANES(ROW(o + band, i), g));
        if (band == 2 && i >= 2) e = e - f2 * SLOT(first, edge + k, g);
        if (i >= 1) e = e - f * SLOT(before, edge + k, g);
        SLOT(now, edge + k, g) = e;
      }
      for (int r = 0; r < borders; r++) {
        V side = SLOT(state, SIDE + 2 * r, g), later = (V){0};
        const V below = side / p;
        for (int k = 0; k < borders; k++) SLOT(state, BLOCK + 2 * r + k, g) = SLOT(state, BLOCK + 2 * r + k, g) - below * SLOT(now, edge + k, g);
        if (one)
          SLOT(now, BELOW(band, periodic) + r, g) = below;
        else
          LANES(d->at + (m + r) * x_pitch, g) = LANES(d->at + (m + r) * x_pitch, g) - below * y;
        if (i + band < m) {
          if (i + 2 * band >= m) WRAPPED(later, m + r, i + band, LAST_OF(r));
          later = later - below * LANES(ROW(2 * band, i), g);
        }
        if (band == 2 && i + 1 < m) side = SLOT(state, SIDE + 2 * r + 1, g) - below * u;
        SLOT(state, SIDE + 2 * r, g) = band == 2 ? side : later;
        SLOT(state, SIDE + 2 * r + 1, g) = later;
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

/* Right-hand sides to solutions, in d->at. one: the factors are shared, and the right-hand sides are eliminated here first. */
FORM void PLACE(substitute)(const struct cut *c, const int band, const int periodic, const int one, const struct rows *d, const T *factors,
                            const T *state) {
  const int64_t width = WIDTH, groups = width * (int64_t)sizeof(T) / VECTOR, m = c->m, pitch = KEEPS ? APART : d->pitch;
  const int64_t slots = SLOTS(band, periodic, one, KEEPS || (!ALWAYS_IN_PLACE && c->near)) * (one ? PORTABLE__SOLVE_LANES : width);
  const int64_t top_pitch = one ? 0 : KEEPS ? slots * (int64_t)sizeof(T) : d->top_pitch;
  const int edge = EDGE(band), borders = periodic ? c->borders : 0, next = ALWAYS_IN_PLACE || c->next;
  char *const last = d->at + m * pitch; /* the rows of the border */
  uintptr_t ask[3];
#if KEEPS
  V kept[APART / VECTOR] = {{0}}; /* of the row that was done last */
#endif
  if (one) {
    for (int64_t i = 0; i < m; i++) {
      const T *const now = factors + i * slots;
      char *const x = d->at + i * pitch;
      const int64_t ahead = i + 1 < c->n ? pitch : 0;
      EACH(g) {
        V y = LANES(x, g);
        if (!KEEPS && g * VECTOR % 64 == 0) ASK(x + ahead, g);
        if (band == 2 && i >= 2) MINUS(y, now, LOWER(band, periodic) + 1, LANES(x - 2 * pitch, g), g);
        if (i >= 1) MINUS(y, now, LOWER(band, periodic), LAST_ROW(kept, x - pitch), g);
        LANES(x, g) = y;
        KEEP(kept, y);
        for (int r = 0; r < borders; r++) MINUS(LANES(last + r * pitch, g), now, BELOW(band, periodic) + r, y, g);
      }
    }
  }
  if (borders) EACH(g) {
      V first = LANES(last, g);
      if (borders == 2) {
        V second = LANES(last + pitch, g);
        MINUS(second, state, BLOCK + 2, first, g);
        OVER(second, state, BLOCK + 3, g);
        MINUS(first, state, BLOCK + 1, second, g);
        LANES(last + pitch, g) = second;
      }
      OVER(first, state, BLOCK, g);
      LANES(last, g) = first;
    }
  for (int64_t i = m - 1; i >= 0; i--) {
    const T *const now = factors + i * slots;
    const char *const top = one ? NULL : d->top + i * top_pitch;
    char *const x = d->at + i * pitch;
    if (next) ask_next(ask, c, one ? 0 : band + 1, one ? 1 : band + 1, m - 1 - i);
    EACH(g) {
      if (next && g * VECTOR % 64 == 0) ASK_NEXT(one ? 1 : band + 1, g);
      V y = LANES(x, g);
      if (i + 1 < m) {
        const V known = LAST_ROW(kept, x + pitch);
        if (one)
          MINUS(y, now, band == 2 ? UPPER : TOP(band, periodic), known, g);
        else
          y = y - (band == 2 ? SLOT(now, UPPER, g) : LANES(top, g)) * known;
      }
      if (band == 2 && i + 2 < m) {
        if (one)
          MINUS(y, now, TOP(band, periodic), LANES(x + 2 * pitch, g), g);
        else
          y = y - LANES(top, g) * LANES(x + 2 * pitch, g);
      }
      for (int k = 0; k < borders; k++) MINUS(y, now, edge + k, LANES(last + k * pitch, g), g);
      OVER(y, now, PIVOTS, g);
      LANES(x, g) = y;
      KEEP(kept, y);
    }
  }
}

#undef UNROLL
#undef EACH
#undef WIDTH
#undef LAST_ROW
#undef KEEP
#undef ASK
#undef ASK_NEXT
#undef MINUS
#undef OVER
