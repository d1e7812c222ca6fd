/* sort_form.h - sorting elements of one form; included by sort.c for each, with FORM, KEY, SIGNED, ELEMENT and PAIRS. Private.
 * Not in this file: what does not depend on the form (sort.c). */
#if PAIRS
#define KEY_OF(e) ((e).key)
#else
#define KEY_OF(e) (e)
#endif
#define ROOM ((int)sizeof(KEY) * 8)
#define LINE_ELEMENTS (LINE / (int)sizeof(ELEMENT))
#define LEAF (LEAF_BYTES / (int64_t)sizeof(ELEMENT))

static inline int FORM(bits)(KEY x) { return bits_of((uint64_t)x); }

/* ---- between the user's arrays and elements ---- */

#define LOAD(type, steps, ordered, back)                                 \
  for (int64_t i = 0; i < n; i++) {                                      \
    type raw;                                                            \
    memcpy(&raw, from + i * (steps), sizeof raw);                        \
    const KEY k = (KEY)((KEY)raw << (ROOM - 8 * (int)sizeof(type)));     \
    to[i] = (ordered ^ flip) - back;                                     \
  }
#define ORDERED (k ^ ((KEY)((SIGNED)k >> (ROOM - 1)) & mask))
#define LOAD_EITHER(type)                                                \
  if (step != (int64_t)sizeof(type)) {                                   \
    LOAD(type, step, ORDERED, back)                                      \
  } else if (mask) {                                                     \
    LOAD(type, (int64_t)sizeof(type), ORDERED, back)                     \
  } else {                                                               \
    LOAD(type, (int64_t)sizeof(type), k, 0)                              \
  }

static void FORM(load_keys)(const struct portable__sort *s, int64_t at, int64_t n, KEY *restrict to) {
  const int64_t step = s->key_step;
  const char *restrict from = s->keys + at * step;
  const KEY mask = (KEY)s->mask, flip = (KEY)s->flip, back = (KEY)s->back;
  switch (s->key_bytes) {
  case 1: LOAD_EITHER(uint8_t) break;
  case 2: LOAD_EITHER(uint16_t) break;
  case 4: LOAD_EITHER(uint32_t) break;
#if ROOM_64
  default: LOAD_EITHER(uint64_t) break;
#endif
  }
}
#undef LOAD
#undef LOAD_EITHER
#undef ORDERED

static void FORM(load)(const struct portable__sort *s, int64_t at, int64_t n, ELEMENT *to) {
#if PAIRS
  for (int64_t done = 0; done < n; done += BLOCK) {
    const int64_t m = least(BLOCK, n - done);
    KEY keys[BLOCK];
    const char *from = s->values + (at + done) * s->value_step;
    ELEMENT *here = to + done;
    FORM(load_keys)(s, at + done, m, keys);
    if (s->rest != PORTABLE__SORT_VALUE) {
      for (int64_t i = 0; i < m; i++) here[i] = (ELEMENT){keys[i], (KEY)(at + done + i)};
      continue;
    }
#define LOAD(type)                                                       \
  for (int64_t i = 0; i < m; i++) {                                      \
    type raw;                                                            \
    memcpy(&raw, from + i * s->value_step, sizeof raw);                  \
    here[i] = (ELEMENT){keys[i], (KEY)raw};                              \
  }
    switch (s->value_bytes) {
    case 1: LOAD(uint8_t) break;
    case 2: LOAD(uint16_t) break;
    case 4: LOAD(uint32_t) break;
    default: LOAD(KEY) break;
    }
#undef LOAD
  }
#else
  FORM(load_keys)(s, at, n, to);
#endif
}

static inline KEY FORM(bits_again)(KEY k, KEY mask, KEY flip, KEY back) {
  k = (KEY)((k + back) ^ flip);
  return k ^ ((KEY)((SIGNED)k >> (ROOM - 1)) & mask);
}

#define STORE(type)                                                      \
  for (int64_t i = 0; i < n; i++) {                                      \
    const type raw = (type)(FORM(bits_again)(KEY_OF(from[i]), mask, flip, back) >> (ROOM - 8 * (int)sizeof(type))); \
    memcpy(to + i * step, &raw, sizeof raw);                             \
  }

