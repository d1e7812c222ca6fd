/* bits.c - the kernels of arrays have the bits that they have had since this file came, on each kind of processor and with each of its vectors. A change of bits is
 * a change for users: it needs a note in CHANGELOG.md, and new numbers here; the program prints those that differ. Not in this file: whether the results are
 * right (the rooms of each kernel), functions of portable_math.h (math/bits.c). */
#include "check.h"

#include <inttypes.h>
#include <portable_random.h>

enum { ROWS = 48, LINES = 240, MANY = ROWS * LINES, LENGTHS = 5 };
static const int32_t kinds[] = {PORTABLE_KIND_INT32, PORTABLE_KIND_INT64, PORTABLE_KIND_REAL32, PORTABLE_KIND_REAL64};
static const char *const names[] = {"int32", "int64", "real32", "real64"};
static const int64_t extents[2] = {ROWS, LINES};

/* Numbers of each kind, and twice as many for complex ones. */
static struct {
  int32_t int32[MANY];
  int64_t int64[MANY];
  float real32[2 * MANY];
  double real64[2 * MANY];
} from;
static double to[2 * MANY + 4 * LINES];

static const void *data(int kind) {
  switch (kinds[kind]) {
    case PORTABLE_KIND_INT32: return from.int32;
    case PORTABLE_KIND_INT64: return from.int64;
    case PORTABLE_KIND_REAL32: return from.real32;
    default: return from.real64;
  }
}
static size_t bytes_of(int kind) { return kind % 2 ? 8 : 4; }

static const struct expected {
  const char *what;
  uint64_t sum;
} expected[] = {
  {"random numbers, normal", 0x423b7542d368f366},
  {"random numbers, uniform", 0x7ee37921ab5d2452},
  {"reductions, int32", 0x71551fb1fb01cadc},
  {"reductions, int64", 0x023501546142d8bc},
  {"reductions, real32", 0x0dd4a2e3d5280cb0},
  {"reductions, real64", 0x0161c651915d2466},
  {"scans, int32", 0xc073c23dd0dfad6b},
  {"scans, int64", 0xa0b104ac03974207},
  {"scans, real32", 0x4c216d602ba23393},
  {"scans, real64", 0x6a0a491e4bd2ea15},
  {"sorts, int32", 0x35aa671206977ee6},
  {"sorts, int64", 0x313516a46c0d1926},
  {"sorts, real32", 0x11fcc7afe3571e67},
  {"sorts, real64", 0x107fc4c0824799dc},
  {"operations, int32", 0xc22c90e250408503},
  {"operations, int64", 0xa0695ce720c109ab},
  {"operations, real32", 0xafc90f6e4fe6c3c7},
  {"operations, real64", 0x73cc80bc445ae6c8},
  {"systems of equations, real32", 0x7d1feb53ba5c6626},
  {"systems of equations, real64", 0x02547295e6007ae7},
  {"Fourier transforms, real32", 0xe26ef5f968d47876},
  {"Fourier transforms, real64", 0x2e490c4f7c722156},
};
static size_t next;
static uint64_t sum = 0xcbf29ce484222325u;

static void add(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
}

/* The sum of all that was added since the last call. */
static void is(const char *what, const char *kind) {
  char name[64];
  snprintf(name, sizeof name, "%s, %s", what, kind);
  const struct expected *e = &expected[next++];
  if (next > sizeof expected / sizeof *expected || strcmp(e->what, name) != 0 || e->sum != sum) {
    check_failures++;
    printf("{\"%s\", 0x%016" PRIx64 "},\n", name, sum);
  }
  sum = 0xcbf29ce484222325u;
}

static void random_numbers(void) {
  const portable_random_key key = portable_random_key_make(2026, 11, 29);
  const int64_t many = 2 * MANY;
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  for (o.distribution = PORTABLE_RANDOM_NORMAL; o.distribution >= PORTABLE_RANDOM_UNIFORM; o.distribution--) {
    CHECK_STATUS(portable_random_fill("bits", PORTABLE_KIND_REAL32, key, from.real32, 1, &many, &o), PORTABLE_OK);
    add(from.real32, sizeof from.real32);
    CHECK_STATUS(portable_random_fill("bits", PORTABLE_KIND_REAL64, key, from.real64, 1, &many, &o), PORTABLE_OK);
    add(from.real64, sizeof from.real64);
    is("random numbers", o.distribution == PORTABLE_RANDOM_NORMAL ? "normal" : "uniform");
  }
  for (int i = 0; i < MANY; i++) {
    from.int32[i] = (int32_t)(from.real32[i] * 4e9f - 2e9f);
    from.int64[i] = (int64_t)(from.real64[i] * 1.6e19 - 8e18);
  }
}

static void reductions(void) {
  for (int kind = 0; kind < 4; kind++) {
    for (int32_t op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_MAX; op++)
      for (int32_t dim = 0; dim <= 2; dim++)
        for (uint32_t flags = 0; flags <= (op == PORTABLE_REDUCE_SUM && dim == 0 && kind >= 2 ? PORTABLE_REDUCE_EXACT : 0); flags += PORTABLE_REDUCE_EXACT) {
          portable_array_options o = PORTABLE_ARRAY_OPTIONS_INIT;
          o.dim = dim;
          o.flags = flags;
          memset(to, 0, sizeof to);
          CHECK_STATUS(portable_reduce_array("bits", op, kinds[kind], data(kind), 2, extents, &o, to), PORTABLE_OK);
          add(to, LINES * sizeof *to);
        }
    is("reductions", names[kind]);
  }
}

