/* scan.c - see scan.h: lines and leaves, what lies apart in memory is brought together and spread again. Operations are in
 * scan_operations.c. */
#include "scan.h"

#include "../base/least.h"

#include "../base/walk.h"

#define CHUNK 1024 /* bytes of each of several lines at a time; a multiple of the runs of 8 of each kind */

void portable__scan_cut(struct portable__scan *s) {
  s->lines = 1;
  for (int32_t k = 0; k < s->outer; k++)
    if (s->out[k].extent == 0) s->lines = 0; /* the others may be too many for a product */
  for (int32_t k = 0; k < s->outer && s->lines; k++) s->lines *= s->out[k].extent;
  s->leaves = s->count ? (s->count - 1) / PORTABLE__SCAN_LEAF + 1 : 0;
}

void portable__scan_begin(const struct portable__scan *s, union portable__scan_value *value) {
  *value = s->has_initial ? s->initial : s->operation->identity;
}

void portable__scan_next(const struct portable__scan *s, union portable__scan_value *value, const union portable__scan_value *total) {
  s->operation->add(value, total, 1, value);
}

/* The first element of an exclusive scan. */
static const void *before_all(const struct portable__scan *s) { return s->has_initial ? &s->initial : &s->operation->empty; }

static struct portable__walk begin(const struct portable__scan *s, int64_t line, int64_t element) {
  struct portable__walk w = {s->data, s->results, {0}};
  portable__walk_line(s->out, s->outer, line, &w);
  portable__walk_to(s->in, s->inner, element, &w);
  return w;
}

static int aligned(const void *p, int32_t bytes) { return (uintptr_t)p % (uintptr_t)bytes == 0; }

void portable__scan_leaf(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *total_out) {
  const struct portable__scan_operation *o = s->operation;
  int64_t from = leaf * PORTABLE__SCAN_LEAF, count = least(PORTABLE__SCAN_LEAF, s->count - from), at = 0;
  struct portable__walk w = begin(s, line, from);
  *total_out = o->identity;
  if (s->in[0].step == o->element_bytes && aligned(w.data, o->element_bytes) && portable__walk_run(s->in, &w, count) == count) {
    o->scan(values, w.data, count, total_out);
    return;
  }
  for (int64_t run; at < count; at += run) {
    run = portable__walk_run(s->in, &w, count - at);
    portable__bring((char *)values + at * o->element_bytes, o->element_bytes, w.data, s->in[0].step, run, o->element_bytes);
    portable__walk_on(s->in, s->inner, run, &w);
  }
  o->scan(values, values, count, total_out);
}

void portable__scan_total(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *total_out) {
  const struct portable__scan_operation *o = s->operation;
  const int64_t from = leaf * PORTABLE__SCAN_LEAF, count = least(PORTABLE__SCAN_LEAF, s->count - from);
  const struct portable__walk w = begin(s, line, from);
  *total_out = o->identity;
  if (s->in[0].step == o->element_bytes && aligned(w.data, o->element_bytes) && portable__walk_run(s->in, &w, count) == count)
    o->total(w.data, count, total_out);
  else
    portable__scan_leaf(s, line, leaf, values, total_out);
}

void portable__scan_store(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, const union portable__scan_value *value) {
  const struct portable__scan_operation *o = s->operation;
  int32_t bytes = o->element_bytes;
  int64_t from = leaf * PORTABLE__SCAN_LEAF, count = least(PORTABLE__SCAN_LEAF, s->count - from), shift = s->exclusive != 0;
  const void *first = leaf ? (const void *)value : before_all(s);
  struct portable__walk w = begin(s, line, from);
  char *to = (char *)(uintptr_t)w.mask, *v = values;
  if (s->in[0].mask_step == bytes && aligned(to, bytes) && portable__walk_run(s->in, &w, count) == count) {
    if (shift) memcpy(to, first, (size_t)bytes);
    o->add(to + shift * bytes, v, count - shift, value);
    return;
  }
  o->add(v, v, count - shift, value);
  if (shift) {
    memcpy((char *)(uintptr_t)w.mask, first, (size_t)bytes);
    portable__walk_on(s->in, s->inner, 1, &w);
    count--;
  }
  for (int64_t run; count > 0; count -= run, v += run * bytes) {
    run = portable__walk_run(s->in, &w, count);
    portable__bring((char *)(uintptr_t)w.mask, s->in[0].mask_step, v, bytes, run, bytes);
    portable__walk_on(s->in, s->inner, run, &w);
  }
}

