// particles.cpp - cells, neighbours, merges and maps from C++: owners that are moved, views in kernels, exceptions. Not in this file: random and hostile
// cases (cells.c, merge.c).
#include "check.hpp"

#include <portable_particles.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

template <class T> static void cells() {
  const T x[4] = {T(0.05), T(0.95), T(0.5), T(0.55)}, y[4] = {T(0.5), T(0.5), T(0.5), T(0.5)};
  portable::CellList cells = portable::cell_list_build<T>("cells", {x, y}, 4, 0.2, {0, 0}, {1, 1}, {true, false}), other;
  const portable_cell_list view = cells.view();
  std::vector<int> near(4);
  int *const out = near.data();
  portable::c::parallel_for("near", 4, [=](int k) {
    std::int64_t runs[PORTABLE_CELL_RUNS][2];
    const std::int32_t n = portable_cells_around(&view, k, runs);
    out[view.order[k]] = 0;
    for (std::int32_t r = 0; r < n; r++)
      for (std::int64_t j = runs[r][0]; j < runs[r][1]; j++) {
        const double way = std::abs(double(x[view.order[k]]) - double(x[view.order[j]]));
        out[view.order[k]] += way <= 0.2 || way >= 0.8;
      }
  });
  portable::fence();
  CHECK(near[0] == 2 && near[1] == 2 && near[2] == 2 && near[3] == 2);
  const portable::Csr<> list = portable::neighbour_list("list", cells, {x, y});
  CHECK(list.entries() == 4 && list.col()[0] == 1 && list.col()[1] == 0 && list.col()[2] == 3 && list.col()[3] == 2);
  const portable::Csr<std::int64_t> half = portable::neighbour_list<std::int64_t>("list", cells, {x, y}, true);
  CHECK(half.entries() == 2 && half.col()[1] == 3);
  other = std::move(cells);
  CHECK(other.particles() == 4 && cells.particles() == 0);
  other.build<T>("cells", {x}, 3, 0.1, {0}, {1});
  CHECK(other.particles() == 3 && other.order()[1] == 2);
  try {
    other.build<T>("cells", {x}, 4, 0.1, {0}, {0.9});
    CHECK(!"an exception");
  } catch (const portable::Error &e) {
    CHECK(std::string(e.what()).find("particle 1 is at 0.94999") != std::string::npos || std::string(e.what()).find("particle 1 is at 0.95") != std::string::npos);
  }
  CHECK(other.particles() == 3);
}

template <class T> static void map() {
  portable::IndexMap<T> map, other;
  const T keys[4] = {9, 4, 9, 6};
  std::uint8_t is_new[4];
  T at[4];
  map.insert("map", keys, 4, is_new);
  CHECK(map.size() == 3 && map.keys()[0] == 4 && is_new[0] && is_new[1] && !is_new[2] && is_new[3]);
  CHECK(map.view().at(9) == 2 && map.view().at(4) == 0 && map.view().at(5) == -1);
  other = std::move(map);
  CHECK(map.size() == 0 && map.view().at(9) == -1);
  other.find("find", keys, 4, at);
  CHECK(at[0] == 2 && at[1] == 0 && at[2] == 2 && at[3] == 1);
}

int main() {
  portable_init(nullptr);
  cells<float>();
  cells<double>();
  map<std::int32_t>();
  map<std::int64_t>();
  const double a[3] = {1, 2, 2}, b[2] = {0, 2};
  const short va[3] = {1, 2, 3}, vb[2] = {4, 5};
  double c[5];
  short vc[5];
  portable::merge_sorted("merge", a, 3, b, 2, c);
  CHECK(c[0] == 0 && c[1] == 1 && c[4] == 2);
  portable::merge_by_key("merge", a, va, 3, b, vb, 2, c, vc);
  CHECK(vc[0] == 4 && vc[1] == 1 && vc[2] == 2 && vc[3] == 3 && vc[4] == 5);
  CHECK(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
