/* copy.c - see copy.h: planning, and the walk over blocks. Not in this file: what is done with a block (copy_block.c), comparing and
 * checksums (copy_look.c). */
#include "copy_block.h"

#include "../base/least.h"

#define BLOCK_BYTES 16384     /* of a transposition: with what it is read from, half of a first-level cache */
#define LINE_BYTES 65536      /* of a block that is copied line by line */
#define FEW_BYTES 262144      /* of one with few lines that are written past the caches, each of which begins and ends within a cache line */
#define RUN_BYTES 128         /* of the lines of a transposition's block that are written */
#define READ_BYTES 512        /* and that are read: whole cache lines, and their neighbours, which processors fetch too */
#define RECORD_BYTES 256      /* runs up to that are elements of a transposition */
#define STREAM_BYTES (4 << 20) /* what is larger leaves the second-level cache before it is used again */

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static uint64_t size_of(int64_t step) { return step < 0 ? 0 - (uint64_t)step : (uint64_t)step; }
static int64_t blocks(int64_t extent, int64_t block) { return (extent - 1) / block + 1; }

/* ---- axes ---- */

/* Leaves out axes of one index, and turns those round that are written backwards. */
static void tidy(struct portable__copy *c) {
  int32_t rank = 0;
  for (int32_t k = 0; k < c->rank; k++) {
    struct portable__copy_axis a = c->axis[k];
    if (a.extent == 1) continue;
    if (a.to < 0) {
      c->to += (a.extent - 1) * a.to;
      c->from += (a.extent - 1) * a.from;
      a.to = -a.to;
      a.from = -a.from;
    }
    c->axis[rank++] = a;
  }
  c->rank = rank;
}

static int comes_before(const struct portable__copy_axis *a, const struct portable__copy_axis *b) {
  return a->to != b->to ? a->to < b->to : size_of(a->from) < size_of(b->from);
}

static void sort(struct portable__copy *c) {
  for (int32_t i = 1; i < c->rank; i++)
    for (int32_t k = i; k > 0 && comes_before(&c->axis[k], &c->axis[k - 1]); k--) {
      struct portable__copy_axis a = c->axis[k];
      c->axis[k] = c->axis[k - 1];
      c->axis[k - 1] = a;
    }
}

/* Unsigned, because steps are the user's and may be anything. */
static int follows(int64_t step, int64_t inner, int64_t extent) { return (uint64_t)step == (uint64_t)inner * (uint64_t)extent; }

static void join(struct portable__copy *c) {
  int32_t last = -1;
  for (int32_t k = 0; k < c->rank; k++) {
    struct portable__copy_axis *b = &c->axis[last], *a = &c->axis[k];
    if (last >= 0 && follows(a->to, b->to, b->extent) && follows(a->from, b->from, b->extent))
      b->extent *= a->extent;
    else
      c->axis[++last] = *a;
  }
  c->rank = last + 1;
}

static void bytes_of(const struct portable__copy *c, int64_t *from, int64_t *to) {
  int32_t v = c->conversion;
  *from = v == PORTABLE__COPY_SAME ? c->bytes : v == PORTABLE__COPY_WIDEN || v == PORTABLE__COPY_LONGER ? 4 : 8;
  *to = v == PORTABLE__COPY_SAME ? c->bytes : v == PORTABLE__COPY_WIDEN || v == PORTABLE__COPY_LONGER ? 8 : 4;
}

/* A short run of elements that are neighbours on both sides becomes one element, when there is more than that run. */
static void lengthen(struct portable__copy_plan *p) {
  struct portable__copy *c = &p->copy;
  const struct portable__copy_axis a = c->axis[0];
  if (c->conversion != PORTABLE__COPY_SAME || c->rank < 2 || a.to != c->bytes || a.from != c->bytes || a.extent > RECORD_BYTES / most(c->bytes, 1)) return;
  c->bytes *= a.extent;
  p->from_bytes = p->to_bytes = c->bytes;
  c->rank--;
  for (int32_t k = 0; k < c->rank; k++) c->axis[k] = c->axis[k + 1];
}

/* Puts S behind the first axis. An axis along which nothing moves is not read at all, so it is not the one. */
static void find_s(struct portable__copy_plan *p) {
  struct portable__copy *c = &p->copy;
  int32_t s = 0;
  for (int32_t k = 1; k < c->rank; k++)
    if (c->axis[k].from && c->axis[s].from && size_of(c->axis[k].from) < size_of(c->axis[s].from)) s = k;
  if (s == 0 || p->from_bytes > RECORD_BYTES) return;
  struct portable__copy_axis a = c->axis[s];
  for (; s > 1; s--) c->axis[s] = c->axis[s - 1];
  c->axis[1] = a;
  p->transposes = 1;
}

/* ---- blocks ---- */

/* That many elements or a few less, so that they fill cache lines. */
static int64_t whole_lines(int64_t elements, int64_t bytes) {
  const int64_t line = 64 % bytes ? 1 : 64 / bytes;
  return elements < line ? elements : elements / line * line;
}

