/* segmented_form.h - reductions of short rows for one type and operation; included by segmented.c. Private.
 * NUMBER is the type, unsigned where sums wrap; KIND and NAME name it and the operation. VECTOR is the operator of a sum or product; QUIET that of a least
 * or greatest real number, BITS an integer of its size, and BEST(b, a) the processor's, for numbers only, if it has one; else BETTER(a, b) says that b is taken.
 * EMPTY is the result of no element. Pure functions. */

#if defined VECTOR || defined QUIET
typedef NUMBER NAMED(vector) __attribute__((vector_size(16)));
#endif
#if defined VECTOR
#define JOIN(a, b) ((NUMBER)((a) VECTOR (b)))
#define JOIN_VECTORS(a, b) ((a) VECTOR (b))
#elif defined QUIET
typedef BITS NAMED(bits) __attribute__((vector_size(16)));
/* A NaN is taken only where there is no number. No comparison sees one, as it would raise the flag for invalid operations; only tests for it do. */
static inline NAMED(vector) NAMED(joined)(NAMED(vector) a, NAMED(vector) b) {
  const NAMED(bits) no_a = (NAMED(bits))(a != a), no_b = (NAMED(bits))(b != b), bits_a = (NAMED(bits))a, bits_b = (NAMED(bits))b;
  const NAMED(vector) number_a = (NAMED(vector))(bits_a & ~no_a), number_b = (NAMED(vector))(bits_b & ~no_b);
  const NAMED(bits) take = no_a | ((NAMED(bits))(number_b QUIET number_a) & ~no_b);
  return (NAMED(vector))((bits_b & take) | (bits_a & ~take));
}
static inline NUMBER NAMED(join)(NUMBER a, NUMBER b) { return NAMED(joined)((NAMED(vector)){a}, (NAMED(vector)){b})[0]; }
#define JOIN NAMED(join)
#define JOIN_VECTORS NAMED(joined)
#define NEUTRAL NAN
#ifndef BEST
static inline NAMED(vector) NAMED(best)(NAMED(vector) b, NAMED(vector) a) {
  const NAMED(bits) take = (NAMED(bits))(b QUIET a);
  return (NAMED(vector))(((NAMED(bits))b & take) | ((NAMED(bits))a & ~take));
}
#define BEST NAMED(best)
#endif
#else
static inline NUMBER NAMED(join)(NUMBER a, NUMBER b) { return BETTER(a, b) ? b : a; }
#define JOIN NAMED(join)
#endif

static void NAMED(combine)(void *into, const void *from, void *context) {
  NUMBER *a = into;
  (void)context;
  *a = JOIN(*a, *(const NUMBER *)from);
}

/* 8 elements or more. */
static __attribute__((noinline)) NUMBER NAMED(leaf)(const NUMBER *x, int64_t n) {
  int64_t k = 8;
#ifdef JOIN_VECTORS
  enum { vectors = 8 * sizeof(NUMBER) / 16, lanes = 8 / vectors };
  NUMBER l[lanes];
  NAMED(vector) v[vectors], more = {0};
  memcpy(v, x, sizeof v);
#ifdef BEST
  int no_number = 0;
  for (int64_t i = 0; i < n; i++) no_number |= x[i] != x[i];
  for (; !no_number && k + 8 <= n; k += 8)
    for (int i = 0; i < (int)vectors; i++) {
      memcpy(&more, (const char *)(x + k) + 16 * i, sizeof more);
      v[i] = BEST(more, v[i]);
    }
#endif
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < (int)vectors; i++) {
      memcpy(&more, (const char *)(x + k) + 16 * i, sizeof more);
      v[i] = JOIN_VECTORS(v[i], more);
    }
  for (int i = 0; i < (int)vectors && k < n; i++, k += lanes) { /* other lanes join what leaves their bits */
    if (k + (int)lanes <= n)
      memcpy(&more, x + k, sizeof more);
    else
      for (int e = 0; e < (int)lanes; e++) more[e] = k + e < n ? x[k + e] : (NUMBER)NEUTRAL;
    v[i] = JOIN_VECTORS(v[i], more);
  }
  for (int half = vectors / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) v[i] = JOIN_VECTORS(v[i], v[i + half]);
  memcpy(l, v, sizeof l);
  for (int half = lanes / 2; half > 1; half /= 2)
    for (int i = 0; i < half; i++) l[i] = JOIN(l[i], l[i + half]);
  return JOIN(l[0], l[1]);
