/* reduce.c - reductions of arrays on a cuda device: the bits of the host, for sizes around the borders of leaves and warps, sections, masks and
 * dimensions; "all": of every kind, else of a few. */
#include "algorithms.h"

#define MOST (3 * 4096 + 2)

static void both(const char *what, int32_t op, int32_t kind, const void *data, int32_t rank, const int64_t *extents, portable_array_options options, int64_t results) {
  const size_t bytes = (size_t)results * 16;
  char *a = calloc(2, bytes), *b = a + bytes;
  int64_t count = 1;
  for (int32_t d = 0; d < rank; d++) count *= extents[d];
  options.launch = &on_host;
  portable_status on = portable_reduce_array(what, op, kind, data, rank, extents, &options, a);
  options.launch = &on_device;
  CHECK_STATUS(portable_reduce_array(what, op, kind, data, rank, extents, &options, b), on);
  same(what, a, b, bytes, op, kind, count);
  free(a);
}

static void kind(int32_t k, int all) {
  static const int64_t sizes[] = {1, 2, 31, 32, 33, 127, 4095, 4096, 4097, MOST};
  const int64_t bytes = kind_bytes[k];
  const int32_t first = k >= PORTABLE_KIND_LOGICAL8 ? PORTABLE_REDUCE_ANY : PORTABLE_REDUCE_SUM;
  const int32_t last = k >= PORTABLE_KIND_LOGICAL8 ? PORTABLE_REDUCE_COUNT : k >= PORTABLE_KIND_COMPLEX32 ? PORTABLE_REDUCE_PRODUCT : PORTABLE_REDUCE_MAXLOC;
  char *data = take(2 * MOST * bytes);
  unsigned char *mask = take(2 * MOST);
  fill(mask, 2 * MOST, PORTABLE_KIND_LOGICAL8, PLAIN);
  for (int style = 0; style < STYLES; style++) {
    fill(data, 2 * MOST, k, style);
    for (int32_t op = first; op <= last; op++) {
      const portable_array_options plain = PORTABLE_ARRAY_OPTIONS_INIT;
      portable_array_options o = plain;
      for (size_t i = all ? 0 : style; i < sizeof sizes / sizeof *sizes; i += all ? 1 : 3) {
        const int64_t twice = 2 * bytes;
        both("whole", op, k, data, 1, &sizes[i], plain, 1);
        o.strides = &twice;
        both("stride", op, k, data, 1, &sizes[i], o, 1);
        o.strides = NULL;
        o.mask = mask;
        o.mask_kind = PORTABLE_KIND_LOGICAL8;
        if (op < PORTABLE_REDUCE_ANY) both("mask", op, k, data, 1, &sizes[i], o, 1);
        o = plain;
        o.flags = PORTABLE_REDUCE_WIDE;
        both("wide", op, k, data, 1, &sizes[i], o, 1);
        o = plain;
      }
      const int64_t section[] = {70, 57}, rows[] = {bytes * 60, bytes}, dims[] = {40, 100}, many[] = {3, 4100}, tall[] = {5, 2100};
      o.strides = rows;
      both("section", op, k, data + 3 * bytes, 2, section, o, 2);
      o.dim = 1;
      both("section dim", op, k, data, 2, section, o, 57);
      o = plain;
      for (o.dim = 1; o.dim <= 2; o.dim++) {
        both("dim", op, k, data, 2, dims, o, 100);
        both("dim of leaves", op, k, data, 2, many, o, 4100);
        both("many lines", op, k, data, 2, tall, o, 2100);
      }
      o.order = PORTABLE_ORDER_FORTRAN;
      o.dim = 0;
      both("order", op, k, data, 2, dims, o, 2);
    }
  }
  int64_t none = 0;
  for (int32_t op = first; op <= last; op++) both("nothing", op, k, data, 1, &none, (portable_array_options)PORTABLE_ARRAY_OPTIONS_INIT, 1);
  CHECK_STATUS(portable_free(mask), PORTABLE_OK);
  CHECK_STATUS(portable_free(data), PORTABLE_OK);
}

/* Addresses that do not fit their type, a result on the device, memory without access, and the host's. */
static void places(void) {
  const int64_t n = 5000, odd = 24;
  char *bytes = take(n * odd + 8);
  double a = 0, b = 1, own[40], *far_cell = NULL;
  portable_pool pool = 0;
  portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
  for (int64_t i = 0; i < n; i++) {
    const double x = real(PLAIN);
    memcpy(bytes + 3 + i * odd, &x, sizeof x);
  }
  o.strides = &odd;
  o.launch = &on_host;
  CHECK_STATUS(portable_reduce_array("odd", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, bytes + 3, 1, &n, &o, &a), PORTABLE_OK);
  o.launch = &on_device;
  CHECK_STATUS(portable_reduce_array("odd", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, bytes + 3, 1, &n, &o, &b), PORTABLE_OK);
  same("odd", &a, &b, sizeof a, 1, 6, n);

  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 64, "cell", (void **)&far_cell), PORTABLE_OK);
  CHECK_STATUS(portable_reduce_array("far", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, bytes + 3, 1, &n, &o, far_cell), PORTABLE_OK);
  const int64_t one = 1;
  portable_array_options plain = PORTABLE_ARRAY_OPTIONS_INIT;
  plain.launch = &on_device;
  b = 0;
  CHECK_STATUS(portable_reduce_array("far", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, far_cell, 1, &one, &plain, &b), PORTABLE_OK);
  same("far", &a, &b, sizeof a, 1, 6, n);
  plain.launch = &on_host;
  CHECK_STATUS(portable_reduce_array("far", PORTABLE_REDUCE_MAX, PORTABLE_KIND_REAL64, far_cell, 1, &one, &plain, &b), PORTABLE_ERR_POINTER);
  CHECK_TEXT("'far': data");
  plain.launch = &on_device;
  plain.flags = PORTABLE_REDUCE_EXACT;
  CHECK_STATUS(portable_reduce_array("far", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, far_cell, 1, &one, &plain, &b), PORTABLE_ERR_POINTER);
  CHECK_TEXT("managed memory");

  /* The host does it, and it is counted. */
  const int64_t few = 40;
  for (int i = 0; i < few; i++) own[i] = 1;
  plain.flags = 0;
  CHECK_STATUS(portable_reduce_array("own", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, own, 1, &few, &plain, &b), PORTABLE_OK);
  CHECK(b == 40);
  plain.mask = bytes;
  plain.mask_kind = PORTABLE_KIND_LOGICAL8;
  CHECK_STATUS(portable_reduce_array("own", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, own, 1, &few, &plain, far_cell), PORTABLE_ERR_POINTER);
  plain.mask = NULL;
  CHECK_STATUS(portable_reduce_array("exact", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, bytes, 1, &one, &plain, &b), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, far_cell), PORTABLE_OK);
  CHECK_STATUS(portable_free(bytes), PORTABLE_OK);
}

int main(int argc, char **argv) {
  const int all = argc > 1 && strcmp(argv[1], "all") == 0;
  begin();
  for (int32_t k = PORTABLE_KIND_INT8; k <= PORTABLE_KIND_LOGICAL64; k++)
    if (all || k == PORTABLE_KIND_REAL64 || k == PORTABLE_KIND_LOGICAL8) kind(k, all);
  places();
  return check_end();
}
