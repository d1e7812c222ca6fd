/* csr.c - rows of numbers: from the rows of each item, from counts, and transposed. Main function:
 * rows_of_pairs. Sorting: exec/algorithm/sort.c. Invariant: a descriptor is written when nothing
 * can fail any more. Threads: any; no lock. */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "../../capi/include/mesh/portable_mesh.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/calls.h"
#include "../algorithm/call.h"
#include "../launch/launch.h"
#include "there.h"

#define SMALL 16384 /* fewer numbers are done by the calling thread: they take less time than a wake-up */
#define UNIT 16384  /* numbers of an iteration of a launch */

/* One call. Numbers are of 4 or 8 bytes. */
struct building {
  const char *call, *label;
  portable_launch_config config;
  int32_t kind, bytes, lower;
  int64_t rows, items, each, count; /* count: pairs, items * each */
  const void *row_of;               /* of each pair */
  const portable_csr *from;         /* transposed; else NULL */
  void *scratch;                    /* the pool's block; keys are in it */
  char *keys, *values;              /* keys: rows of pairs, in the end in order; values: items, in the new block */
  portable_csr made;
  int64_t none, unit; /* pairs without a row, which come first */
  _Atomic int64_t wrong; /* the first pair or row that is refused */
  struct portable__there there;
};

static int64_t get(const void *at, int32_t bytes, int64_t k) { return bytes == 4 ? ((const int32_t *)at)[k] : ((const int64_t *)at)[k]; }

static void put(void *at, int32_t bytes, int64_t k, int64_t value) {
  if (bytes == 4)
    ((int32_t *)at)[k] = (int32_t)value;
  else
    ((int64_t *)at)[k] = value;
}

static void note(struct building *b, int64_t wrong) {
  int64_t first = atomic_load_explicit(&b->wrong, memory_order_relaxed);
  while (wrong < first && !atomic_compare_exchange_weak_explicit(&b->wrong, &first, wrong, memory_order_relaxed, memory_order_relaxed)) {
  }
}

/* Runs a kernel over count numbers, in units. */
static portable_status launch(struct building *b, portable_kernel_function kernel, int64_t count) {
  b->unit = count <= SMALL ? (count ? count : 1) : UNIT;
  const portable_bounds units = portable_bounds_1(count ? (count - 1) / b->unit + 1 : 0);
  const portable_status status = portable__launch(b->label, &units, kernel, b, 0, &b->config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
  return status == PORTABLE_OK ? status : portable__rename_error(status, b->call);
}

static void range(const struct building *b, const portable_tile *t, int64_t count, int64_t *from, int64_t *to) {
  *from = t->lower[0] * b->unit;
  *to = (t->upper[0] + 1) * b->unit < count ? (t->upper[0] + 1) * b->unit : count;
}

/* ---- pairs of a row and an item ---- */

static void copy_kernel(const portable_tile *t, void *args) {
  struct building *b = args;
  int64_t from, to;
  range(b, t, b->count, &from, &to);
  for (int64_t k = from, item = from / b->each, part = from % b->each; k < to; k++) {
    const int64_t row = get(b->row_of, b->bytes, k);
    if (row < b->lower - 1 || row >= b->rows + b->lower) {
      note(b, k);
      return;
    }
    put(b->keys, b->bytes, k, row);
    put(b->values, b->bytes, k, item + b->lower);
    if (++part == b->each) part = 0, item++;
  }
}

/* Pairs of a matrix: the row of an entry is what the new list has. The kernel counts rows. */
static void transpose_kernel(const portable_tile *t, void *args) {
  struct building *b = args;
  int64_t from, to;
  range(b, t, b->from->rows, &from, &to);
  for (int64_t r = from; r < to; r++)
    for (int64_t k = portable_csr_begin(b->from, r), end = portable_csr_begin(b->from, r + 1); k < end; k++) {
      const int64_t column = get(b->from->col, b->bytes, k);
      if (column < b->lower || column >= b->rows + b->lower) {
        note(b, k);
        return;
      }
      put(b->keys, b->bytes, k, column);
      put(b->values, b->bytes, k, r + b->lower);
    }
}

/* Rows begin where the key changes. Key number `count` would be that of a row behind the last one. */
static void begin_kernel(const portable_tile *t, void *args) {
  struct building *b = args;
  const int64_t listed = b->count - b->none;
  const char *const keys = b->keys + b->none * b->bytes;
  int64_t from, to;
  range(b, t, listed + 1, &from, &to);
  for (int64_t k = from; k < to; k++) {
    const int64_t before = k ? get(keys, b->bytes, k - 1) - b->lower : -1, here = k < listed ? get(keys, b->bytes, k) - b->lower : b->rows;
    for (int64_t r = before + 1; r <= here; r++) put(b->made.row, b->bytes, r, k + b->lower);
  }
}

static void made(struct building *b, int64_t none) {
  b->none = none;
  b->made.col = b->values + none * b->bytes;
  b->made.entries = b->count - none;
  b->made.rows = b->rows;
}

static portable_status pairs(struct building *b) {
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.launch = &b->config;
  portable_status status = launch(b, b->from ? transpose_kernel : copy_kernel, b->from ? b->from->rows : b->count);
  const int64_t wrong = atomic_load_explicit(&b->wrong, memory_order_relaxed);
  if (status != PORTABLE_OK || wrong != INT64_MAX) return status;
  status = portable_sort_by_key(b->label, b->kind, b->keys, b->values, (size_t)b->bytes, b->count, &options);
  if (status != PORTABLE_OK) return portable__rename_error(status, b->call);
  int64_t low = 0, high = b->count;
  if ((status = portable_fence_memory(b->keys)) != PORTABLE_OK) return status;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (get(b->keys, b->bytes, middle) < b->lower)
      low = middle + 1;
    else
      high = middle;
  }
  made(b, low);
  return launch(b, begin_kernel, b->made.entries + 1);
}

