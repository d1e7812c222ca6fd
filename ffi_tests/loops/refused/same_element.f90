! Writes whose subscripts lack a loop.
module same_element
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine lost_index(n, m, l, a, b)
    integer, intent(in) :: n, m, l
    real(wp), intent(inout) :: a(n, m)
    real(wp), intent(in) :: b(n, m, l)
    integer :: i, j, k
    ! truth: refused same-element a
    do k = 1, l
      a(1, 1) = b(1, 1, k) !<
    end do
    ! truth: parallel j i
    do k = 1, l
      do j = 1, m
        do i = 1, n
          a(i, j) = 0.5_wp*a(i, j) + b(i, j, k)
        end do
      end do
    end do
  end subroutine lost_index

  subroutine hidden(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(0:n)
    real(wp), intent(in) :: b(n)
    integer :: i
    ! truth: refused same-element a
    do i = 1, n
      a(i) = 2*b(i)
      if (b(i) < 0) a(0) = b(i) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = 2*b(i) + a(0)
    end do
    ! truth: refused same-element|recurrence a
    do i = 1, n
      a(i) = 2*b(i) + a(3) !<
    end do
  end subroutine hidden

  subroutine column(n, m, total, b)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: total(m)
    real(wp), intent(in) :: b(n, m)
    integer :: i, j
    ! truth: parallel j; private i
    do j = 1, m
      total(j) = 0
      do i = 1, n
        total(j) = total(j) + b(i, j)
      end do
    end do
    ! truth: parallel i; sums total
    do i = 1, n
      total(1) = total(1) + b(i, 1)
    end do
    ! truth: refused same-element total
    do i = 1, n
      total(1) = total(1)*b(i, 1) + 1 !<
    end do
  end subroutine column

  subroutine component(n, b)
    integer, intent(in) :: n
    real(wp), intent(in) :: b(n)
    type state
      real(wp) :: t, x(4)
    end type state
    type(state) :: s
    integer :: i
    s%x = 0
    ! truth: refused same-element s
    do i = 1, n
      s%x(2) = b(i) - s%x(2) !<
    end do
    if (s%x(2) > 1e30_wp) print *, s%x
  end subroutine component
end module same_element
