// portable_array_operators.hpp - operators and functions, element by element: portable::componentwise. Part of portable.hpp; include that.
//
// In this file: a + b and so on for Array, SArray and FSArray, of two arrays or of an array and a number; functions of <cmath>. Not in this
// file: reductions of what comes of them, any(a < b) (portable_intrinsics.hpp).
//
// Each gives a new array of the type that the elements' operator gives; comparisons give bool. `using portable::componentwise::operator+;`
// makes one known, `using namespace portable::componentwise;` all of them. Of Arrays each is one pass over memory: a kernel that computes the
// whole expression is faster. Those of small arrays are inlined, also in kernels. Elements in memory that only a device accesses are computed there: of
// bool, int, long, float and double; functions of the program's are refused.
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
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T operator()(index_t) const { return value; }
};
template <class T> struct Elements {
  const T *p;
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T operator()(index_t k) const { return p[k]; }
};
PORTABLE__EITHER_SIDE template <class X> PORTABLE__HOST_DEVICE auto operand(const X &x) {
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

// The one of two operands that gives the result its shape.
PORTABLE__EITHER_SIDE template <class A, class B> PORTABLE__HOST_DEVICE const auto &first_array(const A &a, const B &b) {
  if constexpr (is_any_array<A>) {
    (void)b;
    return a;
  } else {
    (void)a;
    return b;
  }
}

// Operations of the library, where only a device accesses the elements: T of elements E.
template <class A, class B> using ElementsOf = ElementOf<std::decay_t<decltype(first_array(std::declval<const A &>(), std::declval<const B &>()))>>;
template <class T, class A, class B> constexpr bool binary_there_known() {
  using E = ElementsOf<A, B>;
  if constexpr (is_array<std::decay_t<decltype(first_array(std::declval<const A &>(), std::declval<const B &>()))>>)
    return computed_there<E> && (std::is_same<T, E>::value || std::is_same<T, bool>::value) && There<E, A>::known && There<E, B>::known;
  else
    return false;
}
template <class T, class A, class B> auto binary_there(const char *function, std::int32_t op, const A &a, const B &b) {
  using E = ElementsOf<A, B>;
  if constexpr (is_any_array<A> && is_any_array<B>) must_have_one_shape(a, b, function, false);
  const auto &like = first_array(a, b);
  auto result = object_like<T>(like);
  const There<E, A> x(a);
  const There<E, B> y(b);
  const index_t n = static_cast<index_t>(like.size());
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  options.flags = x.one(PORTABLE_ONE_A) | y.one(PORTABLE_ONE_B);
  if (std::is_same<T, bool>::value) options.result_kind = PORTABLE_KIND_LOGICAL8;
  check(portable_binary(function, op, kind_of<E>(), x.data, y.data, result.data(), 1, &n, &options));
  return result;
}

// op: the same as PORTABLE_BINARY_..., 0 where the library does not have it.
PORTABLE__EITHER_SIDE template <class A, class B, class F> PORTABLE__HOST_DEVICE auto binary(const char *function, const A &a, const B &b, const F &f, [[maybe_unused]] std::int32_t op = 0) {
  using Result = std::decay_t<decltype(f(operand(a)(0), operand(b)(0)))>;
  if constexpr (binary_there_known<Result, A, B>())
    if (op && only_on_device(first_array(a, b))) return binary_there<Result>(function, op, a, b);
  if constexpr (is_any_array<A> && is_any_array<B>) must_have_one_shape(a, b, function);
  fence_elements(a, b);
  const auto x = operand(a);
  const auto y = operand(b);
  const auto element = [x, y, f](index_t k) { return f(x(k), y(k)); };
  using T = std::decay_t<decltype(element(0))>;
  must_be_there(first_array(a, b), function);
  return each<T>(function, first_array(a, b), element);
}

PORTABLE__EITHER_SIDE template <class A, class F> PORTABLE__HOST_DEVICE auto unary(const char *function, const A &a, const F &f, [[maybe_unused]] std::int32_t op = 0) {
  using Result = std::decay_t<decltype(f(operand(a)(0)))>;
  if constexpr (is_array<A> && computed_there<ElementOf<A>> && (std::is_same<Result, ElementOf<A>>::value || std::is_same<Result, bool>::value))
    if (op && only_on_device(a)) return unary_there<Result>(function, op, a);
  must_be_there(a, function);
  fence_elements(a);
  const auto x = operand(a);
  const auto element = [x, f](index_t k) { return f(x(k)); };
  using T = std::decay_t<decltype(element(0))>;
  return each<T>(function, a, element);
}

[[noreturn]] inline void divides_by_zero(const char *label, const char *function, index_t k) {
  const std::string text = std::string(function) + ": element " + std::to_string(k + 1) + " of the divisor, in the order they lie in, is 0";
  if (label) array_error(label, text);
  throw Error(PORTABLE_ERR_ARG, "SArray: " + text);
}

// Integers are divided block by block: the block's divisors are compared with 0 before anything of it is divided, while it is in the cache.
constexpr index_t division_block = 512;

template <class Y> PORTABLE__INLINE bool has_zero(const Y &y, index_t first, index_t n) {
  unsigned zero = 0;
  for (index_t i = 0; i < n; i++) zero |= static_cast<unsigned>(y(first + i) == 0);
  return zero != 0;
}

// The next block is asked for while one is divided: the divider is busy then, and memory is not.
template <class T> PORTABLE__INLINE void fetch_element(const Elements<T> &x, index_t k) {
  __builtin_prefetch(reinterpret_cast<const void *>(reinterpret_cast<std::uintptr_t>(x.p) + static_cast<std::uintptr_t>(k) * sizeof(T))); // maybe behind the end
}
template <class T> PORTABLE__INLINE void fetch_element(const Same1<T> &, index_t) {}

// Signed integers of at most 32 bits: the quotient of doubles, cut to an integer, is theirs, and compilers vectorise it. By -1 the least number is
// divided as by 1, which gives the same bits without an overflow.
// false: there is a 0.
template <class T, bool remainder, class X, class Y> PORTABLE__INLINE bool divide_narrow(const X &x, const Y &y, T *out, index_t first, index_t n) {
  std::int32_t dividend[division_block], divisor[division_block], zero = 0;
  for (index_t i = 0; i < n; i++) {
    const std::int32_t a = x(first + i), b = y(first + i), overflows = (a == std::numeric_limits<std::int32_t>::min()) & (b == -1);
    dividend[i] = a;
    divisor[i] = b + 2 * overflows;
    zero |= b == 0;
  }
  if (zero) return false;
  const auto divide_one = [&](index_t i) {
    const auto q = static_cast<std::int32_t>(static_cast<double>(dividend[i]) / static_cast<double>(divisor[i]));
    out[first + i] = static_cast<T>(remainder ? dividend[i] - q * divisor[i] : q);
  };
  constexpr index_t line = 16;
  index_t i = 0;
  for (; i + line <= n; i += line) {
    fetch_element(x, first + i + division_block);
    fetch_element(y, first + i + division_block);
    for (index_t k = i; k < i + line; k++) divide_one(k);
  }
  for (; i < n; i++) divide_one(i);
  return true;
}

// The elements from begin on; the index of a divisor that is 0, or -1. f divides two numbers.
template <class T, bool remainder, class X, class Y, class F>
index_t divide_part(const X &x, const Y &y, const F &f, T *out, index_t begin, index_t end) {
  using U = std::decay_t<decltype(x(0))>;
  using V = std::decay_t<decltype(y(0))>;
  constexpr bool narrow = std::is_signed<U>::value && std::is_signed<V>::value && sizeof(U) <= 4 && sizeof(V) <= 4;
  for (index_t k = begin; k < end; k += division_block) {
    const index_t n = end - k < division_block ? end - k : division_block;
    [[maybe_unused]] const bool whole = n == division_block; // a count that the compiler knows
    bool good;
    if constexpr (narrow) {
      good = whole ? divide_narrow<T, remainder>(x, y, out, k, division_block) : divide_narrow<T, remainder>(x, y, out, k, n);
    } else {
      good = !has_zero(y, k, n);
      for (index_t i = k; good && i < k + n; i++) out[i] = static_cast<T>(f(x(i), y(i)));
    }
    if (!good) {
      index_t at = k;
      while (at < k + n && y(at) != 0) at++;
      return at < k + n ? at : k; // another thread may change it
    }
  }
  return -1;
}

// The same of whole arrays, on the host, by a launch; x and y are the operands.
template <class T, bool remainder, class L, class B, class X, class Y, class F>
auto divide_parts(const char *function, const L &like, [[maybe_unused]] const B &b, const X &x, const Y &y, const F &f) {
  auto result = object_like<T>(like);
  std::atomic<index_t> zero{-1};
  in_parts(function, static_cast<index_t>(result.size()), sizeof(T), [&zero, x, y, f, out = result.data()](index_t begin, index_t end) {
    if (zero.load(std::memory_order_relaxed) >= 0) return;
    const index_t at = divide_part<T, remainder>(x, y, f, out, begin, end);
    if (at >= 0) zero.store(at, std::memory_order_relaxed);
  });
  if constexpr (is_any_array<B>)
    if (const index_t found = zero.load(); found >= 0) {
      index_t first = 0; // whichever part has found one
      while (first < found && y(first) != 0) first++;
      divides_by_zero(b.label(), function, first);
    }
  return result;
}

// Integers by integers. Each part of a launch looks at its own divisors, so that nothing is divided by 0; the error comes afterwards, and names the
// first 0. The result is a new array, which is discarded then.
PORTABLE__EITHER_SIDE template <bool remainder, class A, class B, class F> PORTABLE__HOST_DEVICE auto divide(const char *function, const A &a, const B &b, const F &f) {
  if constexpr (is_any_array<A> && is_any_array<B>) must_have_one_shape(a, b, function, !only_on_device(a));
#if !defined(__CUDA_ARCH__)
  if constexpr (!is_any_array<B>)
    if (b == 0) throw Error(PORTABLE_ERR_ARG, std::string(function) + " of an array of integers and 0");
#endif
  const auto x = operand(a);
  const auto y = operand(b);
  using T = std::decay_t<decltype(f(x(0), y(0)))>;
  const auto &like = first_array(a, b);
  if constexpr (binary_there_known<T, A, B>())
    if (only_on_device(like)) return binary_there<T>(function, remainder ? PORTABLE_BINARY_MOD : PORTABLE_BINARY_DIVIDE, a, b);
  must_be_there(like, function);
  if constexpr (is_small<std::decay_t<decltype(like)>>) {
#if !defined(__CUDA_ARCH__)
    if constexpr (is_any_array<B>)
      for (index_t k = 0; k < static_cast<index_t>(b.size()); k++)
        if (y(k) == 0) divides_by_zero(nullptr, function, k);
#endif
    return each<T>(function, like, [x, y, f](index_t k) { return f(x(k), y(k)); });
  } else {
    fence_elements(a, b);
    return divide_parts<T, remainder>(function, like, b, x, y, f);
  }
}

} // namespace detail

