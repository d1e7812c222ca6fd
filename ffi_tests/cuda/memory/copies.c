/* copies.c - copies and fills between all kinds of memory, orders and parts of arrays, by the fake driver, against the same copies on the host; and
 * copies into streams. Cases are drawn by numbers that are the same in each run. */
#include "check.h"
#include "gpu.h"

enum { CASES = 150, RANK = 3, KINDS = 4, MOST = 48 };

static uint64_t state = 12345;
static int64_t draw(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(state >> 33) % n;
}

static const int32_t spaces[] = {PORTABLE_SPACE_HOST, PORTABLE_SPACE_PINNED, PORTABLE_SPACE_MANAGED, PORTABLE_SPACE_DEVICE(0), -1};

/* An array of a shape somewhere, in some order; -1: memory of the program's own. */
static portable_array make(int32_t kind, size_t bytes, const int64_t *extents, void **own) {
  static const int32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const int32_t space = spaces[draw(5)];
  *own = NULL;
  config.order = PORTABLE_ORDER_PERMUTED;
  config.fastest = orders[draw(6)];
  if (space >= 0) {
    config.space = space;
    config.row_bytes = draw(3) == 0 && bytes % 8 == 0 && (bytes & (bytes - 1)) == 0 ? 64 : 0;
    CHECK_STATUS(portable_array_create("a", kind, bytes, RANK, extents, &config, &a), PORTABLE_OK);
    return a;
  }
  int64_t n = 1;
  for (int d = 0; d < RANK; d++) n *= extents[d];
  *own = calloc((size_t)n, bytes);
  CHECK_STATUS(portable_array_wrap("a", kind, bytes, *own, RANK, extents, NULL, &config, &a), PORTABLE_OK);
  return a;
}

/* A part of it with the extents, where the array has one index more on each side and twice as many. */
static portable_array part_of(const portable_array *a, const int64_t *extents, const int *twice) {
  portable_array view;
  portable_array_range r[RANK];
  for (int d = 0; d < RANK; d++) {
    const int64_t step = twice[d] ? 2 : 1, first = a->lower[d] + (a->extent[d] - (extents[d] - 1) * step - 1);
    r[d] = (portable_array_range){first, first + (extents[d] - 1) * step, step};
    if (draw(4) == 0) r[d] = (portable_array_range){r[d].last, r[d].first, -step};
  }
  CHECK_STATUS(portable_array_slice(a, r, &view), PORTABLE_OK);
  return view;
}

/* Where the elements of a plain host array lie. */
static unsigned char *at(const portable_array *a, int64_t i, int64_t j, int64_t k) {
  return (unsigned char *)a->data + (i * a->stride[0] + j * a->stride[1] + k * a->stride[2]) * (int64_t)a->element_bytes;
}

static portable_array on_host(int32_t kind, size_t bytes, const int64_t *extents, unsigned char *data) {
  portable_array a;
  CHECK_STATUS(portable_array_wrap("host", kind, bytes, data, RANK, extents, NULL, NULL, &a), PORTABLE_OK);
  return a;
}

