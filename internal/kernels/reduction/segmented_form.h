/* segmented_form.h - reductions of rows for one type and operation; included by segmented.c. Private.
 * NUMBER is the type, unsigned where sums wrap; KIND and NAME name it and the operation. VECTOR is the operator of a sum or product; else BETTER(a, b)
 * says that b is taken. EMPTY is the result of no element. Then itself again for each kind of row pointers and of the index. Pure functions. */
#ifndef ROW

#ifdef VECTOR
typedef NUMBER NAMED(vector) __attribute__((vector_size(8 * sizeof(NUMBER))));
#define JOIN(a, b) ((NUMBER)((a) VECTOR (b)))
#else
static inline NUMBER NAMED(join)(NUMBER a, NUMBER b) { return BETTER(a, b) ? b : a; }
#define JOIN NAMED(join)
#endif

/* The tree of the first `n` lanes. */
static inline NUMBER NAMED(fold)(NUMBER *l, int64_t n) {
  for (int64_t w = 4; w >= 1; w /= 2)
    for (int64_t i = 0; i < w && i + w < n; i++) l[i] = JOIN(l[i], l[i + w]);
  return l[0];
}

static void NAMED(combine)(void *into, const void *from, void *context) {
  NUMBER *a = into;
  (void)context;
  *a = JOIN(*a, *(const NUMBER *)from);
}

/* The leaves of a long row are in its slots. */
static void NAMED(end)(const struct portable__segmented *s, int64_t slot) {
  const int64_t r = s->long_row[slot];
  const int64_t n = s->row_bytes == 4 ? (int64_t)((const int32_t *)s->row)[r + 1] - ((const int32_t *)s->row)[r] : ((const int64_t *)s->row)[r + 1] - ((const int64_t *)s->row)[r];
  NUMBER *const p = (NUMBER *)s->partials + slot;
  portable__tree(p, (n - 1) / PORTABLE__SEGMENT + 1, sizeof *p, NAMED(combine), NULL);
  ((NUMBER *)s->results)[r] = *p;
}

#define ROW int32_t
#define ROWS 4
#define INDEXED 0
#include "segmented_form.h"
#define INDEXED 4
#include "segmented_form.h"
#define INDEXED 8
#include "segmented_form.h"
#undef ROW
#undef ROWS
#define ROW int64_t
#define ROWS 8
#define INDEXED 0
#include "segmented_form.h"
#define INDEXED 4
#include "segmented_form.h"
#define INDEXED 8
#include "segmented_form.h"
#undef ROW
#undef ROWS
#undef NUMBER
#undef NAME
#undef JOIN
#undef VECTOR
#undef BETTER
#undef EMPTY

#else

#define FORMED(name) PASTE(PASTE(NAMED(name), ROWS), INDEXED)

/* The elements from..from + n - 1, n at least 1, as one leaf. 0: an index is out of range. */
static inline int FORMED(leaf)(const struct portable__segmented *s, int64_t from, int64_t n, NUMBER *out, struct portable__segment_wrong *wrong) {
  NUMBER l[8];
  int64_t k = 0;
#if INDEXED
#if INDEXED == 4
  const int32_t *const at = (const int32_t *)s->index + from;
#else
  const int64_t *const at = (const int64_t *)s->index + from;
#endif
  const NUMBER *const x = s->data;
  const uint64_t count = (uint64_t)s->count, lower = (uint64_t)s->lower;
#define ELEMENT(k) x[(uint64_t)at[k] - lower]
  for (int64_t i = 0; i < n; i++)
    if ((uint64_t)at[i] - lower >= count) {
      if (!wrong->what || from + i < wrong->where) wrong->what = PORTABLE__SEGMENT_ELEMENT, wrong->where = from + i;
      return 0;
    }
#else
  const NUMBER *const x = (const NUMBER *)s->data + from;
  (void)wrong;
#define ELEMENT(k) x[k]
#endif
  if (n < 8) {
    switch (n) { /* the tree with the first lanes only */
    case 1: *out = ELEMENT(0); return 1;
    case 2: *out = JOIN(ELEMENT(0), ELEMENT(1)); return 1;
    case 3: {
      const NUMBER a = JOIN(ELEMENT(0), ELEMENT(2));
      *out = JOIN(a, ELEMENT(1));
      return 1;
    }
    case 4: {
      const NUMBER a = JOIN(ELEMENT(0), ELEMENT(2)), b = JOIN(ELEMENT(1), ELEMENT(3));
      *out = JOIN(a, b);
      return 1;
    }
    default: break;
    }
    for (; k < n; k++) l[k] = ELEMENT(k);
    *out = NAMED(fold)(l, n);
    return 1;
  }
#if defined(VECTOR) && !INDEXED
  NAMED(vector) lanes, more;
  memcpy(&lanes, x, sizeof lanes);
  for (k = 8; k + 8 <= n; k += 8) {
    memcpy(&more, x + k, sizeof more);
    lanes = lanes VECTOR more;
  }
  memcpy(l, &lanes, sizeof l);
#else
  for (; k < 8; k++) l[k] = ELEMENT(k);
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++) l[i] = JOIN(l[i], ELEMENT(k + i));
#endif
  for (int i = 0; k < n; k++, i++) l[i] = JOIN(l[i], ELEMENT(k));
  *out = NAMED(fold)(l, 8);
  return 1;