/* ---- the block ---- */

/* One block: the beginnings of rows, then `count` columns at *columns. */
static portable_status take(struct building *b, int64_t count, char **columns) {
  int64_t bytes, row_bytes, col_bytes;
  if (__builtin_add_overflow(b->rows, 1 + 64 / b->bytes, &row_bytes) || __builtin_mul_overflow(row_bytes, b->bytes, &row_bytes) ||
      __builtin_mul_overflow(count, b->bytes, &col_bytes) || __builtin_add_overflow(row_bytes, col_bytes, &bytes))
    return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': %" PRId64 " rows with %" PRId64 " entries are more bytes than a 64-bit integer counts", b->call, b->label,
                          b->rows, count);
  row_bytes = row_bytes / 64 * 64;
  const portable_status status = portable__made_alloc(&b->there, (size_t)bytes, b->label, &b->made.memory);
  if (status != PORTABLE_OK) return portable__rename_error(status, b->call);
  b->made.row = b->made.memory;
  *columns = (char *)b->made.memory + row_bytes;
  return PORTABLE_OK;
}

/* Frees what a failure leaves, and stores what a success has made. */
static portable_status end(struct building *b, portable_status status, portable_csr *csr_out) {
  if (b->scratch) portable__free(b->scratch);
  if (status == PORTABLE_OK)
    *csr_out = b->made;
  else if (b->made.memory)
    portable__made_free(b->made.memory);
  return status;
}

static struct portable__cuda_rows block_of(const struct building *b) {
  return (struct portable__cuda_rows){.given = b->from ? b->from->col : b->row_of, .from_row = b->from ? b->from->row : NULL, .values = b->values, .row = b->made.row,
                                      .found = b->there.found, .count = b->count, .each = b->each, .rows = b->rows, .from_rows = b->from && b->from->row ? b->from->rows : -1,
                                      .lower = b->lower, .most = b->bytes == 4 ? INT32_MAX - b->lower : INT64_MAX / 16, .bytes = b->bytes};
}

/* Refuses row r of the list that is transposed. */
PORTABLE__COLD static portable_status rows_refused(const struct building *b, int64_t r) {
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': the beginning of row %" PRId64 " is %" PRId64 "; they go from %d up to %" PRId64, b->call, b->label, r + b->lower,
                        portable__there_get(&b->there, b->from->row, b->bytes, r), (int)b->lower, b->from->entries + b->lower);
}

/* The rows of pairs on a device. */
static portable_status pairs_there(struct building *b) {
  struct portable__there *const t = &b->there;
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.launch = &b->config;
  portable__there_begin(t);
  struct portable__cuda_rows w = block_of(b);
  w.keys = portable__there_take(t, b->count * b->bytes);
  if (b->from)
    portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_TURN), (int64_t[]){w.from_rows + 1, b->count}, 2, &w, sizeof w);
  else
    portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_PAIRS), &b->count, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK && t->found[1] != INT64_MAX) t->status = rows_refused(b, t->found[1]);
  if (t->status == PORTABLE_OK && t->found[0] != INT64_MAX) {
    atomic_store_explicit(&b->wrong, t->found[0], memory_order_relaxed);
    return portable__there_end(t);
  }
  if (t->status == PORTABLE_OK && b->count)
    t->status = portable__rename_unless_ok(portable_sort_by_key(b->label, b->kind, w.keys, w.values, (size_t)b->bytes, b->count, &options), b->call);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_ROWS), (int64_t[]){1, b->rows + 1}, 2, &w, sizeof w);
  if (t->status == PORTABLE_OK) made(b, t->found[2]);
  return portable__there_end(t);
}

