// YAKL_Array_F.h - Array_F of YAKL's HEAD: any lower bounds, the first index is the fastest. Part of compat/head/YAKL.h; include that.
//
// In this file: its making and reshape. Not in this file: all else (YAKL_Array.h).
// Source: YAKL's Array_F.
#ifndef PORTABLE_YAKL_HEAD_ARRAY_F
#define PORTABLE_YAKL_HEAD_ARRAY_F

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

namespace internal {

template <std::size_t, class T> using Same = T;

// Constructors with one parameter for each dimension: no templates, so that braces are understood.
template <class KT, class MemSpace, class Numbers> class BoundedArray;
template <class KT, class MemSpace, std::size_t... d>
class BoundedArray<KT, MemSpace, std::index_sequence<d...>> : public ArrayBase<Array_F<KT, MemSpace>, Array_F, KT, MemSpace, true> {
  using Parts = ArrayBase<Array_F<KT, MemSpace>, Array_F, KT, MemSpace, true>;

public:
  using Parts::Parts;
  BoundedArray() = default;
  // Elements of the pool, which are 0.
  BoundedArray(const std::string &label, Same<d, portable::Bnd>... b) : Parts(Parts::make(label, portable::Bnds{b...})) {}
  // Memory of the program's, which must stay as long as the array is used.
  BoundedArray(typename Parts::value_type *data, Same<d, portable::Bnd>... b) : Parts(Parts::make(data, portable::Bnds{b...})) {}
};

} // namespace internal

template <class KT, class MemSpace>
class Array_F : public internal::BoundedArray<KT, MemSpace, std::make_index_sequence<static_cast<std::size_t>(internal::rank_of<KT>)>> {
  static_assert(internal::rank_of<KT> >= 1 && internal::rank_of<KT> <= 8, "an Array_F has 1 to 8 dimensions, one for each * of its type");
  using Bounded = internal::BoundedArray<KT, MemSpace, std::make_index_sequence<static_cast<std::size_t>(internal::rank_of<KT>)>>;
  using Base = typename Bounded::base_t;
  template <int n> using View = typename Bounded::template View<n>;

public:
  // A dimension: u, which is 1 to u, or {l, u}.
  using AB = portable::Bnd;
  using Bounded::Bounded;
  Array_F() = default;
  template <class S> requires std::is_arithmetic_v<S> const Array_F &operator=(S value) const { return this->fill(value), *this; }

  KOKKOS_INLINE_FUNCTION View<1> reshape(AB a) const { return Base::reshape(a); }
  KOKKOS_INLINE_FUNCTION View<2> reshape(AB a, AB b) const { return Base::reshape(a, b); }
  KOKKOS_INLINE_FUNCTION View<3> reshape(AB a, AB b, AB c) const { return Base::reshape(a, b, c); }
  KOKKOS_INLINE_FUNCTION View<4> reshape(AB a, AB b, AB c, AB d) const { return Base::reshape(a, b, c, d); }
  KOKKOS_INLINE_FUNCTION View<5> reshape(AB a, AB b, AB c, AB d, AB e) const { return Base::reshape(a, b, c, d, e); }
  KOKKOS_INLINE_FUNCTION View<6> reshape(AB a, AB b, AB c, AB d, AB e, AB f) const { return Base::reshape(a, b, c, d, e, f); }
  KOKKOS_INLINE_FUNCTION View<7> reshape(AB a, AB b, AB c, AB d, AB e, AB f, AB g) const { return Base::reshape(a, b, c, d, e, f, g); }
  KOKKOS_INLINE_FUNCTION View<8> reshape(AB a, AB b, AB c, AB d, AB e, AB f, AB g, AB h) const { return Base::reshape(a, b, c, d, e, f, g, h); }
};

} // namespace yakl

namespace portable {
namespace detail {

template <class KT, class Space> struct ArrayTraits<yakl::Array_F<KT, Space>> {
  static constexpr ArrayClass what = ArrayClass::array;
  static constexpr int rank = yakl::internal::rank_of<KT>, style = styleFortran;
  using type = std::remove_cv_t<yakl::internal::ElementOf<KT>>;
  template <class U> using with = yakl::Array_F<typename yakl::ViewType<U, rank>::type, Space>;
};

} // namespace detail
} // namespace portable

#endif
