// pointers.cpp - portable_componentwise.hpp: kinds from types, single values, results of logical operations in bool and integers, exceptions.
// Not in this program: each operation (model.c).
#include "portable.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      failures++;                                                      \
      std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
    }                                                                  \
  } while (0)

struct Cell {
  float mass;
  std::int16_t kind;
};

int main() {
  if (portable_init(nullptr) != 0) return 1;
  const std::int64_t extents[2] = {30, 1000}, few[1] = {3};
  const std::size_t n = 30000;
  std::vector<double> a(n), b(n), c(n);
  std::vector<std::int32_t> flags(n), i(n, 7), j(n, 2);
  for (std::size_t k = 0; k < n; k++) a[k] = double(k) / 8, b[k] = double(n - k);
  portable::binary<PORTABLE_BINARY_ADD>("add", a.data(), b.data(), c.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(c[k] == a[k] + b[k]);
  portable::binary<PORTABLE_BINARY_MULTIPLY>("scale", c.data(), 2, c.data(), 2, extents);
  portable::binary<PORTABLE_BINARY_SUBTRACT>("from", 1, c.data(), c.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(c[k] == 1 - (a[k] + b[k]) * 2);
  portable::unary<PORTABLE_UNARY_SQRT>("root", a.data(), c.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(c[k] == std::sqrt(a[k]));
  bool *dry = new bool[n];
  portable::binary<PORTABLE_BINARY_LESS>("dry", a.data(), 1000, dry, 2, extents);
  portable::binary<PORTABLE_BINARY_LESS>("flags", a.data(), 1000, flags.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(dry[k] == (a[k] < 1000) && flags[k] == (a[k] < 1000));
  portable::merge("choose", a.data(), b.data(), dry, c.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(c[k] == (dry[k] ? a[k] : b[k]));
  portable::unary<PORTABLE_UNARY_NOT>("wet", dry, dry, 2, extents);
  portable::binary<PORTABLE_BINARY_AND>("both", dry, true, dry, 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(dry[k] == !(a[k] < 1000));
  portable::binary<PORTABLE_BINARY_DIVIDE>("quotient", i.data(), j.data(), i.data(), 2, extents);
  for (std::size_t k = 0; k < n; k++) CHECK(i[k] == 3);
  portable_componentwise_options every_third = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  const std::int64_t strides[1] = {3 * sizeof(double)};
  every_third.result_strides = strides;
  portable::fill("third", 5, c.data(), 1, few, &every_third);
  CHECK(c[0] == 5 && c[3] == 5 && c[6] == 5 && c[9] == a[9] && c[1] == a[1]);
  Cell cells[3];
  portable::fill("cells", Cell{2.5f, 4}, cells, 1, few);
  CHECK(cells[2].mass == 2.5f && cells[2].kind == 4);
  bool thrown = false;
  j[500] = 0;
  try {
    portable::binary<PORTABLE_BINARY_DIVIDE>("shares", i.data(), j.data(), i.data(), 2, extents);
  } catch (const portable::Error &e) {
    thrown = e.status() == PORTABLE_ERR_ARG && std::strstr(e.what(), "'shares': divide divides by 0 at index [0][500] first") != nullptr;
  }
  CHECK(thrown && i[0] == 3);
  delete[] dry;
  if (portable_finalize() != 0) failures++;
  std::printf("%d failures\n", failures);
  return failures != 0;
}
