! stacks.f90 - Fortran procedures in which stacks.c compares stacks: recursion with arrays on the
! stack, internal procedures, procedures passed as arguments, and calls from libgfortran's output.
module stacks_m
  use iso_c_binding, only: c_int
  implicit none
  interface
    subroutine stacks_compare() bind(c)
    end subroutine
    function stacks_failed() result(n) bind(c)
      import c_int
      integer(c_int) :: n
    end function
  end interface
contains
  recursive subroutine down(a, n, depth)
    integer, intent(in) :: n, depth
    real(8), intent(inout) :: a(n)
    real(8) :: b(n), c(4)
    b = 2 * a
    c = sum(b)
    call stacks_compare()
    if (depth > 0) call down(b, n, depth - 1)
    a = a + b + c(1)
  end subroutine

  recursive function several(depth) result(s)
    integer, intent(in) :: depth
    complex(8) :: s
    if (depth == 0) call stacks_compare()
    s = depth
    if (depth > 0) s = s + several(depth - 1) * several(depth - 2 + mod(depth, 2))
  end function

  subroutine handed(f)
    interface
      subroutine f(x)
        real(8), intent(inout) :: x
      end subroutine
    end interface
    real(8) :: x
    x = 1
    call f(x)
  end subroutine
end module

program stacks
  use stacks_m
  implicit none
  real(8) :: a(777), s
  complex(8) :: z
  a = 1
  s = 3
  call down(a, 777, 12)
  call handed(inner)
  z = several(4)
  if (stacks_failed() /= 0) error stop 1
contains
  subroutine inner(x)
    real(8), intent(inout) :: x
    s = s + x
    call stacks_compare()
    x = s
  end subroutine
end program
