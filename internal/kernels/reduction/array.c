/* array.c - see array.h: lines, leaves, what lies apart in memory is brought together. Operations are in array_operations.c. */
#include "array.h"

#include "../base/least.h"
#include "../base/walk.h"

#define CHUNK_BYTES 2048 /* elements that are brought together at a time */
#define LINE_CHUNK 1024  /* the same for each of several lines; a multiple of PORTABLE__LANE_BYTES for each size of element */
#define AHEAD 12         /* rows from one that is added to one that is asked for: each may be a page of its own */
#define LEAVES_FEW 16    /* of a line: the last one may be short */
#define STRIP 512        /* lines whose elements are side by side in memory, that are worked on together; at least the most lanes */
#define AT_ONCE 8        /* rows of one lane that are added at a time: as many as the processor reads ahead in */

void portable__array_cut(struct portable__array_reduction *r) {
  r->lines = 1;
  for (int32_t k = 0; k < r->outer; k++)
    if (r->out[k].extent == 0) r->lines = 0; /* the others may be too many for a product */
  for (int32_t k = 0; k < r->outer && r->lines; k++) r->lines *= r->out[k].extent;
  r->leaves = r->count <= PORTABLE__LEAF ? 1 : (r->count - 1) / PORTABLE__LEAF + 1;
  r->units = (r->lines ? (r->lines - 1) / PORTABLE__LINES + 1 : 0) * r->leaves;
}

/* ---- places ---- */

static void begin_line(const struct portable__array_reduction *r, int64_t line, struct portable__walk *w) {
  w->data = r->data;
  w->mask = r->mask;
  portable__walk_line(r->out, r->outer, line, w);
}

/* Goes to an element of the line from its first one. */
static void go_to(const struct portable__array_reduction *r, int64_t element, struct portable__walk *w) {
  portable__walk_to(r->in, r->inner, element, w);
}

/* ---- bringing together ---- */

#define REPLACE(type)                                            \
  {                                                              \
    type x, y;                                                   \
    memcpy(&y, masked, sizeof y);                                \
    for (int64_t i = 0; i < count; i++) {                        \
      memcpy(&x, elements + i * (int64_t)sizeof x, sizeof x);    \
      x = mask[i] ? x : y;                                       \
      memcpy(elements + i * (int64_t)sizeof x, &x, sizeof x);    \
    }                                                            \
  }

struct sixteen {
  uint64_t a, b;
};

/* Elements that are masked out become ones that change nothing. */
static void apply(char *elements, const unsigned char *mask, int64_t count, int32_t bytes, const void *masked) {
  switch (bytes) {
  case 1: REPLACE(uint8_t) break;
  case 2: REPLACE(uint16_t) break;
  case 4: REPLACE(uint32_t) break;
  case 8: REPLACE(uint64_t) break;
  default: REPLACE(struct sixteen) break;
  }
}

/* The next elements of a line, brought together. */
static void gather(const struct portable__array_reduction *r, struct portable__walk *w, int64_t count, char *elements, unsigned char *mask) {
  int32_t bytes = r->operation->element_bytes;
  while (count > 0) {
    int64_t run = portable__walk_run(r->in, w, count);
    portable__bring(elements, bytes, w->data, r->in[0].step, run, bytes);
    elements += run * bytes;
    if (w->mask) {
      portable__bring_mask(mask, w->mask, r->in[0].mask_step, run, r->mask_bytes);
      mask += run;
    }
    portable__walk_on(r->in, r->inner, run, w);
    count -= run;
  }
}

/* ---- leaves ---- */

/* Elements of a leaf; the last one may be shorter, and an empty line has one without elements. */
static int64_t leaf_count(const struct portable__array_reduction *r, int64_t leaf) {
  return least(PORTABLE__LEAF, r->count - leaf * PORTABLE__LEAF);
}

