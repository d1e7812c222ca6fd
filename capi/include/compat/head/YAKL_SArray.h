// YAKL_SArray.h - small arrays of YAKL's HEAD whose shape the compiler knows: SArray and SArray_F. Part of compat/head/YAKL.h; include that.
//
// They lie where they are declared, and a copy copies all elements, which are not set at first. Elements can be changed through a const array, because a
// kernel's captures are const. Any number of dimensions. Not in this file: what functions compute of them (YAKL_intrinsics.h, YAKL_componentwise.h).
// Errors: portable::Error with ERR_ARG: an index out of bounds, under KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK and PORTABLE_CHECK=arrays.
// Source: YAKL's SArray and SArray_F.
#ifndef PORTABLE_YAKL_HEAD_SARRAY
#define PORTABLE_YAKL_HEAD_SARRAY

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

// The bounds of a dimension; both belong to it. A template argument: SArray_F<double, Bnds{-2, 2}>.
struct Bnds {
  index_t l, u;
};

template <class Type> inline constexpr bool is_SArray = requires { requires Type::is_SArray; };

namespace internal {

constexpr index_t extent_of(Bnds b) { return b.u - b.l + 1; }
template <class I> constexpr bool positive_extent(I n) { return n > 0 && std::in_range<index_t>(n); }

// The common members of both. Self gives lower(d), fastest_last and the list of its dimensions' numbers; B are the bounds.
template <class Self, class T, Bnds... B> class SmallArray {
public:
  static constexpr bool is_SArray = true;
  static constexpr unsigned rank = sizeof...(B);
  static constexpr uindex_t num_elements = (static_cast<uindex_t>(extent_of(B)) * ...);
  using value_type = T;
  using const_value_type = std::add_const_t<T>;
  using non_const_value_type = std::remove_cv_t<T>;

  mutable T my_data[num_elements];

  KOKKOS_FORCEINLINE_FUNCTION T &operator()(std::integral auto... i) const {
    static_assert(sizeof...(i) == rank, "as many indices as the array has dimensions");
    const index_t at[] = {static_cast<index_t>(i)...};
    if (portable::detail::looks_at_indices()) check(at);
    index_t offset = 0;
    if constexpr (Self::is_cstyle)
      for (unsigned d = 0; d < rank; d++) offset = offset * extents_[d] + (at[d] - lower_[d]);
    else
      for (unsigned d = rank; d-- > 0;) offset = offset * extents_[d] + (at[d] - lower_[d]);
    return my_data[offset];
  }
  KOKKOS_INLINE_FUNCTION T *data() const { return my_data; }
  KOKKOS_INLINE_FUNCTION T *begin() const { return my_data; }
  KOKKOS_INLINE_FUNCTION T *end() const { return my_data + num_elements; }
  static constexpr uindex_t size() { return num_elements; }
  static constexpr bool span_is_contiguous() { return true; }
  static constexpr bool is_allocated() { return true; }
  // Dimensions count from 0 here.
  static constexpr uindex_t extent(std::integral auto d) { return static_cast<uindex_t>(extents_[d]); }
  template <std::integral auto d> requires(d >= 0 && static_cast<unsigned>(d) < rank) static constexpr uindex_t extent() {
    return static_cast<uindex_t>(extents_[d]);
  }
  // Elements of this one's class, one for each dimension, from 0 or from 1.
  KOKKOS_INLINE_FUNCTION auto extents() const { return Self::template list<uindex_t>([](unsigned d) { return static_cast<uindex_t>(extents_[d]); }); }
  KOKKOS_INLINE_FUNCTION auto lbounds() const {
    return Self::template list<typename Self::bound_type>([](unsigned d) { return static_cast<typename Self::bound_type>(lower_[d]); });
  }
  KOKKOS_INLINE_FUNCTION auto ubounds() const {
    return Self::template list<typename Self::bound_type>([](unsigned d) { return static_cast<typename Self::bound_type>(lower_[d] + extents_[d] - 1); });
  }
  // The indices of the n-th element, in the order they lie in, from 0.
  KOKKOS_INLINE_FUNCTION auto unpack_global_index(std::integral auto n) const {
    return Self::template list<typename Self::bound_type>([n](unsigned d) {
      index_t step = 1;
      for (unsigned k = 0; k < rank; k++)
        if (Self::is_cstyle ? k > d : k < d) step *= extents_[k];
      return static_cast<typename Self::bound_type>(lower_[d] + static_cast<index_t>(n) / step % extents_[d]);
    });
  }

protected:
  KOKKOS_INLINE_FUNCTION void fill(T value) {
    for (uindex_t k = 0; k < num_elements; k++) my_data[k] = value;
  }
  void print(std::ostream &out, const char *name) const {
    out << name << ": ";
    for (uindex_t k = 0; k < num_elements; k++) out << my_data[k] << (k + 1 < num_elements ? " , " : "");
    out << std::endl;
  }

private:
  static constexpr index_t lower_[rank] = {B.l...};
  static constexpr index_t extents_[rank] = {extent_of(B)...};
  static void check(const index_t *at) {
    for (unsigned d = 0; d < rank; d++)
      if ((at[d] < lower_[d] || at[d] > lower_[d] + extents_[d] - 1) && portable::detail::refuses_indices())
        portable::detail::index_out_of_bounds(Self::is_cstyle ? "SArray" : "SArray_F", nullptr, static_cast<int>(d), static_cast<int>(rank), at[d], lower_[d],
                                              lower_[d] + extents_[d] - 1);
  }
};

} // namespace internal