namespace componentwise {

PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator+(const A &a, const B &b) {
  return detail::binary("operator+", a, b, [](const auto &x, const auto &y) { return x + y; }, PORTABLE_BINARY_ADD);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator-(const A &a, const B &b) {
  return detail::binary("operator-", a, b, [](const auto &x, const auto &y) { return x - y; }, PORTABLE_BINARY_SUBTRACT);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator*(const A &a, const B &b) {
  return detail::binary("operator*", a, b, [](const auto &x, const auto &y) { return x * y; }, PORTABLE_BINARY_MULTIPLY);
}
// For integers, a divisor of 0 is an error, and the least number divided by -1 is itself.
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator/(const A &a, const B &b) {
  using Y = std::decay_t<decltype(detail::operand(b)(0))>;
  if constexpr (std::is_integral<std::decay_t<decltype(detail::operand(a)(0))>>::value && std::is_integral<Y>::value) {
    return detail::divide<false>("operator/", a, b, [](const auto &x, const auto &y) {
      if constexpr (std::is_signed<decltype(x / y)>::value && std::is_signed<Y>::value) // of no other type -1 is a value
        return y == Y(-1) ? static_cast<decltype(x / y)>(0u - static_cast<std::make_unsigned_t<decltype(x / y)>>(x)) : x / y;
      else
        return x / y;
    });
  } else {
    return detail::binary("operator/", a, b, [](const auto &x, const auto &y) { return x / y; }, PORTABLE_BINARY_DIVIDE);
  }
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator<(const A &a, const B &b) {
  return detail::binary("operator<", a, b, [](const auto &x, const auto &y) { return x < y; }, PORTABLE_BINARY_LESS);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator>(const A &a, const B &b) {
  return detail::binary("operator>", a, b, [](const auto &x, const auto &y) { return x > y; }, PORTABLE_BINARY_GREATER);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator<=(const A &a, const B &b) {
  return detail::binary("operator<=", a, b, [](const auto &x, const auto &y) { return x <= y; }, PORTABLE_BINARY_LESS_EQUAL);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator>=(const A &a, const B &b) {
  return detail::binary("operator>=", a, b, [](const auto &x, const auto &y) { return x >= y; }, PORTABLE_BINARY_GREATER_EQUAL);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator==(const A &a, const B &b) {
  return detail::binary("operator==", a, b, [](const auto &x, const auto &y) { return x == y; }, PORTABLE_BINARY_EQUAL);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator!=(const A &a, const B &b) {
  return detail::binary("operator!=", a, b, [](const auto &x, const auto &y) { return x != y; }, PORTABLE_BINARY_UNEQUAL);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator&&(const A &a, const B &b) {
  return detail::binary("operator&&", a, b, [](const auto &x, const auto &y) { return x && y; }, PORTABLE_BINARY_AND);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto operator||(const A &a, const B &b) {
  return detail::binary("operator||", a, b, [](const auto &x, const auto &y) { return x || y; }, PORTABLE_BINARY_OR);
}

PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto operator!(const A &a) {
  return detail::unary("operator!", a, [](const auto &x) { return !x; }, PORTABLE_UNARY_NOT);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto operator-(const A &a) {
  return detail::unary("operator-", a, [](const auto &x) { return -x; }, PORTABLE_UNARY_NEGATE);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto operator+(const A &a) {
  return detail::unary("operator+", a, [](const auto &x) { return +x; }, PORTABLE_UNARY_PLUS);
}

// Any function of the user's, of one element and of two: binary(a, b, [](double x, double y) { return x * x + y * y; }).
PORTABLE__EITHER_SIDE template <class A, class F, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto unary(const A &a, const F &f) { return detail::unary("unary", a, f); }
PORTABLE__EITHER_SIDE template <class A, class B, class F, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto binary(const A &a, const B &b, const F &f) {
  return detail::binary("binary", a, b, f);
}

PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto abs(const A &a) {
  return detail::unary("abs", a, [](const auto &x) { return std::abs(x); }, PORTABLE_UNARY_ABS);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto sqrt(const A &a) {
  return detail::unary("sqrt", a, [](const auto &x) { return std::sqrt(x); }, PORTABLE_UNARY_SQRT);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto cbrt(const A &a) {
  return detail::unary("cbrt", a, [](const auto &x) { return std::cbrt(x); }, PORTABLE_UNARY_CBRT);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto sin(const A &a) {
  return detail::unary("sin", a, [](const auto &x) { return std::sin(x); }, PORTABLE_UNARY_SIN);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto cos(const A &a) {
  return detail::unary("cos", a, [](const auto &x) { return std::cos(x); }, PORTABLE_UNARY_COS);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto tan(const A &a) {
  return detail::unary("tan", a, [](const auto &x) { return std::tan(x); }, PORTABLE_UNARY_TAN);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto asin(const A &a) {
  return detail::unary("asin", a, [](const auto &x) { return std::asin(x); }, PORTABLE_UNARY_ASIN);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto acos(const A &a) {
  return detail::unary("acos", a, [](const auto &x) { return std::acos(x); }, PORTABLE_UNARY_ACOS);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto atan(const A &a) {
  return detail::unary("atan", a, [](const auto &x) { return std::atan(x); }, PORTABLE_UNARY_ATAN);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto exp(const A &a) {
  return detail::unary("exp", a, [](const auto &x) { return std::exp(x); }, PORTABLE_UNARY_EXP);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto log(const A &a) {
  return detail::unary("log", a, [](const auto &x) { return std::log(x); }, PORTABLE_UNARY_LOG);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto log10(const A &a) {
  return detail::unary("log10", a, [](const auto &x) { return std::log10(x); }, PORTABLE_UNARY_LOG10);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto log2(const A &a) {
  return detail::unary("log2", a, [](const auto &x) { return std::log2(x); }, PORTABLE_UNARY_LOG2);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto floor(const A &a) {
  return detail::unary("floor", a, [](const auto &x) { return std::floor(x); }, PORTABLE_UNARY_FLOOR);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto ceil(const A &a) {
  return detail::unary("ceil", a, [](const auto &x) { return std::ceil(x); }, PORTABLE_UNARY_CEIL);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto round(const A &a) {
  return detail::unary("round", a, [](const auto &x) { return std::round(x); }, PORTABLE_UNARY_ROUND);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto isnan(const A &a) {
  return detail::unary("isnan", a, [](const auto &x) { return std::isnan(x); }, PORTABLE_UNARY_ISNAN);
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto isinf(const A &a) {
  return detail::unary("isinf", a, [](const auto &x) { return std::isinf(x); }, PORTABLE_UNARY_ISINF);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto pow(const A &a, const B &b) {
  return detail::binary("pow", a, b, [](const auto &x, const auto &y) { return std::pow(x, y); }, PORTABLE_BINARY_POWER);
}

} // namespace componentwise

// Fortran's elemental functions of two operands or three: an array and an array of the same shape, or a number. mod of integers: as operator/.
namespace intrinsics {

PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto sign(const A &a, const B &b) {
  return detail::binary("sign", a, b, [](const auto &x, const auto &y) { return sign(x, y); }, PORTABLE_BINARY_SIGN);
}
PORTABLE__EITHER_SIDE template <class A, class B, detail::IfFamily<A, B> = 0> PORTABLE__HOST_DEVICE auto mod(const A &a, const B &b) {
  const auto f = [](const auto &x, const auto &y) { return mod(x, y); };
  if constexpr (std::is_integral<std::decay_t<decltype(mod(detail::operand(a)(0), detail::operand(b)(0)))>>::value)
    return detail::divide<true>("mod", a, b, f);
  else
    return detail::binary("mod", a, b, f, PORTABLE_BINARY_MOD);
}
// At least one of yes and no is a number; two arrays have a merge of their own.
PORTABLE__EITHER_SIDE template <class A, class B, class M,
          std::enable_if_t<detail::is_any_array<M> && (detail::is_number<A> || detail::is_number<B>) &&
                               (detail::is_number<A> || detail::is_any_array<A>) && (detail::is_number<B> || detail::is_any_array<B>), int> = 0>
PORTABLE__HOST_DEVICE auto merge(const A &yes, const B &no, const M &mask) {
  const auto y = detail::operand(yes);
  const auto n = detail::operand(no);
  using T = std::decay_t<decltype(y(0) + n(0))>;
  if constexpr (detail::merged_there<T, A, B, M>())
    if (detail::only_on_device(mask)) {
      if constexpr (detail::is_any_array<A>) detail::must_have_one_shape(yes, mask, "merge", false);
      if constexpr (detail::is_any_array<B>) detail::must_have_one_shape(no, mask, "merge", false);
      return detail::merge_there<T>(yes, no, mask);
    }
  if constexpr (detail::is_any_array<A>) detail::must_have_one_shape(yes, mask, "merge");
  if constexpr (detail::is_any_array<B>) detail::must_have_one_shape(no, mask, "merge");
  detail::must_be_there(mask, "merge");
  detail::fence_elements(yes, no, mask);
  return detail::each<T>("merge", mask, [y, n, m = mask.data()](index_t k) { return m[k] ? static_cast<T>(y(k)) : static_cast<T>(n(k)); });
}

} // namespace intrinsics
} // namespace portable

#endif
