/* portable_math_functions.h - the functions of portable_math.h, defined for devices and for the library; programs include that file.
 *
 * Not in this file: how they are computed (portable_math_exponential.h, _circular.h, _angles.h, _hyperbolic.h, _special.h).  Threads: any.
 */
#ifndef PORTABLE_MATH_FUNCTIONS_H
#define PORTABLE_MATH_FUNCTIONS_H

#include "portable_math_angles.h"
#include "portable_math_hyperbolic.h"
#include "portable_math_special.h"

#define PORTABLE__OF_ONE(name)                                                                                    \
  PORTABLE__ELEMENTARY double portable_##name##_real64(double x) { return portable__##name(x); }                  \
  PORTABLE__ELEMENTARY float portable_##name##_real32(float x) { return (float)portable__##name(x); }
#define PORTABLE__OF_TWO(name)                                                                                    \
  PORTABLE__ELEMENTARY double portable_##name##_real64(double a, double b) { return portable__##name(a, b); }     \
  PORTABLE__ELEMENTARY float portable_##name##_real32(float a, float b) { return (float)portable__##name(a, b); }

PORTABLE__OF_ONE(exp)
PORTABLE__OF_ONE(log)
PORTABLE__OF_ONE(log10)
PORTABLE__OF_TWO(pow)
PORTABLE__OF_ONE(sin)
PORTABLE__OF_ONE(cos)
PORTABLE__OF_ONE(tan)
PORTABLE__OF_ONE(asin)
PORTABLE__OF_ONE(acos)
PORTABLE__OF_ONE(atan)
PORTABLE__OF_TWO(atan2)
PORTABLE__OF_TWO(hypot)
PORTABLE__OF_ONE(sinh)
PORTABLE__OF_ONE(cosh)
PORTABLE__OF_ONE(tanh)
PORTABLE__OF_ONE(asinh)
PORTABLE__OF_ONE(acosh)
PORTABLE__OF_ONE(atanh)
PORTABLE__OF_ONE(erf)
PORTABLE__OF_ONE(erfc)
PORTABLE__OF_ONE(gamma)
PORTABLE__OF_ONE(log_gamma)

#undef PORTABLE__OF_ONE
#undef PORTABLE__OF_TWO

#endif
