! Distances that depend on a value which is not known.
module unknown_distance
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine shifted(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(3*n), b(3*n)
    integer :: i
    ! truth: refused unknown-distance a; ask independent
    do i = 1, n
      a(i) = a(i + m) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i + m) = a(i + m) + b(i)
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = b(i + m)
    end do
  end subroutine shifted

  subroutine halves(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(2*n)
    integer :: i
    ! truth: parallel i
    do i = 1, n
      a(i) = a(i + n)
    end do
    ! truth: refused recurrence|unknown-distance a
    do i = 1, n + 1
      a(i) = a(i + n - 1) !<
    end do
  end subroutine halves

  subroutine collapsed_index(n, m, a)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(n*m)
    integer :: i, j
    ! truth: refused unknown-distance|strides a; ask independent
    do j = 1, m
      a(j*n - n + 1:j*m) = 0 !<
    end do
    ! truth: parallel i
    do j = 1, m
      do i = 1, n
        a(i + n*(j - 1)) = i + j
      end do
    end do
  end subroutine collapsed_index

  subroutine sections(n, k, a)
    integer, intent(in) :: n, k
    real(wp), intent(inout) :: a(n, n)
    integer :: i
    ! truth: refused unknown-distance|recurrence a
    do i = 1, n
      a(:, i) = a(:, k) + 1 !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(1:5, i) = a(6:10, i) + 1
    end do
  end subroutine sections
end module unknown_distance
