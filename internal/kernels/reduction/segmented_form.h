/* segmented_form.h - reductions of rows for one type and operation; included by segmented.c. Private.
 * NUMBER is the type, unsigned where sums wrap; KIND and NAME name it and the operation. VECTOR is the operator of a sum or product; else BETTER(a, b)
 * says that b is taken. EMPTY is the result of no element. Then itself again for each kind of row pointers and of the index. Pure functions. */
#ifndef ROW

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

#if INDEXED == 4
#define INDEX_OF(s, from) ((const int32_t *)(s)->index + (from))
#elif INDEXED
#define INDEX_OF(s, from) ((const int64_t *)(s)->index + (from))
#endif

/* 0: an index of the elements from..to - 1 is out of range. */
static inline int FORMED(fits)(const struct portable__segmented *s, int64_t from, int64_t to, struct portable__segment_wrong *wrong) {
#if INDEXED == 4
  const int32_t *const at = INDEX_OF(s, 0);
  const uint32_t lower = (uint32_t)s->lower, most = (uint32_t)(s->count > INT32_MAX ? INT32_MAX : s->count - 1);
  uint32_t sign = s->count ? 0 : UINT32_MAX; /* an index in range makes both differences not negative */
  int64_t k = from;
  if (to - from >= 8) {
    portable__whole32 signs[8 / 4] = {{0}}, some;
    for (; k + 8 <= to; k += 8)
      for (int i = 0; i < 8 / 4; i++) {
        memcpy(&some, at + k + 4 * i, sizeof some);
        some -= lower;
        signs[i] |= some | (most - some);
      }
    for (int i = 0; i < 8; i++) sign |= signs[i / 4][i % 4];
  }
  for (; k < to; k++) sign |= ((uint32_t)at[k] - lower) | (most - ((uint32_t)at[k] - lower));
  if (__builtin_expect(sign >> 31, 0) == 0 || from == to) return 1;
#elif INDEXED
  const int64_t *const at = INDEX_OF(s, 0);
  const uint64_t lower = (uint64_t)s->lower, most = (uint64_t)s->count - 1;
  uint64_t sign = s->count ? 0 : UINT64_MAX;
  int64_t k = from;
  if (to - from >= 8) {
    portable__whole64 signs[8 / 2] = {{0}}, some;
    for (; k + 8 <= to; k += 8)
      for (int i = 0; i < 8 / 2; i++) {
        memcpy(&some, at + k + 2 * i, sizeof some);
        some -= lower;
        signs[i] |= some | (most - some);
      }
    for (int i = 0; i < 8; i++) sign |= signs[i / 2][i % 2];
  }
  for (; k < to; k++) sign |= ((uint64_t)at[k] - lower) | (most - ((uint64_t)at[k] - lower));
  if (__builtin_expect(sign >> 63 != 0, 0) == 0 || from == to) return 1;
#else
  (void)s, (void)from, (void)to, (void)wrong;
  return 1;
#endif
#if INDEXED
  for (k = from; k < to; k++)
    if ((uint64_t)((int64_t)at[k] - s->lower) >= (uint64_t)s->count) {
      if (!wrong->what || k < wrong->where) wrong->what = PORTABLE__SEGMENT_ELEMENT, wrong->where = k;
      return 0;
    }
  return 1;
#endif
}

/* The elements from..from + n - 1, n at least 1, as one leaf; indices are in range. */
static inline NUMBER FORMED(leaf)(const struct portable__segmented *s, int64_t from, int64_t n) {
#if INDEXED
  const NUMBER *const x = (const NUMBER *)s->data - s->lower;
  __typeof__(INDEX_OF(s, from)) const at = INDEX_OF(s, from);
#define ELEMENT(k) x[at[k]]
#else
  const NUMBER *const x = (const NUMBER *)s->data + from;
#define ELEMENT(k) x[k]
#endif
  if (n < 8) { /* the tree with the first lanes only */
    if (n == 3) {
      const NUMBER a = JOIN(ELEMENT(0), ELEMENT(2));
      return JOIN(a, ELEMENT(1));
    }
    NUMBER a = ELEMENT(0), b, c;
    if (n == 1) return a;
    b = ELEMENT(1);
    if (n == 2) return JOIN(a, b);
    c = ELEMENT(2);
    if (n > 4) a = JOIN(a, ELEMENT(4));
    if (n > 5) b = JOIN(b, ELEMENT(5));
    if (n > 6) c = JOIN(c, ELEMENT(6));
    a = JOIN(a, c);
    b = JOIN(b, ELEMENT(3));
    return JOIN(a, b);
  }
#ifdef VECTOR
  enum { per = 16 / sizeof(NUMBER), vectors = 8 / per };
  NAMED(vector) v[vectors] = {{0}}, more = {0};
  int64_t k = 8;
  for (int i = 0; i < (int)vectors; i++)
    for (int j = 0; j < (int)per; j++) v[i][j] = ELEMENT(i * (int)per + j);
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < (int)vectors; i++) {
#if INDEXED
      for (int j = 0; j < (int)per; j++) more[j] = ELEMENT(k + i * (int)per + j);
#else
      memcpy(&more, x + k + i * (int)per, sizeof more);
#endif
      v[i] = v[i] VECTOR more;
    }
  switch (n - k) {
  case 7: v[6 / per][6 % per] = JOIN(v[6 / per][6 % per], ELEMENT(k + 6)); /* fall through */
  case 6: v[5 / per][5 % per] = JOIN(v[5 / per][5 % per], ELEMENT(k + 5)); /* fall through */
  case 5: v[4 / per][4 % per] = JOIN(v[4 / per][4 % per], ELEMENT(k + 4)); /* fall through */
  case 4: v[3 / per][3 % per] = JOIN(v[3 / per][3 % per], ELEMENT(k + 3)); /* fall through */
  case 3: v[2 / per][2 % per] = JOIN(v[2 / per][2 % per], ELEMENT(k + 2)); /* fall through */
  case 2: v[1 / per][1 % per] = JOIN(v[1 / per][1 % per], ELEMENT(k + 1)); /* fall through */
  case 1: v[0][0] = JOIN(v[0][0], ELEMENT(k)); /* fall through */
  default: break;
  }
  for (int w = vectors / 2; w >= 1; w /= 2)
    for (int i = 0; i < w; i++) v[i] = v[i] VECTOR v[i + w];
  if (per == 2) return JOIN(v[0][0], v[0][1]);
  const NUMBER a = JOIN(v[0][0], v[0][2 % per]), b = JOIN(v[0][1], v[0][3 % per]);
  return JOIN(a, b);
