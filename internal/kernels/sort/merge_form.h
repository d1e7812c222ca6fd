/* merge_form.h - the merge of keys of one size. Included by merge.c for each, with RAW, KEY, SIGNED and
 * NAME. Four pieces of a part are merged side by side: a step waits for the comparison of the step
 * before it, and branches that depend on data are guessed wrong. Pure. */

#define SHIFT (8 * (int)(sizeof(KEY) - sizeof(RAW)))

/* The key of an element, as an unsigned number in the wanted order. */
static inline KEY NAME(key)(const char *x, int64_t i, KEY mask, KEY flip, KEY back) {
  RAW raw;
  memcpy(&raw, x + i * (int64_t)sizeof raw, sizeof raw);
  const KEY k = (KEY)raw << SHIFT;
  return (KEY)(((k ^ ((KEY)((SIGNED)k >> (8 * sizeof(KEY) - 1)) & mask)) ^ flip) - back);
}

/* Whether the elements from - 1 to to - 1 are in order. */
static int NAME(ordered)(const struct portable__merge *m, const char *x, int64_t from, int64_t to) {
  const KEY mask = (KEY)m->mask, flip = (KEY)m->flip, back = (KEY)m->back;
  int down = 0;
  for (int64_t i = from > 1 ? from : 1; i < to; i++) down |= NAME(key)(x, i, mask, flip, back) < NAME(key)(x, i - 1, mask, flip, back);
  return !down;
}

/* How many of the first `at` elements of the result are from a. */
static int64_t NAME(split)(const struct portable__merge *m, int64_t at) {
  const KEY mask = (KEY)m->mask, flip = (KEY)m->flip, back = (KEY)m->back;
  int64_t low = at > m->b_count ? at - m->b_count : 0, high = at < m->a_count ? at : m->a_count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (NAME(key)(m->a, middle, mask, flip, back) <= NAME(key)(m->b, at - middle - 1, mask, flip, back))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Element o of the result is element i of a or j of b. */
#define TAKE(from_b, i, j)                                                                       \
  {                                                                                              \
    memcpy(c + ((i) + (j)) * size, (from_b) ? b + (j) * size : a + (i) * size, (size_t)size);    \
    if (value_bytes) memcpy(m->c_values + ((i) + (j)) * value_bytes, (from_b) ? m->b_values + (j) * value_bytes : m->a_values + (i) * value_bytes, (size_t)value_bytes); \
  }

#define STEP(i, j)                                                                               \
  {                                                                                              \
    const int from_b = NAME(key)(b, j, mask, flip, back) < NAME(key)(a, i, mask, flip, back);    \
    TAKE(from_b, i, j)                                                                           \
    i += !from_b;                                                                                \
    j += from_b;                                                                                 \
  }

/* value_bytes is a constant where this is called. */
__attribute__((always_inline)) static inline void NAME(pieces)(const struct portable__merge *m, const int64_t at[5], const int64_t in_a[5], const int64_t value_bytes) {
  const KEY mask = (KEY)m->mask, flip = (KEY)m->flip, back = (KEY)m->back;
  const char *const a = m->a, *const b = m->b;
  char *const c = m->c;
  const int64_t size = (int64_t)sizeof(RAW);
  int64_t i[4], j[4];
  for (int p = 0; p < 4; p++) i[p] = in_a[p], j[p] = at[p] - in_a[p];
  for (;;) { /* as many steps as all four can take before an array ends */
    int64_t safe = INT64_MAX;
    for (int p = 0; p < 4; p++) {
      const int64_t more_a = in_a[p + 1] - i[p], more_b = at[p + 1] - in_a[p + 1] - j[p], least = more_a < more_b ? more_a : more_b;
      if (least < safe) safe = least;
    }
    if (safe < 8) break;
    int64_t i0 = i[0], i1 = i[1], i2 = i[2], i3 = i[3], j0 = j[0], j1 = j[1], j2 = j[2], j3 = j[3];
    while (safe-- > 0) {
      STEP(i0, j0)
      STEP(i1, j1)
      STEP(i2, j2)
      STEP(i3, j3)
    }
    i[0] = i0, i[1] = i1, i[2] = i2, i[3] = i3;
    j[0] = j0, j[1] = j1, j[2] = j2, j[3] = j3;
  }
  for (int p = 0; p < 4; p++) {
    const int64_t end_a = in_a[p + 1], end_b = at[p + 1] - end_a;
    int64_t x = i[p], y = j[p];
    while (x < end_a && y < end_b) STEP(x, y)
    if (end_a > x) memcpy(c + (x + y) * size, a + x * size, (size_t)((end_a - x) * size));
    if (value_bytes && end_a > x) memcpy(m->c_values + (x + y) * value_bytes, m->a_values + x * value_bytes, (size_t)((end_a - x) * value_bytes));
    if (end_b > y) memcpy(c + (end_a + y) * size, b + y * size, (size_t)((end_b - y) * size));
    if (value_bytes && end_b > y) memcpy(m->c_values + (end_a + y) * value_bytes, m->b_values + y * value_bytes, (size_t)((end_b - y) * value_bytes));
  }
}

static int NAME(part)(const struct portable__merge *m, int64_t from, int64_t to) {
  int64_t at[5], in_a[5];
  for (int p = 0; p <= 4; p++) {
    at[p] = from + (to - from) * p / 4;
    in_a[p] = NAME(split)(m, at[p]);
    if (p && (in_a[p] < in_a[p - 1] || at[p] - in_a[p] < at[p - 1] - in_a[p - 1])) return 0;
  }
  if (!NAME(ordered)(m, m->a, in_a[0], in_a[4]) || !NAME(ordered)(m, m->b, from - in_a[0], to - in_a[4])) return 0;
  switch (m->value_bytes) {
  case 0: NAME(pieces)(m, at, in_a, 0); break;
  case 4: NAME(pieces)(m, at, in_a, 4); break;
  case 8: NAME(pieces)(m, at, in_a, 8); break;
  default: NAME(pieces)(m, at, in_a, m->value_bytes);
  }
  return 1;
}

#undef TAKE
#undef STEP
#undef SHIFT
#undef RAW
#undef KEY
#undef SIGNED
#undef NAME
