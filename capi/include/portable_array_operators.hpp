// portable_array_operators.hpp - operators and functions, element by element: portable::componentwise. Part of portable.hpp; include that.
//
// In this file: a + b and so on for Array, SArray and FSArray, of two arrays or of an array and a number; functions of <cmath>. Not in this
// file: reductions of what comes of them, any(a < b) (portable_intrinsics.hpp).
//
// Each gives a new array of the type that the elements' operator gives; comparisons give bool. `using portable::componentwise::operator+;`
// makes one known, `using namespace portable::componentwise;` all of them. Of Arrays each is one pass over memory: a kernel that computes the
// whole expression is faster. Those of small arrays are inlined, also in kernels.
// Errors: Error with ERR_ARG (an array without elements, two shapes), and those of allocation and launches.
// Source: YAKL's componentwise.  Since: 0.1
#ifndef PORTABLE_ARRAY_OPERATORS_HPP
#define PORTABLE_ARRAY_OPERATORS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {
namespace detail {

// An operand: of an array its k-th element, or a number.
template <class T> struct Same1 {
  T value;
  PORTABLE__INLINE T operator()(index_t) const { return value; }
};
template <class T> struct Elements {
  const T *p;
  PORTABLE__INLINE T operator()(index_t k) const { return p[k]; }
};
template <class X> auto operand(const X &x) {
  if constexpr (is_any_array<X>)
    return Elements<ElementOf<X>>{x.data()};
  else
    return Same1<X>{x};
}

template <class X>
constexpr bool is_number = std::is_arithmetic<X>::value || std::is_same<X, std::complex<float>>::value || std::is_same<X, std::complex<double>>::value;
// Two arrays of one class and rank, or an array and a number.
template <class A, class B> constexpr bool same_family() {
  if constexpr (is_any_array<A> && is_any_array<B>)
    return std::is_same<typename ArrayTraits<A>::template with<int>, typename ArrayTraits<B>::template with<int>>::value;
  else
    return (is_any_array<A> && is_number<B>) || (is_number<A> && is_any_array<B>);
}
template <class A, class B> using IfFamily = std::enable_if_t<same_family<A, B>(), int>;

template <class A, class B, class F> auto binary(const char *function, const A &a, const B &b, const F &f) {
  if constexpr (is_any_array<A> && is_any_array<B>) must_have_one_shape(a, b, function);
  const auto x = operand(a);
  const auto y = operand(b);
  const auto element = [x, y, f](index_t k) { return f(x(k), y(k)); };
  using T = std::decay_t<decltype(element(0))>;
  if constexpr (is_any_array<A>) {
    must_be_there(a, function);
    return each<T>(function, a, element);
  } else {
    must_be_there(b, function);
    return each<T>(function, b, element);
  }
}

template <class A, class F> auto unary(const char *function, const A &a, const F &f) {
  must_be_there(a, function);
  const auto x = operand(a);
  const auto element = [x, f](index_t k) { return f(x(k)); };
  using T = std::decay_t<decltype(element(0))>;
  return each<T>(function, a, element);
}

template <class B> void must_divide(const B &b, const char *function) {
  if constexpr (is_any_array<B>) {
    must_be_there(b, function);
    for (index_t k = 0; k < static_cast<index_t>(b.size()); k++)
      if (b.data()[k] == 0) {
        const std::string text = std::string(function) + ": element " + std::to_string(k + 1) + " of the divisor, in the order they lie in, is 0";
        if constexpr (is_array<B>)
          array_error(b.label(), text);
        else
          throw Error(PORTABLE_ERR_ARG, "SArray: " + text);
      }
  } else if (b == 0) {
    throw Error(PORTABLE_ERR_ARG, std::string(function) + " of an array of integers and 0");
  }
}

} // namespace detail

