/* csr.c - rows of numbers against lists that a serial loop makes: both kinds, both lower bounds, items without rows, empty rows, one row, random sizes;
 * counts; transposed twice. Not in this file: refusals (refused.c). */
#include <portable_mesh.h>

#include "memory.h"

static uint64_t state = 88172645463325252u;
static int64_t any(int64_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (int64_t)(state % (uint64_t)n);
}

static int64_t get(const void *at, int32_t kind, int64_t k) { return kind == PORTABLE_KIND_INT32 ? ((const int32_t *)at)[k] : ((const int64_t *)at)[k]; }
static void put(void *at, int32_t kind, int64_t k, int64_t value) {
  if (kind == PORTABLE_KIND_INT32)
    ((int32_t *)at)[k] = (int32_t)value;
  else
    ((int64_t *)at)[k] = value;
}

/* few: all items are in the first `few` rows. */
static void compare(int32_t kind, int32_t lower, int64_t items, int32_t each, int64_t rows, int64_t few) {
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  portable_csr list = PORTABLE_CSR_INIT, columns = PORTABLE_CSR_INIT, again = PORTABLE_CSR_INIT;
  const int64_t pairs = items * each;
  void *row_of = take((size_t)pairs * 8 + 8);
  int64_t *const at = take(((size_t)rows + 2) * sizeof *at), wrong = 0, bad = 0;
  const char *const label = pairs && rows ? "list" : "empty";
  o.lower = lower;
  memset(at, 0, ((size_t)rows + 2) * sizeof *at);
  for (int64_t k = 0; k < pairs; k++) put(row_of, kind, k, (any(5) && few ? any(few) : -1) + lower);
  for (int64_t k = 0; k < pairs; k++)
    if (get(row_of, kind, k) >= lower) at[get(row_of, kind, k) - lower + 1]++;
  for (int64_t r = 0; r < rows; r++) at[r + 1] += at[r];
  CHECK_STATUS(portable_csr_build(label, kind, row_of, items, each, rows, &o, &list), PORTABLE_OK);
  CHECK(list.rows == rows && list.entries == at[rows] && list.kind == kind && list.lower == lower);
  for (int64_t r = 0; r <= rows; r++) wrong += portable_csr_begin(&list, r) != at[r];
  for (int64_t k = 0; k < pairs; k++) { /* items in order come to each row in order */
    const int64_t r = get(row_of, kind, k) - lower;
    if (r >= 0) bad += portable_csr_col(&list, at[r]++) != k / each;
  }
  CHECK(wrong == 0 && bad == 0);
  CHECK_STATUS(portable_csr_transpose(label, &list, items, NULL, &columns), PORTABLE_OK);
  CHECK(columns.rows == items && columns.entries == list.entries && columns.lower == lower);
  for (int64_t i = 0; i < items; i++)
    for (int64_t k = portable_csr_begin(&columns, i) + 1; k < portable_csr_begin(&columns, i + 1); k++)
      bad += portable_csr_col(&columns, k) < portable_csr_col(&columns, k - 1);
  CHECK_STATUS(portable_csr_transpose(label, &columns, rows, NULL, &again), PORTABLE_OK);
  const size_t bytes = kind == PORTABLE_KIND_INT32 ? 4 : 8;
  CHECK(memcmp(again.row, list.row, bytes * (size_t)(rows + 1)) == 0 && memcmp(again.col, list.col, bytes * (size_t)list.entries) == 0);
  CHECK(bad == 0);
  void *counts = take((size_t)rows * 8 + 8);
  for (int64_t r = 0; r < rows; r++) put(counts, kind, r, portable_csr_begin(&list, r + 1) - portable_csr_begin(&list, r));
  CHECK_STATUS(portable_csr_free(&again), PORTABLE_OK);
  CHECK_STATUS(portable_csr_counts(label, kind, counts, rows, &o, &again), PORTABLE_OK);
  CHECK(again.rows == rows && again.entries == list.entries && memcmp(again.row, list.row, bytes * (size_t)(rows + 1)) == 0);
  CHECK_STATUS(portable_csr_free(&again), PORTABLE_OK);
  CHECK_STATUS(portable_csr_free(&columns), PORTABLE_OK);
  CHECK_STATUS(portable_csr_free(&list), PORTABLE_OK);
  CHECK(list.memory == NULL && list.rows == 0);
  CHECK_STATUS(portable_csr_free(&list), PORTABLE_OK);
  give(counts);
  give(at);
  give(row_of);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int32_t kind = PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_INT64; kind++)
    for (int32_t lower = 0; lower < 2; lower++) {
      compare(kind, lower, 0, 2, 0, 0);
      compare(kind, lower, 0, 0, 5, 5);
      compare(kind, lower, 7, 1, 0, 0);
      compare(kind, lower, 1000, 3, 1, 1);
      compare(kind, lower, sized(50000), 2, sized(20000), sized(20000));
      compare(kind, lower, sized(40000), 1, sized(100000), 3);
      for (int n = 0; n < sized(20); n++) compare(kind, lower, any(300), (int32_t)any(4), 1 + any(100), 1);
      for (int n = 0; n < sized(20); n++) {
        const int64_t rows = 1 + any(200);
        compare(kind, lower, any(2000), 1 + (int32_t)any(4), rows, rows);
      }
    }
  all_there();
  return check_end();
}