static portable_status rows_of_pairs(struct building *b) {
  if (b->bytes == 4 && b->count > INT32_MAX - b->lower)
    return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': %" PRId64 " entries do not fit int32; take PORTABLE_KIND_INT64, in Fortran csr64", b->call, b->label, b->count);
  portable_status status = take(b, b->count, &b->values);
  if (status == PORTABLE_OK && b->there.place.index >= 0) return pairs_there(b);
  if (status == PORTABLE_OK && b->count) status = portable__alloc((size_t)(b->count * b->bytes), b->label, strlen(b->label), &b->scratch);
  b->keys = b->scratch;
  return status == PORTABLE_OK ? pairs(b) : portable__rename_error(status, b->call);
}

/* ---- arguments ---- */

/* Completes b but for rows, items and each. data, more: what the call reads, or NULL. */
static portable_status begin(struct building *b, const char *call, const char *label, int32_t kind, const portable_csr_options *given, const void *data,
                             const void *more, portable_csr *csr_out) {
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  memset(b, 0, sizeof *b);
  b->call = call;
  b->label = label ? label : "unlabelled";
  atomic_init(&b->wrong, INT64_MAX);
  if (!csr_out) return portable__fail(PORTABLE_ERR_ARG, "%s '%s': csr_out is NULL", call, b->label);
  if (!PORTABLE__OPTIONS(o, given))
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': options.struct_size is %u; begin with PORTABLE_CSR_OPTIONS_INIT", call, b->label, given->struct_size);
  if (!portable__launch_is_good(o.launch))
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", call, b->label, o.launch->struct_size);
  b->kind = kind;
  b->bytes = portable__index_bytes(kind);
  if (!b->bytes) return portable__fail(PORTABLE_ERR_ARG, "%s '%s': kind is %d; it is PORTABLE_KIND_INT32 or _INT64", call, b->label, (int)kind);
  if (o.lower != 0 && o.lower != 1) return portable__fail(PORTABLE_ERR_ARG, "%s '%s': lower is %d; it is 0 or 1", call, b->label, (int)o.lower);
  if (!portable_is_initialized()) return portable__not_running(call);
  b->lower = o.lower;
  b->made.kind = kind;
  b->made.lower = o.lower;
  portable__call_config(o.launch, &b->config);
  const struct portable__memory memory[] = {{"the array", data, 0}, {"the array of rows", more, 0}};
  portable_status status = portable__there_choose(&b->there, call, b->label, &b->config, memory, 2, 1);
  for (int i = 0; i < 2 && status == PORTABLE_OK && b->there.place.index < 0 && !b->config.stream; i++)
    if (memory[i].at) status = portable_fence_memory(memory[i].at);
  return status;
}

static portable_status negative(const struct building *b, const char *name, int64_t value) {
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': %s is %" PRId64 "; it is 0 or more", b->call, b->label, name, value);
}

portable_status portable_csr_build(const char *label, int32_t kind, const void *row_of, int64_t items, int32_t each, int64_t rows,
                                   const portable_csr_options *options, portable_csr *csr_out) {
  PORTABLE__CALL("portable_csr_build");
  struct building b;
  portable_status status = begin(&b, "csr_build", label, kind, options, items > 0 && each > 0 ? row_of : NULL, NULL, csr_out);
  if (status != PORTABLE_OK) return status;
  if (items < 0) return negative(&b, "the count of items", items);
  if (each < 0) return negative(&b, "the count of rows of an item", each);
  if (rows < 0) return negative(&b, "the count of rows", rows);
  b.items = items;
  b.each = each ? each : 1;
  b.rows = rows;
  b.row_of = row_of;
  if (__builtin_mul_overflow(items, (int64_t)each, &b.count) || b.count > INT64_MAX / 32)
    return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': row_of has more bytes than a 64-bit integer counts", b.call, b.label);
  if (b.count && !row_of) return portable__fail(PORTABLE_ERR_ARG, "%s '%s': row_of is NULL", b.call, b.label);
  status = rows_of_pairs(&b);
  const int64_t wrong = atomic_load_explicit(&b.wrong, memory_order_relaxed);
  if (status == PORTABLE_OK && wrong != INT64_MAX)
    status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': item %" PRId64 " is in row %" PRId64 " (its number %" PRId64 "), but rows are %d to %" PRId64 ", and %d means none", b.call,
                            b.label, wrong / b.each + b.lower, portable__there_get(&b.there, row_of, b.bytes, wrong), wrong % b.each + b.lower, (int)b.lower, rows - 1 + b.lower, (int)b.lower - 1);
  return end(&b, status, csr_out);
}

