/* fortran_fft.c - the functions of portable_fft_mod: texts to types, and sections of Fortran as
 * lines of transforms. Threads: any. */
#include <inttypes.h>
#include <string.h>

#include "../../exec/algorithm/fft_plan.h"
#include "fortran_section.h"
#include "questions.h"

portable_status portable__fortran_fft_create(int32_t version, const char *type, size_t type_bytes, const char *label, size_t label_bytes, int64_t n, int32_t dim,
                                             portable_fft *plan_out) {
  char name[PORTABLE__LABEL_MAX + 1], kind[PORTABLE__LABEL_MAX + 1];
  *plan_out = 0;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  portable__copy_text(kind, sizeof kind, type, type_bytes);
  if (!name[0]) strcpy(name, "fft");
  if (strcmp(kind, "c2c") != 0 && strcmp(kind, "r2c") != 0)
    return portable__fail(PORTABLE_ERR_ARG, "fft_create '%s': type is '%s'; it is 'c2c' or 'r2c'", name, kind);
  return portable_fft_create(name, kind[0] == 'r' ? PORTABLE_FFT_R2C : PORTABLE_FFT_C2C, n, dim, plan_out);
}

static int is_complex(const struct portable__fortran_section *s) { return s->kind == PORTABLE_KIND_COMPLEX32 || s->kind == PORTABLE_KIND_COMPLEX64; }

/* How many elements a section has along the dimension of the plan. */
static int64_t along(const struct portable__fft_plan *p, int complex) { return p->real && complex ? p->n / 2 + 1 : p->n; }

static portable_status extent(const char *call, const char *name, const char *of, int d, int64_t has, const char *least, int64_t wanted) {
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': extent %d of %s is %" PRId64 "; the transform has %s%" PRId64 " there", call, name, d, of, has, least, wanted);
}

/* Finds extents and strides of both sides. */
static portable_status sides(const char *call, const char *name, const struct portable__fft_held *held, int backward, const struct portable__fortran_section *in,
                             const struct portable__fortran_section *out, int64_t *extents, int64_t (*strides)[PORTABLE_LOOP_RANK], int64_t *part) {
  const struct portable__fft_plan *const p = held->plan;
  const int alone = out->kind == 0, d = held->dim - 1;
  const int fits = alone ? is_complex(in) == !p->real : is_complex(in) == (!p->real || backward) && is_complex(out) == (!p->real || !backward);
  if (!fits)
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': the plan is of the type '%s': %s", call, name, p->real ? "r2c" : "c2c",
                          !p->real ? "both arrays are complex" : alone ? "an array that is transformed in place is real" : backward ? "in is complex, out is real" : "in is real, out is complex");
  portable__section_strides(in, strides[0]);
  portable__section_strides(alone ? in : out, strides[1]);
  memcpy(extents, in->extent, (size_t)in->rank * sizeof *extents);
  if (d >= in->rank) return PORTABLE_OK; /* refused by the call itself */
  if (alone && p->real) {
    const int64_t least = 2 * (p->n / 2 + 1);
    if (in->extent[d] < least) return extent(call, name, "x", d + 1, in->extent[d], "at least ", least);
    *part = strides[0][d];
    strides[!backward][d] = (int64_t)(2 * (uint64_t)*part);
  } else {
    if (in->extent[d] != along(p, is_complex(in))) return extent(call, name, alone ? "x" : "in", d + 1, in->extent[d], "", along(p, is_complex(in)));
    for (int i = 0; i < in->rank && !alone; i++) {
      const int64_t wanted = i == d ? along(p, is_complex(out)) : in->extent[i];
      if (out->extent[i] != wanted) return extent(call, name, "out", i + 1, out->extent[i], "", wanted);
    }
  }
  extents[d] = p->n;
  return PORTABLE_OK;
}

portable_status portable__fortran_fft(int32_t version, int32_t backward, const char *label, size_t label_bytes, portable_fft plan,
                                      const struct portable__fortran_section *in, const struct portable__fortran_section *out) {
  const char *const call = backward ? "fft_backward" : "fft_forward";
  char name[PORTABLE__LABEL_MAX + 1];
  int64_t strides[2][PORTABLE_LOOP_RANK], extents[PORTABLE_LOOP_RANK], part = 0;
  portable_fft_options options = PORTABLE_FFT_OPTIONS_INIT;
  struct portable__fft_held held;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) strcpy(name, call);
  if ((status = portable__fft_hold(call, plan, &held)) != PORTABLE_OK) return status;
  status = sides(call, name, &held, backward, in, out, extents, strides, &part);
  portable__fft_release(&held);
  if (status != PORTABLE_OK) return status;
  options.order = PORTABLE_ORDER_FORTRAN;
  options.in_strides = strides[0];
  options.out_strides = strides[1];
  options.part_stride = part;
  options.launch = in->launch;
  const int32_t kind = in->kind == PORTABLE_KIND_REAL64 || in->kind == PORTABLE_KIND_COMPLEX64 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32;
  return (backward ? portable_fft_backward : portable_fft_forward)(name, plan, kind, in->data, (void *)(uintptr_t)(out->kind ? out->data : in->data), in->rank, extents,
                                                                   &options);
}
