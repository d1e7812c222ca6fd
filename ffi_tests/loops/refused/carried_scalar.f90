! Scalars that carry a value between iterations, and scalars that only seem to.
module carried_scalar
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: total
contains
  subroutine filter(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: y(n)
    real(wp) :: old
    integer :: i
    old = x(1)
    ! truth: refused carried-scalar old
    do i = 1, n
      y(i) = 0.5_wp*(x(i) + old) !<
      old = x(i) !<
    end do
    ! truth: parallel i; private old
    do i = 1, n
      old = x(i)
      y(i) = y(i) + 0.5_wp*(x(i) + old)
    end do
  end subroutine filter

  subroutine prefix(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: y(n)
    real(wp) :: sum
    integer :: i
    sum = 0
    ! truth: refused carried-scalar sum
    do i = 1, n
      sum = sum + x(i) !<
      y(i) = sum !<
    end do
    sum = 0
    ! truth: parallel i; reduction +:sum
    do i = 1, n
      sum = sum + x(i)
      y(i) = 2*x(i)
    end do
    y(1) = y(1) + sum
  end subroutine prefix

  subroutine mixed_operators(n, x)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp) :: s, p
    integer :: i
    s = 0
    ! truth: refused carried-scalar s
    do i = 1, n
      s = s + x(i) !<
      s = s*x(i) !<
    end do
    p = 1
    ! truth: parallel i; reduction +:s *:p
    do i = 1, n
      s = s + x(i) - 1
      p = p*x(i)
    end do
    total = s + p
  end subroutine mixed_operators

  subroutine module_scalar(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: y(n)
    integer :: i
    ! truth: refused carried-scalar total
    do i = 1, n
      y(i) = x(i)/total !<
      total = 0.9_wp*total + x(i) !<
    end do
    ! truth: parallel i
    do i = 1, n
      y(i) = x(i)/total
    end do
  end subroutine module_scalar

  subroutine counter(n, mask, x, packed)
    integer, intent(in) :: n
    logical, intent(in) :: mask(n)
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: packed(n)
    integer :: i, k
    k = 0
    ! truth: refused carried-scalar k
    do i = 1, n
      if (mask(i)) then
        k = k + 1 !<
        packed(k) = x(i) !<
      end if
    end do
    k = 0
    ! truth: parallel i; reduction +:k
    do i = 1, n
      if (mask(i)) k = k + 1
    end do
    packed(n) = k
  end subroutine counter

  subroutine random_numbers(n, y)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(n)
    integer :: i, seed
    seed = 17
    ! truth: refused carried-scalar seed
    do i = 1, n
      seed = mod(8121*seed + 28411, 134456) !<
      y(i) = seed/134456.0_wp
    end do
  end subroutine random_numbers

  subroutine difference(n, x, s)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: s
    integer :: i
    ! truth: refused carried-scalar s
    do i = 1, n
      s = x(i) - s !<
    end do
    ! truth: parallel i; reduction +:s
    do i = 1, n
      s = s - x(i)
    end do
  end subroutine difference
end module carried_scalar
