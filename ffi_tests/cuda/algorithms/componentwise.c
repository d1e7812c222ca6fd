/* componentwise.c - operations element by element on a cuda device have the bits of the host (functions, within 2 units in the last place): all
 * operations of all kinds, on memory of the device that the host cannot access, contiguous, with strides, backwards, with single values of host and
 * device; fills; faults; streams. Not in this file: the host's own results (ffi_tests/componentwise). */
#include "algorithms.h"
#include "gpu.h"

enum { MOST = 1000 };

static portable_pool pool; /* of the device's own memory */
static const int32_t kinds[] = {PORTABLE_KIND_INT32, PORTABLE_KIND_INT64, PORTABLE_KIND_REAL32, PORTABLE_KIND_REAL64,
                                PORTABLE_KIND_LOGICAL8, PORTABLE_KIND_LOGICAL16, PORTABLE_KIND_LOGICAL32, PORTABLE_KIND_LOGICAL64};

/* Three operands and a result, here and there, with the same bytes. */
struct sides {
  char *here[4], *there[4];
};
static const int64_t room = (int64_t)MOST * 16 + 64;

static void begin_sides(struct sides *s, int32_t kind, int32_t mask_kind, int style) {
  for (int k = 0; k < 4; k++) {
    fill(s->here[k], k == 3 ? MOST : room / kind_bytes[kind], k == 3 ? mask_kind : kind, style);
    copy_there(s->there[k], s->here[k], room);
  }
}

/* Distance in units of the last place; 0 also for two NaN. */
static uint64_t apart(const char *x, const char *y, int32_t kind) {
  if (kind == PORTABLE_KIND_REAL32) {
    float f, g;
    int32_t a, b;
    memcpy(&f, x, 4), memcpy(&g, y, 4), memcpy(&a, x, 4), memcpy(&b, y, 4);
    if (f != f || g != g) return f == f || g == g ? UINT64_MAX : 0;
    return f == g ? 0 : (uint64_t)llabs((long long)a - b);
  }
  double f, g;
  int64_t a, b;
  memcpy(&f, x, 8), memcpy(&g, y, 8), memcpy(&a, x, 8), memcpy(&b, y, 8);
  if (f != f || g != g) return f == f || g == g ? UINT64_MAX : 0;
  return f == g ? 0 : (uint64_t)(a > b ? a - b : b - a);
}

/* The results differ by so many units at most; 0: not at all. */
static void compare(const char *what, struct sides *s, int64_t ulps, int32_t op, int32_t kind, int form) {
  static char back[(int64_t)MOST * 16 + 64];
  copy_there(back, s->there[0], room);
  if (ulps == 0) {
    if (memcmp(back, s->here[0], (size_t)room) != 0 && check_failures++ < 20) printf("%s %d of kind %d, form %d: other bits\n", what, op, kind, form);
    return;
  }
  copy_there(s->there[0], s->here[0], room); /* the next comparison begins with equal bytes */
  for (int64_t i = 0; i + kind_bytes[kind] <= room; i += kind_bytes[kind])
    if (apart(back + i, s->here[0] + i, kind) > (uint64_t)ulps && check_failures++ < 20)
      printf("%s %d of kind %d, form %d: element %lld is more than %lld units away\n", what, op, kind, form, (long long)(i / kind_bytes[kind]), (long long)ulps);
}

/* Forms of operands: contiguous; rows of 3 with gaps; backwards; a is one value; b is one value. */
enum { CONTIGUOUS, GAPS, BACKWARDS, ONE_A, ONE_B, FORMS };

static void options_of(int form, int64_t bytes, int64_t result_bytes, int64_t mask_bytes, int64_t *strides, portable_componentwise_options *o) {
  const int64_t each[4] = {result_bytes, bytes, bytes, mask_bytes};
  for (int k = 0; k < 4; k++) {
    strides[2 * k] = form == GAPS ? 5 * each[k] : form == BACKWARDS ? -4 * each[k] : 4 * each[k];
    strides[2 * k + 1] = each[k];
  }
  if (form == GAPS || form == BACKWARDS) {
    o->result_strides = strides;
    o->a_strides = strides + 2;
    o->b_strides = strides + 4;
    o->mask_strides = strides + 6;
  }
  if (form == ONE_A) o->flags = PORTABLE_ONE_A;
  if (form == ONE_B) o->flags = PORTABLE_ONE_B;
}

