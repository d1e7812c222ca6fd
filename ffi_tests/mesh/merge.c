/* merge.c - merges and maps against serial ones: all kinds, both orders, values of 1 to 24 bytes, equal keys, one side empty or much longer, NaN and signed
 * zeros, arrays that are not in order; batches of keys. Not in this file: other refusals (particles_refused.c). */
#include <math.h>
#include <portable_particles.h>

#include "memory.h"

static uint64_t state = 88172645463325252u;
static uint64_t any(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

static const size_t key_bytes[] = {0, 1, 2, 4, 8, 4, 8};

/* Whether sorting both, in the order a, b, gives the merge: portable_sort_by_key is stable, so it is an oracle. */
static void compare(int32_t kind, uint32_t flags, size_t value_bytes, int64_t na, int64_t nb, uint64_t different) {
  const size_t bytes = key_bytes[kind], n = (size_t)(na + nb), v = value_bytes ? value_bytes : 8;
  char *keys = take(n * bytes + 8), *values = take(n * v + 8), *merged = take(n * bytes + 8), *moved = take(n * v + 8);
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  portable_merge_options m = PORTABLE_MERGE_OPTIONS_INIT;
  o.flags = m.flags = flags;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = different ? any() % different : any();
    if (kind == PORTABLE_KIND_REAL32 && different) {
      const float special[] = {0.0f, -0.0f, NAN, -NAN, INFINITY, -INFINITY, 1.5f, -1.5f};
      memcpy(&bits, &special[bits % 8], 4);
    }
    if (kind == PORTABLE_KIND_REAL64 && different) {
      const double special[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 1.5, -1.5};
      memcpy(&bits, &special[bits % 8], 8);
    }
    memcpy(keys + i * bytes, &bits, bytes);
    for (size_t k = 0; k < v; k++) values[i * v + k] = (char)(i >> 8 * (k % 4));
  }
  CHECK_STATUS(portable_sort_by_key("a", kind, keys, values, v, na, &o), PORTABLE_OK);
  CHECK_STATUS(portable_sort_by_key("b", kind, keys + (size_t)na * bytes, values + (size_t)na * v, v, nb, &o), PORTABLE_OK);
  if (value_bytes)
    CHECK_STATUS(portable_merge_by_key("merge", kind, keys, values, na, keys + (size_t)na * bytes, values + (size_t)na * v, nb, v, &m, merged, moved), PORTABLE_OK);
  else
    CHECK_STATUS(portable_merge_sorted("merge", kind, keys, na, keys + (size_t)na * bytes, nb, &m, merged), PORTABLE_OK);
  CHECK_STATUS(portable_sort_by_key("both", kind, keys, values, v, na + nb, &o), PORTABLE_OK);
  CHECK(memcmp(keys, merged, n * bytes) == 0);
  CHECK(!value_bytes || memcmp(values, moved, n * v) == 0);
  give(keys), give(values), give(merged), give(moved);
}

static void unordered(void) {
  const int64_t n = sized(100000);
  int32_t *const a = take((size_t)n * sizeof *a), *const b = take((size_t)n * sizeof *b), *const c = take(2 * (size_t)n * sizeof *c);
  for (int trial = 0; trial < 16; trial++) {
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;
    const int64_t at = 1 + (int64_t)(any() % (uint64_t)(n - 1));
    int32_t *const x = trial % 2 ? a : b;
    x[at] = trial < 8 ? x[at - 1] - 1 : -5; /* by one: nothing else may see it */
    CHECK_STATUS(portable_merge_sorted("m", PORTABLE_KIND_INT32, a, n, b, n, NULL, c), PORTABLE_ERR_ARG);
    char text[80];
    snprintf(text, sizeof text, "element %d of %s, counted from 0, comes before the one in front of it", (int)at, trial % 2 ? "a" : "b");
    CHECK_TEXT(text);
  }
  give(a), give(b), give(c);
}

/* ---- maps ---- */

static int64_t get(const void *at, int32_t kind, int64_t k) { return kind == PORTABLE_KIND_INT32 ? ((const int32_t *)at)[k] : ((const int64_t *)at)[k]; }
static void put(void *at, int32_t kind, int64_t k, int64_t value) {
  if (kind == PORTABLE_KIND_INT32)
    ((int32_t *)at)[k] = (int32_t)value;
  else
    ((int64_t *)at)[k] = value;
}

