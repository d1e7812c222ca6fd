/* refused.c - what portable_random_fill.h refuses: which status, which text, and that nothing is written. Not in this file: what is written (fill.c). */
#include <portable_random.h>

#include "check.h"

static double x[12];
static const int64_t shape[2] = {3, 4};

static portable_status fill(int32_t kind, void *data, int32_t rank, const int64_t *extents, const portable_random_options *o) {
  return portable_random_fill("x", kind, portable_random_key_make(1, 2, 3), data, rank, extents, o);
}

#define REFUSED(call, text)               \
  do {                                    \
    CHECK_STATUS(call, PORTABLE_ERR_ARG); \
    CHECK_TEXT(text);                     \
  } while (0)

int main(void) {
  const portable_random_options none = PORTABLE_RANDOM_OPTIONS_INIT;
  portable_random_options o = none;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  const int32_t real64 = PORTABLE_KIND_REAL64;
  const int64_t negative[2] = {3, -4}, immense[2] = {INT64_MAX, 4}, still[2] = {32, 0}, narrow[2] = {16, 8}, far[2] = {INT64_MAX, 8};
  CHECK_STATUS(fill(real64, x, 2, shape, NULL), PORTABLE_ERR_STATE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int n = 0; n < 12; n++) x[n] = n;
  REFUSED(fill(PORTABLE_KIND_INT32, x, 2, shape, NULL), "random_fill 'x': 3 is not a kind of random numbers; they are PORTABLE_KIND_REAL32 and _REAL64");
  REFUSED(fill(99, x, 2, shape, NULL), "99 is not a kind");
  REFUSED(fill(real64, NULL, 2, shape, NULL), "data is NULL, but the array has elements");
  REFUSED(fill(real64, x, 2, NULL, NULL), "extents is NULL");
  REFUSED(fill(real64, x, 0, shape, NULL), "rank is 0; it is 1 to 8");
  REFUSED(fill(real64, x, 9, shape, NULL), "rank is 9");
  REFUSED(fill(real64, x, 2, negative, NULL), "extent 2 is -4");
  REFUSED(portable_random_fill(NULL, real64, portable_random_key_make(1, 2, 3), NULL, 2, shape, NULL), "random_fill 'unlabelled': data is NULL");
  CHECK_STATUS(fill(real64, x, 2, immense, NULL), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("there are more bytes than a 64-bit integer counts");
  o.struct_size = 1000;
  REFUSED(fill(real64, x, 2, shape, &o), "options.struct_size is 1000; begin with PORTABLE_RANDOM_OPTIONS_INIT");
  o = none, o.order = 2;
  REFUSED(fill(real64, x, 2, shape, &o), "order is 2");
  o = none, o.distribution = 2;
  REFUSED(fill(real64, x, 2, shape, &o), "distribution is 2; it is PORTABLE_RANDOM_UNIFORM or _NORMAL");
  o = none, o.strides = still;
  REFUSED(fill(real64, x, 2, shape, &o), "elements of data overlap");
  o.strides = narrow;
  REFUSED(fill(real64, x, 2, shape, &o), "elements of data overlap");
  o.strides = far;
  CHECK_STATUS(fill(real64, x, 2, shape, &o), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("data spans more bytes");
  o = none, o.first = INT64_MAX - 10;
  CHECK_STATUS(fill(real64, x, 2, shape, &o), PORTABLE_ERR_OVERFLOW);
  CHECK_TEXT("cells from 9223372036854775797 for 12 elements do not fit int64");
  launch.struct_size = 0, o = none, o.launch = &launch;
  REFUSED(fill(real64, x, 2, shape, &o), "launch.struct_size is 0");
  launch.struct_size = sizeof launch, launch.device = 99;
  CHECK_STATUS(fill(real64, x, 2, shape, &o), PORTABLE_ERR_NODEVICE);
  launch.device = 0, launch.stream = 12345;
  CHECK_STATUS(fill(real64, x, 2, shape, &o), PORTABLE_ERR_HANDLE);
  for (int n = 0; n < 12; n++) CHECK(x[n] == n);
  return check_end();
}