portable_status portable_csr_transpose(const char *label, const portable_csr *csr, int64_t columns, const portable_csr_options *options,
                                       portable_csr *csr_out) {
  PORTABLE__CALL("portable_csr_transpose");
  struct building b;
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  if (!csr) return portable__fail(PORTABLE_ERR_ARG, "csr_transpose '%s': csr is NULL", label ? label : "unlabelled");
  if (options && PORTABLE__OPTIONS(o, options)) options = &o;
  o.lower = csr->lower;
  portable_status status = begin(&b, "csr_transpose", label, csr->kind, options ? options : &o, csr->entries ? csr->col : NULL, csr->rows > 0 ? csr->row : NULL, csr_out);
  if (status != PORTABLE_OK) return status;
  if (columns < 0) return negative(&b, "the count of columns", columns);
  if (csr->rows < 0 || csr->entries < 0 || csr->entries > INT64_MAX / 32 || ((csr->rows || csr->entries) && !csr->row) || (csr->entries && !csr->col))
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': csr is not a descriptor: rows %" PRId64 ", entries %" PRId64, b.call, b.label, csr->rows, csr->entries);
  if (b.bytes == 4 && csr->rows > (INT64_C(1) << 31) - b.lower) /* they are the columns of the new list */
    return portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': %" PRId64 " rows are more than int32 counts; take PORTABLE_KIND_INT64, in Fortran csr64", b.call, b.label, csr->rows);
  b.rows = columns;
  b.from = csr;
  b.count = csr->entries;
  for (int64_t r = 0, before = 0; b.there.place.index < 0 && r <= csr->rows && csr->row; before = portable_csr_begin(csr, r), r++) {
    const int64_t at = portable_csr_begin(csr, r);
    if (at < before || (r == 0 && at) || at > csr->entries || (r == csr->rows && at != csr->entries)) return rows_refused(&b, r);
  }
  status = rows_of_pairs(&b);
  const int64_t wrong = atomic_load_explicit(&b.wrong, memory_order_relaxed);
  if (status == PORTABLE_OK && wrong != INT64_MAX)
    status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': entry %" PRId64 " is column %" PRId64 ", but columns are %d to %" PRId64, b.call, b.label, wrong + b.lower,
                            portable__there_get(&b.there, csr->col, b.bytes, wrong), (int)b.lower, columns - 1 + b.lower);
  return end(&b, status, csr_out);
}

/* ---- counts ---- */

/* The sum of a unit, at its number in keys, as int64_t. A negative count ends it. */
static void sum_kernel(const portable_tile *t, void *args) {
  struct building *b = args;
  for (int64_t unit = t->lower[0]; unit <= t->upper[0]; unit++) {
    const int64_t from = unit * b->unit, to = from + b->unit < b->rows ? from + b->unit : b->rows;
    int64_t sum = 0;
    for (int64_t r = from; r < to; r++) {
      const int64_t n = get(b->row_of, b->bytes, r);
      if (n < 0 || n > INT64_MAX - sum) {
        note(b, r);
        return;
      }
      sum += n;
    }
    ((int64_t *)(void *)b->keys)[unit] = sum;
  }
}

/* keys has what is before each unit. */
static void counts_kernel(const portable_tile *t, void *args) {
  struct building *b = args;
  for (int64_t unit = t->lower[0]; unit <= t->upper[0]; unit++) {
    const int64_t from = unit * b->unit, to = from + b->unit < b->rows ? from + b->unit : b->rows;
    int64_t at = ((const int64_t *)(void *)b->keys)[unit] + b->lower;
    for (int64_t r = from; r < to; r++) {
      put(b->made.row, b->bytes, r, at);
      at += get(b->row_of, b->bytes, r);
    }
    if (to == b->rows) put(b->made.row, b->bytes, b->rows, at);
  }
}

