// ArrayIR.h - the description of an array that libraries of C++ hand to each other: address, extents, memory, label. Included by YAKL.h, and alone.
//
// It holds nothing: the array's maker keeps it. The last dimension is the fastest one, without gaps. Host code only; it has no elements of its own.
// Errors: std::runtime_error for a dimension that there is not.
// Source: YAKL's ArrayIR.
#ifndef YAKL_ARRAY_IR_H
#define YAKL_ARRAY_IR_H

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace array_ir {

// The sides that reach the data.
constexpr int MEMORY_HOST = 0;
constexpr int MEMORY_DEVICE = 1;
constexpr int MEMORY_SHARED = 2;

template <class T, int N> class ArrayIR {
public:
  using exact_type = T;
  using remove_cv_type = std::remove_cv_t<T>;
  using Shape = std::array<std::size_t, static_cast<std::size_t>(N)>;

  ArrayIR() = default;
  ArrayIR(T *data, const Shape &dimensions, int memory_type, const char *label = "") : data_(data), shape_(dimensions), label_(label), memory_(memory_type) {}

  bool empty() const { return data_ == nullptr; }
  bool is_empty() const { return empty(); }
  bool valid() const { return !empty(); }
  bool is_valid() const { return !empty(); }
  T *data() const { return data_; }
  T *get_data() const { return data_; }
  T *get_data_pointer() const { return data_; }
  // Dimension i counts from 0.
  std::size_t extent(int i) const {
    if (i < 0 || i >= N)
      throw std::runtime_error("ArrayIR: dimension " + std::to_string(i) + " is asked for, and there are 0 to " + std::to_string(N - 1));
    return shape_[static_cast<std::size_t>(i)];
  }
  std::size_t dimension(int i) const { return extent(i); }
  Shape shape() const { return shape_; }
  const char *label() const { return label_; }
  const char *get_label() const { return label_; }
  int memory_type() const { return memory_; }
  int get_memory_type() const { return memory_; }
  bool data_valid_on_host() const { return memory_ == MEMORY_HOST || memory_ == MEMORY_SHARED; }
  bool data_valid_on_device() const { return memory_ == MEMORY_DEVICE || memory_ == MEMORY_SHARED; }

private:
  T *data_ = nullptr;
  Shape shape_{};
  const char *label_ = nullptr;
  int memory_ = MEMORY_HOST;
};

} // namespace array_ir

#endif
