/* twins.c - crossings of twins, layout rules and arrays of records. Not in this file: how to count (count.h). */
#include "count.h"

static const int64_t extents[2] = {4, 6};

static void layouts(void) {
  portable_layout layout;
  ROW(1, 1, portable_layout_rule("field*", "*", "c", 0));
  ROW(1, 1, portable_layout_find("field1", portable_default_device(), 2, PORTABLE_ORDER_C, &layout));
}

static void twins(void) {
  portable_twin t[2], w[1];
  portable_array host, x;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  config.separate = 1;
  COUNT_INIT(portable_twin_state, state);
  ROW_UNDONE(3, 1, portable_twin_create("t", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &t[0]), portable_twin_release(t[0]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_twin_create("t", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &t[i]), PORTABLE_OK);
  CHECK_STATUS(portable_array_create("h", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &host), PORTABLE_OK);
  ROW_UNDONE(2, 1, portable_twin_wrap(&host, &config, &w[0]), portable_twin_release(w[0]));
  ROW(0, 0, portable_twin_retain(t[0]));
  ROW(0, 0, portable_twin_host(t[0], PORTABLE_TWIN_READ, &x));
  portable_array_release(&x);
  ROW(0, 0, portable_twin_device(t[0], PORTABLE_TWIN_READ, &x));
  portable_array_release(&x);
  ROW(0, 0, portable_twin_modified_host(t[0], "m"));
  ROW(1, 0, portable_twin_sync_device(t[0], NULL));
  ROW(0, 0, portable_twin_modified_device(t[0], "m"));
  ROW(1, 0, portable_twin_sync_host(t[0], NULL));
  ROW(0, 0, portable_twin_discard_host(t[0]));
  ROW(0, 0, portable_twin_discard_device(t[0]));
  ROW(0, 0, portable_twin_query(t[0], &state));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_twin_release(t[0]), PORTABLE_OK);
  ROW(0, 0, portable_twin_release(t[again]));
  CHECK_STATUS(portable_array_release(&host), PORTABLE_OK);
}

static void records(void) {
  portable_record r, two[2];
  portable_records s[2], w[2], f[2], b;
  portable_array x;
  static double memory[24], other[24];
  void *const fields[1] = {other};
  size_t bytes;
  const int64_t at[2] = {1, 1};
  memset(two, 0, sizeof two);
  ROW(0, 0, portable_record_begin(&r, 8));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_record_begin(&two[i], 8), PORTABLE_OK);
  ROW(1, 1, portable_record_add(&two[again], "mass", PORTABLE_KIND_REAL64, 8, 1, 0));
  r = two[0];
  ROW_VALUE(0, 0, portable_kind_bytes(PORTABLE_KIND_REAL64));
  ROW_VALUE(0, 0, portable_record_find(&r, "mass"));
  ROW(1, 1, portable_records_bytes(&r, PORTABLE_RECORDS_SOA, 0, 2, extents, PORTABLE_ORDER_C, &bytes));
  ROW_UNDONE(2, 1, portable_records_create("s", &r, PORTABLE_RECORDS_SOA, 0, 2, extents, NULL, &s[0]), portable_records_release(&s[0]));
  for (int i = 0; i < 2; i++) CHECK_STATUS(portable_records_create("s", &r, PORTABLE_RECORDS_SOA, 0, 2, extents, NULL, &s[i]), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("b", &r, PORTABLE_RECORDS_BLOCKS, 4, 2, extents, NULL, &b), PORTABLE_OK);
  ROW(1, 1, portable_records_wrap("w", &r, PORTABLE_RECORDS_SOA, 0, memory, 2, extents, NULL, &w[again]));
  ROW(1, 1, portable_records_wrap_fields("f", &r, fields, 2, extents, NULL, &f[again]));
  ROW(0, 0, portable_records_retain(&s[0]));
  ROW(1, 1, portable_records_field(&s[0], 0, 0, &x));
  portable_array_release(&x);
  portable_array_release(&x);
  ROW(1, 1, portable_records_lanes(&b, 0, 0, &x));
  ROW(0, 0, portable_records_copy(&s[0], &w[0], NULL));
  ROW_VALUE(0, 0, portable_records_element(&s[0], 0, 0, 2, at));
  ROW(0, 0, portable_records_release(again ? &w[0] : &s[1]));
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  count_warm_up();
  layouts();
  twins();
  records();
  return check_failures != 0;
}
