// portable_strided_array.hpp - StridedArray: elements at any distance from one another, which an Array's never are. Part of portable.hpp; include that.
//
// In this file: the class, sections of arrays (section), their dimensions in another order (transposed, permuted). Not in this file: what is in
// them, copies, fills, reductions, and descriptors of C (portable_strided_contents.hpp).
//
// A StridedArray is an address, a shape with a stride for each dimension, and a share in who holds the elements, as an Array has it. It is a type of its
// own, so that an Array's elements keep a stride of 1 which compilers know. Functions that take a StridedArray take Arrays, too; the other way
// needs as_array() or a copy.
// Errors:  as of Array.  Threads: as of Array.
// Since: 0.1.  Source: Kokkos' LayoutStride, Fortran's array sections.
#ifndef PORTABLE_STRIDED_ARRAY_HPP
#define PORTABLE_STRIDED_ARRAY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <iterator>

namespace portable {

// Indices of one dimension in a section: first, first + step, ... up to last; step may be negative. A part begins at 0 of styleC, at 1 of
// styleFortran.  Since: 0.1
struct Part {
  index_t first, last, step;
  constexpr Part(index_t f, index_t l, index_t s = 1) : first(f), last(l), step(s) {}
};
// A whole dimension, which keeps its bounds; REVERSED: the last index first.  Since: 0.1
constexpr Part ALL{std::numeric_limits<index_t>::min(), std::numeric_limits<index_t>::max()};
constexpr Part REVERSED{std::numeric_limits<index_t>::max(), std::numeric_limits<index_t>::min(), -1};

template <class T, int rank, int myMem, int myStyle> class StridedArray : private detail::LowerBounds<rank, myStyle> {
  static_assert(rank >= 1 && rank <= detail::array_rank, "a StridedArray has 1 to 8 dimensions");
  static_assert(myMem == memHost || myMem == memDevice, "a StridedArray is in memHost or memDevice");
  static_assert(myStyle == styleC || myStyle == styleFortran, "a StridedArray is of styleC or styleFortran");
  using Base = detail::LowerBounds<rank, myStyle>;
  using Shape = detail::ShapeOf<rank, myStyle>;
  template <class, int, int, int> friend class StridedArray;
  friend struct detail::ArrayAccess;

public:
  using type = std::remove_cv_t<T>;
  using value_type = T;
  using const_value_type = std::add_const_t<type>;
  using non_const_value_type = std::remove_const_t<T>;

  // ---- making ----

  StridedArray() noexcept {
    for (int d = 0; d < rank; d++) set_dimension(d, myStyle == styleC ? 0 : 1, 0, 1);
  }
  // All elements of an Array.
  template <class U, std::enable_if_t<std::is_same<U, T>::value || std::is_same<const U, T>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE StridedArray(const Array<U, rank, myMem, myStyle> &a) noexcept
      : data_(a.data()), record_(detail::hold(detail::ArrayAccess::record(a))), label_(a.label()) {
    index_t stride = 1;
    for (int k = 0; k < rank; k++) {
      const int d = myStyle == styleC ? rank - 1 - k : k;
      set_dimension(d, a.lower_bound(d), a.extent(d), stride);
      stride *= a.extent(d);
    }
  }
  // Wraps memory of the program's, which it keeps: the element whose indices are all lowest, extents (of styleFortran bounds), and elements
  // from one index to the next of each dimension, which may be negative.
  StridedArray(const char *label, T *data, const Shape &shape, const Dims &strides);

  // ---- sharing ----

  PORTABLE__HOST_DEVICE PORTABLE__INLINE StridedArray(const StridedArray &other) noexcept : Base(other) { share(other, detail::hold(other.record_)); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE StridedArray(StridedArray &&other) noexcept : Base(other) {
    share(other, other.record_);
    other.forget();
  }
  template <class U, std::enable_if_t<std::is_same<const U, T>::value && !std::is_same<U, T>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE StridedArray(const StridedArray<U, rank, myMem, myStyle> &other) noexcept {
    for (int d = 0; d < rank; d++) this->set_lower(d, other.lower(d));
    share(other, detail::hold(other.record_));
  }
  template <class U, int other, std::enable_if_t<other != myMem, int> = 0>
  StridedArray(const StridedArray<U, rank, other, myStyle> &) = delete; // host arrays are not device arrays: createDeviceCopy() or createHostCopy()
  template <class U, int other, std::enable_if_t<other != myMem, int> = 0>
  StridedArray(const Array<U, rank, other, myStyle> &) = delete; // the same
  StridedArray &operator=(const StridedArray &other) noexcept {
    if (this != &other) *this = StridedArray(other);
    return *this;
  }
  StridedArray &operator=(StridedArray &&other) noexcept {
    if (this == &other) return *this;
    detail::let_go(record_);
    Base::operator=(other);
    share(other, other.record_);
    other.forget();
    return *this;
  }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE ~StridedArray() { detail::let_go(record_); }
  void deallocate() { *this = StridedArray(); }
  int use_count() const { return record_ ? static_cast<int>(record_->holders.load()) : 0; }

  // ---- elements ----

  template <class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "as many indices as the StridedArray has dimensions");
    static_assert((std::is_convertible<I, index_t>::value && ...), "an index is an integer");
    return at(std::make_index_sequence<sizeof...(I)>(), static_cast<index_t>(i)...);
  }
  // Sets all elements.
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && !std::is_base_of<StridedArray, S>::value, int> = 0>
  const StridedArray &operator=(const S &value) const;
  // The element whose indices are all lowest.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() const { return data_; }

