! Macros, constructs around the call, an internal procedure, and a module whose names are PRIVATE.
#define LEVELS 9
#define COL(x) x
module m
  implicit none
  private
  real(8) :: work(LEVELS), cond(2, LEVELS)
  public :: run
contains
  subroutine run(nx, ny, t)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: t(nx, ny, LEVELS)
    integer :: i, j
    call inner()
  contains
    subroutine inner()
      associate (u => t)
      if (nx > 0) then
        block
          integer :: extra
          extra = 2
#ifdef BY_HAND
          do j = 1, ny
            do i = 1, nx
              call physics(LEVELS, t(i, j, :), extra)
            end do
          end do
#else
          !$portable parallel columns(i=1:nx, j=1:ny)
          call physics(LEVELS, COL(t), extra)
#endif
        end block
      end if
      end associate
    end subroutine
  end subroutine
  subroutine physics(n, t, extra)
    integer, intent(in) :: n, extra
    real(8), intent(inout) :: t(n)
    integer :: k
#ifdef NEVER
    work = 3
#endif
    cond = 0; work(1) = 0
    do k = 1, n
      work(k) = exp(-t(k)); if (work(k) > 0.5d0) cond(1, k) = work(k)**1.5d0
      cond(2, k) = 1
    end do
    t = t + cond(1, 1:n)*extra
  end subroutine
end module
use m
real(8) :: t(11, 5, 9)
do i = 1, 11
t(i, :, :) = 0.1d0*i
end do
call run(11, 5, t)
print '(z16.16)', sum(t)
end