/* Whether so many elements lie one behind the other, at addresses that suit them. */
static int together(const struct portable__array_reduction *r, const struct portable__walk *w, int64_t count) {
  int32_t bytes = r->operation->element_bytes;
  return !w->mask && r->in[0].step == bytes && r->in[0].extent - w->index[0] >= count && (uintptr_t)w->data % (uintptr_t)(bytes < 8 ? bytes : 8) == 0;
}

/* One leaf of one line into lanes. */
static void add_leaf(const struct portable__array_reduction *r, int64_t line, int64_t leaf, void *lanes) {
  _Alignas(64) char elements[CHUNK_BYTES];
  unsigned char mask[CHUNK_BYTES];
  const struct portable__array_operation *o = r->operation;
  int64_t left = leaf_count(r, leaf), most = CHUNK_BYTES / o->element_bytes;
  if (left == 0) return;
  struct portable__walk w;
  begin_line(r, line, &w);
  go_to(r, leaf * PORTABLE__LEAF, &w);
  while (left > 0) {
    if (together(r, &w, left)) {
      o->add(lanes, w.data, left);
      return;
    }
    int64_t n = least(left, most);
    gather(r, &w, n, elements, mask);
    if (w.mask) apply(elements, mask, n, o->element_bytes, &o->masked);
    o->add(lanes, elements, n);
    left -= n;
  }
}

/* One leaf of each of several lines, whose first elements are neighbours more often than their second ones. */
static void add_leaves(const struct portable__array_reduction *r, int64_t first, int32_t lines, int64_t leaf,
                       char lanes[][PORTABLE__LANE_BYTES]) {
  _Alignas(64) char elements[PORTABLE__LINES][LINE_CHUNK];
  unsigned char mask[PORTABLE__LINES][LINE_CHUNK];
  const struct portable__array_operation *o = r->operation;
  struct portable__walk w[PORTABLE__LINES];
  int32_t bytes = o->element_bytes;
  int64_t left = leaf_count(r, leaf), most = LINE_CHUNK / bytes, step = r->in[0].step;
  for (int32_t l = 0; l < lines; l++) {
    begin_line(r, first + l, &w[l]);
    go_to(r, leaf * PORTABLE__LEAF, &w[l]);
  }
  for (int64_t n; left > 0; left -= n) {
    n = least(left, most);
    int64_t few = 64 / bytes; /* of a line before the next line: as few as a row of the buffer is a cache line */
    for (int64_t k = 0; k < n; k += few)
      for (int32_t l = 0; l < lines; l++)
        portable__bring(&elements[l][k * bytes], bytes, w[l].data + k * step, step, least(few, n - k), bytes);
    for (int32_t l = 0; l < lines; l++) {
      w[l].data += n * step;
      if (w[l].mask) {
        portable__bring_mask(mask[l], w[l].mask, r->in[0].mask_step, n, r->mask_bytes);
        w[l].mask += n * r->in[0].mask_step;
        apply(elements[l], mask[l], n, bytes, &o->masked);
      }
      o->add(lanes[l], elements[l], n);
    }
  }
}

/* ---- min and max ---- */

/* The number in the line of the first such element of a leaf; -1: none. */
static int64_t find(const struct portable__array_reduction *r, int64_t line, int64_t leaf, const struct portable__array_partial *p,
                    int32_t what) {
  _Alignas(64) char elements[CHUNK_BYTES];
  unsigned char mask[CHUNK_BYTES];
  int64_t most = CHUNK_BYTES / r->operation->element_bytes, from = leaf * PORTABLE__LEAF, to = from + leaf_count(r, leaf);
  if (from == to) return -1;
  struct portable__walk w;
  begin_line(r, line, &w);
  go_to(r, from, &w);
  for (int64_t n; from < to; from += n) {
    n = least(to - from, most);
    gather(r, &w, n, elements, mask);
    int64_t at = r->operation->find(elements, w.mask ? mask : NULL, n, p, what);
    if (at >= 0) return from + at;
  }
  return -1;
}

