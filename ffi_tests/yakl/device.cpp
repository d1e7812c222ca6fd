// device.cpp - a program of YAKL as nvcc compiles it for a GPU: kernels of one and of two levels, functions and classes that they use, live-outs, atomics,
// small arrays and views inside of kernels, streams, and a kernel that holds more than 4 KiB. It keeps YAKL's rules for GPUs: host code fences before it
// reads, and copies arrays of memDevice before it looks at them.
// Not in this file: physics (physics.cpp), single names (the other programs of this room).
#include "YAKL.h"
#include "YAKL_tridiagonal.h"
#include "expect.h"

using yakl::COLON;
using yakl::memDevice;
using yakl::memHost;
using yakl::SArray;
using yakl::styleC;
using yakl::styleFortran;
typedef yakl::Array<double, 1, memDevice, styleC> real1d;
typedef yakl::Array<double, 2, memDevice, styleC> real2d;
typedef yakl::Array<double, 3, memDevice, styleC> real3d;
typedef yakl::Array<int, 1, memDevice, styleC> int1d;
typedef yakl::Array<double, 2, memDevice, styleFortran> real2d_f;

// Functions that kernels call.
YAKL_INLINE double smooth(SArray<double, 1, 3> const &s) { return 0.25 * s(0) + 0.5 * s(1) + 0.25 * s(2); }
YAKL_INLINE double twice(double x) { return 2 * x; }
YAKL_DEVICE_INLINE double thrice(double x) { return 3 * x; }

// 1 on the device, 2 on the host, 3 where a kernel is both.
YAKL_INLINE int side() {
  int where = 0;
  YAKL_EXECUTE_ON_DEVICE_ONLY(where += 1;)
  YAKL_EXECUTE_ON_HOST_ONLY(where += 2;)
  return where;
}

static void one_level() {
  using yakl::c::Bounds;
  using yakl::c::parallel_for;
  using yakl::c::SimpleBounds;
  int const nz = 5, ny = 7, nx = 300;
  real3d a("a", nz, ny, nx);
  real2d b("b", ny, nx);
  parallel_for(YAKL_AUTO_LABEL(), SimpleBounds<3>(nz, ny, nx), YAKL_LAMBDA(int k, int j, int i) { a(k, j, i) = 10000 * k + 1000 * j + i; });
  parallel_for("stencil", Bounds<2>(ny, {1, nx - 2}), YAKL_LAMBDA(int j, int i) {
    SArray<double, 1, 3> s;
    real2d const level = a.slice<2>(2, COLON, COLON);
    for (int d = 0; d < 3; d++) s(d) = level(j, i + d - 1);
    b(j, i) = smooth(s) + (j == 0 ? level(j, i) - a.reshape<2>({nz * ny, nx})(2 * ny, i) : 0);
  });
  parallel_for("edges", ny, YAKL_LAMBDA(int j) {
    b(j, 0) = 0;
    b(j, nx - 1) = b.extent(1) == yakl::index_t(nx) && a.totElems() == yakl::index_t(nz * ny * nx) ? 1 : -1;
  });
  parallel_for("steps", Bounds<1>({2, nx - 1, 7}), YAKL_LAMBDA(int i) { b(0, i) = twice(b(0, i)); });
  auto const host = b.createHostCopy();
  bool right = true;
  for (int j = 0; j < ny; j++)
    for (int i = 1; i < nx - 1; i++) {
      bool const doubled = j == 0 && i >= 2 && (i - 2) % 7 == 0 && i < 2 + (nx - 2) / 7 * 7;
      right = right && host(j, i) == (20000. + 1000 * j + i) * (doubled ? 2 : 1);
    }
  EXPECT(right && host(3, 0) == 0 && host(3, nx - 1) == 1);
  real2d_f f("f", {-1, 20}, {0, 4});
  yakl::fortran::parallel_for("columns", yakl::fortran::Bounds<2>({0, 4}, {-1, 20}), YAKL_LAMBDA(int j, int i) { f(i, j) = i + 100 * j; });
  EXPECT(yakl::intrinsics::sum(f) == 22 * 5 * 9.5 + 100 * 22 * 10 && yakl::intrinsics::maxval(f) == 420);
  parallel_for("none", 0, YAKL_LAMBDA(int i) { b(i, 0) = 77; });
  EXPECT(yakl::intrinsics::maxval(b.slice<1>(0, COLON)) < 50000);
  // A kernel that is compiled for devices alone.
  bool on_device = true;
  try {
    parallel_for("device", ny, YAKL_DEVICE_LAMBDA(int j) { b(j, 0) = thrice(j); });
  } catch (std::exception const &) {
    on_device = false;
  }
#if defined(__CUDACC__)
  EXPECT(on_device == (portable_default_device() > 2));
#else
  EXPECT(on_device);
#endif
  EXPECT(!on_device || b.createHostCopy()(6, 0) == 18);
}