#else
  NUMBER l[8];
  int64_t k = 0;
  for (; k < 8; k++) l[k] = ELEMENT(k);
  for (; k + 8 <= n; k += 8)
    for (int i = 0; i < 8; i++) l[i] = JOIN(l[i], ELEMENT(k + i));
  for (int i = 0; k < n; k++, i++) l[i] = JOIN(l[i], ELEMENT(k));
  for (int w = 4; w >= 1; w /= 2)
    for (int i = 0; i < w; i++) l[i] = JOIN(l[i], l[i + w]);
  return l[0];
#endif
#undef ELEMENT
}

/* Leaves from number `leaf` on that begin before element `to` of the array. */
static void FORMED(leaves)(const struct portable__segmented *s, int64_t first, int64_t n, int64_t leaf, int64_t to, struct portable__segment_wrong *wrong) {
  const int64_t slot = first / PORTABLE__SEGMENT_SLOT;
  for (; leaf * PORTABLE__SEGMENT < n && first + leaf * PORTABLE__SEGMENT < to; leaf++) {
    const int64_t from = first + leaf * PORTABLE__SEGMENT, left = first + n - from, of = left < PORTABLE__SEGMENT ? left : PORTABLE__SEGMENT;
    if (!FORMED(fits)(s, from, from + of, wrong)) return;
    ((NUMBER *)s->partials)[slot + leaf] = FORMED(leaf)(s, from, of);
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

/* The first wrong one of the rows from..to - 1, one of which is. */
static void FORMED(find)(const struct portable__segmented *s, int64_t from, int64_t to, struct portable__segment_wrong *wrong) {
  const ROW *const row = s->row;
  const int64_t lower = s->lower;
  for (int64_t r = from; r < to; r++)
    if (BEGINNING(r) < 0 || row[r + 1] < row[r] || BEGINNING(r + 1) > s->entries) {
      if (wrong->what != PORTABLE__SEGMENT_ROW || r < wrong->where) wrong->what = PORTABLE__SEGMENT_ROW, wrong->where = r;
      return;
    }
}

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
  for (int64_t r = r0, next; r < r1; r = next) {
    next = r1 - r < PORTABLE__SEGMENT_BLOCK ? r1 : r + PORTABLE__SEGMENT_BLOCK;
    const int decreases = PASTE(decreases, ROWS)(row + r, next - r);
    const int64_t begin = BEGINNING(r), end = BEGINNING(next);
    if (__builtin_expect(decreases || begin < 0 || end > entries, 0)) {
      FORMED(find)(s, r, next, wrong);
      return;
    }
    if (end - begin <= 16 * PORTABLE__SEGMENT_BLOCK) {
      if (!FORMED(fits)(s, begin, end, wrong)) return;
    } else { /* some rows are long, or all rather: they are looked at one by one */
      for (int64_t i = r; i < next; i++) {
        const int64_t from_i = BEGINNING(i), to_i = BEGINNING(i + 1);
        if (to_i - from_i <= PORTABLE__SEGMENT && !FORMED(fits)(s, from_i, to_i, wrong)) return;
      }
    }
    int64_t first = begin;
    for (int64_t i = r; i < next; i++) {
      const int64_t n = BEGINNING(i + 1) - first;
      if (n == 0)
        ((NUMBER *)s->results)[i] = EMPTY;
      else if (__builtin_expect(n <= PORTABLE__SEGMENT, 1))
        ((NUMBER *)s->results)[i] = FORMED(leaf)(s, first, n);
      else {
        s->long_row[first / PORTABLE__SEGMENT_SLOT] = i;
        FORMED(leaves)(s, first, n, 0, to - i - 1, wrong);
      }
      first += n;
    }
    if (wrong->what) return;
  }
}

#undef BEGINNING
#undef INDEX_OF
#undef FORMED
#undef INDEXED

#endif
