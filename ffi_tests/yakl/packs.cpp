// packs.cpp - yakl::simd: Pack, its operators and functions, and loops over its places; also inside a kernel.
#include "YAKL.h"
#include "expect.h"

using yakl::simd::iterate_over_pack;
using yakl::simd::Pack;
using yakl::simd::PackIterConfig;
typedef Pack<double, 4> pack;

static pack made(double a, double b, double c, double d) {
  pack p;
  p(0) = a, p(1) = b, p(2) = c, p(3) = d;
  return p;
}
static bool same(pack const &p, double a, double b, double c, double d) { return p(0) == a && p(1) == b && p(2) == c && p(3) == d; }

static void operators() {
  pack a = made(1, 2, 3, 4), b = made(4, 3, 2, 1), r;
  EXPECT(pack::get_pack_size() == 4 && sizeof(pack) == 4 * sizeof(double));
  r = 7;
  EXPECT(same(r, 7, 7, 7, 7) && same(a + b, 5, 5, 5, 5) && same(a - b, -3, -1, 1, 3) && same(a * b, 4, 6, 6, 4) && same(a / b, 0.25, 2. / 3, 1.5, 4));
  EXPECT(same(a + 1, 2, 3, 4, 5) && same(1 - a, 0, -1, -2, -3) && same(2 * a, 2, 4, 6, 8) && same(a / 2, 0.5, 1, 1.5, 2) && same(-a, -1, -2, -3, -4));
  r += a;
  r -= 1;
  r *= b;
  r /= 2.;
  EXPECT(same(r, 14, 12, 9, 5));
  r += 1, r -= b, r *= 2, r /= b;
  EXPECT(same(r, 22. / 4, 20. / 3, 16. / 2, 10));
  Pack<int, 4> n;
  n = 3;
  r = a;
  r += n;
  EXPECT(same(r, 4, 5, 6, 7) && (n / 2)(0) == 1);
  EXPECT(same(pow(a, 2), 1, 4, 9, 16) && same(pow(a, b), 1, 8, 9, 4) && same(sqrt(made(1, 4, 9, 16)), 1, 2, 3, 4) && same(abs(-a), 1, 2, 3, 4));
  EXPECT(same(floor(a / 2), 0, 1, 1, 2) && same(ceil(a / 2), 1, 1, 2, 2) && same(round(a / 2.), 1, 1, 2, 2));
  EXPECT(exp(a)(1) == std::exp(2.) && log(a)(1) == std::log(2.) && log10(a)(2) == std::log10(3.) && cos(a)(0) == std::cos(1.) && sin(a)(0) == std::sin(1.));
  EXPECT(tan(a)(3) == std::tan(4.) && acos(a / 4)(1) == std::acos(0.5) && asin(a / 4)(1) == std::asin(0.5) && atan(a)(2) == std::atan(3.));
  std::ostringstream text;
  text << made(1, 2, 3, 4);
  EXPECT(text.str() == "           1             2             3             4  \n");
}

static void loops() {
  int constexpr n = 10, lanes = 4;
  yakl::Array<double, 2, yakl::memDevice, yakl::styleC> x("x", n, lanes), y("y", n, lanes);
  yakl::c::parallel_for("packs", n, YAKL_LAMBDA(int k) {
    pack p;
    iterate_over_pack([&](int i) { p(i) = k + i; }, PackIterConfig<lanes, true>());
    pack q = 2 * p + 1;
    double sum = 0;
    iterate_over_pack([&](int i) { sum += q(i); }, PackIterConfig<lanes>());
    iterate_over_pack([&](int i) { x(k, i) = q(i); }, PackIterConfig<lanes, true>());
    y(k, 0) = sum;
  });
  yakl::fence();
  EXPECT(x(3, 2) == 11 && y(3, 0) == 7 + 9 + 11 + 13 && yakl::intrinsics::sum(x) == 4 * (9 * 10 + 10) + 10 * 12);
#ifdef YAKL_DEBUG
  bool thrown = false;
  try {
    pack p = made(1, 2, 3, 4);
    thrown = p(4) > 0 && false;
  } catch (std::runtime_error const &) {
    thrown = true;
  }
  EXPECT(thrown);
#endif
}

int main() {
  yakl::init();
  operators();
  loops();
  yakl::finalize();
  return checks::failures != 0;
}
