/* fft_lanes.h - lines to the lanes of vectors and back, if they lie side by side or are contiguous; fft_avx2.h and fft_16.h include this
 * file, and fft.c moves number by number what is refused here. The lines of a group are whole vectors. Rows of lines
 * side by side are read over all vectors of the group, because rows are far apart. Threads: any. */

/* Two vectors of complex numbers of lines side by side: a block, or each part as it lies in memory. */
FORM void WIDE(in)(const char *from, V *to, int64_t part, const int pairs, const int lone, const int exchanged) {
  V r, i = (V){0};
  if (pairs) {
    const V u = LOAD(from), v = LOAD(from + VECTOR);
    r = EVEN(u, v);
    i = ODD(u, v);
  } else {
    r = ORDER(LOAD(from));
    if (!lone) i = ORDER(LOAD(from + part));
  }
  to[exchanged] = r;
  to[!exchanged] = i;
}
FORM void WIDE(out)(const V *from, char *to, int64_t part, const int pairs, const int lone, const int exchanged) {
  const V r = from[exchanged], i = from[!exchanged];
  if (pairs) {
    STORE(to, ZIP_LOW(r, i));
    STORE(to + VECTOR, ZIP_HIGH(r, i));
  } else {
    STORE(to, ORDER(r));
    if (!lone) STORE(to + part, ORDER(i));
  }
}

FORM void WIDE(rows)(const struct view *v, const struct lines *l, char *region, const int writes, const int pairs, const int lone, const int exchanged) {
  const int64_t next = pairs ? BLOCK : VECTOR, vectors = l->width / LANES, pitch = l->pitch, element = l->step, step = v->step, part = v->part;
  char *at = v->at + l->offset[0][v->side];
  for (int64_t count = v->count; count > 0; count--, at += step, region += element)
    for (int64_t g = 0; g < vectors; g++) {
      V *const x = (V *)(void *)(region + g * pitch);
      if (writes)
        WIDE(out)(x, at + g * next, part, pairs, lone, exchanged);
      else
        WIDE(in)(at + g * next, x, part, pairs, lone, exchanged);
    }
}

/* Lines `step` bytes apart. */
#if VECTOR / BYTES == 2
#define LINES(at, step) {at, at + step}
#elif VECTOR / BYTES == 4
#define LINES(at, step) {at, at + step, at + 2 * step, at + 3 * step}
#else
#define LINES(at, step) {at, at + step, at + 2 * step, at + 3 * step, at + 4 * step, at + 5 * step, at + 6 * step, at + 7 * step}
#endif

FORM void WIDE(along)(char *const *line, char *at, int64_t step, int64_t count, const int writes, const int exchanged) {
  for (int64_t k = 0; k < count; k++, at += step) {
    V *const x = (V *)(void *)at;
    if (writes)
      WIDE(give)(line, k, x[exchanged], x[!exchanged]);
    else
      WIDE(take)(line, k, &x[exchanged], &x[!exchanged]);
  }
}

/* The same for real numbers, whose imaginary parts are 0. */
typedef T WIDE(loose) __attribute__((aligned(1), may_alias));
#define NUMBER(l) (*(WIDE(loose) *)(void *)(line[l] + k * BYTES))
FORM void WIDE(alone)(char *const *line, char *at, int64_t step, int64_t count, const int writes, const int exchanged) {
  for (int64_t k = 0; k < count; k++, at += step) {
    V *const x = (V *)(void *)at;
    if (writes) {
#define GIVE(lane, l) NUMBER(l) = x[exchanged][lane];
      EACH_LANE(GIVE)
#undef GIVE
    } else {
#define TAKE(lane, l) NUMBER(l),
      x[exchanged] = (V){EACH_LANE(TAKE)};
      x[!exchanged] = (V){0};
#undef TAKE
    }
  }
}
#undef NUMBER

/* 0: the lines lie in another way. */
TARGET static int WIDE(move)(const struct view *v, const struct lines *l, char *region, int writes) {
  const int64_t apart = l->apart[v->side];
  const int pairs = !v->lone && v->part == BYTES;
  if (l->count < l->width) return 0;
  if ((pairs && v->step == 2 * BYTES) || (v->lone && v->step == BYTES)) {
    const int64_t element = l->step, count = v->count;
    for (int64_t g = 0; g < l->width; g += LANES, region += l->pitch) {
      char *line[LANES] = LINES(v->at + l->offset[g][v->side], apart);
      for (int i = 0; i < LANES && !apart; i++) line[i] = v->at + l->offset[g + i][v->side];
#define MOVE(move, writes) (v->exchanged ? WIDE(move)(line, region, element, count, writes, 1) : WIDE(move)(line, region, element, count, writes, 0))
      if (v->lone)
        writes ? MOVE(alone, 1) : MOVE(alone, 0);
      else
        writes ? MOVE(along, 1) : MOVE(along, 0);
#undef MOVE
    }
    return 1;
  }
#define ROWS(writes, pairs, lone) \
  (v->exchanged ? WIDE(rows)(v, l, region, writes, pairs, lone, 1) : WIDE(rows)(v, l, region, writes, pairs, lone, 0))
  if (pairs && apart == 2 * BYTES)
    writes ? ROWS(1, 1, 0) : ROWS(0, 1, 0);
  else if (!v->lone && apart == BYTES)
    writes ? ROWS(1, 0, 0) : ROWS(0, 0, 0);
  else if (v->lone && apart == BYTES)
    writes ? ROWS(1, 0, 1) : ROWS(0, 0, 1);
  else
    return 0;
  return 1;
#undef ROWS
}

