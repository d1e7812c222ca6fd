// zeros.cpp - divisions of integer arrays behind the kernel that writes the divisors: a divisor of 0 is one error, and what a kernel has made of
// zeros divides. Not in this file: quotients themselves (../../arrays/functions.cpp).
#include <portable.hpp>

#include <cstdio>
#include <cstring>

using namespace portable;

static int failures;

static void expect(const char *what, int n, bool right) {
  if (right) return;
  failures++;
  std::printf("%s, %d elements: wrong  last error: %s\n", what, n, portable_last_error());
}

static const char source[] = R"(#include <portable_device.h>
struct set_args { portable_view<int, 1> x; int value, from; };
PORTABLE_KERNEL(set, set_args, a) { PORTABLE_FOR_1(i) { if (i >= a->from) a->x(i) = a->value; } }
)";

template <class F> static bool divides_by_zero(const F &f, int element) {
  try {
    f();
  } catch (const Error &e) {
    return e.status() == PORTABLE_ERR_ARG && std::strstr(e.what(), ("element " + std::to_string(element) + " of the divisor").c_str());
  }
  return false;
}

static void behind_kernel(int n) {
  using Ints = Array<int, 1, memDevice>;
  const Ints a("a", n), b("b", n);
  const Kernel set("set", CudaCode::source(source));
  const auto launch = [&](int value, int from) {
    set.launch(c::Bounds<1>(n), [](int i, const auto &x, int v, int first) { if (i >= first) x(i) = v; }, b, value, from);
  };
  const auto behind = [&](int before, int value, int from) -> const Ints & {
    fence();
    a = 12;
    b = before;
    launch(value, from);
    return b;
  };
  using componentwise::operator/;
  expect("zeros that a kernel has overwritten", n, (a / behind(0, 2, 0))(n - 1) == 6);
  expect("mod by what a kernel has overwritten", n, intrinsics::mod(a, behind(0, 5, 0))(n - 1) == 2);
  expect("a number by what a kernel has overwritten", n, (7 / behind(0, 2, 0))(0) == 3);
  expect("zeros of a kernel", n, divides_by_zero([&] { a / behind(3, 0, 0); }, 1));
  expect("the first of many zeros", n, divides_by_zero([&] { a / behind(3, 0, n / 3); }, n / 3 + 1));
  expect("the last element", n, divides_by_zero([&] { intrinsics::mod(a, behind(3, 0, n - 1)); }, n));
  expect("an array behind a kernel by a number", n, (behind(3, 8, 0) / 2)(n - 1) == 4);
}

int main() {
  init();
  for (int n : {3, 100, 511, 100000}) behind_kernel(n);
  finalize();
  return failures != 0;
}
