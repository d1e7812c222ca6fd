// faces.cpp - kernel objects and devices from C++: every kind of argument gets to the host's version and to the device's, which both count; what launches
// refuse; properties. Run on the host and with the fake driver. Not in this file: what does not compile (../../cpp_arrays/not_compiled.sh).
#include <portable.hpp>

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
  Kernel halve("halve", CudaCode::source(source));
  const auto body = [](int i, const auto &v) { v(i) = v(i) / 2; };
  x = 8;
  halve.launch(c::Bounds<1>(10), body, x);
  const Kernel copy = halve;
  copy.launch(c::Bounds<1>(10), body, x);
  Stream stream = create_stream();
  halve.launch(LaunchConfig().set_stream(stream), c::Bounds<1>(5), body, StridedArray<double, 1, memDevice>(x));
  stream.fence();
  fence();
  for (int i = 0; i < 10; i++) CHECK(x(i) == (i < 5 ? 1 : 2));
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

static void devices(bool gpu) {
  const portable_device_properties p = device_properties();
  CHECK((p.kind == PORTABLE_DEVICE_CUDA) == gpu);
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
  devices(asked && std::string(asked) == "cuda");
  arguments();
  again();
  thrown();
  finalize();
  return failures != 0;
}
