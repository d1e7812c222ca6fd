/* segmented_form.h - reductions of short rows for one type and operation; included by segmented.c. Private.
 * NUMBER is the type, unsigned where sums wrap; KIND and NAME name it and the operation. VECTOR is the operator of a sum or product; else BETTER(a, b)
 * says that b is taken. EMPTY is the result of no element. Pure functions. */

#ifdef VECTOR
typedef NUMBER NAMED(vector) __attribute__((vector_size(16)));
#define JOIN(a, b) ((NUMBER)((a) VECTOR (b)))
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
static NUMBER NAMED(leaf)(const NUMBER *x, int64_t n) {
  int64_t k = 8;
#ifdef VECTOR
  enum { vectors = 8 * sizeof(NUMBER) / 16, lanes = 8 / vectors };
  NUMBER l[lanes];
  NAMED(vector) v[vectors], more;
  memcpy(v, x, sizeof v);
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < (int)vectors; i++) {
      memcpy(&more, (const char *)(x + k) + 16 * i, sizeof more);
      v[i] = v[i] VECTOR more;
    }
  for (int i = 0; i < (int)vectors && k < n; i++, k += lanes) { /* other lanes join what leaves their bits */
    if (k + (int)lanes <= n)
      memcpy(&more, x + k, sizeof more);
    else
      for (int e = 0; e < (int)lanes; e++) more[e] = k + e < n ? x[k + e] : (NUMBER)NEUTRAL;
    v[i] = v[i] VECTOR more;
  }
  for (int half = vectors / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) v[i] = v[i] VECTOR v[i + half];
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

/* Rows of 3 elements, found by indices that have been checked. */
static void NAMED(triples)(const void *data, const void *index, int32_t index_bytes, int64_t lower, int64_t rows, void *results) {
  const NUMBER *const x = data;
  NUMBER *restrict const out = results;
  if (index_bytes == 4) {
    const int32_t *const at = index, less = (int32_t)lower;
    for (int64_t r = 0; r < rows; r++) {
      const NUMBER a = JOIN(x[at[3 * r] - less], x[at[3 * r + 2] - less]);
      out[r] = JOIN(a, x[at[3 * r + 1] - less]);
    }
  } else {
    const int64_t *const at = index;
    for (int64_t r = 0; r < rows; r++) {
      const NUMBER a = JOIN(x[at[3 * r] - lower], x[at[3 * r + 2] - lower]);
      out[r] = JOIN(a, x[at[3 * r + 1] - lower]);
    }
  }
}

static void NAMED(reduce)(const void *elements, const int64_t *at, int64_t rows, void *results) {
  const NUMBER *x = elements;
  NUMBER *const out = results;
  for (int64_t r = 0; r < rows; r++) {
    const int64_t n = at[r + 1] - at[r];
    if (n == 3) { /* triangles */
      const NUMBER a = JOIN(x[0], x[2]);
      out[r] = JOIN(a, x[1]);
    } else if (n >= 8)
      out[r] = NAMED(leaf)(x, n);
    else if (n < 2)
      out[r] = n ? x[0] : EMPTY;
    else { /* the tree with the first lanes only */
      NUMBER a = x[0], b = x[1], c;
      if (n > 4) a = JOIN(a, x[4]);
      if (n > 5) b = JOIN(b, x[5]);
      if (n > 2) {
        c = x[2];
        if (n > 6) c = JOIN(c, x[6]);
        a = JOIN(a, c);
      }
      if (n > 3) b = JOIN(b, x[3]);
      out[r] = JOIN(a, b);
    }
    x += n;
  }
}

#undef NUMBER
#undef NAME
#undef JOIN
#undef VECTOR
#undef BETTER
#undef EMPTY
#undef NEUTRAL
