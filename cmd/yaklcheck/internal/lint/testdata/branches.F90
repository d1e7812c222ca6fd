! Branches of the preprocessor: all are read.
module branches
  use portable_mod, only: tile
  implicit none
  real :: one, two, three
contains
#ifdef PLAIN
  subroutine kernel(t)
#else
  recursive subroutine kernel(t)
#endif
    type(tile), intent(in) :: t
    integer :: i
#if defined(SHARED)
    do i = t%lower(1), t%upper(1)
#else
    do i = t%upper(1), t%lower(1), -1
#endif
      one = i            !> shared-scalar one
    end do
#ifdef OTHER
    two = 1              !> shared-scalar two
#endif
#if defined(INTERNAL)
  contains
#else
  end subroutine
#endif
  recursive subroutine second(t)
    type(tile), intent(in) :: t
    three = t%lower(1)   !> shared-scalar three
  end subroutine
#if defined(INTERNAL)
  end subroutine
#endif
end module