static int64_t first(int form, int64_t rows, int64_t bytes) { return form == BACKWARDS ? (rows - 1) * 4 * bytes : 0; }

/* One call on both sides. what 0: binary, 1: unary, 2: merge. 0: the kind does not have the operation. */
static int both(int what, int32_t op, int32_t kind, int32_t mask_kind, int form, struct sides *s, int64_t ulps) {
  static const char *const names[] = {"binary", "unary", "merge"};
  const int64_t rows = MOST / 5, extents[2] = {rows, 3};
  portable_status status[2];
  const int truth = what == 0 ? op >= PORTABLE_BINARY_LESS : what == 1 && op >= PORTABLE_UNARY_ISNAN;
  const int64_t bytes = kind_bytes[kind], result_bytes = !truth ? bytes : kind >= PORTABLE_KIND_LOGICAL8 ? bytes : 4;
  for (int there = 0; there < 2; there++) {
    portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
    int64_t strides[8];
    char *const *x = there ? s->there : s->here;
    options_of(form, bytes, result_bytes, kind_bytes[mask_kind], strides, &o);
    o.launch = there ? &on_device : &on_host;
    char *r = x[0] + first(form, rows, result_bytes), *a = (form == ONE_A ? s->here[1] : x[1] + first(form, rows, bytes));
    char *b = x[2] + first(form, rows, bytes), *m = x[3] + first(form, rows, kind_bytes[mask_kind]); /* of ONE_B, b is memory of the device */
    status[there] = what == 0   ? portable_binary("binary", op, kind, a, b, r, 2, extents, &o)
                    : what == 1 ? portable_unary("unary", op, kind, a, r, 2, extents, &o)
                                : portable_merge("merge", kind, a, b, mask_kind, m, r, 2, extents, &o);
  }
  if (status[0] != status[1]) check_failures++, printf("%s %d of kind %d, form %d: %d on the host, %d on the device: %s\n", names[what], op, kind, form, status[0], status[1], portable_last_error());
  if (status[0] != PORTABLE_OK) return 0;
  compare(names[what], s, truth ? 0 : ulps, op, kind, form);
  return 1;
}

static int is_real(int32_t kind) { return kind == PORTABLE_KIND_REAL32 || kind == PORTABLE_KIND_REAL64; }

/* Each operation of a kind is a module, which takes some time to compile; without `all` there are some. */
static int chosen(int what, int32_t op, size_t k, int all) {
  return all || (kinds[k] == PORTABLE_KIND_REAL64 && op % 3 == 1) || (kinds[k] == PORTABLE_KIND_INT32 && what == 0 && op == PORTABLE_BINARY_DIVIDE) ||
         (kinds[k] == PORTABLE_KIND_LOGICAL8 && op == PORTABLE_BINARY_AND);
}

static void operations(struct sides *s, int all) {
  int done = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int form = 0; form < FORMS; form++)
      for (int style = 0; style < STYLES; style++) {
        begin_sides(s, kinds[k], PORTABLE_KIND_LOGICAL32, style);
        if (!is_real(kinds[k]) && kinds[k] <= PORTABLE_KIND_INT64) /* no divisor of 0, which has a test of its own */
          for (int64_t i = 0; i < room / kind_bytes[kinds[k]]; i++) s->here[2][i * kind_bytes[kinds[k]]] |= 1;
        copy_there(s->there[2], s->here[2], room);
        for (int32_t op = PORTABLE_BINARY_ADD; op <= PORTABLE_BINARY_OR; op++) {
          if (!chosen(0, op, k, all)) continue;
          const int call = op == PORTABLE_BINARY_POWER || op == PORTABLE_BINARY_ATAN2;
          if (op == PORTABLE_BINARY_POWER && style == PLAIN && kinds[k] <= PORTABLE_KIND_INT64) continue; /* 0 to a negative power may be among them */
          done += both(0, op, kinds[k], PORTABLE_KIND_LOGICAL32, form, s, call && is_real(kinds[k]) ? 2 : 0);
        }
        for (int32_t op = PORTABLE_UNARY_PLUS; op <= PORTABLE_UNARY_NOT && form != ONE_B; op++)
          if (chosen(1, op, k, all))
            done += both(1, op, kinds[k], PORTABLE_KIND_LOGICAL32, form, s, op >= PORTABLE_UNARY_CBRT && op <= PORTABLE_UNARY_LOG2 ? 2 : 0);
      }
  CHECK(done > (all ? 1000 : 150));
}

