// sorts_main.cpp - times the sort that it is linked with, and tests that keys are in order
// afterwards. usage: bench_sorts_ENGINE ENGINE [N]. Prints name, value and unit, a line each,
// separated by tabs. With N it sorts an Nth of the keys, to test that it works.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "sorts.h"

template <class T> static T make(std::mt19937_64 &random) {
  if constexpr (std::is_same<T, double>::value) return std::uniform_real_distribution<double>(0, 1)(random);
  return static_cast<T>(random());
}

// The best of some rounds; each begins with the same keys, which are not timed.
template <class T> static void time_sort(const std::string &name, const std::vector<T> &keys, int rounds) {
  std::vector<T> work;
  double least = 1e30;
  for (int i = 0; i <= rounds; i++) {
    work = keys;
    const auto before = std::chrono::steady_clock::now();
    sort(work.data(), work.size());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    if (i > 0) least = std::min(least, seconds);
  }
  if (!std::is_sorted(work.begin(), work.end())) {
    std::fprintf(stderr, "%s: not in order\n", name.c_str());
    std::exit(1);
  }
  std::printf("sort, %s\t%.6g\tms\n", name.c_str(), 1e3 * least);
}

template <class T> static void time_kind(const std::string &kind, std::size_t n, const std::string &count, int rounds) {
  std::mt19937_64 random(42);
  std::vector<T> keys(n);
  for (T &k : keys) k = make<T>(random);
  time_sort(count + " " + kind, keys, rounds);
  std::sort(keys.begin(), keys.end());
  time_sort(count + " " + kind + ", in order already", keys, rounds);
}

int main(int argc, char **argv) {
  const std::size_t part = argc > 2 ? static_cast<std::size_t>(std::max(1l, std::strtol(argv[2], nullptr, 10))) : 1;
  start();
  const std::size_t many = 16777216 / part, few = 100000 / part;
  time_kind<std::int32_t>("int32", many, "16.8 M", 1);
  time_kind<std::int64_t>("int64", many, "16.8 M", 1);
  time_kind<double>("real64", many, "16.8 M", 1);
  time_kind<std::int32_t>("int32", few, "100 000", 50);
  time_kind<std::int64_t>("int64", few, "100 000", 50);
  time_kind<double>("real64", few, "100 000", 50);
}
