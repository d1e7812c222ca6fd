/* refused.c - bad arguments of solves are errors that name the argument, and that change nothing; the library answers in C and in Go alike. Not in
 * this file: a pivot of 0 (systems.c). */
#include "check.h"

static double lower[12], diag[12], upper[12], rhs[12], far[12];
static const int64_t extents[2] = {3, 4};
static portable_solve_options good;

static portable_status three(const portable_solve_options *o, int32_t rank, const int64_t *e, void *to) {
  return portable_solve_tridiagonal("r", PORTABLE_KIND_REAL64, lower, diag, upper, to, rank, e, o);
}
static portable_status five(const void *lower2, const void *upper2, void *to) {
  return portable_solve_pentadiagonal("r", PORTABLE_KIND_REAL64, lower2, lower, diag, upper, upper2, to, 2, extents, &good);
}

#define REFUSED(call, code, text) \
  do { \
    double before[12]; \
    memcpy(before, rhs, sizeof rhs); \
    CHECK_STATUS(call, code); \
    CHECK_TEXT(text); \
    CHECK(memcmp(before, rhs, sizeof rhs) == 0); \
  } while (0)
#define OPTION(change, text) \
  do { \
    portable_solve_options o = good; \
    change; \
    REFUSED(three(&o, 2, extents, rhs), PORTABLE_ERR_ARG, text); \
  } while (0)

int main(void) {
  static const int64_t negative[2] = {3, -4}, huge[3] = {3, INT64_C(1) << 40, INT64_C(1) << 40}, folded[2] = {8, 8};
  static const int64_t wide[2] = {INT64_MAX / 2, 8};
  const portable_solve_options init = PORTABLE_SOLVE_OPTIONS_INIT;
  good = init;
  good.dim = 1;
  good.order = PORTABLE_ORDER_FORTRAN;
  for (int i = 0; i < 12; i++) diag[i] = 2, rhs[i] = i;
  CHECK_STATUS(three(&good, 2, extents, rhs), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_solve_tridiagonal");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  OPTION(o.struct_size = 3, "struct_size");
  OPTION(o.struct_size = 4096, "struct_size");
  OPTION(o.flags = 4, "flags is 0x4; there are PORTABLE_SOLVE_PERIODIC and _ONE");
  OPTION(o.order = 2, "order is 2");
  OPTION(o.dim = 3, "dim is 3; the array has the dimensions 1 to 2");
  OPTION(o.dim = -1, "dim is -1");
  OPTION(o.dim = 0, "dim is 0, but the array has 2 dimensions; dim says which one counts the rows");
  OPTION(o.rhs_strides = folded, "elements of rhs overlap");
  REFUSED(three(&good, 0, extents, rhs), PORTABLE_ERR_ARG, "rank is 0");
  REFUSED(three(&good, 9, extents, rhs), PORTABLE_ERR_ARG, "rank is 9");
  REFUSED(three(&good, 2, NULL, rhs), PORTABLE_ERR_ARG, "extents is NULL");
  REFUSED(three(&good, 2, negative, rhs), PORTABLE_ERR_ARG, "extent 2 is -4");
  REFUSED(three(&good, 2, extents, NULL), PORTABLE_ERR_ARG, "rhs is NULL, but the array has elements");
  REFUSED(three(&good, 3, huge, rhs), PORTABLE_ERR_OVERFLOW, "bytes");
  REFUSED(portable_solve_tridiagonal("r", PORTABLE_KIND_INT64, lower, diag, upper, rhs, 2, extents, &good), PORTABLE_ERR_ARG, "4 is not a kind of systems");
  REFUSED(portable_solve_tridiagonal("r", 77, lower, diag, upper, rhs, 2, extents, &good), PORTABLE_ERR_ARG, "77 is not a kind of systems");
  REFUSED(portable_solve_tridiagonal("r", PORTABLE_KIND_REAL64, NULL, diag, upper, rhs, 2, extents, &good), PORTABLE_ERR_ARG, "lower is NULL");
  REFUSED(portable_solve_tridiagonal("r", PORTABLE_KIND_REAL64, lower, NULL, upper, rhs, 2, extents, &good), PORTABLE_ERR_ARG, "diag is NULL");
  REFUSED(portable_solve_tridiagonal("r", PORTABLE_KIND_REAL64, lower, diag, NULL, rhs, 2, extents, &good), PORTABLE_ERR_ARG, "upper is NULL");
  REFUSED(five(NULL, far, rhs), PORTABLE_ERR_ARG, "solve_pentadiagonal 'r': lower2 is NULL");
  REFUSED(five(far, NULL, rhs), PORTABLE_ERR_ARG, "upper2 is NULL");
  /* Overlap. */
  REFUSED(three(&good, 2, extents, lower), PORTABLE_ERR_ARG, "overlaps lower");
  REFUSED(three(&good, 2, extents, diag), PORTABLE_ERR_ARG, "overlaps diag");
  REFUSED(three(&good, 2, extents, upper), PORTABLE_ERR_ARG, "overlaps upper");
  REFUSED(five(far, rhs, rhs), PORTABLE_ERR_ARG, "overlaps upper2");
  REFUSED(five(rhs, far, rhs), PORTABLE_ERR_ARG, "overlaps lower2");
  {
    portable_solve_options o = good;
    o.flags = PORTABLE_SOLVE_ONE; /* a column of rhs is a diagonal */
    REFUSED(portable_solve_tridiagonal("r", PORTABLE_KIND_REAL64, lower, rhs + 6, upper, rhs, 2, extents, &o), PORTABLE_ERR_ARG, "overlaps diag");
    o.flags = 0;
    o.upper_strides = wide;
    REFUSED(three(&o, 2, extents, rhs), PORTABLE_ERR_OVERFLOW, "upper spans more bytes");
    portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
    o = good;
    o.launch = &config;
    config.struct_size = 2;
    REFUSED(three(&o, 2, extents, rhs), PORTABLE_ERR_ARG, "struct_size");
    config.struct_size = (uint32_t)sizeof config;
    config.device = 4000;
    REFUSED(three(&o, 2, extents, rhs), PORTABLE_ERR_NODEVICE, "4000");
    config.device = 0;
    config.stream = 12345678;
    REFUSED(three(&o, 2, extents, rhs), PORTABLE_ERR_HANDLE, "solve_tridiagonal");
  }
  CHECK_STATUS(five(far, far, rhs), PORTABLE_OK); /* the diagonals may be one array */
  return check_end();
}
