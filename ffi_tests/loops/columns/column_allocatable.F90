! Allocatable scratch with a lower bound, which the caller knows by another name.
module m
  implicit none
  real(8), allocatable :: w(:)
contains
  subroutine physics(n, t, ps)
    integer, intent(in) :: n
    real(8), intent(inout) :: t(n)
    real(8), intent(in) :: ps
    w(-2:n-3) = t
    t(:) = w(-2:n-3)*ps + ubound(w, 1) + lbound(w, 1)
  end subroutine
end module
program main
  use m, only: physics, hold => w
  implicit none
  integer, parameter :: nx = 7, ny = 5, nz = 9
  real(8) :: t(nx, ny, nz), ps(nx, ny)
  integer :: i, j
  allocate(hold(-2:nz))
  t = 1; ps = 2
#ifdef BY_HAND
  do j = 1, ny
  do i = 1, nx
  call physics(nz, t(i,j,:), ps(i,j))
  end do
  end do
#else
  !$portable parallel columns(i=1:nx, j=1:ny)
  call physics(nz, t, ps)
#endif
  print '(z16.16)', sum(t)
end program