static void merges(struct sides *s, int all) {
  for (int32_t kind = PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_LOGICAL64; kind += all ? 1 : 7)
    for (int32_t mask_kind = PORTABLE_KIND_LOGICAL8; mask_kind <= PORTABLE_KIND_LOGICAL64; mask_kind++)
      for (int form = 0; form < FORMS; form++) {
        begin_sides(s, kind, mask_kind, PLAIN);
        CHECK(both(2, 0, kind, mask_kind, form, s, 0));
      }
}

static void fills(struct sides *s) {
  const int64_t rows = MOST / 5, extents[2] = {rows, 3};
  for (int64_t bytes = 1; bytes <= 16; bytes = bytes == 4 ? 6 : bytes == 6 ? 8 : 2 * bytes)
    for (int form = 0; form < ONE_A; form++) {
      begin_sides(s, PORTABLE_KIND_INT8, PORTABLE_KIND_LOGICAL8, PLAIN);
      for (int there = 0; there < 2; there++) {
        portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
        int64_t strides[8];
        options_of(form, bytes, bytes, bytes, strides, &o);
        o.launch = there ? &on_device : &on_host;
        CHECK_STATUS(portable_fill("fill", s->here[1], bytes, (there ? s->there : s->here)[0] + first(form, rows, bytes), 2, extents, &o), PORTABLE_OK);
      }
      compare("fill", s, 0, (int32_t)bytes, PORTABLE_KIND_INT8, form);
    }
}

/* The text names the first element in the order of the array, and nothing is written. */
static void faults(struct sides *s) {
  static const struct {
    int32_t op;
    const char *text;
  } of[] = {{PORTABLE_BINARY_DIVIDE, "divide divides by 0 at index [7][1] first"}, {PORTABLE_BINARY_MOD, "mod divides by 0 at index [7][1] first"},
            {PORTABLE_BINARY_POWER, "power divides by 0 at index [7][1] first"}};
  const int64_t extents[2] = {100, 3};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
      portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
      int64_t strides[8];
      const int64_t bytes = kind_bytes[kinds[k]];
      const int power = of[i].op == PORTABLE_BINARY_POWER;
      begin_sides(s, kinds[k], PORTABLE_KIND_LOGICAL8, PLAIN);
      memset(s->here[1], power ? 0 : 3, (size_t)room);
      memset(s->here[2], 1, (size_t)room);
      for (int64_t row = 7; row < 100; row += 9) memset(s->here[2] + (row * 5 + 1) * bytes, power ? -1 : 0, (size_t)bytes);
      copy_there(s->there[1], s->here[1], room);
      copy_there(s->there[2], s->here[2], room);
      options_of(GAPS, bytes, bytes, bytes, strides, &o);
      o.launch = &on_device;
      CHECK_STATUS(portable_binary("fault", of[i].op, kinds[k], s->there[1], s->there[2], s->there[0], 2, extents, &o), PORTABLE_ERR_ARG);
      CHECK_TEXT(of[i].text);
      compare("fault", s, 0, of[i].op, kinds[k], GAPS);
    }
}

/* In an asynchronous stream, work is done in its turn. */
static void streams(struct sides *s) {
  const int64_t extents[1] = {MOST};
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_stream stream = 0;
  double back[MOST], one = 1, two = 2;
  int bad = 0;
  CHECK_STATUS(portable_stream_create(on_device.device, PORTABLE_STREAM_ASYNC, &stream), PORTABLE_OK);
  c.stream = stream;
  o.launch = &c;
  CHECK_STATUS(portable_fill("one", &one, sizeof one, s->there[0], 1, extents, &o), PORTABLE_OK);
  o.flags = PORTABLE_ONE_B;
  for (int i = 0; i < 3; i++)
    CHECK_STATUS(portable_binary("add", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, s->there[0], &two, s->there[0], 1, extents, &o), PORTABLE_OK);
  two = 500; /* it was read at the call */
  CHECK_STATUS(portable_stream_fence(stream), PORTABLE_OK);
  CHECK_STATUS(portable_stream_destroy(stream), PORTABLE_OK);
  copy_there(back, s->there[0], sizeof back);
  for (int i = 0; i < MOST; i++) bad += back[i] != 7;
  CHECK(bad == 0);
}

