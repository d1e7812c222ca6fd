// portable_kernel_views.hpp - what kernels see of arrays and vectors that are members of structures: Array<T, rank, memKernel> and device_span.
// Part of portable.hpp; include that.
//
// In this file: the two types, which hold nothing, are copied byte by byte, and are there in nvcc's device code too; how kernel objects pass such an
// Array. Not in this file: where their elements are and who holds them (portable_nested.hpp); views in CUDA C (portable_device_view.h).
//
// Indices are looked at in host code, where Array's are (portable_index_checks.hpp); in nvcc's device code they are not.
#ifndef PORTABLE_KERNEL_VIEWS_HPP
#define PORTABLE_KERNEL_VIEWS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// Elements side by side that the device reaches, with a count: what a kernel sees of a vector. In CUDA C: struct { T *data; int64_t size; }.
// Ownership: none; who made it knows how long the elements live.  Threads: as an int.
// Errors: an index out of bounds is Error (ERR_ARG) where indices are looked at.  Since: 0.1.  Source: std::span of C++20.
template <class T> class device_span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  device_span() = default;
  PORTABLE__HOST_DEVICE constexpr device_span(T *data, index_t size) noexcept : data_(data), size_(size) {}

  template <class I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator[](I i) const {
    static_assert(std::is_integral<I>::value, "an index is an integer");
#if !defined(__CUDA_ARCH__)
    if (detail::looks_at_indices())
      if (static_cast<std::uint64_t>(i) >= static_cast<std::uint64_t>(size_) && detail::refuses_indices())
        detail::index_out_of_bounds("device_span", nullptr, 0, 1, static_cast<index_t>(i), 0, size_ - 1);
#endif
    return data_[i];
  }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() const noexcept { return data_; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t size() const noexcept { return size_; }
  PORTABLE__HOST_DEVICE bool empty() const noexcept { return size_ == 0; }
  PORTABLE__HOST_DEVICE T *begin() const noexcept { return data_; }
  PORTABLE__HOST_DEVICE T *end() const noexcept { return data_ + size_; }

private:
  T *data_ = nullptr;
  index_t size_ = 0;
};

// The form of a member Array in a kernel: elements, bounds and extents, as a portable_view<T, rank, order>, whose bytes it has. Made by
// device_copy. Ownership: none.  Threads: as an int.  Errors: as Array's, for indices.  Since: 0.1
template <class T, int rank, int style> class Array<T, rank, memKernel, style> {
public:
  using type = std::remove_cv_t<T>;
  using value_type = T;
  using view_type = portable_view<T, rank, static_cast<int>(style == styleFortran ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C)>;
  // No elements.
  Array() = default;
  explicit Array(const view_type &view) : view_(view) {}

  template <class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "as many indices as the Array has dimensions");
#if !defined(__CUDA_ARCH__)
    if (detail::looks_at_indices()) {
      const index_t at[] = {static_cast<index_t>(i)...};
      for (int d = 0; d < rank; d++)
        if ((at[d] < lower_bound(d) || at[d] > upper_bound(d)) && detail::refuses_indices())
          detail::index_out_of_bounds("Array", "", d, rank, at[d], lower_bound(d), upper_bound(d));
    }
#endif
    return view_(static_cast<std::int64_t>(i)...);
  }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() const noexcept { return view_.data; }
  PORTABLE__HOST_DEVICE bool initialized() const noexcept { return view_.data != nullptr; }
  static constexpr int get_rank() { return rank; }
  static constexpr int get_memory_space() { return memKernel; }
  // Dimension d counts from 0.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t extent(int d) const { return view_.dim[d].extent; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t lower_bound(int d) const { return view_.dim[d].lower; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t upper_bound(int d) const { return view_.dim[d].lower + view_.dim[d].extent - 1; }
  PORTABLE__HOST_DEVICE index_t size() const {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= view_.dim[d].extent;
    return n;
  }
  PORTABLE__HOST_DEVICE const view_type &view() const { return view_; }

private:
  view_type view_ = {};
};

namespace detail {

template <class T, int rank, int style> struct BlockArgument<Array<T, rank, memKernel, style>> {
  using A = Array<T, rank, memKernel, style>;
  using Passed = typename A::view_type;
  static constexpr std::int32_t kind = ViewArgument<T, rank, 0>::kind, access = ViewArgument<T, rank, 0>::access;
  static void pass(const A &a, unsigned char *to) { std::memcpy(to, &a.view(), sizeof(Passed)); }
};

} // namespace detail

} // namespace portable

#endif
