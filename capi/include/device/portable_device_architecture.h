/* portable_device_architecture.h - parts of a kernel for architectures, and a range of C++ for the grid. Part of portable_device.h; include
 * that.
 *
 * PORTABLE_ARCHITECTURE is 0 on the host, and 10 times the compute capability where code of a GPU is compiled: 800 for sm_80. In C:
 * if (PORTABLE_ARCHITECTURE >= 800) { ... } else { ... }. Both parts are compiled and checked for each side. In C++, parts are overloads of
 * one function, and the part for the nearest older architecture is taken:
 *
 *   PORTABLE_FUNCTION double blend(portable::architecture<0>, double a, double b) { ... }    // the host, and every GPU
 *   PORTABLE_FUNCTION double blend(portable::architecture<800>, double a, double b) { ... }  // sm_80 and newer
 *   x = blend(portable::this_architecture(), a, b);                                          // in a kernel, or on the host
 *
 * A part that a function does not have for an architecture is no error; one that it has for none is, at compilation.
 */
#ifndef PORTABLE_DEVICE_ARCHITECTURE_H
#define PORTABLE_DEVICE_ARCHITECTURE_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

#if defined(__CUDA_ARCH__)
#define PORTABLE_ARCHITECTURE __CUDA_ARCH__
#else
#define PORTABLE_ARCHITECTURE 0
#endif

#ifdef __cplusplus

#if defined(__CUDACC__)
#define PORTABLE__RANGE_MEMBER __host__ __device__ __forceinline__
#else
#define PORTABLE__RANGE_MEMBER inline
#endif

namespace portable {

/* Architecture n and newer, for overloads: n is 0, or 10 times a compute capability. Each is derived from the next older one, so the nearest
 * part fits best. Errors: at compilation, if n is below 0 or no multiple of 10.  Source: paper section 3.1.  Since: 0.1 */
template <int n> struct architecture : architecture<(n > 0 && n % 10 == 0) ? n - 10 : 0> {
  static_assert(n > 0 && n % 10 == 0, "an architecture is 0, or 10 times a compute capability: 800 for sm_80");
};
template <> struct architecture<0> {};

/* The architecture that this code is compiled for.  Since: 0.1 */
typedef architecture<PORTABLE_ARCHITECTURE> this_architecture;

/* The indices first to last-1 for a loop in a kernel of your own: on a GPU those of the calling thread, which goes on by the size of the grid in
 * x, on the host all. T is an integer; of 32 bits, the grid's size in x and the number of indices together fit 32 bits.
 * for (int i : portable::grid_stride(0, n)) y[i] += a * x[i];  Source: Hemi's grid_stride_range.  Since: 0.1 */
template <class T> class grid_stride_range {
  template <bool wide, class unused> struct unsigned_of { typedef unsigned type; };
  template <class unused> struct unsigned_of<true, unused> { typedef unsigned long long type; };
  typedef typename unsigned_of<(sizeof(T) > 4), T>::type step_type; /* signed steps are unrolled, which takes twice the registers */

public:
  struct iterator {
    T at;
    step_type step;
    PORTABLE__RANGE_MEMBER T operator*() const { return at; }
    PORTABLE__RANGE_MEMBER iterator &operator++() {
      at = static_cast<T>(static_cast<step_type>(at) + step);
      return *this;
    }
    PORTABLE__RANGE_MEMBER bool operator!=(const iterator &end) const { return at < end.at; } /* it may go beyond the end */
  };
  PORTABLE__RANGE_MEMBER grid_stride_range(T first, T last) : first_(first), last_(last) {}
  PORTABLE__RANGE_MEMBER iterator begin() const {
#if PORTABLE_ON_DEVICE
    return {static_cast<T>(static_cast<step_type>(first_) + static_cast<step_type>(blockIdx.x) * blockDim.x + threadIdx.x),
            static_cast<step_type>(gridDim.x) * blockDim.x};
#else
    return {first_, 1u};
#endif
  }
  PORTABLE__RANGE_MEMBER iterator end() const { return {last_, 0u}; }

private:
  T first_, last_;
};

template <class T> PORTABLE__RANGE_MEMBER grid_stride_range<T> grid_stride(T first, T last) { return grid_stride_range<T>(first, last); }

} // namespace portable

#endif

#endif