static void scans(void) {
  for (int kind = 0; kind < 4; kind++) {
    for (int32_t op = PORTABLE_REDUCE_SUM; op <= PORTABLE_REDUCE_MAX; op++)
      for (int32_t dim = 1; dim <= 2; dim++) {
        portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
        o.dim = dim;
        CHECK_STATUS(portable_scan("bits", op, kinds[kind], data(kind), 2, extents, &o, to), PORTABLE_OK);
        add(to, MANY * bytes_of(kind));
      }
    const int64_t many = MANY;
    portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
    o.flags = PORTABLE_SCAN_EXCLUSIVE;
    o.dim = 1;
    CHECK_STATUS(portable_scan("bits", PORTABLE_REDUCE_SUM, kinds[kind], data(kind), 1, &many, &o, to), PORTABLE_OK);
    add(to, MANY * bytes_of(kind));
    is("scans", names[kind]);
  }
}

static void sorts(void) {
  static int32_t order[MANY];
  for (int kind = 0; kind < 4; kind++) {
    portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
    memcpy(to, data(kind), MANY * bytes_of(kind));
    CHECK_STATUS(portable_sort("bits", kinds[kind], to, MANY, &o), PORTABLE_OK);
    add(to, MANY * bytes_of(kind));
    o.flags = PORTABLE_SORT_DESCENDING;
    CHECK_STATUS(portable_sort_index("bits", kinds[kind], data(kind), MANY, PORTABLE_KIND_INT32, 1, &o, order), PORTABLE_OK);
    add(order, sizeof order);
    is("sorts", names[kind]);
  }
}

static void operations(void) {
  for (int kind = 0; kind < 4; kind++) {
    const portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
    const char *const a = data(kind), *const b = a + LINES * bytes_of(kind);
    const int64_t some = MANY - LINES;
    for (int32_t op = PORTABLE_BINARY_ADD; op <= PORTABLE_BINARY_UNEQUAL; op++) {
      if (op == PORTABLE_BINARY_POWER || op == PORTABLE_BINARY_ATAN2) continue; /* of the C library */
      memset(to, 0, sizeof to);
      CHECK_STATUS(portable_binary("bits", op, kinds[kind], a, b, to, 1, &some, &o), PORTABLE_OK);
      add(to, sizeof to);
    }
    for (int32_t op = PORTABLE_UNARY_NEGATE; op <= (kind < 2 ? PORTABLE_UNARY_ABS : PORTABLE_UNARY_SQRT); op++) {
      CHECK_STATUS(portable_unary("bits", op, kinds[kind], a, to, 1, &some, &o), PORTABLE_OK);
      add(to, (size_t)some * bytes_of(kind));
    }
    is("operations", names[kind]);
  }
}

#define SOLVE(T, kind, x)                                                                                                                       \
  static void solve_##kind(int32_t dim, uint32_t flags) {                                                                                       \
    static T diag[MANY], rhs[MANY];                                                                                                             \
    portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;                                                                                     \
    const T *const lower = from.x, *const upper = lower + MANY / 2, *const lower2 = lower + MANY / 3, *const upper2 = lower + MANY / 4;         \
    o.dim = dim;                                                                                                                                \
    o.flags = flags;                                                                                                                            \
    for (int five = 0; five < 2; five++) {                                                                                                      \
      for (int i = 0; i < MANY; i++) diag[i] = 4 + from.x[MANY + i], rhs[i] = from.x[MANY - i];                                                 \
      CHECK_STATUS(five ? portable_solve_pentadiagonal("bits", PORTABLE_KIND_##kind, lower2, lower, diag, upper, upper2, rhs, 2, extents, &o)   \
                        : portable_solve_tridiagonal("bits", PORTABLE_KIND_##kind, lower, diag, upper, rhs, 2, extents, &o), PORTABLE_OK);      \
      add(rhs, sizeof rhs);                                                                                                                     \
    }                                                                                                                                           \
  }
SOLVE(float, REAL32, real32)
SOLVE(double, REAL64, real64)

static void systems(void) {
  for (int kind = 2; kind < 4; kind++) {
    for (int32_t dim = 1; dim <= 2; dim++)
      for (uint32_t flags = 0; flags < 4; flags++) (kind == 2 ? solve_REAL32 : solve_REAL64)(dim, flags);
    is("systems of equations", names[kind]);
  }
}

static void transforms(void) {
  static const int64_t lengths[LENGTHS][2] = {{ROWS, LINES}, {LINES, ROWS}, {4, 97}, {1, 1024}, {9, 7}};
  for (int kind = 2; kind < 4; kind++) {
    for (int i = 0; i < LENGTHS; i++)
      for (int32_t dim = 1; dim <= 2; dim++)
        for (int32_t type = PORTABLE_FFT_C2C; type <= PORTABLE_FFT_R2C; type++)
          for (int backward = 0; backward < 2; backward++) {
            const portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
            const int64_t numbers = lengths[i][0] * lengths[i][1];
            portable_fft plan = 0;
            memset(to, 0, sizeof to);
            CHECK_STATUS(portable_fft_create("bits", type, lengths[i][dim - 1], dim, &plan), PORTABLE_OK);
            CHECK_STATUS((backward ? portable_fft_backward : portable_fft_forward)("bits", plan, kinds[kind], data(kind), to, 2, lengths[i], &o), PORTABLE_OK);
            CHECK_STATUS(portable_fft_destroy(plan), PORTABLE_OK);
            add(to, 2 * (size_t)numbers * bytes_of(kind));
          }
    is("Fourier transforms", names[kind]);
  }
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  random_numbers();
  reductions();
  scans();
  sorts();
  operations();
  systems();
  transforms();
  CHECK(next == sizeof expected / sizeof *expected);
  return check_end();
}