// A class with members that its kernels use.
class Model {
public:
  real1d field;
  double factor;
  SArray<double, 2, 2, 2> matrix;
  Model(int n, double f) : field("field", n), factor(f) {
    matrix = 0;
    matrix(0, 0) = matrix(1, 1) = f;
  }
  YAKL_INLINE double apply(double x) const { return matrix(0, 0) * x + matrix(0, 1); }
  void run() {
    YAKL_SCOPE(field, this->field);
    YAKL_SCOPE(factor, this->factor);
    yakl::c::parallel_for("scoped", static_cast<int>(field.totElems()), YAKL_LAMBDA(int i) { field(i) = factor * i; });
    yakl::c::parallel_for("captured", static_cast<int>(field.totElems()), YAKL_CLASS_LAMBDA(int i) { this->field(i) = apply(this->field(i)); });
  }
};

static void classes() {
  Model model(1000, 3);
  model.run();
  auto const host = model.field.createHostCopy();
  EXPECT(host(7) == 63 && host(999) == 8991);
}

static void live_outs() {
  using yakl::c::parallel_for;
  int const n = 5000;
  int1d histogram("histogram", 10);
  histogram = 0;
  yakl::ScalarLiveOut<int> last(-1), count(0), where(0);
  yakl::ScalarLiveOut<double> largest(0.);
  yakl::ScalarLiveOut<bool> bad(false);
  parallel_for("counts", n, YAKL_LAMBDA(int i) {
    yakl::Random random(static_cast<unsigned long long>(i));
    double const x = random.genFP<double>();
    yakl::atomicAdd(histogram(static_cast<int>(x * 10)), 1);
    yakl::atomicMax(largest(), x);
    yakl::atomicAdd(count(), 2);
    if (i == n - 1) last = i;
    if (!(x > 0)) bad = true;
    if (i == 0) where = side();
  });
  EXPECT(last.hostRead() == n - 1 && count.hostRead() == 2 * n && !bad.hostRead() && largest.hostRead() > 0.99 && largest.hostRead() < 1);
  EXPECT(yakl::intrinsics::sum(histogram) == n && yakl::intrinsics::minval(histogram) > n / 20);
#if defined(__CUDACC__)
  EXPECT(where.hostRead() == (portable_default_device() > 2 ? 1 : 2) && side() == 2);
#else
  EXPECT(where.hostRead() == 3);
#endif
  count.hostWrite(5);
  parallel_for("more", n, YAKL_LAMBDA(int i) { if (i % 2 == 0) yakl::atomicMin(count(), -i); });
  EXPECT(count.hostRead() == -(n - 2));
}

static void two_levels() {
  using yakl::c::Bounds;
  using yakl::c::parallel_inner;
  using yakl::c::parallel_outer;
  int const ny = 9, nx = 400;
  real2d a("a", ny, nx), b("b", ny, nx);
  real1d total("total", ny);
  total = 0;
  // The inner loop is longer than the team has members; what one of them writes, another one reads behind the fence.
  parallel_outer("rows", Bounds<1>(ny), YAKL_LAMBDA(int j, yakl::InnerHandler handler) {
    parallel_inner(Bounds<1>(nx), [&](int i) { a(j, i) = i + j; }, handler);
    yakl::fence_inner(handler);
    parallel_inner(nx, [&](int i) { b(j, i) = a(j, nx - 1 - i); }, handler);
    yakl::single_inner([&]() { total(j) += 1; }, handler);
    yakl::fence_inner(handler);
    parallel_inner(Bounds<2>({0, 1}, {1, 10, 3}), [&](int k, int i) { yakl::atomicAdd(total(j), b(j, 0) + 0 * (k + i)); }, handler);
  }, yakl::LaunchConfig<64>());
  auto const host = b.createHostCopy();
  auto const totals = total.createHostCopy();
  bool right = true;
  for (int j = 0; j < ny; j++) {
    for (int i = 0; i < nx; i++) right = right && host(j, i) == nx - 1 - i + j;
    right = right && totals(j) == 1 + 6 * (nx - 1 + j);
  }
  EXPECT(right);
  real2d_f c("c", nx, ny);
  yakl::fortran::parallel_outer("columns", yakl::fortran::Bounds<2>(3, 3), YAKL_LAMBDA(int k, int l, yakl::InnerHandler handler) {
    int const j = (k - 1) * 3 + l;
    yakl::fortran::parallel_inner(yakl::fortran::Bounds<1>(nx), [&](int i) { c(i, j) = 1; }, handler);
  });
  EXPECT(yakl::intrinsics::sum(c) == ny * nx);
}