  // Goes through the elements, the last index fastest of styleC, the first one of styleFortran. For host code.
  class iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = type;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    iterator() = default;
    T &operator*() const { return *p_; }
    T *operator->() const { return p_; }
    iterator &operator++() {
      left_--;
      for (int k = 0; k < rank && left_ > 0; k++) {
        const int d = myStyle == styleC ? rank - 1 - k : k;
        p_ += array_->stride_[d];
        if (++index_[d] < array_->extent_[d]) break;
        p_ -= array_->extent_[d] * array_->stride_[d];
        index_[d] = 0;
      }
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator &a, const iterator &b) { return a.left_ == b.left_; }
    friend bool operator!=(const iterator &a, const iterator &b) { return a.left_ != b.left_; }

  private:
    friend class StridedArray;
    iterator(const StridedArray *array, index_t left) : array_(array), p_(array->data_), left_(left) {}
    const StridedArray *array_ = nullptr;
    T *p_ = nullptr;
    index_t left_ = 0; // elements from this one on
    index_t index_[static_cast<std::size_t>(rank)] = {};
  };
  iterator begin() const { return iterator(this, data_ ? size() : 0); }
  iterator end() const { return iterator(this, 0); }

  // ---- shape ----

  PORTABLE__HOST_DEVICE PORTABLE__INLINE bool initialized() const { return data_ != nullptr; }
  static constexpr int get_rank() { return rank; }
  static constexpr int get_memory_space() { return myMem; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t size() const {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= extent_[d];
    return n;
  }
  // Dimension d counts from 0. The stride is in elements.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t extent(int d) const { return extent_[d]; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t stride(int d) const { return stride_[d]; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t lower_bound(int d) const { return this->lower(d); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t upper_bound(int d) const { return this->lower(d) + extent_[d] - 1; }
  // Whether it lies as an Array of its style does, without gaps.
  bool span_is_contiguous() const {
    index_t expected = 1;
    for (int k = 0; k < rank; k++) {
      const int d = myStyle == styleC ? rank - 1 - k : k;
      if (extent_[d] == 0) return true;
      if (extent_[d] > 1 && stride_[d] != expected) return false;
      expected *= extent_[d];
    }
    return true;
  }
  auto get_dimensions() const { return list([](const StridedArray &a, int d) { return a.extent_[d]; }); }
  auto get_lbounds() const { return list([](const StridedArray &a, int d) { return a.lower(d); }); }
  auto get_ubounds() const { return list([](const StridedArray &a, int d) { return a.lower(d) + a.extent_[d] - 1; }); }
  const char *label() const { return label_; }

  // ---- views, as section, transposed and permuted below make them ----

  // The whole dimensions and parts that are given, at the indices that are given of the others.
  template <class... P> auto section(P... parts) const;
  // Dimension d of the view is dimension dims[d] of this one, both from 0 of styleC, from 1 of styleFortran.
  StridedArray permuted(const Dims &dims) const;
  StridedArray transposed() const {
    Dims dims;
    for (int d = 0; d < rank; d++) dims.data[dims.rank++] = rank - 1 - d + (myStyle == styleC ? 0 : 1);
    return permuted(dims);
  }
  // The same elements as an Array; Error where there are gaps, or another order.
  Array<T, rank, myMem, myStyle> as_array() const;

  // ---- elements of their own (portable_strided_contents.hpp) ----

  // Copies each element to the one at the same place in an array of the same extents: of any style, StridedArray or Array. Overlapping arrays go
  // through a copy.
  template <int theirMem, int theirStyle> void deep_copy_to(const StridedArray<type, rank, theirMem, theirStyle> &to) const;
  template <int theirMem, int theirStyle> void deep_copy_to(const Array<type, rank, theirMem, theirStyle> &to) const {
    deep_copy_to(StridedArray<type, rank, theirMem, theirStyle>(to));
  }
  // New arrays of the same shape, without gaps, with the elements copied.
  template <class U = type> Array<U, rank, memHost, myStyle> createHostCopy() const { return copy_of<Array<U, rank, memHost, myStyle>>(); }
  template <class U = type> Array<U, rank, memDevice, myStyle> createDeviceCopy() const { return copy_of<Array<U, rank, memDevice, myStyle>>(); }

  // An A of the same shape: what the two above make.
  template <class A> A copy_of() const;

private:
  PORTABLE__HOST_DEVICE void set_dimension(int d, index_t lower, index_t extent, index_t stride) {
    this->set_lower(d, lower);
    extent_[d] = extent;
    stride_[d] = stride;
  }
  template <class U> PORTABLE__HOST_DEVICE PORTABLE__INLINE void share(const StridedArray<U, rank, myMem, myStyle> &other, detail::Record *record) noexcept {
    data_ = other.data_;
    record_ = record;
    label_ = other.label_;
    for (int d = 0; d < rank; d++) extent_[d] = other.extent_[d], stride_[d] = other.stride_[d];
  }
  PORTABLE__HOST_DEVICE void forget() noexcept {
    data_ = nullptr;
    record_ = nullptr;
    label_ = "";
    for (int d = 0; d < rank; d++) extent_[d] = 0;
  }
  void must_have_elements(const char *call) const {
    if (!initialized()) detail::array_error(label_, std::string(call) + " of an array that has no elements yet");
  }
  template <std::size_t... d, class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &at(std::index_sequence<d...>, I... i) const {
#if defined(__CUDA_ARCH__)
    if constexpr (detail::device_looks_at_indices)
      (detail::device_index("StridedArray", static_cast<int>(d), rank, i, this->lower(static_cast<int>(d)), upper_bound(static_cast<int>(d))), ...);
#else
    if (detail::looks_at_indices()) {
      if (!initialized() && detail::refuses_indices()) must_have_elements("an element");
      (check_index(static_cast<int>(d), i), ...);
    }
#endif
    return data_[(((i - this->lower(static_cast<int>(d))) * stride_[d]) + ...)];
  }
  PORTABLE__INLINE void check_index(int d, index_t i) const {
    if ((i < this->lower(d) || i - this->lower(d) >= extent_[d]) && detail::refuses_indices())
      detail::index_out_of_bounds("StridedArray", label_, d, rank, i, this->lower(d), upper_bound(d));
  }
  void cut(int d, const Part &part, index_t *skipped, index_t *lower, index_t *extent, index_t *stride) const;
  template <class F> auto list(F f) const { return detail::list_of_dimensions<rank, myStyle>([&](int d) { return f(*this, d); }); }

  T *data_ = nullptr;
  detail::Record *record_ = nullptr; // null: the elements are not held
  const char *label_ = "";
  index_t extent_[static_cast<std::size_t>(rank)];
  index_t stride_[static_cast<std::size_t>(rank)];
};

