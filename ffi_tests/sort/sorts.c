/* sorts.c - sorts from C against a slow stable sort: kinds, numbers of keys, strides, few distinct keys, keys in order and backwards, NaN,
 * zeros and infinities; values of any size; indices; both directions. No memory, nested launches, streams, misuse. Not in this file: digits and
 * buckets alone (go test ./internal/kernels/doors). */
#include "check.h"

#include <math.h>
#include <time.h>

enum { MOST = 200000 };

static uint64_t state = 42;

/* The same numbers on every machine. */
static uint64_t next_number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static int64_t below(int64_t n) { return (int64_t)(next_number() >> 1) % n; }

static const int32_t key_bytes[] = {0, 1, 2, 4, 8, 4, 8};

/* ---- the model: an order written down as it is documented, and a merge sort of indices ---- */

static int32_t model_kind;
static int model_descending;

/* Class 0 is a number, 1 and 2 are NaN of the sign that comes first and of the other. */
struct rank { int class; double number; int64_t bits; };

static struct rank rank_of(const void *key) {
  struct rank r = {0, 0, 0};
  switch (model_kind) {
  case PORTABLE_KIND_INT8: { int8_t v; memcpy(&v, key, 1); r.bits = v; break; }
  case PORTABLE_KIND_INT16: { int16_t v; memcpy(&v, key, 2); r.bits = v; break; }
  case PORTABLE_KIND_INT32: { int32_t v; memcpy(&v, key, 4); r.bits = v; break; }
  case PORTABLE_KIND_INT64: memcpy(&r.bits, key, 8); break;
  case PORTABLE_KIND_REAL32: {
    float v;
    int32_t bits;
    memcpy(&v, key, 4);
    memcpy(&bits, key, 4);
    r.number = (double)v;
    r.class = isnan(v) ? 1 + (model_descending ? bits > 0 : bits < 0) : 0;
    r.bits = bits < 0 ? (int64_t)-1 - (bits & INT32_MAX) : bits;
    break;
  }
  default: {
    int64_t bits;
    memcpy(&r.number, key, 8);
    memcpy(&bits, key, 8);
    r.class = isnan(r.number) ? 1 + (model_descending ? bits > 0 : bits < 0) : 0;
    r.bits = bits < 0 ? -1 - (bits & INT64_MAX) : bits;
  }
  }
  return r;
}

/* Below 0: the first key comes first. */
static int compare(const void *x, const void *y) {
  struct rank a = rank_of(x), b = rank_of(y);
  if (a.class != b.class) return a.class - b.class;
  int way = a.class == 0 && a.number != b.number ? (a.number > b.number) - (a.number < b.number) : (a.bits > b.bits) - (a.bits < b.bits);
  return model_descending ? -way : way;
}

static int64_t order[MOST], merged[MOST];

static void model_sort(const char *keys, int64_t step, int64_t from, int64_t to) {
  if (to - from < 2) return;
  int64_t half = from + (to - from) / 2, i = from, j = half;
  model_sort(keys, step, from, half);
  model_sort(keys, step, half, to);
  for (int64_t k = from; k < to; k++)
    merged[k] = j == to || (i < half && compare(keys + order[i] * step, keys + order[j] * step) <= 0) ? order[i++] : order[j++];
  memcpy(order + from, merged + from, (size_t)(to - from) * sizeof *order);
}

/* ---- keys ---- */

