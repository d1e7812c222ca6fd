! A kernel with faults that compilers do not see: flux, total and last are one for all threads.
module model
  use portable_mod, only: tile
  implicit none
  real(8) :: flux, total = 0
  real(8) :: a(1001), b(1000)
contains
  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      flux = a(i+1) - a(i)
      b(i) = limited(flux)
      total = total + b(i)
    end do
  end subroutine

  function limited(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    real(8), save :: last = 0
    y = min(0.5d0*(x + last), 1d0)
    last = x
  end function
end module

program main
  use portable_mod, only: portable_init, portable_finalize, parallel_for, bounds
  use model
  implicit none
  call portable_init()
  a = 1
  call parallel_for('update', bounds(1000), update)
  call portable_finalize()
end program
