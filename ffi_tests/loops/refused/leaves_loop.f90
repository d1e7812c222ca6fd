! Jumps out of the loop, and jumps that stay inside.
module leaves_loop
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  integer function search(n, a, x)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), x
    real(wp) :: seen(n)
    integer :: i
    search = 0
    ! truth: refused leaves-loop
    do i = 1, n
      seen(i) = a(i)
      if (a(i) == x) exit !<
    end do
    search = min(i, n) + int(0*seen(1))
    ! truth: refused leaves-loop
    do i = 1, n
      seen(i) = abs(a(i) - x)
      if (seen(i) == 0) return !<
    end do
  end function search

  subroutine inner_search(n, m, a, first)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    integer, intent(inout) :: first(n)
    integer :: i, k
    ! truth: parallel i; private k
    do i = 1, n
      first(i) = 0
      do k = 1, m
        if (a(k, i) > 0) then
          first(i) = k
          exit
        end if
      end do
    end do
    ! truth: parallel i; private k
    columns: do i = 1, n
      do k = 1, m
        if (a(k, i) < 0) cycle columns
      end do
      first(i) = -1
    end do columns
    ! truth: refused leaves-loop
    outer: do i = 1, n
      first(i) = 1
      do k = 1, m
        if (a(k, i) > 100) exit outer !<
      end do
    end do outer
  end subroutine inner_search

  subroutine labels(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: b(n)
    integer :: i
    ! truth: refused leaves-loop|jump
    do i = 1, n
      if (a(i) < 0) goto 900 !<
      b(i) = sqrt(a(i))
    end do
    ! truth: parallel i
    do i = 1, n
      b(i) = 0
      if (a(i) < 0) goto 100
      b(i) = sqrt(a(i))
100   continue
      b(i) = b(i) + 1
    end do
    return
900 b(1) = -1
  end subroutine labels

  subroutine backwards(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: parallel i
    do i = 1, n
200   a(i) = 0.5_wp*a(i)
      if (a(i) > 1) goto 200
    end do
    ! truth: refused jump
    do i = 1, n
      if (a(i) > 2) goto 220
210   a(i) = 0.5_wp*a(i)
220   a(i) = a(i) - 0.25_wp
      if (a(i) > 1) goto 210 !<
    end do
    ! truth: parallel i
    do i = 1, n
      do while (a(i) > 1)
        a(i) = 0.5_wp*a(i)
      end do
    end do
  end subroutine backwards
end module leaves_loop