/* Random bits are mostly odd reals; numbers as programs have them, special ones, and few distinct ones too. */
static void make_key(int32_t kind, int shape, int64_t i, int64_t n, void *key) {
  static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, -1.0, 1e-300, -5e-324};
  uint64_t bits = next_number();
  double number;
  switch (shape) {
  case 0: memcpy(key, &bits, (size_t)key_bytes[kind]); return;
  case 1: number = (double)(bits >> 11) / 9007199254740992.0 * 100 - 50; break;
  case 2: number = (double)below(5); break;
  case 3: number = (double)i; break;                     /* in order */
  case 4: number = (double)(n - i); break;               /* backwards */
  case 5: number = i == n - 1 ? -1 : (double)(i / 3); break; /* in order but the last */
  case 6: number = 7; break;
  default:
    number = odd[below(8)];
    if (kind >= PORTABLE_KIND_REAL32 && below(4) == 0) { /* NaN of either sign with some payload */
      uint64_t nan = kind == PORTABLE_KIND_REAL32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
      nan |= (uint64_t)below(3) | (kind == PORTABLE_KIND_REAL32 ? (uint64_t)below(2) << 31 : (uint64_t)below(2) << 63);
      memcpy(key, &nan, (size_t)key_bytes[kind]);
      return;
    }
    if (kind < PORTABLE_KIND_REAL32) number = (double)below(3) - 1;
  }
  switch (kind) {
  case PORTABLE_KIND_INT8: { int8_t v = (int8_t)((int64_t)number & 127); memcpy(key, &v, 1); break; }
  case PORTABLE_KIND_INT16: { int16_t v = (int16_t)((int64_t)number & 32767); memcpy(key, &v, 2); break; }
  case PORTABLE_KIND_INT32: { int32_t v = (int32_t)number; memcpy(key, &v, 4); break; }
  case PORTABLE_KIND_INT64: { int64_t v = (int64_t)number; memcpy(key, &v, 8); break; }
  case PORTABLE_KIND_REAL32: { float v = (float)number; memcpy(key, &v, 4); break; }
  default: memcpy(key, &number, 8);
  }
}

/* An array somewhere in memory: contiguous, apart, backwards. */
struct array { char *block, *first; int64_t step; size_t bytes; };

static struct array lay(int64_t n, int64_t element, int how) {
  struct array a;
  a.step = how == 0 ? element : how == 1 ? element + 3 : how == 2 ? -2 * element : -element;
  const int64_t apart = a.step < 0 ? -a.step : a.step;
  a.bytes = (size_t)(n * apart + element + 64);
  a.block = malloc(a.bytes);
  if (!a.block) exit(2);
  memset(a.block, 0x5a, a.bytes);
  a.first = a.block + (a.step < 0 ? (n ? n - 1 : 0) * apart : how == 1 ? 1 : 0);
  return a;
}