static void empty(struct sides *s) {
  const int64_t extents[2] = {0, 3};
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  o.launch = &on_device;
  CHECK_STATUS(portable_binary("nothing", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, s->there[1], s->there[2], s->there[0], 2, extents, &o), PORTABLE_OK);
  CHECK_STATUS(portable_unary("nothing", PORTABLE_UNARY_ABS, PORTABLE_KIND_REAL64, NULL, NULL, 2, extents, &o), PORTABLE_OK);
}

/* Memory of the host alone is the host's work. Where a part of it is the device's, the error names the operand that the other side does not access,
 * and nothing is written. */
static void reach(struct sides *s) {
  const int64_t extents[1] = {10}, room_for = 10;
  double a[10], r[10], *const there = (double *)(void *)s->there[0];
  unsigned char mask[10];
  int64_t count = -1;
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  portable_filter_options f = PORTABLE_FILTER_OPTIONS_INIT;
  for (int i = 0; i < 10; i++) a[i] = i, r[i] = -1, mask[i] = 1;
  o.launch = f.launch = &on_device;
  CHECK_STATUS(portable_binary("own", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, a, a, r, 1, extents, &o), PORTABLE_OK);
  CHECK(r[9] == 18);
  CHECK_STATUS(portable_fill("own", a, sizeof *a, r, 1, extents, &o), PORTABLE_OK);
  CHECK(r[9] == 0);
  for (int side = 0; side < 2; side++) {
    o.launch = f.launch = side ? &on_host : &on_device;
    CHECK_STATUS(portable_binary("half", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, there, a, r, 1, extents, &o), PORTABLE_ERR_POINTER);
    CHECK_TEXT("'half': ");
    CHECK_TEXT(side ? "'threads' does not reach" : portable_device_name(on_device.device));
    CHECK_STATUS(portable_binary("half", PORTABLE_BINARY_ADD, PORTABLE_KIND_REAL64, a, a, there, 1, extents, &o), PORTABLE_ERR_POINTER);
    CHECK_TEXT("'half': ");
    CHECK_STATUS(portable_unary("half", PORTABLE_UNARY_ABS, PORTABLE_KIND_REAL64, there, r, 1, extents, &o), PORTABLE_ERR_POINTER);
    CHECK_TEXT("'half': ");
    CHECK_STATUS(portable_merge("half", PORTABLE_KIND_REAL64, there, there, PORTABLE_KIND_LOGICAL8, mask, r, 1, extents, &o), PORTABLE_ERR_POINTER);
    CHECK_TEXT("'half': ");
    CHECK_STATUS(portable_pack("half", 8, there, 1, extents, PORTABLE_KIND_LOGICAL8, mask, &f, r, room_for, &count), PORTABLE_ERR_POINTER);
    CHECK_TEXT("'half': ");
    if (side) CHECK_STATUS(portable_fill("half", a, sizeof *a, there, 1, extents, &o), PORTABLE_ERR_POINTER);
  }
  for (int i = 0; i < 10; i++) CHECK(r[i] == 0);
}

int main(int argc, char **argv) {
  const int all = argc > 1 && strcmp(argv[1], "all") == 0;
  struct sides s;
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  for (int k = 0; k < 4; k++) {
    void *p = NULL;
    s.here[k] = calloc(1, (size_t)room);
    CHECK_STATUS(portable_pool_alloc(pool, (size_t)room, "there", &p), PORTABLE_OK);
    s.there[k] = p;
  }
  operations(&s, all);
  merges(&s, all);
  fills(&s);
  faults(&s);
  streams(&s);
  empty(&s);
  reach(&s);
  for (int k = 0; k < 4; k++) {
    free(s.here[k]);
    CHECK_STATUS(portable_pool_free(pool, s.there[k]), PORTABLE_OK);
  }
  return check_end();
}
