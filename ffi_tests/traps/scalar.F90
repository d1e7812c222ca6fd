! Two threads that assign the same scalar: each waits until the other one has assigned too, so what goes wrong in half of all runs
! goes wrong here in every run.
module scalar_mod
  use portable_mod, only: parallel_for, bounds, tile
  implicit none
  integer, volatile :: arrived = 0, seen(0:1) = -1
#if defined(SHARED)
  integer, volatile :: scalar
#endif
contains
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
#if defined(SAVED)
    integer, volatile, save :: scalar
#elif !defined(SHARED)
    integer, volatile :: scalar
#endif
    integer :: i
    do i = t%lower(1), t%upper(1)
      do while (arrived < t%worker)
      end do
      scalar = t%worker
      arrived = t%worker + 1
      do while (arrived < 2)
      end do
      seen(t%worker) = scalar
    end do
  end subroutine
end module

program main
  use scalar_mod
  call parallel_for_two()
  if (seen(0) == 0 .and. seen(1) == 1) then
    print '(a)', 'right'
  else
    print '(a,2(1x,i0))', 'wrong', seen
  end if
contains
  subroutine parallel_for_two()
    use portable_mod, only: portable_init, portable_finalize
    call portable_init()
    call parallel_for('two', bounds(2), kernel, tile=[1])
    call portable_finalize()
  end subroutine
end program
