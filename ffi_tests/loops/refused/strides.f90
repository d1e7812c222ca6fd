! Subscripts with different strides, and index arrays.
module strides
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine two_strides(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(4*n)
    integer :: i
    ! truth: refused strides a
    do i = 1, n
      a(2*i) = a(3*i) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(2*i) = a(2*i - 1)
    end do
    ! truth: parallel i
    do i = 1, n
      a(2*i) = a(4*i - 1)
    end do
    ! truth: refused strides a
    do i = 1, n
      a(i) = a(2*i) !<
    end do
  end subroutine two_strides

  subroutine halved(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    real(wp), intent(in) :: b(n)
    integer :: i
    ! truth: refused strides|same-element a
    do i = 1, n
      a((i + 1)/2) = b(i) !<
    end do
    ! truth: refused strides|same-element a
    do i = 1, n
      a(mod(i, 8) + 1) = b(i) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = b((i + 1)/2) + b(mod(i, 8) + 1)
    end do
  end subroutine halved

  subroutine mirrored(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n)
    real(wp) :: t
    integer :: i, j
    ! truth: refused strides|unknown-distance|recurrence a
    do j = 1, n - 1
      do i = 1, n
        a(i, j) = a(j + 1, i) !<
      end do
    end do
    ! truth: parallel j i; private t
    do j = 1, n
      do i = 1, n
        t = a(i, j)
        a(i, j) = t/(i + j)
      end do
    end do
  end subroutine mirrored

  subroutine product_of_loops(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(0:n*n)
    integer :: i, j
    ! truth: refused strides|unknown-distance|same-element a
    do j = 0, n
      do i = 0, n
        a(i*j) = i + j !<
      end do
    end do
  end subroutine product_of_loops

  subroutine sums_of_loops(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(2*n)
    real(wp), intent(in) :: b(n, n)
    integer :: i, j
    ! truth: parallel i
    do j = 1, n
      do i = 1, n
        a(i + j) = b(i, j)
      end do
    end do
    ! truth: refused strides|unknown-distance|recurrence a
    do j = 1, n
      do i = 1, n
        a(i + j) = a(i + j - 1) + b(i, j) !<
      end do
    end do
    ! truth: parallel j i; sums a
    do j = 1, n
      do i = 1, n
        a(i + j) = a(i + j) + b(i, j)
      end do
    end do
  end subroutine sums_of_loops
end module strides
