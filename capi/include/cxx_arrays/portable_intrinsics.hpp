// portable_intrinsics.hpp - Fortran's intrinsic functions for arrays: portable::intrinsics. Part of portable.hpp; include that.
//
// In this file: queries, numbers of a type, reductions, merge, pack, transpose. Not in this file: matrices (portable_matrix.hpp), operators
// (portable_array_operators.hpp), reductions of what a kernel computes (portable_reduce.hpp).
//
// Each works on Array, on SArray and on FSArray; with the last two also in kernels. Reductions of Arrays are launches (portable_reduce_array.h):
// their bits do not depend on the number of threads, NaN is left out, and of no element they are what Fortran's are. Those of small arrays
// are loops. dim is as in YAKL: from 0 for C-style arrays, from 1 for Fortran-style ones.
// Errors: Error with ERR_ARG (an array without elements, another shape), ERR_OVERFLOW (a number that is no int), and those of launches.
// Source: YAKL's intrinsics.  Since: 0.1
#ifndef PORTABLE_INTRINSICS_HPP
#define PORTABLE_INTRINSICS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <cmath>

namespace portable {

// ---- what counts as an array ----

namespace detail {

enum class ArrayClass { none, array, small };
template <class A> struct ArrayTraits {
  static constexpr ArrayClass what = ArrayClass::none;
};
template <class T, int r, int m, int s> struct ArrayTraits<Array<T, r, m, s>> {
  static constexpr ArrayClass what = ArrayClass::array;
  static constexpr int rank = r, style = s;
  using type = std::remove_cv_t<T>;
  template <class U> using with = Array<U, r, m, s>;
  template <class U> using list = Array<U, 1, m, s>;
};
template <class T, int r, unsigned D0, unsigned D1, unsigned D2, unsigned D3> struct ArrayTraits<CSArray<T, r, D0, D1, D2, D3>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = r, style = styleC;
  using type = std::remove_cv_t<T>;
  template <class U> using with = CSArray<U, r, D0, D1, D2, D3>;
};
template <class T, int r, class B0, class B1, class B2, class B3> struct ArrayTraits<FSArray<T, r, B0, B1, B2, B3>> {
  static constexpr ArrayClass what = ArrayClass::small;
  static constexpr int rank = r, style = styleFortran;
  using type = std::remove_cv_t<T>;
  template <class U> using with = FSArray<U, r, B0, B1, B2, B3>;
};
template <class A> constexpr bool is_array = ArrayTraits<A>::what == ArrayClass::array;
template <class A> constexpr bool is_small = ArrayTraits<A>::what == ArrayClass::small;
template <class A> constexpr bool is_any_array = ArrayTraits<A>::what != ArrayClass::none;
template <class A> using ElementOf = typename ArrayTraits<A>::type;
template <class A> using IfArray = std::enable_if_t<is_any_array<A>, int>;
template <class T> using IfNumber = std::enable_if_t<std::is_arithmetic<T>::value, int>;

PORTABLE__HOST_DEVICE inline int to_int(index_t n, const char *what) {
#if defined(__CUDA_ARCH__)
  (void)what;
#else
  if (n > std::numeric_limits<int>::max() || n < std::numeric_limits<int>::min())
    throw Error(PORTABLE_ERR_OVERFLOW, std::string(what) + " is " + std::to_string(n) + ", which is no int; the array's own functions give 64 bits");
#endif
  return static_cast<int>(n);
}

// dim as an index of get_dimensions() and the like.
PORTABLE__EITHER_SIDE template <class A> PORTABLE__HOST_DEVICE int dimension(int dim, const char *function) {
  constexpr int first = ArrayTraits<A>::style == styleC ? 0 : 1, last = first + ArrayTraits<A>::rank - 1;
#if defined(__CUDA_ARCH__)
  (void)function;
  (void)last;
#else
  if (dim < first || dim > last)
    throw Error(PORTABLE_ERR_ARG, std::string(function) + " of dimension " + std::to_string(dim) + "; the array has " + std::to_string(first) + " to " +
                                      std::to_string(last));
#endif
  return dim;
}

PORTABLE__EITHER_SIDE template <class A> PORTABLE__HOST_DEVICE void must_be_there(const A &a, const char *function, bool read = true) {
  if constexpr (is_array<A>)
    if (!a.initialized()) array_error(a.label(), std::string(function) + " of an array that has no elements yet");
  if constexpr (is_array<A>)
    if (A::get_memory_space() == memDevice && read && portable_reach(a.data()) == PORTABLE_REACH_DEVICE) far_elements(a.label(), function);
}
// Before the host computes with elements of these operands; numbers and small arrays have nothing to wait for.
PORTABLE__EITHER_SIDE template <class A> PORTABLE__HOST_DEVICE void fence_one(const A &a) {
  if constexpr (is_array<A>) fence_memory(a.data());
  (void)a;
}
PORTABLE__EITHER_SIDE template <class... A> PORTABLE__HOST_DEVICE void fence_elements(const A &...a) { (fence_one(a), ...); }
PORTABLE__EITHER_SIDE template <class A, class B> PORTABLE__HOST_DEVICE void must_have_one_shape(const A &a, const B &b, const char *function, bool read = true) {
  must_be_there(a, function, read);
  must_be_there(b, function, read);
  if constexpr (is_array<A> && is_array<B>)
    for (int d = 0; d < A::get_rank(); d++)
      if (a.extent(d) != b.extent(d))
        array_error(a.label(), std::string(function) + ": its extent in dimension " + std::to_string(d + 1) + " is " + std::to_string(a.extent(d)) +
                                   ", and that of '" + b.label() + "' is " + std::to_string(b.extent(d)));
}

// Kinds that reductions of arrays know; others are reduced by a loop.
template <class T> constexpr bool has_kind() {
  return std::is_same<T, bool>::value || (std::is_integral<T>::value && std::is_signed<T>::value) || std::is_same<T, float>::value ||
         std::is_same<T, double>::value || std::is_same<T, std::complex<float>>::value || std::is_same<T, std::complex<double>>::value;
}

// Elements that only a device accesses, or, where nvcc compiles, that the default device does: the library computes there, if it has the kind and the
// operation; else elements that host code does not reach are refused.
PORTABLE__EITHER_SIDE template <class A> PORTABLE__HOST_DEVICE bool only_on_device(const A &a) {
  if constexpr (is_array<A>)
    if constexpr (A::get_memory_space() == memDevice)
      return a.initialized() && ((PORTABLE__NVCC && portable_default_device() > 2) || portable_reach(a.data()) == PORTABLE_REACH_DEVICE);
  (void)a;
  return false;
}
template <class T>
constexpr bool computed_there = std::is_same<T, bool>::value || std::is_same<T, float>::value || std::is_same<T, double>::value ||
                                (std::is_integral<T>::value && std::is_signed<T>::value && sizeof(T) >= 4);
// An operand of the library: elements, or a number, which the array's kind holds as C++ would convert it.
template <class E, class X, bool number = std::is_arithmetic<X>::value> constexpr bool holds = false;
template <class E, class X> constexpr bool holds<E, X, true> = std::is_same<std::common_type_t<E, X>, E>::value;
template <class E, class X, bool array = is_array<X>> struct There {
  static constexpr bool known = holds<E, X>;
  E value;
  const void *data;
  explicit There(const X &x) : value(static_cast<E>(x)), data(&value) {}
  There(const There &) = delete;
  There &operator=(const There &) = delete;
  static constexpr std::uint32_t one(std::uint32_t flag) { return flag; }
};
template <class E, class X> struct There<E, X, true> {
  static constexpr bool known = std::is_same<ElementOf<X>, E>::value;
  const void *data;
  explicit There(const X &x) : data(x.data()) {}
  static constexpr std::uint32_t one(std::uint32_t) { return 0; }
};

// A stream, or none, which takes no time to pass.
struct Via {
  portable_stream stream = 0;
  constexpr Via() = default;
  Via(const Stream &s) : stream(s.c_stream()) {}
};

template <class T> PORTABLE__HOST_DEVICE constexpr bool is_nan(const T &x) {
  if constexpr (std::is_floating_point<T>::value)
    return x != x;
  else
    return false;
}

template <class Result, class A> Result reduce_by_library(const char *function, std::int32_t op, const A &a, Via via) {
  must_be_there(a, function, false);
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_array_options options = PORTABLE_ARRAY_OPTIONS_INIT;
  launch.stream = via.stream;
  options.launch = &launch;
  const index_t n = static_cast<index_t>(a.size());
  Result result;
  check(portable_reduce_array(function, op, kind_of<ElementOf<A>>(), a.data(), 1, &n, &options, &result));
  return result;
}

// Reduces all elements by the library, or by f, which gets first and last address.
PORTABLE__EITHER_SIDE template <class Result, bool truth = false, class A, class F> PORTABLE__HOST_DEVICE Result reduce_all(const char *function, std::int32_t op, const A &a, Via via, F f) {
  using T = ElementOf<A>;
  if constexpr (is_array<A> && has_kind<T>() && std::is_same<T, bool>::value == truth) {
    (void)f;
    return reduce_by_library<Result>(function, op, a, via);
  } else {
    must_be_there(a, function);
    (void)op;
    (void)via;
    if constexpr (is_array<A>) fence_elements(a);
    return f(a.data(), a.data() + a.size());
  }
}

// A new array of the same shape and memory, whose elements are not set.
template <class T, class A> typename ArrayTraits<A>::template with<T> object_like(const A &like) {
  if constexpr (A::get_memory_space() == memHost)
    return like.template createHostObject<T>();
  else
    return like.template createDeviceObject<T>();
}

// A new array of the same shape, whose k-th element in memory is f(k): small ones where they are, others by a launch.
PORTABLE__EITHER_SIDE template <class T, class A, class F> PORTABLE__HOST_DEVICE auto each(const char *function, const A &like, const F &f) {
  using R = typename ArrayTraits<A>::template with<T>;
  if constexpr (is_small<A>) {
    (void)function;
    (void)like;
    R result;
    for (index_t k = 0; k < static_cast<index_t>(A::size()); k++) result.data()[k] = static_cast<T>(f(k));
    return result;
  } else {
    R result = object_like<T>(like);
    in_parts(function, static_cast<index_t>(result.size()), sizeof(T), [out = result.data(), f](index_t begin, index_t end) {
      for (index_t k = begin; k < end; k++) out[k] = static_cast<T>(f(k));
    });
    return result;
  }
}

// The same with op, PORTABLE_UNARY_..., of elements that only a device accesses.
template <class T, class A> auto unary_there(const char *function, std::int32_t op, const A &a) {
  auto result = object_like<T>(a);
  const index_t n = static_cast<index_t>(a.size());
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  if (std::is_same<T, bool>::value) options.result_kind = PORTABLE_KIND_LOGICAL8;
  check(portable_unary(function, op, kind_of<ElementOf<A>>(), a.data(), result.data(), 1, &n, &options));
  return result;
}
template <class E, class A, class B, class M> auto merge_there(const A &yes, const B &no, const M &mask) {
  auto result = object_like<E>(mask);
  const There<E, A> a(yes);
  const There<E, B> b(no);
  const index_t n = static_cast<index_t>(mask.size());
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  options.flags = a.one(PORTABLE_ONE_A) | b.one(PORTABLE_ONE_B);
  check(portable_merge("merge", kind_of<E>(), a.data, b.data, PORTABLE_KIND_LOGICAL8, mask.data(), result.data(), 1, &n, &options));
  return result;
}
template <class E, class A, class B, class M> constexpr bool merged_there() {
  if constexpr (is_array<M>)
    return std::is_same<ElementOf<M>, bool>::value && has_kind<E>() && There<E, A>::known && There<E, B>::known;
  else
    return false;
}

template <class T> PORTABLE__HOST_DEVICE constexpr T most() { return std::numeric_limits<T>::max(); }
template <class T> PORTABLE__HOST_DEVICE constexpr T least() { return std::numeric_limits<T>::lowest(); }

// Where f says that an element is better than another: as an index of a rank-1 array, as a list of indices of others.
PORTABLE__EITHER_SIDE template <class A, class F> PORTABLE__HOST_DEVICE auto place_of(const char *function, std::int32_t op, const A &a, Via via, F better) {
  using T = ElementOf<A>;
  index_t at = reduce_all<index_t>(function, op, a, via, [better](const T *p, const T *end) {
    index_t best = p == end ? -1 : 0;
    for (index_t k = 1; k < end - p; k++)
      if (better(p[k], p[best]) || (is_nan(p[best]) && !is_nan(p[k]))) best = k;
    return best;
  });
  if constexpr (ArrayTraits<A>::rank == 1) {
    return at < 0 ? static_cast<int>(a.get_lbounds()(ArrayTraits<A>::style == styleC ? 0 : 1)) - 1
                  : to_int(at + static_cast<index_t>(a.get_lbounds()(ArrayTraits<A>::style == styleC ? 0 : 1)), function);
  } else {
    constexpr int rank = ArrayTraits<A>::rank, first = ArrayTraits<A>::style == styleC ? 0 : 1;
    auto indices = a.get_lbounds(), extents = a.get_dimensions();
    for (int k = 0; k < rank; k++) {
      const int d = first + (ArrayTraits<A>::style == styleC ? rank - 1 - k : k); // from the fastest on
      const index_t n = static_cast<index_t>(extents(d)), i = at < 0 ? -1 : at % n;
      indices(d) = static_cast<std::remove_reference_t<decltype(indices(d))>>(static_cast<index_t>(indices(d)) + i);
      if (at >= 0) at /= n;
    }
    return indices;
  }
}

} // namespace detail

