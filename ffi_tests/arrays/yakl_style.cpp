// yakl_style.cpp - a program as they are written for YAKL version 1: nothing in it names this library. It is compiled with and without YAKL_DEBUG
// against compat/YAKL.h, and checks its own results.
// In this file: a shallow-water time step and its largest time step, a transport scheme in a class, columns on two levels, live-outs,
// streams, operators. Not in this file: what is different from YAKL (docs/cxx/yakl-compat.md).
#include "YAKL.h"

#include <cmath>
#include <cstdio>

typedef double real;
using yakl::Array;
using yakl::FSArray;
using yakl::SArray;
using yakl::SB;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;
typedef Array<real, 1, memDevice, styleC> real1d;
typedef Array<real, 2, memDevice, styleC> real2d;
typedef Array<real, 3, memDevice, styleC> real3d;
typedef Array<real, 2, memHost, styleC> realHost2d;
typedef Array<int, 1, memDevice, styleC> int1d;
typedef Array<bool, 2, memDevice, styleC> bool2d;
typedef Array<real, 2, memDevice, styleFortran> real2d_f;
typedef Array<real const, 2, memDevice, styleFortran> realConst2d_f;

static int failures = 0;

static void expect(bool ok, char const *what) {
  if (ok) return;
  failures++;
  std::printf("wrong: %s\n", what);
}

// The largest time step that is stable, of a field that is indexed as in Fortran.
static real largest_step(realConst2d_f depth, realConst2d_f u, realConst2d_f v, real cfl, real g, real dx, real dy) {
  using yakl::fortran::Bounds;
  using yakl::fortran::parallel_for;
  using yakl::intrinsics::epsilon;
  using yakl::intrinsics::minval;
  using yakl::intrinsics::size;
  int nx = size(depth, 1);
  int ny = size(depth, 2);
  real eps = epsilon(depth);
  real2d_f steps("steps", nx, ny);
  parallel_for("largest step", Bounds<2>(ny, nx), YAKL_LAMBDA(int j, int i) {
    real wave = std::sqrt(g * depth(i, j));
    steps(i, j) = yakl::min(cfl * dx / (std::abs(u(i, j)) + wave + eps), cfl * dy / (std::abs(v(i, j)) + wave + eps));
  });
  return minval(steps);
}

static void fortran_style() {
  using yakl::fortran::Bounds;
  using yakl::fortran::parallel_for;
  int nx = 30, ny = 20;
  real2d_f depth("depth", nx, ny), u("u", nx, ny), v("v", nx, ny), halo("halo", {0, nx + 1}, {0, ny + 1});
  parallel_for(YAKL_AUTO_LABEL(), Bounds<2>({1, ny}, {1, nx}), YAKL_LAMBDA(int j, int i) {
    depth(i, j) = 10 + i + 100 * j;
    u(i, j) = i == 7 && j == 3 ? -50 : 1;
    v(i, j) = 2;
  });
  real expected = 1e300;
  auto depth_host = depth.createHostCopy();
  for (int j = 1; j <= ny; j++) {
    for (int i = 1; i <= nx; i++) {
      real wave = std::sqrt(9.81 * depth_host(i, j)), eps = 2.220446049250313e-16;
      expected = std::min(expected, std::min(0.8 * 100 / ((i == 7 && j == 3 ? 50 : 1) + wave + eps), 0.8 * 50 / (2 + wave + eps)));
    }
  }
  expect(largest_step(depth, u, v, 0.8, 9.81, 100, 50) == expected, "largest stable step");
  halo = 0;
  parallel_for("fill", Bounds<2>({0, ny + 1}, {0, nx + 1, 2}), YAKL_LAMBDA(int j, int i) { halo(i, j) = 1; });
  expect(yakl::intrinsics::sum(halo) == (ny + 2) * ((nx + 2) / 2), "strided loop");
  expect(yakl::intrinsics::lbound(halo, 1) == 0 && yakl::intrinsics::ubound(halo, 2) == ny + 1, "bounds of a halo");
  auto row = halo.slice<1>(yakl::COLON, 3);
  expect(row(0) == 1 && row(1) == 0, "slice");
  FSArray<int, 2, SB<3>, SB<-1, 1>> stencil;
  stencil = 2;
  stencil(3, -1) = 5;
  expect(yakl::intrinsics::sum(stencil) == 2 * 8 + 5, "small Fortran array");
}

// Transport with a limited slope, in a class, as the models have it.
class Transport {
public:
  static int constexpr halo = 2;
  int nx, ntracers;
  real dx;
  real2d state;