#undef ELEMENT
}

/* Leaves from number `leaf` on that begin before element `to` of the array. */
static void FORMED(leaves)(const struct portable__segmented *s, int64_t first, int64_t n, int64_t leaf, int64_t to, struct portable__segment_wrong *wrong) {
  const int64_t slot = first / PORTABLE__SEGMENT_SLOT;
  for (; leaf * PORTABLE__SEGMENT < n && first + leaf * PORTABLE__SEGMENT < to; leaf++) {
    const int64_t from = leaf * PORTABLE__SEGMENT, left = n - from;
    NUMBER value;
    if (!FORMED(leaf)(s, first + from, left < PORTABLE__SEGMENT ? left : PORTABLE__SEGMENT, &value, wrong)) return;
    ((NUMBER *)s->partials)[slot + leaf] = value;
  }
}

/* The first row r with row[r] + r >= at. */
static int64_t FORMED(search)(const struct portable__segmented *s, int64_t at) {
  const ROW *const row = s->row;
  int64_t low = 0, high = s->rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if ((int64_t)row[middle] < at - middle + s->lower)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

#define BEGINNING(r) ((int64_t)((uint64_t)row[r] - (uint64_t)lower))
static void FORMED(part)(const struct portable__segmented *s, int64_t from, int64_t to, struct portable__segment_wrong *wrong) {
  const ROW *const row = s->row;
  /* The first part has row 0 and the last one the last row, whatever row says: so each wrong row is found. */
  const int64_t r0 = from ? FORMED(search)(s, from) : 0, r1 = to >= s->rows + s->entries ? s->rows : FORMED(search)(s, to), lower = s->lower, entries = s->entries;
  /* Leaves of the row before that begin here: element e of it stands at position e + r0. */
  if (r0 > 0) {
    const int64_t first = BEGINNING(r0 - 1), end = BEGINNING(r0);
    if (first >= 0 && end <= entries && end > first && end - first > PORTABLE__SEGMENT && from - r0 >= first)
      FORMED(leaves)(s, first, end - first, (from - r0 - first + PORTABLE__SEGMENT - 1) / PORTABLE__SEGMENT, to - r0, wrong);
  }
  if (r0 >= r1) return;
  int64_t first = BEGINNING(r0);
  for (int64_t r = r0; r < r1; r++) {
    const int64_t end = BEGINNING(r + 1);
    if (__builtin_expect(first < 0 || end < first || end > entries, 0)) {
      if (wrong->what != PORTABLE__SEGMENT_ROW || r < wrong->where) wrong->what = PORTABLE__SEGMENT_ROW, wrong->where = r;
      return;
    }
    const int64_t n = end - first;
    if (n == 0)
      ((NUMBER *)s->results)[r] = EMPTY;
    else if (__builtin_expect(n <= PORTABLE__SEGMENT, 1)) {
      if (!FORMED(leaf)(s, first, n, (NUMBER *)s->results + r, wrong)) return;
    } else {
      s->long_row[first / PORTABLE__SEGMENT_SLOT] = r;
      FORMED(leaves)(s, first, n, 0, to - r - 1, wrong);
    }
    first = end;
  }
}

#undef BEGINNING
#undef FORMED
#undef INDEXED

#endif
