/* merge.c - merges of arrays that are in order: arguments, launch. Main function: merge. The
 * arithmetic is in internal/kernels/sort/merge.c. Threads: any; no lock. */
#include "../../internal/kernels/sort/merge.h"
#include "work.h"

#define UNIT 16384 /* elements of a part */

struct merging {
  struct portable__work w;
  struct portable__merge m;
  portable__merge_part *part;
};

static void kernel(const portable_tile *t, void *args) {
  struct merging *g = args;
  int64_t from, to;
  portable__work_range(&g->w, t, &from, &to);
  for (int64_t end; from < to; from = end) {
    end = to - from < UNIT ? to : from + UNIT;
    if (!g->part(&g->m, from, end)) portable__work_note(&g->w, 0);
  }
}

static portable_status overlaps(const struct merging *g, int64_t bytes) {
  const struct portable__merge *const m = &g->m;
  const int64_t v = m->value_bytes, all = m->a_count + m->b_count, na = m->a_count, nb = m->b_count;
  const int keys = portable__work_meet(m->c, all * bytes, m->a, na * bytes) || portable__work_meet(m->c, all * bytes, m->b, nb * bytes) ||
                   portable__work_meet(m->c, all * bytes, m->a_values, na * v) || portable__work_meet(m->c, all * bytes, m->b_values, nb * v);
  const int values = portable__work_meet(m->c_values, all * v, m->a, na * bytes) || portable__work_meet(m->c_values, all * v, m->b, nb * bytes) ||
                     portable__work_meet(m->c_values, all * v, m->a_values, na * v) || portable__work_meet(m->c_values, all * v, m->b_values, nb * v) ||
                     portable__work_meet(m->c_values, all * v, m->c, all * bytes);
  if (!keys && !values) return PORTABLE_OK;
  return PORTABLE__WORK_FAIL(&g->w, PORTABLE_ERR_ARG, "the result%s shares memory with another argument", keys ? "" : " of values");
}

/* a, b: the first element that is not in order; less than 0: there is none. */
PORTABLE__COLD static portable_status disorder(const struct merging *g, int64_t a, int64_t b) {
  return PORTABLE__WORK_FAIL(&g->w, PORTABLE_ERR_ARG, "element %" PRId64 " of %s, counted from 0, comes before the one in front of it; both arrays are in order", a < 0 ? b : a,
                             a < 0 ? "b" : "a");
}

static portable_status merge_there(const struct merging *g, int32_t kind, int descending, struct portable__there *t) {
  const struct portable__merge *const m = &g->m;
  const int64_t all = m->a_count + m->b_count;
  struct portable__sort order;
  const int32_t bytes = portable__sort_order(&order, kind, descending, PORTABLE__SORT_KEY8);
  portable__there_begin(t);
  const struct portable__cuda_merge w = {.a = m->a, .b = m->b, .a_values = m->a_values, .b_values = m->b_values, .c = m->c, .c_values = m->c_values, .found = t->found,
                                         .a_count = m->a_count, .b_count = m->b_count, .value_bytes = m->value_bytes, .mask = order.mask, .flip = order.flip, .back = order.back,
                                         .key_bytes = bytes, .aligned = portable__evenness((uint64_t)(uintptr_t)m->a | (uint64_t)(uintptr_t)m->b | (uint64_t)(uintptr_t)m->c, bytes) == bytes,
                                         .unit = portable__evenness((uint64_t)(uintptr_t)m->a_values | (uint64_t)(uintptr_t)m->b_values | (uint64_t)(uintptr_t)m->c_values |
                                                                    (uint64_t)m->value_bytes, 8)};
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_MERGE), (int64_t[]){all, (all + PORTABLE__CUDA_MERGE_PART - 1) / PORTABLE__CUDA_MERGE_PART}, 2, &w, sizeof w);
  if (t->status == PORTABLE_OK && (t->found[0] != INT64_MAX || t->found[1] != INT64_MAX)) t->status = disorder(g, t->found[0] == INT64_MAX ? -1 : t->found[0], t->found[1]);
  return portable__there_end(t);
}

