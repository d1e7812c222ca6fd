/* portable_math.h - exp, log, sin and their like with the same bits on every host and device, for kernels and host code: C99, C++, CUDA.
 *
 *     #include <portable_math.h>
 *     q[i] = portable_exp_real64(-17.27 * (t[i] - 273.16) / (t[i] - 35.86));
 *
 * A result depends on the arguments alone, not on the compiler, its flags, the C library, the processor or the device. The largest errors, in
 * units of the last place, are in docs/fortran/math.md; real32 functions round the result of real64. Not in this file: sqrt and abs, which are
 * the same everywhere; arrays (portable_componentwise.h); Fortran's names (portable_math_mod).
 *
 *   On hosts   functions of the library, which a program has only if it calls one of them.
 *   On devices inline functions from the same source: portable_math_functions.h and the files that it includes.
 *   Special    as IEEE 754 and C's Annex F have them: NaN gives NaN; infinities, zeros and their signs. errno is not set, and which
 *              floating-point exceptions are raised is not told. The rounding is to nearest; flushing of subnormal numbers changes results.
 *   Threads    any.
 */
#ifndef PORTABLE_MATH_H
#define PORTABLE_MATH_H

#if defined(__CUDACC__)
#define PORTABLE__ELEMENTARY static __inline__ __host__ __device__
#elif defined(__CUDACC_RTC__)
#define PORTABLE__ELEMENTARY static __inline__ __device__
#else
#define PORTABLE__ELEMENTARY
#if defined(__cplusplus)
extern "C" {
#endif
#endif

/* e to the power of x.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_exp_real64(double x);
PORTABLE__ELEMENTARY float portable_exp_real32(float x);

/* The natural logarithm of x. 0 gives -infinity, negative numbers NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_log_real64(double x);
PORTABLE__ELEMENTARY float portable_log_real32(float x);

/* The logarithm of x to base 10. 0 gives -infinity, negative numbers NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_log10_real64(double x);
PORTABLE__ELEMENTARY float portable_log10_real32(float x);

/* x to the power of y. A negative x with a y that is no integer gives NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_pow_real64(double x, double y);
PORTABLE__ELEMENTARY float portable_pow_real32(float x, float y);

/* The sine of x radians.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_sin_real64(double x);
PORTABLE__ELEMENTARY float portable_sin_real32(float x);

/* The cosine of x radians.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_cos_real64(double x);
PORTABLE__ELEMENTARY float portable_cos_real32(float x);

/* The tangent of x radians.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_tan_real64(double x);
PORTABLE__ELEMENTARY float portable_tan_real32(float x);

/* The arc sine in radians, from -pi/2 to pi/2. |x| above 1 gives NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_asin_real64(double x);
PORTABLE__ELEMENTARY float portable_asin_real32(float x);

/* The arc cosine in radians, from 0 to pi. |x| above 1 gives NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_acos_real64(double x);
PORTABLE__ELEMENTARY float portable_acos_real32(float x);

/* The arc tangent in radians, from -pi/2 to pi/2.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_atan_real64(double x);
PORTABLE__ELEMENTARY float portable_atan_real32(float x);

/* The angle of the point (x, y) in radians, from -pi to pi.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_atan2_real64(double y, double x);
PORTABLE__ELEMENTARY float portable_atan2_real32(float y, float x);

/* The root of x^2 + y^2, without overflow on the way.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_hypot_real64(double x, double y);
PORTABLE__ELEMENTARY float portable_hypot_real32(float x, float y);

/* The hyperbolic sine.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_sinh_real64(double x);
PORTABLE__ELEMENTARY float portable_sinh_real32(float x);

/* The hyperbolic cosine.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_cosh_real64(double x);
PORTABLE__ELEMENTARY float portable_cosh_real32(float x);

/* The hyperbolic tangent.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_tanh_real64(double x);
PORTABLE__ELEMENTARY float portable_tanh_real32(float x);

/* The inverse of sinh.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_asinh_real64(double x);
PORTABLE__ELEMENTARY float portable_asinh_real32(float x);

/* The inverse of cosh. Numbers below 1 give NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_acosh_real64(double x);
PORTABLE__ELEMENTARY float portable_acosh_real32(float x);

/* The inverse of tanh. 1 and -1 give infinities, |x| above 1 NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_atanh_real64(double x);
PORTABLE__ELEMENTARY float portable_atanh_real32(float x);

/* The error function.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_erf_real64(double x);
PORTABLE__ELEMENTARY float portable_erf_real32(float x);

/* 1 - erf(x), with all its digits where it is small.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_erfc_real64(double x);
PORTABLE__ELEMENTARY float portable_erfc_real32(float x);

/* The gamma function. 0 gives an infinity, negative integers give NaN.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_gamma_real64(double x);
PORTABLE__ELEMENTARY float portable_gamma_real32(float x);

/* The logarithm of |gamma(x)|. 0 and negative integers give infinity.  Since: 0.1 */
PORTABLE__ELEMENTARY double portable_log_gamma_real64(double x);
PORTABLE__ELEMENTARY float portable_log_gamma_real32(float x);

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "portable_math_functions.h"
#elif defined(__cplusplus)
}
#endif

#endif
