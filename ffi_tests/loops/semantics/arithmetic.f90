! Integer and real arithmetic: division, powers, remainders, signs, rounding, extrema, order of
! operations.
module arithmetic
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine integers(n, k, m, r)
    integer, intent(in) :: n
    integer, intent(inout) :: k(-n:n), m(-n:n)
    real(wp), intent(inout) :: r(-n:n)
    integer :: i
    ! truth: parallel i; run integer-division
    do i = -n, n
      k(i) = i/3 + (i + 1)/(-4)
    end do
    call show('integer-division', bits(k))
    ! truth: parallel i; run integer-division-first
    do i = -n, n
      k(i) = i/2*2 + 2*i/4 + 2*(i/4)
    end do
    call show('integer-division-first', bits(k))
    ! truth: parallel i; run integer-power
    do i = -n, n
      k(i) = i**2 - i**3 + (-2)**abs(mod(i, 9)) + 2**(-1)
    end do
    call show('integer-power', bits(k))
    ! truth: parallel i; run integer-power-negative
    do i = -n, n
      k(i) = 1**(-abs(i)) + (-1)**i
    end do
    call show('integer-power-negative', bits(k))
    ! truth: parallel i; run mod-modulo
    do i = -n, n
      k(i) = mod(i, 5) + 10*mod(i, -5)
      m(i) = modulo(i, 5) + 10*modulo(i, -5)
    end do
    call show('mod-modulo', [bits(k), bits(m)])
    ! truth: parallel i; run integer-sign-abs-dim
    do i = -n, n
      k(i) = sign(7, i) + 10*abs(i) + dim(i, 3) - sign(i, -1)
    end do
    call show('integer-sign-abs-dim', bits(k))
    ! truth: parallel i; run bit-intrinsics
    do i = -n, n
      k(i) = iand(i, 12) + ior(i, 3) - ieor(i, 5) + ishft(abs(i), 2) + shiftr(abs(i), 1) + not(i) + popcnt(i)
      if (btest(i, 1)) k(i) = ibset(k(i), 9)
      m(i) = ibits(abs(i), 1, 3) + ibclr(i, 0) + leadz(abs(i) + 1) + trailz(abs(i) + 1)
    end do
    call show('bit-intrinsics', [bits(k), bits(m)])
    ! truth: parallel i; run unary-minus-power
    do i = -n, n
      k(i) = -i**2 + (-i)**2 - 2**2
      r(i) = -r(i)**2
    end do
    call show('unary-minus-power', [bits(k), bits(r)])
  end subroutine integers

  subroutine reals(n, x, y, r, k)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), y(n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(n)
    real(wp) :: nan, best
    integer :: i
    ! truth: parallel i; run real-power
    do i = 1, n
      r(i) = x(i)**2 - x(i)**3 + x(i)**7 + abs(x(i))**0.5_wp
    end do
    call show('real-power', bits(r))
    ! truth: parallel i; run real-power-negative
    do i = 1, n
      r(i) = (abs(x(i)) + 1)**(-2) + (x(i) - 100)**(-3) + 2.0_wp**i
    end do
    call show('real-power-negative', bits(r))
    ! truth: parallel i; run associativity-of-power
    do i = 1, n
      r(i) = y(i)*(abs(x(i))*y(i))**1.4_wp + 2**3**(mod(i, 2) + 1)
    end do
    call show('associativity-of-power', bits(r))
    ! truth: parallel i; run order-of-sums
    do i = 1, n
      r(i) = x(i) + y(i)*1e15_wp - y(i)*1e15_wp + (y(i)/3 + (x(i)/7 - y(i)/9))
    end do
    call show('order-of-sums', bits(r))
    ! truth: parallel i; run order-of-products
    do i = 1, n
      r(i) = x(i)/3*y(i)/7*(x(i)/y(i)*y(i))
    end do
    call show('order-of-products', bits(r))
    ! truth: parallel i; run real-mod-modulo
    do i = 1, n
      r(i) = mod(x(i), 0.75_wp) + 10*modulo(x(i), 0.75_wp) + modulo(x(i), -0.5_wp)
    end do
    call show('real-mod-modulo', bits(r))
    ! truth: parallel i; run sign-of-zero
    do i = 1, n
      r(i) = sign(3.0_wp, x(i)) + sign(1.0_wp, -0.0_wp) + sign(0.0_wp, -x(i))
    end do
    call show('sign-of-zero', bits(r))
    ! truth: parallel i; run zero-result
    do i = 1, n
      r(i) = -(x(i)*0) + sign(0.0_wp, -1.0_wp)*y(i)
    end do
    call show('zero-result', bits(r))
    ! truth: parallel i; run nint-of-halves
    do i = 1, n
      k(i) = nint(x(i)*2) + 100*nint(-x(i))
      r(i) = anint(x(i)*2) + aint(x(i))
    end do
    call show('nint-of-halves', [bits(k), bits(r)])
    ! truth: parallel i; run int-floor-ceiling
    do i = 1, n
      k(i) = int(x(i)) + 100*floor(x(i)) + 10000*ceiling(x(i))
    end do
    call show('int-floor-ceiling', bits(k))
    ! truth: parallel i; run max-min
    do i = 1, n
      r(i) = max(x(i), y(i), 0.5_wp) - min(x(i), -0.0_wp, y(i))
      k(i) = max(i, 7) - min(i, 3, 2)
    end do
    call show('max-min', [bits(r), bits(k)])
    nan = transfer(int(z'7FF8000000000000', int64), nan)
    best = -1e9_wp
    ! truth: parallel i; reduction max:best; run maximum-by-if-skips-nan
    do i = 1, n
      if (merge(nan, x(i), mod(i, 3) == 0) > best) best = merge(nan, x(i), mod(i, 3) == 0)
    end do
    call show('maximum-by-if-skips-nan', bits([best]))
    ! truth: parallel i; run nan-comparisons
    do i = 1, n
      k(i) = 0
      if (merge(nan, x(i), mod(i, 2) == 0) /= x(i)) k(i) = 1
      if (.not. merge(nan, x(i), mod(i, 2) == 0) < y(i)) k(i) = k(i) + 2
    end do
    call show('nan-comparisons', bits(k))
    ! truth: parallel i; run merge
    do i = 1, n
      r(i) = merge(x(i), y(i), x(i) > y(i)) + merge(1, 0, k(i) > 0)
    end do
    call show('merge', bits(r))
    ! truth: parallel i; run square-root-and-quotients
    do i = 1, n
      r(i) = sqrt(abs(x(i)))/(1 + y(i)**2) + hypot(3.0_wp, 4.0_wp) + dot_product([x(i), y(i)], [y(i), x(i)])
    end do
    call show('square-root-and-quotients', bits(r))
    ! truth: parallel i; run exponents
    do i = 1, n
      r(i) = scale(x(i), 3) + fraction(y(i)) + set_exponent(x(i), 2) + spacing(y(i)) + dim(x(i), y(i))
      k(i) = exponent(y(i) + 100)
    end do
    call show('exponents', [bits(r), bits(k)])
  end subroutine reals

  ! Constant powers are products, and which ones the compiler decides.
  subroutine powers(n, x, r)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: r(n)
    real(real32) :: y
    integer :: i
    ! truth: parallel i; run powers-of-many-factors
    do i = 1, n
      r(i) = x(i)**17 + x(i)**18 + x(i)**20 - x(i)**23 + x(i)**31 - x(i)**33 + x(i)**45
    end do
    call show('powers-of-many-factors', bits(r))
    ! truth: parallel i; private y; run powers-above-the-table
    do i = 1, n
      y = real(1 + abs(x(i))*0.001_wp, real32)
      r(i) = y**255 + y**257 + y**1001 + (1 + x(i)*0.001_wp)**(-64) + (1 + x(i)*0.0001_wp)**4095
    end do
    call show('powers-above-the-table', bits(r))
  end subroutine powers
end module arithmetic

program main
  use arithmetic
  implicit none
  integer, parameter :: n = 83
  integer :: k(-n:n), m(-n:n), i
  real(wp) :: r(-n:n), x(n), y(n)
  r = sample([(i, i=-n, n)])
  call integers(n, k, m, r)
  x = sample([(i, i=1, n)])
  y = sample([(i*i, i=1, n)]) + 0.125_wp
  call reals(n, x, y, r(1:n), k(1:n))
  call powers(n, x, r(1:n))
end program main
