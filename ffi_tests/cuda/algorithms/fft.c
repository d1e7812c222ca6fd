/* fft.c - transforms on a cuda device have the bits of the host: on memory of the device that the host cannot access, along each dimension, with strides,
 * real and complex, in place, both kinds, any length. Not in this file: the host's own results (ffi_tests/fft). */
#include "algorithms.h"

#define MOST 24000 /* bytes of an array */

static char *here[2], *there[2];
static portable_pool pool; /* of the device's own memory */

static void begin_arrays(int32_t kind, int shift) {
  for (int k = 0; k < 2; k++) {
    fill(here[k], MOST / kind_bytes[kind], kind, PLAIN);
    if (shift) {
      memmove(here[k] + shift, here[k], (size_t)(MOST - shift));
      memset(here[k], 0, (size_t)shift);
    }
    copy_there(there[k], here[k], MOST);
  }
}

static portable_status transform(int backward, portable_fft plan, int32_t kind, char *in, char *out, int32_t rank, const int64_t *extents, portable_fft_options o,
                                 const portable_launch_config *where) {
  o.launch = where;
  return (backward ? portable_fft_backward : portable_fft_forward)("lines", plan, kind, in, out, rank, extents, &o);
}

static void both(const char *what, int backward, portable_fft plan, int32_t kind, int32_t rank, const int64_t *extents, const portable_fft_options *o, int64_t in,
                 int64_t out, int in_place) {
  static char back[MOST];
  const int to = in_place ? 0 : 1;
  CHECK_STATUS(transform(backward, plan, kind, here[0] + in, here[to] + out, rank, extents, *o, &on_host), PORTABLE_OK);
  CHECK_STATUS(transform(backward, plan, kind, there[0] + in, there[to] + out, rank, extents, *o, &on_device), PORTABLE_OK);
  copy_there(back, there[to], MOST);
  same(what, here[to], back, MOST, backward, kind, extents[0]);
}

static void forms(void) {
  static const int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 22, 24, 26, 35, 64, 97, 128, 240};
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (int type = 0; type < 2; type++)
      for (int32_t dim = 1; dim <= 3; dim++) {
        portable_fft plan = 0;
        CHECK_STATUS(portable_fft_create("lines", type, lengths[l], dim, &plan), PORTABLE_OK);
        for (int form = 0; form < 4; form++) {
          const int32_t kind = form & 2 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32;
          portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
          int64_t extents[3], rest = 0;
          o.order = (int32_t)(l + (size_t)dim) % 2;
          for (int d = 0; d < 3; d++) extents[d] = d == dim - 1 ? lengths[l] : (int64_t[]){2, lengths[l] > 40 ? 2 : 5}[rest++];
          begin_arrays(kind, 0);
          both("forms", form & 1, plan, kind, 3, extents, &o, 0, 0, 0);
        }
        CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
      }
}

/* Backwards, not aligned, with parts in two halves, in place. */
static void layouts(void) {
  const int64_t extents[2] = {6, 30}, back[2] = {-480, -16}, across[2] = {16, 96}, apart[2] = {240, 8}, real[2] = {8, 96}, pairs[2] = {16, 96};
  portable_fft plan = 0, rows = 0;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  const int32_t kind = PORTABLE_KIND_REAL64;
  CHECK_STATUS(portable_fft_create("lines", PORTABLE_FFT_C2C, 30, 2, &plan), PORTABLE_OK);
  CHECK_STATUS(portable_fft_create("rows", PORTABLE_FFT_R2C, 10, 1, &rows), PORTABLE_OK);
  o.in_strides = back, o.out_strides = across;
  begin_arrays(kind, 0);
  both("backwards", 0, plan, kind, 2, extents, &o, 179 * 16, 0, 0);
  begin_arrays(kind, 3);
  both("not aligned", 1, plan, kind, 2, extents, &o, 179 * 16 + 3, 3, 0);
  o.in_strides = o.out_strides = apart, o.part_stride = 6000;
  begin_arrays(kind, 0);
  both("apart", 0, plan, kind, 2, extents, &o, 0, 0, 0);
  begin_arrays(kind, 0);
  both("in place", 0, plan, kind, 2, extents, &o, 0, 0, 1);
  o.part_stride = 0, o.in_strides = real, o.out_strides = pairs;
  begin_arrays(kind, 0);
  both("real in place", 0, rows, kind, 2, (int64_t[]){10, 70}, &o, 0, 0, 1);
  o.in_strides = pairs, o.out_strides = real;
  both("back in place", 1, rows, kind, 2, (int64_t[]){10, 70}, &o, 0, 0, 1);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(rows), PORTABLE_OK);
}

/* More lines than a grid has threads; in a stream of the device, behind a launch. */
static void many(void) {
  const int64_t extents[2] = {3, 490};
  portable_launch_config config = on_device;
  portable_fft plan = 0;
  portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
  static char back[MOST];
  o.order = PORTABLE_ORDER_FORTRAN;
  CHECK_STATUS(portable_fft_create("many", PORTABLE_FFT_C2C, 3, 1, &plan), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(on_device.device, PORTABLE_STREAM_ASYNC, &config.stream), PORTABLE_OK);
  config.device = 0;
  begin_arrays(PORTABLE_KIND_REAL64, 0);
  CHECK_STATUS(transform(0, plan, PORTABLE_KIND_REAL64, here[0], here[1], 2, extents, o, &on_host), PORTABLE_OK);
  CHECK_STATUS(transform(0, plan, PORTABLE_KIND_REAL64, there[0], there[1], 2, extents, o, &config), PORTABLE_OK);
  copy_there(back, there[1], MOST);
  same("many", here[1], back, MOST, 0, PORTABLE_KIND_REAL64, 490);
  CHECK_STATUS(portable_stream_destroy(config.stream), PORTABLE_OK);
  CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
}

int main(void) {
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  for (int k = 0; k < 2; k++) {
    void *p = NULL;
    here[k] = calloc(MOST, 1);
    CHECK_STATUS(portable_pool_alloc(pool, MOST, "there", &p), PORTABLE_OK);
    there[k] = p;
  }
  forms();
  layouts();
  many();
  for (int k = 0; k < 2; k++) {
    free(here[k]);
    CHECK_STATUS(portable_pool_free(pool, there[k]), PORTABLE_OK);
  }
  return check_end();
}
