!> portable_math_mod under Fortran's own names: real32 and real64 are the library's, for scalars and arrays and in pure
!> procedures; complex and other kinds are the compiler's. Not in this file: values (bits.c, oracle.c).
program names
  use, intrinsic :: iso_c_binding, only: c_double, c_float
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use check_mod, only: check, finish_checks
  use portable_math_mod
  implicit none

  interface
    pure function c_exp(x) result(r) bind(c, name='portable_exp_real64')
      import :: c_double
      real(c_double), value, intent(in) :: x
      real(c_double) :: r
    end function
    pure function c_tanh(x) result(r) bind(c, name='portable_tanh_real32')
      import :: c_float
      real(c_float), value, intent(in) :: x
      real(c_float) :: r
    end function
  end interface

  integer, parameter :: n = 200
  real(real64) :: x(n), y(n), near(n)
  real(real32) :: f(n), one(2, 3)
  complex(real64) :: z
  integer :: i

  do i = 1, n
    x(i) = 0.037_real64*i - 3.3_real64
    f(i) = real(x(i), real32)
  end do
  near = abs(x)/5 + 0.01_real64

  ! Arrays and scalars give the library's bits.
  y = exp(x)
  do i = 1, n
    call check(same(y(i), c_exp(x(i))), 'exp of an array is that of its elements')
    call check(same(exp(x(i)), c_exp(x(i))), 'exp is the library''s')
    call check(transfer(tanh(f(i)), 1_int32) == transfer(c_tanh(f(i)), 1_int32), 'tanh of real32 is the library''s')
  end do
  one = reshape(f(:6), [2, 3])
  call check(all(shape(atan2(one, 2.0_real32)) == [2, 3]), 'an array with a scalar has the shape of the array')
  call check(all(same(square_of_log(near), log(near)**2)), 'names work in pure procedures')

  ! Every name: identities that hold to a few units in the last place.
  call check(close(log(exp(x)), x), 'log')
  call check(close(log10(portable_pow(10.0_real64, x)), x), 'log10, portable_pow')
  call check(close(sin(x)**2 + cos(x)**2, spread(1.0_real64, 1, n)), 'sin, cos')
  call check(close(tan(x), sin(x)/cos(x)), 'tan')
  call check(close(asin(near) + acos(near), spread(acos(0.0_real64), 1, n)), 'asin, acos')
  call check(close(atan(x), atan2(x, 1.0_real64)), 'atan, atan2')
  call check(close(hypot(x, 2*x), sqrt(5.0_real64)*abs(x)), 'hypot')
  call check(close(sinh(x) + cosh(x), exp(x)), 'sinh, cosh')
  call check(close(tanh(x), sinh(x)/cosh(x)), 'tanh')
  call check(close(sinh(asinh(x)), x), 'asinh')
  call check(close(cosh(acosh(1 + near)), 1 + near), 'acosh')
  call check(close(tanh(atanh(near)), near), 'atanh')
  call check(close(erf(x) + erfc(x), spread(1.0_real64, 1, n)), 'erf, erfc')
  call check(close(log(gamma(1 + near)), log_gamma(1 + near)), 'gamma, log_gamma')
  call check(gamma(6.0_real32) >= 120.0_real32 .and. gamma(6.0_real32) <= 120.0_real32, 'gamma of real32')

  ! Where the library has no kind, the compiler goes on.
  z = exp(cmplx(0.0_real64, acos(-1.0_real64), real64))
  call check(abs(z + 1) < 1.0e-15_real64, 'exp of a complex number is the compiler''s')
  call finish_checks()

contains

  elemental logical function same(a, b)
    real(real64), intent(in) :: a, b
    same = transfer(a, 1_int64) == transfer(b, 1_int64)
  end function

  elemental real(real64) function square_of_log(a)
    real(real64), intent(in) :: a
    square_of_log = log(a)**2
  end function

  logical function close(a, b)
    real(real64), intent(in) :: a(:), b(:)
    close = all(abs(a - b) <= 8*epsilon(1.0_real64)*max(1.0_real64, abs(b)))
  end function
end program