static void shape_blocks(struct portable__copy_plan *p) {
  const struct portable__copy_axis *a = p->copy.axis;
  const int64_t n = p->copy.rank > 0 ? a[0].extent : 1, m = p->copy.rank > 1 ? a[1].extent : 1;
  if (!p->transposes) {
    p->length = least(n, most(LINE_BYTES / p->to_bytes, 1));
    p->depth = least(m, most(LINE_BYTES / p->to_bytes / p->length, 1));
    return;
  }
  const int few = p->streams && m < PORTABLE__COPY_FEW && p->to_bytes == 8 && p->copy.conversion == PORTABLE__COPY_SAME;
  const int64_t elements = most((few ? FEW_BYTES : BLOCK_BYTES) / p->to_bytes, 1), run = most(RUN_BYTES / p->to_bytes, 1), read = most(READ_BYTES / p->from_bytes, 1);
  p->length = least(n, run);
  p->depth = least(m, read);
  /* A side that is short leaves room for more of the other. */
  if (p->length == n) p->depth = least(m, whole_lines(most(elements / p->length, read), p->to_bytes));
  if (p->depth == m) p->length = least(n, whole_lines(most(elements / p->depth, run), p->to_bytes));
  while (p->length > 1 && p->length * p->depth > elements) p->length = (p->length + 1) / 2;
  if (p->length * p->depth > elements) p->depth = elements;
}

/* Where all lines that are written begin at one place of a cache line, blocks begin with one. */
static int64_t shift_of(const struct portable__copy_plan *p) {
  uint64_t at = (uint64_t)(uintptr_t)p->copy.to;
  if (!p->transposes || p->copy.axis[0].to != p->to_bytes || 64 % p->to_bytes || at % (uint64_t)p->to_bytes) return 0;
  for (int32_t k = 1; k < p->copy.rank; k++)
    if (p->copy.axis[k].to % 64) return 0;
  int64_t shift = (int64_t)(at % 64) / p->to_bytes;
  return p->length * p->to_bytes % 64 || shift >= p->length ? 0 : shift;
}

/* Whether cache lines are a number of elements, for each line that is written. With shorter elements the others of a cache line would be too many. */
static int32_t in_whole_lines(const struct portable__copy_plan *p) {
  const uint64_t bytes = (uint64_t)p->to_bytes;
  uint64_t ends = (uint64_t)(uintptr_t)p->copy.to;
  for (int32_t k = 0; k < p->copy.rank; k++) ends |= (uint64_t)p->copy.axis[k].to;
  return p->streams && p->transposes && p->copy.axis[0].to == p->to_bytes && bytes >= 4 && 64 % bytes == 0 && ends % bytes == 0;
}

void portable__copy_plan(const struct portable__copy *copy, int32_t streams, int32_t single, struct portable__copy_plan *p) {
  memset(p, 0, sizeof *p);
  p->copy = *copy;
  bytes_of(copy, &p->from_bytes, &p->to_bytes);
  p->length = p->depth = p->across = p->down = 1;
  for (int32_t k = 0; k < copy->rank; k++)
    if (copy->axis[k].extent == 0) return; /* the others may be too many for a product */
  if (copy->conversion == PORTABLE__COPY_SAME && copy->bytes == 0) return;
  p->elements = 1;
  for (int32_t k = 0; k < copy->rank; k++) p->elements *= copy->axis[k].extent;
  const int64_t bytes = p->elements * p->to_bytes;
  tidy(&p->copy);
  sort(&p->copy);
  join(&p->copy);
  if (!single) lengthen(p);
  find_s(p);
  p->streams = streams < 0 ? bytes >= STREAM_BYTES : streams;
  shape_blocks(p);
  p->whole = in_whole_lines(p);
  p->shift = shift_of(p);
  if (p->copy.rank > 0) p->across = blocks(p->copy.axis[0].extent + p->shift, p->length);
  if (p->copy.rank > 1) p->down = blocks(p->copy.axis[1].extent, p->depth);
  p->down_first = p->transposes; /* so lines that are read go on in the next block, as processors foresee */
  p->units = p->across * p->down;
  for (int32_t k = 2; k < p->copy.rank; k++) p->units *= p->copy.axis[k].extent;
}

void portable__copy_walk(const struct portable__copy_plan *p, int64_t first, int64_t end, int (*block)(void *, const struct portable__copy_block *),
                         void *context) {
  static const struct portable__copy_axis none = {1, 0, 0};
  if (first >= end) return; /* a box without elements has axes that nothing can be divided by */
  const struct portable__copy *c = &p->copy;
  const struct portable__copy_axis *a = c->rank > 0 ? &c->axis[0] : &none, *s = c->rank > 1 ? &c->axis[1] : &none;
  int64_t index[PORTABLE__COPY_RANK] = {0}, rest = first;
  char *to = c->to;
  const char *from = c->from;
  const int64_t fast = p->down_first ? p->down : p->across, slow = p->down_first ? p->across : p->down;
  int64_t i = rest % fast, j = rest / fast % slow;
  rest = rest / fast / slow;
  for (int32_t k = 2; k < c->rank; k++) {
    index[k] = rest % c->axis[k].extent;
    rest /= c->axis[k].extent;
    to += index[k] * c->axis[k].to;
    from += index[k] * c->axis[k].from;
  }
  for (int64_t unit = first; unit < end; unit++) {
    const int64_t x = p->down_first ? j : i, y = p->down_first ? i : j;
    const int64_t x0 = most(x * p->length - p->shift, 0), x1 = least((x + 1) * p->length - p->shift, a->extent);
    const int64_t y0 = y * p->depth, y1 = least(y0 + p->depth, s->extent);
    const struct portable__copy_block b = {to + x0 * a->to + y0 * s->to, from + x0 * a->from + y0 * s->from, a->to, s->to, a->from, s->from,
                                           x1 - x0, y1 - y0, x0, a->extent - x1};
    if (!block(context, &b)) return;
    if (++i < fast) continue;
    i = 0;
    if (++j < slow) continue;
    j = 0;
    for (int32_t k = 2; k < c->rank; k++) {
      to += c->axis[k].to;
      from += c->axis[k].from;
      if (++index[k] < c->axis[k].extent) break;
      index[k] = 0;
      to -= c->axis[k].extent * c->axis[k].to;
      from -= c->axis[k].extent * c->axis[k].from;
    }
  }
}