/* Elements that are in their places from `at` on; `from` is not the user's own memory. */
static void FORM(store)(const struct portable__sort *s, int64_t at, int64_t n, const ELEMENT *restrict from) {
  if (s->rest != PORTABLE__SORT_PLACE) {
    const int64_t step = s->key_step;
    char *restrict to = s->keys + at * step;
    const KEY mask = (KEY)s->mask, flip = (KEY)s->flip, back = (KEY)s->back;
    switch (s->key_bytes) {
    case 1: STORE(uint8_t) break;
    case 2: STORE(uint16_t) break;
    case 4:
      if (step == 4) {
        uint32_t *whole = (uint32_t *)(void *)to;
        if ((uintptr_t)to % 4 == 0) {
          for (int64_t i = 0; i < n; i++) whole[i] = (uint32_t)(FORM(bits_again)(KEY_OF(from[i]), mask, flip, back) >> (ROOM - 32));
          break;
        }
      }
      STORE(uint32_t)
      break;
#if ROOM_64
    default: STORE(uint64_t) break;
#endif
    }
  }
#if PAIRS
  switch (s->rest) {
  case PORTABLE__SORT_PLACE:
    for (int64_t i = 0; i < n; i++) put_index(s, at + i, (int64_t)from[i].rest);
    break;
  case PORTABLE__SORT_GATHER:
    for (int64_t i = 0; i < n; i++)
      memcpy(s->moved + (at + i) * s->value_bytes, s->values + (int64_t)from[i].rest * s->value_step, (size_t)s->value_bytes);
    break;
  default:
    for (int64_t i = 0; i < n; i++) { /* the lower bytes, which come first */
      const KEY raw = from[i].rest;
      char *to = s->values + (at + i) * s->value_step;
      switch (s->value_bytes) {
      case 1: { const uint8_t v = (uint8_t)raw; memcpy(to, &v, sizeof v); break; }
      case 2: { const uint16_t v = (uint16_t)raw; memcpy(to, &v, sizeof v); break; }
      case 4: { const uint32_t v = (uint32_t)raw; memcpy(to, &v, sizeof v); break; }
      default: memcpy(to, &raw, sizeof raw); break;
      }
    }
  }
#endif
}
#undef STORE

/* The end of elements that are in order at x, from a or b. */
static void FORM(finish)(const struct portable__sort *s, int64_t at, int64_t n, ELEMENT *x) {
#if !PAIRS
  if (s->direct && x == (ELEMENT *)s->a + at) {
    const KEY mask = (KEY)s->mask, flip = (KEY)s->flip, back = (KEY)s->back;
    for (int64_t i = 0; i < n; i++) x[i] = FORM(bits_again)(x[i], mask, flip, back);
    return;
  }
#endif
  FORM(store)(s, at, n, x);
}

/* ---- what one thread does with elements that lie together ---- */

static void FORM(insert)(ELEMENT *x, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    const ELEMENT e = x[i];
    int64_t j = i;
    for (; j > 0 && KEY_OF(x[j - 1]) > KEY_OF(e); j--) x[j] = x[j - 1];
    x[j] = e;
  }
}

/* The bits in which keys differ; 0 where they are in order already. */
static KEY FORM(look)(const ELEMENT *x, int64_t n) {
  const KEY first = KEY_OF(x[0]);
  int64_t i = 1;
  while (i < n && KEY_OF(x[i - 1]) <= KEY_OF(x[i])) i++;
  if (i == n) return 0;
  KEY differ = 0;
  for (i = 1; i < n; i++) differ |= KEY_OF(x[i]) ^ first;
  return differ;
}

/* Sorts n elements, at most LEAF; y has as much room. Gives which of the two they are in. First by digits, the lowest first, that
 * are most likely enough; then what these do not tell apart, which is little, or is done again alone. */
