// faces.cpp - kernel objects and devices from C++: every kind of argument gets to the host's version and to the device's, which both count; what launches
// refuse, also of lambdas of blocks; properties. Run on the host and with the fake driver. Not in this file: what does not compile (../../arrays/not_compiled.sh).
#include <portable_blocks.hpp>

#include <cstdio>
#include <cstdlib>

using namespace portable;

static int failures = 0;
#define CHECK(what) ((what) ? (void)0 : (void)(failures++, std::printf("FAILED: %s:%d: %s\n", __FILE__, __LINE__, #what)))

static const char source[] = R"(#include <portable_device.h>
struct all_args {
  int32_t i; int64_t l; float f; double d; unsigned char c;
  portable_view<const double, 1, PORTABLE_ORDER_C> x;
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> m;
  int *p; double *out;
};
PORTABLE_KERNEL(all, all_args, a) {
  PORTABLE_FOR_2(i, j) {
    a->m(i, j) = a->i + a->l + a->f + a->d + a->c + a->x(i - 1) + 10 * j;
    a->p[(i - 1) + 3 * (j - 1)] = 1;
    if (i == 3 && j == 4) *a->out = a->d;
  }
}
struct half_args { portable_view<double, 1> x; };
PORTABLE_KERNEL(halve, half_args, a) { PORTABLE_FOR_1(i) { a->x(i) = a->x(i) / 2; } }
)";

static void arguments() {
  Array<double, 1, memDevice> x("x", 3);
  Array<double, 2, memDevice, styleFortran> m("m", 3, 4);
  Array<int, 1, memDevice> p("p", 12);
  for (int i = 0; i < 3; i++) x(i) = 0.25 * i;
  Kernel all("all", CudaCode::source(source).set_place("faces.cpp", 17));
  for (int times = 0; times < 2; times++) {
    ScalarLiveOut<double> out(0.0);
    m = 0;
    p = 0;
    all.launch(fortran::Bounds<2, Order::first_fastest>(3, 4),
               [](int i, int j, int k, std::int64_t l, float f, double d, unsigned char c, const auto &xs, const auto &ms, int *ps, double *o) {
                 ms(i, j) = k + static_cast<double>(l) + static_cast<double>(f) + d + c + xs(i - 1) + 10 * j;
                 ps[(i - 1) + 3 * (j - 1)] = 1;
                 if (i == 3 && j == 4) *o = d;
               },
               1, std::int64_t{2}, 0.5f, 0.125, static_cast<unsigned char>(7), Array<const double, 1, memDevice>(x), m, device_ptr<int>(p), out);
    fence();
    for (int j = 1; j <= 4; j++)
      for (int i = 1; i <= 3; i++) CHECK(m(i, j) == 10.625 + 0.25 * (i - 1) + 10 * j && p((i - 1) + 3 * (j - 1)) == 1);
    CHECK(out.hostRead() == 0.125);
  }
}

// One kernel, several arrays and bodies; a part of an array; and a stream.
static void again() {
  Array<double, 1, memDevice> x("x", 10);
  Kernel halve("halve", DeviceCode::source(source));
  const auto body = [](int i, const auto &v) { v(i) = v(i) / 2; };
  x = 8;
  halve.launch(c::Bounds<1>(10), body, x);
  const Kernel copy = halve;
  copy.launch(c::Bounds<1>(10), body, x);
  Stream stream = create_stream();
  fence(); // nothing else orders it behind the launches before
  halve.launch(LaunchConfig().set_stream(stream), c::Bounds<1>(5), body, StridedArray<double, 1, memDevice>(x));
  stream.fence();
  fence();
  for (int i = 0; i < 10; i++) CHECK(x(i) == (i < 5 ? 1 : 2));
}

static const char levels_source[] = R"(#include <portable_device_reduce.h>
struct rows_args { portable_view<const double, 2, PORTABLE_ORDER_C> x; portable_view<double, 1, PORTABLE_ORDER_C> sum; int32_t n; int32_t *here; };
PORTABLE_TEAM_KERNEL(rows, rows_args, team, a) {
  double *line = (double *)team->scratch;
  const int64_t row = team->index[0];
  PORTABLE_INNER_FOR(team, i, 0, a->n - 1) { line[i] = a->x(row, i); }
  portable_fence_inner(team);
  if (portable_single_inner(team)) {
    double sum = 0;
    for (int i = 0; i < a->n; i++) sum = sum + line[i];
    a->sum(row) = sum;
    *a->here = 1;
  }
}
struct total_args { portable_view<const double, 2, PORTABLE_ORDER_C> x; double by; };
#define TOTAL(RESULT) RESULT(SUM, double, sum) RESULT(MINLOC, portable_loc_real64, least) RESULT(SUM, int32_t, here)
PORTABLE_REDUCE_KERNEL_2(total, total_args, a, j, i, give, TOTAL) {
  give->sum = a->x(j, i) * a->by;
  give->least.value = a->x(j, i);
  give->least.index = j * 100 + i;
  give->here = 1;
}
)";

