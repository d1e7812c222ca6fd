! The program of docs/check/timers.md, for the report that the page shows.
module phases
  use portable_mod, only: parallel_for, bounds, tile, timer_start, timer_stop
  implicit none
  real(8), allocatable :: u(:)
contains
  subroutine step()
    call timer_start('step')
    call parallel_for('update', bounds(1000), update)
    call timer_stop('step')
  end subroutine

  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      u(i) = 0.5d0*u(i)
    end do
  end subroutine
end module

program model
  use portable_mod, only: portable_init, portable_finalize, timer_start, timer_stop
  use phases
  implicit none
  integer :: n
  call portable_init()
  allocate (u(1000), source=1d0)
  call timer_start('main')
  do n = 1, 10
    call step()
  end do
  call timer_stop('main')
  call portable_finalize()
end program