void portable__scan_through(const struct portable__scan *s, int64_t line, int64_t leaf, void *values, union portable__scan_value *value) {
  const struct portable__scan_operation *o = s->operation;
  int32_t bytes = o->element_bytes;
  int64_t from = leaf * PORTABLE__SCAN_LEAF, count = least(PORTABLE__SCAN_LEAF, s->count - from);
  struct portable__walk w = begin(s, line, from);
  char *to = (char *)(uintptr_t)w.mask;
  if (!s->exclusive && s->in[0].step == bytes && s->in[0].mask_step == bytes && aligned(w.data, bytes) && aligned(to, bytes) &&
      portable__walk_run(s->in, &w, count) == count) {
    o->through(to, w.data, count, value);
    return;
  }
  union portable__scan_value total, before = *value;
  portable__scan_leaf(s, line, leaf, values, &total);
  portable__scan_next(s, value, &total);
  portable__scan_store(s, line, leaf, values, &before);
}

/* A few elements of each of several lines, which lie next to one another more often than behind one another. */
struct block {
  _Alignas(64) char elements[PORTABLE__SCAN_LINES][CHUNK];
};

static void fetch(struct block *b, const struct portable__walk *w, int32_t lines, int64_t step, int64_t count, int32_t bytes) {
  int64_t few = 64 / bytes; /* of a line before the next line: as few as a row of the block is a cache line */
  for (int64_t k = 0; k < count; k += few)
    for (int32_t l = 0; l < lines; l++)
      portable__bring(&b->elements[l][k * bytes], bytes, w[l].data + k * step, step, least(few, count - k), bytes);
}

static void spread(const struct block *b, const struct portable__walk *w, int32_t lines, int64_t step, int64_t count, int32_t bytes) {
  int64_t few = 64 / bytes;
  for (int64_t k = 0; k < count; k += few)
    for (int32_t l = 0; l < lines; l++)
      portable__bring((char *)(uintptr_t)w[l].mask + k * step, step, &b->elements[l][k * bytes], bytes, least(few, count - k), bytes);
}

void portable__scan_lines(const struct portable__scan *s, int64_t first, int32_t lines) {
  const struct portable__scan_operation *o = s->operation;
  int32_t bytes = o->element_bytes;
  struct block b;
  struct portable__walk w[PORTABLE__SCAN_LINES];
  union portable__scan_value value[PORTABLE__SCAN_LINES], leaf[PORTABLE__SCAN_LINES], last[PORTABLE__SCAN_LINES];
  if (s->count == 0) return;
  for (int32_t l = 0; l < lines; l++) {
    w[l] = begin(s, first + l, 0);
    portable__scan_begin(s, &value[l]);
    memcpy(&last[l], before_all(s), (size_t)bytes);
  }
  for (int64_t at = 0, n; at < s->count; at += n) {
    n = least(s->count - at, CHUNK / bytes);
    if (n > PORTABLE__SCAN_LEAF - at % PORTABLE__SCAN_LEAF) n = PORTABLE__SCAN_LEAF - at % PORTABLE__SCAN_LEAF;
    int begins = at % PORTABLE__SCAN_LEAF == 0, ends = (at + n) % PORTABLE__SCAN_LEAF == 0;
    fetch(&b, w, lines, s->in[0].step, n, bytes);
    for (int32_t l = 0; l < lines; l++) {
      char *e = b.elements[l];
      if (begins) leaf[l] = o->identity;
      o->scan(e, e, n, &leaf[l]);
      o->add(e, e, n, &value[l]);
      if (ends) memcpy(&value[l], e + (n - 1) * bytes, (size_t)bytes); /* what the next leaf begins with */
      if (s->exclusive) {
        union portable__scan_value next;
        memcpy(&next, e + (n - 1) * bytes, (size_t)bytes);
        memmove(e + bytes, e, (size_t)((n - 1) * bytes));
        memcpy(e, &last[l], (size_t)bytes);
        last[l] = next;
      }
    }
    spread(&b, w, lines, s->in[0].mask_step, n, bytes);
    for (int32_t l = 0; l < lines; l++) {
      w[l].data += n * s->in[0].step;
      w[l].mask += n * s->in[0].mask_step;
    }
  }
}
