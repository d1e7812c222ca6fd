/* portable_math.hpp - the functions of portable_math.h as overloads for double and float, on the host and in device code.
 *
 *     using portable::math::exp;
 *     q(i) = exp(-17.27 * (t(i) - 273.16) / (t(i) - 35.86));
 *
 * Not in this file: what each function gives for which argument (portable_math.h).  Threads: any.  Since: 0.1
 */
#ifndef PORTABLE_MATH_HPP
#define PORTABLE_MATH_HPP

#include "portable_math.h"

#if defined(__CUDACC__)
#define PORTABLE__MATH_MEMBER __inline__ __host__ __device__
#elif defined(__CUDACC_RTC__)
#define PORTABLE__MATH_MEMBER __inline__ __device__
#else
#define PORTABLE__MATH_MEMBER inline
#endif

namespace portable {
namespace math {

PORTABLE__MATH_MEMBER double exp(double x) { return portable_exp_real64(x); }
PORTABLE__MATH_MEMBER float exp(float x) { return portable_exp_real32(x); }
PORTABLE__MATH_MEMBER double log(double x) { return portable_log_real64(x); }
PORTABLE__MATH_MEMBER float log(float x) { return portable_log_real32(x); }
PORTABLE__MATH_MEMBER double log10(double x) { return portable_log10_real64(x); }
PORTABLE__MATH_MEMBER float log10(float x) { return portable_log10_real32(x); }
PORTABLE__MATH_MEMBER double pow(double x, double y) { return portable_pow_real64(x, y); }
PORTABLE__MATH_MEMBER float pow(float x, float y) { return portable_pow_real32(x, y); }
PORTABLE__MATH_MEMBER double sin(double x) { return portable_sin_real64(x); }
PORTABLE__MATH_MEMBER float sin(float x) { return portable_sin_real32(x); }
PORTABLE__MATH_MEMBER double cos(double x) { return portable_cos_real64(x); }
PORTABLE__MATH_MEMBER float cos(float x) { return portable_cos_real32(x); }
PORTABLE__MATH_MEMBER double tan(double x) { return portable_tan_real64(x); }
PORTABLE__MATH_MEMBER float tan(float x) { return portable_tan_real32(x); }
PORTABLE__MATH_MEMBER double asin(double x) { return portable_asin_real64(x); }
PORTABLE__MATH_MEMBER float asin(float x) { return portable_asin_real32(x); }
PORTABLE__MATH_MEMBER double acos(double x) { return portable_acos_real64(x); }
PORTABLE__MATH_MEMBER float acos(float x) { return portable_acos_real32(x); }
PORTABLE__MATH_MEMBER double atan(double x) { return portable_atan_real64(x); }
PORTABLE__MATH_MEMBER float atan(float x) { return portable_atan_real32(x); }
PORTABLE__MATH_MEMBER double atan2(double y, double x) { return portable_atan2_real64(y, x); }
PORTABLE__MATH_MEMBER float atan2(float y, float x) { return portable_atan2_real32(y, x); }
PORTABLE__MATH_MEMBER double hypot(double x, double y) { return portable_hypot_real64(x, y); }
PORTABLE__MATH_MEMBER float hypot(float x, float y) { return portable_hypot_real32(x, y); }
PORTABLE__MATH_MEMBER double sinh(double x) { return portable_sinh_real64(x); }
PORTABLE__MATH_MEMBER float sinh(float x) { return portable_sinh_real32(x); }
PORTABLE__MATH_MEMBER double cosh(double x) { return portable_cosh_real64(x); }
PORTABLE__MATH_MEMBER float cosh(float x) { return portable_cosh_real32(x); }
PORTABLE__MATH_MEMBER double tanh(double x) { return portable_tanh_real64(x); }
PORTABLE__MATH_MEMBER float tanh(float x) { return portable_tanh_real32(x); }
PORTABLE__MATH_MEMBER double asinh(double x) { return portable_asinh_real64(x); }
PORTABLE__MATH_MEMBER float asinh(float x) { return portable_asinh_real32(x); }
PORTABLE__MATH_MEMBER double acosh(double x) { return portable_acosh_real64(x); }
PORTABLE__MATH_MEMBER float acosh(float x) { return portable_acosh_real32(x); }
PORTABLE__MATH_MEMBER double atanh(double x) { return portable_atanh_real64(x); }
PORTABLE__MATH_MEMBER float atanh(float x) { return portable_atanh_real32(x); }
PORTABLE__MATH_MEMBER double erf(double x) { return portable_erf_real64(x); }
PORTABLE__MATH_MEMBER float erf(float x) { return portable_erf_real32(x); }
PORTABLE__MATH_MEMBER double erfc(double x) { return portable_erfc_real64(x); }
PORTABLE__MATH_MEMBER float erfc(float x) { return portable_erfc_real32(x); }
PORTABLE__MATH_MEMBER double gamma(double x) { return portable_gamma_real64(x); }
PORTABLE__MATH_MEMBER float gamma(float x) { return portable_gamma_real32(x); }
PORTABLE__MATH_MEMBER double log_gamma(double x) { return portable_log_gamma_real64(x); }
PORTABLE__MATH_MEMBER float log_gamma(float x) { return portable_log_gamma_real32(x); }

} // namespace math
} // namespace portable

#undef PORTABLE__MATH_MEMBER

#endif
