/* refused.c - arguments of portable_mesh.h that are refused: which status, which text, and that nothing is written. Not in this file: what is right. */
#include <portable_mesh.h>

#include "check.h"

#define REFUSED(call, text)               \
  do {                                    \
    CHECK_STATUS(call, PORTABLE_ERR_ARG); \
    CHECK_TEXT(text);                     \
  } while (0)

static int32_t row_of[6] = {0, 2, 1, 0, 2, -1};
static const int32_t int32 = PORTABLE_KIND_INT32;
static portable_csr made;

static portable_status build(int64_t rows, const portable_csr_options *o) { return portable_csr_build("faces", int32, row_of, 3, 2, rows, o, &made); }

static void rows(void) {
  const portable_csr_options none = PORTABLE_CSR_OPTIONS_INIT;
  portable_csr_options o = none;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  REFUSED(build(2, NULL), "csr_build 'faces': item 0 is in row 2 (its number 1), but rows are 0 to 1, and -1 means none");
  row_of[4] = -2;
  REFUSED(build(3, NULL), "item 2 is in row -2 (its number 0), but rows are 0 to 2");
  row_of[4] = 2;
  o.lower = 1;
  REFUSED(build(3, &o), "item 3 is in row -1 (its number 2), but rows are 1 to 3, and 0 means none");
  o.lower = 2;
  REFUSED(build(3, &o), "lower is 2; it is 0 or 1");
  o = none, o.struct_size = 999;
  REFUSED(build(3, &o), "options.struct_size is 999; begin with PORTABLE_CSR_OPTIONS_INIT");
  o = none, o.launch = &launch, launch.struct_size = 0;
  REFUSED(build(3, &o), "launch.struct_size is 0");
  launch.struct_size = sizeof launch, launch.device = 99;
  CHECK_STATUS(build(3, &o), PORTABLE_ERR_NODEVICE);
  launch.device = 0, launch.stream = 12345;
  CHECK_STATUS(build(3, &o), PORTABLE_ERR_HANDLE);
  REFUSED(build(-1, NULL), "the count of rows is -1");
  REFUSED(portable_csr_build("x", int32, row_of, -3, 2, 3, NULL, &made), "the count of items is -3");
  REFUSED(portable_csr_build("x", int32, row_of, 3, -2, 3, NULL, &made), "the count of rows of an item is -2");
  REFUSED(portable_csr_build("x", PORTABLE_KIND_REAL64, row_of, 3, 2, 3, NULL, &made), "kind is 6; it is PORTABLE_KIND_INT32 or _INT64");
  REFUSED(portable_csr_build(NULL, int32, NULL, 3, 2, 3, NULL, &made), "csr_build 'unlabelled': row_of is NULL");
  REFUSED(portable_csr_build("x", int32, row_of, 3, 2, 3, NULL, NULL), "csr_out is NULL");
  CHECK_STATUS(portable_csr_build("x", int32, row_of, INT32_MAX, 2, 3, NULL, &made), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("4294967294 entries do not fit int32; take PORTABLE_KIND_INT64");
  CHECK_STATUS(portable_csr_build("x", PORTABLE_KIND_INT64, row_of, INT64_MAX, 2, 3, NULL, &made), PORTABLE_ERR_OVERFLOW);
  CHECK_STATUS(portable_csr_build("x", int32, row_of, 0, 2, INT64_MAX, NULL, &made), PORTABLE_ERR_OVERFLOW);
}

static void counts(void) {
  int32_t few[3] = {1, -4, 2}, many[3] = {INT32_MAX, 1, 0};
  int64_t immense[2] = {INT64_MAX, 1};
  REFUSED(portable_csr_counts("list", int32, few, 3, NULL, &made), "csr_counts 'list': row 1 has -4 entries");
  REFUSED(portable_csr_counts("list", int32, NULL, 3, NULL, &made), "counts is NULL");
  REFUSED(portable_csr_counts("list", int32, few, -3, NULL, &made), "the count of rows is -3");
  CHECK_STATUS(portable_csr_counts("list", int32, many, 3, NULL, &made), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("all counts together do not fit int32");
  CHECK_STATUS(portable_csr_counts("list", PORTABLE_KIND_INT64, immense, 2, NULL, &made), PORTABLE_ERR_OVERFLOW);
}

static void transposed(void) {
  int32_t begin[3] = {0, 2, 3}, col[3] = {0, 1, 1};
  portable_csr from = {2, 3, begin, col, NULL, PORTABLE_KIND_INT32, 0};
  col[2] = 2;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "csr_transpose 't': entry 2 is column 2, but columns are 0 to 1");
  col[2] = 1, begin[1] = 4;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "the beginning of row 1 is 4; they go from 0 up to 3");
  begin[1] = 2, begin[2] = 1;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "the beginning of row 2 is 1");
  REFUSED(portable_csr_transpose("t", NULL, 2, NULL, &made), "csr is NULL");
  from.rows = (INT64_C(1) << 31) + 1;
  CHECK_STATUS(portable_csr_transpose("t", &from, 2, NULL, &made), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("2147483649 rows are more than int32 counts; take PORTABLE_KIND_INT64, in Fortran csr64");
  from.rows = 2, from.entries = -1;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "csr is not a descriptor");
  from.rows = 0, from.entries = 3, from.row = NULL; /* entries of no row */
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "csr is not a descriptor: rows 0, entries 3");
  from.row = begin;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "the beginning of row 0 is 0; they go from 0 up to 3");
  from.kind = 0;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "kind is 0");
}

