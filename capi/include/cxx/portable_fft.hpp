// portable_fft.hpp - Fourier transforms of lines for C++: plans that end themselves, kinds taken from the types, exceptions. Part of portable.hpp;
// include that.
//
// In this file: the functions of portable_fft.h. Rules, shapes, ownership, threads: there.
#ifndef PORTABLE_FFT_HPP
#define PORTABLE_FFT_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

// The real type of a number; complex numbers are of any type with value_type and two of these, as std::complex.
template <class T, bool = std::is_floating_point<T>::value> struct Parts {
  using real = T;
};
template <class T> struct Parts<T, false> {
  using real = typename T::value_type;
  static_assert(sizeof(T) == 2 * sizeof(real), "a complex number is its two parts");
};
template <class T> using RealOf = typename Parts<typename std::remove_const<T>::type>::real;

} // namespace detail

// The type of a transform: complex numbers to complex ones, or real ones to the first n/2+1 complex ones.  Since: 0.1
enum class FftType { c2c = PORTABLE_FFT_C2C, r2c = PORTABLE_FFT_R2C };

// A plan for lines of n numbers along dimension dim, counted from 1; it ends with its object. Objects are moved, not copied.
//   portable::Fft plan(portable::FftType::r2c, nx);
//   plan.forward("to waves", x, waves, 2, extents);
// Threads: one object may be used by several threads at once.  Errors: Error with ERR_ARG (n, dim, types that do not fit the plan, overlap, ...) and what
// the functions of portable_fft.h return.  Since: 0.1
class Fft {
public:
  Fft() = default;
  Fft(FftType type, std::int64_t n, std::int32_t dim = 1, const char *label = nullptr) : type_(type) {
    check(portable_fft_create(label, static_cast<std::int32_t>(type), n, dim, &plan_));
  }
  ~Fft() { portable_fft_destroy(plan_); }
  Fft(const Fft &) = delete;
  Fft &operator=(const Fft &) = delete;
  Fft(Fft &&other) noexcept : type_(other.type_), plan_(other.plan_) { other.plan_ = 0; }
  Fft &operator=(Fft &&other) noexcept {
    std::swap(type_, other.type_);
    std::swap(plan_, other.plan_);
    return *this;
  }

  // All lines of in; extents are those of the side with n numbers. options: strides, order, stream.
  template <class In, class Out>
  void forward(const char *label, const In *in, Out *out, std::int32_t rank, const std::int64_t *extents, const portable_fft_options *options = nullptr) const {
    fits<In, Out>(label, "forward", type_ == FftType::r2c, false);
    check(portable_fft_forward(label, plan_, detail::kind_of<detail::RealOf<In>>(), in, out, rank, extents, options));
  }
  // The other direction, without a division by n.
  template <class In, class Out>
  void backward(const char *label, const In *in, Out *out, std::int32_t rank, const std::int64_t *extents, const portable_fft_options *options = nullptr) const {
    fits<In, Out>(label, "backward", false, type_ == FftType::r2c);
    check(portable_fft_backward(label, plan_, detail::kind_of<detail::RealOf<In>>(), in, out, rank, extents, options));
  }

  explicit operator bool() const noexcept { return plan_ != 0; }
  portable_fft c_plan() const noexcept { return plan_; }

private:
  template <class In, class Out> static void fits(const char *label, const char *call, bool real_in, bool real_out) {
    static_assert(std::is_same<detail::RealOf<In>, detail::RealOf<Out>>::value, "both sides are of float, or of double");
    if (std::is_floating_point<In>::value == real_in && std::is_floating_point<Out>::value == real_out) return;
    throw Error(PORTABLE_ERR_ARG, std::string("Fft::") + call + " '" + (label ? label : "unlabelled") + "': by the plan, in is " + (real_in ? "real" : "complex") +
                                      " and out is " + (real_out ? "real" : "complex"));
  }

  FftType type_ = FftType::c2c;
  portable_fft plan_ = 0;
};

} // namespace portable

#endif
