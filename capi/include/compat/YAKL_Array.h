// YAKL_Array.h - Array of YAKL: the library's Array under YAKL's type, with its public members. Part of YAKL.h; include that.
//
// In this file: types that functions are deduced from, as in `f(Array<T, rank, mem, style>)`; views and copies as arrays of this type; dimension[],
// myData and lbounds[]; ArrayIR; output. Not in this file: making, elements, sharing, which are those of portable_array.hpp.
// Nothing is added to an array: one of YAKL's is as large, and as fast, as the library's, and converts from it.
// Source: YAKL's Array.
#ifndef YAKL_ARRAY_H
#define YAKL_ARRAY_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

#include <set>

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

using portable::Bnd;
using portable::Bnds;
using portable::COLON;
using portable::Dims;
using portable::memDefault;
using portable::memDevice;
using portable::memHost;
using portable::styleC;
using portable::styleDefault;
using portable::styleFortran;

// The members of the library's Array that are public in YAKL.
template <class T, int rank, int myMem, int myStyle> class ArrayBase : public portable::Array<T, rank, myMem, myStyle> {
  using Base = portable::Array<T, rank, myMem, myStyle>;

public:
  using Base::Base;
  ArrayBase() = default;
  YAKL_INLINE ArrayBase(const Base &other) noexcept : Base(other) {}
  YAKL_INLINE ArrayBase(Base &&other) noexcept : Base(std::move(other)) {}
  using Base::dimension;
  using Base::myData;
};
template <class T, int rank, int myMem> class ArrayBase<T, rank, myMem, styleFortran> : public portable::Array<T, rank, myMem, styleFortran> {
  using Base = portable::Array<T, rank, myMem, styleFortran>;

public:
  using Base::Base;
  ArrayBase() = default;
  YAKL_INLINE ArrayBase(const Base &other) noexcept : Base(other) {}
  YAKL_INLINE ArrayBase(Base &&other) noexcept : Base(std::move(other)) {}
  using Base::dimension;
  using Base::lbounds;
  using Base::myData;
};

