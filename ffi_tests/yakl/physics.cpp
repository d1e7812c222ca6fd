// physics.cpp - a program as physics codes over YAKL are: a header of constants, modules with registered fields, weights in small arrays, stencils of
// templates, columns in Fortran's style behind a C interface, a diagnosis with masks. Nothing in it names this library; it checks its own results.
// Not in this file: single names (the other programs of this room).
#include "YAKL.h"
#include "expect.h"

// ---- const.h of such a code ----

typedef double real;
using yakl::c::Bounds;
using yakl::c::parallel_for;
using yakl::c::SimpleBounds;
using yakl::COLON;
using yakl::FSArray;
using yakl::SArray;
using yakl::SB;
using yakl::fence;
using yakl::index_t;
using yakl::max;
using yakl::memDevice;
using yakl::memHost;
using yakl::min;
using yakl::styleC;
using yakl::styleFortran;
using yakl::intrinsics::maxval;
using yakl::intrinsics::minval;
using yakl::intrinsics::size;
using yakl::intrinsics::sum;
typedef yakl::Array<real, 1, memDevice, styleC> real1d;
typedef yakl::Array<real, 2, memDevice, styleC> real2d;
typedef yakl::Array<real, 3, memDevice, styleC> real3d;
typedef yakl::Array<real, 4, memDevice, styleC> real4d;
typedef yakl::Array<real const, 2, memDevice, styleC> realConst2d;
typedef yakl::Array<real, 2, memHost, styleC> realHost2d;
typedef yakl::Array<bool, 1, memDevice, styleC> bool1d;
typedef yakl::Array<real, 2, memDevice, styleFortran> real2d_f;
int constexpr ord = 5, hs = (ord - 1) / 2;

YAKL_INLINE real operator""_fp(long double x) { return static_cast<real>(x); }

template <class T> void endrun(T err) {
  std::cerr << err << std::endl;
  throw std::runtime_error("endrun");
}

// ---- weights and stencils ----

namespace weights {

// Values of a parabola through three averages at the edges of the middle cell.
YAKL_INLINE void coefficients(SArray<real, 2, 3, 2> &c) {
  real const table[3][2] = {{1. / 3., -1. / 6.}, {5. / 6., 5. / 6.}, {-1. / 6., 1. / 3.}};
  for (int s = 0; s < 3; s++)
    for (int e = 0; e < 2; e++) c(s, e) = table[s][e];
}

template <index_t n> YAKL_INLINE SArray<real, 1, n> stencil_of(real4d const &state, int l, int k, int j, int i) {
  SArray<real, 1, n> s;
  for (int ii = 0; ii < static_cast<int>(n); ii++) s(ii) = state(l, hs + k, hs + j, i + ii);
  return s;
}

template <index_t n, index_t edges> YAKL_INLINE SArray<real, 1, edges> edges_of(SArray<real, 1, n> const &s, SArray<real, 2, 3, edges> const &c) {
  SArray<real, 1, edges> g;
  for (int e = 0; e < static_cast<int>(edges); e++) {
    real value = 0;
    for (int k = 0; k < 3; k++) value += s(n / 2 - 1 + k) * c(k, e);
    g(e) = value;
  }
  return g;
}

} // namespace weights

// ---- fields under names, as a data manager keeps them ----

class DataManager {
  struct Entry {
    std::string name;
    real *data;
    std::vector<int> dims;
  };
  std::vector<Entry> entries;

public:
  ~DataManager() { clear(); }
  void clear() {
    fence();
    for (auto &e : entries) yakl::free_device(e.data, e.name.c_str());
    entries.clear();
  }
  void register_field(std::string name, std::vector<int> dims) {
    index_t n = 1;
    for (int d : dims) n *= d;
    auto data = static_cast<real *>(yakl::alloc_device(n * sizeof(real), name.c_str()));
    yakl::c::parallel_for(YAKL_AUTO_LABEL(), n, YAKL_LAMBDA(int i) { data[i] = 0; });
    entries.push_back({name, data, dims});
  }
  template <int N> yakl::Array<real, N, memDevice, styleC> get(std::string const &name) const {
    for (auto &e : entries) {
      if (e.name != name) continue;
      if (static_cast<int>(e.dims.size()) != N) endrun("wrong rank of " + name);
      return yakl::Array<real, N, memDevice, styleC>(e.name.c_str(), e.data, e.dims);
    }
    endrun("no field " + name);
    return {};
  }
  // Levels and all columns: what a column physics wants.
  real2d get_lev_col(std::string const &name) const {
    auto a = get<3>(name);
    return a.reshape<2>({static_cast<int>(a.dimension[0]), static_cast<int>(a.dimension[1] * a.dimension[2])});
  }
};

