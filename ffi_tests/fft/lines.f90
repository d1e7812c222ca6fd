! lines.f90 - transforms of Fortran: ranks, dims, sections, in place, both kinds and types, against sums; errors name the argument. Not in this file: the
! accuracy (oracle.c), all layouts (arrays.c).
program lines
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod
  use gator_mod, only: gator_init, gator_finalize, gator_err_arg, gator_err_handle
  use check_mod
  implicit none
  real(real64), parameter :: turn = 6.283185307179586476925_real64
  character(200) :: text
  integer :: status
  call gator_init()
  call rank_1()
  call rank_3()
  call rank_7()
  call single()
  call sections()
  call in_place()
  call faults()
  call gator_finalize()
  call finish_checks()
contains

  ! The sum that defines a transform; sign is -1 for forward.
  function sum_of(x, sign) result(y)
    complex(real64), intent(in) :: x(:)
    integer, intent(in) :: sign
    complex(real64) :: y(size(x))
    integer :: j, k, n
    real(real64) :: angle
    n = size(x)
    y = 0
    do k = 0, n - 1
      do j = 0, n - 1
        angle = sign*turn*real(mod(j*k, n), real64)/n
        y(k+1) = y(k+1) + x(j+1)*cmplx(cos(angle), sin(angle), real64)
      end do
    end do
  end function

  function numbers(n) result(x)
    integer, intent(in) :: n
    complex(real64) :: x(n)
    real(real64) :: parts(2, n)
    call random_number(parts)
    x = cmplx(parts(1,:) - 0.5_real64, parts(2,:), real64)
  end function

  logical function near(a, b)
    complex(real64), intent(in) :: a(:), b(:)
    near = maxval(abs(a - b)) < 1e-13_real64
  end function

  subroutine rank_1()
    type(fft_plan) :: plan
    complex(real64) :: x(30), y(30), z(30), half(8)
    real(real64) :: r(15), back(15)
    integer :: n
    x = numbers(30)
    do n = 1, 30
      call fft_create(plan, 'c2c', n)
      call fft_forward(plan, x(:n), y(:n))
      call check(near(y(:n), sum_of(x(:n), -1)), 'forward')
      call fft_backward(plan, y(:n), z(:n), label='back', stat=status)
      call check(status == 0 .and. near(z(:n), n*x(:n)), 'backward')
    end do
    call fft_destroy(plan)
    call fft_destroy(plan)
    call random_number(r)
    call fft_create(plan, 'r2c', n=15, dim=1, label='real')
    call fft_forward(plan, r, half)
    y(:15) = sum_of(cmplx(r, 0, real64), -1)
    call check(near(half, y(:8)), 'real forward')
    call fft_backward(plan, half, back)
    call check(maxval(abs(back - 15*r)) < 1e-13_real64, 'real backward')
    call fft_destroy(plan, stat=status)
    call check(status == 0, 'destroy')
  end subroutine

  subroutine rank_3()
    type(fft_plan) :: plan(3)
    real(real64) :: x(6,10,7), back(6,10,7)
    complex(real64) :: first(4,10,7), second(6,6,7), third(6,10,4), line(10), expected(10)
    integer :: d
    call random_number(x)
    do d = 1, 3
      call fft_create(plan(d), 'r2c', size(x, d), d, stat=status)
      call check(status == 0, 'rank 3')
    end do
    call fft_forward(plan(1), x, first)
    call fft_forward(plan(2), x, second, label='second')
    call fft_forward(plan(3), x, third)
    line(:6) = sum_of(cmplx(x(:,3,5), 0, real64), -1)
    call check(near(first(:,3,5), line(:4)), 'dim 1')
    expected = sum_of(cmplx(x(2,:,5), 0, real64), -1)
    call check(near(second(2,:,5), expected(:6)), 'dim 2')
    line(:7) = sum_of(cmplx(x(6,10,:), 0, real64), -1)
    call check(near(third(6,10,:), line(:4)), 'dim 3')
    call fft_backward(plan(2), second, back)
    call check(maxval(abs(back - 10*x)) < 1e-13_real64, 'back')
    do d = 1, 3
      call fft_destroy(plan(d))
    end do
  end subroutine

  subroutine rank_7()
    type(fft_plan) :: plan
    complex(real64) :: x(2,1,2,5,1,3,2), y(2,1,2,5,1,3,2)
    x = reshape(numbers(size(x)), shape(x))
    call fft_create(plan, 'c2c', 5, dim=4)
    call fft_forward(plan, x, y)
    call check(near(y(2,1,1,:,1,3,2), sum_of(x(2,1,1,:,1,3,2), -1)), 'rank 7')
    call fft_destroy(plan)
  end subroutine

  subroutine single()
    type(fft_plan) :: plan
    real(real32) :: x(20,9), back(20,9)
    complex(real32) :: y(11,9), z(11,9), w(11,9)
    complex(real64) :: expected(20)
    call random_number(x)
    call fft_create(plan, 'r2c', 20)
    call fft_forward(plan, x, y)
    expected = sum_of(cmplx(x(:,4), 0, real64), -1)
    call check(maxval(abs(y(:,4) - expected(:11))) < 1e-5, 'real32')
    call fft_backward(plan, y, back)
    call check(maxval(abs(back - 20*x)) < 1e-4, 'back of real32')
    call fft_create(plan, 'c2c', 11) ! replaces the plan
    call fft_forward(plan, y, z)
    call fft_backward(plan, z, w)
    call check(maxval(abs(w - 11*y)) < 1e-3, 'complex32')
    call fft_destroy(plan)
  end subroutine

  subroutine sections()
    type(fft_plan) :: plan
    complex(real64) :: x(40,12), y(3,8)
    x = reshape(numbers(size(x)), shape(x))
    y = 0
    call fft_create(plan, 'c2c', 8, dim=2)
    call fft_forward(plan, x(40:2:-19, 12:5:-1), y)
    call check(near(y(2,:), sum_of(x(21,12:5:-1), -1)), 'a section backwards')
    call fft_backward(plan, y, x(1:5:2, 1:8))
    call check(near(x(3,1:8), sum_of(y(2,:), 1)), 'into a section')
    call fft_forward(plan, x(:0, :8), y(:0,:))
    call fft_destroy(plan)
  end subroutine

  subroutine in_place()
    type(fft_plan) :: plan
    complex(real64) :: x(9,12), y(9,12)
    real(real64) :: r(14,5), before(14,5)
    complex(real64) :: line(12), got(7)
    integer :: d
    x = reshape(numbers(size(x)), shape(x))
    do d = 1, 2
      y = x
      call fft_create(plan, 'c2c', size(x, d), dim=d)
      call fft_forward(plan, y)
      if (d == 1) call check(near(y(:,4), sum_of(x(:,4), -1)), 'in place')
      if (d == 2) call check(near(y(4,:), sum_of(x(4,:), -1)), 'in place, dim 2')
      call fft_backward(plan, y, label='in place')
      call check(near(reshape(y, [108]), reshape(size(x, d)*x, [108])), 'back in place')
    end do
    call random_number(before)
    r = before
    call fft_create(plan, 'r2c', 12)
    call fft_forward(plan, r)
    line = sum_of(cmplx(before(:12,3), 0, real64), -1)
    got = cmplx(r(1::2,3), r(2::2,3), real64)
    call check(near(got, line(:7)), 'real numbers in place')
    call fft_backward(plan, r)
    call check(maxval(abs(r(:12,:) - 12*before(:12,:))) < 1e-12_real64, 'real numbers back in place')
    call fft_create(plan, 'r2c', 4, dim=2) ! the parts of a number are in columns next to each other
    before(:,5) = 0
    r = before
    call fft_forward(plan, r(:,:), stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'extent 2 of x is 5; the transform has at least 6 there') > 0, text)
    call across(plan)
    call fft_destroy(plan)
  end subroutine

  subroutine across(plan)
    type(fft_plan), intent(in) :: plan
    real(real64) :: r(14,7), before(14,7)
    complex(real64) :: line(4)
    call random_number(r)
    before = r
    call fft_forward(plan, r)
    line = sum_of(cmplx(before(9,:4), 0, real64), -1)
    call check(near(cmplx(r(9,1:5:2), r(9,2:6:2), real64), line(:3)), 'columns as parts')
    call check(all(transfer(r(:,7), [1_int64]) == transfer(before(:,7), [1_int64])), 'the rest is not written')
    call fft_backward(plan, r)
    call check(maxval(abs(r(:,:4) - 4*before(:,:4))) < 1e-13_real64, 'back to columns')
  end subroutine

  subroutine faults()
    type(fft_plan) :: plan, real_plan
    complex(real64), target :: x(8,3), y(8,3), half(5,3)
    real(real64) :: r(8,3)
    x = 1
    r = 1
    call fft_forward(plan, x, y, stat=status, errmsg=text)
    call check(status == gator_err_handle .and. index(text, 'not a plan of transforms') > 0, text)
    call fft_create(plan, 'c2r', 8, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'fft_create ''fft'': type is ''c2r''; it is ''c2c'' or ''r2c''') > 0, text)
    call fft_create(plan, 'c2c', 0, label='none', stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, '''none'': n is 0; a line has 1 number or more') > 0, text)
    call fft_create(plan, 'c2c', 8, dim=-1, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'dim is -1') > 0, text)
    call fft_create(plan, 'c2c', 8)
    call fft_create(real_plan, 'r2c', 8)
    call fft_forward(plan, r, half, label='mix', stat=status, errmsg=text)
    call check(index(text, 'fft_forward ''mix'': the plan is of the type ''c2c'': both arrays are complex') > 0, text)
    call fft_backward(real_plan, x, y, stat=status, errmsg=text)
    call check(index(text, 'the plan is of the type ''r2c'': in is complex, out is real') > 0, text)
    call fft_forward(real_plan, x, y, stat=status, errmsg=text)
    call check(index(text, 'in is real, out is complex') > 0, text)
    call fft_forward(real_plan, x, stat=status, errmsg=text)
    call check(index(text, 'an array that is transformed in place is real') > 0, text)
    call fft_forward(plan, x, y(:,:2), stat=status, errmsg=text)
    call check(index(text, 'extent 2 of out is 2; the transform has 3 there') > 0, text)
    call fft_forward(real_plan, r, y, stat=status, errmsg=text)
    call check(index(text, 'extent 1 of out is 8; the transform has 5 there') > 0, text)
    call fft_forward(plan, x(:5,:), y(:5,:), stat=status, errmsg=text)
    call check(index(text, 'extent 1 of in is 5; the transform has 8 there') > 0, text)
    call fft_create(plan, 'c2c', 3, dim=2)
    call fft_forward(plan, x(:,1), y(:,1), stat=status, errmsg=text)
    call check(index(text, 'the plan is for dimension 2; the array has the dimensions 1 to 1') > 0, text)
    call check(status == gator_err_arg, 'the number of the error')
    call fft_destroy(plan)
    call fft_destroy(real_plan)
  end subroutine
end program
