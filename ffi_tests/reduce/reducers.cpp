// reducers.cpp - reductions and live-outs from C++: every reducer, several at once, destinations, exceptions. Not in this file: the bits
// (reductions.c).
#include "portable.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) failures++, std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
  } while (0)

using portable::Sum;

static void test_reducers() {
  using namespace portable::c;
  constexpr int ny = 40, nx = 300;
  std::vector<double> x(ny * nx);
  for (int i = 0; i < ny * nx; i++) x[static_cast<std::size_t>(i)] = std::sin(i * 0.1) + (i == 7777 ? 5 : 0) - (i == 1234 ? 5 : 0);
  const double *p = x.data();
  double sum = -1, product = -1, least = -1, most = -1, exact = -1;
  float exact32 = -1;
  portable_exact all = {{0}};
  bool any = false, every = true, none = true;
  std::int64_t count = -1;
  portable::Loc<double> low{}, high{};
  parallel_reduce(
      "all", Bounds<2>(ny, nx),
      [=](int j, int i, double &s, double &q, double &a, double &b, auto &e, auto &f, auto &g, bool &is, bool &are, bool &never, std::int64_t &n,
          auto &l, auto &h) {
        const double v = p[j * nx + i];
        s += v;
        q *= (i % 2 ? 2.0 : 0.5);
        if (v < a) a = v;
        if (v > b) b = v;
        e += v;
        f += static_cast<double>(static_cast<float>(v));
        g += v;
        is = is || v > 3;
        are = are && v > -7;
        never = never || v > 50;
        n += v > 0.5;
        l.take(v, j * nx + i);
        h.take(v, j * nx + i);
      },
      Sum<double>(sum), portable::Product<double>(product), portable::Min<double>(least), portable::Max<double>(most),
      portable::ExactSum<double>(exact), portable::ExactSum<float>(exact32), portable::ExactSum<portable_exact>(all), portable::Any<>(any),
      portable::All<>(every), portable::Any<>(none), Sum<std::int64_t>(count), portable::MinLoc<double>(low), portable::MaxLoc<double>(high));
  portable_exact serial, serial32;
  portable_exact_init(&serial);
  portable_exact_init(&serial32);
  std::int64_t few = 0;
  for (double v : x) {
    portable_exact_add(&serial, v);
    portable_exact_add(&serial32, static_cast<double>(static_cast<float>(v)));
    few += v > 0.5;
  }
  portable_exact_normalise(&serial);
  CHECK(std::fabs(sum - exact) < 1e-9 && !(product < 1) && !(product > 1));
  CHECK(!(exact < portable_exact_value(&serial)) && !(exact > portable_exact_value(&serial)));
  CHECK(!(exact32 < portable_exact_value32(&serial32)) && !(exact32 > portable_exact_value32(&serial32)));
  for (int i = 0; i < PORTABLE_EXACT_WORDS; i++) CHECK(all.word[i] == serial.word[i]);
  CHECK(any && every && !none && count == few);
  CHECK(low.index == 1234 && high.index == 7777 && !(low.value < least) && !(low.value > least) && !(high.value < most) && !(high.value > most));
}

struct Moments {
  double n, sum, squares;
};

static void test_others() {
  using namespace portable::fortran;
  Moments m{}, zero{};
  parallel_reduce("moments", Bounds<1>(1000), [](int i, Moments &r) { r.n += 1, r.sum += i, r.squares += static_cast<double>(i) * i; },
                  portable::Reduce(m, zero, [](Moments &a, const Moments &b) { a.n += b.n, a.sum += b.sum, a.squares += b.squares; }));
  CHECK(static_cast<int>(m.n) == 1000 && static_cast<int>(m.sum) == 500500 && static_cast<int>(m.squares) == 333833500);
  std::complex<double> z(1, 1);
  Sum<std::complex<double>> into(z);
  into.into();
  parallel_reduce("complex", Bounds<1>({1, 9, 2}), [](int i, std::complex<double> &r) { r += std::complex<double>(i, -1); }, into);
  CHECK(static_cast<int>(z.real()) == 26 && static_cast<int>(z.imag()) == -4);
  int most = 5;
  parallel_reduce("empty", Bounds<2>(0, 7), [](int, int, int &r) { r = 3; }, portable::Max<int>(most));
  CHECK(most == std::numeric_limits<int>::min());
  std::int8_t wraps = 0;
  parallel_reduce("tiled", Bounds<1>(300), [](int, std::int8_t &r) { r = static_cast<std::int8_t>(r + 1); }, portable::LaunchConfig().set_tile(7),
                  Sum<std::int8_t>(wraps));
  CHECK(wraps == 44);
  // Rank 3, several ranges, the first index fastest.
  std::int64_t numbers = 0;
  parallel_reduce("cube", Bounds<3, portable::Order::first_fastest>(20, {3, 9}, {1, 30, 4}),
                  [](int i, int j, int k, std::int64_t &r) { r += i + 100 * j + 10000 * k; }, Sum<std::int64_t>(numbers));
  CHECK(numbers == 210 * 7 * 8 + 100 * 42 * 20 * 8 + 10000LL * 120 * 20 * 7);
}

