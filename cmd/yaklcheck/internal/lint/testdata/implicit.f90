! No IMPLICIT NONE: the owner of a name without a declaration.
module implicit
  use portable_mod, only: tile, parallel_for, bounds
  real :: a(100)
contains
  subroutine host(n)
    integer :: n
    x = n
    do i = 1, n
      a(i) = x
    end do
    call parallel_for('inner', bounds(n), kernel, strided=.true.)
    print *, one%y, y2
  contains
    recursive subroutine kernel(t)
      type(tile) :: t
      do i = t%lower(1), t%upper(1)          !> shared-scalar i
        x = a(i)                             !> shared-scalar x
        y = x
        strided = y
        z = y
      end do
    end subroutine
  end subroutine
  recursive subroutine nearby(t)
    type(tile) :: t
    do i = t%lower(1), t%upper(1)
      x = a(i)
    end do
  end subroutine
end module