// ---- dynamics: advection of scalars along x with edges of a parabola, three stages ----

template <int num_tracers> class Dynamics {
public:
  int nz, ny, nx;
  real dx, speed;
  SArray<real, 2, 3, 2> recon;
  yakl::ScalarLiveOut<bool> went_wrong;

  Dynamics(int nz, int ny, int nx, real speed) : nz(nz), ny(ny), nx(nx), dx(1. / nx), speed(speed), went_wrong(false) { weights::coefficients(recon); }

  real4d make_state() const {
    real4d state("state", num_tracers, nz + 2 * hs, ny + 2 * hs, nx + 2 * hs);
    state = 0;
    YAKL_SCOPE(dx, this->dx);
    parallel_for(YAKL_AUTO_LABEL(), SimpleBounds<4>(num_tracers, nz, ny, nx), YAKL_LAMBDA(int l, int k, int j, int i) {
      real const x = (i + 0.5_fp) * dx;
      state(l, hs + k, hs + j, hs + i) = 1 + 0.5_fp * std::sin(2 * M_PI * (l + 1) * x) + 0.1_fp * k;
    });
    return state;
  }

  void halos(real4d const &state) const {
    YAKL_SCOPE(nx, this->nx);
    parallel_for("halos", Bounds<4>(num_tracers, nz, ny, hs), YAKL_LAMBDA(int l, int k, int j, int ii) {
      state(l, hs + k, hs + j, ii) = state(l, hs + k, hs + j, nx + ii);
      state(l, hs + k, hs + j, hs + nx + ii) = state(l, hs + k, hs + j, hs + ii);
    });
  }

  real4d tendency(real4d const &state) {
    halos(state);
    real4d flux("flux", num_tracers, nz, ny, nx + 1), tend("tend", num_tracers, nz, ny, nx);
    YAKL_SCOPE(recon, this->recon);
    YAKL_SCOPE(speed, this->speed);
    YAKL_SCOPE(dx, this->dx);
    YAKL_SCOPE(went_wrong, this->went_wrong);
    parallel_for("edges", SimpleBounds<4>(num_tracers, nz, ny, nx + 1), YAKL_LAMBDA(int l, int k, int j, int i) {
      // The cell left of edge i gives the value, because the wind blows to the right.
      auto s = weights::stencil_of<ord>(state, l, k, j, max(0, i - 1));
      auto e = weights::edges_of(s, recon);
      flux(l, k, j, i) = speed * e(1);
      if (!std::isfinite(e(1))) went_wrong = true;
    });
    parallel_for("wrap", Bounds<3>(num_tracers, nz, ny), YAKL_LAMBDA(int l, int k, int j) { flux(l, k, j, 0) = flux(l, k, j, flux.dimension[3] - 1); });
    parallel_for("tendencies", Bounds<4>(num_tracers, nz, ny, {0, nx - 1}), YAKL_LAMBDA(int l, int k, int j, int i) {
      tend(l, k, j, i) = -(flux(l, k, j, i + 1) - flux(l, k, j, i)) / dx;
    }, yakl::LaunchConfig<128>());
    return tend;
  }

  void time_step(real4d const &state, real dt) {
    real4d temporary = state.createDeviceCopy();
    for (int stage = 3; stage >= 1; stage--) {
      auto tend = tendency(stage == 3 ? state : temporary);
      parallel_for("update", SimpleBounds<4>(num_tracers, nz, ny, nx), YAKL_LAMBDA(int l, int k, int j, int i) {
        temporary(l, hs + k, hs + j, hs + i) = state(l, hs + k, hs + j, hs + i) + dt / stage * tend(l, k, j, i);
      });
    }
    temporary.deep_copy_to(state);
    if (went_wrong.hostRead()) yakl::yakl_throw("a value is not finite");
  }
};