/* The value is that of a masked element, or of an element. */
static void look(const struct portable__array_reduction *r, int64_t line, struct portable__array_partial *p) {
  p->has = find(r, line, p->leaf, p, PORTABLE__FIND_NUMBER) >= 0 ? PORTABLE__NUMBER
           : find(r, line, p->leaf, p, PORTABLE__FIND_ANY) >= 0 ? PORTABLE__NANS
                                                                : PORTABLE__NOTHING;
}

static void store_location(const struct portable__array_reduction *r, int64_t line, const struct portable__array_partial *p) {
  int64_t at = -1;
  if (p->has != PORTABLE__NOTHING)
    at = find(r, line, p->leaf, p, p->has == PORTABLE__NUMBER ? PORTABLE__FIND_VALUE : PORTABLE__FIND_ANY);
  int64_t *to = (int64_t *)(void *)r->results + line;
  if (r->rank == 0) *to = at;
  for (int32_t k = 0; k < r->rank; k++) {
    to[r->place[k]] = at < 0 ? -1 : at % r->extent[k];
    if (at >= 0) at /= r->extent[k];
  }
}

/* ---- results ---- */

static void store(const struct portable__array_reduction *r, int64_t line, const struct portable__array_partial *p) {
  char *to = r->results + line * r->operation->result_bytes;
  switch (r->op) {
  case PORTABLE_REDUCE_MINLOC:
  case PORTABLE_REDUCE_MAXLOC: store_location(r, line, p); break;
  case PORTABLE_REDUCE_ANY: *(int32_t *)(void *)to = p->value.i != 0; break;
  case PORTABLE_REDUCE_ALL: *(int32_t *)(void *)to = p->value.i == r->count; break;
  default: r->operation->store(p, to); break;
  }
}

/* The last step of a leaf of a line: `end` is fold, or take. */
static void end_leaf(const struct portable__array_reduction *r, int64_t line, int64_t leaf, void (*end)(const void *, struct portable__array_partial *),
                     const void *lanes) {
  struct portable__array_partial p = {.leaf = leaf};
  end(lanes, &p);
  if (p.has == PORTABLE__UNSURE) look(r, line, &p);
  if (r->partials)
    r->partials[line * r->leaves + leaf] = p;
  else
    store(r, line, &p);
}

/* ---- lines side by side ---- */

/* Whether lines are side by side in memory, so a row of elements can be added to a row of sums. */
static int side_by_side(const struct portable__array_reduction *r) {
  int64_t bytes = r->operation->element_bytes, suits = bytes < 8 ? bytes : 8;
  return r->count > 0 && r->outer && r->inner == 1 && r->out[0].step == bytes && r->in[0].step % suits == 0 && (uintptr_t)r->data % (uintptr_t)suits == 0;
}

/* The rows of a leaf into rows of sums, of which there is one for each lane. */
static void add_each_row(const struct portable__array_reduction *r, struct portable__walk *w, int64_t lines, int64_t count, char *sums) {
  _Alignas(64) char elements[STRIP * 16];
  unsigned char mask[STRIP];
  const struct portable__array_operation *o = r->operation;
  const int64_t bytes = o->element_bytes, lanes = portable__array_lanes(o), sum = PORTABLE__LANE_BYTES / lanes, step = r->in[0].step;
  for (int64_t k = 0; k < count; k++, w->data += step) {
    char *into = sums + (k & (lanes - 1)) * lines * sum;
    const char *row = w->data;
    if (w->mask) {
      memcpy(elements, row, (size_t)(lines * bytes));
      portable__bring_mask(mask, w->mask, r->out[0].mask_step, lines, r->mask_bytes);
      apply(elements, mask, lines, (int32_t)bytes, &o->masked);
      w->mask += r->in[0].mask_step;
      row = elements;
    }
    for (int64_t at = 0; at < lines * bytes && k + AHEAD < count; at += 64) __builtin_prefetch(w->data + AHEAD * step + at);
    if (o->rows)
      o->rows(into, row, 0, 1, lines);
    else
      for (int64_t l = 0; l < lines; l += lanes) o->add(into + l * sum, row + l * bytes, lanes);
  }
}

