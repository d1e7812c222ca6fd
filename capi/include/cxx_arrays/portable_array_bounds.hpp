// portable_array_bounds.hpp - how the shape of an array is said. Part of portable.hpp; include that.
//
// In this file: spaces and styles, one dimension (Bnd), all of them (Dims, Bnds). Not in this file: bounds of loops (portable.hpp), arrays
// (portable_array.hpp).
#ifndef PORTABLE_ARRAY_BOUNDS_HPP
#define PORTABLE_ARRAY_BOUNDS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <initializer_list>
#include <vector>

namespace portable {

// Where an array's elements are: an int, as in YAKL, so that programs can pass it on as a template argument.  Since: 0.1
constexpr int memDevice = 1;
constexpr int memHost = 2;
constexpr int memDefault = memHost;
// The form that kernels get of arrays in structures: addresses and shapes, which hold nothing (portable_nested.hpp). Not in YAKL.  Since: 0.1
constexpr int memKernel = 3;

// styleC: from 0, the last index is the fastest. styleFortran: from 1 or any lower bound, the first index is the fastest.  Since: 0.1
constexpr int styleC = 1;
constexpr int styleFortran = 2;
constexpr int styleDefault = styleC;

// Stands for a whole dimension in slices.  Since: 0.1
constexpr int COLON = std::numeric_limits<int>::min();

template <class T, int rank, unsigned D0, unsigned D1, unsigned D2, unsigned D3> class CSArray;
template <int L, int U> class SB;
template <class T, int rank, class B0, class B1, class B2, class B3> class FSArray;

namespace detail {

constexpr int array_rank = 8; // most dimensions

template <class... I> constexpr bool all_integral() { return (std::is_integral<I>::value && ...); }
template <class... I> using IfIntegral = std::enable_if_t<all_integral<I...>(), int>;

[[noreturn]] inline void too_many_dimensions(std::size_t n) {
  throw Error(PORTABLE_ERR_ARG, "portable: an array's shape has 1 to 8 dimensions, and " + std::to_string(n) + " are given");
}

} // namespace detail

// One dimension of a Fortran-style array: u (from 1), or {l, u}; both bounds belong to it.  Source: YAKL's Bnd.  Since: 0.1
struct Bnd {
  index_t l = 1, u = 1;
  constexpr Bnd() = default;
  template <class U, detail::IfIntegral<U> = 0> PORTABLE__HOST_DEVICE constexpr Bnd(U upper) : u(static_cast<index_t>(upper)) {}
  template <class L, class U, detail::IfIntegral<L, U> = 0>
  PORTABLE__HOST_DEVICE constexpr Bnd(L lower, U upper) : l(static_cast<index_t>(lower)), u(static_cast<index_t>(upper)) {}
};

// Extents of a C-style array, or indices of a slice: {n0, n1, ...}. Any integers.  Source: YAKL's Dims.  Since: 0.1
class Dims {
public:
  Dims() = default;
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && sizeof...(I) <= detail::array_rank && detail::all_integral<I...>()), int> = 0>
  PORTABLE__HOST_DEVICE Dims(I... n) : data{static_cast<index_t>(n)...}, rank(static_cast<int>(sizeof...(I))) {}
  template <class I, detail::IfIntegral<I> = 0> Dims(const std::vector<I> &n) {
    if (n.size() > detail::array_rank) detail::too_many_dimensions(n.size());
    for (const I i : n) data[rank++] = static_cast<index_t>(i);
  }
  template <class I, unsigned count> PORTABLE__HOST_DEVICE Dims(const CSArray<I, 1, count, 1, 1, 1> &n) {
    static_assert(count <= detail::array_rank, "an array has 1 to 8 dimensions");
    for (unsigned d = 0; d < count; d++) data[rank++] = static_cast<index_t>(n(d));
  }
  PORTABLE__HOST_DEVICE index_t operator[](int d) const { return data[d]; }
  PORTABLE__HOST_DEVICE int size() const { return rank; }

  index_t data[detail::array_rank] = {};
  int rank = 0;
};

// Bounds of a Fortran-style array: {b0, b1, ...}, each one as a Bnd.  Source: YAKL's Bnds.  Since: 0.1
class Bnds {
public:
  Bnds() = default;
  PORTABLE__HOST_DEVICE Bnds(Bnd b) { add(b); }
  PORTABLE__HOST_DEVICE Bnds(std::initializer_list<Bnd> bounds) {
#if !defined(__CUDA_ARCH__)
    if (bounds.size() > detail::array_rank) detail::too_many_dimensions(bounds.size());
#endif
    for (const Bnd &b : bounds) add(b);
  }
  Bnds(const std::vector<Bnd> &bounds) {
    if (bounds.size() > detail::array_rank) detail::too_many_dimensions(bounds.size());
    for (const Bnd &b : bounds) add(b);
  }
  template <class I, detail::IfIntegral<I> = 0> Bnds(const std::vector<I> &upper) : Bnds(Dims(upper)) {}
  template <class I, unsigned count> PORTABLE__HOST_DEVICE Bnds(const CSArray<I, 1, count, 1, 1, 1> &upper) : Bnds(Dims(upper)) {}
  // Upper bounds, or lower and upper ones, as get_ubounds() and get_lbounds() give them.
  template <class I, int l, int u> PORTABLE__HOST_DEVICE Bnds(const FSArray<I, 1, SB<l, u>, SB<1, -999>, SB<1, -999>, SB<1, -999>> &upper) {
    for (int d = SB<l, u>::lower(); d <= SB<l, u>::upper(); d++) add(Bnd(upper(d)));
  }
  template <class I, class J, class B>
  PORTABLE__HOST_DEVICE Bnds(const FSArray<I, 1, B, SB<1, -999>, SB<1, -999>, SB<1, -999>> &lower, const FSArray<J, 1, B, SB<1, -999>, SB<1, -999>, SB<1, -999>> &upper) {
    for (int d = B::lower(); d <= B::upper(); d++) add(Bnd(lower(d), upper(d)));
  }
  PORTABLE__HOST_DEVICE explicit Bnds(const Dims &upper) {
    for (int d = 0; d < upper.rank; d++) add(Bnd(upper[d]));
  }
  PORTABLE__HOST_DEVICE Bnd operator[](int d) const { return Bnd(l[d], u[d]); }
  PORTABLE__HOST_DEVICE int size() const { return rank; }

  index_t l[detail::array_rank] = {}, u[detail::array_rank] = {};
  int rank = 0;

private:
  PORTABLE__HOST_DEVICE void add(Bnd b) {
#if !defined(__CUDA_ARCH__)
    if (rank == detail::array_rank) detail::too_many_dimensions(detail::array_rank + 1);
#endif
    l[rank] = b.l;
    u[rank++] = b.u;
  }
};

} // namespace portable

#endif