static ELEMENT *FORM(leaf)(ELEMENT *x, ELEMENT *y, int64_t n) {
  uint32_t count[LEAF_PASSES][1 << LEAF_DIGIT];
  if (n <= FEW) {
    FORM(insert)(x, n);
    return x;
  }
  const KEY differ = FORM(look)(x, n);
  if (!differ) return x;
  const int bits = FORM(bits)(differ), enough = bits_of((uint64_t)n - 1) + SPARE, most = LEAF_DIGIT * LEAF_PASSES;
  const int need = bits < enough ? (bits < most ? bits : most) : enough < most ? enough : most;
  const int passes = (need - 1) / LEAF_DIGIT + 1, width = (need - 1) / passes + 1;
  const int low = bits > passes * width ? bits - passes * width : 0;
  const KEY ones = (KEY)(((KEY)1 << width) - 1);
  for (int p = 0; p < passes; p++) memset(count[p], 0, sizeof count[0][0] << width);
  switch (passes) {
  case 1:
    for (int64_t i = 0; i < n; i++) count[0][KEY_OF(x[i]) >> low & ones]++;
    break;
  case 2:
    for (int64_t i = 0; i < n; i++) {
      const KEY k = KEY_OF(x[i]) >> low;
      count[0][k & ones]++;
      count[1][k >> width & ones]++;
    }
    break;
  default:
    for (int64_t i = 0; i < n; i++) {
      const KEY k = KEY_OF(x[i]) >> low;
      count[0][k & ones]++;
      count[1][k >> width & ones]++;
      count[2][k >> 2 * width & ones]++;
    }
  }
  for (int p = 0; p < passes; p++) {
    uint32_t *const c = count[p];
    const int shift = low + p * width;
    uint32_t sum = 0;
    if (shift >= ROOM || c[KEY_OF(x[0]) >> shift & ones] == n) continue;
    for (KEY d = 0; d <= ones; d++) {
      const uint32_t here = c[d];
      c[d] = sum;
      sum += here;
    }
    for (int64_t i = 0; i < n; i++) {
      const ELEMENT e = x[i];
      y[c[KEY_OF(e) >> shift & ones]++] = e;
    }
    ELEMENT *const other = x;
    x = y;
    y = other;
  }
  if (low == 0) return x;
  for (int64_t i = 0, end; i < n - 1; i = end) {
    const KEY same = KEY_OF(x[i]) >> low;
    for (end = i + 1; end < n && KEY_OF(x[end]) >> low == same; end++) {}
    if (end - i == 1) continue;
    if (FORM(leaf)(x + i, y + i, end - i) != x + i) memcpy(x + i, y + i, (size_t)(end - i) * sizeof *x);
  }
  return x;
}

/* ---- by one digit, through lines ---- */

struct FORM(lines) {
  _Alignas(LINE) ELEMENT line[1 << PORTABLE__SORT_DIGIT][LINE_ELEMENTS];
  uint64_t next[1 << PORTABLE__SORT_DIGIT];
  uint8_t begin[1 << PORTABLE__SORT_DIGIT]; /* the first place in the line that is ours */
};

/* Where elements of each digit go on, in numbers of elements from `to`. */
static void FORM(lines_begin)(struct FORM(lines) *l, const ELEMENT *to, const uint64_t *next, int64_t buckets) {
  const uint64_t skew = (uintptr_t)to / sizeof *to % LINE_ELEMENTS;
  for (int64_t d = 0; d < buckets; d++) {
    l->next[d] = next[d] + skew;
    l->begin[d] = (uint8_t)(l->next[d] % LINE_ELEMENTS);
  }
}

/* `to` is where number 0 is, less the skew: the beginning of a line. */
static inline void FORM(lines_put)(struct FORM(lines) *l, ELEMENT *to, uint64_t d, ELEMENT e, int32_t around) {
  const uint64_t at = l->next[d]++, place = at % LINE_ELEMENTS;
  l->line[d][place] = e;
  if (place < LINE_ELEMENTS - 1) return;
  const uint8_t begin = l->begin[d];
  if (begin == 0) {
    put_line(to + at - place, l->line[d], around);
    return;
  }
  memcpy(to + at - place + begin, &l->line[d][begin], (LINE_ELEMENTS - begin) * sizeof e);
  l->begin[d] = 0;
}

static void FORM(lines_end)(struct FORM(lines) *l, ELEMENT *to, int64_t buckets, int32_t around) {
  for (int64_t d = 0; d < buckets; d++) {
    const uint64_t end = l->next[d] % LINE_ELEMENTS;
    if (end > l->begin[d])
      memcpy(to + l->next[d] - end + l->begin[d], &l->line[d][l->begin[d]], (end - l->begin[d]) * sizeof(ELEMENT));
  }
  put_end(around);
}