/* One leaf of lines side by side, a whole number of times as many as there are lanes. sums[lane][line]: a row of elements goes to the row of its lane, so
 * each line has the additions of add_leaf in their order. Several rows of one lane are added at a time: sums are loaded and stored once for them. */
static void add_rows(const struct portable__array_reduction *r, int64_t first, int64_t lines, int64_t leaf, char *sums) {
  _Alignas(64) char lane[PORTABLE__LANE_BYTES];
  const struct portable__array_operation *o = r->operation;
  const int64_t lanes = portable__array_lanes(o), sum = PORTABLE__LANE_BYTES / lanes, count = leaf_count(r, leaf), step = r->in[0].step;
  struct portable__walk w;
  begin_line(r, first, &w);
  go_to(r, leaf * PORTABLE__LEAF, &w);
  for (int64_t l = 0; l < lanes * lines; l += lanes) o->begin(sums + l * sum);
  if (!o->rows || w.mask) {
    add_each_row(r, &w, lines, count, sums);
  } else {
    for (int64_t k = 0; k < count; k += lanes * AT_ONCE)
      for (int64_t l = 0; l < least(lanes, count - k); l++)
        o->rows(sums + l * lines * sum, w.data + (k + l) * step, lanes * step, least(AT_ONCE, (count - k - l - 1) / lanes + 1), lines);
  }
  for (int64_t half = o->join ? lanes / 2 : 0; half > 0; half /= 2)
    for (int64_t l = 0; l < half * lines; l += lanes) o->join(sums + l * sum, sums + (half * lines + l) * sum, lanes);
  for (int64_t l = 0; l < lines; l++) {
    for (int64_t k = 0; k < lanes && !o->join; k++) memcpy(lane + k * sum, sums + (k * lines + l) * sum, (size_t)sum);
    end_leaf(r, first + l, leaf, o->join ? o->take : o->fold, o->join ? sums + l * sum : lane);
  }
}

/* ---- units ---- */

static void add_lines(const struct portable__array_reduction *r, int64_t first, int64_t end, int64_t leaf) {
  _Alignas(64) char lanes[STRIP][PORTABLE__LANE_BYTES]; /* PORTABLE__LINES of them, or sums of rows */
  const int64_t rows = side_by_side(r) ? portable__array_lanes(r->operation) : 0, start = first;
  while (first < end) {
    int64_t lines = least(end - first, STRIP);
    if (rows) {
      const int64_t along = first % r->out[0].extent;
      lines = least(lines, r->out[0].extent - along);
      const int64_t again = rows - 1 - (lines - 1) % rows; /* lines before these that are done once more, with the same result */
      if (again <= least(along, first - start) && lines + again <= STRIP) {
        first -= again;
        lines += again;
      }
    }
    if (rows && lines >= rows) {
      lines -= lines % rows;
      add_rows(r, first, lines, leaf, lanes[0]);
    } else {
      lines = least(lines, PORTABLE__LINES);
      for (int32_t l = 0; l < lines; l++) r->operation->begin(lanes[l]);
      if (lines > 1 && r->count > 0 && (r->mask || r->in[0].step != r->operation->element_bytes)) {
        add_leaves(r, first, (int32_t)lines, leaf, lanes);
      } else {
        for (int32_t l = 0; l < lines; l++) add_leaf(r, first + l, leaf, lanes[l]);
      }
      for (int32_t l = 0; l < lines; l++) end_leaf(r, first + l, leaf, r->operation->fold, lanes[l]);
    }
    first += lines;
  }
}