namespace detail {

template <class A> constexpr bool is_strided = false;
template <class T, int rank, int mem, int style> constexpr bool is_strided<StridedArray<T, rank, mem, style>> = true;

template <class A> constexpr int style_of = 0;
template <class T, int rank, int mem, int style> constexpr int style_of<Array<T, rank, mem, style>> = style;
template <class T, int rank, int mem, int style> constexpr int style_of<StridedArray<T, rank, mem, style>> = style;

template <class A> struct StridedOf;
template <class T, int rank, int mem, int style> struct StridedOf<Array<T, rank, mem, style>> { using type = StridedArray<T, rank, mem, style>; };
template <class T, int rank, int mem, int style> struct StridedOf<StridedArray<T, rank, mem, style>> { using type = StridedArray<T, rank, mem, style>; };
template <class A> using Strided = typename StridedOf<A>::type;

} // namespace detail

// A section of an Array or StridedArray: for each dimension ALL, REVERSED, a Part, or an index, which drops it. It holds the elements, too.
// section(a, 3, ALL), section(a, Part(0, 8, 2), REVERSED).
// Errors: Error, ERR_ARG: no elements, an index or a part that is out of bounds.  Source: Kokkos' subview.  Since: 0.1
template <class A, class... P, class S = detail::Strided<A>> auto section(const A &a, P... parts) { return S(a).section(parts...); }
// The same elements with their dimensions the other way round: transposed(a)(i, j) is a(j, i). Nothing moves; intrinsics::transpose copies.
template <class A, class S = detail::Strided<A>> S transposed(const A &a) { return S(a).transposed(); }
// Dimension d of the view is dimension dims[d] of the array, both from 0 of styleC, from 1 of styleFortran.
template <class A, class S = detail::Strided<A>> S permuted(const A &a, const Dims &dims) { return S(a).permuted(dims); }

// ---- what they do ----