/* One sort each of keys alone, with values and to indices, of the same keys. */
static void sort_one(int32_t kind, int64_t n, int shape, int how, int descending, size_t value_bytes, int64_t lower) {
  const int64_t bytes = key_bytes[kind];
  struct array keys = lay(n, bytes, how), values = lay(n, (int64_t)value_bytes, (how + 1) % 4);
  const int32_t index_kind = lower < 0 ? PORTABLE_KIND_INT64 : PORTABLE_KIND_INT32;
  struct array indices = lay(n, index_kind == PORTABLE_KIND_INT64 ? 8 : 4, (how + 2) % 4);
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  for (int64_t i = 0; i < n; i++) {
    make_key(kind, shape, i, n, keys.first + i * keys.step);
    for (size_t k = 0; k < value_bytes; k++) values.first[i * values.step + (int64_t)k] = (char)(i >> 8 * (k % 4));
    order[i] = i;
  }
  model_kind = kind;
  model_descending = descending;
  model_sort(keys.first, keys.step, 0, n);

  char *before = malloc(keys.bytes), *want = malloc(keys.bytes), *want_values = malloc(values.bytes), *alone = malloc(keys.bytes);
  if (!before || !want || !want_values || !alone) exit(2);
  memcpy(before, keys.block, keys.bytes);
  memcpy(want, keys.block, keys.bytes); /* with what is between the keys */
  memcpy(want_values, values.block, values.bytes);
  for (int64_t i = 0; i < n; i++) {
    memcpy(want + (keys.first - keys.block) + i * keys.step, keys.first + order[i] * keys.step, (size_t)bytes);
    memcpy(want_values + (values.first - values.block) + i * values.step, values.first + order[i] * values.step, value_bytes);
  }
  o.flags = descending ? PORTABLE_SORT_DESCENDING : 0;
  o.stride = keys.step;
  o.value_stride = indices.step;
  CHECK_STATUS(portable_sort_index("index", kind, keys.first, n, index_kind, lower, &o, indices.first), PORTABLE_OK);
  CHECK(memcmp(before, keys.block, keys.bytes) == 0);
  int wrong = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t found = 0;
    int32_t narrow;
    if (index_kind == PORTABLE_KIND_INT64) {
      memcpy(&found, indices.first + i * indices.step, 8);
    } else {
      memcpy(&narrow, indices.first + i * indices.step, 4);
      found = narrow;
    }
    wrong += found != order[i] + lower;
  }
  CHECK(wrong == 0);

  o.value_stride = values.step;
  CHECK_STATUS(portable_sort_by_key("by key", kind, keys.first, values.first, value_bytes, n, &o), PORTABLE_OK);
  int keys_differ = memcmp(want, keys.block, keys.bytes), values_differ = memcmp(want_values, values.block, values.bytes);
  memcpy(keys.block, before, keys.bytes);
  o.value_stride = 0;
  CHECK_STATUS(portable_sort("keys", kind, keys.first, n, &o), PORTABLE_OK);
  int alone_differ = memcmp(want, keys.block, keys.bytes);
  CHECK(keys_differ == 0);
  CHECK(values_differ == 0);
  CHECK(alone_differ == 0);
  if (wrong || keys_differ || values_differ || alone_differ)
    printf("  kind %d, %lld keys, shape %d, layout %d, descending %d, values of %zu\n", (int)kind, (long long)n, shape, how, descending, value_bytes);
  free(keys.block);
  free(values.block);
  free(indices.block);
  free(before);
  free(want);
  free(want_values);
  free(alone);
}

static void test_model(void) {
  static const int64_t counts[] = {0, 1, 2, 3, 24, 25, 300, 5000};
  static const size_t sizes[] = {4, 8, 1, 2, 3, 24, 16};
  int turn = 0;
  for (int32_t kind = PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_REAL64; kind++)
    for (int shape = 0; shape < 8; shape++)
      for (int c = 0; c < 8; c++, turn++)
        sort_one(kind, counts[c], shape, turn % 4, turn / 4 % 2, sizes[turn % 7], turn % 3 ? 0 : -5);
}

/* So many that all threads sort them. Elements in one place and far apart, and one far-off key that takes the first digit for itself. */
static void test_many(void) {
  static const size_t sizes[] = {4, 8, 5, 2};
  int turn = 0;
  for (int32_t kind = PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_REAL64; kind++)
    for (int shape = 0; shape < 8; shape += kind < PORTABLE_KIND_INT32 ? 2 : 1, turn++)
      sort_one(kind, 9000 + below(9000), shape, turn % 4, turn / 2 % 2, sizes[(turn / 2 + turn) % 4], turn % 2 ? 1 : -7);
}

/* Buckets that are too large for one thread are cut again: most keys close together, a few far off. */
static void test_skewed(void) {
  static int64_t keys[MOST], want[MOST];
  for (int64_t i = 0; i < MOST; i++) {
    keys[i] = i % 50000 == 7 ? (int64_t)next_number() : 1000000 + (i % 3 ? below(1000) : (int64_t)(i % 2));
    order[i] = i;
  }
  model_kind = PORTABLE_KIND_INT64;
  model_descending = 0;
  model_sort((const char *)keys, 8, 0, MOST);
  for (int64_t i = 0; i < MOST; i++) want[i] = keys[order[i]];
  CHECK_STATUS(portable_sort("skewed", PORTABLE_KIND_INT64, keys, MOST, NULL), PORTABLE_OK);
  CHECK(memcmp(keys, want, sizeof keys) == 0);
  CHECK_STATUS(portable_sort("again", PORTABLE_KIND_INT64, keys, MOST, NULL), PORTABLE_OK);
  CHECK(memcmp(keys, want, sizeof keys) == 0);
}