// From 0, the last index is the fastest: SArray<double, ny, nx> is like double[ny][nx].
template <class T, std::integral auto... N> requires(sizeof...(N) > 0 && (internal::positive_extent(N) && ...))
class SArray : public internal::SmallArray<SArray<T, N...>, T, Bnds{0, static_cast<index_t>(N) - 1}...> {
public:
  static constexpr bool is_cstyle = true, is_fstyle = false;
  using bound_type = uindex_t;
  template <class U> using TypeAs = SArray<U, N...>;
  template <class S> requires std::is_arithmetic_v<S> KOKKOS_INLINE_FUNCTION SArray &operator=(S value) { return this->fill(static_cast<T>(value)), *this; }
  friend std::ostream &operator<<(std::ostream &out, const SArray &a) { return a.print(out, "yakl::SArray"), out; }
  template <class U> KOKKOS_INLINE_FUNCTION static auto list(const auto &f) {
    SArray<U, sizeof...(N)> all;
    for (unsigned d = 0; d < sizeof...(N); d++) all(d) = f(d);
    return all;
  }
};

// Any lower bounds, the first index is the fastest: SArray_F<double, Bnds{1, nx}, Bnds{0, ny}> is like REAL(8) :: a(nx, 0:ny).
template <class T, Bnds... B> requires(sizeof...(B) > 0 && ((B.l <= B.u) && ...))
class SArray_F : public internal::SmallArray<SArray_F<T, B...>, T, B...> {
public:
  static constexpr bool is_cstyle = false, is_fstyle = true;
  using bound_type = index_t;
  template <class U> using TypeAs = SArray_F<U, B...>;
  template <class S> requires std::is_arithmetic_v<S> KOKKOS_INLINE_FUNCTION SArray_F &operator=(S value) { return this->fill(static_cast<T>(value)), *this; }
  friend std::ostream &operator<<(std::ostream &out, const SArray_F &a) { return a.print(out, "yakl::SArray_F"), out; }
  template <class U> KOKKOS_INLINE_FUNCTION static auto list(const auto &f) {
    SArray_F<U, Bnds{1, static_cast<index_t>(sizeof...(B))}> all;
    for (unsigned d = 0; d < sizeof...(B); d++) all(d + 1) = f(d);
    return all;
  }
};

} // namespace yakl

namespace portable {
namespace detail {

template <class T, auto... N> struct ArrayTraits<yakl::SArray<T, N...>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = static_cast<int>(sizeof...(N)), style = styleC;
  using type = std::remove_cv_t<T>;
  template <class U> using with = yakl::SArray<U, N...>;
};
template <class T, yakl::Bnds... B> struct ArrayTraits<yakl::SArray_F<T, B...>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = static_cast<int>(sizeof...(B)), style = styleFortran;
  using type = std::remove_cv_t<T>;
  template <class U> using with = yakl::SArray_F<U, B...>;
};

} // namespace detail
} // namespace portable

#endif
