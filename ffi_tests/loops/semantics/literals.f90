! Literals, kinds, and conversions in assignments.
module literals
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  real(wp), parameter :: tenth = 0.1, exact_tenth = 0.1_wp
  integer, parameter :: n = 101
contains
  subroutine rows(x, r, k)
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(n)
    real(real32) :: s(n)
    integer(int8) :: b(n)
    integer(int16) :: h(n)
    integer(int64) :: l(n)
    complex(wp) :: z(n)
    integer :: i
    ! truth: parallel i; run literal-of-default-kind
    do i = 1, n
      r(i) = x(i)*0.1
    end do
    call show('literal-of-default-kind', bits(r))
    ! truth: parallel i; run literal-of-double-kind
    do i = 1, n
      r(i) = x(i)*0.1d0 + 1.5e-3_wp
    end do
    call show('literal-of-double-kind', bits(r))
    ! truth: parallel i; run named-constants
    do i = 1, n
      r(i) = x(i)*tenth - x(i)*exact_tenth
    end do
    call show('named-constants', bits(r))
    ! truth: parallel i; run literal-quotient
    do i = 1, n
      r(i) = x(i) + 1/3 + 1./3 + 1/3._wp
    end do
    call show('literal-quotient', bits(r))
    ! truth: parallel i; run integer-constant-to-real
    do i = 1, n
      r(i) = 16777217*1.0 + x(i)
    end do
    call show('integer-constant-to-real', bits(r))
    ! truth: parallel i; run real-to-single
    do i = 1, n
      s(i) = x(i)/3
    end do
    call show('real-to-single', bits(s))
    ! truth: parallel i; run single-times-double
    do i = 1, n
      r(i) = s(i)*x(i) + s(i)*s(i)
    end do
    call show('single-times-double', bits(r))
    ! truth: parallel i; run real-to-integer
    do i = 1, n
      k(i) = x(i)*1.25_wp
    end do
    call show('real-to-integer', bits(k))
    ! truth: parallel i; run integer-to-real
    do i = 1, n
      r(i) = i/2 + i/2.0
    end do
    call show('integer-to-real', bits(r))
    ! truth: parallel i; run short-integers
    do i = 1, n
      b(i) = int(mod(i, 100), int8)
      h(i) = b(i)*int(100, int16)
    end do
    call show('short-integers', [bits(b), bits(h)])
    ! truth: parallel i; run long-integers
    do i = 1, n
      l(i) = 3000000000_int64*i + i/7
    end do
    call show('long-integers', bits(l))
    ! truth: parallel i; run boz
    do i = 1, n
      k(i) = ieor(int(z'5A5A'), i)
    end do
    call show('boz', bits(k))
    ! truth: parallel i; run complex-literals
    do i = 1, n
      z(i) = cmplx(x(i), i, wp)*(0.5_wp, -1) + conjg(cmplx(1, x(i), wp))
    end do
    call show('complex-literals', [bits(real(z)), bits(aimag(z))])
    ! truth: parallel i; run intrinsic-constants
    do i = 1, n
      r(i) = x(i) + epsilon(x) + tiny(1.0) + digits(1.0_wp) + huge(1_int16)
    end do
    call show('intrinsic-constants', bits(r))
    ! truth: parallel i; run kind-of-expression
    do i = 1, n
      r(i) = real(x(i), real32) + real(i, kind(1d0)) + dble(s(i)) + int(x(i), int64)
    end do
    call show('kind-of-expression', bits(r))
    ! truth: parallel i; run transfer
    do i = 1, n
      l(i) = transfer(x(i), 1_int64)
    end do
    call show('transfer', bits(l))
  end subroutine rows
end module literals

program main
  use literals
  implicit none
  real(wp) :: x(n), r(n)
  integer :: i, k(n)
  x = sample([(i, i=1, n)])
  call rows(x, r, k)
end program main
