// pool.cpp - meshes and particles from C++ on Arrays of the default pool, which a cuda device can access, against serial loops, and no call that the host did
// for the device. Not in this file: arrays of the host and exceptions (csr.cpp, particles.cpp, misuse.cpp).
#include "check.hpp"

#include <portable.hpp>
#include <portable_fallback.h>
#include <portable_particles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

// Memory of the default pool, released at the end of the block.
template <class T> class Block {
public:
  explicit Block(std::size_t n) : n_(n) {
    void *p = nullptr;
    portable::check(portable_alloc(n * sizeof(T), "block", &p));
    at_ = static_cast<T *>(p);
  }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  ~Block() { portable_free(at_); }
  T *data() const { return at_; }
  std::int64_t size() const { return static_cast<std::int64_t>(n_); }
  T &operator[](std::size_t i) const { return at_[i]; }

private:
  std::size_t n_;
  T *at_;
};

template <class T> static void meshes() {
  const std::size_t cells = 60, faces = 150;
  const Block<T> cell_of_face(2 * faces);
  const Block<double> flux(faces), total(cells), least(cells);
  std::vector<double> sums(cells, 0.0), lowest(cells, HUGE_VAL);
  for (std::size_t k = 0; k < faces; k++) {
    cell_of_face[2 * k] = static_cast<T>(7 * k % cells);
    cell_of_face[2 * k + 1] = k % 10 == 0 ? T(-1) : static_cast<T>((11 * k + 3) % cells);
    flux[k] = 0.25 * static_cast<double>(37 * k % 101);
    for (std::size_t s = 0; s < 2; s++)
      if (cell_of_face[2 * k + s] >= 0) {
        const std::size_t c = static_cast<std::size_t>(cell_of_face[2 * k + s]);
        sums[c] += flux[k];
        lowest[c] = std::min(lowest[c], flux[k]);
      }
  }
  const portable::Csr<T> rows = portable::csr_build("faces", cell_of_face.data(), static_cast<std::int64_t>(faces), 2, static_cast<std::int64_t>(cells));
  portable::segmented_sum("total", flux.data(), flux.size(), rows.row(), rows.rows(), total.data(), static_cast<const T *>(rows.col()), rows.entries());
  portable::segmented_min("least", flux.data(), flux.size(), rows.row(), rows.rows(), least.data(), static_cast<const T *>(rows.col()), rows.entries());
  const portable::Csr<T> back = portable::csr_transpose("back", rows, static_cast<std::int64_t>(faces));
  portable::fence();
  for (std::size_t c = 0; c < cells; c++) CHECK(std::fabs(total[c] - sums[c]) < 1e-12 && std::fabs(least[c] - std::min(lowest[c], 1.7976931348623157e308)) < 1e-12);
  for (std::size_t k = 0; k < faces; k++) CHECK(back.row()[k + 1] - back.row()[k] == (k % 10 == 0 ? 1 : 2));
  CHECK(back.entries() == rows.entries() && rows.row()[cells] == static_cast<T>(rows.entries()));
}

template <class R> static void particles() {
  const std::size_t n = 300;
  const double h = 0.2;
  const Block<R> x(n), y(n);
  for (std::size_t i = 0; i < n; i++) {
    x[i] = static_cast<R>(std::fmod(0.754877666 * static_cast<double>(i), 1.0));
    y[i] = static_cast<R>(std::fmod(0.569840291 * static_cast<double>(i), 1.0));
  }
  const R *const px = x.data(), *const py = y.data();
  const portable::CellList cells = portable::cell_list_build("cells", {px, py}, x.size(), h, {0, 0}, {1, 1}, {true, false});
  const portable::Csr<> list = portable::neighbour_list("near", cells, {px, py});
  portable::fence();
  int wrong = 0;
  for (std::size_t i = 0; i < n; i++) {
    std::vector<std::int32_t> expected;
    for (std::size_t j = 0; j < n; j++) {
      double dx = std::fabs(static_cast<double>(x[i]) - static_cast<double>(x[j]));
      const double dy = static_cast<double>(y[i]) - static_cast<double>(y[j]);
      dx = std::min(dx, 1 - dx);
      if (i != j && dx * dx + dy * dy <= h * h) expected.push_back(static_cast<std::int32_t>(j));
    }
    wrong += !(list.row()[i + 1] - list.row()[i] == static_cast<std::int32_t>(expected.size()) && std::equal(expected.begin(), expected.end(), list.col() + list.row()[i]));
  }
  CHECK(wrong == 0);
}

template <class T> static void merges_and_maps() {
  const Block<T> a(40), b(25), c(65), keys(50), numbers(50);
  const Block<double> va(40), vb(25), vc(65);
  for (std::size_t i = 0; i < 40; i++) a[i] = static_cast<T>(3 * i), va[i] = 1;
  for (std::size_t i = 0; i < 25; i++) b[i] = static_cast<T>(5 * i), vb[i] = 2;
  for (std::size_t i = 0; i < 50; i++) keys[i] = static_cast<T>(17 * i % 31);
  portable::merge_sorted("merge", a.data(), a.size(), b.data(), b.size(), c.data());
  portable::fence();
  CHECK(std::is_sorted(c.data(), c.data() + 65));
  portable::merge_by_key("by key", a.data(), va.data(), a.size(), b.data(), vb.data(), b.size(), c.data(), vc.data());
  portable::IndexMap<T> map;
  map.insert("insert", keys.data(), keys.size());
  map.find("find", keys.data(), keys.size(), numbers.data());
  portable::fence();
  CHECK(c[0] == 0 && c[1] == 0 && vc[0] < 1.5 && vc[1] > 1.5 && map.size() == 31); // equal keys: those of a come first
  for (std::size_t i = 0; i < 50; i++) CHECK(numbers[i] == keys[i]);
}

static std::int32_t by_the_host(const portable_fallback *f, void *count) {
  std::printf("the host ran '%s' for the device\n", f->label);
  ++*static_cast<int *>(count);
  return 0;
}

int main() {
  int count = 0;
  portable_init(nullptr);
  meshes<std::int32_t>();
  meshes<std::int64_t>();
  particles<float>();
  particles<double>();
  merges_and_maps<std::int32_t>();
  merges_and_maps<std::int64_t>();
  CHECK(portable_fallback_list(by_the_host, &count) == PORTABLE_OK && count == 0);
  CHECK(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
