// portable_array.hpp - Array: any type and rank, host or device, C or Fortran style, shared by all its copies. Part of portable.hpp; include that.
//
// In this file: the class, its making, its elements and queries. Not in this file: what its views do (portable_array_views.hpp), copies and
// fills of elements (portable_array_copy.hpp), who holds the memory (portable_array_memory.hpp), small arrays (portable_static_array.hpp).
//
// An Array is an address, a shape, and a share in who holds the elements. Copies share the elements; the last one that ends returns them to
// the pool. One that wraps memory of the program's holds nothing. Kernels capture arrays by value: then element access is a plain load or store
// which compilers vectorise, and copies and views of a captured array inside the kernel are not counted, because the launch holds it.
//
// Errors:  Error: ERR_ARG (wrong shapes, no elements, indices), ERR_OVERFLOW, and what portable_alloc says. Texts begin with the label.
//          Single indices are looked at where PORTABLE_DEBUG is defined, or PORTABLE_RUNTIME_CHECKS is and PORTABLE_CHECK=arrays is on
//          (portable_index_checks.hpp), all else always.
// Threads: an Array is guarded by its user, as an int is; different copies may be used by different threads.
// Since: 0.1.  Source: YAKL's Array of version 1.
#ifndef PORTABLE_ARRAY_HPP
#define PORTABLE_ARRAY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <iosfwd>