/* *total: the entries; less than 0: more than the kind counts. */
static portable_status sum(struct building *b, int64_t *total) {
  const int64_t most = b->bytes == 4 ? INT32_MAX - b->lower : INT64_MAX / 16;
  const int64_t units = b->rows / UNIT + 1;
  int64_t all = 0;
  portable_status status = portable__alloc((size_t)units * 8, b->label, strlen(b->label), &b->scratch);
  if (status != PORTABLE_OK) return portable__rename_error(status, b->call);
  b->keys = b->scratch;
  memset(b->keys, 0, (size_t)units * 8);
  status = launch(b, sum_kernel, b->rows);
  for (int64_t i = 0; i < units && all >= 0; i++) {
    int64_t *const at = (int64_t *)(void *)b->keys + i, n = *at;
    *at = all;
    all = n > most - all ? -1 : all + n;
  }
  *total = all;
  return status;
}

/* The same on a device; found is kept for counts_there. */
static portable_status sum_there(struct building *b, struct portable__cuda_rows *w, int64_t *total) {
  struct portable__there *const t = &b->there;
  portable_scan_options options = PORTABLE_SCAN_OPTIONS_INIT;
  options.launch = &b->config;
  options.flags = PORTABLE_SCAN_EXCLUSIVE;
  portable__there_begin(t);
  *w = block_of(b);
  w->sums = portable__there_take(t, b->rows * (int64_t)sizeof *w->sums);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_WIDEN), &b->rows, 1, w, sizeof *w);
  if (t->status != PORTABLE_OK) return t->status;
  atomic_store_explicit(&b->wrong, t->found[0], memory_order_relaxed);
  *total = -1;
  if (t->found[0] != INT64_MAX || t->found[1] != INT64_MAX) return PORTABLE_OK;
  t->status = portable__rename_unless_ok(portable_scan(b->label, PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, w->sums, 1, &b->rows, &options, w->sums), b->call);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_TOTAL), &b->rows, 1, w, sizeof *w);
  if (t->status == PORTABLE_OK && t->found[1] == INT64_MAX) *total = t->found[2];
  return t->status;
}

portable_status portable_csr_counts(const char *label, int32_t kind, const void *counts, int64_t rows, const portable_csr_options *options,
                                    portable_csr *csr_out) {
  PORTABLE__CALL("portable_csr_counts");
  struct building b;
  struct portable__cuda_rows w;
  char *columns = NULL;
  int64_t total = 0;
  portable_status status = begin(&b, "csr_counts", label, kind, options, rows > 0 ? counts : NULL, NULL, csr_out);
  if (status != PORTABLE_OK) return status;
  if (rows < 0) return negative(&b, "the count of rows", rows);
  if (rows && !counts) return portable__fail(PORTABLE_ERR_ARG, "%s '%s': counts is NULL", b.call, b.label);
  b.rows = rows;
  b.row_of = counts;
  const int there = b.there.place.index >= 0;
  status = there ? sum_there(&b, &w, &total) : sum(&b, &total);
  const int64_t wrong = atomic_load_explicit(&b.wrong, memory_order_relaxed);
  if (status == PORTABLE_OK && wrong != INT64_MAX && portable__there_get(&b.there, counts, b.bytes, wrong) < 0)
    status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': row %" PRId64 " has %" PRId64 " entries; it is 0 or more", b.call, b.label, wrong + b.lower, portable__there_get(&b.there, counts, b.bytes, wrong));
  else if (status == PORTABLE_OK && (total < 0 || wrong != INT64_MAX))
    status = portable__fail(PORTABLE_ERR_OVERFLOW, "%s '%s': all counts together do not fit %s", b.call, b.label, b.bytes == 4 ? "int32; take PORTABLE_KIND_INT64, in Fortran csr64" : "memory");
  if (status == PORTABLE_OK) status = take(&b, total, &columns);
  b.made.rows = rows;
  b.made.entries = total;
  b.made.col = columns;
  if (status == PORTABLE_OK && rows && !there) status = launch(&b, counts_kernel, rows);
  if (there) {
    w.row = b.made.row;
    if (status == PORTABLE_OK) portable__there_run(&b.there, PORTABLE__MESH_LIST(PORTABLE__MESH_COUNTED), &rows, 1, &w, sizeof w);
    const portable_status ended = portable__there_end(&b.there);
    if (status == PORTABLE_OK) status = ended;
  }
  if (status == PORTABLE_OK && !rows) put(b.made.row, b.bytes, 0, b.lower);
  return end(&b, status, csr_out);
}

portable_status portable_csr_free(portable_csr *csr) {
  PORTABLE__CALL("portable_csr_free");
  const portable_csr none = PORTABLE_CSR_INIT;
  if (!csr) return PORTABLE_OK;
  const portable_status status = csr->memory ? portable__made_free(csr->memory) : PORTABLE_OK;
  if (status == PORTABLE_OK) *csr = none;
  return status;
}