  void init(int nx_in, int ntracers_in) {
    nx = nx_in;
    ntracers = ntracers_in;
    dx = 1. / nx;
    state = real2d("state", ntracers, nx + 2 * halo);
    YAKL_SCOPE(state, this->state);
    YAKL_SCOPE(dx, this->dx);
    yakl::memset(state, 0);
    yakl::c::parallel_for("initial state", yakl::c::SimpleBounds<2>(ntracers, nx), YAKL_LAMBDA(int t, int i) {
      state(t, halo + i) = t + (std::abs((i + 0.5) * dx - 0.5) < 0.2 ? 1 : 0);
    });
  }

  void exchange() {
    YAKL_SCOPE(state, this->state);
    YAKL_SCOPE(nx, this->nx);
    yakl::c::parallel_for("halo", yakl::c::Bounds<2>(ntracers, halo), YAKL_LAMBDA(int t, int i) {
      state(t, i) = state(t, nx + i);
      state(t, nx + halo + i) = state(t, halo + i);
    });
  }

  YAKL_INLINE static real limited(SArray<real, 1, 3> const &s) {
    real a = s(1) - s(0), b = s(2) - s(1);
    return a * b <= 0 ? 0 : (std::abs(a) < std::abs(b) ? a : b);
  }

  void step(real courant) {
    exchange();
    real2d flux("flux", ntracers, nx + 1);
    yakl::c::parallel_for("flux", yakl::c::Bounds<2>(ntracers, nx + 1), YAKL_CLASS_LAMBDA(int t, int i) {
      SArray<real, 1, 3> stencil;
      for (int k = 0; k < 3; k++) stencil(k) = state(t, halo + i - 2 + k);
      flux(t, i) = courant * (stencil(1) + 0.5 * (1 - courant) * limited(stencil));
    });
    YAKL_SCOPE(state, this->state);
    yakl::c::parallel_for("update", yakl::c::Bounds<2>(ntracers, nx), YAKL_LAMBDA(int t, int i) {
      state(t, halo + i) += flux(t, i) - flux(t, i + 1);
    }, yakl::LaunchConfig<128>());
  }

  real mass(int t) const {
    auto inner = state.slice<1>(t, yakl::COLON).createHostCopy();
    real m = 0;
    for (int i = 0; i < nx; i++) m += inner(halo + i) * dx;
    return m;
  }
};

static void transport() {
  Transport model;
  model.init(100, 3);
  real before[3], after[3];
  for (int t = 0; t < 3; t++) before[t] = model.mass(t);
  model.exchange();
  auto first = model.state.createDeviceCopy();
  yakl::timer_start("transport");
  for (int n = 0; n < 200; n++) model.step(0.5);
  yakl::timer_stop("transport");
  model.exchange();
  yakl::fence();
  for (int t = 0; t < 3; t++) after[t] = model.mass(t);
  for (int t = 0; t < 3; t++) expect(std::abs(before[t] - after[t]) < 1e-12, "mass");
  expect(yakl::intrinsics::maxval(model.state) <= 3 + 1e-12 && yakl::intrinsics::minval(model.state) >= -1e-12, "no new extremes");
  using yakl::componentwise::operator-;
  expect(yakl::intrinsics::maxval(yakl::intrinsics::abs(model.state - first)) < 0.6, "once around");
}

// Columns: outer iterations of a team, a sum below, scratch in between.
static void columns() {
  int ncol = 16, nlev = 40;
  real2d q("q", ncol, nlev), mass("mass", ncol, nlev);
  real1d total("total", ncol);
  q = 0.5;
  total = 0;
  yakl::c::parallel_for(yakl::c::Bounds<2>(ncol, nlev), YAKL_LAMBDA(int i, int k) { mass(i, k) = k + 1; });
  yakl::c::parallel_outer("columns", yakl::c::Bounds<1>(ncol), YAKL_LAMBDA(int i, yakl::InnerHandler handler) {
    yakl::c::parallel_inner(yakl::c::Bounds<1>(nlev), [&](int k) { yakl::atomicAdd(total(i), q(i, k) * mass(i, k)); }, handler);
    yakl::fence_inner(handler);
    yakl::single_inner([&]() { total(i) = total(i) + i; }, handler);
  }, yakl::LaunchConfig<64>().set_inner_size(40));
  auto host = total.createHostCopy();
  expect(host(0) == 0.5 * nlev * (nlev + 1) / 2 && host(15) == host(0) + 15, "columns");

  yakl::ScalarLiveOut<bool> bad(false);
  yakl::ScalarLiveOut<int> where(-1);
  yakl::c::parallel_for("look", yakl::c::Bounds<2>(ncol, nlev), YAKL_LAMBDA(int i, int k) {
    if (mass(i, k) * i == 15 * 40) {
      bad = true;
      where() = i * nlev + k;
    }
  });
  expect(bad.hostRead() && where.hostRead() == 15 * nlev + 39, "live-outs");
  where.hostWrite(3);
  expect(where.hostRead() == 3, "live-out written");
}