namespace portable {

template <class T, int rank, int myMem = memDefault, int myStyle = styleDefault> class Array;
template <class T, int rank, int myMem = memDefault, int myStyle = styleDefault> class StridedArray;

namespace detail {

// An array's complaint, apart, so that the code around it stays small.
[[noreturn]] inline void array_error(const char *label, const std::string &text) {
  throw Error(PORTABLE_ERR_ARG, "Array '" + std::string(label) + "': " + text);
}

// Elements that only a device reaches are not host code's. host_reaches is said to change nothing, as asks_whether_on.
#if defined(__GNUC__)
__attribute__((noinline, cold, pure))
#endif
inline bool host_reaches(const void *data) noexcept {
  return portable_reach(data) == PORTABLE_REACH_HOST;
}
[[noreturn]] inline void far_elements(const char *label, const char *function) {
  array_error(label, std::string(function) + ": the elements are in memory of the device, which host code does not reach: take createHostCopy(), or arrays "
                                             "in managed memory (PORTABLE_MANAGED=1)");
}

// Before this thread reads or writes elements: devices that access this memory too have done what is in their default streams. A loop that is no
// launch would else see the elements as they were before.
template <class... T> void fence_memory(const T *...data) { (check(portable_fence_memory(data)), ...); }

// Lower bounds; those of C are none to be kept.
template <int rank, int style> struct LowerBounds {
  static PORTABLE__HOST_DEVICE constexpr index_t lower(int) { return 0; }
  PORTABLE__HOST_DEVICE void set_lower(int, index_t) {}
};
template <int rank> struct LowerBounds<rank, styleFortran> {
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t lower(int d) const { return lbounds[d]; }
  PORTABLE__HOST_DEVICE void set_lower(int d, index_t l) { lbounds[d] = l; }

protected:
  index_t lbounds[static_cast<std::size_t>(rank)];
};

struct ArrayAccess;

// A number for each dimension: as an SArray from 0, of styleFortran as an FSArray from 1.
template <unsigned n> using SmallList = SArray<index_t, 1, n>;
template <int rank, int style, class F> PORTABLE__HOST_DEVICE auto list_of_dimensions(const F &f) {
  if constexpr (style == styleC) {
    SmallList<static_cast<unsigned>(rank)> all;
    for (int d = 0; d < rank; d++) all(d) = f(d);
    return all;
  } else {
    FSArray<index_t, 1, SB<rank>> all;
    for (int d = 0; d < rank; d++) all(d + 1) = f(d);
    return all;
  }
}

// All dimensions in braces, which for one dimension would be what {l, u} of that dimension is.
struct Nothing {
  Nothing() = delete;
};
template <int rank, int style> using ShapeOf = std::conditional_t<style == styleC, Dims, Bnds>;
template <int rank, int style> using InBraces = std::conditional_t<rank == 1, Nothing, ShapeOf<rank, style>>;

} // namespace detail

template <class T, int rank, int myMem, int myStyle> class Array : protected detail::LowerBounds<rank, myStyle> {
  static_assert(rank >= 1 && rank <= detail::array_rank, "an Array has 1 to 8 dimensions");
  static_assert(myMem == memHost || myMem == memDevice, "an Array is in memHost or memDevice");
  static_assert(myStyle == styleC || myStyle == styleFortran, "an Array is of styleC or styleFortran");
  static_assert(myMem == memHost || std::is_trivially_copyable<T>::value,
                "elements in memDevice are copied byte by byte, so they have no constructors");
  using Shape = detail::ShapeOf<rank, myStyle>;
  using Braces = detail::InBraces<rank, myStyle>;
  template <int n, int k> using IfFortran = std::enable_if_t<n == k && myStyle == styleFortran, int>;
  template <class L> using IfShape = std::enable_if_t<!std::is_integral<L>::value && !std::is_same<L, Braces>::value &&
                                                      !std::is_same<L, Bnd>::value && std::is_constructible<Shape, const L &>::value, int>;
  template <class, int, int, int> friend class Array;
  friend struct detail::ArrayAccess;

public:
  using type = std::remove_cv_t<T>;
  using value_type = T;
  using const_value_type = std::add_const_t<type>;
  using non_const_value_type = std::remove_const_t<T>;

  // ---- making ----

  // No elements yet. The label is kept as an address here and where memory is wrapped: a literal, for instance.
  PORTABLE__HOST_DEVICE Array() noexcept : Array("") {}
  PORTABLE__HOST_DEVICE explicit Array(const char *label) noexcept : label_(label ? label : "") {
    for (int d = 0; d < rank; d++) set_dimension(d, myStyle == styleC ? 0 : 1, 0);
  }

  // Takes elements from the default pool: Array<double, 2>("h", ny, nx). They are not set, but those of types with constructors are
  // made. The label is copied.
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>()), int> = 0>
  Array(const char *label, I... extents) : Array(label) {
    static_assert(sizeof...(I) == rank, "as many extents as the Array has dimensions");
    create(Shape{extents...});
  }
  // All dimensions in braces, or as Dims, Bnds, std::vector, SArray.
  Array(const char *label, const Braces &shape) : Array(label) { create(shape); }
  template <class L, IfShape<L> = 0> Array(const char *label, const L &shape) : Array(label) { create(Shape(shape)); }
  // Some dimensions with their bounds, of styleFortran: ("h", nx, {0, ny}).
  template <int n = rank, IfFortran<n, 1> = 0> Array(const char *label, Bnd b0) : Array(label) { create(Bnds{b0}); }
  template <int n = rank, IfFortran<n, 2> = 0> Array(const char *label, Bnd b0, Bnd b1) : Array(label) { create(Bnds{b0, b1}); }
  template <int n = rank, IfFortran<n, 3> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2) : Array(label) { create(Bnds{b0, b1, b2}); }
  template <int n = rank, IfFortran<n, 4> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2, Bnd b3) : Array(label) { create(Bnds{b0, b1, b2, b3}); }
  template <int n = rank, IfFortran<n, 5> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4) : Array(label) { create(Bnds{b0, b1, b2, b3, b4}); }
  template <int n = rank, IfFortran<n, 6> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5)
      : Array(label) { create(Bnds{b0, b1, b2, b3, b4, b5}); }
  template <int n = rank, IfFortran<n, 7> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5, Bnd b6)
      : Array(label) { create(Bnds{b0, b1, b2, b3, b4, b5, b6}); }
  template <int n = rank, IfFortran<n, 8> = 0>
  Array(const char *label, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5, Bnd b6, Bnd b7)
      : Array(label) { create(Bnds{b0, b1, b2, b3, b4, b5, b6, b7}); }
  // Wraps memory of the program's, which it keeps and which must stay as long as the array is used.
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>()), int> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, I... extents) : Array(label) {
    static_assert(sizeof...(I) == rank, "as many extents as the Array has dimensions");
    wrap(data, Shape{extents...});
  }
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, const Braces &shape) : Array(label) { wrap(data, shape); }
  template <class L, IfShape<L> = 0> Array(const char *label, T *data, const L &shape) : Array(label) { wrap(data, Shape(shape)); }
  template <int n = rank, IfFortran<n, 1> = 0> PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0) : Array(label) { wrap(data, Bnds{b0}); }
  template <int n = rank, IfFortran<n, 2> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1) : Array(label) { wrap(data, Bnds{b0, b1}); }
  template <int n = rank, IfFortran<n, 3> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2) : Array(label) { wrap(data, Bnds{b0, b1, b2}); }
  template <int n = rank, IfFortran<n, 4> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2, Bnd b3) : Array(label) { wrap(data, Bnds{b0, b1, b2, b3}); }
  template <int n = rank, IfFortran<n, 5> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4)
      : Array(label) { wrap(data, Bnds{b0, b1, b2, b3, b4}); }
  template <int n = rank, IfFortran<n, 6> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5)
      : Array(label) { wrap(data, Bnds{b0, b1, b2, b3, b4, b5}); }
  template <int n = rank, IfFortran<n, 7> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5, Bnd b6)
      : Array(label) { wrap(data, Bnds{b0, b1, b2, b3, b4, b5, b6}); }
  template <int n = rank, IfFortran<n, 8> = 0>
  PORTABLE__HOST_DEVICE Array(const char *label, T *data, Bnd b0, Bnd b1, Bnd b2, Bnd b3, Bnd b4, Bnd b5, Bnd b6, Bnd b7)
      : Array(label) { wrap(data, Bnds{b0, b1, b2, b3, b4, b5, b6, b7}); }
  // ---- sharing ----

  // A copy shares the elements. One of const elements may be made of one of others.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE Array(const Array &other) noexcept : detail::LowerBounds<rank, myStyle>(other) { share(other, detail::hold(other.record_)); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE Array(Array &&other) noexcept : detail::LowerBounds<rank, myStyle>(other) {
    share(other, other.record_);
    other.forget();
  }
  template <class U, std::enable_if_t<std::is_same<const U, T>::value && !std::is_same<U, T>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE Array(const Array<U, rank, myMem, myStyle> &other) noexcept : detail::LowerBounds<rank, myStyle>(other) {
    share(other, detail::hold(other.record_));
  }
  // Arrays of the other memory are never shared; createHostCopy(), createDeviceCopy() and deep_copy_to copy the elements.
  template <class U, int other, std::enable_if_t<other != myMem, int> = 0>
  Array(const Array<U, rank, other, myStyle> &) = delete; // host arrays are not device arrays: createDeviceCopy() or createHostCopy()
  template <class U, int other>
  Array(const StridedArray<U, rank, other, myStyle> &) = delete; // it may have gaps: as_array() where it has none, or createHostCopy()
  PORTABLE__HOST_DEVICE Array &operator=(const Array &other) noexcept {
    if (this != &other) *this = Array(other);
    return *this;
  }
  PORTABLE__HOST_DEVICE Array &operator=(Array &&other) noexcept {
    if (this == &other) return *this;
    detail::let_go(record_);
    detail::LowerBounds<rank, myStyle>::operator=(other);
    share(other, other.record_);
    other.forget();
    return *this;
  }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE ~Array() { detail::let_go(record_); }

  // This one has no elements any more; they go when no other array holds them.
  PORTABLE__HOST_DEVICE void deallocate() { *this = Array(); }
  // Arrays that hold the elements; 0 where they are the program's, or there are none.
  int use_count() const { return record_ ? static_cast<int>(record_->holders.load()) : 0; }

  // ---- elements ----

  // The element at the indices. A plain load or store where indices are not looked at.
  template <class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "as many indices as the Array has dimensions");
    static_assert((std::is_convertible<I, index_t>::value && ...), "an index is an integer");