static portable_status sum(int32_t op, int32_t kind, int32_t row_kind, const portable_segmented_options *o) {
  static const double x[6] = {1, 2, 3, 4, 5, 6};
  static int32_t row[4] = {0, 2, 2, 6};
  static double y[3];
  return portable_segmented_reduce("s", op, kind, x, 6, row_kind, row, 3, o, y);
}

static portable_status rows_of(int64_t a, int64_t b, int64_t c) {
  static const double x[6] = {1, 2, 3, 4, 5, 6};
  double y[2];
  const int64_t row[3] = {a, b, c};
  return portable_segmented_reduce("s", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 6, PORTABLE_KIND_INT64, row, 2, NULL, y);
}

static void reductions(void) {
  const portable_segmented_options none = PORTABLE_SEGMENTED_OPTIONS_INIT;
  portable_segmented_options o = none;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  const int32_t real64 = PORTABLE_KIND_REAL64, add = PORTABLE_REDUCE_SUM;
  static int64_t index[6] = {0, 1, 2, 3, 4, 6};
  double x[2] = {1, 2};
  int32_t row[2] = {0, 2};
  CHECK_STATUS(sum(add, real64, int32, NULL), PORTABLE_OK);
  REFUSED(sum(0, real64, int32, NULL), "segmented_reduce 's': op is 0; it is PORTABLE_REDUCE_SUM, _PRODUCT, _MIN or _MAX");
  REFUSED(sum(PORTABLE_REDUCE_MINLOC, real64, int32, NULL), "op is 5");
  REFUSED(sum(add, PORTABLE_KIND_INT8, int32, NULL), "kind is 1; it is PORTABLE_KIND_INT32, _INT64, _REAL32 or _REAL64");
  REFUSED(sum(add, real64, 5, NULL), "row_kind is 5; it is PORTABLE_KIND_INT32 or _INT64");
  o.index = index, o.index_count = 6, o.index_kind = 1;
  REFUSED(sum(add, real64, int32, &o), "index_kind is 1");
  o.index_kind = PORTABLE_KIND_INT64;
  REFUSED(sum(add, real64, int32, &o), "index 5 is 6, but data has the elements 0 to 5");
  index[4] = INT64_MIN;
  REFUSED(sum(add, real64, int32, &o), "index 4 is -9223372036854775808, but data has");
  o.index_count = -1;
  REFUSED(sum(add, real64, int32, &o), "the count of elements of index is -1");
  o = none, o.lower = 3;
  REFUSED(sum(add, real64, int32, &o), "lower is 3; it is 0 or 1");
  o = none, o.struct_size = 2;
  REFUSED(sum(add, real64, int32, &o), "options.struct_size is 2");
  o = none, o.launch = &launch, launch.struct_size = 0;
  REFUSED(sum(add, real64, int32, &o), "launch.struct_size is 0");
  launch.struct_size = sizeof launch, launch.device = 99;
  CHECK_STATUS(sum(add, real64, int32, &o), PORTABLE_ERR_NODEVICE);
  launch.device = 0, launch.stream = 12345;
  CHECK_STATUS(sum(add, real64, int32, &o), PORTABLE_ERR_HANDLE);
  REFUSED(rows_of(0, 4, 3), "row 1 begins at 4 and the next one at 3; beginnings never decrease");
  REFUSED(rows_of(-1, 4, 6), "row 0 is -1 to 3, but data has the elements 0 to 5");
  REFUSED(rows_of(0, 4, 7), "row 1 is 4 to 6, but data has");
  REFUSED(rows_of(INT64_MIN, INT64_MAX, 6), "row 0 is -9223372036854775808 to 9223372036854775806");
  REFUSED(rows_of(0, INT64_MAX, INT64_MIN), "row 0 is 0 to 9223372036854775806");
  REFUSED(portable_segmented_reduce("s", add, real64, x, -2, int32, row, 1, NULL, x), "the count of elements of data is -2");
  REFUSED(portable_segmented_reduce("s", add, real64, x, 2, int32, row, -1, NULL, x), "the count of rows is -1");
  REFUSED(portable_segmented_reduce("s", add, real64, NULL, 2, int32, row, 1, NULL, x), "data is NULL");
  REFUSED(portable_segmented_reduce("s", add, real64, x, 2, int32, NULL, 1, NULL, x), "row is NULL");
  REFUSED(portable_segmented_reduce("s", add, real64, x, 2, int32, row, 1, NULL, NULL), "result_out is NULL");
  CHECK_STATUS(portable_segmented_reduce("s", add, real64, x, 2, int32, row, INT64_MAX, NULL, x), PORTABLE_ERR_OVERFLOW);
  struct {
    int32_t row[3], results[2], index[2];
  } near = {{0, 1, 2}, {0, 0}, {0, 1}};
  const int32_t numbers[2] = {5, 6};
  portable_segmented_options through = PORTABLE_SEGMENTED_OPTIONS_INIT;
  through.index = near.index, through.index_count = 2;
  CHECK_STATUS(portable_segmented_reduce("s", add, int32, numbers, 2, int32, near.row, 2, &through, near.results), PORTABLE_OK);
  CHECK(near.results[0] == 5 && near.results[1] == 6);
  REFUSED(portable_segmented_reduce("s", add, int32, near.row, 2, int32, near.row, 2, NULL, near.row), "result_out shares memory with data");
  REFUSED(portable_segmented_reduce("s", add, int32, numbers, 2, int32, near.row, 2, NULL, near.row + 2), "result_out shares memory with row");
  REFUSED(portable_segmented_reduce("s", add, int32, numbers, 2, int32, near.row, 2, &through, near.results + 1), "result_out shares memory with index");
}

