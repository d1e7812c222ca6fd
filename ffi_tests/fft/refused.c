/* refused.c - bad arguments of transforms are errors that name the argument, and that change nothing; what is unusual and right is done. Not in this
 * file: results (oracle.c), Fortran (lines.f90). */
#include "check.h"

static double x[64], y[64];
static const int64_t extents[2] = {3, 4};
static portable_fft plan, real;

#define REFUSED(call, code, text)                \
  do {                                           \
    double before[64];                           \
    memcpy(before, y, sizeof y);                 \
    CHECK_STATUS(call, code);                    \
    CHECK_TEXT(text);                            \
    CHECK(memcmp(before, y, sizeof y) == 0);     \
  } while (0)
#define REFUSED_PLAN(type, n, dim, code, text)                          \
  do {                                                                  \
    portable_fft none = 5;                                              \
    CHECK_STATUS(portable_fft_create("r", type, n, dim, &none), code);  \
    CHECK_TEXT(text);                                                   \
    CHECK(none == 0);                                                   \
  } while (0)
#define FORWARD(p, kind, in, out, rank, e, o) portable_fft_forward("r", p, kind, in, out, rank, e, o)
#define KIND PORTABLE_KIND_REAL64

static void plans(void) {
  portable_fft old = 0;
  REFUSED_PLAN(2, 8, 1, PORTABLE_ERR_ARG, "portable_fft_create of 'r': type is 2; it is PORTABLE_FFT_C2C or PORTABLE_FFT_R2C");
  REFUSED_PLAN(-1, 8, 1, PORTABLE_ERR_ARG, "type is -1");
  REFUSED_PLAN(0, 0, 1, PORTABLE_ERR_ARG, "n is 0; a line has 1 number or more");
  REFUSED_PLAN(1, -4, 1, PORTABLE_ERR_ARG, "n is -4");
  REFUSED_PLAN(0, 8, 0, PORTABLE_ERR_ARG, "dim is 0; an array has the dimensions 1 to 8");
  REFUSED_PLAN(0, 8, 9, PORTABLE_ERR_ARG, "dim is 9");
  REFUSED_PLAN(0, INT64_MAX, 1, PORTABLE_ERR_OVERFLOW, "its tables need more bytes");
  REFUSED_PLAN(0, INT64_C(1) << 46, 1, PORTABLE_ERR_NOMEM, "no memory for the tables of n = 70368744177664");
  CHECK_STATUS(portable_fft_create("r", 0, 8, 1, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("plan_out is NULL");
  CHECK_STATUS(portable_fft_destroy(0), PORTABLE_OK);
  CHECK_STATUS(portable_fft_create("r", 0, 8, 1, &old), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(old), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(old), PORTABLE_ERR_HANDLE);
  CHECK_TEXT("portable_fft_destroy");
  REFUSED(FORWARD(old, KIND, x, y, 1, extents, NULL), PORTABLE_ERR_HANDLE, "is not a plan of transforms");
  REFUSED(FORWARD(0, KIND, x, y, 1, extents, NULL), PORTABLE_ERR_HANDLE, "portable_fft_forward");
}

static void arguments(void) {
  static const int64_t negative[2] = {3, -4}, other[2] = {4, 4}, huge[3] = {3, INT64_C(1) << 40, INT64_C(1) << 40};
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  o.struct_size = 3;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "struct_size is 3; begin with PORTABLE_FFT_OPTIONS_INIT");
  o.struct_size = (uint32_t)sizeof o;
  o.flags = 1;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "flags is 0x1");
  o.flags = 0, o.reserved = 4;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "options.reserved is 4; it is 0 in this version");
  o.reserved = 0, o.order = 2;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "order is 2");
  REFUSED(FORWARD(plan, PORTABLE_KIND_COMPLEX64, x, y, 2, extents, NULL), PORTABLE_ERR_ARG, "fft_forward 'r': 8 is not a kind of transforms; they are PORTABLE_KIND_REAL32");
  REFUSED(FORWARD(plan, 77, x, y, 2, extents, NULL), PORTABLE_ERR_ARG, "77 is not a kind");
  REFUSED(FORWARD(plan, KIND, x, y, 0, extents, NULL), PORTABLE_ERR_ARG, "rank is 0");
  REFUSED(FORWARD(plan, KIND, x, y, 9, extents, NULL), PORTABLE_ERR_ARG, "rank is 9");
  REFUSED(FORWARD(plan, KIND, x, y, 2, NULL, NULL), PORTABLE_ERR_ARG, "extents is NULL");
  REFUSED(FORWARD(plan, KIND, x, y, 2, negative, NULL), PORTABLE_ERR_ARG, "extent 2 is -4");
  REFUSED(FORWARD(plan, KIND, x, y, 2, other, NULL), PORTABLE_ERR_ARG, "extent 1 is 4; the plan is for lines of 3 numbers");
  REFUSED(FORWARD(plan, KIND, NULL, y, 2, extents, NULL), PORTABLE_ERR_ARG, "in is NULL, but the array has elements");
  REFUSED(FORWARD(plan, KIND, x, NULL, 2, extents, NULL), PORTABLE_ERR_ARG, "out is NULL");
  REFUSED(FORWARD(plan, KIND, x, y, 3, huge, NULL), PORTABLE_ERR_OVERFLOW, "more bytes");
  {
    portable_fft second = 0;
    CHECK_STATUS(portable_fft_create("second", PORTABLE_FFT_C2C, 3, 2, &second), PORTABLE_OK);
    REFUSED(FORWARD(second, KIND, x, y, 1, extents, NULL), PORTABLE_ERR_ARG, "the plan is for dimension 2; the array has the dimensions 1 to 1");
    CHECK_STATUS(portable_fft_destroy(second), PORTABLE_OK);
  }
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  o.order = 0, o.launch = &config;
  config.struct_size = 2;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "struct_size");
  config.struct_size = (uint32_t)sizeof config;
  config.device = 4000;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_NODEVICE, "4000");
  config.device = 0, config.stream = 12345678;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_HANDLE, "fft_forward");
}

