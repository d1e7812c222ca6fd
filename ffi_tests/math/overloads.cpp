// overloads.cpp - portable::math: each overload is the function of portable_math.h for its type. Not in this file: values (bits.c, oracle.c).
#include <portable_math.hpp>

#include <cstdio>
#include <cstring>
#include <type_traits>

static int failures;

template <class T> static void same(const char *name, T got, T wanted) {
  if (std::memcmp(&got, &wanted, sizeof got) != 0 && failures++ < 10) std::printf("portable::math::%s is another function\n", name);
}

#define OF_ONE(name, x)                                                                                        \
  static_assert(std::is_same<decltype(portable::math::name(1.0f)), float>::value, "float stays float");        \
  same(#name, portable::math::name(x), portable_##name##_real64(x));                                           \
  same(#name, portable::math::name(float(x)), portable_##name##_real32(float(x)));
#define OF_TWO(name, x, y)                                                                                     \
  same(#name, portable::math::name(x, y), portable_##name##_real64(x, y));                                     \
  same(#name, portable::math::name(float(x), float(y)), portable_##name##_real32(float(x), float(y)));

int main() {
  OF_ONE(exp, 0.7) OF_ONE(log, 0.7) OF_ONE(log10, 0.7) OF_ONE(sin, 0.7) OF_ONE(cos, 0.7) OF_ONE(tan, 0.7) OF_ONE(asin, 0.7) OF_ONE(acos, 0.7) OF_ONE(atan, 0.7)
  OF_ONE(sinh, 0.7) OF_ONE(cosh, 0.7) OF_ONE(tanh, 0.7) OF_ONE(asinh, 0.7) OF_ONE(acosh, 1.7) OF_ONE(atanh, 0.7) OF_ONE(erf, 0.7) OF_ONE(erfc, 0.7)
  OF_ONE(gamma, 0.7) OF_ONE(log_gamma, 0.7)
  OF_TWO(pow, 0.7, 3.1) OF_TWO(atan2, 0.7, -3.1) OF_TWO(hypot, 0.7, 3.1)
  return failures > 0;
}