static portable_status merge(struct merging *g, const char *call, const char *label, int32_t kind, const portable_merge_options *options, size_t value_bytes) {
  portable_merge_options o = PORTABLE_MERGE_OPTIONS_INIT;
  struct portable__work *const w = &g->w;
  struct portable__merge *const m = &g->m;
  int64_t all, bytes;
  w->call = call;
  w->label = label ? label : "unlabelled";
  if (!PORTABLE__OPTIONS(o, options))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "options.struct_size is %u; begin with PORTABLE_MERGE_OPTIONS_INIT", options->struct_size);
  portable_status status = portable__work_begin(w, call, label, o.launch);
  if (status != PORTABLE_OK) return status;
  if (o.flags & ~PORTABLE_SORT_DESCENDING) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "flags are %u; they are 0 or PORTABLE_SORT_DESCENDING", o.flags);
  g->part = portable__merge_find(m, kind, (o.flags & PORTABLE_SORT_DESCENDING) != 0);
  if (!g->part) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "kind is %d; it is PORTABLE_KIND_INT8 to _REAL64", (int)kind);
  if (m->a_count < 0 || m->b_count < 0)
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "the count of elements of %s is %" PRId64 "; it is 0 or more", m->a_count < 0 ? "a" : "b", m->a_count < 0 ? m->a_count : m->b_count);
  const int64_t key_bytes = portable__sort_key_bytes(kind), most = value_bytes > (size_t)key_bytes ? (int64_t)value_bytes : key_bytes;
  if (value_bytes > INT32_MAX || __builtin_add_overflow(m->a_count, m->b_count, &all) || __builtin_mul_overflow(all, most, &bytes))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_OVERFLOW, "%s are more bytes than are counted", "both arrays together");
  const void *const arrays[6] = {m->a_count ? m->a : NULL, m->b_count ? m->b : NULL, all ? m->c : NULL,
                                 m->a_count ? m->a_values : NULL, m->b_count ? m->b_values : NULL, all ? m->c_values : NULL};
  static const char *const names[6] = {"a", "b", "the result", "the values of a", "the values of b", "the result of values"};
  for (int i = 0; i < (value_bytes ? 6 : 3); i++)
    if (!arrays[i] && (i % 3 == 0 ? m->a_count : i % 3 == 1 ? m->b_count : all)) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s is NULL", names[i]);
  m->value_bytes = (int64_t)value_bytes;
  if ((status = overlaps(g, key_bytes)) != PORTABLE_OK) return status;
  struct portable__there t;
  if ((status = portable__work_ready(w, arrays, value_bytes ? 6 : 3, 0, &t)) != PORTABLE_OK) return status;
  if (t.place.index >= 0) return merge_there(g, kind, (o.flags & PORTABLE_SORT_DESCENDING) != 0, &t);
  status = portable__work_launch(w, kernel, g, all, UNIT, UNIT);
  if (status != PORTABLE_OK || portable__work_wrong(w) == INT64_MAX) return status;
  const int64_t a = portable__merge_disorder(m, kind, m->a, m->a_count);
  return disorder(g, a, a < 0 ? portable__merge_disorder(m, kind, m->b, m->b_count) : -1);
}

portable_status portable_merge_sorted(const char *label, int32_t kind, const void *a, int64_t a_count, const void *b, int64_t b_count,
                               const portable_merge_options *options, void *c_out) {
  PORTABLE__CALL("portable_merge_sorted");
  struct merging g = {.m = {.a = a, .b = b, .c = c_out, .a_count = a_count, .b_count = b_count}};
  return merge(&g, "merge_sorted", label, kind, options, 0);
}

portable_status portable_merge_by_key(const char *label, int32_t kind, const void *keys_a, const void *values_a, int64_t a_count, const void *keys_b,
                                      const void *values_b, int64_t b_count, size_t value_bytes, const portable_merge_options *options, void *keys_out,
                                      void *values_out) {
  PORTABLE__CALL("portable_merge_by_key");
  struct merging g = {.m = {.a = keys_a, .b = keys_b, .c = keys_out, .a_count = a_count, .b_count = b_count, .a_values = values_a, .b_values = values_b, .c_values = values_out}};
  if (!value_bytes) return portable__fail(PORTABLE_ERR_ARG, "merge_by_key '%s': value_bytes is 0; it is 1 or more", label ? label : "unlabelled");
  return merge(&g, "merge_by_key", label, kind, options, value_bytes);
}
