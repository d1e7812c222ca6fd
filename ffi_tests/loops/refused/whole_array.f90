! Whole arrays and private arrays.
module whole_array
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine assigned(n, m, a, w)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n), w(m)
    real(wp), target, save :: t(4)
    integer :: i
    ! truth: parallel i; private w; last w
    do i = 1, n
      w = a(:, i)
      a(1, i) = w(m) + w(1)
    end do
    ! truth: parallel i; private w; last w
    do i = 1, n
      w(:) = 2*a(:, i)
      a(:, i) = w
    end do
    ! truth: refused whole-array w; ask private w
    do i = 1, n
      if (a(1, i) > 0) then
        w = a(:, i) !<
        a(1, i) = w(m) + w(1)
      end if
    end do
    ! truth: refused whole-array t; ask private t
    do i = 1, n
      t = a(1, i) !<
      a(1, i) = t(2)
    end do
    ! truth: parallel i
    do i = 1, n
      a(:, i) = w
    end do
  end subroutine assigned

  subroutine local_whole(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(5, n)
    real(wp) :: w(5)
    integer :: i
    ! truth: parallel i; private w
    do i = 1, n
      w = a(:, i)
      a(1, i) = w(5) + w(1)
    end do
  end subroutine local_whole

  subroutine scan_column(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: b(m, n)
    real(wp) :: w(0:m)
    integer :: i, k
    w = 0
    ! truth: refused private-array w
    do i = 1, n
      do k = 1, m
        w(k) = w(k - 1) + a(k, i) !<
        b(k, i) = w(k)
      end do
    end do
    ! truth: parallel i; private w k
    do i = 1, n
      w(0) = 0
      do k = 1, m
        w(k) = w(k - 1) + a(k, i)
        b(k, i) = w(k)
      end do
    end do
  end subroutine scan_column

  subroutine short_cover(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: b(m, n)
    real(wp) :: w(m)
    integer :: i, k
    w = 1
    ! truth: refused private-array|recurrence w
    do i = 1, n
      do k = 3, m
        w(k) = a(k, i) + 0.5_wp*w(k - 1) !<
      end do
      b(1, i) = w(1) + w(m)
    end do
    ! truth: refused private-array|recurrence w
    do i = 1, n
      do k = 1, m - 1
        if (a(k, i) > 0) w(k) = a(k, i)*w(k + 1) !<
      end do
      b(1, i) = w(m)
      b(2, i) = w(1)
    end do
    ! truth: parallel k
    do i = 1, n
      do k = 2, m
        w(k) = a(k, i)
      end do
      b(1, i) = w(1) + w(m)
    end do
    ! truth: parallel i; private w k
    do i = 1, n
      do k = 1, m
        w(k) = max(a(k, i), 0.0_wp)
      end do
      do k = m, 2, -1
        b(k, i) = w(k) - w(k - 1)
      end do
    end do
  end subroutine short_cover

  subroutine read_after(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: b(m)
    real(wp) :: w(m)
    integer :: i, k
    w = 0
    ! truth: refused private-array|last-value|same-element|recurrence w
    do i = 1, n
      w(1) = a(1, i)
      do k = 2, i
        w(k) = a(k, i)*w(k - 1) !<
      end do
    end do
    b = w
  end subroutine read_after
end module whole_array
