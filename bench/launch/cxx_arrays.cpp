// cxx_arrays.cpp - compares loops over Arrays with the same loops over plain pointers, and
// structures as bytes with memcpy, and measures making and dropping an Array. Both versions of a
// loop use the same memory, in turn, so that only their code differs. usage: bench_cxx_arrays
// portable arrays [N]. Prints name, value and unit, a line each, separated by tabs. With N it does
// an Nth of the work, to test that it works.
#include <portable.hpp>
#include <portable_serialize.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using portable::Array;
using portable::c::Bounds;
using portable::index_t;
using portable::memDevice;
using portable::styleFortran;

static long part = 1;

static double seconds_of(const std::chrono::steady_clock::time_point &before) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

// The best of some rounds of each of two, in turn.
template <class F, class G> static void compare(const char *name, double gigabytes, const F &plain, const G &array) {
  double best_plain = 1e30, best_array = 1e30;
  for (int round = 0; round < 12; round++) {
    auto before = std::chrono::steady_clock::now();
    plain();
    best_plain = std::min(best_plain, seconds_of(before));
    before = std::chrono::steady_clock::now();
    array();
    best_array = std::min(best_array, seconds_of(before));
  }
  std::printf("%s, plain pointers\t%.6g\tGB/s\n%s, Array\t%.6g\tGB/s\n", name, gigabytes / best_plain, name, gigabytes / best_array);
}

static void wrong(const char *what) {
  std::fprintf(stderr, "%s: the result is wrong\n", what);
  std::exit(1);
}

static void triad() {
  const int n = static_cast<int>(16777216 / part);
  const Array<double, 1, memDevice> a("a", n), b("b", n), c("c", n);
  a = 0;
  b = 1;
  c = 2;
  double *pa = a.data();
  const double *pb = b.data(), *pc = c.data();
  compare("triad in C++, 16.8 M elements", 24e-9 * n,
          [=] { portable::parallel_for("triad", Bounds<1>(n), [=](int i) { pa[i] = pb[i] + 3.0 * pc[i]; }); },
          [=] { portable::parallel_for("triad", Bounds<1>(n), [=](int i) { a(i) = b(i) + 3.0 * c(i); }); });
  if (portable::intrinsics::minval(a) != 7 || portable::intrinsics::maxval(a) != 7) wrong("triad");
}

static void stencil() {
  const int n = std::max(12, static_cast<int>(256 / std::cbrt(static_cast<double>(part)))), m = n + 2;
  const Array<double, 3, memDevice> in("in", m, m, m), out("out", m, m, m);
  const Array<double, 3, memDevice, styleFortran> fin("in", in.data(), {0, n + 1}, {0, n + 1}, {0, n + 1}), fout("out", out.data(), {0, n + 1}, {0, n + 1}, {0, n + 1});
  in = 1;
  out = 0;
  const double k = 0.1, gigabytes = 16e-9 * n * n * n, *pin = in.data();
  double *pout = out.data();
  const auto plain = [=] {
    portable::parallel_for("stencil", Bounds<3>({1, n}, {1, n}, {1, n}), [=](int z, int y, int x) {
      const auto at = [m](int c, int b, int a) { return (static_cast<index_t>(c) * m + b) * m + a; };
      pout[at(z, y, x)] = pin[at(z, y, x)] + k * (pin[at(z, y, x - 1)] + pin[at(z, y, x + 1)] + pin[at(z, y - 1, x)] + pin[at(z, y + 1, x)] +
                                                  pin[at(z - 1, y, x)] + pin[at(z + 1, y, x)] - 6 * pin[at(z, y, x)]);
    });
  };
  compare("7-point stencil in C++, 256^3", gigabytes, plain, [=] {
    portable::parallel_for("stencil", Bounds<3>({1, n}, {1, n}, {1, n}), [=](int z, int y, int x) {
      out(z, y, x) = in(z, y, x) + k * (in(z, y, x - 1) + in(z, y, x + 1) + in(z, y - 1, x) + in(z, y + 1, x) + in(z - 1, y, x) + in(z + 1, y, x) -
                                        6 * in(z, y, x));
    });
  });
  compare("7-point stencil in C++, Fortran style, 256^3", gigabytes, plain, [=] {
    portable::parallel_for("stencil", portable::fortran::Bounds<3>(n, n, n), [=](int z, int y, int x) {
      fout(x, y, z) = fin(x, y, z) + k * (fin(x - 1, y, z) + fin(x + 1, y, z) + fin(x, y - 1, z) + fin(x, y + 1, z) + fin(x, y, z - 1) +
                                          fin(x, y, z + 1) - 6 * fin(x, y, z));
    });
  });
  if (out(1, 1, 1) != 1 || out(n, n, n) != 1 || out(0, 1, 1) != 0) wrong("stencil");
}

