// functions.cpp - intrinsics and operators against loops that compute the same, for each element type, style and size: of arrays that one
// thread does and of such as are shared out, of small arrays, in kernels too. Not in this file: what is refused (refused.cpp).
#include "check.hpp"

#include <cmath>

using portable::Array;
using portable::FSArray;
using portable::index_t;
using portable::memDevice;
using portable::memHost;
using portable::SArray;
using portable::SB;
using portable::styleC;
using portable::styleFortran;
using namespace portable::intrinsics;
namespace cw = portable::componentwise;

namespace {

unsigned state = 1;
int random_below(int n) { return static_cast<int>((state = state * 1664525u + 1013904223u) / 65536u % static_cast<unsigned>(n)); }

// Small whole numbers, so that all sums are exact in any order.
template <class T, int style> void test_reductions(int nx, int ny) {
  Array<T, 2, memDevice, style> a("a", nx, ny);
  T total = 0, least = 0, most = 0;
  index_t at_least = -1, at_most = -1, above = 0;
  for (index_t k = 0; k < a.size(); k++) {
    const T x = static_cast<T>(std::is_signed<T>::value ? random_below(2000) - 1000 : random_below(2000));
    a.data()[k] = x;
    total = static_cast<T>(total + x);
    if (k == 0 || x < least) least = x, at_least = k;
    if (k == 0 || x > most) most = x, at_most = k;
    above += x > T(500);
  }
  CHECK(sum(a) == total && minval(a) == least && maxval(a) == most);
  using cw::operator>;
  const auto mask = a > T(500);
  CHECK(count(mask) == above && any(mask) == (above > 0) && all(mask) == (above == a.size()) && pack(a, mask).size() == above);
  const auto flat = a.collapse();
  const int first = style == styleC ? 0 : 1;
  CHECK(minloc(flat) == static_cast<int>(at_least) + first && maxloc(flat) == static_cast<int>(at_most) + first);
  const auto place = minloc(a); // by dimension
  const index_t fast = style == styleC ? ny : nx;
  CHECK(static_cast<index_t>(place(first + (style == styleC ? 1 : 0))) == at_least % fast + first &&
        static_cast<index_t>(place(first + (style == styleC ? 0 : 1))) == at_least / fast + first);
}

template <int style> void test_operators(int n) {
  Array<double, 1, memHost, style> a("a", n), b("b", n);
  Array<int, 1, memHost, style> i("i", n);
  for (int k = 0; k < n; k++) {
    a.data()[k] = 0.25 * random_below(100) - 10;
    b.data()[k] = 1 + random_below(9);
    i.data()[k] = random_below(7);
  }
  using namespace portable::componentwise;
  const auto c = (a + b) * 2.0 - i / 2 + 1 / b;
  const auto mask = (a < b && i != 3) || !(b >= 5);
  static_assert(std::is_same<typename decltype(c)::type, double>::value && std::is_same<typename decltype(mask)::type, bool>::value, "");
  const auto d = -a, e = cw::sqrt(b) + cw::pow(b, 2) + cw::abs(a), f = cw::binary(a, i, [](double x, int y) { return x * x + y; });
  bool good = true;
  for (int k = 0; k < n; k++) {
    const double x = a.data()[k], y = b.data()[k];
    const int z = i.data()[k];
    good = good && c.data()[k] == (x + y) * 2.0 - z / 2 + 1 / y && mask.data()[k] == ((x < y && z != 3) || !(y >= 5)) && d.data()[k] == -x &&
           e.data()[k] == std::sqrt(y) + std::pow(y, 2) + std::abs(x) && f.data()[k] == x * x + z;
  }
  CHECK(good);
  i.data()[0] = std::numeric_limits<int>::min();
  CHECK((i / -1).data()[0] == i.data()[0]);
  CHECK(sum(merge(a, b, mask)) == sum(merge(a, a, mask)) || !all(mask));
  CHECK(mod(i, -1).data()[0] == 0 && mod(std::numeric_limits<int>::min(), -1) == 0);
  i.data()[0] = 3;
  const auto signs = sign(b, a), same = sign(a, -2.0), rest = mod(a, b), counts = merge(a, 7, mask);
  const auto odd = mod(i, 2), seven = merge(7, i, mask);
  static_assert(std::is_same<typename decltype(odd)::type, int>::value && std::is_same<typename decltype(seven)::type, int>::value, "");
  good = true;
  for (int k = 0; k < n; k++) {
    const double x = a.data()[k], y = b.data()[k];
    good = good && signs.data()[k] == std::copysign(y, x) && same.data()[k] == -std::abs(x) && rest.data()[k] == std::fmod(x, y) &&
           odd.data()[k] == i.data()[k] % 2 && counts.data()[k] == (mask.data()[k] ? x : 7) && seven.data()[k] == (mask.data()[k] ? 7 : i.data()[k]);
  }
  CHECK(good);
  CHECK(portable::equal(portable::intrinsics::abs(d), cw::abs(a)));
}

void test_small() {
  SArray<double, 2, 3, 3> m;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) m(j, k) = j == k ? 4 : j - 2 * k;
  m(0, 0) = 0; // needs another pivot
  const auto one = matmul_rc(m, matinv_ge(m));
  double off = 0;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) off = std::max(off, std::abs(one(j, k) - (j == k)));
  CHECK(off < 1e-14);
  SArray<double, 2, 2, 3> r;
  SArray<double, 1, 3> v;
  for (int j = 0; j < 2; j++)
    for (int k = 0; k < 3; k++) r(j, k) = 3 * j + k, v(k) = k + 1;
  const auto rm = matmul_rc(r, m);
  const auto rv = matmul_rc(r, v);
  const auto mr = matmul_cr(m, r); // (column, row): the product the other way round
  CHECK(rm(1, 2) == 3 * m(0, 2) + 4 * m(1, 2) + 5 * m(2, 2) && rv(1) == 3 + 8 + 15 && mr(1, 2) == rm(1, 2) && matmul_cr(m, v)(2) == m(0, 2) + 2 * m(1, 2) + 3 * m(2, 2));
  CHECK(transpose(r)(2, 1) == 5 && sum(r) == 15 && product(v) == 6 && minval(m) == -4 && maxval(r) == 5);
  CHECK(minloc(v) == 0 && maxloc(v) == 2 && minloc(m)(0) == 0 && minloc(m)(1) == 2);

  FSArray<double, 2, SB<3>, SB<2>> f;
  FSArray<double, 2, SB<2>, SB<3>> g;
  FSArray<double, 1, SB<-1, 1>> h;
  for (int j = 1; j <= 2; j++)
    for (int k = 1; k <= 3; k++) f(k, j) = 10 * k + j, g(j, k) = k - j, h(k - 2) = -k;
  const auto fg = matmul_rc(f, g);
  const auto gf = matmul_cr(f, g);
  CHECK(fg(2, 3) == 21 * g(1, 3) + 22 * g(2, 3) && gf(1, 2) == g(1, 1) * f(1, 2) + g(1, 2) * f(2, 2) + g(1, 3) * f(3, 2));
  CHECK(transpose(f)(2, 3) == 32 && minloc(h) == 1 && maxloc(h) == -1 && lbound(h, 1) == -1 && size(f, 1) == 3 && shape(f)(2) == 2);
  FSArray<double, 2, SB<2>, SB<2>> square;
  square(1, 1) = 0;
  square(1, 2) = 2;
  square(2, 1) = 4;
  square(2, 2) = 1;
  CHECK(std::abs(matmul_rc(matinv_ge(square), square)(2, 1)) < 1e-15);
  using cw::operator*;
  using cw::operator-;
  using cw::operator<;
  Array<double, 1> norms("norms", 10);
  portable::c::parallel_for("in a kernel", 10, [=](int i) {
    SArray<double, 1, 3> x = v * static_cast<double>(i) - 1.0;
    norms(i) = sum(x * x) + (any(x < 0) ? 1000 : 0);
  });
  const auto turned = sign(v, SArray<double, 1, 3>(v * -1.0));
  CHECK(turned(2) == -3 && mod(v, 2.0)(2) == 1 && sum(merge(v, 0, v < 3.0)) == 3);
  CHECK(norms(0) == 1003 && norms(2) == 1 + 9 + 25);
}

