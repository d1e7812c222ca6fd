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
  from.entries = -1;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "csr is not a descriptor");
  from.kind = 0;
  REFUSED(portable_csr_transpose("t", &from, 2, NULL, &made), "kind is 0");
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
  CHECK(memcmp(&made, &before, sizeof made) == 0);
  return check_end();
}