// The best of some rounds of each, in turn: a division also looks for zeros.
static void dividing() {
  using portable::componentwise::operator*;
  using portable::componentwise::operator/;
  const int n = static_cast<int>(67108864 / part);
  const Array<int, 1, memDevice> a("a", n), b("b", n);
  a = 12;
  b = 3;
  double product = 1e30, quotient = 1e30;
  bool right = true;
  for (int round = 0; round < 6; round++) {
    auto before = std::chrono::steady_clock::now();
    right = (a * b)(n - 1) == 36 && right;
    product = std::min(product, seconds_of(before));
    before = std::chrono::steady_clock::now();
    right = (a / b)(n - 1) == 4 && right;
    quotient = std::min(quotient, seconds_of(before));
  }
  if (!right) wrong("dividing");
  std::printf("a * b in C++, 67.1 M integers\t%.6g\tms\na / b in C++, 67.1 M integers\t%.6g\tms\n", product * 1e3, quotient * 1e3);
}

static void making() {
  const int times = std::max(100, static_cast<int>(200000 / part));
  double best = 1e30, held = 0;
  for (int round = 0; round < 5; round++) {
    const auto before = std::chrono::steady_clock::now();
    for (int k = 0; k < times; k++) {
      const Array<double, 2, memDevice> work("work", 100, 100);
      work(k % 100, 7) = k;
      held += work(k % 100, 7);
    }
    best = std::min(best, seconds_of(before) / times);
  }
  if (held < 0) wrong("making");
  std::printf("an Array of 80 KB made and dropped\t%.6g\tns\n", best * 1e9);
}

struct Fields {
  Array<double, 2> h, u;
  std::vector<float> list;
  auto fields() { return std::tie(h, u, list); }
};

// A structure to bytes and back, and memcpy of as many bytes by one thread, in turn.
static void bytes() {
  const int n = static_cast<int>(2097152 / part);
  Fields from, to;
  from.h = Array<double, 2>("h", n, 2);
  from.u = Array<double, 2>("u", n, 1);
  from.h = 1;
  from.u = 2;
  from.list.assign(static_cast<std::size_t>(n), 3);
  const std::size_t all = portable::serialized_size(from);
  std::vector<unsigned char> buffer(all), source(all, 1), target(all);
  double copied = 1e30, written = 1e30, read = 1e30;
  for (int round = 0; round < 12; round++) {
    auto before = std::chrono::steady_clock::now();
    std::memcpy(target.data(), source.data(), all);
    copied = std::min(copied, seconds_of(before));
    before = std::chrono::steady_clock::now();
    portable::serialize(from, buffer.data(), all);
    written = std::min(written, seconds_of(before));
    before = std::chrono::steady_clock::now();
    portable::deserialize(buffer, to);
    read = std::min(read, seconds_of(before));
  }
  if (target[all - 1] != 1 || to.u(n - 1, 0) != 2 || to.list.back() != 3) wrong("bytes");
  const double gigabytes = 1e-9 * static_cast<double>(all);
  std::printf("structure of 59 MB, memcpy\t%.6g\tGB/s\nstructure of 59 MB, serialize\t%.6g\tGB/s\nstructure of 59 MB, deserialize\t%.6g\tGB/s\n", gigabytes / copied,
              gigabytes / written, gigabytes / read);
}

int main(int argc, char **argv) {
  if (argc > 3) part = std::max(1L, std::atol(argv[3]));
  portable::init();
  triad();
  stencil();
  dividing();
  making();
  bytes();
  portable::finalize();
  return 0;
}