template <class T, int rank, int myMem, int myStyle>
void StridedArray<T, rank, myMem, myStyle>::cut(int d, const Part &part, index_t *skipped, index_t *lower, index_t *extent, index_t *stride) const {
  const index_t least = std::numeric_limits<index_t>::min(), most = std::numeric_limits<index_t>::max(), low = this->lower(d), high = upper_bound(d);
  const auto refuse = [&](const std::string &text) {
    detail::array_error(label_, "section: dimension " + std::to_string(d + 1) + text + ", and has the bounds " + std::to_string(low) + " to " + std::to_string(high));
  };
  if (part.step == 0) refuse(" has the step 0");
  if (part.step == least) refuse(" has a step that is too far");
  const index_t first = part.first == least ? low : part.first == most ? high : part.first, last = part.last == least ? low : part.last == most ? high : part.last;
  const bool nothing = part.step > 0 ? last < first : last > first;
  if (!nothing && (first < low || first > high || last < low || last > high))
    refuse(" is to be " + std::to_string(first) + " to " + std::to_string(last));
  const bool whole = part.step == 1 && first == low && last == high;
  *lower = whole ? low : myStyle == styleC ? 0 : 1;
  *extent = nothing ? 0 : (last - first) / part.step + 1;
  *stride = *extent > 1 ? stride_[d] * part.step : stride_[d];
  *skipped = nothing ? 0 : first - low;
}

template <class T, int rank, int myMem, int myStyle>
template <class... P>
auto StridedArray<T, rank, myMem, myStyle>::section(P... parts) const {
  constexpr int kept = static_cast<int>((std::size_t{std::is_integral<P>::value ? 0 : 1} + ...));
  static_assert(sizeof...(P) == rank, "as many parts or indices as the array has dimensions");
  static_assert(((std::is_integral<P>::value || std::is_same<P, Part>::value) && ...), "a section is said by ALL, REVERSED, Part(first, last, step), and indices");
  static_assert(kept >= 1, "a section has 1 dimension at least; operator() gives an element");
  must_have_elements("section");
  StridedArray<T, kept, myMem, myStyle> v;
  int d = 0, to = 0;
  index_t at = 0;
  const auto take = [&](const auto &part) {
    if constexpr (std::is_integral<std::decay_t<decltype(part)>>::value) {
      const index_t i = static_cast<index_t>(part);
      if (i == COLON) detail::array_error(label_, "section: dimension " + std::to_string(d + 1) + " is COLON, which is an index here; say ALL");
      if (i < this->lower(d) || i > upper_bound(d)) detail::index_out_of_bounds("section of array", label_, d, rank, i, this->lower(d), upper_bound(d));
      at += (i - this->lower(d)) * stride_[d];
    } else {
      index_t skipped, lower, extent, stride;
      cut(d, part, &skipped, &lower, &extent, &stride);
      v.set_dimension(to++, lower, extent, stride);
      at += skipped * stride_[d];
    }
    d++;
  };
  (take(parts), ...);
  v.data_ = data_ + at;
  v.record_ = detail::hold(record_);
  v.label_ = label_;
  return v;
}

template <class T, int rank, int myMem, int myStyle>
StridedArray<T, rank, myMem, myStyle> StridedArray<T, rank, myMem, myStyle>::permuted(const Dims &dims) const {
  constexpr index_t first = myStyle == styleC ? 0 : 1;
  must_have_elements("permuted");
  bool taken[static_cast<std::size_t>(rank)] = {}, good = dims.rank == rank;
  for (int d = 0; good && d < rank; d++) {
    good = dims[d] >= first && dims[d] < first + rank && !taken[dims[d] - first];
    if (good) taken[dims[d] - first] = true;
  }
  if (!good)
    detail::array_error(label_, "permuted: the dimensions that are given are not " + std::to_string(first) + " to " + std::to_string(first + rank - 1) +
                                    ", each once");
  StridedArray v = *this;
  for (int d = 0; d < rank; d++) {
    const int from = static_cast<int>(dims[d] - first);
    v.set_dimension(d, this->lower(from), extent_[from], stride_[from]);
  }
  return v;
}

template <class T, int rank, int myMem, int myStyle> Array<T, rank, myMem, myStyle> StridedArray<T, rank, myMem, myStyle>::as_array() const {
  must_have_elements("as_array");
  if (!span_is_contiguous())
    detail::array_error(label_, "as_array: it has gaps or another order than an Array of its style; createHostCopy() makes one that has not");
  index_t lower[static_cast<std::size_t>(rank)];
  for (int d = 0; d < rank; d++) lower[d] = this->lower(d);
  return detail::ArrayAccess::make<Array<T, rank, myMem, myStyle>>(data_, detail::hold(record_), label_, lower, extent_);
}

} // namespace portable

#endif