void test_matrices() {
  for (int n : {1, 7, 100}) {
    Array<int, 2, memDevice, styleC> a("a", n, n + 5);
    Array<int, 2, memDevice, styleFortran> f("f", {0, n}, {-1, n});
    for (index_t k = 0; k < a.size(); k++) a.data()[k] = static_cast<int>(k);
    for (index_t k = 0; k < f.size(); k++) f.data()[k] = static_cast<int>(k);
    const auto t = transpose(a);
    const auto u = transpose(f);
    bool good = t.extent(0) == n + 5 && u.lower_bound(0) == -1 && u.upper_bound(1) == n;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n + 5; i++) good = good && t(i, j) == a(j, i);
    for (int j = -1; j <= n; j++)
      for (int i = 0; i <= n; i++) good = good && u(j, i) == f(i, j);
    CHECK(good);
  }
}

void test_numbers() {
  CHECK(epsilon(1.0) == std::numeric_limits<double>::epsilon() && huge(1) == std::numeric_limits<int>::max() && tiny(1.f) == std::numeric_limits<float>::min());
  CHECK(sign(3, -1) == -3 && sign(-3, 0) == 3 && sign(2.5, -0.0) == -2.5 && sign(-1, 2.0) == 1 && mod(-7, 3) == -1 && mod(7.5, -2) == 1.5);
  const double nan = std::nan("");
  for (const double zero : {0.0, -0.0}) CHECK(!std::signbit(portable::abs(zero)) && !std::signbit(portable::intrinsics::abs(zero)));
  SArray<double, 1, 3> some(nan), none(nan);
  some(1) = 4;
  some(2) = 3;
  CHECK(minval(some) == 3 && maxval(some) == 4 && minloc(some) == 2 && std::isnan(minval(none)));
  Array<double, 1> a("a", 3), empty("empty", 0);
  a = nan;
  a(1) = 4;
  CHECK(minval(a) == 4 && minloc(a) == 1 && sum(empty) == 0 && minval(empty) == huge(1.0) && minloc(empty) == -1 && product(empty) == 1);
  CHECK(!any(cw::isnan(empty)) && count(cw::isnan(a)) == 2 && all(cw::isinf(empty)));
  Array<int, 1> ten("ten", 2), least("least", 2);
  Array<unsigned short, 1> most("most", 2); // of which -1 would be a value if it were one
  Array<bool, 1> one("one", 2);
  ten = 10;
  most = 65535;
  one = true;
  least = std::numeric_limits<int>::min();
  CHECK(sum(cw::operator/(ten, most)) == 0 && sum(cw::operator/(ten, one)) == 20 && maxval(cw::operator/(least, -1)) == least(0));
  Array<std::complex<double>, 1> z("z", 4);
  z = std::complex<double>(1, 2);
  CHECK(sum(z) == std::complex<double>(4, 8));
}

