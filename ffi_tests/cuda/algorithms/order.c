/* order.c - scans, filters and sorts on a cuda device against those of the host; "all": of every kind, else of a few. */
#include "algorithms.h"

#define MOST (3 * 4096 + 2)

/* ---- scans ---- */

static void scan_both(const char *what, int32_t op, int32_t kind, const void *data, int32_t rank, const int64_t *extents, portable_scan_options options, int64_t room,
                      int in_place) {
  const size_t bytes = (size_t)(room * kind_bytes[kind]);
  char *out = take(2 * (int64_t)bytes);
  memset(out, 7, 2 * bytes);
  options.launch = &on_host;
  CHECK_STATUS(portable_scan(what, op, kind, data, rank, extents, &options, out), PORTABLE_OK);
  options.launch = &on_device;
  if (in_place) memcpy(out + bytes, data, bytes);
  CHECK_STATUS(portable_scan(what, op, kind, in_place ? out + bytes : data, rank, extents, &options, out + bytes), PORTABLE_OK);
  if (in_place) bytes == 0 ? (void)0 : same(what, out, out + bytes, (size_t)(extents[0] * kind_bytes[kind]), op, kind, extents[0]);
  else same(what, out, out + bytes, bytes, op, kind, extents[0]);
  CHECK_STATUS(portable_free(out), PORTABLE_OK);
}

static void scans(int32_t k, int all) {
  static const int64_t sizes[] = {1, 7, 8, 9, 31, 33, 2047, 2048, 2049, 4097, MOST};
  const int64_t bytes = kind_bytes[k];
  char *data = take(MOST * bytes), initial[8];
  fill(initial, 1, k, PLAIN);
  for (int style = 0; style < STYLES; style++) {
    fill(data, MOST, k, style);
    for (int32_t op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_MAX; op++) {
      if (!all && op % STYLES != style) continue;
      for (int exclusive = all ? 0 : op % 2; exclusive < 2; exclusive++) {
        portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
        o.flags = exclusive ? PORTABLE_SCAN_EXCLUSIVE : 0;
        for (size_t i = all ? 0 : (size_t)style; i < sizeof sizes / sizeof *sizes; i += all ? 1 : 4) {
          o.initial = i % 2 ? initial : NULL;
          scan_both("whole", op, k, data, 1, &sizes[i], o, MOST, 0);
          scan_both("in place", op, k, data, 1, &sizes[i], o, MOST, 1);
        }
        const int64_t twice = 2 * bytes, half = MOST / 2, lines[] = {40, 60}, many[] = {4, 2100};
        o.strides = &twice;
        scan_both("stride", op, k, data, 1, &half, o, MOST, 0);
        o.strides = NULL;
        o.out_strides = &twice;
        scan_both("out stride", op, k, data, 1, &half, o, MOST, 0);
        o.out_strides = NULL;
        for (o.dim = 0; o.dim <= 2; o.dim++) {
          scan_both("lines", op, k, data, 2, lines, o, MOST, 0);
          if (all || o.dim == 1) scan_both("many lines", op, k, data, 2, many, o, MOST, 0);
        }
      }
    }
  }
  CHECK_STATUS(portable_free(data), PORTABLE_OK);
}

/* ---- filters ---- */