#if defined(__CUDA_ARCH__)
    if constexpr (detail::device_looks_at_indices) check_on_device(std::make_index_sequence<sizeof...(I)>(), static_cast<index_t>(i)...);
#else
    if (detail::looks_at_indices()) {
      check_indices(std::make_index_sequence<sizeof...(I)>(), static_cast<index_t>(i)...);
      if (myMem == memDevice && detail::refuses_indices() && !detail::host_reaches(myData)) detail::far_elements(label_, "an element");
    }
#endif
    return myData[offset(static_cast<index_t>(i)...)];
  }
  // Sets all elements.
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && !std::is_base_of<Array, S>::value, int> = 0>
  const Array &operator=(const S &value) const;

  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() const { return myData; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *get_data() const { return myData; }
  PORTABLE__HOST_DEVICE T *begin() const { return myData; }
  PORTABLE__HOST_DEVICE T *end() const { return myData + size(); }

  // ---- shape ----

  PORTABLE__HOST_DEVICE PORTABLE__INLINE bool initialized() const { return myData != nullptr; }
  static PORTABLE__HOST_DEVICE constexpr int get_rank() { return rank; }
  static PORTABLE__HOST_DEVICE constexpr int get_memory_space() { return myMem; }
  static PORTABLE__HOST_DEVICE constexpr bool span_is_contiguous() { return true; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t size() const {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= extent(d);
    return n;
  }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t totElems() const { return size(); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t get_totElems() const { return size(); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t get_elem_count() const { return size(); }
  // Dimension d counts from 0.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t extent(int d) const { return static_cast<index_t>(dimension[d]); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t lower_bound(int d) const { return this->lower(d); }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t upper_bound(int d) const { return this->lower(d) + extent(d) - 1; }
  // All dimensions: as an SArray from 0, of styleFortran as an FSArray from 1.
  PORTABLE__HOST_DEVICE auto get_dimensions() const { return list([](const Array &a, int d) { return a.extent(d); }); }
  PORTABLE__HOST_DEVICE auto get_lbounds() const { return list([](const Array &a, int d) { return a.lower(d); }); }
  PORTABLE__HOST_DEVICE auto get_ubounds() const { return list([](const Array &a, int d) { return a.lower(d) + a.extent(d) - 1; }); }
  PORTABLE__HOST_DEVICE const char *label() const { return label_; }
  // Kept as an address.
  void set_label(const char *label) { label_ = label ? label : ""; }

  // ---- views: the same elements under another shape, held by them too (portable_array_views.hpp) ----

  // The whole dimensions that are given as COLON, N fast ones, at the indices that are given of the others.
  template <int N> PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> slice(const Dims &indices) const;
  template <int N, class... I, detail::IfIntegral<I...> = 0> PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> slice(I... indices) const {
    static_assert(sizeof...(I) == rank, "as many indices, or COLON, as the Array has dimensions");
    return slice<N>(Dims(indices...));
  }
  // Another shape of as many elements: reshape<2>({ny, nx}) or reshape(ny, nx), of styleFortran also with {l, u} for a dimension.
  template <int N> PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> reshape(const detail::ShapeOf<N, myStyle> &shape) const;
  PORTABLE__HOST_DEVICE Array<T, 1, myMem, myStyle> reshape(Bnd a) const { return reshape_to<1>(Bnds{a}); }
  PORTABLE__HOST_DEVICE Array<T, 2, myMem, myStyle> reshape(Bnd a, Bnd b) const { return reshape_to<2>(Bnds{a, b}); }
  PORTABLE__HOST_DEVICE Array<T, 3, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c) const { return reshape_to<3>(Bnds{a, b, c}); }
  PORTABLE__HOST_DEVICE Array<T, 4, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c, Bnd d) const { return reshape_to<4>(Bnds{a, b, c, d}); }
  PORTABLE__HOST_DEVICE Array<T, 5, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e) const { return reshape_to<5>(Bnds{a, b, c, d, e}); }
  PORTABLE__HOST_DEVICE Array<T, 6, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f) const {
    return reshape_to<6>(Bnds{a, b, c, d, e, f});
  }
  PORTABLE__HOST_DEVICE Array<T, 7, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f, Bnd g) const {
    return reshape_to<7>(Bnds{a, b, c, d, e, f, g});
  }
  PORTABLE__HOST_DEVICE Array<T, 8, myMem, myStyle> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f, Bnd g, Bnd h) const {
    return reshape_to<8>(Bnds{a, b, c, d, e, f, g, h});
  }
  PORTABLE__HOST_DEVICE Array<T, 1, myMem, myStyle> collapse(index_t lower = myStyle == styleC ? 0 : 1) const;
  // Indices l to u of the slowest dimension; it keeps its lower bound. With one argument: the first u of styleC, or up to u of styleFortran.
  PORTABLE__HOST_DEVICE Array subset_slowest_dimension(index_t l, index_t u) const;
  PORTABLE__HOST_DEVICE Array subset_slowest_dimension(index_t u) const {
    return myStyle == styleC ? subset_slowest_dimension(0, u - 1) : subset_slowest_dimension(this->lower(rank - 1), u);
  }

  // ---- elements of their own (portable_array_copy.hpp) ----

  // Copies all elements, in the order they lie in, to as many of the same type; into an asynchronous stream it returns at once.
  template <int theirRank, int theirMem, int theirStyle> void deep_copy_to(const Array<type, theirRank, theirMem, theirStyle> &to) const;
  template <int theirRank, int theirMem, int theirStyle>
  void deep_copy_to(const Array<type, theirRank, theirMem, theirStyle> &to, const Stream &stream) const;
  // To a StridedArray each element goes to the one of the same indices, counted from the lowest.
  template <int theirMem, int theirStyle> void deep_copy_to(const StridedArray<type, rank, theirMem, theirStyle> &to) const;
  // New arrays of the same shape, with the elements copied, or not set.
  template <class U = T> Array<U, rank, memHost, myStyle> createHostCopy(const Stream &stream = Stream()) const;
  template <class U = T> Array<U, rank, memDevice, myStyle> createDeviceCopy(const Stream &stream = Stream()) const;
  template <class U = type> Array<std::remove_cv_t<U>, rank, memHost, myStyle> createHostObject() const;
  template <class U = type> Array<std::remove_cv_t<U>, rank, memDevice, myStyle> createDeviceObject() const;

  // When the elements are freed they wait for what is in the stream then.
  void add_stream_dependency(const Stream &stream) const {
    if (record_) portable::add_stream_dependency(record_->memory, stream);
  }
  void add_stream_dependencies(const std::vector<Stream> &streams) const {
    for (const Stream &s : streams) add_stream_dependency(s);
  }

  // Label, shape and elements, one a line.
  template <class Char, class Traits> friend std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, const Array &a) {
    out << "Array '" << a.label() << "':";
    for (int d = 0; d < rank; d++) out << ' ' << a.lower_bound(d) << ':' << a.upper_bound(d);
    out << '\n';
    detail::fence_memory(a.myData);
    for (const T &x : a) out << x << '\n';
    return out;
  }

