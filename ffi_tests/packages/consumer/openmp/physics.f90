! An example of a user's library: tables that each thread of his has, filled in a region, used in a kernel.
module physics
  use portable_mod, only: tile, parallel_for, bounds, find_device
  implicit none
  real(8), save :: table = 0
  !$omp threadprivate(table)
  real(8) :: column(100)
contains
  subroutine physics_init()
    !$omp parallel
    table = 2
    !$omp end parallel
  end subroutine
  subroutine physics_run()
    call parallel_for('columns', bounds(100), columns, device=find_device('openmp'))
  end subroutine
  recursive subroutine columns(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      column(i) = i*table
    end do
  end subroutine
end module