/* Passes that take numbers from lines, that give numbers to them, or both. The lines of a vector are contiguous and `step` bytes apart, or (rows) side by side,
 * their numbers `step` bytes apart. Addresses are in registers. The last pass has m = 1. */
FORM void WIDE(fetch)(char *const *near, const char *from, int64_t step, int64_t k, const int rows, V *r, V *i) {
  if (!rows) {
    WIDE(take)(near, k, r, i);
    return;
  }
  const V u = LOAD(from + k * step), v = LOAD(from + k * step + VECTOR);
  *r = EVEN(u, v);
  *i = ODD(u, v);
}
FORM void WIDE(bring)(char *const *far, char *to, int64_t step, int64_t k, const int rows, V r, V i) {
  if (!rows) {
    WIDE(give)(far, k, r, i);
    return;
  }
  STORE(to + k * step, ZIP_LOW(r, i));
  STORE(to + k * step + VECTOR, ZIP_HIGH(r, i));
}
#define TAKE(l) \
  V r##l, i##l; \
  WIDE(fetch)(near, from, from_step, (l) * m + s, rows, exchanged ? &i##l : &r##l, exchanged ? &r##l : &i##l);
#define GIVE(j, v) WIDE(bring)(far, to, to_step, (j) * ls + k, rows, exchanged ? i##v : r##v, exchanged ? r##v : i##v);
#define GET(l) V r##l = x[2 * (l)], i##l = x[2 * (l) + 1];
#define PUT(j, v) y[2 * ((j) * m + s)] = r##v, y[2 * ((j) * m + s) + 1] = i##v;
#define FACTOR(l) const T c##l = w[((l) - 1) * ls + k], d##l = w[(radix + (l) - 2) * ls + k];
#define TURN(l)                    \
  {                                \
    const V t = r##l;              \
    r##l = t * c##l - i##l * d##l; \
    i##l = t * d##l + i##l * c##l; \
  }
#define ENDS(n)                                                                                                                                            \
  FORM void WIDE(take_##n)(char *from, int64_t from_step, V *restrict y, int64_t m, const int exchanged, const int rows) {                                 \
    char *const near[LANES] = LINES(from, from_step);                                                                                                      \
    for (int64_t s = 0; s < m; s++) {                                                                                                                      \
      PORTABLE__FFT_EACH_##n(TAKE) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(PUT)                                                                        \
    }                                                                                                                                                      \
  }                                                                                                                                                        \
  FORM void WIDE(give_##n)(const V *x, char *to, int64_t to_step, int64_t ls, const T *w, const int exchanged, const int rows) {                           \
    enum { radix = n };                                                                                                                                    \
    char *const far[LANES] = LINES(to, to_step);                                                                                                           \
    for (int64_t k = 0; k < ls; k++, x += 2 * radix) {                                                                                                     \
      PORTABLE__FFT_REST_##n(FACTOR)                                                                                                                       \
      PORTABLE__FFT_EACH_##n(GET) PORTABLE__FFT_REST_##n(TURN) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(GIVE)                                           \
    }                                                                                                                                                      \
  }                                                                                                                                                        \
  FORM void WIDE(pass_on_##n)(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, const int exchanged, const int rows) {            \
    const int64_t m = 1, s = 0, ls = 1, k = 0;                                                                                                             \
    for (; vectors > 0; vectors--, from += rows ? BLOCK : LANES * from_step, to += rows ? BLOCK : LANES * to_step) {                                       \
      char *const near[LANES] = LINES(from, from_step), *const far[LANES] = LINES(to, to_step);                                                            \
      PORTABLE__FFT_EACH_##n(TAKE) PORTABLE__FFT_DFT_##n PORTABLE__FFT_OUT_##n(GIVE)                                                                       \
    }                                                                                                                                                      \
  }                                                                                                                                                        \
  TARGET static void WIDE(ends_first_##n)(char *from, int64_t step, void *out, int64_t m, int exchanged, int rows) {                                       \
    if (rows) exchanged ? WIDE(take_##n)(from, step, out, m, 1, 1) : WIDE(take_##n)(from, step, out, m, 0, 1);                                             \
    else exchanged ? WIDE(take_##n)(from, step, out, m, 1, 0) : WIDE(take_##n)(from, step, out, m, 0, 0);                                                  \
  }                                                                                                                                                        \
  TARGET static void WIDE(ends_last_##n)(const void *in, char *to, int64_t step, int64_t ls, const void *table, int exchanged, int rows) {                 \
    if (rows) exchanged ? WIDE(give_##n)(in, to, step, ls, table, 1, 1) : WIDE(give_##n)(in, to, step, ls, table, 0, 1);                                   \
    else exchanged ? WIDE(give_##n)(in, to, step, ls, table, 1, 0) : WIDE(give_##n)(in, to, step, ls, table, 0, 0);                                        \
  }                                                                                                                                                        \
  TARGET static void WIDE(ends_only_##n)(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, int exchanged, int rows) {             \
    if (rows) exchanged ? WIDE(pass_on_##n)(from, from_step, to, to_step, vectors, 1, 1) : WIDE(pass_on_##n)(from, from_step, to, to_step, vectors, 0, 1); \
    else exchanged ? WIDE(pass_on_##n)(from, from_step, to, to_step, vectors, 1, 0) : WIDE(pass_on_##n)(from, from_step, to, to_step, vectors, 0, 0);      \
  }
ENDS(2)
ENDS(3)
ENDS(4)
ENDS(5)
ENDS(7)
ENDS(8)
/* Contiguous real lines of 2, 4, 6 and 3 numbers to half of their transforms, with the operations of fft_form.h: the pass of half as many complex
 * numbers and to_reals, or of numbers whose imaginary parts are 0. */
#define KEEP(j, v) z[2 * (j)] = r##v, z[2 * (j) + 1] = i##v;
#define DFT_1
#define OUT_1(F) F(0, 0)
#define EACH_1(F) F(0)
#define REALS(n, half, EACH_HALF, DFT_HALF, OUT_HALF)                                                                                    \
  TARGET static void WIDE(reals_##n)(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, const void *turns) {     \
    const int64_t m = 1, s = 0;                                                                                                          \
    const int rows = 0, exchanged = 0;                                                                                                   \
    const T *const turn = turns;                                                                                                         \
    for (; vectors > 0; vectors--, from += LANES * from_step, to += LANES * to_step) {                                                   \
      char *const near[LANES] = LINES(from, from_step), *const far[LANES] = LINES(to, to_step);                                          \
      V z[2 * half];                                                                                                                     \
      EACH_HALF(TAKE) DFT_HALF OUT_HALF(KEEP)                                                                                            \
      _Pragma("GCC unroll 4") for (int k = 0; k <= half; k++) {                                                                          \
        V re, im;                                                                                                                        \
        WIDE(joined)(z, half, k, turn, &re, &im);                                                                                        \
        WIDE(give)(far, k, re, im);                                                                                                      \
      }                                                                                                                                  \
    }                                                                                                                                    \
  }
REALS(2, 1, EACH_1, DFT_1, OUT_1)
REALS(4, 2, PORTABLE__FFT_EACH_2, PORTABLE__FFT_DFT_2, PORTABLE__FFT_OUT_2)
REALS(6, 3, PORTABLE__FFT_EACH_3, PORTABLE__FFT_DFT_3, PORTABLE__FFT_OUT_3)
#undef REALS
#undef DFT_1
#undef OUT_1
#undef EACH_1
#undef KEEP

#define NUMBER(l) (*(WIDE(loose) *)(void *)(near[l] + k * BYTES))
#define TAKE_LANE(lane, l) NUMBER(l),
TARGET static void WIDE(reals_3)(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, const void *turns) {
  (void)turns;
  for (; vectors > 0; vectors--, from += LANES * from_step, to += LANES * to_step) {
    char *const near[LANES] = LINES(from, from_step), *const far[LANES] = LINES(to, to_step);
    int k = 0;
    V r0 = {EACH_LANE(TAKE_LANE)}, i0 = {0}, i1 = {0}, i2 = {0};
    k = 1;
    V r1 = {EACH_LANE(TAKE_LANE)};
    k = 2;
    V r2 = {EACH_LANE(TAKE_LANE)};
    PORTABLE__FFT_DFT_3;
    WIDE(give)(far, 0, r0, i0);
    WIDE(give)(far, 1, r1, i1);
  }
}
#undef NUMBER
#undef TAKE_LANE

#define SIX(name) {[2] = WIDE(name##_2), [3] = WIDE(name##_3), [4] = WIDE(name##_4), [5] = WIDE(name##_5), [7] = WIDE(name##_7), [8] = WIDE(name##_8)}
static const struct end_form WIDE(end_form) = {.first = SIX(ends_first), .last = SIX(ends_last), .only = SIX(ends_only),
                                               .reals = {[2] = WIDE(reals_2), [3] = WIDE(reals_3), [4] = WIDE(reals_4), [6] = WIDE(reals_6)}};
#undef SIX
#undef ENDS
#undef LINES
#undef TURN
#undef FACTOR
#undef PUT
#undef GET
#undef GIVE
#undef TAKE

static const unsigned char WIDE(order)[] = ORDER_OF_LANES;
#undef ORDER_OF_LANES
#undef EACH_LANE
#undef LOAD
#undef STORE
#undef EVEN
#undef ODD
#undef LOWER
#undef UPPER
#undef ZIP_LOW
#undef ZIP_HIGH
#undef LANES_OF
#undef REVERSE
#undef ORDER
#undef AT
#undef FIRST_PAIRS
#undef LAST_PAIRS
#undef BLOCK
#undef V
#undef LANES
#undef FORM