static void in_streams() {
  int const n = 1000;
  real1d a("a", n), b("b", n);
  yakl::Stream first = yakl::create_stream(), second = yakl::create_stream();
  yakl::c::parallel_for("a", n, YAKL_LAMBDA(int i) { a(i) = i; }, yakl::LaunchConfig<>().set_stream(first));
  second.wait_on_event(yakl::record_event(first));
  {
    real1d temporary("temporary", n); // the stream keeps what a kernel holds
    yakl::c::parallel_for("temporary", n, YAKL_LAMBDA(int i) { temporary(i) = 2 * a(i); }, yakl::LaunchConfig<>().set_stream(second));
    yakl::c::parallel_for("b", n, YAKL_LAMBDA(int i) { b(i) = temporary(i) + 1; }, yakl::LaunchConfig<>().set_stream(second));
  }
  real1d other("other", n);
  other = -1;
#if defined(__CUDACC__)
  if (portable_default_device() > 2) { // the program waits by the runtime
    yakl::Event event = yakl::record_event(second);
    EXPECT(cudaEventSynchronize(event.get_real_event()) == cudaSuccess && event.get_real_event() == event.get_real_event() && event.completed());
  }
#endif
  second.fence();
  auto const host = b.createHostCopy();
  EXPECT(host(1) == 3 && host(n - 1) == 2 * n - 1);
}

// Small arrays and their functions inside of a kernel: of a small matrix of each column, and of each level of it.
static void small_arrays() {
  int const n = 70;
  yakl::Array<double, 2, memDevice, styleC> out("out", 12, n);
  yakl::Array<int, 2, memDevice, styleC> numbers("numbers", 6, n);
  yakl::c::parallel_for("small", n, YAKL_LAMBDA(int i) {
    using namespace yakl::intrinsics;
    using yakl::componentwise::operator*;
    using yakl::componentwise::operator+;
    using yakl::componentwise::operator>;
    SArray<double, 2, 2, 2> m;
    SArray<double, 1, 2> v(2.);
    m(0, 0) = 2 + i;
    m(0, 1) = 1;
    m(1, 0) = 0;
    m(1, 1) = 4;
    auto const product = matmul_rc(m, v);
    out(0, i) = product(0);
    out(1, i) = matmul_cr(m, v)(1);
    auto const one = matmul_rc(matinv_ge(m), m);
    out(2, i) = one(0, 0) + one(1, 1) - one(0, 1);
    out(3, i) = transpose(m)(1, 0);
    out(4, i) = sum(m * 2. + m);
    out(5, i) = minval(m) + 10 * maxval(m);
    yakl::FSArray<double, 1, yakl::SB<-1, 1>> f;
    f(-1) = -i;
    f(0) = 3;
    f(1) = 1;
    out(6, i) = sum(abs(f)) + sum(merge(f, f * 0., f > 0.));
    out(7, i) = sign(2.5, -1. - i) + mod(7., 4.) + epsilon(v) * 0 + merge(1., 2., i > 3);
    SArray<double, 1, 3> a(1.), b(4.), c(1.), d(6.);
    yakl::tridiagonal(a, b, c, d);
    out(8, i) = d(0) * 4 + d(1);
    yakl::simd::Pack<double, 4> pack;
    yakl::simd::iterate_over_pack([&](int k) { pack(k) = k + i; }, yakl::simd::PackIterConfig<4, true>());
    pack = pack * 2.;
    out(9, i) = pack(3);
    out(10, i) = f.extent(0) + f.get_lbounds()(1);
    out(11, i) = minloc(f);
    numbers(0, i) = count(f > 0.);
    numbers(1, i) = any(f > 2.) && !all(f > 2.);
    numbers(2, i) = size(m);
    numbers(3, i) = static_cast<int>(m.get_dimensions()(1));
    numbers(4, i) = maxloc(f);
    numbers(5, i) = size(m, 1) + lbound(f, 1) + ubound(f, 1);
  });
  auto const h = out.createHostCopy();
  auto const k = numbers.createHostCopy();
  bool right = true;
  for (int i = 1; i < n; i++) {
    right = right && h(0, i) == 2 * (2 + i) + 2 && h(1, i) == 10 && std::abs(h(2, i) - 2) < 1e-14 && h(3, i) == 1 && h(4, i) == 3 * (7 + i);
    right = right && h(5, i) == 10 * std::max(2 + i, 4) && h(6, i) == i + 8 && h(7, i) == -2.5 + 3 + (i > 3 ? 1 : 2) && std::abs(h(8, i) - 6) < 1e-14;
    right = right && h(9, i) == 2 * (3 + i) && h(10, i) == 2 && h(11, i) == -1;
    right = right && k(0, i) == 2 && k(1, i) == 1 && k(2, i) == 4 && k(3, i) == 2 && k(4, i) == 0 && k(5, i) == 2;
  }
  EXPECT(right);
}

// A kernel with more than the 4 KiB that parameters of a kernel may have.
static void large() {
  int const n = 100;
  real1d a("a", n);
  SArray<double, 2, 30, 30> table;
  for (int k = 0; k < 900; k++) table(k / 30, k % 30) = k;
  for (int round = 0; round < 3; round++) {
    yakl::c::parallel_for("large", n, YAKL_LAMBDA(int i) { a(i) = table(i % 30, round) + table(29, 29); });
    table(29, 29) = 0;
  }
  auto const host = a.createHostCopy();
  EXPECT(host(5) == 152 && host(99) == 9 * 30 + 2);
}

int main() {
  yakl::init();
  one_level();
  classes();
  live_outs();
  two_levels();
  in_streams();
  small_arrays();
  large();
  yakl::fence();
  yakl::finalize();
  return checks::failures != 0;
}