/* There, to another place there, and back: only the part has changed. */
static void one(int number) {
  static unsigned char from_bytes[MOST * MOST * MOST * 8], want[sizeof from_bytes], got[sizeof from_bytes];
  static const struct {
    int32_t kind;
    size_t bytes;
  } kinds[KINDS] = {{PORTABLE_KIND_REAL64, 8}, {PORTABLE_KIND_REAL32, 4}, {PORTABLE_KIND_BYTES, 3}, {PORTABLE_KIND_BYTES, 24}};
  const int k = (int)draw(KINDS);
  const size_t bytes = kinds[k].bytes;
  const int long_rows = draw(4) == 0;
  int64_t extents[RANK], whole[RANK];
  int twice[RANK];
  void *own[2];
  for (int d = 0; d < RANK; d++) {
    extents[d] = 1 + draw(d == 2 && long_rows ? 20 : 6);
    twice[d] = draw(3) == 0;
    whole[d] = draw(3) == 0 && !twice[d] ? extents[d] : extents[d] * 2 + 1;
  }
  portable_array from = make(kinds[k].kind, bytes, extents, &own[0]), to = make(kinds[k].kind, bytes, whole, &own[1]);
  portable_array part = part_of(&to, extents, twice);
  portable_array host = on_host(kinds[k].kind, bytes, extents, from_bytes);
  const int64_t n = extents[0] * extents[1] * extents[2];
  for (size_t i = 0; i < (size_t)n * bytes; i++) from_bytes[i] = (unsigned char)draw(256);
  unsigned char value[24];
  for (size_t i = 0; i < bytes; i++) value[i] = (unsigned char)(draw(2) ? 7 : draw(256));
  CHECK_STATUS(portable_array_copy(&host, &from, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_fill(&to, draw(3) ? value : NULL, NULL), PORTABLE_OK);
  portable_array all = on_host(kinds[k].kind, bytes, whole, want), back = on_host(kinds[k].kind, bytes, whole, got);
  CHECK_STATUS(portable_array_copy(&to, &all, NULL), PORTABLE_OK); /* the fill, which is looked at below */
  CHECK_STATUS(portable_array_copy(&from, &part, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&to, &back, NULL), PORTABLE_OK);
  /* The same on the host. */
  int64_t first[RANK], step[RANK];
  for (int d = 0; d < RANK; d++) step[d] = part.stride[d] / to.stride[d];
  int64_t rest = (int64_t)((unsigned char *)part.data - (unsigned char *)to.data) / (int64_t)bytes;
  for (int d = 0; d < RANK; d++) { /* the slowest first */
    int slowest = -1;
    for (int e = 0; e < RANK; e++)
      if ((d == 0 || e != (int)first[0]) && (d < 2 || e != (int)first[1]) && (slowest < 0 || to.stride[e] > to.stride[slowest])) slowest = e;
    first[d] = slowest;
  }
  int64_t begin[RANK];
  for (int d = 0; d < RANK; d++) {
    const int e = (int)first[d];
    begin[e] = rest / to.stride[e];
    if (begin[e] >= to.extent[e]) begin[e] = to.extent[e] - 1;
    rest -= begin[e] * to.stride[e];
  }
  CHECK(rest == 0);
  for (int64_t x = 0; x < extents[0]; x++)
    for (int64_t y = 0; y < extents[1]; y++)
      for (int64_t z = 0; z < extents[2]; z++)
        memcpy(at(&all, begin[0] + x * step[0], begin[1] + y * step[1], begin[2] + z * step[2]), at(&host, x, y, z), bytes);
  if (memcmp(want, got, (size_t)(whole[0] * whole[1] * whole[2]) * bytes) != 0) {
    check_failures++;
    printf("case %d: from space %d to space %d, %zu bytes, %lld x %lld x %lld\n", number, (int)from.space, (int)to.space, bytes, (long long)extents[0],
           (long long)extents[1], (long long)extents[2]);
  }
  int32_t equal = 0;
  uint64_t sums[2];
  CHECK_STATUS(portable_array_equal(&from, &part, &equal), PORTABLE_OK);
  CHECK(equal == 1);
  CHECK_STATUS(portable_array_checksum(&from, &sums[0]), PORTABLE_OK);
  CHECK_STATUS(portable_array_checksum(&host, &sums[1]), PORTABLE_OK);
  CHECK(sums[0] == sums[1]);
  portable_array_release(&part);
  portable_array_release(&from);
  portable_array_release(&to);
  free(own[0]);
  free(own[1]);
}

static portable_array line(int32_t kind, int32_t space, int64_t n) {
  portable_array a;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.space = space;
  CHECK_STATUS(portable_array_create("line", kind, 0, 1, &n, &config, &a), PORTABLE_OK);
  return a;
}

/* Conversions between real32 and real64, on the device and by way of the host. */
static void conversions(void) {
  enum { N = 1000 };
  static double x[N], z[N];
  const int64_t n = N;
  portable_array host, back;
  for (int i = 0; i < N; i++) x[i] = i / 3.0;
  CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 1, &n, NULL, NULL, &host), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("z", PORTABLE_KIND_REAL64, 0, z, 1, &n, NULL, NULL, &back), PORTABLE_OK);
  for (int i = 0; i < 4; i++) {
    portable_array narrow = line(PORTABLE_KIND_REAL32, spaces[i], N), wide = line(PORTABLE_KIND_REAL64, spaces[3 - i], N);
    CHECK_STATUS(portable_array_copy(&host, &narrow, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy(&narrow, &wide, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy(&wide, &back, NULL), PORTABLE_OK);
    int wrong = 0;
    for (int k = 0; k < N; k++) wrong += z[k] < (double)(float)x[k] || z[k] > (double)(float)x[k];
    CHECK(wrong == 0);
    memset(z, 0, sizeof z);
    CHECK_STATUS(portable_array_copy(&narrow, &back, NULL), PORTABLE_OK);
    for (int k = 0; k < N; k++) wrong += z[k] < (double)(float)x[k] || z[k] > (double)(float)x[k];
    CHECK(wrong == 0);
    portable_array_release(&narrow);
    portable_array_release(&wide);
  }
}

/* Into a stream: in its order, and memory that is released before the stream has come to it stays until then. */
static void streams(void) {
  enum { N = 5000 };
  const int64_t shape[] = {50, 100};
  portable_stream s;
  static double out[N];
  portable_array host, there, turned, end;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK_STATUS(portable_stream_create(0, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  launch.stream = s;
  for (int round = 0; round < 3; round++) {
    config.space = PORTABLE_SPACE_PINNED;
    CHECK_STATUS(portable_array_create("host", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &host), PORTABLE_OK);
    config.space = PORTABLE_SPACE_DEVICE(0);
    CHECK_STATUS(portable_array_create("there", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &there), PORTABLE_OK);
    config.order = PORTABLE_ORDER_FORTRAN;
    CHECK_STATUS(portable_array_create("turned", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &turned), PORTABLE_OK);
    config.order = PORTABLE_ORDER_C;
    for (int i = 0; i < N; i++) ((double *)host.data)[i] = i + round;
    CHECK_STATUS(portable_array_copy_start(&host, &there, &launch), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy_start(&there, &turned, &launch), PORTABLE_OK);
    memset(out, 0, sizeof out);
    config.space = PORTABLE_SPACE_HOST;
    CHECK_STATUS(portable_array_wrap("out", PORTABLE_KIND_REAL64, 0, out, 2, shape, NULL, &config, &end), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy_start(&turned, &end, &launch), PORTABLE_OK); /* with gaps, to memory that the device does not reach */
    CHECK_STATUS(portable_array_release(&there), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&turned), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&host), PORTABLE_OK);
    CHECK_STATUS(portable_stream_fence(s), PORTABLE_OK);
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += out[i] < i + round || out[i] > i + round;
    CHECK(wrong == 0);
  }
  CHECK_STATUS(portable_stream_destroy(s), PORTABLE_OK);
}

/* Copies like others, and twins, with memory of their own. */
static void likes(void) {
  const int64_t shape[] = {20, 30};
  portable_array host, there, back;
  portable_twin twin;
  portable_twin_state twin_state = {.struct_size = sizeof twin_state};
  CHECK_STATUS(portable_array_create("host", PORTABLE_KIND_REAL64, 0, 2, shape, NULL, &host), PORTABLE_OK);
  for (int i = 0; i < 600; i++) ((double *)host.data)[i] = i;
  CHECK_STATUS(portable_array_device_copy(&host, &there), PORTABLE_OK);
  CHECK(there.space == portable_space_of_device(0) || there.space == PORTABLE_SPACE_HOST);
  CHECK_STATUS(portable_array_host_copy(&there, &back), PORTABLE_OK);
  int wrong = 0;
  for (int i = 0; i < 600; i++) wrong += ((double *)back.data)[i] < i || ((double *)back.data)[i] > i;
  CHECK(wrong == 0);
  portable_array_release(&there);
  portable_array_release(&back);
  portable_array_release(&host);
  CHECK_STATUS(portable_twin_create("twin", PORTABLE_KIND_REAL64, 0, 2, shape, NULL, &twin), PORTABLE_OK);
  CHECK_STATUS(portable_twin_query(twin, &twin_state), PORTABLE_OK);
  CHECK(twin_state.one_memory == (portable_space_of_device(0) == PORTABLE_SPACE_MANAGED));
  CHECK_STATUS(portable_twin_host(twin, PORTABLE_TWIN_OVERWRITE, &host), PORTABLE_OK);
  for (int i = 0; i < 600; i++) ((double *)host.data)[i] = 2 * i;
  portable_array_release(&host);
  CHECK_STATUS(portable_twin_sync_device(twin, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_device(twin, PORTABLE_TWIN_UPDATE, &there), PORTABLE_OK);
  const double seven = 7;
  CHECK_STATUS(portable_array_fill(&there, &seven, NULL), PORTABLE_OK);
  portable_array_release(&there);
  CHECK_STATUS(portable_twin_sync_host(twin, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_twin_host(twin, PORTABLE_TWIN_READ, &host), PORTABLE_OK);
  CHECK(((double *)host.data)[599] > 6.5 && ((double *)host.data)[599] < 7.5);
  portable_array_release(&host);
  CHECK_STATUS(portable_twin_release(twin), PORTABLE_OK);
}

/* Between the own memories of two devices, with and without gaps, whichever of them is asked to do it, and from each to the host. */
static void two_devices(portable_device second) {
  const int64_t shape[] = {12, 10}, zeros[] = {0, 0};
  static double x[120], y[120];
  for (int i = 0; i < 120; i++) x[i] = i;
  for (int k = 0; k < 16; k++) {
    portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
    portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
    portable_array a, b, host, back, half_a, half_b, half_x;
    const portable_array_range every_second[] = {{1, 11, 2}, {2, 8, 3}};
    const double seven = 7;
    config.space = PORTABLE_SPACE_DEVICE(k & 1);
    CHECK_STATUS(portable_array_create("a", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &a), PORTABLE_OK);
    config.space = PORTABLE_SPACE_DEVICE(k >> 1 & 1);
    config.order = k >> 2 & 1;
    config.lower = zeros;
    CHECK_STATUS(portable_array_create("b", PORTABLE_KIND_REAL64, 0, 2, shape, &config, &b), PORTABLE_OK);
    launch.device = k >> 3 & 1 ? second : portable_default_device();
    CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 2, shape, NULL, NULL, &host), PORTABLE_OK);
    CHECK_STATUS(portable_array_wrap("y", PORTABLE_KIND_REAL64, 0, y, 2, shape, NULL, NULL, &back), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy(&host, &a, &launch), PORTABLE_OK);
    CHECK_STATUS(portable_array_fill(&b, &seven, &launch), PORTABLE_OK);
    CHECK_STATUS(portable_array_slice(&a, every_second, &half_a), PORTABLE_OK);
    CHECK_STATUS(portable_array_slice(&b, every_second, &half_b), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy(&half_a, &half_b, &launch), PORTABLE_OK);
    memset(y, 0, sizeof y);
    CHECK_STATUS(portable_array_copy(&b, &back, &launch), PORTABLE_OK);
    int wrong = 0;
    for (int i = 0; i < 120; i++) {
      const int in = i / 10 % 2 == 1 && i % 10 >= 2 && (i % 10 - 2) % 3 == 0;
      wrong += in ? y[i] < i || y[i] > i : y[i] < 6.5 || y[i] > 7.5;
    }
    CHECK(wrong == 0);
    CHECK_STATUS(portable_array_copy(&a, &b, &launch), PORTABLE_OK);
    int32_t equal = 0;
    CHECK_STATUS(portable_array_equal(&a, &b, &equal), PORTABLE_OK);
    CHECK(equal == 1);
    CHECK_STATUS(portable_array_slice(&host, every_second, &half_x), PORTABLE_OK);
    CHECK_STATUS(portable_array_copy(&half_b, &half_x, &launch), PORTABLE_OK);
    portable_array_release(&half_a);
    portable_array_release(&half_b);
    portable_array_release(&a);
    portable_array_release(&b);
  }
}

int main(void) {
  portable_device second = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int i = 0; i < CASES; i++) one(i);
  conversions();
  streams();
  likes();
  const char *other = getenv("TEST_SECOND_GPU"); /* a device of another driver */
  const portable_status found = portable_device_find(other ? other : gpu(":1"), &second);
  if (found == PORTABLE_OK) two_devices(second);
  CHECK(!other || found == PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