/* ---- failures ---- */

static void test_no_memory(void) {
  static double keys[100000], copy[100000];
  static int32_t indices[100000];
  for (int i = 0; i < 100000; i++) keys[i] = (double)below(1000000), indices[i] = -3;
  memcpy(copy, keys, sizeof keys);
  /* The pool has 1 MiB; keys alone need 0.8, with values 3.2. */
  CHECK_STATUS(portable_sort_by_key("no memory", PORTABLE_KIND_REAL64, keys, indices, 4, 100000, NULL), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("sort 'no memory': no scratch memory: ");
  CHECK_STATUS(portable_sort_index("no memory", PORTABLE_KIND_REAL64, keys, 100000, PORTABLE_KIND_INT32, 0, NULL, indices), PORTABLE_ERR_NOMEM);
  CHECK(memcmp(keys, copy, sizeof keys) == 0);
  int touched = 0;
  for (int i = 0; i < 100000; i++) touched += indices[i] != -3;
  CHECK(touched == 0);
  CHECK_STATUS(portable_sort("less", PORTABLE_KIND_REAL64, keys, 1000, NULL), PORTABLE_OK);
}

#define BAD(call, code, text)  \
  do {                         \
    CHECK_STATUS(call, code);  \
    CHECK_TEXT(text);          \
    CHECK(keys[0] == 3 && keys[1] == 2 && keys[2] == 1 && indices[0] == -1); \
  } while (0)

static void test_misuse(void) {
  double keys[3] = {3, 2, 1};
  int32_t indices[3] = {-1, -1, -1};
  int64_t wide[3];
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, NULL, 3, NULL), PORTABLE_ERR_ARG, "sort 'bad': keys is NULL, but there are 3 keys");
  BAD(portable_sort("bad", 0, keys, 3, NULL), PORTABLE_ERR_ARG, "0 is not a kind of keys; they are PORTABLE_KIND_INT8 to _REAL64");
  BAD(portable_sort("bad", PORTABLE_KIND_COMPLEX32, keys, 3, NULL), PORTABLE_ERR_ARG, "7 is not a kind of keys");
  BAD(portable_sort(NULL, PORTABLE_KIND_REAL64, keys, -1, NULL), PORTABLE_ERR_ARG, "sort 'unlabelled': count is -1; it is 0 or more");
  BAD(portable_sort_by_key("bad", PORTABLE_KIND_REAL64, keys, NULL, 4, 3, NULL), PORTABLE_ERR_ARG, "the second array is NULL");
  BAD(portable_sort_by_key("bad", PORTABLE_KIND_REAL64, keys, indices, 0, 3, NULL), PORTABLE_ERR_ARG, "value_bytes is 0; a value has 1 to");
  BAD(portable_sort_index("bad", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT16, 0, NULL, indices), PORTABLE_ERR_ARG,
      "index_kind is 2; it is PORTABLE_KIND_INT32 or _INT64");
  BAD(portable_sort_index("bad", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT32, INT32_MAX - 1, NULL, indices), PORTABLE_ERR_OVERFLOW,
      "indices from 2147483646 for 3 elements do not fit int32; take int64");
  BAD(portable_sort_index("bad", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT64, INT64_MAX - 1, NULL, wide), PORTABLE_ERR_OVERFLOW,
      "do not fit int64");
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, INT64_MAX / 4, NULL), PORTABLE_ERR_OVERFLOW, "than a 64-bit integer counts");
  BAD(portable_sort_by_key("bad", PORTABLE_KIND_REAL64, keys, keys, 8, 3, NULL), PORTABLE_ERR_ARG, "shares memory with the keys");
  BAD(portable_sort_index("bad", PORTABLE_KIND_REAL64, keys, 3, PORTABLE_KIND_INT32, 0, NULL, (int32_t *)(void *)keys + 5), PORTABLE_ERR_ARG,
      "shares memory with the keys");
  o.stride = 4;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "stride is 4 bytes; elements of 8 bytes are at least as far apart");
  o.stride = -7;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "stride is -7 bytes");
  o.stride = 0;
  o.value_stride = 8;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "value_stride is for values and indices");
  o.value_stride = 3;
  BAD(portable_sort_by_key("bad", PORTABLE_KIND_REAL64, keys, indices, 4, 3, &o), PORTABLE_ERR_ARG, "value_stride is 3 bytes");
  o.value_stride = 0;
  o.flags = 2;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "flags is 0x2; there is PORTABLE_SORT_DESCENDING");
  o.flags = 0;
  o.struct_size = 1000;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "options.struct_size is 1000; begin with PORTABLE_SORT_OPTIONS_INIT");
  o.struct_size = (uint32_t)sizeof o;
  o.launch = &config;
  config.struct_size = 2;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_ARG, "launch.struct_size is 2");
  config.struct_size = (uint32_t)sizeof config;
  config.device = 77;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_NODEVICE, "sort 'bad': there is no device 77");
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 0, &o), PORTABLE_ERR_NODEVICE, "there is no device 77");
  config.device = 0;
  config.stream = 12345;
  BAD(portable_sort("bad", PORTABLE_KIND_REAL64, keys, 3, &o), PORTABLE_ERR_HANDLE, "sort 'bad': 0x3039 is not a stream");
}