/* Elements of a or b from `at` on that one thread sorts, and brings to the user's arrays. y: as much room. */
static void FORM(part)(const struct portable__sort *s, ELEMENT *x, ELEMENT *y, int64_t at, int64_t n) {
  if (n <= LEAF) {
    FORM(finish)(s, at, n, FORM(leaf)(x, y, n));
    return;
  }
  const KEY differ = FORM(look)(x, n);
  if (!differ) {
    FORM(finish)(s, at, n, x);
    return;
  }
  const int bits = FORM(bits)(differ), width = bits < 8 ? bits : 8, shift = bits - width;
  const KEY ones = (KEY)(((KEY)1 << width) - 1);
  int64_t next[1 << 8], end[1 << 8], sum = 0;
  memset(next, 0, sizeof next);
  for (int64_t i = 0; i < n; i++) next[KEY_OF(x[i]) >> shift & ones]++;
  for (KEY d = 0; d <= ones; d++) {
    const int64_t here = next[d];
    next[d] = sum;
    sum += here;
    end[d] = sum;
  }
  for (int64_t i = 0; i < n; i++) {
    const ELEMENT e = x[i];
    y[next[KEY_OF(e) >> shift & ones]++] = e;
  }
  for (KEY d = 0; d <= ones; d++) {
    const int64_t from = d ? end[d - 1] : 0;
    FORM(part)(s, y + from, x + from, at + from, end[d] - from);
  }
}

/* ---- the steps ---- */

static uint64_t FORM(sample)(const struct portable__sort *s) {
  KEY first, k, differ = 0;
  FORM(load_keys)(s, 0, 1, &first);
  for (int64_t i = 1; i <= SAMPLES; i++) {
    FORM(load_keys)(s, s->count / SAMPLES * i - (i == SAMPLES), 1, &k);
    differ |= k ^ first;
  }
  return differ;
}

static int FORM(begins_ordered)(const struct portable__sort *s) {
  KEY keys[BLOCK];
  const int64_t n = least(s->count, BLOCK);
  FORM(load_keys)(s, 0, n, keys);
  for (int64_t i = 1; i < n; i++)
    if (keys[i] < keys[i - 1]) return 0;
  return 1;
}

/* Whether a key of n from `at` on is less than the one before it. */
static int FORM(falls)(const struct portable__sort *s, int64_t at, int64_t n) {
  if (s->key_bytes == (int32_t)sizeof(KEY) && s->key_step == s->key_bytes && (uintptr_t)s->keys % sizeof(KEY) == 0) {
    /* The same without what makes unsigned integers of signed ones; NaN that is not last is found by the caller's look at both ends. */
    const SIGNED *const x = (const SIGNED *)(const void *)s->keys + at;
#if ROOM_64
    return falls_8(x, n, (SIGNED)s->mask, (KEY)s->flip == (KEY)1 << (ROOM - 1) ? 0 : -1);
#else
    return falls_4(x, n, (SIGNED)s->mask, (KEY)s->flip == (KEY)1 << (ROOM - 1) ? 0 : -1);
#endif
  }
  KEY keys[BLOCK + 1];
  int down = 0;
  FORM(load_keys)(s, at - 1, n + 1, keys);
  for (int64_t i = 0; i < n; i++) down |= keys[i + 1] < keys[i];
  return down;
}

static void FORM(check)(struct portable__sort *s, int64_t chunk) {
  const int64_t begin = chunk_begin(s->count, s->chunks, chunk), end = chunk_begin(s->count, s->chunks, chunk + 1);
  KEY ends[2];
  FORM(load_keys)(s, 0, 1, &ends[0]);
  FORM(load_keys)(s, s->count - 1, 1, &ends[1]);
  int down = ends[0] > ends[1];
  for (int64_t at = begin > 0 ? begin : 1; at < end && !down; at += BLOCK) {
    if (atomic_load_explicit(&s->disorder, memory_order_relaxed)) return;
    down = FORM(falls)(s, at, least(BLOCK, end - at));
  }
  if (down) atomic_store_explicit(&s->disorder, 1, memory_order_relaxed);
}

