// elements.cpp - operations element by element, merge, pack, transpose and reductions of Arrays in memory that only the device accesses: the values that
// the same calls give for arrays of the host. Elements that the library has no kind for are refused. Not in this file: each operation of each kind
// (../algorithms/componentwise.c), the order of work (order.cpp).
#include <portable.hpp>

#include <cstdio>
#include <cstring>

using namespace portable;
template <class T, int rank> using Far = Array<T, rank, memDevice>;
template <class T, int rank> using Near = Array<T, rank, memHost>;

static int failures;

static void check_that(bool right, const char *what) {
  if (right) return;
  failures++;
  std::printf("%s: wrong  last error: %s\n", what, portable_last_error());
}

// Bits, or for functions of the GPU so many units in the last place.
template <class T, int rank> static void same(const Far<T, rank> &there, const Near<T, rank> &here, const char *what, double units = 0) {
  check_that(portable_reach(there.data()) == PORTABLE_REACH_DEVICE, what);
  const auto back = there.createHostCopy();
  bool right = back.size() == here.size();
  for (index_t k = 0; right && k < here.size(); k++) {
    const auto x = back.data()[k], y = here.data()[k];
    if constexpr (std::is_floating_point<T>::value)
      right = units > 0 ? !(std::abs(x - y) > units * std::numeric_limits<T>::epsilon() * std::abs(y)) : std::memcmp(&x, &y, sizeof x) == 0;
    else
      right = x == y;
  }
  for (int d = 0; right && d < rank; d++) right = there.extent(d) == here.extent(d);
  check_that(right, what);
}

template <class F> static bool refused(const F &f, const char *text) {
  try {
    f();
  } catch (const Error &e) {
    if (std::strstr(e.what(), text)) return true;
    std::printf("the text lacks '%s': %s\n", text, e.what());
  }
  return false;
}

// The same expression of arrays here and there.
template <class T> struct Both {
  Near<T, 2> h, g;
  Near<bool, 2> m;
  Far<T, 2> a, b;
  Far<bool, 2> mask;
  Both() : h("h", 37, 21), g("g", 37, 21), m("m", 37, 21) {
    for (index_t k = 0; k < h.size(); k++) {
      h.data()[k] = static_cast<T>(k % 13 - 6) * static_cast<T>(3) / static_cast<T>(2);
      g.data()[k] = static_cast<T>(k % 7 + 1);
      m.data()[k] = k % 3 == 0;
    }
    a = h.createDeviceCopy();
    b = g.createDeviceCopy();
    mask = m.createDeviceCopy();
  }
};

template <class T> static void numbers() {
  using namespace componentwise;
  const Both<T> o;
  same(o.a + o.b, o.h + o.g, "a + b");
  same(o.a - o.b, o.h - o.g, "a - b");
  same(o.a * T(3), o.h * T(3), "a * 3");
  same(T(3) - o.b, T(3) - o.g, "3 - b");
  same(o.a / o.b, o.h / o.g, "a / b");
  same(-o.a, -o.h, "-a");
  same(o.a < o.b, o.h < o.g, "a < b");
  same(o.a == T(3), o.h == T(3), "a == 3");
  same(intrinsics::abs(o.a), intrinsics::abs(o.h), "abs");
  same(intrinsics::sign(o.b, o.a), intrinsics::sign(o.g, o.h), "sign");
  same(intrinsics::mod(o.a, o.b), intrinsics::mod(o.h, o.g), "mod");
  same(intrinsics::merge(o.a, o.b, o.mask), intrinsics::merge(o.h, o.g, o.m), "merge");
  same(intrinsics::merge(o.a, T(7), o.mask), intrinsics::merge(o.h, T(7), o.m), "merge with a number");
  same(intrinsics::pack(o.a, o.mask), intrinsics::pack(o.h, o.m), "pack");
  same(intrinsics::pack(o.a), intrinsics::pack(o.h), "pack of all");
  same(intrinsics::transpose(o.a), intrinsics::transpose(o.h), "transpose");
  check_that(intrinsics::sum(o.a) == intrinsics::sum(o.h), "sum");
  check_that(intrinsics::maxval(o.a) == intrinsics::maxval(o.h) && intrinsics::minval(o.b) == 1, "maxval, minval");
  check_that(intrinsics::count(o.mask) == intrinsics::count(o.m) && intrinsics::any(o.mask) && !intrinsics::all(o.mask), "count, any, all");
  const auto place = intrinsics::maxloc(o.a), wanted = intrinsics::maxloc(o.h);
  check_that(place(0) == wanted(0) && place(1) == wanted(1), "maxloc");
}

int main(int argc, char **argv) {
  using namespace componentwise;
  init();
  numbers<double>();
  if (argc > 1 && std::strcmp(argv[1], "all") == 0) { // each operation of a type is a module, which takes some time to compile
    numbers<float>();
    numbers<int>();
    numbers<long long>();
  }
  {
    const Both<double> o;
    same(sqrt(o.b), sqrt(o.g), "sqrt");
    same(exp(o.a), exp(o.h), "exp", 2);
    same(pow(o.b, o.a), pow(o.g, o.h), "pow", 2);
    same(o.a * 3, o.h * 3, "a number of another type");
    same(!o.mask, !o.m, "!mask");
    same(o.mask && (o.a < o.b), o.m && (o.h < o.g), "mask && a < b");
    const Both<int> i;
    Far<int, 2> zeros("zeros", 37, 21);
    zeros = 0;
    check_that(refused([&] { i.a / zeros; }, "divide divides by 0 at index [0] first"), "a division by 0");
    const char *const why = "host code does not reach";
    check_that(refused([&] { unary(o.a, [](double x) { return x; }); }, why), "a function of the program's");
    check_that(refused([&] { i.a + o.a; }, why), "two types");
    check_that(refused([&] { Far<short, 1> s("s", 9); s = 1; -s; }, why), "a type without operations");
    check_that(refused([&] { o.a + intrinsics::transpose(o.a); }, "its extent in dimension 1 is 37"), "two shapes");
  }
  finalize();
  if (failures == 0) std::printf("all values are the host's\n");
  return failures != 0;
}