#define RANGE 100000

/* Keys are -RANGE/2 to RANGE/2, far apart for 64 bits. */
static void map(int32_t kind, int32_t lower, int64_t batch, int batches) {
  portable_index_map m = PORTABLE_INDEX_MAP_INIT;
  const int64_t far = kind == PORTABLE_KIND_INT64 ? INT64_C(1) << 40 : 1;
  int64_t *number = take(RANGE * sizeof *number), *before = take(RANGE * sizeof *before), known = 0, wrong = 0;
  void *keys = take((size_t)batch * 8 + 8), *at = take((size_t)batch * 8 + 8);
  uint8_t *is_new = take((size_t)batch + 1);
  m.kind = kind;
  m.lower = lower;
  for (int i = 0; i < RANGE; i++) number[i] = lower - 1;
  for (int round = 0; round < batches; round++) {
    int64_t added = known;
    memcpy(before, number, RANGE * sizeof *number);
    for (int64_t i = 0; i < batch; i++) put(keys, kind, i, ((int64_t)(any() % RANGE) - RANGE / 2) * far);
    CHECK_STATUS(portable_map_insert("map", &m, keys, batch, NULL, round % 2 ? is_new : NULL), PORTABLE_OK);
    for (int64_t i = 0; i < batch; i++) {
      const int64_t k = get(keys, kind, i) / far + RANGE / 2;
      if (round % 2) wrong += is_new[i] != (number[k] == lower - 1);
      number[k] = lower; /* seen */
    }
    for (int64_t k = 0; k < RANGE; k++) {
      if (before[k] == lower - 1 && number[k] == lower)
        number[k] = added++ + lower;
      else
        number[k] = before[k];
    }
    known = added;
    CHECK(m.count == known && wrong == 0);
    for (int64_t i = 1; i < m.count; i++) wrong += get(m.keys, kind, i - 1) >= get(m.keys, kind, i);
    for (int64_t i = 0; i < batch; i++) put(keys, kind, i, ((int64_t)(any() % RANGE) - RANGE / 2) * far);
    CHECK_STATUS(portable_map_find("find", &m, keys, batch, NULL, at), PORTABLE_OK);
    for (int64_t i = 0; i < batch; i++) {
      const int64_t k = get(keys, kind, i) / far + RANGE / 2;
      wrong += get(at, kind, i) != number[k];
      wrong += portable_map_at(&m, get(keys, kind, i)) != number[k] - lower;
    }
    CHECK(wrong == 0);
  }
  CHECK(portable_map_at(&m, INT64_MIN) == -1 && portable_map_at(&m, INT64_MAX) == -1);
  CHECK_STATUS(portable_map_free(&m), PORTABLE_OK);
  CHECK(m.count == 0 && m.memory == NULL && portable_map_at(&m, 0) == -1);
  CHECK_STATUS(portable_map_free(&m), PORTABLE_OK);
  give(number), give(before), give(keys), give(at), give(is_new);
}

int main(void) {
  static const size_t values[] = {0, 1, 4, 8, 12, 24};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int32_t kind = PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_REAL64; kind++)
    for (uint32_t flags = 0; flags < 2; flags++)
      for (int v = 0; v < 6; v++) {
        compare(kind, flags, values[v], 0, 0, 0);
        compare(kind, flags, values[v], 7, 0, 0);
        compare(kind, flags, values[v], 0, 100, 3);
        if ((kind + v) % 3 == 0) { /* each kind, and each size, in several parts */
          compare(kind, flags, values[v], 1, sized(40000), 0);
          compare(kind, flags, values[v], sized(20000), sized(33000), v % 2 ? 8 : 0);
        }
        for (int n = 0; n < sized(20) / 2; n++) compare(kind, flags, values[v], (int64_t)(any() % 60), (int64_t)(any() % 60), n % 2 ? 0 : 8);
      }
  unordered();
  for (int32_t kind = PORTABLE_KIND_INT32; kind <= PORTABLE_KIND_INT64; kind++)
    for (int32_t lower = 0; lower < 2; lower++) {
      map(kind, lower, 0, 2);
      map(kind, lower, 1, 5);
      map(kind, lower, 1000, 6);
      map(kind, lower, sized(60000), 3);
    }
  all_there();
  return check_end();
}