static void FORM(count)(struct portable__sort *s, int64_t chunk) {
  const int64_t buckets = INT64_C(1) << s->width, end = chunk_begin(s->length, s->chunks, chunk + 1);
  const ELEMENT *const x = (const ELEMENT *)(s->from == 2 ? s->b : s->a);
  const KEY ones = (KEY)(buckets - 1);
  const int shift = s->shift;
  uint32_t even[1 << PORTABLE__SORT_DIGIT], odd[1 << PORTABLE__SORT_DIGIT]; /* two, because equal digits in a row wait for each other */
  uint64_t *const counts = s->counts + chunk * buckets;
  KEY keys[BLOCK], first = 0, differ = 0;
  memset(even, 0, sizeof even[0] << s->width);
  memset(odd, 0, sizeof odd[0] << s->width);
  int64_t at = chunk_begin(s->length, s->chunks, chunk);
  if (s->from)
    first = KEY_OF(x[s->first]);
  else
    FORM(load_keys)(s, 0, 1, &first);
  while (at < end) {
    const int64_t n = least(BLOCK, end - at);
    if (s->from) {
      for (int64_t i = 0; i < n; i++) keys[i] = KEY_OF(x[s->first + at + i]);
    } else {
      FORM(load_keys)(s, at, n, keys);
    }
    for (int64_t i = 0; i < n; i++) differ |= keys[i] ^ first;
    for (int64_t i = 0; i + 1 < n; i += 2) {
      even[keys[i] >> shift & ones]++;
      odd[keys[i + 1] >> shift & ones]++;
    }
    if (n & 1) even[keys[n - 1] >> shift & ones]++;
    at += n;
  }
  for (int64_t d = 0; d < buckets; d++) counts[d] = (uint64_t)even[d] + odd[d];
  atomic_fetch_or_explicit(&s->differ, differ, memory_order_relaxed);
}

static void FORM(scatter)(struct portable__sort *s, int64_t chunk) {
  const int64_t buckets = INT64_C(1) << s->width, end = chunk_begin(s->length, s->chunks, chunk + 1);
  const ELEMENT *const x = (const ELEMENT *)(s->from == 2 ? s->b : s->a) + s->first;
  ELEMENT *const to = (ELEMENT *)(s->from == 2 ? s->a : s->b) + s->first;
  const KEY ones = (KEY)(buckets - 1);
  const int shift = s->shift;
  const int32_t around = s->around;
  uint64_t *const next = s->counts + chunk * buckets;
  ELEMENT block[BLOCK];
  struct FORM(lines) lines;
  ELEMENT *const base = to - (uintptr_t)to / sizeof *to % LINE_ELEMENTS;
  FORM(lines_begin)(&lines, to, next, buckets);
  for (int64_t at = chunk_begin(s->length, s->chunks, chunk); at < end;) {
    const int64_t n = least(BLOCK, end - at);
    const ELEMENT *here = x + at;
    if (!s->from) {
      FORM(load)(s, at, n, block);
      here = block;
    }
    for (int64_t i = 0; i < n; i++) FORM(lines_put)(&lines, base, KEY_OF(here[i]) >> shift & ones, here[i], around);
    at += n;
  }
  FORM(lines_end)(&lines, base, buckets, around);
}

static void FORM(bucket)(struct portable__sort *s, int64_t d) {
  const int64_t begin = s->edges[d], n = s->edges[d + 1] - begin, at = s->first + begin;
  ELEMENT *const a = (ELEMENT *)s->a + at, *const b = (ELEMENT *)s->b + at;
  if (n == 0 || n > s->big) return;
  FORM(part)(s, s->from == 2 ? a : b, s->from == 2 ? b : a, at, n);
}

static void FORM(equal)(struct portable__sort *s, int64_t chunk) {
  const int64_t begin = chunk_begin(s->length, s->chunks, chunk), at = s->first + begin;
  ELEMENT *const x = (ELEMENT *)(s->from == 2 ? s->b : s->a);
  FORM(finish)(s, at, chunk_begin(s->length, s->chunks, chunk + 1) - begin, x + at);
}

static void FORM(all)(struct portable__sort *s) {
  FORM(load)(s, 0, s->count, (ELEMENT *)s->b);
  FORM(part)(s, (ELEMENT *)s->b, (ELEMENT *)s->a, 0, s->count);
}

#undef FORM
#undef KEY
#undef SIGNED
#undef ELEMENT
#undef PAIRS
#undef ROOM_64
#undef KEY_OF
#undef ROOM
#undef LINE_ELEMENTS
#undef LEAF