/* Overlap: only a transform in place is right. */
static void overlap(void) {
  static const int64_t square[2] = {3, 3}, folded[2] = {64, 8}, wide[2] = {INT64_MAX / 2, 16}, pairs[2] = {64, 16}, rows[2] = {8, 32}, room[2] = {16, 32}, half[2] = {24, 8}, near[2] = {8, 48}, far[2] = {16, 48}, close[2] = {8, 40};
  const int64_t line[1] = {4}, lines[2] = {4, 2};
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  REFUSED(FORWARD(plan, KIND, y, y + 2, 2, extents, NULL), PORTABLE_ERR_ARG, "overlaps in (");
  REFUSED(FORWARD(plan, KIND, y + 2, y, 2, extents, NULL), PORTABLE_ERR_ARG, "and is not the same lines; take another array");
  o.out_strides = folded;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_ARG, "elements of out overlap");
  o.out_strides = wide;
  REFUSED(FORWARD(plan, KIND, x, y, 2, extents, &o), PORTABLE_ERR_OVERFLOW, "out spans more bytes");
  o.out_strides = NULL, o.in_strides = pairs;
  CHECK_STATUS(FORWARD(plan, KIND, y, y, 2, extents, &o), PORTABLE_OK); /* contiguous, in words */
  o.in_strides = half;
  REFUSED(FORWARD(plan, KIND, y, y, 2, extents, &o), PORTABLE_ERR_ARG, "overlaps in");
  o.in_strides = NULL, o.part_stride = 8 * 24;
  o.out_strides = o.in_strides = half; /* parts in two arrays */
  CHECK_STATUS(FORWARD(plan, KIND, y, y, 2, square, &o), PORTABLE_OK);
  o.part_stride = 16;
  REFUSED(FORWARD(plan, KIND, x, y, 2, square, &o), PORTABLE_ERR_ARG, "real and imaginary parts of out overlap; part_stride is 16 bytes");
  /* Real lines in place: 4 real numbers become 3 complex ones. */
  CHECK_STATUS(FORWARD(real, KIND, y, y, 1, line, NULL), PORTABLE_OK);
  o = (portable_fft_options)PORTABLE_FFT_OPTIONS_INIT;
  o.order = PORTABLE_ORDER_FORTRAN;
  REFUSED(FORWARD(real, KIND, y, y, 2, lines, &o), PORTABLE_ERR_ARG, "with room for n/2+1 complex numbers each");
  o.in_strides = rows, o.out_strides = room;
  REFUSED(FORWARD(real, KIND, y, y, 2, lines, &o), PORTABLE_ERR_ARG, "elements of out overlap");
  o.in_strides = near, o.out_strides = far;
  CHECK_STATUS(FORWARD(real, KIND, y, y, 2, lines, &o), PORTABLE_OK);
  o.in_strides = close;
  REFUSED(FORWARD(real, KIND, y, y, 2, lines, &o), PORTABLE_ERR_ARG, "overlaps in");
}