/* Elements of 1, 8, 12 and 24 bytes; masks of all lengths; from all to none. */
static void filters(void) {
  static const int64_t sizes[] = {1, 31, 33, 4096, 4097, MOST}, elements[] = {1, 8, 12, 24};
  char *data = take(MOST * 24), *out = take(2 * MOST * 24), *mask = take(MOST * 8), *rest = take(MOST * 24);
  fill(data, 3 * MOST, PORTABLE_KIND_INT64, PLAIN);
  fill(rest, 3 * MOST, PORTABLE_KIND_INT64, PLAIN);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int64_t n = sizes[i], bytes = elements[i % 4], room = i % 2 ? n : n / 3 + 1;
    const int32_t kind = PORTABLE_KIND_LOGICAL8 + (int32_t)(i % 4);
    portable_filter_options o = PORTABLE_FILTER_OPTIONS_INIT;
    int64_t a = -1, b = -1;
    fill(mask, n, kind, PLAIN);
    if (i == 3) memset(mask, 1, (size_t)n * 8);
    const int64_t half = MOST * 24;
    for (int with_rest = 0; with_rest < 2; with_rest++) {
      memset(out, 7, (size_t)half * 2);
      o.rest = with_rest ? rest : NULL;
      o.launch = &on_host;
      portable_status on = portable_pack("pack", bytes, data, 1, &n, kind, mask, &o, out, room, &a);
      o.launch = &on_device;
      CHECK_STATUS(portable_pack("pack", bytes, data, 1, &n, kind, mask, &o, out + half, room, &b), on);
      CHECK(a == b);
      same("pack", out, out + half, (size_t)half, 0, kind, n);
    }
    o.rest = NULL;
    o.launch = &on_host;
    portable_status on = portable_unpack("unpack", bytes, rest, room, 1, &n, kind, mask, &o, out, &a);
    o.launch = &on_device;
    CHECK_STATUS(portable_unpack("unpack", bytes, rest, room, 1, &n, kind, mask, &o, out + half, &b), on);
    CHECK(a == b);
    same("unpack", out, out + half, (size_t)half, 0, kind, n);
    for (int32_t index = PORTABLE_KIND_INT32; index <= PORTABLE_KIND_INT64; index++) {
      o.launch = &on_host;
      on = portable_filter_indices("indices", 1, &n, kind, mask, &o, 5, index, out, room, &a);
      o.launch = &on_device;
      CHECK_STATUS(portable_filter_indices("indices", 1, &n, kind, mask, &o, 5, index, out + half, room, &b), on);
      CHECK(a == b);
      same("indices", out, out + half, (size_t)half, 0, kind, n);
    }
  }
  /* A section of an array, one logical for all. */
  const int64_t section[] = {50, 20}, steps[] = {30 * 8, 8}, none[] = {0, 0};
  portable_filter_options o = PORTABLE_FILTER_OPTIONS_INIT;
  int64_t a = -1, b = -1;
  o.strides = steps;
  o.mask_strides = none;
  o.order = PORTABLE_ORDER_C;
  mask[0] = 1;
  o.launch = &on_host;
  CHECK_STATUS(portable_pack("section", 8, data, 2, section, PORTABLE_KIND_LOGICAL8, mask, &o, out, 1000, &a), PORTABLE_OK);
  o.launch = &on_device;
  CHECK_STATUS(portable_pack("section", 8, data, 2, section, PORTABLE_KIND_LOGICAL8, mask, &o, out + MOST * 24, 1000, &b), PORTABLE_OK);
  CHECK(a == b && a == 1000);
  same("section", out, out + MOST * 24, 8000, 0, 0, 1000);
  CHECK_STATUS(portable_free(rest), PORTABLE_OK);
  CHECK_STATUS(portable_free(mask), PORTABLE_OK);
  CHECK_STATUS(portable_free(out), PORTABLE_OK);
  CHECK_STATUS(portable_free(data), PORTABLE_OK);
}

/* ---- sorts ---- */

