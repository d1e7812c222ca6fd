// twins.cpp - twins, and strided views, in C++. Not in this file: all that is refused (twins.c).
#include "check.hpp"

#include <cstdlib>

using portable::Array;
using portable::Layout;
using portable::StridedArray;
using portable::styleC;
using portable::styleFortran;
using portable::Twin;
using portable::TwinConfig;

namespace {

constexpr int nx = 5, ny = 6, nz = 7;

// The code is the same, however the sides lie.
void advance(const Twin<double, 3> &h) {
  auto p = h.overwrite_host();
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) p(i, j, k) = 100 * i + 10 * j + k;
  h.sync_device();
  const auto q = h.update_device();
  portable::device_parallel_for("advance", portable::c::Bounds<3>(nx, ny, nz), [](int i, int j, int k, const auto &x) { x(i, j, k) += 1000; }, q);
  h.sync_host();
  const auto r = h.read_host();
  bool good = true;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) good = good && r(i, j, k) == 1000 + 100 * i + 10 * j + k;
  CHECK(good && !h.host_newer() && !h.device_newer());
}

void test_layouts() {
  const bool separate = std::getenv("PORTABLE_TWINS") != nullptr;
  const Twin<double, 3> plain("h", nx, ny, nz);
  CHECK(plain.one_memory() == !separate);
  advance(plain);
  const Twin<double, 3> two("h", TwinConfig().set_separate(), nx, ny, nz);
  CHECK(!two.one_memory());
  advance(two);
  const Twin<double, 3> kij("h", TwinConfig().set_device(Layout::fastest({2, 0, 1}).set_row_bytes(64)), nx, ny, nz);
  CHECK(!kij.one_memory() && kij.read_device().stride(2) == 1 && kij.read_device().stride(0) == 8);
  advance(kij);
  portable::layout_rule("rho", "cpu", "kij");
  portable::layout_rule("rho", "gpu", "kij"); // where the default device is one
  const Twin<double, 3> rule("rho", TwinConfig().set_host(Layout::fortran()).set_device(Layout::by_rule()), nx, ny, nz);
  CHECK(rule.read_host().stride(0) == 1 && rule.read_device().stride(2) == 1 && rule.read_device().stride(1) == nz * nx);
  advance(rule);
}

void test_sharing() {
  const std::uint64_t before = checks::blocks();
  {
    StridedArray<const double, 2, portable::memHost, styleC> last;
    {
      Array<double, 2> a("a", 3, 4);
      a = 2;
      auto t = Twin<double, 2>::of(a, Layout::fortran());
      const auto copy = t;
      CHECK(copy.host_newer() && copy.c_twin() == t.c_twin());
      t = Twin<double, 2>();
      CHECK(!t.initialized());
      portable::Stream stream(portable::StreamKind::asynchronous);
      copy.sync_device(stream);
      stream.fence();
      const auto d = copy.update_device();
      CHECK(d(2, 3) == 2 && d.stride(0) == 1);
      d(2, 3) = 5;
      copy.sync_host();
      CHECK(a(2, 3) == 5);
      last = copy.read_host();
    }
    CHECK(last(2, 3) == 5 && std::strcmp(last.label(), "a") == 0);
  }
  CHECK(checks::blocks() == before);
}

void test_refused() {
  const Twin<double, 2, styleFortran> t("t", TwinConfig().set_lower({-1, 2}), 3, 4);
  CHECK(t.read_host().lower_bound(0) == -1 && t.read_device().upper_bound(1) == 5);
  portable_set_checks(PORTABLE_CHECK_ARRAYS);
  t.update_host();
  using checks::error_of;
  CHECK(checks::has(error_of([&] { t.read_device(); }), "the device side is stale"));
  CHECK(checks::has(error_of([&] { t.modified_device("a kernel"); }), "both sides were changed"));
  CHECK(checks::has(error_of([&] { t.sync_host(); }), "marked by portable_twin_modified_device ('a kernel')"));
  portable_set_checks(0);
  t.discard_device();
  t.sync_device();
  t.update_device();
  t.discard_device();
  CHECK(checks::has(error_of([&] { Twin<double, 2>().sync_host(); }), "is not a twin"));
  using Twin2f = Twin<double, 2, styleFortran>;
  CHECK((Twin2f("t", 3, 4).read_host().upper_bound(1) == 4));
  CHECK(checks::has(error_of([&] { Twin2f("t", TwinConfig().set_lower({1}), 3, 4); }), "1 lower bounds, and it has 2 dimensions"));
  CHECK(checks::has(error_of([&] { Twin<double, 2>("t", TwinConfig().set_lower({1, 1}), 3, 4); }), "one of styleC begins at 0"));
  CHECK(checks::has(error_of([&] { Twin<double, 2>("t", TwinConfig().set_device(Layout::fastest({1})), 3, 4); }), "1 dimensions are named"));
  CHECK(checks::has(error_of([&] { portable::layout_rule("t", "", "kk"); }), "is invalid"));
  CHECK(checks::has(error_of([&] { t.read_host()(2, 2); }), "index 1 of 2 is 2, outside of its bounds -1 to 1"));
}

} // namespace

int main() {
  return checks::run([] {
    test_layouts();
    test_sharing();
    test_refused();
  });
}