static void dynamics() {
  int constexpr tracers = 2;
  int const nz = 3, ny = 2, nx = 40;
  Dynamics<tracers> model(nz, ny, nx, 1.);
  auto state = model.make_state();
  auto before = state.createHostCopy();
  auto mass = [&](real4d const &s) {
    real3d inner("inner", tracers, nz * ny, nx);
    parallel_for(Bounds<3>(tracers, nz * ny, nx), YAKL_LAMBDA(int l, int kj, int i) { inner(l, kj, i) = s(l, hs + kj / ny, hs + kj % ny, hs + i); });
    return sum(inner);
  };
  real const start = mass(state), dt = 0.4 / nx;
  int const steps = static_cast<int>(std::round(1. / dt));
  yakl::timer_start("dynamics");
  for (int n = 0; n < steps; n++) model.time_step(state, dt);
  yakl::timer_stop("dynamics");
  EXPECT(std::abs(mass(state) - start) < 1e-10 * start);
  auto after = state.createHostCopy();
  real error = 0;
  for (int i = 0; i < nx; i++) error = std::max(error, std::abs(after(0, hs, hs, hs + i) - before(0, hs, hs, hs + i)));
  EXPECT(error < 0.01 && maxval(state) < 2 && minval(state.slice<1>(1, hs + 1, hs, COLON)) >= 0); // once around
}

// ---- column physics: Fortran's style behind an interface of C arrays, saturation adjustment with masks ----

YAKL_INLINE real saturation(real temp) { return 0.01 * std::exp(0.06 * (temp - 280)); }

static void microphysics(real2d_f temp, real2d_f qv, real2d_f qc, real dt) {
  using yakl::fortran::parallel_for;
  int const ncol = size(temp, 1), nlev = size(temp, 2);
  real2d_f sedimentation("sedimentation", ncol, {0, nlev});
  EXPECT(sedimentation.lbounds[1] == 0 && sedimentation.dimension[1] == static_cast<index_t>(nlev + 1));
  parallel_for("adjust", yakl::fortran::SimpleBounds<2>(nlev, ncol), YAKL_LAMBDA(int k, int i) {
    FSArray<real, 1, SB<0, 1>> parts;
    parts(0) = qv(i, k);
    parts(1) = qc(i, k);
    real const excess = parts(0) - saturation(temp(i, k));
    real const change = excess > 0 ? excess : -min(parts(1), -excess);
    qv(i, k) = parts(0) - change;
    qc(i, k) = parts(1) + change;
    temp(i, k) += 100 * change;
  });
  parallel_for("fluxes", yakl::fortran::Bounds<2>({0, nlev}, ncol), YAKL_LAMBDA(int k, int i) { sedimentation(i, k) = k == 0 || k == nlev ? 0 : 0.1_fp * dt * qc(i, k); });
  parallel_for("sediment", yakl::fortran::Bounds<2>(nlev, ncol), YAKL_LAMBDA(int k, int i) { qc(i, k) += sedimentation(i, k - 1) - sedimentation(i, k); });
}

