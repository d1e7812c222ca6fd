// vectors.cpp - kernels of portable.hpp that nvcc compiles and that append to a device_vector, captured or listed, and read it in the next kernel. Without
// nvcc it is a program of the host. Not in this file: kernel objects, refusals, who holds the block (../../records/device_vector.cpp).
#include <portable.hpp>
#include <portable_mesh.hpp>
#include <portable_particles.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../../yakl/expect.h"

using portable::memDevice;
using portable::c::Bounds;

struct Hit {
  double at;
  int cell;
};

static void append(int n, int capacity) {
  portable::device_vector<Hit> hits("hits", capacity);
  const portable::device_vector<Hit> same = hits;
  portable::Array<int, 1, memDevice> place("place", n);
  portable::parallel_for("hit", Bounds<1>(n), PORTABLE_LAMBDA(int i) { place(i) = static_cast<int>((i % 2 ? hits : same).push_back({2.0 * i, i})); });
  EXPECT(hits.pushed() == n);
  const auto at = place.createHostCopy();
  std::vector<int> index(static_cast<std::size_t>(std::min(n, capacity)), -1);
  int without = 0;
  bool good = true;
  for (int i = 0; i < n; i++) {
    if (at(i) < 0)
      without++;
    else
      good = good && at(i) < static_cast<int>(index.size()) && std::exchange(index[static_cast<std::size_t>(at(i))], i) == -1;
  }
  EXPECT(good && without == std::max(0, n - capacity));
  if (n > capacity) {
    std::string text;
    try {
      hits.span();
    } catch (const portable::Error &e) {
      text = e.what();
    }
    EXPECT(text.find(std::to_string(n - capacity) + " did not fit") != std::string::npos);
    return;
  }
  // The next kernel reads them.
  const auto all = hits.span();
  portable::Array<double, 1, memDevice> sums("sums", n);
  portable::parallel_for("read", Bounds<1>(all.size()), PORTABLE_LAMBDA(int k) { sums(all[k].cell) = all[k].at + k - place(all[k].cell); });
  const auto got = sums.createHostCopy();
  for (int i = 0; i < n; i++) good = good && got(i) == 2.0 * i;
  EXPECT(good);
  hits.clear();
  portable::parallel_for("again", Bounds<1>(n), PORTABLE_LAMBDA(int i) { if (i % 4 == 0) hits.push_back({0, i}); });
  std::vector<Hit> back = hits.to_vector();
  std::sort(back.begin(), back.end(), [](const Hit &a, const Hit &b) { return a.cell < b.cell; });
  good = back.size() == static_cast<std::size_t>((n + 3) / 4);
  for (std::size_t k = 0; good && k < back.size(); k++) good = back[k].cell == 4 * static_cast<int>(k);
  EXPECT(good);
}

// Rows, cells and maps in managed memory, which are plain structures in kernels.
static void meshes() {
  const int n = 400;
  portable::Array<double, 1, memDevice> x("x", n), y("y", n);
  portable::Array<std::int32_t, 1, memDevice> row_of("row_of", 2 * n), near("near", n), listed("listed", n), total("total", 7);
  portable::Array<std::int64_t, 1, memDevice> keys("keys", n), found("found", n);
  for (int i = 0; i < n; i++) {
    x(i) = (i * 37 % 101 + 0.5) / 101;
    y(i) = (i * 53 % 97 + 0.5) / 97;
    row_of(2 * i) = i % 7;
    row_of(2 * i + 1) = i % 5 ? -1 : (i + 3) % 7;
    keys(i) = i * 1000003LL % 4093;
  }
  const portable::CellList cells = portable::cell_list_build("cells", {x.data(), y.data()}, n, 0.1, {0, 0}, {1, 1}, {true, false});
  const portable::Csr<> list = portable::neighbour_list("list", cells, {x.data(), y.data()});
  const portable::Csr<> rows = portable::csr_build("rows", row_of.data(), n, 2, 7);
  portable::IndexMap<std::int64_t> map;
  map.insert("map", keys.data(), n / 2);
  const portable_cell_list c = cells.view();
  const portable::CsrView<> l = list.view(), r = rows.view();
  const portable::IndexMapView m = map.view();
  portable::parallel_for("around", Bounds<1>(n), PORTABLE_LAMBDA(int k) {
    std::int64_t runs[PORTABLE_CELL_RUNS][2];
    const std::int32_t count = portable_cells_around(&c, k, runs);
    const int i = c.order[k];
    int within = 0;
    for (int q = 0; q < count; q++)
      for (std::int64_t p = runs[q][0]; p < runs[q][1]; p++) {
        const int j = c.order[p];
        double dx = x(i) < x(j) ? x(j) - x(i) : x(i) - x(j);
        const double dy = y(i) - y(j);
        if (dx > 0.5) dx = 1 - dx;
        within += j != i && dx * dx + dy * dy <= 0.1 * 0.1;
      }
    near(i) = within;
    listed(i) = static_cast<std::int32_t>(l.end(i) - l.begin(i));
    found(i) = m.at(keys(i));
    if (k < 7) total(k) = 0;
  });
  portable::parallel_for("rows", Bounds<1>(7), PORTABLE_LAMBDA(int q) {
    for (std::int64_t k = r.begin(q); k < r.end(q); k++) total(q) += r.col[k];
  });
  portable::fence();
  bool good = true;
  std::int64_t sum = 0, expected = 0;
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
  map.find("find", keys.data(), n, numbers.data());
  for (int i = 0; i < n; i++) {
    good = good && near(i) == listed(i) && found(i) == numbers[static_cast<std::size_t>(i)];
    sum += near(i);
    expected += i * (i % 5 ? 1 : 2);
  }
  std::int64_t of_rows = 0;
  for (int q = 0; q < 7; q++) of_rows += total(q);
  EXPECT(good && sum == list.entries() && sum > 0 && of_rows == expected);
}

int main() {
  portable::check(portable_init(nullptr));
  for (const int n : {0, 1, 1000, 20000})
    for (const int capacity : {0, 999, 1000, 20000}) append(n, capacity);
  meshes();
  EXPECT(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