// Kernels of two levels, and reductions, whose bits are those of the host.
static void levels(bool gpu) {
  const int rows = 7, n = 50;
  Array<double, 2, memDevice> x("x", rows, n);
  Array<double, 1, memDevice> sum("sum", rows);
  ScalarLiveOut<std::int32_t> here(0);
  const Array<const double, 2, memDevice> read(x);
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < n; i++) x(j, i) = 1.0 / (1 + (i * 37 + j * 11) % 97) - 0.1;
  Kernel outer("rows", CudaCode::source(levels_source).set_block_size(32));
  outer.launch_outer(OuterConfig().set_scratch(static_cast<std::size_t>(n) * sizeof(double)), c::Bounds<1>(rows),
                     [](int row, InnerHandler inner, const auto &a, const auto &s, int count, std::int32_t *) {
                       double *line = inner.scratch<double>(static_cast<std::size_t>(count));
                       c::parallel_inner(count, [&](int i) { line[i] = a(row, i); }, inner);
                       fence_inner(inner);
                       s(row) = 0;
                       for (int i = 0; i < count; i++) s(row) += line[i];
                     },
                     read, sum, n, here);
  fence();
  for (int j = 0; j < rows; j++) {
    double expected = 0;
    for (int i = 0; i < n; i++) expected = expected + x(j, i);
    CHECK(sum(j) == expected);
  }
  CHECK(here.hostRead() == gpu);

  Kernel total("total", CudaCode::source(levels_source));
  const auto body = [](int j, int i, double &s, auto &least, std::int32_t &, const auto &a, double by) {
    s += a(j, i) * by;
    least.take(a(j, i), j * 100 + i);
  };
  const auto reduce = [&](const LaunchConfig &config, double &s, Loc<double> &least, std::int32_t &count) {
    total.launch_reduce(config, std::make_tuple(Sum<double>(s), MinLoc<double>(least), Sum<std::int32_t>(count)), c::Bounds<2>(rows, n), body, read, 0.3);
  };
  double there = 0, host = 0;
  Loc<double> least = {}, least_host = {};
  std::int32_t count = 0, none = 0;
  reduce(LaunchConfig(), there, least, count);
  reduce(LaunchConfig().set_device(find_device("threads")), host, least_host, none);
  CHECK(there == host && least.value == least_host.value && least.index == least_host.index);
  CHECK(count == (gpu ? rows * n : 0) && none == 0);
  total.launch_reduce(std::make_tuple(Sum<double>(there), MinLoc<double>(least), Sum<std::int32_t>(count)), c::Bounds<2>(0, n), body, read, 0.3);
  CHECK(there == 0 && least.index == -1 && count == 0);
  try {
    Kernel("throws too").launch_reduce(LaunchConfig().set_device(find_device("threads")), std::make_tuple(Sum<double>(there)), c::Bounds<1>(4),
                                       [](int i, double &, int k) { if (i == k) throw std::runtime_error("at two"); }, 2);
    CHECK(false);
  } catch (const Error &e) {
    CHECK(e.status() == PORTABLE_ERR_KERNEL && std::string(e.what()).find("at two") != std::string::npos && there == 0);
  }
}

// A host version that throws is an error of the launch.
static void thrown() {
  Kernel none("throws");
  try {
    none.launch(LaunchConfig().set_device(find_device("threads")), c::Bounds<1>(4), [](int i, int k) { if (i == k) throw std::runtime_error("at three"); }, 3);
    CHECK(false);
  } catch (const Error &e) {
    CHECK(e.status() == PORTABLE_ERR_KERNEL && std::string(e.what()).find("at three") != std::string::npos);
  }
}

static int counted; // fallbacks of the label

static std::int32_t count_fallback(const portable_fallback *row, void *) {
  counted += std::string(row->label) == "squares";
  return 0;
}

// A lambda of blocks runs on the host. A device that a launch names is refused; the default one is a fallback.
static void lambdas_of_blocks(bool gpu) {
  int sum[2] = {0, 0}, *to = sum;
  const auto squares = [=](int block, BlockHandler b) {
    b.barrier();
    to[block] += b.thread() * b.thread();
  };
  Stream stream = create_stream();
  const LaunchConfig named[] = {LaunchConfig().set_device(portable_default_device()), LaunchConfig().set_stream(stream)};
  for (const LaunchConfig &config : named)
    try {
      parallel_blocks("squares", c::Bounds<1>(2), {4}, squares, config);
      CHECK(!gpu);
    } catch (const Error &e) {
      const std::string text = e.what();
      CHECK(gpu && e.status() == PORTABLE_ERR_STATE && text.find("parallel_blocks 'squares': the launch names the device '") != std::string::npos &&
            text.find("write it as PORTABLE_BLOCK_KERNEL for portable_launch_blocks, or name a device or a stream of the host") != std::string::npos);
    }
  stream.fence();
  CHECK(sum[0] == (gpu ? 0 : 28) && sum[1] == sum[0]);
  parallel_blocks("squares", c::Bounds<1>(2), {4}, squares);
  parallel_blocks("squares", c::Bounds<1>(2), {4}, squares, LaunchConfig().set_device(find_device("threads")));
  CHECK(sum[0] == (gpu ? 28 : 56) && sum[1] == sum[0]);
  CHECK(portable_fallback_list(count_fallback, nullptr) == PORTABLE_OK && counted == gpu);
}

static void devices(bool gpu) {
  const portable_device_properties p = device_properties();
  CHECK((p.kind == PORTABLE_DEVICE_CUDA || p.kind == PORTABLE_DEVICE_HIP) == gpu);
  CHECK(find_device(p.name) == portable_default_device());
  const DeviceMemory memory = device_memory();
  CHECK(memory.total > 0 && memory.free <= memory.total);
  try {
    find_device("no such thing");
    CHECK(false);
  } catch (const Error &e) {
    CHECK(e.status() == PORTABLE_ERR_NODEVICE);
  }
}

int main() {
  const char *asked = std::getenv("PORTABLE_DEVICE");
  init();
  devices(asked && (std::string(asked) == "cuda" || std::string(asked) == "hip"));
  arguments();
  again();
  levels(asked && (std::string(asked) == "cuda" || std::string(asked) == "hip"));
  thrown();
  lambdas_of_blocks(asked && (std::string(asked) == "cuda" || std::string(asked) == "hip"));
  finalize();
  return failures != 0;
}
