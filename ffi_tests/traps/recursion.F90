! A kernel in which two threads are at once: each waits for the other one, at most some seconds.
module recursion_mod
  use portable_mod, only: tile
  implicit none
  integer, volatile :: arrived(0:1) = 0
contains
#if defined(PLAIN)
  subroutine kernel(t)
#else
  recursive subroutine kernel(t)
#endif
    type(tile), intent(in) :: t
    integer(8) :: start, now, rate
    arrived(t%worker) = 1
    call system_clock(start, rate)
    do while (arrived(0) + arrived(1) < 2)
      call system_clock(now)
      if (now - start > 20*rate) return
    end do
    if (t%worker == 0) print '(a)', 'both threads were in it'
  end subroutine
end module

program main
  use portable_mod, only: portable_init, portable_finalize, parallel_for, bounds
  use recursion_mod
  implicit none
  call portable_init()
  call parallel_for('both', bounds(2), kernel, tile=[1])
  call portable_finalize()
end program
