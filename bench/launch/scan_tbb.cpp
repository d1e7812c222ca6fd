// scan_tbb.cpp - scan.h by the parallel algorithms of the C++ library, which are oneTBB's.
#include "scan.h"

#include <algorithm>
#include <cstddef>
#include <execution>
#include <iterator>
#include <numeric>

#include <oneapi/tbb.h>

void engine_start() {}

void engine_touch(void *memory, std::int64_t bytes) {
  char *p = static_cast<char *>(memory);
  oneapi::tbb::parallel_for(std::int64_t{0}, bytes / 4096 + 1, [=](std::int64_t page) {
    for (std::int64_t i = page * 4096; i < bytes && i < (page + 1) * 4096; i++) p[i] = 0;
  });
}

void engine_scan(const double *x, std::int64_t n, double *out) { std::inclusive_scan(std::execution::par_unseq, x, x + n, out); }
void engine_scan(const std::int32_t *x, std::int64_t n, std::int32_t *out) { std::inclusive_scan(std::execution::par_unseq, x, x + n, out); }

// 0, 1, 2, ... without memory.
struct Counter {
  using value_type = std::int32_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const std::int32_t *;
  using reference = std::int32_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int32_t i = 0;
  std::int32_t operator*() const { return i; }
  std::int32_t operator[](difference_type d) const { return i + static_cast<std::int32_t>(d); }
  Counter &operator++() { return ++i, *this; }
  Counter &operator--() { return --i, *this; }
  Counter operator++(int) { return Counter{i++}; }
  Counter operator--(int) { return Counter{i--}; }
  Counter &operator+=(difference_type d) { return i += static_cast<std::int32_t>(d), *this; }
  Counter &operator-=(difference_type d) { return i -= static_cast<std::int32_t>(d), *this; }
  Counter operator+(difference_type d) const { return Counter{i + static_cast<std::int32_t>(d)}; }
  Counter operator-(difference_type d) const { return Counter{i - static_cast<std::int32_t>(d)}; }
  difference_type operator-(Counter o) const { return i - o.i; }
  bool operator==(Counter o) const { return i == o.i; }
  bool operator!=(Counter o) const { return i != o.i; }
  bool operator<(Counter o) const { return i < o.i; }
};

std::int64_t engine_pack(const double *x, const std::int32_t *mask, std::int64_t n, double *out) {
  return std::copy_if(std::execution::par_unseq, x, x + n, out, [=](const double &v) { return mask[&v - x] != 0; }) - out;
}

std::int64_t engine_list(const std::int32_t *mask, std::int64_t n, std::int32_t *list) {
  const Counter end{static_cast<std::int32_t>(n)};
  return std::copy_if(std::execution::par_unseq, Counter{0}, end, list, [=](std::int32_t i) { return mask[i] != 0; }) - list;
}
