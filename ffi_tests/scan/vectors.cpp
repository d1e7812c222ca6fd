// vectors.cpp - scans and filters from C++: pointers, vectors, lambdas, exceptions. Not in this file: the order of sums (scan.c), strides (filter.c).
#include "portable.hpp"

#include <cstdio>
#include <stdexcept>
#include <vector>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) failures++, std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
  } while (0)

static void test_scans() {
  std::vector<std::int64_t> numbers(30000);
  for (std::size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<std::int64_t>(i * i % 1000) - 300;
  const std::vector<std::int64_t> sums = portable::inclusive_scan("sums", numbers), before = portable::exclusive_scan("before", numbers, std::int64_t{7}),
                                  most = portable::inclusive_scan("most", numbers, portable::Scan::max);
  std::int64_t sum = 0, largest = -1000, bad = 0;
  for (std::size_t i = 0; i < numbers.size(); i++) {
    bad += before[i] != sum + 7;
    sum += numbers[i];
    if (numbers[i] > largest) largest = numbers[i];
    bad += sums[i] != sum || most[i] != largest;
  }
  CHECK(bad == 0);
  std::vector<std::int64_t> own = numbers;
  portable::inclusive_scan("own", own.data(), static_cast<std::int64_t>(own.size()), own.data(), portable::Scan::sum, portable::LaunchConfig().set_device(1));
  CHECK(own == sums);
  try {
    portable::inclusive_scan("own", own.data(), 10, own.data() + 3);
    CHECK(!"refused");
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG);
  }
}

struct Particle {
  float x, y, z;
};

static void test_filters() {
  constexpr int n = 20000;
  std::vector<Particle> all(n), few(n), again(n);
  std::vector<char> mask(n);
  std::vector<int> want;
  for (int i = 0; i < n; i++) {
    all[static_cast<std::size_t>(i)] = {static_cast<float>(i), 0, 1};
    mask[static_cast<std::size_t>(i)] = i % 7 == 3;
    if (i % 7 == 3) want.push_back(i);
  }
  const auto chosen = static_cast<std::int64_t>(want.size());
  CHECK(portable::pack("few", all.data(), mask.data(), n, few.data(), n) == chosen);
  CHECK(portable::unpack("again", few.data(), chosen, mask.data(), n, again.data()) == chosen);
  std::vector<int> list(want.size());
  CHECK(portable::active_indices("list", mask.data(), n, list.data(), chosen) == chosen);
  CHECK(list == want);
  int bad = 0;
  for (std::size_t i = 0; i < n; i++) bad += again[i].z != (mask[i] ? 1.0f : 0.0f) || (mask[i] && again[i].x != all[i].x);
  CHECK(bad == 0);
  const Particle *p = all.data();
  CHECK(portable::parallel_filter("kernel", portable::c::Bounds<1>(n), [=](int i) { return static_cast<int>(p[i].x) % 7 == 3; }) == want);
  const auto odd = portable::parallel_filter("odd", portable::fortran::Bounds<1>({1, 99, 2}), [](int i) { return i % 3 == 0; });
  CHECK(odd.size() == 17 && odd[0] == 3 && odd[16] == 99);
  try {
    portable::parallel_filter("little", portable::c::Bounds<1>(n), [](int) { return true; }, list.data(), chosen);
    CHECK(!"refused");
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_OVERFLOW);
  }
  try {
    portable::parallel_filter("throws", portable::c::Bounds<1>(n), [](int i) { return i == 500 ? throw std::out_of_range("500") : true; });
    CHECK(!"thrown");
  } catch (const std::out_of_range &) {
  }
}

int main() {
  portable::check(portable_init(nullptr));
  test_scans();
  test_filters();
  portable::check(portable_finalize());
  if (failures > 0) std::printf("%d checks failed\n", failures);
  return failures > 0;
}
