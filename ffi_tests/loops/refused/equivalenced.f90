! EQUIVALENCE, and COMMON blocks with other layouts.
subroutine equivalenced(n)
  implicit none
  integer, intent(in) :: n
  double precision :: a(100), b(100), c(50)
  common /fields/ c
  integer :: i
  equivalence (a(2), b(1))
  a = 1
  ! truth: refused overlap|recurrence|not-converted a
  do i = 1, n
    a(i) = b(i) + 1 !<
  end do
  ! truth: parallel i
  do i = 1, n
    c(i) = i
  end do
  c(1) = c(1) + a(3)
end subroutine equivalenced