static void arithmetic() {
  using namespace yakl::intrinsics;
  using yakl::componentwise::operator+;
  using yakl::componentwise::operator*;
  using yakl::componentwise::operator>;
  using yakl::componentwise::operator!;
  using yakl::componentwise::operator&&;
  real2d a("a", 4, 6), b("b", 4, 6);
  a = 2.;
  b = 3;
  yakl::c::parallel_for(6, YAKL_LAMBDA(int i) { a(1, i) = i; });
  auto c = a * b + 1.;
  bool2d large = c > 6.;
  expect(sum(c) == 3 * (18 * 2 + 15) + 24, "a * b + 1");
  expect(any(large) && !all(large) && count(large) == 18 + 4 && !any(large && !large), "masks");
  expect(size(pack(c, large)) == 22 && merge(1, 2, true) == 1 && sum(merge(a, b, large)) == 18 * 2 + 2 + 3 + 4 + 5 + 3 + 3, "pack and merge");
  expect(minloc(a.slice<1>(1, yakl::COLON)) == 0 && maxloc(a.slice<1>(1, yakl::COLON)) == 5, "minloc and maxloc");
  expect(mod(7, 4) == 3 && sign(2., -1.) == -2. && huge(1.f) > 1e38f && tiny(1.) > 0, "numbers");
  expect(allocated(a) && !allocated(real2d()) && shape(a)(1) == 6, "shape");
  SArray<real, 2, 2, 2> m;
  m(0, 0) = 2;
  m(0, 1) = 1;
  m(1, 0) = 1;
  m(1, 1) = 1;
  auto one = matmul_rc(m, matinv_ge(m));
  expect(std::abs(one(0, 0) - 1) < 1e-14 && std::abs(one(0, 1)) < 1e-14 && std::abs(one(1, 1) - 1) < 1e-14, "inverse");
  real3d three = a.reshape<3>({2, 2, 6});
  expect(three(0, 1, 5) == 5 && a.collapse()(11) == 5, "reshape and collapse");
  expect(a.use_count() == 2, "two that share");
  realHost2d host = a.createHostCopy(), room("room", 4, 6);
  host(0, 0) = 9;
  host.deep_copy_to(a);
  a.deep_copy_to(room);
  yakl::fence();
  expect(room(0, 0) == 9 && a.createHostCopy()(0, 0) == 9, "deep copies");
  a.deallocate();
  expect(!a.initialized() && three.use_count() == 1, "deallocate");
  yakl::ParallelMax<real, memDevice> largest(24);
  expect(largest(room.data()) == 9, "ParallelMax");
}

static void streams() {
  auto s1 = yakl::create_stream(), s2 = yakl::create_stream();
  int n = 1000;
  real1d a("a", n), b("b", n);
  yakl::c::parallel_for("one", n, YAKL_LAMBDA(int i) { a(i) = i; }, yakl::DefaultLaunchConfig().set_stream(s1));
  s2.wait_on_event(yakl::record_event(s1));
  yakl::c::parallel_for("two", n, YAKL_LAMBDA(int i) { b(i) = 2 * a(i); }, yakl::DefaultLaunchConfig().set_stream(s2));
  a.add_stream_dependency(s2);
  s2.fence();
  expect(yakl::intrinsics::sum(b) == 999. * 1000, "two streams");
  expect(yakl::intrinsics::maxval(b, s2) == 2 * 999 && s2.completed(), "a reduction in a stream");
  s1.destroy();
  s2.destroy();
}

int main() {
  yakl::init(yakl::InitConfig().set_pool_initial_mb(16));
  expect(yakl::isInitialized() && yakl::yakl_mainproc(), "init");
  fortran_style();
  transport();
  columns();
  arithmetic();
  streams();
#ifdef YAKL_DEBUG
  double *block = static_cast<double *>(yakl::alloc_device(10 * sizeof(double), "block"));
  block[9] = 1;
  yakl::free_device(block, "block");
  expect(yakl::alloc_device(0, "none") == nullptr, "no block of no bytes");
  bool caught = false;
  try {
    real2d a("small", 2, 2);
    yakl::c::parallel_for("beyond", 3, YAKL_LAMBDA(int i) { a(1, i) = 0; });
  } catch (std::runtime_error const &e) {
    caught = std::string(e.what()).find("'small'") != std::string::npos;
  }
  expect(caught, "an index out of bounds is reported");
#endif
  try {
    yakl::yakl_throw("a text");
  } catch (std::runtime_error const &e) {
    expect(std::string(e.what()) == "a text", "yakl_throw");
  }
  yakl::finalize();
  return failures != 0;
}
