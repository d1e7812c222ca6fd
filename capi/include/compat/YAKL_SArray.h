// YAKL_SArray.h - SArray and FSArray of YAKL: the library's small arrays, with extents of type index_t. Part of YAKL.h; include that.
//
// In this file: types that functions are deduced from, as in `template <index_t n> f(SArray<T, 1, n>)`, lists of extents and bounds, output. Not in
// this file: elements, fills, copies, which are those of portable_static_array.hpp.
// Source: YAKL's CSArray and FSArray.
#ifndef YAKL_SARRAY_H
#define YAKL_SARRAY_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

using portable::SB;

template <class S, class T> using IfFills = std::enable_if_t<std::is_convertible<S, T>::value && std::is_arithmetic<S>::value, int>;

// From 0, the last index is the fastest.
template <class T, int rank, index_t D0, index_t D1 = 1, index_t D2 = 1, index_t D3 = 1>
class CSArray : public portable::CSArray<T, rank, static_cast<unsigned>(D0), static_cast<unsigned>(D1), static_cast<unsigned>(D2), static_cast<unsigned>(D3)> {
  using Base = portable::CSArray<T, rank, static_cast<unsigned>(D0), static_cast<unsigned>(D1), static_cast<unsigned>(D2), static_cast<unsigned>(D3)>;
  static_assert(D0 <= UINT32_MAX && D1 <= UINT32_MAX && D2 <= UINT32_MAX && D3 <= UINT32_MAX, "an extent of a small array has 32 bits");
  using List = CSArray<index_t, 1, static_cast<index_t>(rank)>;

public:
  CSArray() = default;
  YAKL_INLINE CSArray(const T &value) : Base(value) {}
  YAKL_INLINE CSArray(const Base &other) : Base(other) {}
  template <class S, IfFills<S, T> = 0> YAKL_INLINE const CSArray &operator=(S value) const { return this->set_all(static_cast<T>(value)), *this; }
  template <class S, IfFills<S, T> = 0> YAKL_INLINE CSArray &operator=(S value) { return this->set_all(static_cast<T>(value)), *this; }

  static PORTABLE__HOST_DEVICE constexpr index_t size() { return D0 * D1 * D2 * D3; }
  static PORTABLE__HOST_DEVICE constexpr index_t totElems() { return size(); }
  static PORTABLE__HOST_DEVICE constexpr index_t get_totElems() { return size(); }
  static PORTABLE__HOST_DEVICE constexpr index_t get_elem_count() { return size(); }
  YAKL_INLINE List get_dimensions() const { return list([](int d) { return Base::extent(d); }); }
  YAKL_INLINE List get_lbounds() const { return list([](int) { return portable::index_t{0}; }); }
  YAKL_INLINE List get_ubounds() const { return list([](int d) { return Base::extent(d) - 1; }); }

  // One element a line, in 12 columns, and an empty line.
  friend std::ostream &operator<<(std::ostream &out, const CSArray &a) {
    for (const T &x : a) out << std::setw(12) << x << '\n';
    return out << '\n';
  }

private:
  template <class F> YAKL_INLINE static List list(const F &f) {
    List all;
    for (int d = 0; d < rank; d++) all(d) = static_cast<index_t>(f(d));
    return all;
  }
};
template <class T, int rank, index_t D0, index_t D1 = 1, index_t D2 = 1, index_t D3 = 1> using SArray = CSArray<T, rank, D0, D1, D2, D3>;

// Any lower bounds, the first index is the fastest.
template <class T, int rank, class B0, class B1 = SB<1>, class B2 = SB<1>, class B3 = SB<1>>
class FSArray : public portable::FSArray<T, rank, B0, B1, B2, B3> {
  using Base = portable::FSArray<T, rank, B0, B1, B2, B3>;
  using List = FSArray<int, 1, SB<rank>>;

public:
  FSArray() = default;
  YAKL_INLINE FSArray(const T &value) : Base(value) {}
  YAKL_INLINE FSArray(const Base &other) : Base(other) {}
  template <class S, IfFills<S, T> = 0> YAKL_INLINE const FSArray &operator=(S value) const { return this->set_all(static_cast<T>(value)), *this; }
  template <class S, IfFills<S, T> = 0> YAKL_INLINE FSArray &operator=(S value) { return this->set_all(static_cast<T>(value)), *this; }

  static PORTABLE__HOST_DEVICE constexpr index_t size() { return static_cast<index_t>(Base::size()); }
  static PORTABLE__HOST_DEVICE constexpr index_t totElems() { return size(); }
  static PORTABLE__HOST_DEVICE constexpr index_t get_totElems() { return size(); }
  static PORTABLE__HOST_DEVICE constexpr index_t get_elem_count() { return size(); }
  YAKL_INLINE List get_dimensions() const { return list([](int d) { return Base::extent(d); }); }
  YAKL_INLINE List get_lbounds() const { return list([](int d) { return Base::lower(d); }); }
  YAKL_INLINE List get_ubounds() const { return list([](int d) { return Base::lower(d) + Base::extent(d) - 1; }); }

  friend std::ostream &operator<<(std::ostream &out, const FSArray &a) {
    for (const T &x : a) out << std::setw(12) << x << '\n';
    return out << '\n';
  }

private:
  template <class F> YAKL_INLINE static List list(const F &f) {
    List all;
    for (int d = 0; d < rank; d++) all(d + 1) = static_cast<int>(f(d));
    return all;
  }
};

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

namespace portable {
namespace detail {

// The library's functions give arrays of YAKL's for arrays of YAKL's.
template <class T, int r, yakl::index_t D0, yakl::index_t D1, yakl::index_t D2, yakl::index_t D3> struct ArrayTraits<yakl::CSArray<T, r, D0, D1, D2, D3>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = r, style = styleC;
  using type = std::remove_cv_t<T>;
  template <class U> using with = yakl::CSArray<U, r, D0, D1, D2, D3>;
};
template <class T, int r, class B0, class B1, class B2, class B3> struct ArrayTraits<yakl::FSArray<T, r, B0, B1, B2, B3>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = r, style = styleFortran;
  using type = std::remove_cv_t<T>;
  template <class U> using with = yakl::FSArray<U, r, B0, B1, B2, B3>;
};

} // namespace detail
} // namespace portable

#endif
