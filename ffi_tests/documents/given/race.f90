! A program with parallel loops that is right: for tools that look for data races.
module steps
  use portable_mod
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n) = 1, b(n) = 0
contains
  recursive subroutine double_it(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      b(i) = 2*a(i)
    end do
  end subroutine
end module

program race
  use steps
  implicit none
  call portable_init()
  call parallel_for('double it', bounds(n), double_it)
  call portable_finalize()
  if (any(abs(b - 2) > 0)) error stop 1
end program
