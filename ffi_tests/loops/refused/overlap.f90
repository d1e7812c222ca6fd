! Overlap is known at run time only: the tool converts these nests. The program ends at the
! nest that is marked, with its message, and the
! nests before it run. `same` is the number of the case; without an argument all cases that are no error run.
module overlapping
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine shift(n, a, b)
    integer, intent(in) :: n
    real(wp), pointer, intent(in) :: a(:), b(:)
    integer :: i
    ! truth: refused overlap a
    do i = 1, n
      a(i) = b(i) + 1 !<
    end do
  end subroutine shift

  subroutine two_fields(n, a, b)
    integer, intent(in) :: n
    real(wp), target, intent(inout) :: a(:)
    real(wp), pointer, intent(in) :: b(:)
    integer :: i
    ! truth: refused overlap a
    do i = 1, n
      a(i) = 2*b(i) !<
    end do
  end subroutine two_fields
end module overlapping

program overlap
  use overlapping
  implicit none
  real(wp), target :: x(0:100)
  real(wp), pointer :: left(:), right(:)
  integer :: same
  character(len=8) :: argument
  x = 1
  call get_command_argument(1, argument)
  same = 0
  if (argument /= '') read (argument, *) same
  left => x(1:40)
  right => x(51:90)
  call shift(40, left, right)
  call two_fields(40, left, right)
  print '(f0.1)', x(1)
  select case (same)
  case (1)
    left => x(1:40)
    right => x(0:39)
    call shift(40, left, right)
  case (2)
    right => x(20:59)
    call two_fields(40, x(1:40), right)
  end select
  print '(f0.1)', sum(x)
end program overlap