private:
  PORTABLE__HOST_DEVICE void set_dimension(int d, index_t lower, index_t extent) {
    this->set_lower(d, lower);
    dimension[d] = static_cast<std::size_t>(extent);
  }
  PORTABLE__HOST_DEVICE void set_shape(const Dims &dims) {
#if !defined(__CUDA_ARCH__)
    if (dims.rank != rank) wrong_rank(dims.rank);
#endif
    for (int d = 0; d < rank; d++) set_dimension(d, 0, dims[d]);
  }
  PORTABLE__HOST_DEVICE void set_shape(const Bnds &bounds) {
#if !defined(__CUDA_ARCH__)
    if (bounds.rank != rank) wrong_rank(bounds.rank);
#endif
    for (int d = 0; d < rank; d++) {
      index_t n = 0;
#if defined(__CUDA_ARCH__)
      if (bounds.u[d] >= bounds.l[d]) n = bounds.u[d] - bounds.l[d] + 1;
#else
      if (bounds.u[d] >= bounds.l[d] && (__builtin_sub_overflow(bounds.u[d], bounds.l[d], &n) || __builtin_add_overflow(n, 1, &n)))
        detail::array_error(label_, "from " + std::to_string(bounds.l[d]) + " to " + std::to_string(bounds.u[d]) + " are more indices than can be counted");
#endif
      set_dimension(d, bounds.l[d], n);
    }
  }
  [[noreturn]] void wrong_rank(int n) const {
    detail::array_error(label_, "a shape of " + std::to_string(n) + " dimensions is given, and the array has " + std::to_string(rank));
  }
  void create(const Shape &shape) {
    static_assert(!std::is_const<T>::value, "an Array of const elements has none of its own: make one of others and assign it");
    set_shape(shape);
    index_t lower[static_cast<std::size_t>(rank)], extents[static_cast<std::size_t>(rank)];
    for (int d = 0; d < rank; d++) lower[d] = this->lower(d), extents[d] = extent(d);
    record_ = detail::make_block<T, myMem == memDevice>(label_, rank, extents, lower);
    myData = static_cast<T *>(record_->memory);
    label_ = record_->label.c_str();
  }
  PORTABLE__HOST_DEVICE void wrap(T *data, const Shape &shape) {
    set_shape(shape);
#if !defined(__CUDA_ARCH__)
    std::size_t bytes = 0;
    index_t extents[static_cast<std::size_t>(rank)];
    for (int d = 0; d < rank; d++) extents[d] = extent(d);
    detail::check_shape(label_, portable_array_bytes(rank, extents, nullptr, 64, sizeof(T), &bytes));
    if (!data && bytes > 0) detail::array_error(label_, "it is to wrap memory of the program's, and the address is null");
#endif
    myData = data;
  }
  template <class U> PORTABLE__HOST_DEVICE PORTABLE__INLINE void share(const Array<U, rank, myMem, myStyle> &other, detail::Record *record) noexcept {
    myData = other.myData;
    record_ = record;
    label_ = other.label_;
    for (int d = 0; d < rank; d++) dimension[d] = other.dimension[d];
  }
  // Another one has taken all of it over, the label's text, too, which goes with the elements.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE void forget() noexcept {
    myData = nullptr;
    record_ = nullptr;
    label_ = "";
    for (int d = 0; d < rank; d++) dimension[d] = 0;
  }
  // A view of this one's elements from `data` on; its shape is set by the caller.
  template <int N> PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> view(T *data) const {
    Array<T, N, myMem, myStyle> v(label_);
    v.myData = data;
    v.record_ = detail::hold(record_);
    return v;
  }
  template <int N> PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> reshape_to(const Bnds &bounds) const;
  template <class From> void take_from(const From &from, const Stream &stream) const;
  PORTABLE__HOST_DEVICE Shape shape() const {
    Shape all;
    if constexpr (myStyle == styleC)
      for (int d = 0; d < rank; d++) all.data[all.rank++] = extent(d);
    else
      for (int d = 0; d < rank; d++, all.rank++) all.l[d] = this->lower(d), all.u[d] = upper_bound(d);
    return all;
  }
  PORTABLE__HOST_DEVICE void must_have_elements(const char *call) const {
#if defined(__CUDA_ARCH__)
    (void)call;
#else
    if (!initialized())
      detail::array_error(label_, std::string(call) + " of an array that has no elements yet; make it with its extents, or assign one");
#endif
  }

  template <class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t offset(I... i) const {
    if constexpr (myStyle == styleC)
      return c_offset(std::make_index_sequence<sizeof...(I)>(), i...);
    else
      return fortran_offset<0>(i...);
  }
  template <std::size_t... d, class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t c_offset(std::index_sequence<d...>, I... i) const {
    index_t at = 0;
    ((at = at * extent(static_cast<int>(d)) + i), ...);
    return at;
  }
  template <int d, class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t fortran_offset(index_t i, I... more) const {
    if constexpr (sizeof...(I) == 0)
      return i - this->lower(d);
    else
      return i - this->lower(d) + extent(d) * fortran_offset<d + 1>(more...);
  }