/* No line at all; a line of one number; backwards. */
static void unusual(void) {
  portable_fft one = 0;
  const int64_t none[3] = {3, 0, 1}, single[2] = {1, 5}, back[1] = {-16}, five[1] = {3};
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  double a[6] = {1, 2, 3, 4, 5, 6}, b[6], forward[6];
  CHECK_STATUS(FORWARD(plan, KIND, NULL, NULL, 3, none, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fft_create("one", PORTABLE_FFT_C2C, 1, 1, &one), PORTABLE_OK);
  for (int i = 0; i < 10; i++) x[i] = i, y[i] = 0;
  CHECK_STATUS(FORWARD(one, KIND, x, y, 2, single, NULL), PORTABLE_OK);
  CHECK(memcmp(x, y, 10 * sizeof *x) == 0);
  CHECK_STATUS(portable_fft_destroy(one), PORTABLE_OK);
  o.in_strides = o.out_strides = back;
  CHECK_STATUS(FORWARD(plan, KIND, a + 4, b + 4, 1, five, &o), PORTABLE_OK);
  /* Real parts in one array, imaginary ones in another. */
  double parts[20] = {1, 1, 1}, sums[20];
  for (int i = 0; i < 20; i++) sums[i] = 99;
  o = (portable_fft_options)PORTABLE_FFT_OPTIONS_INIT;
  o.part_stride = 8 * 10;
  CHECK_STATUS(FORWARD(plan, KIND, parts, sums, 1, five, &o), PORTABLE_OK);
  for (int i = 0; i < 20; i++) {
    const double expected = i == 0 ? 3 : i % 10 < 3 ? 0 : 99;
    CHECK(sums[i] - expected < 1e-14 && expected - sums[i] < 1e-14);
  }
  const double turned[6] = {5, 6, 3, 4, 1, 2};
  CHECK_STATUS(FORWARD(plan, KIND, turned, forward, 1, five, NULL), PORTABLE_OK);
  for (int i = 0; i < 6; i += 2) CHECK(memcmp(&b[i], &forward[4 - i], 16) == 0);
}

int main(void) {
  CHECK_STATUS(portable_fft_create("early", PORTABLE_FFT_C2C, 3, 1, &plan), PORTABLE_OK); /* before the library runs */
  CHECK_STATUS(portable_fft_create("early", PORTABLE_FFT_R2C, 4, 1, &real), PORTABLE_OK);
  CHECK_STATUS(FORWARD(plan, KIND, x, y, 2, extents, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_fft_forward");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < 64; i++) x[i] = i, y[i] = 64 - i;
  plans();
  arguments();
  overlap();
  unusual();
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(real), PORTABLE_OK);
  return check_end();
}