/* ---- where it runs ---- */

static double rows[64][300];

static void sort_rows(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++)
    if (portable_sort("row", PORTABLE_KIND_REAL64, rows[i], 300, NULL) != PORTABLE_OK) portable_kernel_fail(t, 1, portable_last_error());
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 9, "on purpose");
}

static void test_places(void) {
  portable_bounds bounds = portable_bounds_1(64);
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 300; j++) rows[i][j] = (double)below(1000);
  CHECK_STATUS(portable_parallel_for("rows", &bounds, sort_rows, NULL, 0, NULL), PORTABLE_OK);
  int down = 0;
  for (int i = 0; i < 64; i++)
    for (int j = 1; j < 300; j++) down += rows[i][j] < rows[i][j - 1];
  CHECK(down == 0);
  /* In a stream: after what is in it, and an error of that is reported while the keys are as they were. */
  portable_stream stream = 0;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  config.stream = stream;
  o.launch = &config;
  o.flags = PORTABLE_SORT_DESCENDING;
  double *all = &rows[0][0], first = all[0];
  CHECK_STATUS(portable_sort("in a stream", PORTABLE_KIND_REAL64, all, 64 * 300, &o), PORTABLE_OK);
  down = 0;
  for (int j = 1; j < 64 * 300; j++) down += all[j] > all[j - 1];
  CHECK(down == 0);
  CHECK(all[0] > first);
  CHECK_STATUS(portable_parallel_for("fails", &bounds, fails, NULL, 0, &config), PORTABLE_OK);
  o.flags = 0;
  first = all[0];
  CHECK_STATUS(portable_sort("after it", PORTABLE_KIND_REAL64, all, 64 * 300, &o), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("on purpose");
  CHECK(all[0] == first);
  CHECK_STATUS(portable_sort("now", PORTABLE_KIND_REAL64, all, 64 * 300, &o), PORTABLE_OK);
  CHECK(all[0] < first);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
}

/* An error that comes up in the stream while a sort is under way is reported by it, or after it; keys and values are sorted, or as they were. */
static portable_launch_config meanwhile = PORTABLE_LAUNCH_CONFIG_INIT;

static void fails_late(const portable_tile *t, void *args) {
  const struct timespec pause = {0, 2000000};
  nanosleep(&pause, NULL);
  fails(t, args);
}

