! The test looks for these in programs made from this file: a module procedure, an internal one, a region of OpenMP, an external
! procedure, calls that are inlined, and the program. Lines are found by the words behind !@.
module swe
  implicit none
  real(8) :: h(100) = 1
contains
  subroutine step(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel do
    do i = 1, n
      h(i) = deep(h(i), i)                 !@region
    end do
    call inner(n)                          !@calls inner
  contains
    subroutine inner(k)
      integer, intent(in) :: k
      h(k) = deep(h(k) + n, k)             !@inner
    end subroutine
  end subroutine

  real(8) function deep(x, i)
    real(8), intent(in) :: x
    integer, intent(in) :: i
    deep = sqrt(abs(x)) + i
    if (deep < 0) call stopit(deep)        !@deep
  end function
end module

subroutine stopit(x)
  real(8) :: x
  print *, x                               !@stopit
end subroutine

program model
  use swe
  implicit none
  call step(50)                            !@model
  call local(3)
contains
  subroutine local(n)
    integer, intent(in) :: n
    print *, h(n)                          !@local
  end subroutine
end program
