// portable_mesh.hpp - meshes without a structure for C++: rows of numbers that free themselves, and reductions of rows. Includes portable.hpp.
//
//     portable::Csr<> faces = portable::csr_build("faces", cell_of_face, nfaces, 2, ncells);
//     portable::segmented_sum("total", flux, nfaces, faces.row(), ncells, total, faces.col(), faces.entries());
//     const portable::CsrView<> view = faces.view();   // for kernels: for (k = view.begin(c); k < view.end(c); k++) ... view.col[k]
//     portable::reorder("particles", order, n, x, y, charge);   // x[i] = x[order[i]], and so on, for arrays of any type
//
// In this file: portable_mesh.h with kinds taken from types, and exceptions. Rules, shapes, errors, threads: there. Since: 0.1
#ifndef PORTABLE_MESH_HPP
#define PORTABLE_MESH_HPP

#include <type_traits>
#include <utility>

#include "portable.hpp"
#include "portable_mesh.h"

namespace portable {

// Rows as kernels see them, by value. Numbers count from lower. Valid while the Csr lives.  Since: 0.1
template <class T = std::int32_t> struct CsrView {
  std::int64_t rows, entries;
  const T *row, *col;
  std::int32_t lower;
  PORTABLE__HOST_DEVICE std::int64_t begin(std::int64_t r) const { return row[r] - lower; }
  PORTABLE__HOST_DEVICE std::int64_t end(std::int64_t r) const { return row[r + 1] - lower; }
};

// The owner of rows: moved, not copied. T: std::int32_t or std::int64_t.  Since: 0.1
template <class T = std::int32_t> class Csr {
  static_assert(std::is_same<T, std::int32_t>::value || std::is_same<T, std::int64_t>::value, "portable::Csr has rows of std::int32_t or std::int64_t");

public:
  Csr() noexcept = default;
  // Takes over what portable_csr_build and its like have made.
  explicit Csr(const portable_csr &made) : csr_(made) {
    if (made.memory && made.kind != kind()) throw Error(PORTABLE_ERR_ARG, "portable::Csr: the rows are of another kind");
  }
  Csr(Csr &&other) noexcept : csr_(std::exchange(other.csr_, nothing())) {}
  Csr &operator=(Csr &&other) noexcept {
    std::swap(csr_, other.csr_);
    return *this;
  }
  Csr(const Csr &) = delete;
  Csr &operator=(const Csr &) = delete;
  ~Csr() { portable_csr_free(&csr_); }

  static constexpr std::int32_t kind() { return sizeof(T) == 4 ? PORTABLE_KIND_INT32 : PORTABLE_KIND_INT64; }
  std::int64_t rows() const noexcept { return csr_.rows; }
  std::int64_t entries() const noexcept { return csr_.entries; }
  const T *row() const noexcept { return static_cast<const T *>(csr_.row); }
  T *col() noexcept { return static_cast<T *>(csr_.col); }
  const T *col() const noexcept { return static_cast<const T *>(csr_.col); }
  const portable_csr &c_csr() const noexcept { return csr_; }
  CsrView<T> view() const noexcept { return CsrView<T>{csr_.rows, csr_.entries, row(), col(), csr_.lower}; }

private:
  static portable_csr nothing() noexcept { return PORTABLE_CSR_INIT; }
  portable_csr csr_ = nothing();
};

// row_of[items][each].  Errors: Error as of portable_csr_build.  Since: 0.1
template <class T> Csr<T> csr_build(const char *label, const T *row_of, std::int64_t items, std::int32_t each, std::int64_t rows, const portable_csr_options *options = nullptr) {
  portable_csr made = PORTABLE_CSR_INIT;
  check(portable_csr_build(label, Csr<T>::kind(), row_of, items, each, rows, options, &made));
  return Csr<T>(made);
}
template <class T> Csr<T> csr_counts(const char *label, const T *counts, std::int64_t rows, const portable_csr_options *options = nullptr) {
  portable_csr made = PORTABLE_CSR_INIT;
  check(portable_csr_counts(label, Csr<T>::kind(), counts, rows, options, &made));
  return Csr<T>(made);
}
template <class T> Csr<T> csr_transpose(const char *label, const Csr<T> &csr, std::int64_t columns, const portable_csr_options *options = nullptr) {
  portable_csr made = PORTABLE_CSR_INIT;
  check(portable_csr_transpose(label, &csr.c_csr(), columns, options, &made));
  return Csr<T>(made);
}

// Puts arrays of `count` elements into one new order: element i of each gets what element order[i] had. order is a permutation of 0 to count - 1, as
// sort_index gives it and CellList::order() is; the arrays have elements of any type that is copied byte by byte.
// Errors: Error as of portable_reorder.  Since: 0.1
template <class Index, class... T> void reorder(const char *label, const portable_launch_config *launch, const Index *order, std::int64_t count, T *...arrays) {
  static_assert(sizeof...(T) > 0, "portable::reorder: give the arrays, too");
  static_assert((... && (std::is_trivially_copyable<T>::value && !std::is_const<T>::value)), "portable::reorder writes its arrays, and moves elements as bytes");
  const portable_reorder_array all[] = {{arrays, sizeof(T), static_cast<std::int64_t>(sizeof(T))}...};
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  options.launch = launch;
  check(portable_reorder(label, Csr<Index>::kind(), order, count, all, static_cast<std::int32_t>(sizeof...(T)), &options));
}
template <class Index, class... T> void reorder(const char *label, const Index *order, std::int64_t count, T *...arrays) {
  reorder(label, static_cast<const portable_launch_config *>(nullptr), order, count, arrays...);
}

namespace detail {
template <class T, class Row>
void segmented(std::int32_t op, const char *label, const T *data, std::int64_t count, const Row *row, std::int64_t rows, T *results, const Row *index, std::int64_t index_count,
               std::int32_t lower, const portable_launch_config *launch) {
  portable_segmented_options options = PORTABLE_SEGMENTED_OPTIONS_INIT;
  options.lower = lower;
  options.index = index;
  options.index_count = index_count;
  options.index_kind = Csr<Row>::kind();
  options.launch = launch;
  check(portable_segmented_reduce(label, op, kind_of<T>(), data, count, Csr<Row>::kind(), row, rows, &options, results));
}
} // namespace detail

// results[r]: the sum (product, least, largest value) of data[row[r]] to data[row[r + 1] - 1], or of data[index[...]]; numbers count from lower.
// Errors: Error as of portable_segmented_reduce.  Since: 0.1
template <class T, class Row>
void segmented_sum(const char *label, const T *data, std::int64_t count, const Row *row, std::int64_t rows, T *results, const Row *index = nullptr, std::int64_t index_count = 0,
                   std::int32_t lower = 0, const portable_launch_config *launch = nullptr) {
  detail::segmented(PORTABLE_REDUCE_SUM, label, data, count, row, rows, results, index, index_count, lower, launch);
}
template <class T, class Row>
void segmented_product(const char *label, const T *data, std::int64_t count, const Row *row, std::int64_t rows, T *results, const Row *index = nullptr, std::int64_t index_count = 0,
                       std::int32_t lower = 0, const portable_launch_config *launch = nullptr) {
  detail::segmented(PORTABLE_REDUCE_PRODUCT, label, data, count, row, rows, results, index, index_count, lower, launch);
}
template <class T, class Row>
void segmented_min(const char *label, const T *data, std::int64_t count, const Row *row, std::int64_t rows, T *results, const Row *index = nullptr, std::int64_t index_count = 0,
                   std::int32_t lower = 0, const portable_launch_config *launch = nullptr) {
  detail::segmented(PORTABLE_REDUCE_MIN, label, data, count, row, rows, results, index, index_count, lower, launch);
}
template <class T, class Row>
void segmented_max(const char *label, const T *data, std::int64_t count, const Row *row, std::int64_t rows, T *results, const Row *index = nullptr, std::int64_t index_count = 0,
                   std::int32_t lower = 0, const portable_launch_config *launch = nullptr) {
  detail::segmented(PORTABLE_REDUCE_MAX, label, data, count, row, rows, results, index, index_count, lower, launch);
}

} // namespace portable

#endif
