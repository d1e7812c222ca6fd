! A kernel inside the procedure that launches it, or next to it on data of the module.
module inner_mod
  use portable_mod, only: parallel_for, bounds, tile
  implicit none
#if !defined(INTERNAL)
  integer, allocatable :: values(:)
#endif
contains
  subroutine fill(total)
    integer, intent(out) :: total
#if defined(INTERNAL)
    integer, allocatable :: values(:)
#endif
    allocate (values(1000))
    call parallel_for('fill', bounds(1000), kernel)
    total = sum(values)
#if defined(INTERNAL)
  contains
#else
  end subroutine
#endif
    recursive subroutine kernel(t)
      type(tile), intent(in) :: t
      integer :: i
      do i = t%lower(1), t%upper(1)
        values(i) = i
      end do
    end subroutine
#if defined(INTERNAL)
  end subroutine
#endif
end module

program main
  use portable_mod, only: portable_init, portable_finalize
  use inner_mod
  implicit none
  integer :: total
  call portable_init()
  call fill(total)
  print '(i0)', total
  call portable_finalize()
end program
