! other.f90 - a shared library in Fortran: it frees, resizes and hands out arrays of the program that links it. It is
! linked without Portable. Not in this file: what comes out (crossing.f90).
module other
  implicit none
contains
  subroutine replace(a, n) ! frees what the program allocated
    real(8), allocatable, intent(out) :: a(:)
    integer, intent(in) :: n
    integer :: i
    allocate (a(n))
    a = [(real(i, 8), i = 1, n)]
  end subroutine
  subroutine append(a, more) ! resizes what the program allocated
    real(8), allocatable, intent(inout) :: a(:)
    real(8), intent(in) :: more(:)
    a = [a, more]
  end subroutine
  subroutine drop(text)
    character(:), allocatable, intent(inout) :: text
    text = text(1:1) // repeat('-', 2 * len(text))
  end subroutine
end module
