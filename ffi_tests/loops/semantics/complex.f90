! Complex numbers: parts, mixed kinds, quotients by either part, powers, sections, procedures.
module complex_rows
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64, n = 37
  complex(wp), parameter :: roots(3) = [(1.0_wp, 0.0_wp), (-0.5_wp, 0.75_wp), (-0.5_wp, -0.75_wp)], unit = (0.0_wp, 1.0_wp)
  type wave
    complex(wp) :: amplitude
    complex(wp), allocatable :: modes(:)
  end type wave
contains
  pure complex(wp) function turned(z, by)
    complex(wp), intent(in) :: z, by
    turned = z*by
    if (aimag(turned) < 0) turned = conjg(turned)
  end function turned

  subroutine swap(a, b, m)
    integer, intent(in) :: m
    complex(wp), intent(inout) :: a(m), b(m)
    complex(wp) :: t
    integer :: k
    do k = 1, m
      t = a(k)
      a(k) = b(k)
      b(k) = t
    end do
  end subroutine swap

  subroutine tell(name, z)
    character(len=*), intent(in) :: name
    complex(wp), intent(in) :: z(:)
    call show(name, [bits(real(z)), bits(aimag(z))])
  end subroutine tell

  subroutine rows_on_the_device(z, c, x, w)
    complex(wp), intent(inout) :: z(n)
    complex, intent(inout) :: c(n)
    real(wp), intent(inout) :: x(n)
    type(wave), intent(inout) :: w
    complex(wp) :: t, p(3), matrix(2, n)
    logical :: same(n)
    integer :: i, k
    ! truth: parallel i; run complex-arithmetic
    do i = 1, n
      z(i) = z(i)*(2.0_wp, -0.5_wp) + x(i) - i*z(i)
    end do
    call tell('complex-arithmetic', z)
    ! truth: parallel i; run complex-quotient
    do i = 1, n
      z(i) = (z(i) + unit)/cmplx(mod(i, 5) - 2.25_wp, 0.5_wp*mod(i, 7) - 1.25_wp, wp)
    end do
    call tell('complex-quotient', z)
    ! truth: parallel i; run complex-by-real
    do i = 1, n
      z(i) = z(i)/(x(i) + 7.5_wp) + 1.5_wp/(z(i) + (9.0_wp, 0.25_wp))
    end do
    call tell('complex-by-real', z)
    ! truth: parallel i; run complex-parts
    do i = 1, n
      x(i) = real(z(i)) - 2*aimag(z(i)) + abs(z(i))
      z(i) = cmplx(aimag(z(i)), -real(z(i)), wp)
    end do
    call show('complex-parts', bits(x))
    call tell('complex-parts', z)
    ! truth: parallel i; run complex-kinds
    do i = 1, n
      c(i) = cmplx(z(i)) + c(i)*0.1
      z(i) = z(i) + c(i)
      x(i) = c(i)
      c(i) = i
    end do
    call show('complex-kinds', [bits(x), bits(real(c)), bits(aimag(c))])
    ! truth: parallel i; private t; run complex-powers
    do i = 1, n
      t = z(i)/8
      z(i) = t**2 - t**3 + t**7 + t**0
    end do
    call tell('complex-powers', z)
    ! truth: parallel i; run complex-equal
    do i = 1, n
      same(i) = z(i) == conjg(z(i)) .or. z(i) /= cmplx(x(i), 0, wp)
      if (mod(i, 3) == 0) z(i) = -z(i)
    end do
    call show('complex-equal', bits(same))
    ! truth: parallel i; private p; run complex-private-array
    do i = 1, n
      p = roots*z(i)
      p(2:3) = conjg(p(3:2:-1))
      z(i) = sum(p) + p(2)*product(roots)
    end do
    call tell('complex-private-array', z)
    ! truth: parallel i; run complex-calls
    do i = 1, n
      z(i) = turned(z(i), roots(mod(i, 3) + 1))
    end do
    call tell('complex-calls', z)
    ! truth: parallel i; run complex-array-arguments
    do i = 1, n
      matrix(:, i) = [z(i), cmplx(i, -i, wp)]
      call swap(matrix(1:1, i), matrix(2:2, i), 1)
    end do
    call tell('complex-array-arguments', [matrix])
    ! truth: parallel i; run complex-components
    do i = 1, n
      w%modes(i) = w%modes(i)*w%amplitude + merge(z(i), unit, mod(i, 2) == 0)
    end do
    call tell('complex-components', w%modes)
    ! truth: parallel i; private k t; run complex-inner-loop
    do i = 1, n
      t = 0
      do k = 1, 3
        t = t + roots(k)*z(i)
      end do
      z(i) = t
    end do
    call tell('complex-inner-loop', z)
  end subroutine rows_on_the_device
end module complex_rows

program main
  use complex_rows
  implicit none
  complex(wp) :: z(n)
  complex :: c(n)
  real(wp) :: x(n)
  type(wave) :: w
  integer :: i
  z = [(cmplx(sample(i), sample(3*i + 1), wp), i=1, n)]
  c = [(cmplx(sample(5*i), sample(i + 2)), i=1, n)]
  x = sample([(i, i=1, n)])
  w%amplitude = (0.5_wp, -1.25_wp)
  w%modes = z(n:1:-1)
  call rows_on_the_device(z, c, x, w)
end program main
