! Procedures that kernels call: what they assign, of modules, of their arguments, by generic and type-bound names.
module physics
  implicit none
  real :: leftover, column(20)
  type :: cell
    real :: heat
  contains
    procedure :: warm => warm_cell
  end type
  interface bump
    module procedure bump_int, bump_real
  end interface
contains
  recursive subroutine phase(q, out, k)
    real, intent(in) :: q
    real, intent(out) :: out
    integer :: k
    leftover = q                             !> shared-scalar leftover
    out = q
    k = 2*k
    call deeper(column)                      !> shared-array column
  end subroutine
  recursive subroutine deeper(c)
    real :: c(:)
    c(1) = 0
  end subroutine
  recursive subroutine reads(x)
    real :: x
    if (x > 0) return
  end subroutine
  recursive subroutine bump_int(n)
    integer, intent(inout) :: n
    n = n + 1
  end subroutine
  recursive subroutine bump_real(x)
    real, intent(inout) :: x
    x = x + 1
  end subroutine
  subroutine warm_cell(self)                 !> not-recursive warm_cell
    class(cell), intent(inout) :: self
    self%heat = self%heat + 1
  end subroutine
  subroutine never_called()
    leftover = 1
  end subroutine
  recursive function step(x) result(y)
    real, intent(in) :: x
    real :: y
    y = x + leftover
    leftover = y                             !> shared-scalar leftover
  end function
end module

module kernels
  use portable_mod, only: box => tile, launch => parallel_for, bounds, add_atomically
  use physics, only: phase, bump, ill => reads, step, cell, deeper
  use elsewhere, only: far
  implicit none
  type(cell) :: cells(100), one
  real :: a(100), x, y, z, tables(100)
  integer :: n, m, k
contains
  subroutine start()
    call launch('renamed', bounds(100), kernel=untyped)
    call launch('renamed', kernel=boxed, bounds=bounds(100))
  end subroutine
  recursive subroutine untyped(t)
    use portable_mod
    type(tile) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      a(i) = step(a(i))
    end do
  end subroutine
  recursive subroutine boxed(t)
    type(box), intent(in) :: t
    integer :: i, mine
    do i = t%lower(1), t%upper(1)
      mine = i
      call phase(a(i), x, mine)              !> shared-scalar x
      call phase(a(i), tables(i), k)         !> shared-scalar k
      call ill(y)
      call bump(n)                           !> shared-scalar n
      call bump(mine)
      call cells(i)%warm()
      call add_atomically(z, 1.0)
      far = a(i)                             !> shared-scalar far
      one%heat = a(i)                        !> shared-scalar one
      cells(i)%heat = 1
      cells(3)%heat = 1                      !> shared-array cells
      call outside(m)
      call deeper(tables(i:i))
    end do
  end subroutine
end module