static void physics() {
  int const nz = 6, ny = 3, nx = 4, ncol = nx * ny;
  DataManager fields;
  for (auto name : {"temp", "water_vapor", "cloud_water"}) fields.register_field(name, {nz, ny, nx});
  auto temp = fields.get_lev_col("temp"), qv = fields.get_lev_col("water_vapor"), qc = fields.get_lev_col("cloud_water");
  EXPECT(size(temp, 0) == nz && size(temp, 1) == ncol && sum(temp) == 0);
  parallel_for("initial", SimpleBounds<2>(nz, ncol), YAKL_LAMBDA(int k, int i) {
    temp(k, i) = 290 - 2 * k;
    qv(k, i) = 0.012 + 0.0005 * i;
  });
  using yakl::componentwise::operator+;
  using yakl::componentwise::operator>;
  using yakl::componentwise::operator*;
  real const water = sum(qv + qc);
  // The same memory in Fortran's order of dimensions.
  real2d_f temp_f("temp", temp.data(), ncol, nz), qv_f("qv", qv.myData, ncol, nz), qc_f("qc", qc.data(), ncol, nz);
  for (int n = 0; n < 5; n++) microphysics(temp_f, qv_f, qc_f, 1.);
  EXPECT(std::abs(sum(qv + qc) - water) < 1e-12);
  auto cloudy = qc > 1e-6;
  int const cells = yakl::intrinsics::count(cloudy);
  EXPECT(cells > 0 && cells < nz * ncol && yakl::intrinsics::any(cloudy) && !yakl::intrinsics::all(cloudy) && size(yakl::intrinsics::pack(qc, cloudy)) == cells);
  EXPECT(minval(yakl::intrinsics::pack(qc, cloudy)) > 1e-6 && minval(qc) >= 0);

  // Columns of a team, with a scan down each.
  real2d path("path", nz + 1, ncol);
  realConst2d read = qc;
  yakl::c::parallel_outer("paths", Bounds<1>(ncol), YAKL_LAMBDA(int i, yakl::InnerHandler handler) {
    yakl::single_inner([&]() {
      path(nz, i) = 0;
      for (int k = nz - 1; k >= 0; k--) path(k, i) = path(k + 1, i) + read(k, i);
    }, handler);
    yakl::fence_inner(handler);
    yakl::c::parallel_inner(Bounds<1>(nz + 1), [&](int k) { path(k, i) *= 1000; }, handler);
  });
  real1d bottom = path.slice<1>(0, COLON);
  EXPECT(std::abs(sum(bottom) - 1000 * sum(qc)) < 1e-9);
  real2d rates("rates", nz, ncol);
  yakl::memset(rates, 0);
  real1d total("total", nz);
  total = 0;
  parallel_for("totals", Bounds<2>(nz, ncol), YAKL_LAMBDA(int k, int i) {
    yakl::atomicAdd(total(k), read(k, i));
    rates(k, i) = read(k, i) * 2;
  }, yakl::DefaultLaunchConfigB4b());
  EXPECT(std::abs(sum(total) * 2 - sum(rates)) < 1e-12 && yakl::intrinsics::maxloc(total) >= 0);
  realHost2d host = rates.createHostCopy();
  std::ofstream("/dev/null") << host << total;
  EXPECT(host(0, 0) == rates(0, 0));
}

// ---- a grid of random bubbles, reduced in several ways ----

static void diagnosis() {
  int const n = 2000;
  real1d values("values", n);
  bool1d large("large", n);
  parallel_for("random", n, YAKL_LAMBDA(int i) {
    yakl::Random rand(static_cast<unsigned long long>(i) + 17);
    values(i) = rand.genFP<real>() * 2 - 1;
    large(i) = values(i) > 0.5;
  });
  yakl::ParallelMin<real, memDevice> least(n);
  yakl::ParallelSum<real, memDevice> all(n);
  EXPECT(least(values.data()) == minval(values) && all(values.data()) == sum(values) && std::abs(sum(values)) < 0.1 * n);
  int const some = yakl::intrinsics::count(large);
  EXPECT(some > n / 5 && some < n / 3 && maxval(yakl::intrinsics::merge(values, values, large)) == maxval(values));
  yakl::SArray<int, 1, 4> histogram(0);
  auto host = values.createHostCopy();
  for (real v : host) histogram(min(3, static_cast<int>((v + 1) * 2)))++;
  EXPECT(sum(histogram) == n && minval(histogram) > n / 6);
}

int main() {
  yakl::init(yakl::InitConfig().set_pool_initial_mb(32).set_pool_grow_mb(32));
  {
    dynamics();
    physics();
    diagnosis();
    EXPECT(yakl::get_pool().get_high_water_mark() > 0);
  }
  yakl::register_finalize_callback([] { EXPECT(yakl::get_pool().get_num_allocs() == 0); });
  yakl::finalize();
  return checks::failures != 0;
}