#else
  NUMBER l[8];
  for (int i = 0; i < 8; i++) l[i] = x[i];
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++) l[i] = JOIN(l[i], x[k + i]);
  for (int i = 0; k < n; k++, i++) l[i] = JOIN(l[i], x[k]);
  for (int i = 0; i < 4; i++) l[i] = JOIN(l[i], l[i + 4]);
  l[0] = JOIN(l[0], l[2]);
  l[1] = JOIN(l[1], l[3]);
  return JOIN(l[0], l[1]);
#endif
}

/* X(k): element k of a row. */
#define DIRECT(k) x[k]
#define INDEXED(k) x[at[k]]

/* Rows of `width` elements each; by 32-bit indices that have been checked, or NULL. A width that has no loop here: 0. Elements in a row are asked for
 * before they are read: the processor's own requests stop while the row pointers of the next block are compared. */
static int NAMED(even)(const void *elements, const int32_t *index, int32_t width, int64_t rows, void *results) {
  NUMBER *restrict const out = results;
  const int64_t ahead = portable__ask_ahead();
#define EVEN(W, X, tree)                                                                            \
  if (width == (W)) {                                                                               \
    for (int64_t r = 0; r < rows; r++) {                                                            \
      const NUMBER *const x = (const NUMBER *)elements + (index ? 0 : (W) * r);                     \
      const int32_t *const at = index + (W) * r;                                                    \
      (void)at;                                                                                     \
      if (!index) __builtin_prefetch((const void *)((uintptr_t)x + (uintptr_t)ahead));              \
      out[r] = tree(X);                                                                             \
    }                                                                                               \
    return 1;                                                                                       \
  }
#define OF_3(X) JOIN(JOIN(X(0), X(2)), X(1))
#define OF_4(X) JOIN(JOIN(X(0), X(2)), JOIN(X(1), X(3)))
#define OF_6(X) JOIN(JOIN(JOIN(X(0), X(4)), X(2)), JOIN(JOIN(X(1), X(5)), X(3)))
#define OF_8(X) JOIN(JOIN(JOIN(X(0), X(4)), JOIN(X(2), X(6))), JOIN(JOIN(X(1), X(5)), JOIN(X(3), X(7))))
#define EVENS(X) EVEN(3, X, OF_3) EVEN(4, X, OF_4) EVEN(6, X, OF_6) EVEN(8, X, OF_8)
  if (index) {
    EVENS(INDEXED)
  } else {
    EVENS(DIRECT)
  }
  return 0;
}

/* The tree with the first lanes only, of 0 to 7 elements. */
#define FEW(X)                               \
  if (n < 2)                                 \
    out[r] = n ? X(0) : EMPTY;               \
  else {                                     \
    NUMBER a = X(0), b = X(1), c;            \
    if (n > 4) a = JOIN(a, X(4));            \
    if (n > 5) b = JOIN(b, X(5));            \
    if (n > 2) {                             \
      c = X(2);                              \
      if (n > 6) c = JOIN(c, X(6));          \
      a = JOIN(a, c);                        \
    }                                        \
    if (n > 3) b = JOIN(b, X(3));            \
    out[r] = JOIN(a, b);                     \
  }

#define GATHERED(INDEX)                                        \
  do {                                                         \
    const INDEX *at = index;                                   \
    for (int64_t r = 0; r < rows; r++) {                       \
      const int64_t n = begin[r + 1] - begin[r];               \
      if (n >= 8) {                                            \
        for (int64_t k = 0; k < n; k++) some[k] = x[at[k]];    \
        out[r] = NAMED(leaf)(some, n);                         \
      } else {                                                 \
        FEW(INDEXED)                                           \
      }                                                        \
      at += n;                                                 \
    }                                                          \
  } while (0)

static void NAMED(reduce)(const void *elements, const void *index, int32_t index_bytes, const int64_t *begin, int64_t rows, void *results) {
  const NUMBER *x = elements;
  NUMBER *const out = results;
  NUMBER some[PORTABLE__SEGMENT];
  if (index_bytes == 4)
    GATHERED(int32_t);
  else if (index_bytes == 8)
    GATHERED(int64_t);
  else
    for (int64_t r = 0; r < rows; r++) {
      const int64_t n = begin[r + 1] - begin[r];
      if (n >= 8) {
        out[r] = NAMED(leaf)(x, n);
      } else {
        FEW(DIRECT)
      }
      x += n;
    }
}

#undef DIRECT
#undef INDEXED
#undef EVEN
#undef EVENS
#undef OF_3
#undef OF_4
#undef OF_6
#undef OF_8
#undef FEW
#undef GATHERED
#undef NUMBER
#undef NAME
#undef JOIN
#undef JOIN_VECTORS
#undef QUIET
#undef BEST
#undef VECTOR
#undef BETTER
#undef EMPTY
#undef NEUTRAL
