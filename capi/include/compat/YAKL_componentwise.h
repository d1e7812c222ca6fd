// YAKL_componentwise.h - yakl::componentwise: the library's operators, element by element, and YAKL's ++ and --. Included by YAKL.h.
//
// Not in this file: what the operators compute (portable_array_operators.hpp).
// Source: YAKL's componentwise.
#ifndef YAKL_COMPONENTWISE_H
#define YAKL_COMPONENTWISE_H

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {
namespace componentwise {

using namespace portable::componentwise;

// A new array with 1 more, or less, in each element, before and behind the array alike. The array itself stays as it is: a++ does not count it up.
template <class A, portable::detail::IfArray<A> = 0> auto operator++(const A &a) { return portable::componentwise::operator+(a, 1); }
template <class A, portable::detail::IfArray<A> = 0> auto operator++(const A &a, int) { return portable::componentwise::operator+(a, 1); }
template <class A, portable::detail::IfArray<A> = 0> auto operator--(const A &a) { return portable::componentwise::operator-(a, 1); }
template <class A, portable::detail::IfArray<A> = 0> auto operator--(const A &a, int) { return portable::componentwise::operator-(a, 1); }

} // namespace componentwise
} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
