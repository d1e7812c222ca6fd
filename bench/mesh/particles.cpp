// particles.cpp - times cells of particles next to sort_by_key of their keys, merges next to
// std::merge, and searches in a map next to std::lower_bound over its keys. usage: bench_particles
// portable particles [N]: with N the sizes are divided by it. Not in this file: forces.
#include <portable_particles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../clock.h"

namespace {

int rounds = 15;

// The least time of a call, after one that is not counted; before runs ahead of each.
template <class Before, class Call> double best(Before before, Call call) {
  double least = 0;
  for (int round = 0; round <= rounds; round++) {
    before();
    const double begin = now(), took = (call(), now() - begin);
    if (round == 1 || (round > 1 && took < least)) least = took;
  }
  return least;
}

template <class Call> double best(Call call) {
  return best([] {}, call);
}

std::uint64_t state = 88172645463325252u;
std::uint64_t any() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

void row(const char *what, double ns, std::int64_t n) { std::printf("%s\t%.4g\tns\n", what, ns / static_cast<double>(n)); }

void cells(std::int64_t n) {
  std::vector<double> x[3];
  const double cutoff = 2.0 / std::cbrt(static_cast<double>(n)); // 8 particles in a cell
  for (auto &v : x)
    for (std::int64_t i = 0; i < n; i++) v.push_back(static_cast<double>(any() >> 11) * 0x1p-53);
  portable::CellList list;
  const auto build = [&] { list.build<double>("cells", {x[0].data(), x[1].data(), x[2].data()}, n, cutoff, {0, 0, 0}, {1, 1, 1}); };
  build();
  std::vector<std::int32_t> cell(static_cast<std::size_t>(n)), key(cell.size()), order(cell.size());
  for (std::int64_t k = 0; k < n; k++) cell[static_cast<std::size_t>(list.order()[k])] = list.view().cell[k];
  row("cells of particles", best(build), n);
  row("cells of particles, sort_by_key of the keys", best(
                                                  [&] {
                                                    std::copy(cell.begin(), cell.end(), key.begin());
                                                    for (std::size_t i = 0; i < order.size(); i++) order[i] = static_cast<std::int32_t>(i);
                                                  },
                                                  [&] { portable_sort_by_key("keys", PORTABLE_KIND_INT32, key.data(), order.data(), 4, n, nullptr); }),
      n);
}

template <class T> void merges(const char *what, std::int64_t n) {
  std::vector<T> a, b, c(static_cast<std::size_t>(2 * n));
  for (std::int64_t i = 0; i < n; i++) a.push_back(static_cast<T>(any() >> 34)), b.push_back(static_cast<T>(any() >> 34));
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  row(what, best([&] { portable::merge_sorted("merge", a.data(), n, b.data(), n, c.data()); }), 2 * n);
  row((std::string(what) + ", std::merge").c_str(), best([&] { std::merge(a.begin(), a.end(), b.begin(), b.end(), c.begin()); }), 2 * n);
}

void map(std::int64_t n) {
  std::vector<std::int64_t> keys, found(static_cast<std::size_t>(n));
  portable::IndexMap<std::int64_t> map;
  for (std::int64_t i = 0; i < n; i++) keys.push_back(static_cast<std::int64_t>(any()));
  map.insert("map", keys.data(), n);
  for (std::int64_t i = n - 1; i > 0; i--) std::swap(keys[static_cast<std::size_t>(i)], keys[any() % static_cast<std::uint64_t>(i)]);
  const portable::IndexMapView view = map.view();
  row("a key of a map", best([&] {
        for (std::size_t i = 0; i < keys.size(); i++) found[i] = view.at(keys[i]);
      }),
      n);
  row("a key of a batch of a map", best([&] { map.find("find", keys.data(), n, found.data()); }), n);
  row("a key of a map, std::lower_bound", best([&] {
        for (std::size_t i = 0; i < keys.size(); i++) found[i] = std::lower_bound(map.keys(), map.keys() + map.size(), keys[i]) - map.keys();
      }),
      n);
}

} // namespace

int main(int argc, char **argv) {
  const std::int64_t divisor = argc > 3 ? std::atoll(argv[3]) : 1;
  if (divisor > 1) rounds = 1;
  if (portable_init(nullptr) != PORTABLE_OK) return 1;
  cells(1000000 / divisor);
  merges<double>("a merge of 2 x 2 M real64", 2000000 / divisor);
  merges<std::int32_t>("a merge of 2 x 2 M int32", 2000000 / divisor);
  map((1 << 20) / divisor);
  return portable_finalize() != PORTABLE_OK;
}
