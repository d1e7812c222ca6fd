// portable_static_array.hpp - small arrays whose shape the compiler knows, for kernels: SArray and FSArray. Part of portable.hpp; include that.
//
// They lie where they are declared, on the stack of a kernel for instance; a copy copies all elements, and nothing is allocated. As in
// YAKL the elements can be changed through a const array, because a kernel's captures are const. Elements are not set at first.
// Errors: an index out of bounds is Error (ERR_ARG) where indices are looked at (portable_index_checks.hpp).
#ifndef PORTABLE_STATIC_ARRAY_HPP
#define PORTABLE_STATIC_ARRAY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

// The common members of small arrays; Self gives lower(d), extent(d) and offset(i...).
template <class Self, class T, int rank_, unsigned count> class StaticArray {
public:
  using type = std::remove_cv_t<T>;
  using value_type = T;
  using const_value_type = std::add_const_t<type>;
  using non_const_value_type = std::remove_const_t<type>;

  StaticArray() = default;

  template <class... I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank_, "as many indices as the array has dimensions");
    static_assert(all_integral<I...>(), "an index is an integer");
#if defined(__CUDA_ARCH__)
    if constexpr (device_looks_at_indices) check_on_device(std::make_index_sequence<static_cast<std::size_t>(rank_)>(), static_cast<index_t>(i)...);
#else
    if (looks_at_indices()) check_indices(std::make_index_sequence<static_cast<std::size_t>(rank_)>(), static_cast<index_t>(i)...);
#endif
    return elements_[Self::offset(static_cast<index_t>(i)...)];
  }

  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() const { return elements_; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *get_data() const { return elements_; }
  PORTABLE__HOST_DEVICE T *begin() const { return elements_; }
  PORTABLE__HOST_DEVICE T *end() const { return elements_ + count; }
  static PORTABLE__HOST_DEVICE constexpr unsigned size() { return count; }
  static PORTABLE__HOST_DEVICE constexpr unsigned totElems() { return count; }
  static PORTABLE__HOST_DEVICE constexpr unsigned get_totElems() { return count; }
  static PORTABLE__HOST_DEVICE constexpr unsigned get_elem_count() { return count; }
  static PORTABLE__HOST_DEVICE constexpr int get_rank() { return rank_; }
  static PORTABLE__HOST_DEVICE constexpr bool span_is_contiguous() { return true; }
  static PORTABLE__HOST_DEVICE constexpr bool initialized() { return true; }

  // One element a line.
  template <class Char, class Traits> friend std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, const Self &a) {
    for (unsigned k = 0; k < count; k++) out << a.data()[k] << '\n';
    return out;
  }

protected:
  PORTABLE__HOST_DEVICE PORTABLE__INLINE void set_all(const T &value) const {
    for (unsigned k = 0; k < count; k++) elements_[k] = value;
  }

private:
#if defined(__CUDA_ARCH__)
  template <std::size_t... d, class... I> __device__ __forceinline__ static void check_on_device(std::index_sequence<d...>, I... i) {
    (device_index(Self::name, static_cast<int>(d), rank_, i, Self::lower(static_cast<int>(d)), Self::lower(static_cast<int>(d)) + Self::extent(static_cast<int>(d)) - 1), ...);
  }
#endif
  template <std::size_t... d, class... I> PORTABLE__INLINE static void check_indices(std::index_sequence<d...>, I... i) {
    (check_index(static_cast<int>(d), i), ...);
  }
  PORTABLE__INLINE static void check_index(int d, index_t i) {
    const index_t l = Self::lower(d), u = l + Self::extent(d) - 1;
    if ((i < l || i > u) && refuses_indices()) index_out_of_bounds(Self::name, nullptr, d, rank_, i, l, u);
  }

  mutable T elements_[count];
};

} // namespace detail

// From 0, the last index is the fastest: SArray<double, 2, ny, nx> is like double[ny][nx]. Rank 1 to 4.
// Source: YAKL's CSArray, which is called SArray most of the time.  Since: 0.1
template <class T, int rank, unsigned D0, unsigned D1 = 1, unsigned D2 = 1, unsigned D3 = 1>
class CSArray : public detail::StaticArray<CSArray<T, rank, D0, D1, D2, D3>, T, rank, D0 * D1 * D2 * D3> {
  static_assert(rank >= 1 && rank <= 4, "a small array has 1 to 4 dimensions");
  static_assert(rank > 3 || D3 == 1, "more extents than dimensions");
  static_assert(rank > 2 || D2 == 1, "more extents than dimensions");
  static_assert(rank > 1 || D1 == 1, "more extents than dimensions");
  static_assert(D0 > 0 && D1 > 0 && D2 > 0 && D3 > 0, "an extent is 1 or more");

public:
  static constexpr const char *name = "SArray";
  CSArray() = default;
  // All elements the same.
  PORTABLE__HOST_DEVICE CSArray(const T &value) { this->set_all(value); }
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && std::is_arithmetic<S>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE const CSArray &operator=(S value) const {
    this->set_all(static_cast<T>(value));
    return *this;
  }
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && std::is_arithmetic<S>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE CSArray &operator=(S value) {
    this->set_all(static_cast<T>(value));
    return *this;
  }