namespace componentwise {

template <class A, class B, detail::IfFamily<A, B> = 0> auto operator+(const A &a, const B &b) {
  return detail::binary("operator+", a, b, [](const auto &x, const auto &y) { return x + y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator-(const A &a, const B &b) {
  return detail::binary("operator-", a, b, [](const auto &x, const auto &y) { return x - y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator*(const A &a, const B &b) {
  return detail::binary("operator*", a, b, [](const auto &x, const auto &y) { return x * y; });
}
// Of integers a divisor of 0 is an error, before anything is divided; the least number by -1 is itself.
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator/(const A &a, const B &b) {
  using Y = std::decay_t<decltype(detail::operand(b)(0))>;
  if constexpr (std::is_integral<std::decay_t<decltype(detail::operand(a)(0))>>::value && std::is_integral<Y>::value) {
    detail::must_divide(b, "operator/");
    return detail::binary("operator/", a, b, [](const auto &x, const auto &y) {
      if constexpr (std::is_signed<decltype(x / y)>::value && std::is_signed<Y>::value) // of no other type -1 is a value
        return y == Y(-1) ? static_cast<decltype(x / y)>(0u - static_cast<std::make_unsigned_t<decltype(x / y)>>(x)) : x / y;
      else
        return x / y;
    });
  } else {
    return detail::binary("operator/", a, b, [](const auto &x, const auto &y) { return x / y; });
  }
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator<(const A &a, const B &b) {
  return detail::binary("operator<", a, b, [](const auto &x, const auto &y) { return x < y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator>(const A &a, const B &b) {
  return detail::binary("operator>", a, b, [](const auto &x, const auto &y) { return x > y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator<=(const A &a, const B &b) {
  return detail::binary("operator<=", a, b, [](const auto &x, const auto &y) { return x <= y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator>=(const A &a, const B &b) {
  return detail::binary("operator>=", a, b, [](const auto &x, const auto &y) { return x >= y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator==(const A &a, const B &b) {
  return detail::binary("operator==", a, b, [](const auto &x, const auto &y) { return x == y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator!=(const A &a, const B &b) {
  return detail::binary("operator!=", a, b, [](const auto &x, const auto &y) { return x != y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator&&(const A &a, const B &b) {
  return detail::binary("operator&&", a, b, [](const auto &x, const auto &y) { return x && y; });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto operator||(const A &a, const B &b) {
  return detail::binary("operator||", a, b, [](const auto &x, const auto &y) { return x || y; });
}

template <class A, detail::IfArray<A> = 0> auto operator!(const A &a) {
  return detail::unary("operator!", a, [](const auto &x) { return !x; });
}
template <class A, detail::IfArray<A> = 0> auto operator-(const A &a) {
  return detail::unary("operator-", a, [](const auto &x) { return -x; });
}
template <class A, detail::IfArray<A> = 0> auto operator+(const A &a) {
  return detail::unary("operator+", a, [](const auto &x) { return +x; });
}

// Any function of the user's, of one element and of two: binary(a, b, [](double x, double y) { return x * x + y * y; }).
template <class A, class F, detail::IfArray<A> = 0> auto unary(const A &a, const F &f) { return detail::unary("unary", a, f); }
template <class A, class B, class F, detail::IfFamily<A, B> = 0> auto binary(const A &a, const B &b, const F &f) {
  return detail::binary("binary", a, b, f);
}

template <class A, detail::IfArray<A> = 0> auto abs(const A &a) {
  return detail::unary("abs", a, [](const auto &x) { return std::abs(x); });
}
template <class A, detail::IfArray<A> = 0> auto sqrt(const A &a) {
  return detail::unary("sqrt", a, [](const auto &x) { return std::sqrt(x); });
}
template <class A, detail::IfArray<A> = 0> auto cbrt(const A &a) {
  return detail::unary("cbrt", a, [](const auto &x) { return std::cbrt(x); });
}
template <class A, detail::IfArray<A> = 0> auto sin(const A &a) {
  return detail::unary("sin", a, [](const auto &x) { return std::sin(x); });
}
template <class A, detail::IfArray<A> = 0> auto cos(const A &a) {
  return detail::unary("cos", a, [](const auto &x) { return std::cos(x); });
}
template <class A, detail::IfArray<A> = 0> auto tan(const A &a) {
  return detail::unary("tan", a, [](const auto &x) { return std::tan(x); });
}
template <class A, detail::IfArray<A> = 0> auto asin(const A &a) {
  return detail::unary("asin", a, [](const auto &x) { return std::asin(x); });
}
template <class A, detail::IfArray<A> = 0> auto acos(const A &a) {
  return detail::unary("acos", a, [](const auto &x) { return std::acos(x); });
}
template <class A, detail::IfArray<A> = 0> auto atan(const A &a) {
  return detail::unary("atan", a, [](const auto &x) { return std::atan(x); });
}
template <class A, detail::IfArray<A> = 0> auto exp(const A &a) {
  return detail::unary("exp", a, [](const auto &x) { return std::exp(x); });
}
template <class A, detail::IfArray<A> = 0> auto log(const A &a) {
  return detail::unary("log", a, [](const auto &x) { return std::log(x); });
}
template <class A, detail::IfArray<A> = 0> auto log10(const A &a) {
  return detail::unary("log10", a, [](const auto &x) { return std::log10(x); });
}
template <class A, detail::IfArray<A> = 0> auto log2(const A &a) {
  return detail::unary("log2", a, [](const auto &x) { return std::log2(x); });
}
template <class A, detail::IfArray<A> = 0> auto floor(const A &a) {
  return detail::unary("floor", a, [](const auto &x) { return std::floor(x); });
}
template <class A, detail::IfArray<A> = 0> auto ceil(const A &a) {
  return detail::unary("ceil", a, [](const auto &x) { return std::ceil(x); });
}
template <class A, detail::IfArray<A> = 0> auto round(const A &a) {
  return detail::unary("round", a, [](const auto &x) { return std::round(x); });
}
template <class A, detail::IfArray<A> = 0> auto isnan(const A &a) {
  return detail::unary("isnan", a, [](const auto &x) { return std::isnan(x); });
}
template <class A, detail::IfArray<A> = 0> auto isinf(const A &a) {
  return detail::unary("isinf", a, [](const auto &x) { return std::isinf(x); });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto pow(const A &a, const B &b) {
  return detail::binary("pow", a, b, [](const auto &x, const auto &y) { return std::pow(x, y); });
}

} // namespace componentwise

// Fortran's elemental functions of two operands or three: an array and an array of the same shape, or a number. mod of integers: as operator/.
namespace intrinsics {

template <class A, class B, detail::IfFamily<A, B> = 0> auto sign(const A &a, const B &b) {
  return detail::binary("sign", a, b, [](const auto &x, const auto &y) { return sign(x, y); });
}
template <class A, class B, detail::IfFamily<A, B> = 0> auto mod(const A &a, const B &b) {
  if constexpr (std::is_integral<std::decay_t<decltype(mod(detail::operand(a)(0), detail::operand(b)(0)))>>::value) detail::must_divide(b, "mod");
  return detail::binary("mod", a, b, [](const auto &x, const auto &y) { return mod(x, y); });
}
// At least one of yes and no is a number; two arrays have a merge of their own.
template <class A, class B, class M,
          std::enable_if_t<detail::is_any_array<M> && (detail::is_number<A> || detail::is_number<B>) &&
                               (detail::is_number<A> || detail::is_any_array<A>) && (detail::is_number<B> || detail::is_any_array<B>), int> = 0>
auto merge(const A &yes, const B &no, const M &mask) {
  if constexpr (detail::is_any_array<A>) detail::must_have_one_shape(yes, mask, "merge");
  if constexpr (detail::is_any_array<B>) detail::must_have_one_shape(no, mask, "merge");
  detail::must_be_there(mask, "merge");
  const auto y = detail::operand(yes);
  const auto n = detail::operand(no);
  using T = std::decay_t<decltype(y(0) + n(0))>;
  return detail::each<T>("merge", mask, [y, n, m = mask.data()](index_t k) { return m[k] ? static_cast<T>(y(k)) : static_cast<T>(n(k)); });
}

} // namespace intrinsics
} // namespace portable

#endif