#if defined(__CUDA_ARCH__)
  template <std::size_t... d, class... I> __device__ __forceinline__ void check_on_device(std::index_sequence<d...>, I... i) const {
    (detail::device_index("Array", static_cast<int>(d), rank, i, this->lower(static_cast<int>(d)), upper_bound(static_cast<int>(d))), ...);
  }
#endif
  template <std::size_t... d, class... I> PORTABLE__INLINE void check_indices(std::index_sequence<d...>, I... i) const {
    if (!initialized() && detail::refuses_indices()) detail::array_error(label_, "an element of an array that has none yet; make it with its extents, or assign one");
    (check_index(static_cast<int>(d), i), ...);
  }
  PORTABLE__INLINE void check_index(int d, index_t i) const {
    if ((i < this->lower(d) || i - this->lower(d) >= extent(d)) && detail::refuses_indices())
      detail::index_out_of_bounds("Array", label_, d, rank, i, this->lower(d), this->lower(d) + extent(d) - 1);
  }

  template <class F> PORTABLE__HOST_DEVICE auto list(F f) const { return detail::list_of_dimensions<rank, myStyle>([&](int d) { return f(*this, d); }); }

  detail::Record *record_ = nullptr; // null: the elements are not held
  const char *label_;

  // Their names are YAKL's, whose programs read them: compat/YAKL_Array.h makes them public.
protected:
  T *myData = nullptr;
  std::size_t dimension[static_cast<std::size_t>(rank)];
};

namespace detail {

// For the conversions from and to other languages.
struct ArrayAccess {
  template <class A> static PORTABLE__HOST_DEVICE Record *record(const A &a) { return a.record_; }
  // Takes over what the caller holds of the record.
  template <class A> static A make(typename A::value_type *data, Record *record, const char *label, const index_t *lower, const index_t *extent) {
    A a(label);
    for (int d = 0; d < A::get_rank(); d++) a.set_dimension(d, lower[d], extent[d]);
    a.myData = data;
    a.record_ = record;
    return a;
  }
  template <class A>
  static A make_strided(typename A::value_type *data, Record *record, const char *label, const index_t *lower, const index_t *extent, const index_t *stride) {
    A a;
    for (int d = 0; d < A::get_rank(); d++) a.set_dimension(d, lower[d], extent[d], stride[d]);
    a.data_ = data;
    a.record_ = record;
    a.label_ = label;
    return a;
  }
};

} // namespace detail

} // namespace portable

#endif
