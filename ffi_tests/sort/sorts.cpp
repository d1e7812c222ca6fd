// sorts.cpp - sort, sort_by_key and sort_index of portable.hpp against std::stable_sort: types, directions, exceptions.
// Not in this file: many kinds of input (sorts.c).
#include "portable.hpp"

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

static int failures;

static void check(bool good, const char *what) {
  if (good) return;
  failures++;
  std::printf("FAILED: %s\n", what);
}

struct particle {
  double mass;
  std::int32_t number;
};

template <class K, class Index> static void against_model(std::size_t n, const char *what) {
  std::mt19937 random(7);
  std::vector<K> keys(n);
  for (K &k : keys) k = static_cast<K>(static_cast<int>(random() % 100u) - 50);
  const std::vector<K> before = keys;
  std::vector<Index> order(n), found(n);
  std::vector<particle> particles(n);
  for (std::size_t i = 0; i < n; i++) {
    order[i] = static_cast<Index>(i);
    particles[i] = {static_cast<double>(i), static_cast<std::int32_t>(i)};
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return before[static_cast<std::size_t>(a)] < before[static_cast<std::size_t>(b)]; });
  const std::int64_t count = static_cast<std::int64_t>(n);
  portable::sort_index("index", keys.data(), count, found.data());
  check(found == order && keys == before, what);
  portable::sort_by_key("by key", keys.data(), particles.data(), count);
  bool same = true;
  for (std::size_t i = 0; i < n; i++) same &= particles[i].number == order[i] && particles[i].mass == static_cast<double>(order[i]);
  check(same && std::is_sorted(keys.begin(), keys.end()), what);
  keys = before;
  portable::sort("keys", keys.data(), count, portable::Sorting::descending, portable::LaunchConfig().set_schedule(portable::Schedule::dynamic));
  check(std::is_sorted(keys.rbegin(), keys.rend()), what);
}

int main() {
  portable::check(portable_init(nullptr));
  for (std::size_t n : {std::size_t{200}, std::size_t{20000}}) {
    against_model<std::int8_t, std::int32_t>(n, "int8");
    against_model<std::int32_t, std::int64_t>(n, "int32");
    against_model<std::int64_t, std::int32_t>(n, "int64");
    against_model<float, std::int32_t>(n, "float");
    against_model<double, std::int64_t>(n, "double");
  }
  double one = 1;
  try {
    portable::sort("bad", &one, -1);
    check(false, "no exception");
  } catch (const portable::Error &e) {
    check(e.status() == PORTABLE_ERR_ARG && std::string(e.what()).find("sort 'bad': count is -1") != std::string::npos, e.what());
  }
  portable::check(portable_finalize());
  return failures > 0;
}
