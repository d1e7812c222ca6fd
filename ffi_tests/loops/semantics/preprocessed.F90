! The preprocessor: macros in expressions, branches, both spellings of a line, sentinels of OpenMP.
! flags: -DSCALE=3 -DUSE_SECOND
#define SQUARE(x) ((x)*(x))
#ifdef SINGLE
#define REAL_KIND real32
#else
#define REAL_KIND real64
#endif
module preprocessed
  use bits_of_results
  implicit none
  integer, parameter :: wp = REAL_KIND
contains
  subroutine rows(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: y(n)
    integer :: i
    ! truth: parallel i; run macro-in-expression
    do i = 1, n
      y(i) = SQUARE(x(i) + 1)*SCALE
    end do
    call show('macro-in-expression', bits(y))
    ! truth: parallel i; run branch-in-nest
    do i = 1, n
#ifdef USE_SECOND
      y(i) = y(i) - x(i)
#else
      y(i) = y(i) + x(i)
#endif
#if SCALE > 2 && !defined(SINGLE)
      y(i) = y(i) + __LINE__
#endif
    end do
    call show('branch-in-nest', bits(y))
    ! truth: parallel i; run conditional-sentinel
    do i = 1, n
      y(i) = x(i)
!$    y(i) = y(i) + 1000
    end do
    call show('conditional-sentinel', bits(y))
  end subroutine rows
end module preprocessed

program main
  use preprocessed
  implicit none
  integer, parameter :: n = 27
  real(wp) :: x(n), y(n)
  integer :: i
  x = real(sample([(i, i=1, n)]), wp)
  call rows(n, x, y)
end program main
