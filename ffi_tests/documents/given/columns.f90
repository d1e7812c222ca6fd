! Physics of one column: its scratch is in a module, and its caller has arrays of all columns.
module scratch
  implicit none
  real(8) :: flux(0:40)
end module

module physics_mod
  use scratch, only: flux
  implicit none
contains
  subroutine physics(nz, t, q, ps)
    integer, intent(in) :: nz
    real(8), intent(inout) :: t(nz), q(nz)
    real(8), intent(in) :: ps
    integer :: k
    call radiation(nz, t)
    do k = 1, nz
      q(k) = q(k) + flux(k)*ps
    end do
  end subroutine

  subroutine radiation(nz, t)
    integer, intent(in) :: nz
    real(8), intent(inout) :: t(nz)
    integer :: k
    flux(0) = 0
    do k = 1, nz
      flux(k) = 0.5d0*flux(k - 1) + t(k)
    end do
    do k = 1, nz
      t(k) = t(k) + 0.01d0*(flux(k) - flux(k - 1))
    end do
  end subroutine
end module

program model
  use physics_mod
  implicit none
  integer, parameter :: nx = 60, ny = 30, nz = 40
  real(8) :: t(nx, ny, nz), q(nz, nx, ny), ps(nx, ny)
  integer :: i, j, step
  t = 280
  q = 1
  do j = 1, ny
    ps(:, j) = 1 + 0.01d0*j
  end do
  do step = 1, 5
    !$portable parallel columns(i=1:nx, j=1:ny)
    call physics(nz, t, q, ps)
  end do
  print '(2f16.4)', sum(t), sum(q)
end program