static void put_in(const portable_hook_event *e, void *payload) {
  int *left = payload;
  portable_bounds one = portable_bounds_1(1);
  if (strcmp(e->label, "meanwhile") == 0 && --*left == 0)
    CHECK_STATUS(portable_parallel_for("fails", &one, fails_late, NULL, 0, &meanwhile), PORTABLE_OK);
}

static void test_meanwhile(int64_t n, int launches) {
  enum { VALUE = 12 };
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  portable_hook hook = 0;
  double *keys = malloc((size_t)n * sizeof *keys), *copy = malloc((size_t)n * sizeof *copy);
  char *values = malloc((size_t)n * VALUE);
  for (int64_t i = 0; i < n; i++) {
    copy[i] = keys[i] = (double)below(1000000);
    memcpy(values + i * VALUE, &keys[i], sizeof keys[i]);
  }
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &meanwhile.stream), PORTABLE_OK);
  o.launch = &meanwhile;
  CHECK_STATUS(portable_hook_add(put_in, &launches, PORTABLE_EVENT_LAUNCH_BEGIN, &hook), PORTABLE_OK);
  portable_status told = portable_sort_by_key("meanwhile", PORTABLE_KIND_REAL64, keys, values, VALUE, n, &o);
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
  CHECK(launches <= 0);
  if (told == PORTABLE_OK) told = portable_stream_fence(meanwhile.stream);
  CHECK(told == PORTABLE_ERR_KERNEL);
  CHECK_TEXT("on purpose");
  CHECK_STATUS(portable_stream_destroy(meanwhile.stream), PORTABLE_OK);
  int bad = 0, down = 0;
  for (int64_t i = 0; i < n; i++) bad += memcmp(values + i * VALUE, &keys[i], sizeof keys[i]) != 0;
  for (int64_t i = 1; i < n; i++) down += keys[i] < keys[i - 1];
  CHECK(bad == 0);
  CHECK(down == 0 || memcmp(keys, copy, (size_t)n * sizeof *keys) == 0);
  free(copy);
  free(keys);
  free(values);
}

/* A watching hook sees the launches, under the label. */
static void seen(const portable_hook_event *e, void *payload) {
  if (strcmp(e->label, "watched") == 0) ++*(int *)payload;
}

static void test_watched(void) {
  static int32_t keys[20000];
  int launches = 0;
  portable_hook hook = 0;
  for (int i = 0; i < 20000; i++) keys[i] = (int32_t)below(1000);
  CHECK_STATUS(portable_hook_add(seen, &launches, PORTABLE_EVENT_LAUNCH_BEGIN, &hook), PORTABLE_OK);
  CHECK_STATUS(portable_sort("watched", PORTABLE_KIND_INT32, keys, 100, NULL), PORTABLE_OK);
  CHECK(launches == 1);
  CHECK_STATUS(portable_sort("watched", PORTABLE_KIND_INT32, keys, 20000, NULL), PORTABLE_OK);
  CHECK(launches == 4);
  CHECK_STATUS(portable_sort("watched", PORTABLE_KIND_INT32, keys, 20000, NULL), PORTABLE_OK);
  CHECK(launches == 5); /* they are in order, which one look at them shows */
  CHECK_STATUS(portable_hook_remove(hook), PORTABLE_OK);
}

int main(void) {
  double early[2] = {2, 1};
  CHECK_STATUS(portable_sort("early", PORTABLE_KIND_REAL64, early, 2, NULL), PORTABLE_ERR_STATE);
  CHECK(early[0] > early[1]);
  portable_config small = PORTABLE_CONFIG_INIT;
  small.pool_initial_bytes = small.pool_limit_bytes = 1 << 20;
  CHECK_STATUS(portable_init(&small), PORTABLE_OK);
  test_no_memory();
  CHECK(check_stats(check_default_pool()).in_use_blocks == 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  test_model();
  test_many();
  test_skewed();
  test_misuse();
  test_meanwhile(300, 1);
  for (int launch = 1; launch <= 4; launch++) test_meanwhile(100000, launch);
  test_places();
  test_watched();
  return check_end();
}
