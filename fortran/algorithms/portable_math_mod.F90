!> exp, log, sin and their like with the same bits on every processor, in threads and on GPUs, under their own names.
!>
!>     use portable_math_mod
!>     es(i,k) = 610.78d0*exp(17.27d0*(t(i,k) - 273.16d0)/(t(i,k) - 35.86d0))
!>
!> The names are those of Fortran: where this module is used, exp of a real(real32) or real(real64) is the library's. Other
!> kinds, and complex numbers, go to the compiler. `x**y` stays the compiler's, too: write portable_pow(x, y) for it. All are
!> pure and elemental. `use portable_math_mod, only: exp` takes one; `only: p_exp => exp` keeps both.
!> Not in this module: sqrt and abs, which are the same everywhere; errors and special values (portable_math.h). Since 0.1.
module portable_math_mod
  use, intrinsic :: iso_c_binding, only: c_double, c_float
  implicit none
  private

  public :: exp, log, log10, sin, cos, tan, asin, acos, atan, atan2, hypot
  public :: sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, gamma, log_gamma, portable_pow

  !> e to the power of x.
  interface exp
    procedure exp_real64, exp_real32
  end interface
  !> The natural logarithm of x. 0 gives -infinity, negative numbers NaN.
  interface log
    procedure log_real64, log_real32
  end interface
  !> The logarithm of x to base 10. 0 gives -infinity, negative numbers NaN.
  interface log10
    procedure log10_real64, log10_real32
  end interface
  !> x to the power of y. A negative x with a y that is no integer gives NaN.
  interface portable_pow
    procedure pow_real64, pow_real32
  end interface
  !> The sine of x radians.
  interface sin
    procedure sin_real64, sin_real32
  end interface
  !> The cosine of x radians.
  interface cos
    procedure cos_real64, cos_real32
  end interface
  !> The tangent of x radians.
  interface tan
    procedure tan_real64, tan_real32
  end interface
  !> The arc sine in radians, from -pi/2 to pi/2. |x| above 1 gives NaN.
  interface asin
    procedure asin_real64, asin_real32
  end interface
  !> The arc cosine in radians, from 0 to pi. |x| above 1 gives NaN.
  interface acos
    procedure acos_real64, acos_real32
  end interface
  !> The arc tangent in radians, from -pi/2 to pi/2.
  interface atan
    procedure atan_real64, atan_real32
  end interface
  !> The angle of the point (x, y) in radians, from -pi to pi.
  interface atan2
    procedure atan2_real64, atan2_real32
  end interface
  !> The root of x^2 + y^2, without overflow on the way.
  interface hypot
    procedure hypot_real64, hypot_real32
  end interface
  !> The hyperbolic sine.
  interface sinh
    procedure sinh_real64, sinh_real32
  end interface
  !> The hyperbolic cosine.
  interface cosh
    procedure cosh_real64, cosh_real32
  end interface
  !> The hyperbolic tangent.
  interface tanh
    procedure tanh_real64, tanh_real32
  end interface
  !> The inverse of sinh.
  interface asinh
    procedure asinh_real64, asinh_real32
  end interface
  !> The inverse of cosh. Numbers below 1 give NaN.
  interface acosh
    procedure acosh_real64, acosh_real32
  end interface
  !> The inverse of tanh. 1 and -1 give infinities, |x| above 1 NaN.
  interface atanh
    procedure atanh_real64, atanh_real32
  end interface
  !> The error function.
  interface erf
    procedure erf_real64, erf_real32
  end interface
  !> 1 - erf(x), with all its digits where it is small.
  interface erfc
    procedure erfc_real64, erfc_real32
  end interface
  !> The gamma function. 0 gives an infinity, negative integers give NaN.
  interface gamma
    procedure gamma_real64, gamma_real32
  end interface
  !> The logarithm of |gamma(x)|. 0 and negative integers give infinity.
  interface log_gamma
    procedure log_gamma_real64, log_gamma_real32
  end interface

  include 'portable_math_c.inc'

contains

  elemental function exp_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_exp_real64(x)
  end function

  elemental function exp_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_exp_real32(x)
  end function

  elemental function log_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_log_real64(x)
  end function

  elemental function log_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_log_real32(x)
  end function

  elemental function log10_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_log10_real64(x)
  end function

  elemental function log10_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_log10_real32(x)
  end function

  elemental function pow_real64(x, y) result(r)
    real(c_double), intent(in) :: x, y
    real(c_double) :: r
    r = c_pow_real64(x, y)
  end function

  elemental function pow_real32(x, y) result(r)
    real(c_float), intent(in) :: x, y
    real(c_float) :: r
    r = c_pow_real32(x, y)
  end function

  elemental function sin_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_sin_real64(x)
  end function

  elemental function sin_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_sin_real32(x)
  end function

  elemental function cos_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_cos_real64(x)
  end function

  elemental function cos_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_cos_real32(x)
  end function

  elemental function tan_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_tan_real64(x)
  end function

  elemental function tan_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_tan_real32(x)
  end function

  elemental function asin_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_asin_real64(x)
  end function

  elemental function asin_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_asin_real32(x)
  end function

  elemental function acos_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_acos_real64(x)
  end function

  elemental function acos_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_acos_real32(x)
  end function

  elemental function atan_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_atan_real64(x)
  end function

  elemental function atan_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_atan_real32(x)
  end function

  elemental function atan2_real64(y, x) result(r)
    real(c_double), intent(in) :: y, x
    real(c_double) :: r
    r = c_atan2_real64(y, x)
  end function

  elemental function atan2_real32(y, x) result(r)
    real(c_float), intent(in) :: y, x
    real(c_float) :: r
    r = c_atan2_real32(y, x)
  end function

  elemental function hypot_real64(x, y) result(r)
    real(c_double), intent(in) :: x, y
    real(c_double) :: r
    r = c_hypot_real64(x, y)
  end function

  elemental function hypot_real32(x, y) result(r)
    real(c_float), intent(in) :: x, y
    real(c_float) :: r
    r = c_hypot_real32(x, y)
  end function

  elemental function sinh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_sinh_real64(x)
  end function

  elemental function sinh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_sinh_real32(x)
  end function

  elemental function cosh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_cosh_real64(x)
  end function

  elemental function cosh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_cosh_real32(x)
  end function

  elemental function tanh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_tanh_real64(x)
  end function

  elemental function tanh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_tanh_real32(x)
  end function

  elemental function asinh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_asinh_real64(x)
  end function

  elemental function asinh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_asinh_real32(x)
  end function

  elemental function acosh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_acosh_real64(x)
  end function

  elemental function acosh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_acosh_real32(x)
  end function

  elemental function atanh_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_atanh_real64(x)
  end function

  elemental function atanh_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_atanh_real32(x)
  end function

  elemental function erf_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_erf_real64(x)
  end function

  elemental function erf_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_erf_real32(x)
  end function

  elemental function erfc_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_erfc_real64(x)
  end function

  elemental function erfc_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_erfc_real32(x)
  end function

  elemental function gamma_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_gamma_real64(x)
  end function

  elemental function gamma_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_gamma_real32(x)
  end function

  elemental function log_gamma_real64(x) result(r)
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = c_log_gamma_real64(x)
  end function

  elemental function log_gamma_real32(x) result(r)
    real(c_float), intent(in) :: x
    real(c_float) :: r
    r = c_log_gamma_real32(x)
  end function

end module portable_math_mod