namespace intrinsics {

// ---- shapes ----

// Elements in all, or along dimension dim; bounds of dimension dim.
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE int size(const A &a) { return detail::to_int(static_cast<index_t>(a.size()), "intrinsics::size"); }
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE int size(const A &a, int dim) {
  return detail::to_int(static_cast<index_t>(a.get_dimensions()(detail::dimension<A>(dim, "intrinsics::size"))), "intrinsics::size");
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE int lbound(const A &a, int dim) {
  return detail::to_int(static_cast<index_t>(a.get_lbounds()(detail::dimension<A>(dim, "intrinsics::lbound"))), "intrinsics::lbound");
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE int ubound(const A &a, int dim) {
  return detail::to_int(static_cast<index_t>(a.get_ubounds()(detail::dimension<A>(dim, "intrinsics::ubound"))), "intrinsics::ubound");
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto shape(const A &a) { return a.get_dimensions(); }
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto lbound(const A &a) { return a.get_lbounds(); }
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto ubound(const A &a) { return a.get_ubounds(); }
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE bool allocated(const A &a) { return a.initialized(); }
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE bool associated(const A &a) { return a.initialized(); }

// ---- numbers of a type: of an array's elements, or of the argument ----

template <class T, detail::IfNumber<T> = 0> PORTABLE__HOST_DEVICE constexpr T epsilon(const T &) { return std::numeric_limits<T>::epsilon(); }
template <class T, detail::IfNumber<T> = 0> PORTABLE__HOST_DEVICE constexpr T tiny(const T &) { return std::numeric_limits<T>::min(); }
template <class T, detail::IfNumber<T> = 0> PORTABLE__HOST_DEVICE constexpr T huge(const T &) { return std::numeric_limits<T>::max(); }
template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE constexpr auto epsilon(const A &) { return std::numeric_limits<detail::ElementOf<A>>::epsilon(); }
template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE constexpr auto tiny(const A &) { return std::numeric_limits<detail::ElementOf<A>>::min(); }
template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE constexpr auto huge(const A &) { return std::numeric_limits<detail::ElementOf<A>>::max(); }

// |a| with the sign of b.
PORTABLE__EITHER_SIDE template <class T, detail::IfNumber<T> = 0> PORTABLE__HOST_DEVICE constexpr T sign(T a, T b) {
  if constexpr (std::is_floating_point<T>::value)
    return std::copysign(a, b);
  else
    return static_cast<T>((a < 0) == (b < 0) ? a : -a);
}
PORTABLE__EITHER_SIDE template <class A, class B, std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !std::is_same<A, B>::value, int> = 0>
PORTABLE__HOST_DEVICE constexpr auto sign(A a, B b) {
  using T = std::common_type_t<A, B>;
  return sign(static_cast<T>(a), static_cast<T>(b));
}
// The remainder, which has a's sign.
PORTABLE__EITHER_SIDE template <class A, class B, std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, int> = 0> PORTABLE__HOST_DEVICE auto mod(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point<T>::value)
    return std::fmod(static_cast<T>(a), static_cast<T>(b));
  else if constexpr (std::is_signed<T>::value)
    return static_cast<T>(b) == T(-1) ? T(0) : static_cast<T>(static_cast<T>(a) % static_cast<T>(b)); // of the least number it would trap
  else
    return static_cast<T>(static_cast<T>(a) % static_cast<T>(b));
}
PORTABLE__EITHER_SIDE template <class T, detail::IfNumber<T> = 0> PORTABLE__HOST_DEVICE constexpr T abs(T a) { return a > 0 ? a : static_cast<T>(T(0) - a); } // 0 and -0 give 0

// ---- reductions ----

PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto sum(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<T>("sum", PORTABLE_REDUCE_SUM, a, via, [](const T *p, const T *end) {
    T s{};
    for (; p != end; p++) s = static_cast<T>(s + *p);
    return s;
  });
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto product(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<T>("product", PORTABLE_REDUCE_PRODUCT, a, via, [](const T *p, const T *end) {
    T s{1};
    for (; p != end; p++) s = static_cast<T>(s * *p);
    return s;
  });
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto minval(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<T>("minval", PORTABLE_REDUCE_MIN, a, via, [](const T *p, const T *end) {
    T m = p == end ? detail::most<T>() : *p;
    for (; p != end; p++) m = *p < m || detail::is_nan(m) ? *p : m;
    return m;
  });
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto maxval(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<T>("maxval", PORTABLE_REDUCE_MAX, a, via, [](const T *p, const T *end) {
    T m = p == end ? detail::least<T>() : *p;
    for (; p != end; p++) m = *p > m || detail::is_nan(m) ? *p : m;
    return m;
  });
}
// Types: any that is true or false.
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE bool any(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<std::int32_t, true>("any", PORTABLE_REDUCE_ANY, a, via, [](const T *p, const T *end) {
    for (; p != end; p++)
      if (*p) return std::int32_t{1};
    return std::int32_t{0};
  }) != 0;
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE bool all(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<std::int32_t, true>("all", PORTABLE_REDUCE_ALL, a, via, [](const T *p, const T *end) {
    for (; p != end; p++)
      if (!*p) return std::int32_t{0};
    return std::int32_t{1};
  }) != 0;
}
// How many elements are true.
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE index_t count(const A &a, detail::Via via = {}) {
  using T = detail::ElementOf<A>;
  return detail::reduce_all<index_t, true>("count", PORTABLE_REDUCE_COUNT, a, via, [](const T *p, const T *end) {
    index_t n = 0;
    for (; p != end; p++) n += *p ? 1 : 0;
    return n;
  });
}
// The index of the first least (greatest) element, in the array's own bounds: an int, or of rank 2 and more as get_lbounds() gives bounds.
// Without elements: one below the lower bound.
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto minloc(const A &a, detail::Via via = {}) {
  return detail::place_of("minloc", PORTABLE_REDUCE_MINLOC, a, via, [](const auto &x, const auto &y) { return x < y; });
}
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto maxloc(const A &a, detail::Via via = {}) {
  return detail::place_of("maxloc", PORTABLE_REDUCE_MAXLOC, a, via, [](const auto &x, const auto &y) { return x > y; });
}

// ---- new arrays ----

// yes where mask is true, else no. With numbers, one of the two.
PORTABLE__EITHER_SIDE template <class A, class B, std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value, int> = 0>
PORTABLE__HOST_DEVICE constexpr auto merge(A yes, B no, bool mask) {
  using T = decltype(A() + B());
  return mask ? static_cast<T>(yes) : static_cast<T>(no);
}
PORTABLE__EITHER_SIDE template <class A, class B, class M, std::enable_if_t<detail::is_any_array<A> && detail::is_any_array<B> && detail::is_any_array<M>, int> = 0>
PORTABLE__HOST_DEVICE auto merge(const A &yes, const B &no, const M &mask) {
  using T = decltype(detail::ElementOf<A>() + detail::ElementOf<B>());
  if constexpr (detail::merged_there<T, A, B, M>())
    if (detail::only_on_device(yes)) {
      detail::must_have_one_shape(yes, no, "merge", false);
      detail::must_have_one_shape(yes, mask, "merge", false);
      return detail::merge_there<T>(yes, no, mask);
    }
  detail::must_have_one_shape(yes, no, "merge");
  detail::must_have_one_shape(yes, mask, "merge");
  detail::fence_elements(yes, no, mask);
  return detail::each<T>("merge", yes, [y = yes.data(), n = no.data(), m = mask.data()](index_t k) {
    return m[k] ? static_cast<T>(y[k]) : static_cast<T>(n[k]);
  });
}

// |a|, element by element.
PORTABLE__EITHER_SIDE template <class A, detail::IfArray<A> = 0> PORTABLE__HOST_DEVICE auto abs(const A &a) {
  using T = detail::ElementOf<A>;
  if constexpr (detail::is_array<A> && detail::computed_there<T> && !std::is_same<T, bool>::value)
    if (detail::only_on_device(a)) return detail::unary_there<T>("abs", PORTABLE_UNARY_ABS, a);
  detail::must_be_there(a, "abs");
  detail::fence_elements(a);
  return detail::each<T>("abs", a, [p = a.data()](index_t k) { return abs(p[k]); });
}

// The elements where mask is true, one after the other in the order they lie in, from the array's first lower bound of its style on.
template <class T, int rank, int mem, int style>
Array<std::remove_cv_t<T>, 1, mem, style> pack(const Array<T, rank, mem, style> &a) {
  detail::must_be_there(a, "pack", false);
  Array<std::remove_cv_t<T>, 1, mem, style> all("pack", a.size());
  a.deep_copy_to(all);
  return all;
}
template <class T, int rank, int mem, int style, class M, std::enable_if_t<std::is_same<std::remove_cv_t<M>, bool>::value, int> = 0>
Array<std::remove_cv_t<T>, 1, mem, style> pack(const Array<T, rank, mem, style> &a, const Array<M, rank, mem, style> &mask) {
  if (!mask.initialized()) return pack(a);
  const bool there = std::is_trivially_copyable<T>::value && detail::only_on_device(a);
  detail::must_have_one_shape(a, mask, "pack", !there);
  Array<std::remove_cv_t<T>, 1, mem, style> some("pack", count(mask));
  index_t to = 0;
  if (there) {
    const index_t n = a.size();
    check(portable_pack("pack", sizeof(T), a.data(), 1, &n, PORTABLE_KIND_LOGICAL8, mask.data(), nullptr, some.data(), some.size(), &to));
    return some;
  }
  detail::fence_elements(a, mask);
  for (index_t k = 0; k < a.size(); k++)
    if (mask.data()[k]) some.data()[to++] = a.data()[k];
  return some;
}

} // namespace intrinsics

} // namespace portable

#endif