// In float each of them would come to something else.
static void test_wide() {
  using namespace portable::c;
  float sum = 0, product = 0;
  std::complex<float> z(1, 0);
  portable::ScalarLiveOut<float> left(0.0f);
  portable::WideSum<std::complex<float>> into(z);
  into.into();
  parallel_reduce("wide", Bounds<1>(40000),
                  [](int i, double &s, double &p, std::complex<double> &c, double &l) {
                    const double x = i == 0 ? 16777216.0 : 1.0 / 1024;
                    s += x, l += x, c += std::complex<double>(x, -x);
                    p *= 1 + 1e-9;
                  },
                  portable::WideSum<float>(sum), portable::WideProduct<float>(product), into, portable::WideSum<float>(left));
  const float expected = static_cast<float>(16777216.0 + 39999 / 1024.0), grown = static_cast<float>(std::pow(1 + 1e-9, 40000));
  CHECK(!(sum < expected) && !(sum > expected) && sum > 16777216.0f);
  CHECK(std::fabs(product - grown) < 1e-6f && product > 1.00001f);
  CHECK(!(z.imag() < -expected) && !(z.imag() > -expected) && z.real() > 16777216.0f);
  CHECK(!(left.hostRead() < expected) && !(left.hostRead() > expected));
}

static void test_liveouts() {
  using namespace portable::c;
  portable::ScalarLiveOut<double> dt(1.5, "dt"), same = dt;
  CHECK(!(same.hostRead() < 1.5) && !(same.hostRead() > 1.5));
  parallel_for(1000, [=](int i) {
    if (i == 77) dt = i * 2.0;
  });
  CHECK(static_cast<int>(same.hostRead()) == 154);
  parallel_reduce("into a live-out", Bounds<1>(1000), [](int i, double &s) { s += i; }, Sum<double>(dt));
  CHECK(static_cast<int>(same.hostRead()) == 499500);
  same.hostWrite(2);
  CHECK(static_cast<int>(dt()) == 2 && static_cast<int>(dt.get()) == 2);
  portable::ScalarLiveOut<bool> flag;
  parallel_reduce("flag", Bounds<1>(1000), [](int i, bool &b) { b = b || i == 999; }, portable::Any<>(flag));
  CHECK(flag.hostRead());
}

static void test_exceptions() {
  using namespace portable::c;
  double to = 8;
  try {
    parallel_reduce("throws", Bounds<1>(1000), [](int i, double &s) { s += i == 500 ? throw 42 : 1; }, Sum<double>(to));
    CHECK(false);
  } catch (int code) {
    CHECK(code == 42);
  }
  CHECK(static_cast<int>(to) == 8);
  try {
    parallel_reduce("stride", Bounds<1>({1, 9, 0}), [](int, double &s) { s += 1; }, Sum<double>(to));
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG && std::string(e.what()).find("parallel_reduce 'stride': the stride of dimension 1 is 0") == 0);
  }
}

int main() {
  portable::check(portable_init(nullptr));
  test_reducers();
  test_others();
  test_wide();
  test_liveouts();
  test_exceptions();
  portable_pool pool = 0;
  portable_stats s{};
  s.struct_size = sizeof s;
  portable::check(portable_pool_default(&pool));
  portable::check(portable_pool_stats(pool, &s));
  CHECK(s.in_use_blocks == 0);
  portable::check(portable_finalize());
  return failures > 0;
}
