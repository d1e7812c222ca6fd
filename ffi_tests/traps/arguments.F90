! Arguments that no specific subroutine of parallel_for takes. The compiler must refuse each of the first three.
module arguments_mod
  use portable_mod, only: parallel_for, bounds, tile
  implicit none
  integer :: values(1000)
contains
  subroutine fill()
#if defined(KERNEL)
    call parallel_for('fill', bounds(1000), of_an_index)
#elif defined(INTENT)
    call parallel_for('fill', bounds(1000), without_intent)
#elif defined(BOUNDS)
    call parallel_for('fill', 1000, kernel)
#else
    call parallel_for('fill', bounds(1000), kernel)
#endif
  end subroutine

  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    values(t%lower(1):t%upper(1)) = 1
  end subroutine

  recursive subroutine without_intent(t)
    type(tile) :: t
    values(t%lower(1):t%upper(1)) = 1
  end subroutine

  recursive subroutine of_an_index(i)
    integer, intent(in) :: i
    values(i) = 1
  end subroutine
end module