static void orders(void) {
  double x[3] = {1, 2, 3};
  int32_t order[3] = {1, 2, 0};
  portable_reorder_array a = {x, 8, 8};
  portable_csr_options o = PORTABLE_CSR_OPTIONS_INIT;
  REFUSED(portable_reorder("r", 1, order, 3, &a, 1, NULL), "reorder 'r': index_kind is not");
  REFUSED(portable_reorder("r", int32, order, -3, &a, 1, NULL), "the count of elements is -3");
  REFUSED(portable_reorder("r", int32, NULL, 3, &a, 1, NULL), "order is NULL");
  REFUSED(portable_reorder("r", int32, order, 3, NULL, 1, NULL), "arrays is NULL");
  a.stride = 4;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, NULL), "array 1 has elements of 8 bytes that are 4 bytes apart");
  a.stride = INT64_MIN;
  CHECK_STATUS(portable_reorder("r", int32, order, 3, &a, 1, NULL), PORTABLE_ERR_OVERFLOW);
  a.stride = INT64_MAX / 2;
  CHECK_STATUS(portable_reorder("r", int32, order, 3, &a, 1, NULL), PORTABLE_ERR_OVERFLOW);
  a.stride = 8, a.data = NULL;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, NULL), "data of array 1 is NULL");
  a.data = x, o.lower = 1;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, &o), "number 3 of order is 0, but elements are 1 to 3");
  order[2] = INT32_MIN;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, NULL), "number 2 of order is -2147483648, but elements are 0 to 2");
  order[2] = 1;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, NULL), "order has element 1 twice");
  CHECK(x[0] == 1 && x[1] == 2 && x[2] == 3);
  order[2] = 0;
  CHECK_STATUS(portable_reorder("r", int32, order, 3, &a, 1, NULL), PORTABLE_OK);
  CHECK(x[0] == 2 && x[1] == 3 && x[2] == 1);
  struct {
    int32_t order, a, b;
  } points[3] = {{1, 10, 20}, {2, 11, 21}, {0, 12, 22}};
  portable_reorder_array members[2] = {{&points[0].a, 4, sizeof *points}, {&points[0].b, 4, sizeof *points}};
  CHECK_STATUS(portable_reorder("r", int32, order, 3, members, 2, NULL), PORTABLE_OK); /* elements of one lie between those of the other */
  CHECK(points[0].a == 11 && points[0].b == 21 && points[2].a == 10);
  members[1].data = &points[0].order, members[1].element_bytes = 5;
  REFUSED(portable_reorder("r", int32, order, 3, members, 2, NULL), "arrays 1 and 2 share memory, so it would be moved twice");
  a.data = order, a.element_bytes = 4, a.stride = 4;
  REFUSED(portable_reorder("r", int32, order, 3, &a, 1, NULL), "array 1 shares memory with order; give a copy of order");
  CHECK(order[0] == 1 && order[1] == 2 && order[2] == 0);
}

int main(void) {
  portable_csr before;
  memset(&made, 7, sizeof made);
  before = made;
  CHECK_STATUS(build(3, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  rows();
  counts();
  transposed();
  reductions();
  orders();
  CHECK(memcmp(&made, &before, sizeof made) == 0);
  return check_end();
}
