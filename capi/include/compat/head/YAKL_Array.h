// YAKL_Array.h - Array of YAKL's HEAD: the library's Array under the types of Kokkos, Array<double **, yakl::DeviceSpace>. Part of compat/head/YAKL.h;
// include that.
//
// In this file: what both styles have, and the one of C. Not in this file: the one of Fortran (YAKL_Array_F.h); elements and sharing, which are those of
// portable_array.hpp. An array is no Kokkos::View: get_View() gives the library's array. New elements are 0, as in Kokkos.
// Errors: portable::Error, as portable_array.hpp.
// Source: YAKL's Array.
#ifndef PORTABLE_YAKL_HEAD_ARRAY
#define PORTABLE_YAKL_HEAD_ARRAY

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {

inline constexpr Kokkos::ALL_t COLON{};

template <class Type> inline constexpr bool is_Array = requires { requires Type::is_Array; };

// ViewType<double, 3>::type is double ***.
template <class T, int N> struct ViewType {
  using type = typename ViewType<T *, N - 1>::type;
};
template <class T> struct ViewType<T, 0> {
  using type = T;
};

template <class KT, class MemSpace = DeviceSpace> class Array;
template <class KT, class MemSpace = DeviceSpace> class Array_F;

namespace internal {

// double const ** is elements of double const, and rank 2.
template <class KT> struct DataType {
  using type = KT;
  static constexpr int rank = 0;
};
template <class KT> struct DataType<KT *> {
  using type = typename DataType<KT>::type;
  static constexpr int rank = DataType<KT>::rank + 1;
};
template <class KT> using ElementOf = typename DataType<KT>::type;
template <class KT> inline constexpr int rank_of = DataType<KT>::rank;

template <class Space> inline constexpr bool on_host = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
template <class Space> inline constexpr int memory_of = on_host<Space> ? portable::memHost : portable::memDevice;
template <class KT, class Space, bool fortran>
using Plain = portable::Array<ElementOf<KT>, rank_of<KT>, memory_of<Space>, fortran ? portable::styleFortran : portable::styleC>;

// A text that is a std::string to programs, and an address to the library's messages.
struct Label : std::string {
  using std::string::string;
  operator const char *() const { return c_str(); }
};

KOKKOS_INLINE_FUNCTION constexpr index_t slice_index(std::integral auto i) { return static_cast<index_t>(i); }
KOKKOS_INLINE_FUNCTION constexpr index_t slice_index(Kokkos::ALL_t) { return portable::COLON; }
template <class I> concept SliceIndex = std::integral<I> || std::same_as<std::remove_cvref_t<I>, Kokkos::ALL_t>;

// The common members of both styles. Self is the class, Of<KT, Space> the same style of another type.
template <class Self, template <class, class> class Of, class KT, class MemSpace, bool fortran> class ArrayBase : public Plain<KT, MemSpace, fortran> {
  using Base = Plain<KT, MemSpace, fortran>;

public:
  static constexpr bool is_Array = true, is_fstyle = fortran, is_cstyle = !fortran, on_device = !on_host<MemSpace>;
  using base_t = Base;
  using this_t = Self;
  using value_type = ElementOf<KT>;
  using const_value_type = std::add_const_t<value_type>;
  using non_const_value_type = std::remove_cv_t<value_type>;
  using data_type = KT;
  using non_const_data_type = typename ViewType<non_const_value_type, rank_of<KT>>::type;
  using memory_space = MemSpace;
  using execution_space = std::conditional_t<on_host<MemSpace>, Kokkos::DefaultHostExecutionSpace, Kokkos::DefaultExecutionSpace>;
  using size_type = std::size_t;

  ArrayBase() = default;
  ArrayBase(const Base &other) noexcept : Base(other) {}
  ArrayBase(Base &&other) noexcept : Base(std::move(other)) {}
  // One of const elements of one of others.
  template <class Other> requires(std::is_same_v<const typename Other::value_type, value_type> && std::is_same_v<typename Other::memory_space, MemSpace>)
  ArrayBase(const Other &other) noexcept : Base(other.get_View()) {}

  KOKKOS_INLINE_FUNCTION static constexpr unsigned rank() { return static_cast<unsigned>(rank_of<KT>); }
  KOKKOS_INLINE_FUNCTION std::size_t extent(std::integral auto d) const { return static_cast<std::size_t>(Base::extent(static_cast<int>(d))); }
  KOKKOS_INLINE_FUNCTION int extent_int(std::integral auto d) const { return static_cast<int>(Base::extent(static_cast<int>(d))); }
  KOKKOS_INLINE_FUNCTION std::size_t size() const { return static_cast<std::size_t>(Base::size()); }
  KOKKOS_INLINE_FUNCTION std::size_t span() const { return size(); }
  // Elements from one index of dimension d to the next one.
  KOKKOS_INLINE_FUNCTION std::size_t stride(std::integral auto d) const {
    std::size_t n = 1;
    for (int k = 0; k < rank_of<KT>; k++)
      if (fortran ? k < static_cast<int>(d) : k > static_cast<int>(d)) n *= extent(k);
    return n;
  }
  KOKKOS_INLINE_FUNCTION bool is_allocated() const { return this->initialized(); }
  Label label() const { return Label(Base::label()); }
  const Base &get_View() const { return *this; }
  Base &get_View() { return *this; }

  // A new array of this shape, whose elements are 0; in another space, of another type.
  template <class Space = MemSpace, class Value = non_const_value_type> auto clone_object() const {
    const auto made = made_like<Space, Value>();
    made.fill(Value{});
    return made;
  }
  // New arrays of this shape, whose elements are not set, or copied.
  template <class Value = non_const_value_type> auto createDeviceObject() const { return made_like<DeviceSpace, Value>(); }
  template <class Value = non_const_value_type> auto createHostObject() const { return made_like<Kokkos::HostSpace, Value>(); }
  auto createDeviceCopy() const { return Like<DeviceSpace, non_const_value_type>(Base::template createDeviceCopy<non_const_value_type>()); }
  auto createHostCopy() const { return Like<Kokkos::HostSpace, non_const_value_type>(Base::template createHostCopy<non_const_value_type>()); }
  // The same with each element converted.
  template <class S> requires std::is_arithmetic_v<S> auto as() const {
    if constexpr (on_host<MemSpace>)
      return Like<MemSpace, S>(Base::template createHostCopy<S>());
    else
      return Like<MemSpace, S>(Base::template createDeviceCopy<S>());
  }
  // All elements, in the order they lie in, to as many.
  template <class Other> requires yakl::is_Array<Other> void deep_copy_to(const Other &to) const { Base::deep_copy_to(to.get_View()); }

  template <std::integral auto N, SliceIndex... I> requires(sizeof...(I) == static_cast<std::size_t>(rank_of<KT>))
  KOKKOS_INLINE_FUNCTION auto slice(I... i) const {
    static_assert(N >= 1 && static_cast<int>(N) <= rank_of<KT>, "a slice has 1 dimension at least, and no more than its array");
    return View<static_cast<int>(N)>(Base::template slice<static_cast<int>(N)>(portable::Dims(slice_index(i)...)));
  }
  KOKKOS_INLINE_FUNCTION Self subset_slowest_dimension(std::integral auto l, std::integral auto u) const {
    const Base part = Base::subset_slowest_dimension(static_cast<portable::index_t>(l), static_cast<portable::index_t>(u));
    if constexpr (fortran) { // it begins at l, unlike the library's
      portable::Bnds bounds;
      bounds.rank = rank_of<KT>;
      for (int d = 0; d < rank_of<KT>; d++) bounds.l[d] = part.lower_bound(d), bounds.u[d] = part.upper_bound(d);
      bounds.l[rank_of<KT> - 1] = static_cast<portable::index_t>(l), bounds.u[rank_of<KT> - 1] = static_cast<portable::index_t>(u);
      return Self(part.template reshape<rank_of<KT>>(bounds));
    } else {
      return Self(part);
    }
  }
  KOKKOS_INLINE_FUNCTION Self subset_slowest_dimension(std::integral auto u) const {
    return fortran ? subset_slowest_dimension(Base::lower_bound(rank_of<KT> - 1), u) : subset_slowest_dimension(0, u - 1);
  }
  KOKKOS_INLINE_FUNCTION auto collapse(std::integral auto lower) const requires fortran {
    return View<1>(Base::collapse(static_cast<portable::index_t>(lower)));
  }
  KOKKOS_INLINE_FUNCTION auto flatten(std::integral auto lower) const requires fortran { return collapse(lower); }
  KOKKOS_INLINE_FUNCTION auto collapse() const { return View<1>(Base::collapse()); }
  KOKKOS_INLINE_FUNCTION auto flatten() const { return collapse(); }

  KOKKOS_INLINE_FUNCTION auto extents() const { return list<uindex_t>([this](int d) { return static_cast<uindex_t>(Base::extent(d)); }); }
  KOKKOS_INLINE_FUNCTION auto lbounds() const { return list<Bound>([this](int d) { return static_cast<Bound>(Base::lower_bound(d)); }); }
  KOKKOS_INLINE_FUNCTION auto ubounds() const { return list<Bound>([this](int d) { return static_cast<Bound>(Base::upper_bound(d)); }); }
  // The indices of the n-th element, in the order they lie in, from 0.
  KOKKOS_INLINE_FUNCTION auto unpack_global_index(std::integral auto n) const {
    return list<Bound>([this, n](int d) {
      return static_cast<Bound>(Base::lower_bound(d) + static_cast<portable::index_t>(static_cast<std::size_t>(n) / stride(d) % extent(d)));
    });
  }

  // Sets all elements.
  template <class S> requires std::is_arithmetic_v<S> void fill(S value) const { Base::operator=(static_cast<value_type>(value)); }

  friend std::ostream &operator<<(std::ostream &out, const Self &a) {
    out << (fortran ? "Array_F [" : "Array [") << static_cast<const std::string &>(a.label()) << "], Dimensions [";
    for (int d = 0; d < rank_of<KT>; d++) out << a.extent(d) << (d + 1 < rank_of<KT> ? "," : "");
    out << "] = " << a.size() << " Elements:  ";
    const auto near = a.createHostCopy();
    for (std::size_t k = 0; k < near.size(); k++) out << near.data()[k] << (k + 1 < near.size() ? " , " : "");
    return out << std::endl;
  }

protected:
  // An array of the library, in the pool, whose elements are 0.
  template <class Shape> static Base make(const std::string &label, const Shape &shape) {
    start_for_arrays(on_device);
    Base made(label.c_str(), shape);
    if constexpr (std::is_trivially_default_constructible_v<value_type>) made = value_type{};
    return made;
  }
  template <class Shape> static Base make(value_type *data, const Shape &shape) { return Base("", data, shape); }

  template <int N> using View = Of<typename ViewType<value_type, N>::type, MemSpace>;

private:
  using Bound = std::conditional_t<fortran, index_t, uindex_t>;
  template <class Space, class Value> using Like = Of<typename ViewType<std::remove_cv_t<Value>, rank_of<KT>>::type, Space>;
  template <class Space, class Value> Like<Space, Value> made_like() const {
    start_for_arrays(!on_host<Space>);
    if constexpr (on_host<Space>)
      return Like<Space, Value>(Base::template createHostObject<std::remove_cv_t<Value>>());
    else
      return Like<Space, Value>(Base::template createDeviceObject<std::remove_cv_t<Value>>());
  }
  template <class U, class F> KOKKOS_INLINE_FUNCTION static auto list(const F &f) {
    constexpr int first = fortran ? 1 : 0;
    std::conditional_t<fortran, SArray_F<U, Bnds{1, rank_of<KT>}>, SArray<U, rank_of<KT>>> all;
    for (int d = 0; d < rank_of<KT>; d++) all(d + first) = f(d);
    return all;
  }
};

} // namespace internal

// From 0, the last index is the fastest.
template <class KT, class MemSpace> class Array : public internal::ArrayBase<Array<KT, MemSpace>, Array, KT, MemSpace, false> {
  static_assert(internal::rank_of<KT> >= 1 && internal::rank_of<KT> <= 8, "an Array has 1 to 8 dimensions, one for each * of its type");
  using Parts = internal::ArrayBase<Array<KT, MemSpace>, yakl::Array, KT, MemSpace, false>;

public:
  using Parts::Parts;
  Array() = default;
  // Elements of the pool, which are 0.
  template <std::integral... N> requires(sizeof...(N) == internal::rank_of<KT>)
  explicit Array(const std::string &label, N... n) : Parts(Parts::make(label, portable::Dims(n...))) {}
  // Memory of the program's, which must stay as long as the array is used.
  template <std::integral... N> requires(sizeof...(N) == internal::rank_of<KT>)
  explicit Array(typename Parts::value_type *data, N... n) : Parts(Parts::make(data, portable::Dims(n...))) {}

  template <class S> requires std::is_arithmetic_v<S> const Array &operator=(S value) const { return this->fill(value), *this; }
  KOKKOS_INLINE_FUNCTION auto reshape(std::integral auto... n) const {
    constexpr int rank = static_cast<int>(sizeof...(n));
    return typename Parts::template View<rank>(Parts::base_t::template reshape<rank>(portable::Dims(n...)));
  }
};

} // namespace yakl

namespace Kokkos {

// Sets all elements; copies all elements to as many.
template <class A, class S> requires(yakl::is_Array<A> && std::is_arithmetic_v<S>) void deep_copy(const A &to, S value) { to.fill(value); }
template <class A, class B> requires(yakl::is_Array<A> && yakl::is_Array<B>) void deep_copy(const A &to, const B &from) { from.deep_copy_to(to); }

} // namespace Kokkos

namespace portable {
namespace detail {

template <class KT, class Space> struct ArrayTraits<yakl::Array<KT, Space>> {
  static constexpr ArrayClass what = ArrayClass::array;
  static constexpr int rank = yakl::internal::rank_of<KT>, style = styleC;
  using type = std::remove_cv_t<yakl::internal::ElementOf<KT>>;
  template <class U> using with = yakl::Array<typename yakl::ViewType<U, rank>::type, Space>;
};

} // namespace detail
} // namespace portable

#endif
