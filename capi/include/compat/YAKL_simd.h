// YAKL_simd.h - yakl::simd: Pack, a few numbers that are computed together, and loops over its places. Included by YAKL.h.
//
// Each operation is a loop of a length that the compiler knows, which it makes vector instructions of. Usable in kernels; nothing is allocated. With
// YAKL_DEBUG a place that there is not is an error.
// Source: YAKL's Pack.
#ifndef YAKL_SIMD_H
#define YAKL_SIMD_H

#include "YAKL.h"

#if defined(__clang__)
#define PORTABLE__YAKL_SIMD _Pragma("clang loop vectorize(enable)")
#elif defined(__GNUC__)
#define PORTABLE__YAKL_SIMD _Pragma("GCC ivdep")
#else
#define PORTABLE__YAKL_SIMD
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {
namespace simd {

template <class S> using IfNumber = std::enable_if_t<std::is_arithmetic<S>::value, bool>;

template <class T, int N> class Pack {
public:
  T myData[static_cast<std::size_t>(N)];

  // The place i, from 0.
  YAKL_INLINE T &operator()(int i) { return myData[at(i)]; }
  YAKL_INLINE T operator()(int i) const { return myData[at(i)]; }
  YAKL_INLINE static constexpr int get_pack_size() { return N; }

  template <class S, IfNumber<S> = false> YAKL_INLINE Pack &operator=(S x) {
    return each([x](T &a, int) { a = static_cast<T>(x); });
  }
  template <class S, IfNumber<S> = false> YAKL_INLINE Pack &operator+=(S x) {
    return each([x](T &a, int) { a = static_cast<T>(a + x); });
  }
  template <class S, IfNumber<S> = false> YAKL_INLINE Pack &operator-=(S x) {
    return each([x](T &a, int) { a = static_cast<T>(a - x); });
  }
  template <class S, IfNumber<S> = false> YAKL_INLINE Pack &operator*=(S x) {
    return each([x](T &a, int) { a = static_cast<T>(a * x); });
  }
  template <class S, IfNumber<S> = false> YAKL_INLINE Pack &operator/=(S x) {
    return each([x](T &a, int) { a = static_cast<T>(a / x); });
  }
  template <class S> YAKL_INLINE Pack &operator+=(const Pack<S, N> &b) {
    return each([&b](T &a, int i) { a = static_cast<T>(a + b(i)); });
  }
  template <class S> YAKL_INLINE Pack &operator-=(const Pack<S, N> &b) {
    return each([&b](T &a, int i) { a = static_cast<T>(a - b(i)); });
  }
  template <class S> YAKL_INLINE Pack &operator*=(const Pack<S, N> &b) {
    return each([&b](T &a, int i) { a = static_cast<T>(a * b(i)); });
  }
  template <class S> YAKL_INLINE Pack &operator/=(const Pack<S, N> &b) {
    return each([&b](T &a, int i) { a = static_cast<T>(a / b(i)); });
  }

  friend std::ostream &operator<<(std::ostream &out, const Pack &a) {
    for (const T &x : a.myData) out << std::setw(12) << x << "  ";
    return out << '\n';
  }

  // f(element, place) for each place.
  template <class F> YAKL_INLINE Pack &each(const F &f) {
    PORTABLE__YAKL_SIMD
    for (int i = 0; i < N; i++) f(myData[i], i);
    return *this;
  }

private:
  YAKL_INLINE static int at(int i) {
#if defined(YAKL_DEBUG) && defined(__CUDA_ARCH__)
    portable::detail::device_index("Pack", 0, 1, i, 0, N - 1);
#elif defined(YAKL_DEBUG)
    if (i < 0 || i >= N) throw std::runtime_error("Pack: place " + std::to_string(i) + " is none of 0 to " + std::to_string(N - 1));
#endif
    return i;
  }
};

// Whether the places may be taken together.
template <int N, bool SIMD = false> struct PackIterConfig {};

// f(i) for the places 0 to N-1; f captures by reference, [&].
template <class F, int N, bool SIMD = false> YAKL_INLINE void iterate_over_pack(const F &f, PackIterConfig<N, SIMD>) {
  if constexpr (SIMD) {
    PORTABLE__YAKL_SIMD
    for (int i = 0; i < N; i++) f(i);
  } else {
    for (int i = 0; i < N; i++) f(i);
  }
}

// With a number on either side, and of two packs of one type; the result has the pack's type.
#define PORTABLE__YAKL_PACK_OPERATOR(op)                                                                               \
  template <class T, int N, class S, IfNumber<S> = false> YAKL_INLINE Pack<T, N> operator op(const Pack<T, N> &a, S x) { \
    return Pack<T, N>().each([&a, x](T &r, int i) { r = static_cast<T>(a(i) op x); });                                 \
  }                                                                                                                    \
  template <class T, int N, class S, IfNumber<S> = false> YAKL_INLINE Pack<T, N> operator op(S x, const Pack<T, N> &b) { \
    return Pack<T, N>().each([x, &b](T &r, int i) { r = static_cast<T>(x op b(i)); });                                 \
  }                                                                                                                    \
  template <class T, int N> YAKL_INLINE Pack<T, N> operator op(const Pack<T, N> &a, const Pack<T, N> &b) {             \
    return Pack<T, N>().each([&a, &b](T &r, int i) { r = static_cast<T>(a(i) op b(i)); });                             \
  }
PORTABLE__YAKL_PACK_OPERATOR(+)
PORTABLE__YAKL_PACK_OPERATOR(-)
PORTABLE__YAKL_PACK_OPERATOR(*)
PORTABLE__YAKL_PACK_OPERATOR(/)
#undef PORTABLE__YAKL_PACK_OPERATOR

template <class T, int N> YAKL_INLINE Pack<T, N> operator-(const Pack<T, N> &a) {
  return Pack<T, N>().each([&a](T &r, int i) { r = static_cast<T>(-a(i)); });
}
template <class T, int N, class S, IfNumber<S> = false> YAKL_INLINE Pack<T, N> pow(const Pack<T, N> &a, S x) {
  return Pack<T, N>().each([&a, x](T &r, int i) { r = static_cast<T>(std::pow(a(i), x)); });
}
template <class T, int N> YAKL_INLINE Pack<T, N> pow(const Pack<T, N> &a, const Pack<T, N> &b) {
  return Pack<T, N>().each([&a, &b](T &r, int i) { r = static_cast<T>(std::pow(a(i), b(i))); });
}

#define PORTABLE__YAKL_PACK_FUNCTION(name)                                                        \
  template <class T, int N> YAKL_INLINE Pack<T, N> name(const Pack<T, N> &a) {                    \
    return Pack<T, N>().each([&a](T &r, int i) { r = static_cast<T>(std::name(a(i))); });         \
  }
PORTABLE__YAKL_PACK_FUNCTION(sqrt)
PORTABLE__YAKL_PACK_FUNCTION(abs)
PORTABLE__YAKL_PACK_FUNCTION(exp)
PORTABLE__YAKL_PACK_FUNCTION(log)
PORTABLE__YAKL_PACK_FUNCTION(log10)
PORTABLE__YAKL_PACK_FUNCTION(cos)
PORTABLE__YAKL_PACK_FUNCTION(sin)
PORTABLE__YAKL_PACK_FUNCTION(tan)
PORTABLE__YAKL_PACK_FUNCTION(acos)
PORTABLE__YAKL_PACK_FUNCTION(asin)
PORTABLE__YAKL_PACK_FUNCTION(atan)
PORTABLE__YAKL_PACK_FUNCTION(ceil)
PORTABLE__YAKL_PACK_FUNCTION(floor)
PORTABLE__YAKL_PACK_FUNCTION(round)
#undef PORTABLE__YAKL_PACK_FUNCTION

} // namespace simd
} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