// Quotients and remainders of integers at the ends of their type and in between, in whole blocks and in the rest. T() is in no divisor.
template <class T, class U = T> void test_quotients() {
  using namespace cw;
  const T from = std::numeric_limits<T>::min(), to = std::numeric_limits<T>::max();
  const U low = std::numeric_limits<U>::min(), high = std::numeric_limits<U>::max();
  const T some[] = {from, static_cast<T>(from + 1), static_cast<T>(0 - 7), 0, 1, 7, 100, static_cast<T>(to - 1), to};
  const U by[] = {low ? low : U(3), static_cast<U>(low + 1), static_cast<U>(0 - 1), 1, 2, static_cast<U>(0 - 3), 7, static_cast<U>(high - 1), high};
  const index_t n = 2 * 9 * 9 * 9 + 5; // two whole blocks and more
  const Array<T, 1> a("a", n);
  const Array<U, 1> b("b", n);
  for (index_t k = 0; k < n; k++) a(k) = some[k % 9], b(k) = by[k / 9 % 9];
  const auto q = a / b;
  const auto r = mod(a, b);
  const auto third = a / 3;
  bool good = true;
  for (index_t k = 0; k < n; k++) {
    using Q = std::decay_t<decltype(a(0) / b(0))>;
    const bool over = std::is_signed<Q>::value && b(k) == static_cast<U>(-1);
    const Q expected = over ? static_cast<Q>(0 - static_cast<std::make_unsigned_t<Q>>(a(k))) : static_cast<Q>(a(k) / b(k));
    good = good && q(k) == expected && r(k) == mod(a(k), b(k)) && third(k) == a(k) / 3;
  }
  CHECK(good);
}

} // namespace

int main() {
  return checks::run([] {
    for (int n : {1, 13, 400}) {
      test_reductions<int, styleC>(n, n);
      test_reductions<double, styleC>(n, 3);
      test_reductions<float, styleFortran>(2, n);
      test_reductions<std::int64_t, styleFortran>(n, n / 2 + 1);
      test_reductions<unsigned, styleC>(n, 2);
      test_reductions<short, styleFortran>(n, 2);
    }
    for (int n : {1, 50, 100000}) {
      test_operators<styleC>(n);
      test_operators<styleFortran>(n);
    }
    test_quotients<int>();
    test_quotients<short>();
    test_quotients<signed char, int>();
    test_quotients<std::int64_t, int>();
    test_quotients<int, std::int64_t>();
    test_quotients<unsigned>();
    test_small();
    test_matrices();
    test_numbers();
  });
}
