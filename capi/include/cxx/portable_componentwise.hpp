// portable_componentwise.hpp - operations on arrays element by element for C++, over plain pointers. Part of portable.hpp; include that.
//
// In this file: portable_binary, _unary, _merge and _fill with kinds taken from the types, operations that a type does not have refused by
// the compiler, single values as they are, and exceptions. Rules, shapes, ownership, threads: portable_componentwise.h.
#ifndef PORTABLE_COMPONENTWISE_HPP
#define PORTABLE_COMPONENTWISE_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

template <class T> struct Plain { using type = T; }; // a type that is not deduced

// The logical kind of a result of type R: bool, or an integer that becomes 0 or 1.
template <class R> constexpr std::int32_t logical_kind_of() {
  static_assert(std::is_integral<R>::value, "the result of this operation is logical: bool, or an integer");
  return sizeof(R) == 1 ? PORTABLE_KIND_LOGICAL8 : sizeof(R) == 2 ? PORTABLE_KIND_LOGICAL16 : sizeof(R) == 4 ? PORTABLE_KIND_LOGICAL32 : PORTABLE_KIND_LOGICAL64;
}

// The options with the kind of a logical result, and with what is one value.
template <class T, class R, bool logical>
portable_componentwise_options componentwise_options(const portable_componentwise_options *options, std::uint32_t flags) {
  static_assert(logical || std::is_same<T, R>::value, "the result of this operation has the type of its operands");
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  if (options) o = *options;
  o.flags |= flags;
  if constexpr (logical) o.result_kind = logical_kind_of<R>();
  return o;
}

template <std::int32_t op, class T, class R>
void binary_of(const char *label, const T *a, const T *b, R *result, std::int32_t rank, const std::int64_t *extents,
               const portable_componentwise_options *options, std::uint32_t flags) {
  constexpr bool logical = op >= PORTABLE_BINARY_LESS, reals = op == PORTABLE_BINARY_ATAN2, truth = op >= PORTABLE_BINARY_EQUAL;
  static_assert(truth || !std::is_same<T, bool>::value, "bool has and, or, not, equal and unequal");
  static_assert(!reals || std::is_floating_point<T>::value, "of float and double");
  const portable_componentwise_options o = componentwise_options<T, R, logical>(options, flags);
  check(portable_binary(label, op, kind_of<T>(), a, b, result, rank, extents, &o));
}

} // namespace detail

// result = a op b, element by element, op being PORTABLE_BINARY_... a and b are arrays, or one of them is one value.
// T: int32_t, int64_t, float, double, bool; R: T, or for comparisons, and, or: bool or an integer.
//   portable::binary<PORTABLE_BINARY_LESS>("dry", h, 1e-3, dry, 2, extents);
// Errors: Error with ERR_ARG (overlap, a division of integers by zero, ...) and what portable_binary returns.  Since: 0.1
template <std::int32_t op, class T, class R>
void binary(const char *label, const T *a, const T *b, R *result, std::int32_t rank, const std::int64_t *extents,
            const portable_componentwise_options *options = nullptr) {
  detail::binary_of<op>(label, a, b, result, rank, extents, options, 0);
}
template <std::int32_t op, class T, class R>
void binary(const char *label, const T *a, typename detail::Plain<T>::type b, R *result, std::int32_t rank, const std::int64_t *extents,
            const portable_componentwise_options *options = nullptr) {
  detail::binary_of<op>(label, a, &b, result, rank, extents, options, PORTABLE_ONE_B);
}
template <std::int32_t op, class T, class R>
void binary(const char *label, typename detail::Plain<T>::type a, const T *b, R *result, std::int32_t rank, const std::int64_t *extents,
            const portable_componentwise_options *options = nullptr) {
  detail::binary_of<op>(label, &a, b, result, rank, extents, options, PORTABLE_ONE_A);
}

// result = op a, element by element, op being PORTABLE_UNARY_...  Types and errors as for binary.  Since: 0.1
template <std::int32_t op, class T, class R>
void unary(const char *label, const T *a, R *result, std::int32_t rank, const std::int64_t *extents,
           const portable_componentwise_options *options = nullptr) {
  constexpr bool logical = op >= PORTABLE_UNARY_ISNAN, reals = op >= PORTABLE_UNARY_SQRT && op != PORTABLE_UNARY_NOT;
  static_assert(!reals || std::is_floating_point<T>::value, "of float and double");
  static_assert(op == PORTABLE_UNARY_NOT || !std::is_same<T, bool>::value, "bool has and, or, not, equal and unequal");
  const portable_componentwise_options o = detail::componentwise_options<T, R, logical>(options, 0);
  check(portable_unary(label, op, detail::kind_of<T>(), a, result, rank, extents, &o));
}

// result = mask ? a : b, element by element; T of any kind that reductions have, M bool or an integer. Values for all: options->flags.
// Errors: Error.  Since: 0.1
template <class T, class M>
void merge(const char *label, const T *a, const T *b, const M *mask, T *result, std::int32_t rank, const std::int64_t *extents,
           const portable_componentwise_options *options = nullptr) {
  check(portable_merge(label, detail::kind_of<T>(), a, b, detail::logical_kind_of<M>(), mask, result, rank, extents, options));
}

// Each element becomes the value; T is any type that may be copied by its bytes.  Errors: Error.  Since: 0.1
template <class T>
void fill(const char *label, typename detail::Plain<T>::type value, T *result, std::int32_t rank, const std::int64_t *extents,
          const portable_componentwise_options *options = nullptr) {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied by their bytes");
  check(portable_fill(label, &value, static_cast<std::int64_t>(sizeof(T)), result, rank, extents, options));
}

} // namespace portable

#endif
