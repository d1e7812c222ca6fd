! Submodules: procedures whose dummies are declared in the module, or again.
module parent
  use portable_mod, only: tile, parallel_for, bounds
  implicit none
  real :: shared, total
  interface
    module subroutine first(t)
      type(tile), intent(in) :: t
    end subroutine
    recursive module subroutine second(t, x)
      type(tile), intent(in) :: t
      real, intent(out) :: x
    end subroutine
    recursive module function third(x) result(y)
      real, intent(in) :: x
      real :: y
    end function
  end interface
contains
  subroutine start()
    call parallel_for('x', bounds(10), first)
  end subroutine
end module

submodule (parent) child
  implicit none
  real :: own
contains
  module subroutine first(t)               !> not-recursive first
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      shared = third(real(i))              !> shared-scalar shared
      own = i                              !> shared-scalar own
      call second(t, total)                !> shared-scalar total
    end do
  end subroutine
  module procedure second
    x = t%lower(1)
  end procedure
end submodule

submodule (parent:child) grandchild
contains
  module procedure third
    y = 2*x
    own = y                                !> shared-scalar own
  end procedure third
end submodule grandchild