  static PORTABLE__HOST_DEVICE constexpr index_t lower(int) { return 0; }
  static PORTABLE__HOST_DEVICE constexpr index_t extent(int d) { return d == 0 ? D0 : d == 1 ? D1 : d == 2 ? D2 : D3; }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr index_t offset(index_t i) { return i; }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr index_t offset(index_t i, index_t j) { return i * D1 + j; }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr index_t offset(index_t i, index_t j, index_t k) { return (i * D1 + j) * D2 + k; }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr index_t offset(index_t i, index_t j, index_t k, index_t l) { return ((i * D1 + j) * D2 + k) * D3 + l; }

  // By dimension, from 0.
  PORTABLE__HOST_DEVICE CSArray<unsigned, 1, static_cast<unsigned>(rank)> get_dimensions() const { return list([](int d) { return extent(d); }); }
  PORTABLE__HOST_DEVICE CSArray<unsigned, 1, static_cast<unsigned>(rank)> get_lbounds() const { return list([](int d) { return lower(d); }); }
  PORTABLE__HOST_DEVICE CSArray<unsigned, 1, static_cast<unsigned>(rank)> get_ubounds() const { return list([](int d) { return extent(d) - 1; }); }

private:
  template <class F> static PORTABLE__HOST_DEVICE CSArray<unsigned, 1, static_cast<unsigned>(rank)> list(F f) {
    CSArray<unsigned, 1, static_cast<unsigned>(rank)> all;
    for (int d = 0; d < rank; d++) all(d) = static_cast<unsigned>(f(d));
    return all;
  }
};

template <class T, int rank, unsigned D0, unsigned D1 = 1, unsigned D2 = 1, unsigned D3 = 1> using SArray = CSArray<T, rank, D0, D1, D2, D3>;

// The bounds of one dimension of a FSArray: SB<u> is 1 to u, SB<l, u> is l to u.  Source: YAKL's SB.  Since: 0.1
template <int L, int U = -999> class SB {
public:
  SB() = delete;
  static PORTABLE__HOST_DEVICE constexpr int lower() { return U == -999 ? 1 : L; }
  static PORTABLE__HOST_DEVICE constexpr int upper() { return U == -999 ? L : U; }
  static PORTABLE__HOST_DEVICE constexpr index_t extent() { return index_t{upper()} - lower() + 1; }
};

// Any lower bounds, the first index is the fastest: FSArray<double, 2, SB<nx>, SB<0, ny>> is like REAL(8) :: a(nx, 0:ny). Rank 1 to 4.
// Source: YAKL's FSArray.  Since: 0.1
template <class T, int rank, class B0, class B1 = SB<1>, class B2 = SB<1>, class B3 = SB<1>>
class FSArray : public detail::StaticArray<FSArray<T, rank, B0, B1, B2, B3>, T, rank,
                                           static_cast<unsigned>(B0::extent() * B1::extent() * B2::extent() * B3::extent())> {
  static_assert(rank >= 1 && rank <= 4, "a small array has 1 to 4 dimensions");
  static_assert(B0::extent() > 0 && B1::extent() > 0 && B2::extent() > 0 && B3::extent() > 0, "an upper bound is below its lower bound");

public:
  static constexpr const char *name = "FSArray";
  FSArray() = default;
  PORTABLE__HOST_DEVICE FSArray(const T &value) { this->set_all(value); }
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && std::is_arithmetic<S>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE const FSArray &operator=(S value) const {
    this->set_all(static_cast<T>(value));
    return *this;
  }
  template <class S, std::enable_if_t<std::is_convertible<S, T>::value && std::is_arithmetic<S>::value, int> = 0>
  PORTABLE__HOST_DEVICE PORTABLE__INLINE FSArray &operator=(S value) {
    this->set_all(static_cast<T>(value));
    return *this;
  }

  static PORTABLE__HOST_DEVICE constexpr index_t lower(int d) { return d == 0 ? B0::lower() : d == 1 ? B1::lower() : d == 2 ? B2::lower() : B3::lower(); }
  static PORTABLE__HOST_DEVICE constexpr index_t extent(int d) { return d == 0 ? B0::extent() : d == 1 ? B1::extent() : d == 2 ? B2::extent() : B3::extent(); }
  static PORTABLE__HOST_DEVICE PORTABLE__INLINE constexpr index_t offset(index_t i, index_t j = B1::lower(), index_t k = B2::lower(), index_t l = B3::lower()) {
    return i - B0::lower() + B0::extent() * (j - B1::lower() + B1::extent() * (k - B2::lower() + B2::extent() * (l - B3::lower())));
  }

  // By dimension, from 1.
  PORTABLE__HOST_DEVICE FSArray<int, 1, SB<rank>> get_dimensions() const { return list([](int d) { return extent(d); }); }
  PORTABLE__HOST_DEVICE FSArray<int, 1, SB<rank>> get_lbounds() const { return list([](int d) { return lower(d); }); }
  PORTABLE__HOST_DEVICE FSArray<int, 1, SB<rank>> get_ubounds() const { return list([](int d) { return lower(d) + extent(d) - 1; }); }

private:
  template <class F> static PORTABLE__HOST_DEVICE FSArray<int, 1, SB<rank>> list(F f) {
    FSArray<int, 1, SB<rank>> all;
    for (int d = 0; d < rank; d++) all(d + 1) = static_cast<int>(f(d));
    return all;
  }
};

} // namespace portable

#endif