static void sorts(int32_t k, int all) {
  static const int64_t sizes[] = {1, 2, 255, 257, 2047, 2049, 9000}, values[] = {1, 4, 8, 12};
  const int64_t bytes = kind_bytes[k];
  char *keys = take(2 * 9000 * 2 * bytes), *with = take(2 * 9000 * 12), *index = take(2 * 9000 * 8), *kept = take(9000 * 2 * bytes);
  for (size_t i = all ? 0 : 2; i < sizeof sizes / sizeof *sizes; i += all ? 1 : 3) {
    for (int style = 0; style < STYLES; style++) {
      if (!all && i > 2 && style != EQUAL) continue; /* few digits */
      const int64_t n = sizes[i], value = values[i % 4], step = (style == EQUAL ? 2 : 1) * bytes, all_keys = 9000 * 2 * bytes;
      portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
      o.flags = (uint32_t)style % 2 ? PORTABLE_SORT_DESCENDING : 0;
      o.stride = step;
      fill(kept, 9000 * 2, k, style);
      for (int32_t kind = PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_INT64; kind++) {
        if (!all && kind % STYLES != style) continue;
        o.launch = &on_host;
        CHECK_STATUS(portable_sort_index("index", k, kept, n, kind, 1, &o, index), PORTABLE_OK);
        o.launch = &on_device;
        CHECK_STATUS(portable_sort_index("index", k, kept, n, kind, 1, &o, index + 9000 * 8), PORTABLE_OK);
        same("index", index, index + 9000 * 8, (size_t)n * (kind == PORTABLE_KIND_INT32 ? 4 : 8), (int32_t)o.flags, k, n);
      }
      for (int pass = 0; pass < 2; pass++) {
        memcpy(keys, kept, (size_t)all_keys);
        memcpy(keys + all_keys, kept, (size_t)all_keys);
        for (int64_t b = 0; b < 9000 * 12; b++) with[b] = with[9000 * 12 + b] = (char)(b * 7);
        for (int side = 0; side < 2; side++) {
          o.launch = side ? &on_device : &on_host;
          if (pass)
            CHECK_STATUS(portable_sort_by_key("values", k, keys + side * all_keys, with + side * 9000 * 12, (size_t)value, n, &o), PORTABLE_OK);
          else
            CHECK_STATUS(portable_sort("keys", k, keys + side * all_keys, n, &o), PORTABLE_OK);
        }
        same("keys", keys, keys + all_keys, (size_t)all_keys, (int32_t)o.flags, k, n);
        same("values", with, with + 9000 * 12, 9000 * 12, (int32_t)o.flags, k, n);
      }
    }
  }
  CHECK_STATUS(portable_free(kept), PORTABLE_OK);
  CHECK_STATUS(portable_free(index), PORTABLE_OK);
  CHECK_STATUS(portable_free(with), PORTABLE_OK);
  CHECK_STATUS(portable_free(keys), PORTABLE_OK);
}

/* Memory of the host alone is the host's work, with the same result. */
static void own_memory(void) {
  double x[50], y[50];
  int32_t keys[50], order[50];
  const int64_t n = 50;
  int64_t count = 0;
  unsigned char mask[50];
  portable_scan_options s = PORTABLE_SCAN_OPTIONS_INIT;
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  portable_filter_options f = PORTABLE_FILTER_OPTIONS_INIT;
  for (int i = 0; i < 50; i++) x[i] = i, keys[i] = 50 - i, mask[i] = i % 2;
  s.launch = o.launch = f.launch = &on_device;
  CHECK_STATUS(portable_scan("own", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, &s, y), PORTABLE_OK);
  CHECK(y[49] == 1225);
  CHECK_STATUS(portable_pack("own", 8, x, 1, &n, PORTABLE_KIND_LOGICAL8, mask, &f, y, n, &count), PORTABLE_OK);
  CHECK(count == 25 && y[24] == 49);
  CHECK_STATUS(portable_sort_index("own", PORTABLE_KIND_INT32, keys, n, PORTABLE_KIND_INT32, 0, &o, order), PORTABLE_OK);
  CHECK(order[0] == 49);
  CHECK_STATUS(portable_sort("own", PORTABLE_KIND_INT32, keys, n, &o), PORTABLE_OK);
  CHECK(keys[0] == 1 && keys[49] == 50);
  /* Half of it is the device's. */
  portable_pool pool = 0;
  void *far_memory = NULL;
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, sizeof x, "far", &far_memory), PORTABLE_OK);
  CHECK_STATUS(portable_scan("half", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, x, 1, &n, &s, far_memory), PORTABLE_ERR_POINTER);
  CHECK_TEXT("'half': out");
  CHECK_STATUS(portable_sort_by_key("half", PORTABLE_KIND_INT32, keys, far_memory, 8, n, &o), PORTABLE_ERR_POINTER);
  o.launch = &on_host;
  CHECK_STATUS(portable_sort("half", PORTABLE_KIND_REAL64, far_memory, n, &o), PORTABLE_ERR_POINTER);
  CHECK_STATUS(portable_pool_free(pool, far_memory), PORTABLE_OK);
}

int main(int argc, char **argv) {
  const int all = argc > 1 && strcmp(argv[1], "all") == 0;
  begin();
  for (int32_t k = PORTABLE_KIND_INT8; k <= PORTABLE_KIND_REAL64; k++) {
    if (all || k == PORTABLE_KIND_REAL64) scans(k, all);
    if (all || k == PORTABLE_KIND_REAL64 || k == PORTABLE_KIND_INT16) sorts(k, all);
  }
  filters();
  own_memory();
  return check_end();
}