/* Units of one leaf follow one another, because their lines are neighbours in memory. Where leaves are few, of which the last may be short, units
 * of the same lines follow one another, so shares of the launch have as much work. */
void portable__array_units(const struct portable__array_reduction *r, int64_t from, int64_t to) {
  const int64_t groups = r->units / r->leaves, few = r->leaves <= LEAVES_FEW, fast = few ? r->leaves : groups;
  for (int64_t slow, at, many; from < to; from += many) {
    slow = from / fast;
    at = from % fast;
    many = least(to - from, fast - at);
    if (!few) {
      add_lines(r, at * PORTABLE__LINES, least(r->lines, (at + many) * PORTABLE__LINES), slow);
      continue;
    }
    const int64_t whole = many == fast ? (to - from) / fast : 1; /* lines with all their leaves */
    for (int64_t leaf = at; leaf < at + many; leaf++)
      add_lines(r, slow * PORTABLE__LINES, least(r->lines, (slow + whole) * PORTABLE__LINES), leaf);
    many *= whole;
  }
}

void portable__array_end(const struct portable__array_reduction *r) {
  if (!r->partials) return;
  for (int64_t line = 0; line < r->lines; line++) {
    struct portable__array_partial *p = r->partials + line * r->leaves;
    portable__tree(p, r->leaves, sizeof *p, r->operation->combine, NULL);
    store(r, line, p);
  }
}

/* ---- exact sums: of any order, so without lanes and tree ---- */

static int is_single(const struct portable__array_reduction *r) {
  return r->kind == PORTABLE_KIND_REAL32 || r->kind == PORTABLE_KIND_COMPLEX32;
}

/* Parts of numbers, each `step` parts from the next. */
static void add_parts(int single, const char *parts, int64_t step, int64_t count, portable_exact *sum) {
  double doubles[CHUNK_BYTES / sizeof(float)];
  for (int64_t i = 0; i < count; i++)
    doubles[i] = single ? (double)((const float *)(const void *)parts)[i * step] : ((const double *)(const void *)parts)[i * step];
  portable_exact_add_array(sum, doubles, (size_t)count);
}

void portable__array_exact(const struct portable__array_reduction *r, int64_t line, int64_t leaf, portable_exact *sums) {
  _Alignas(64) char elements[CHUNK_BYTES];
  unsigned char mask[CHUNK_BYTES];
  int32_t bytes = r->operation->element_bytes, single = is_single(r), part = single ? 4 : 8;
  int64_t left = leaf_count(r, leaf), most = CHUNK_BYTES / bytes;
  if (left == 0) return;
  struct portable__walk w;
  begin_line(r, line, &w);
  go_to(r, leaf * PORTABLE__LEAF, &w);
  if (bytes == part && together(r, &w, left)) {
    if (single)
      portable_exact_add_array32(sums, (const float *)(const void *)w.data, (size_t)left);
    else
      portable_exact_add_array(sums, (const double *)(const void *)w.data, (size_t)left);
    return;
  }
  for (int64_t n; left > 0; left -= n) {
    n = least(left, most);
    gather(r, &w, n, elements, mask);
    if (w.mask) apply(elements, mask, n, bytes, &r->operation->masked);
    for (int32_t p = 0; p < bytes / part; p++) add_parts(single, elements + p * part, bytes / part, n, &sums[p]);
  }
}

void portable__array_exact_store(const struct portable__array_reduction *r, int64_t line, const portable_exact *sums) {
  int32_t bytes = r->operation->element_bytes, single = is_single(r), parts = bytes / (single ? 4 : 8);
  char *to = r->results + line * bytes;
  for (int32_t p = 0; p < parts; p++) {
    if (single)
      ((float *)(void *)to)[p] = portable_exact_value32(&sums[p]);
    else
      ((double *)(void *)to)[p] = portable_exact_value(&sums[p]);
  }
}
