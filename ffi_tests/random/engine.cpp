// engine.cpp - random numbers for C++: the engine with distributions of <random>, known answers, random_fill over pointers and its errors.
// Not in this file: the bits of RandomKey (bits.cpp), layouts (fill.c).
#include <portable.hpp>
#include <portable_random.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

static int failures;
static void check(bool good, const char *what) {
  if (!good && failures++ < 10) std::fprintf(stderr, "wrong: %s\n", what);
}

static void known(const portable_random_block &c, std::uint32_t k0, std::uint32_t k1, const portable_random_block &answer) {
  const portable_random_block r = portable_random_philox4x32(c, k0, k1);
  check(std::memcmp(&r, &answer, sizeof r) == 0, "a known answer of Random123");
}

static void engine() {
  static_assert(std::is_same<portable::RandomEngine::result_type, std::uint64_t>::value && std::is_trivially_copyable<portable::RandomEngine>::value, "kernels copy engines");
  static_assert(portable::RandomEngine::min() == 0 && portable::RandomEngine::max() == UINT64_MAX, "all 64 bits");
  const portable::RandomKey key{2026, 1, 3};
  portable::RandomEngine e(key, 77, 5), copy = e, last(key, 77, INT32_MAX);
  for (std::int32_t k = 0; k < 100; k++) check(e() == key.bits(77, 5 + k), "numbers of the draws in order");
  copy.discard(99);
  check(copy.draw() == 104 && copy() == key.bits(77, 104), "discard");
  check(last() == key.bits(77, INT32_MAX) && last() == key.bits(77, INT32_MIN), "the draw after the largest one");
  double sum = 0, squares = 0, waits = 0;
  int ones = 0, faces[6] = {0};
  const int n = 200000;
  for (std::int64_t cell = 0; cell < n; cell++) {
    portable::RandomEngine of_cell(key, cell);
    const double x = std::normal_distribution<double>(10, 2)(of_cell);
    sum += x;
    squares += (x - 10) * (x - 10);
    waits += std::exponential_distribution<double>(0.5)(of_cell);
    ones += std::bernoulli_distribution(0.25)(of_cell);
    faces[std::uniform_int_distribution<int>(1, 6)(of_cell) - 1]++;
  }
  check(sum / n > 9.97 && sum / n < 10.03 && squares / n > 3.93 && squares / n < 4.07, "std::normal_distribution");
  check(waits / n > 1.97 && waits / n < 2.03, "std::exponential_distribution");
  check(ones > 49000 && ones < 51000, "std::bernoulli_distribution");
  for (const int f : faces) check(f > 32500 && f < 34200, "std::uniform_int_distribution");
  std::vector<int> order(1000);
  for (int i = 0; i < 1000; i++) order[static_cast<std::size_t>(i)] = i;
  std::vector<int> again = order;
  std::shuffle(order.begin(), order.end(), portable::RandomEngine(key, 1));
  std::shuffle(again.begin(), again.end(), portable::RandomEngine(key, 1));
  check(order == again && !std::is_sorted(order.begin(), order.end()), "std::shuffle");
}

static void fills() {
  const portable::RandomKey key{1, 2, 3};
  std::vector<double> x(30000);
  std::vector<float> y(30000);
  portable::random_fill("x", key, -7, x.data(), 30000);
  portable::random_fill("y", key, 0, y.data(), 30000);
  portable::fence();
  for (std::int64_t i = 0; i < 30000; i++) check(x[static_cast<std::size_t>(i)] == key.real64(i - 7) && y[static_cast<std::size_t>(i)] == key.real32(i), "a line");
  const std::int64_t extents[2] = {50, 60}, strides[2] = {8, 8 * 50};
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  o.distribution = PORTABLE_RANDOM_NORMAL;
  o.strides = strides;
  o.draw = 4;
  portable::random_fill("turned", key, x.data(), 2, extents, &o);
  portable::fence();
  for (std::int64_t i = 0; i < 50; i++)
    for (std::int64_t j = 0; j < 60; j++) check(x[static_cast<std::size_t>(i + 50 * j)] == key.normal(60 * i + j, 4), "turned");
  try {
    portable::random_fill("beyond", key, INT64_MAX, x.data(), 2);
    check(false, "cells beyond the last one");
  } catch (const portable::Error &e) {
    check(e.status() == PORTABLE_ERR_OVERFLOW && std::strstr(e.what(), "do not fit int64"), "the error");
  }
}

int main() {
  known({{0, 0, 0, 0}}, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  known({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  known({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0, {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
  engine();
  portable::init();
  fills();
  portable::finalize();
  return failures > 0;
}
