// blocks_main.cpp - times the loops of blocks_portable.cpp or blocks_openmp.cpp, and tests their
// results. usage: bench_blocks_ENGINE ENGINE daxpy|dgemm|atomics [N]. Prints name, value and unit,
// a line each, separated by tabs. With N it does an Nth of the work, to test that it works.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "blocks.h"

static long part = 1;

// The best of some rounds, in seconds.
template <class F> static double best(int rounds, F f) {
  double least = 1e30;
  f();
  for (int i = 0; i < rounds; i++) {
    const auto before = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
  }
  return std::max(least, 1e-9);
}

static void wrong(const char *what) {
  std::fprintf(stderr, "%s: the result is wrong\n", what);
  std::exit(1);
}

static void time_daxpy() {
  const std::int64_t n = 16777216 / part;
  std::vector<double> x(static_cast<std::size_t>(n), 1.0), y(x.size(), 2.0);
  const double seconds = best(20, [&] { daxpy(n, 0.5, x.data(), y.data()); });
  for (double v : y)
    if (v != 2 + 21 * 0.5) wrong("daxpy");
  std::printf("DAXPY, 16.8 M elements\t%.6g\tGB/s\n", 24e-9 * static_cast<double>(n) / seconds);
}

static void time_dgemm() {
  const int n = std::max(70, static_cast<int>(1024 / std::cbrt(static_cast<double>(part)))); // more than one block, the last cut off
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<double> a(count), b(count), c(count), first;
  unsigned state = 1;
  for (std::vector<double> *m : {&a, &b, &c})
    for (double &v : *m) v = (state = state * 1664525u + 1013904223u) / 65536u % 11u; // whole numbers from 0 to 10: all sums are exact
  first = c;
  dgemm(n, 2, a.data(), b.data(), -1, c.data());
  for (int i = 0; i < n; i += 1 + n / 20)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * n + j)];
      const std::size_t at = static_cast<std::size_t>(i * n + j);
      if (c[at] != 2 * sum - first[at]) wrong("dgemm");
    }
  const double seconds = best(5, [&] { dgemm(n, 1, a.data(), b.data(), 0.5, c.data()); });
  std::printf("tiled DGEMM, 1024 x 1024\t%.6g\tGFLOP/s\n", 2e-9 * std::pow(static_cast<double>(n), 3) / seconds);
}

template <class T> static void time_adds(const char *name, void (*add)(std::int64_t, bool, T *)) {
  const std::int64_t times = 2000000 / part;
  std::vector<T> sum(16 * static_cast<std::size_t>(threads()));
  for (bool together : {false, true}) {
    std::fill(sum.begin(), sum.end(), T(0));
    const double seconds = best(10, [&] { add(times, together, sum.data()); });
    T all = 0;
    for (T v : sum) all += v;
    if (all != T(11 * times * threads())) wrong(name);
    std::printf("atomic add, %s, %s\t%.6g\tns\n", name, together ? "all threads to one" : "each thread to its own",
                1e9 * seconds / static_cast<double>(times));
  }
}

int main(int argc, char **argv) {
  if (argc > 3) part = std::max(1l, std::strtol(argv[3], nullptr, 10));
  start();
  if (argc > 2 && std::strcmp(argv[2], "daxpy") == 0) {
    time_daxpy();
  } else if (argc > 2 && std::strcmp(argv[2], "dgemm") == 0) {
    time_dgemm();
  } else if (argc > 2 && std::strcmp(argv[2], "atomics") == 0) {
    time_adds<std::int64_t>("int64", add_integers);
    time_adds<double>("real64", add_reals);
  } else {
    std::fprintf(stderr, "usage: %s ENGINE daxpy|dgemm|atomics [N]\n", argv[0]);
    return 2;
  }
}
