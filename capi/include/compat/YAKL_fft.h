// YAKL_fft.h - YAKL's RealFFT1D, over portable_fft.hpp.
//
// In this file: this name. Not in this file: other transforms, with plans, strides and any type (portable::Fft); definitions (portable_fft.h).
// Source: YAKL.  Since: 0.1
#ifndef PORTABLE_YAKL_FFT_H
#define PORTABLE_YAKL_FFT_H

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// Transforms of the lines of an array along dimension trdim, counted from 0, in place. A line is tr_size real numbers; dimension trdim has tr_size + 2
// elements, or tr_size + 1 if that is odd. On the complex side elements 2k and 2k+1 are the parts of number k. The inverse divides by tr_size.
//   yakl::RealFFT1D<double> fft;
//   fft.init(data, 2, nx);
//   fft.forward_real(data);
//   fft.inverse_real(data);
template <class T> class RealFFT1D {
public:
  int batch_size = -1, transform_size = -1, trdim = -1;

  void cleanup() {
    plan_ = portable::Fft();
    batch_size = transform_size = trdim = -1;
  }

  // Not needed, if the first transform has both numbers.
  template <int N> void init(Array<T, N, memDevice, styleC> &arr, int trdim_in, int tr_size) {
    if (trdim_in < 0 || trdim_in >= N)
      portable::detail::array_error(arr.label(), "RealFFT1D: trdim is " + std::to_string(trdim_in) + "; the array has the dimensions 0 to " + std::to_string(N - 1));
    plan_ = portable::Fft(portable::FftType::r2c, tr_size, trdim_in + 1, "RealFFT1D");
    trdim = trdim_in;
    transform_size = tr_size;
    batches_ = batches(arr);
    batch_size = static_cast<int>(batches_);
  }

  // Both numbers are needed where there was no init, or where the array or the length is another one.
  template <int N> void forward_real(Array<T, N, memDevice, styleC> &arr, int trdim_in = -1, int transform_size_in = -1) {
    transform(arr, trdim_in, transform_size_in, false);
  }
  template <int N> void inverse_real(Array<T, N, memDevice, styleC> &arr, int trdim_in = -1, int transform_size_in = -1) {
    transform(arr, trdim_in, transform_size_in, true);
    T *const data = arr.data();
    const T n = static_cast<T>(transform_size);
    const portable::c::Bounds<1, portable::Order::last_fastest, std::int64_t> all(static_cast<std::int64_t>(arr.totElems()));
    portable::parallel_for("RealFFT1D", all, YAKL_LAMBDA(std::int64_t i) { data[i] /= n; });
  }

private:
  template <int N> index_t batches(const Array<T, N, memDevice, styleC> &arr) const {
    return arr.extent(trdim) ? arr.totElems() / arr.extent(trdim) : 0;
  }

  template <int N> void transform(Array<T, N, memDevice, styleC> &arr, int trdim_in, int size_in, bool inverse) {
    const bool given = trdim_in >= 0 && size_in >= 0;
    const auto fits = [&] {
      return trdim >= 0 && trdim < N && arr.extent(trdim) == static_cast<index_t>(2 * (transform_size / 2 + 1)) && batches(arr) == batches_;
    };
    if (!fits() || (size_in > 0 && size_in != transform_size) || (trdim_in >= 0 && trdim_in != trdim)) {
      if (!given) portable::detail::array_error(arr.label(), "RealFFT1D: there was no init for this array; give trdim and transform_size");
      init(arr, trdim_in, size_in);
    }
    if (!fits())
      portable::detail::array_error(arr.label(), "RealFFT1D: dimension " + std::to_string(trdim) + " has " + std::to_string(arr.extent(trdim)) +
                                                     " elements; a line of " + std::to_string(transform_size) + " numbers takes " +
                                                     std::to_string(2 * (transform_size / 2 + 1)));
    std::int64_t extents[N], reals[N], pairs[N], step = sizeof(T);
    for (int d = N - 1; d >= 0; d--) {
      reals[d] = pairs[d] = step;
      extents[d] = static_cast<std::int64_t>(arr.extent(d));
      step *= extents[d];
    }
    extents[trdim] = transform_size;
    pairs[trdim] *= 2;
    portable_fft_options o = PORTABLE_FFT_OPTIONS_INIT;
    o.part_stride = reals[trdim];
    o.in_strides = inverse ? pairs : reals;
    o.out_strides = inverse ? reals : pairs;
    const std::int32_t kind = portable::detail::kind_of<T>();
    portable::check((inverse ? portable_fft_backward : portable_fft_forward)("RealFFT1D", plan_.c_plan(), kind, arr.data(), arr.data(), N, extents, &o));
  }

  portable::Fft plan_;
  index_t batches_ = 0; // batch_size has fewer bits
};

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