template <class T, int rank, int myMem = memDefault, int myStyle = styleDefault> class Array : public ArrayBase<T, rank, myMem, myStyle> {
  using Plain = portable::Array<T, rank, myMem, myStyle>;
  using Base = ArrayBase<T, rank, myMem, myStyle>;
  template <int n> using View = Array<T, n, myMem, myStyle>;
  template <class U> using InHost = Array<U, rank, memHost, myStyle>;
  template <class U> using InDevice = Array<U, rank, memDevice, myStyle>;

public:
  using typename Plain::type;
  using Base::Base;
  Array() = default;
  YAKL_INLINE Array(const Plain &other) noexcept : Base(other) {}
  YAKL_INLINE Array(Plain &&other) noexcept : Base(std::move(other)) {}
  // Wraps the memory of an ArrayIR, which stays the caller's.
  // Errors: portable::Error with ERR_ARG (the memory is not one that arrays in myMem have).
  Array(const array_ir::ArrayIR<T, rank> &ir) : Array(wrapped(ir)) {}
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && !std::is_base_of<Plain, S>::value, int> = 0>
  const Array &operator=(const S &value) const {
    Plain::operator=(value);
    return *this;
  }

  YAKL_INLINE index_t size() const { return static_cast<index_t>(Plain::size()); }
  YAKL_INLINE index_t totElems() const { return size(); }
  YAKL_INLINE index_t get_totElems() const { return size(); }
  YAKL_INLINE index_t get_elem_count() const { return size(); }
  YAKL_INLINE index_t extent(int d) const { return this->dimension[d]; }
  // From 0 and of index_t; of styleFortran from 1, and bounds are int.
  YAKL_INLINE auto get_dimensions() const { return list<index_t>([this](int d) { return Plain::extent(d); }); }
  YAKL_INLINE auto get_lbounds() const { return list<Bound>([this](int d) { return this->lower_bound(d); }); }
  YAKL_INLINE auto get_ubounds() const { return list<Bound>([this](int d) { return this->upper_bound(d); }); }
  void add_stream_dependencies(const std::vector<Stream> &streams) const {
    for (const Stream &s : streams) this->add_stream_dependency(s);
  }
  void set_label(const char *label) { Plain::set_label(label); }
  // The text is kept until the program ends.
  void set_label(const std::string &label) {
    static std::mutex mutex;
    static std::set<std::string> texts;
    const std::lock_guard<std::mutex> lock(mutex);
    Plain::set_label(texts.insert(label).first->c_str());
  }

  template <int N> YAKL_INLINE View<N> slice(const Dims &indices) const { return Plain::template slice<N>(indices); }
  template <int N, class... I, std::enable_if_t<(sizeof...(I) >= 1 && portable::detail::all_integral<I...>()), int> = 0>
  YAKL_INLINE View<N> slice(I... indices) const {
    return Plain::template slice<N>(indices...);
  }
  template <int N> YAKL_INLINE View<N> reshape(const portable::detail::ShapeOf<N, myStyle> &shape) const { return Plain::template reshape<N>(shape); }
  YAKL_INLINE View<1> reshape(Bnd a) const { return Plain::reshape(a); }
  YAKL_INLINE View<2> reshape(Bnd a, Bnd b) const { return Plain::reshape(a, b); }
  YAKL_INLINE View<3> reshape(Bnd a, Bnd b, Bnd c) const { return Plain::reshape(a, b, c); }
  YAKL_INLINE View<4> reshape(Bnd a, Bnd b, Bnd c, Bnd d) const { return Plain::reshape(a, b, c, d); }
  YAKL_INLINE View<5> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e) const { return Plain::reshape(a, b, c, d, e); }
  YAKL_INLINE View<6> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f) const { return Plain::reshape(a, b, c, d, e, f); }
  YAKL_INLINE View<7> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f, Bnd g) const { return Plain::reshape(a, b, c, d, e, f, g); }
  YAKL_INLINE View<8> reshape(Bnd a, Bnd b, Bnd c, Bnd d, Bnd e, Bnd f, Bnd g, Bnd h) const { return Plain::reshape(a, b, c, d, e, f, g, h); }
  YAKL_INLINE View<1> collapse(int lower = myStyle == styleC ? 0 : 1) const { return Plain::collapse(lower); }
  YAKL_INLINE Array subset_slowest_dimension(int l, int u) const { return Plain::subset_slowest_dimension(l, u); }
  YAKL_INLINE Array subset_slowest_dimension(int u) const { return Plain::subset_slowest_dimension(u); }

  template <class U = T> InHost<U> createHostCopy(const Stream &stream = Stream()) const { return Plain::template createHostCopy<U>(stream); }
  template <class U = T> InDevice<U> createDeviceCopy(const Stream &stream = Stream()) const { return Plain::template createDeviceCopy<U>(stream); }
  template <class U = type> InHost<std::remove_cv_t<U>> createHostObject() const { return Plain::template createHostObject<U>(); }
  template <class U = type> InDevice<std::remove_cv_t<U>> createDeviceObject() const { return Plain::template createDeviceObject<U>(); }

  // The address and the shape, for other libraries: the last dimension is the fastest one, lower bounds are left out. It holds nothing.
  template <class U = T> array_ir::ArrayIR<U, rank> create_ArrayIR() const {
    std::array<std::size_t, static_cast<std::size_t>(rank)> extents;
    for (int d = 0; d < rank; d++) extents[static_cast<std::size_t>(d)] = extent(myStyle == styleC ? d : rank - 1 - d);
#ifdef YAKL_MANAGED_MEMORY
    constexpr int device = array_ir::MEMORY_SHARED;
#else
    constexpr int device = array_ir::MEMORY_DEVICE;
#endif
    return array_ir::ArrayIR<U, rank>(const_cast<U *>(this->data()), extents, myMem == memHost ? array_ir::MEMORY_HOST : device, this->label());
  }

  // Label, rank, number of elements and sizes, each with its name, and the elements in one line.
  friend std::ostream &operator<<(std::ostream &out, const Array &a) {
    out << "For Array labeled: " << a.label() << '\n' << "Number of Dimensions: " << rank << '\n';
    out << "Total Number of Elements: " << a.totElems() << '\n' << "Dimension Sizes: ";
    for (int d = 0; d < rank; d++) out << a.dimension[d] << ", ";
    out << '\n';
    if (a.initialized()) {
      const auto near = a.createHostCopy();
      for (const T &x : near) out << x << ' ';
    }
    return out << '\n';
  }

private:
  using Bound = std::conditional_t<myStyle == styleC, index_t, int>;
  template <class U, class F> YAKL_INLINE static auto list(const F &f) {
    constexpr int first = myStyle == styleC ? 0 : 1;
    std::conditional_t<myStyle == styleC, SArray<U, 1, static_cast<index_t>(rank)>, FSArray<U, 1, SB<rank>>> all;
    for (int d = 0; d < rank; d++) all(first + d) = static_cast<U>(f(d));
    return all;
  }
  static Plain wrapped(const array_ir::ArrayIR<T, rank> &ir) {
    if (!(myMem == memHost ? ir.data_valid_on_host() : ir.data_valid_on_device()))
      portable::detail::array_error(ir.label() ? ir.label() : "", std::string("an ArrayIR whose data are not valid ") +
                                                                      (myMem == memHost ? "on the host is no array in memHost" : "on the device is no array in memDevice"));
    Dims extents;
    for (int d = 0; d < rank; d++) extents.data[extents.rank++] = static_cast<portable::index_t>(ir.extent(myStyle == styleC ? d : rank - 1 - d));
    return Plain(ir.label(), ir.data(), extents);
  }
};

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

namespace portable {
namespace detail {

template <class T, int r, int m, int s> struct ArrayTraits<yakl::Array<T, r, m, s>> {
  static constexpr ArrayClass what = ArrayClass::array;
  static constexpr int rank = r, style = s;
  using type = std::remove_cv_t<T>;
  template <class U> using with = yakl::Array<U, r, m, s>;
  template <class U> using list = yakl::Array<U, 1, m, s>;
};
template <class T, int r, int m, int s> constexpr int style_of<yakl::Array<T, r, m, s>> = s;

} // namespace detail
} // namespace portable

#endif
