! Scalars that are read after the loop: of those that only some iterations set by assignments, the last one decides.
module last_value
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine last_hit(n, a, limit, where)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), limit
    integer, intent(out) :: where
    integer :: i, k
    real(wp) :: b(n)
    k = 0
    ! truth: parallel i; last k
    do i = 1, n
      b(i) = 2*a(i)
      if (b(i) > limit) k = i
    end do
    where = k + int(b(1))
  end subroutine last_hit

  subroutine every_iteration(n, a, b, mean)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: b(n)
    real(wp), intent(out) :: mean
    real(wp) :: x
    integer :: i
    x = 0
    ! truth: parallel i; last x
    do i = 1, n
      x = 0.5_wp*a(i)
      b(i) = x
    end do
    mean = x
  end subroutine every_iteration

  subroutine dummy(n, a, b, level)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: b(n), level
    integer :: i
    ! truth: parallel i; last level
    do i = 1, n
      if (a(i) > 0) then
        level = a(i)
        b(i) = level
      end if
    end do
  end subroutine dummy

  subroutine inner_variable(n, m, a, k)
    integer, intent(in) :: n, m(n)
    real(wp), intent(inout) :: a(10, n)
    integer, intent(inout) :: k
    integer :: i
    ! truth: parallel i; last k
    do i = 1, n
      do k = 1, m(i)
        a(k, i) = k
      end do
    end do
  end subroutine inner_variable

  subroutine saved(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    real(wp), save :: worst
    integer :: i
    ! truth: parallel i; last worst
    do i = 1, n
      a(i) = abs(a(i))
      if (a(i) > 10) worst = a(i)
    end do
    if (n < 0) a(1) = worst
  end subroutine saved

  subroutine by_a_call(n, a, level)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n), level
    integer :: i
    ! truth: refused last-value level
    do i = 1, n
      a(i) = abs(a(i))
      if (a(i) > 10) call take(level, a(i)) !<
    end do
  end subroutine by_a_call

  subroutine take(level, x)
    real(wp), intent(out) :: level
    real(wp), intent(in) :: x
    level = x
  end subroutine take

  subroutine carried_on(n, a, level)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n), level
    integer :: i
    ! truth: refused conditional-scalar|carried-scalar level
    do i = 1, n
      if (a(i) > 10) level = a(i) !<
      a(i) = level !<
    end do
  end subroutine carried_on

  subroutine in_the_name(n, a, text)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    character(len=4), intent(inout) :: text
    integer :: i
    ! truth: refused not-converted
    do i = 1, n
      a(i) = abs(a(i))
      if (a(i) > 10) text = 'high' !<
    end do
  end subroutine in_the_name
end module last_value
