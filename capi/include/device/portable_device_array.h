/* portable_device_array.h - SArray and FSArray in code that NVRTC compiles, which has no standard headers: the small arrays of
 * portable_static_array.hpp, with the same names and the same order of elements. Part of portable_device.h; include that.
 *
 * They lie in registers or local memory of the thread. Elements are not set at first, and can be changed through a const array.
 * With PORTABLE_BOUNDS_CHECK an index out of bounds fails the launch, as in views.
 */
#ifndef PORTABLE_DEVICE_ARRAY_H
#define PORTABLE_DEVICE_ARRAY_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

namespace portable {

typedef int64_t index_t;

namespace detail {

template <class Self, class T, int rank_, unsigned count> class StaticArray {
public:
  typedef T type;
  typedef T value_type;

  template <class... I> __forceinline__ __device__ T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank_, "as many indices as the array has dimensions");
#if defined(PORTABLE_BOUNDS_CHECK)
    const index_t index[] = {static_cast<index_t>(i)...};
    for (int d = 0; d < rank_; d++)
      if (index[d] < Self::lower(d) || index[d] - Self::lower(d) >= Self::extent(d))
        return *(T *)portable__outside(elements_, 0, rank_, d, index[d], Self::lower(d), Self::extent(d));
#endif
    return elements_[Self::offset(static_cast<index_t>(i)...)];
  }

  __forceinline__ __device__ T *data() const { return elements_; }
  __forceinline__ __device__ T *get_data() const { return elements_; }
  __forceinline__ __device__ T *begin() const { return elements_; }
  __forceinline__ __device__ T *end() const { return elements_ + count; }
  static constexpr __device__ unsigned size() { return count; }
  static constexpr __device__ unsigned totElems() { return count; }
  static constexpr __device__ unsigned get_totElems() { return count; }
  static constexpr __device__ unsigned get_elem_count() { return count; }
  static constexpr __device__ int get_rank() { return rank_; }

protected:
  __forceinline__ __device__ void set_all(const T &value) const {
    for (unsigned k = 0; k < count; k++) elements_[k] = value;
  }

private:
  mutable T elements_[count];
};

} // namespace detail

// From 0, the last index is the fastest: SArray<double, 2, ny, nx> is like double[ny][nx]. Rank 1 to 4.  Since: 0.1
template <class T, int rank, unsigned D0, unsigned D1 = 1, unsigned D2 = 1, unsigned D3 = 1>
class CSArray : public detail::StaticArray<CSArray<T, rank, D0, D1, D2, D3>, T, rank, D0 * D1 * D2 * D3> {
  static_assert(rank >= 1 && rank <= 4, "a small array has 1 to 4 dimensions");

public:
  CSArray() = default;
  __forceinline__ __device__ CSArray(const T &value) { this->set_all(value); }
  __forceinline__ __device__ const CSArray &operator=(const T &value) const {
    this->set_all(value);
    return *this;
  }

  static constexpr __device__ index_t lower(int) { return 0; }
  static constexpr __device__ index_t extent(int d) { return d == 0 ? D0 : d == 1 ? D1 : d == 2 ? D2 : D3; }
  static __forceinline__ constexpr __device__ index_t offset(index_t i) { return i; }
  static __forceinline__ constexpr __device__ index_t offset(index_t i, index_t j) { return i * D1 + j; }
  static __forceinline__ constexpr __device__ index_t offset(index_t i, index_t j, index_t k) { return (i * D1 + j) * D2 + k; }
  static __forceinline__ constexpr __device__ index_t offset(index_t i, index_t j, index_t k, index_t l) { return ((i * D1 + j) * D2 + k) * D3 + l; }
};

template <class T, int rank, unsigned D0, unsigned D1 = 1, unsigned D2 = 1, unsigned D3 = 1> using SArray = CSArray<T, rank, D0, D1, D2, D3>;

// The bounds of one dimension of a FSArray: SB<u> is 1 to u, SB<l, u> is l to u.  Since: 0.1
template <int L, int U = -999> class SB {
public:
  SB() = delete;
  static constexpr __device__ int lower() { return U == -999 ? 1 : L; }
  static constexpr __device__ int upper() { return U == -999 ? L : U; }
  static constexpr __device__ index_t extent() { return index_t(upper()) - lower() + 1; }
};

// Any lower bounds, the first index is the fastest: FSArray<double, 2, SB<nx>, SB<0, ny>> is like REAL(8) :: a(nx, 0:ny). Rank 1 to 4.
// Since: 0.1
template <class T, int rank, class B0, class B1 = SB<1>, class B2 = SB<1>, class B3 = SB<1>>
class FSArray : public detail::StaticArray<FSArray<T, rank, B0, B1, B2, B3>, T, rank,
                                           static_cast<unsigned>(B0::extent() * B1::extent() * B2::extent() * B3::extent())> {
  static_assert(rank >= 1 && rank <= 4, "a small array has 1 to 4 dimensions");

public:
  FSArray() = default;
  __forceinline__ __device__ FSArray(const T &value) { this->set_all(value); }
  __forceinline__ __device__ const FSArray &operator=(const T &value) const {
    this->set_all(value);
    return *this;
  }

  static constexpr __device__ index_t lower(int d) { return d == 0 ? B0::lower() : d == 1 ? B1::lower() : d == 2 ? B2::lower() : B3::lower(); }
  static constexpr __device__ index_t extent(int d) { return d == 0 ? B0::extent() : d == 1 ? B1::extent() : d == 2 ? B2::extent() : B3::extent(); }
  static __forceinline__ constexpr __device__ index_t offset(index_t i, index_t j = B1::lower(), index_t k = B2::lower(), index_t l = B3::lower()) {
    return i - B0::lower() + B0::extent() * (j - B1::lower() + B1::extent() * (k - B2::lower() + B2::extent() * (l - B3::lower())));
  }
};

} // namespace portable

#endif
