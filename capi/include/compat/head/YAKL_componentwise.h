// YAKL_componentwise.h - yakl::componentwise of YAKL's HEAD: the library's operators, element by element. Part of compat/head/YAKL.h; include that.
//
// In this file: what YAKL has for numbers, too. Not in this file: what the operators compute (portable_array_operators.hpp).
// Source: YAKL's componentwise.
#ifndef PORTABLE_YAKL_HEAD_COMPONENTWISE
#define PORTABLE_YAKL_HEAD_COMPONENTWISE

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {
namespace componentwise {

using namespace portable::componentwise;
using intrinsics::same_shape;

// f of numbers, as the library's of arrays.
template <class V, class F> requires std::is_arithmetic_v<V> KOKKOS_INLINE_FUNCTION auto unary(const V &v, const F &f) { return f(v); }
template <class L, class R, class F> requires(std::is_arithmetic_v<L> && std::is_arithmetic_v<R>)
KOKKOS_INLINE_FUNCTION auto binary(const L &l, const R &r, const F &f) {
  return f(l, r);
}
using portable::componentwise::binary;
using portable::componentwise::unary;

} // namespace componentwise
} // namespace yakl

#endif
