// constant.cpp - work divisions in constant expressions: what fails here does not compile. Not in this file: random spaces (divisions.c).
#include "portable.hpp"

namespace {

constexpr portable_work_division make() {
  portable_work_division w{};
  w.rank = 2;
  w.order = PORTABLE_ORDER_C;
  for (int d = 0; d < 2; d++) {
    w.lower[d] = 1;
    w.stride[d] = 1;
    w.extent[d] = 10 + d; // 3 blocks of 4, the last one cut off
    w.blocks[d] = 3;
    w.threads[d] = 2;
    w.elements[d] = 2;
  }
  return w;
}

constexpr portable_work_division w = make();

constexpr bool there_and_back() {
  for (std::int64_t i = 1; i <= 10; i++)
    for (std::int64_t j = 1; j <= 11; j++) {
      const std::int64_t index[2] = {i, j};
      std::int64_t block[2] = {0, 0}, thread[2] = {0, 0}, element[2] = {0, 0}, again[2] = {0, 0};
      portable_work_place(&w, index, block, thread, element);
      if (!portable_work_index(&w, block, thread, element, again) || again[0] != i || again[1] != j) return false;
    }
  return true;
}

constexpr std::int64_t last_box_end() {
  const std::int64_t block[2] = {2, 2};
  std::int64_t lower[2] = {0, 0}, upper[2] = {0, 0};
  portable_work_box(&w, block, nullptr, lower, upper);
  return 100 * upper[0] + upper[1];
}

constexpr std::int64_t unit_of_number(std::int64_t n) {
  std::int64_t unit[2] = {0, 0};
  portable_work_unit(&w, PORTABLE_WORK_BLOCK, PORTABLE_WORK_GRID, n, unit);
  return 10 * unit[0] + unit[1];
}

static_assert(portable_work_count(&w, PORTABLE_WORK_ELEMENT, PORTABLE_WORK_GRID) == 144, "");
static_assert(portable_work_extent(&w, PORTABLE_WORK_THREAD, PORTABLE_WORK_GRID, 1) == 6, "");
static_assert(portable_work_collapse(&w, PORTABLE_WORK_THREAD).elements[0] == 4, "");
static_assert(unit_of_number(5) == 12, "the last index is the fastest");
static_assert(last_box_end() == 1011, "cut off at the end");
static_assert(there_and_back(), "");

} // namespace

int main() { return 0; }
