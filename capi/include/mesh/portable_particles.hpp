// portable_particles.hpp - particles for C++: cells and maps that free themselves, neighbours, merges. Includes portable_mesh.hpp.
//
//     portable::CellList cells = portable::cell_list_build("cells", {x, y, z}, n, h, {0, 0, 0}, {1, 1, 1}, {true, true, false});
//     const portable_cell_list view = cells.view();                     // for kernels: portable_cells_around(&view, k, runs)
//     portable::Csr<> list = portable::neighbour_list("list", cells, {x, y, z});
//     portable::IndexMap<std::int64_t> map;  map.insert("map", keys, n);  map.view().at(key)
//
// In this file: portable_particles.h with kinds taken from types, and exceptions. Rules, shapes, errors, threads: there. Since: 0.1
#ifndef PORTABLE_PARTICLES_HPP
#define PORTABLE_PARTICLES_HPP

#include <initializer_list>
#include <utility>

#include "portable_mesh.hpp"
#include "portable_particles.h"

namespace portable {

// The owner of cells: moved, not copied. Numbers count from 0.  Since: 0.1
class CellList {
public:
  CellList() noexcept = default;
  CellList(CellList &&other) noexcept : cells_(std::exchange(other.cells_, nothing())) {}
  CellList &operator=(CellList &&other) noexcept {
    std::swap(cells_, other.cells_);
    return *this;
  }
  CellList(const CellList &) = delete;
  CellList &operator=(const CellList &) = delete;
  ~CellList() { portable_cell_list_free(&cells_); }

  // Sorts the particles again. position: an array for each dimension; periodic: empty is none. Errors: Error as of portable_cell_list_build.
  template <class T>
  void build(const char *label, std::initializer_list<const T *> position, std::int64_t count, double cutoff, std::initializer_list<double> low,
             std::initializer_list<double> high, std::initializer_list<bool> periodic = {}, const portable_launch_config *launch = nullptr) {
    portable_cell_list_options options = PORTABLE_CELL_LIST_OPTIONS_INIT;
    const void *at[3] = {};
    if (position.size() > 3 || low.size() != position.size() || high.size() != position.size() || (periodic.size() && periodic.size() != position.size()))
      throw Error(PORTABLE_ERR_ARG, "portable::CellList: position, low, high and periodic have as many elements as there are dimensions, 1 to 3");
    for (std::size_t d = 0; d < position.size(); d++) {
      at[d] = position.begin()[d];
      if (periodic.size()) options.periodic[d] = periodic.begin()[d];
    }
    options.launch = launch;
    check(portable_cell_list_build(label, detail::kind_of<T>(), static_cast<std::int32_t>(position.size()), at, count, cutoff, low.begin(), high.begin(), &options, &cells_));
  }
  std::int64_t particles() const noexcept { return cells_.particles; }
  std::int64_t cells() const noexcept { return cells_.cells; }
  const std::int32_t *order() const noexcept { return cells_.order; }
  const std::int32_t *start() const noexcept { return cells_.start; }
  // For kernels, by value; valid while this object lives and is not built again.
  const portable_cell_list &view() const noexcept { return cells_; }

private:
  static portable_cell_list nothing() noexcept { return PORTABLE_CELL_LIST_INIT; }
  portable_cell_list cells_ = nothing();
};

template <class T>
CellList cell_list_build(const char *label, std::initializer_list<const T *> position, std::int64_t count, double cutoff, std::initializer_list<double> low,
                         std::initializer_list<double> high, std::initializer_list<bool> periodic = {}, const portable_launch_config *launch = nullptr) {
  CellList cells;
  cells.build(label, position, count, cutoff, low, high, periodic, launch);
  return cells;
}

// Errors: Error as of portable_neighbour_list.  Since: 0.1
template <class Number = std::int32_t, class T>
Csr<Number> neighbour_list(const char *label, const CellList &cells, std::initializer_list<const T *> position, bool half = false, double cutoff = 0,
                           const portable_launch_config *launch = nullptr) {
  portable_neighbour_options options = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  portable_csr made = PORTABLE_CSR_INIT;
  const void *at[3] = {};
  if (static_cast<std::int32_t>(position.size()) != cells.view().rank) throw Error(PORTABLE_ERR_ARG, "portable::neighbour_list: position has an array for each dimension of the cells");
  for (std::size_t d = 0; d < position.size(); d++) at[d] = position.begin()[d];
  options.half = half;
  options.cutoff = cutoff;
  options.launch = launch;
  check(portable_neighbour_list(label, &cells.view(), detail::kind_of<T>(), at, Csr<Number>::kind(), &options, &made));
  return Csr<Number>(made);
}

// c[a_count + b_count]: both arrays in order.  Errors: Error as of portable_merge_sorted.  Since: 0.1
template <class T>
void merge_sorted(const char *label, const T *a, std::int64_t a_count, const T *b, std::int64_t b_count, T *c, const portable_merge_options *options = nullptr) {
  check(portable_merge_sorted(label, detail::kind_of<T>(), a, a_count, b, b_count, options, c));
}
template <class K, class V>
void merge_by_key(const char *label, const K *keys_a, const V *values_a, std::int64_t a_count, const K *keys_b, const V *values_b, std::int64_t b_count, K *keys, V *values,
                  const portable_merge_options *options = nullptr) {
  static_assert(std::is_trivially_copyable<V>::value, "portable::merge_by_key copies the bytes of values");
  check(portable_merge_by_key(label, detail::kind_of<K>(), keys_a, values_a, a_count, keys_b, values_b, b_count, sizeof(V), options, keys, values));
}

// A set of numbers as kernels see it, by value: at gives the number of a key, counted from 0, or -1.  Since: 0.1
struct IndexMapView {
  portable_index_map map;
  PORTABLE__HOST_DEVICE std::int64_t at(std::int64_t key) const { return portable_map_at(&map, key); }
};

// The owner of a set: moved, not copied. T: std::int32_t or std::int64_t. Numbers count from 0.  Since: 0.1
template <class T = std::int64_t> class IndexMap {
public:
  IndexMap() noexcept = default;
  IndexMap(IndexMap &&other) noexcept : map_(std::exchange(other.map_, nothing())) {}
  IndexMap &operator=(IndexMap &&other) noexcept {
    std::swap(map_, other.map_);
    return *this;
  }
  IndexMap(const IndexMap &) = delete;
  IndexMap &operator=(const IndexMap &) = delete;
  ~IndexMap() { portable_map_free(&map_); }

  // Errors: Error as of portable_map_insert.
  void insert(const char *label, const T *keys, std::int64_t count, std::uint8_t *is_new = nullptr, const portable_launch_config *launch = nullptr) {
    check(portable_map_insert(label, &map_, keys, count, launch, is_new));
  }
  void find(const char *label, const T *keys, std::int64_t count, T *numbers, const portable_launch_config *launch = nullptr) const {
    check(portable_map_find(label, &map_, keys, count, launch, numbers));
  }
  std::int64_t size() const noexcept { return map_.count; }
  const T *keys() const noexcept { return static_cast<const T *>(map_.keys); }
  IndexMapView view() const noexcept { return IndexMapView{map_}; }

private:
  static portable_index_map nothing() noexcept {
    portable_index_map none = PORTABLE_INDEX_MAP_INIT;
    none.kind = Csr<T>::kind();
    return none;
  }
  portable_index_map map_ = nothing();
};

} // namespace portable

#endif
