! Dependences of array elements with a distance that is known.
module recurrence
  implicit none
  integer, parameter :: wp = kind(1d0)
  integer, parameter :: first = 1, second = 2
contains
  subroutine one_dimension(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(0:n + 1)
    real(wp), intent(in) :: b(n)
    integer :: i
    ! truth: refused recurrence a
    do i = 1, n
      a(i) = a(i - 1) + b(i) !<
    end do
    ! truth: refused recurrence a
    do i = 1, n
      a(i) = 0.5_wp*a(i + 1) !<
    end do
    ! truth: refused recurrence a
    do i = n, 1, -1
      a(i) = b(i) - a(i + 1) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = a(i) + b(i)
    end do
    ! truth: parallel i
    do i = 1, n, 2
      a(i) = a(i - 1) + b(i)
    end do
  end subroutine one_dimension

  subroutine tridiagonal(n, m, l, d, x)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: l(m, n), d(m, n)
    real(wp), intent(inout) :: x(m, n)
    integer :: i, k
    ! truth: parallel i; private k
    do i = 1, m
      do k = 2, n
        x(i, k) = (x(i, k) - l(i, k)*x(i, k - 1))/d(i, k)
      end do
    end do
    ! truth: refused recurrence x; ask independent
    do k = 2, n
      x(1, k) = (x(1, k) - l(1, k)*x(1, k - 1))/d(1, k) !<
    end do
  end subroutine tridiagonal

  subroutine two_statements(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n), b(n)
    integer :: i
    ! truth: refused recurrence a
    do i = 2, n
      a(i) = 2*b(i) !<
      b(i) = a(i) + a(i - 1) !<
    end do
    ! truth: parallel i
    do i = 2, n
      a(i) = 2*b(i)
      b(i) = a(i) + a(i)**2
    end do
  end subroutine two_statements

  subroutine wavefront(n, m, a)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(n, m)
    integer :: i, j
    ! truth: refused recurrence a
    do j = 2, m
      do i = 2, n
        a(i, j) = 0.25_wp*(a(i - 1, j) + a(i, j - 1)) !<
      end do
    end do
    ! truth: parallel i
    do j = 2, m
      do i = 2, n
        a(i, j) = 0.25_wp*(a(i, j) + a(i, j - 1))
      end do
    end do
  end subroutine wavefront

  subroutine diagonal(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n)
    integer :: i, j
    ! truth: refused recurrence a
    do j = 2, n
      a(j, j) = a(j - 1, j - 1) + 1 !<
    end do
    ! truth: parallel j i
    do j = 2, n
      do i = 1, j - 1
        a(i, j) = a(i, j) + 1
      end do
    end do
  end subroutine diagonal

  subroutine levels(n, q)
    integer, intent(in) :: n
    real(wp), intent(inout) :: q(n, 2)
    integer :: i
    ! truth: parallel i
    do i = 2, n
      q(i, second) = q(i - 1, first)
    end do
    ! truth: refused recurrence q
    do i = 2, n
      q(i, second) = q(i - 1, 2) !<
    end do
    ! truth: parallel i
    do i = 2, n/2
      q(2*i, 1) = q(i, 2)
    end do
  end subroutine levels

  subroutine far(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(-100:100)
    integer :: i
    ! truth: parallel i
    do i = 1, 50
      a(i) = a(i - 50)
    end do
    ! truth: refused recurrence a
    do i = 1, n
      a(i) = a(i - 50) !<
    end do
  end subroutine far
end module recurrence
