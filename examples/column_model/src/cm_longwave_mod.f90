! Thermal radiation with one emissivity for each layer, up and down, for all columns at once.
module cm_longwave_mod
  use cm_constants_mod, only: wp, stefan, heat_dry
  use cm_state_mod, only: nc, nz, t, q, p, mass, cover, depth, ts, long_down, heating_long
  implicit none
  private
  public :: longwave

  real(wp), parameter :: spread = 1.66_wp, vapour = 0.09_wp, dioxide = 1.5e-4_wp

contains

  subroutine longwave
    real(wp), allocatable :: emissivity(:, :), down(:, :), up(:, :)
    integer :: i, k
    real(wp) :: path
    allocate (emissivity(nc, nz), down(nc, 0:nz), up(nc, 0:nz))

    !$omp parallel do private(path)
    do k = 1, nz
      do i = 1, nc
        path = (vapour*q(i, k) + dioxide)*mass(i, k)*(p(i, k)*1.0e-5_wp)**0.9_wp + 0.5_wp*cover(i, k)*depth(i, k)
        emissivity(i, k) = 1 - exp(-spread*path)
      end do
    end do

    !$omp parallel do
    do i = 1, nc
      down(i, nz) = 0
      up(i, 0) = stefan*ts(i)**4
    end do
    ! Each level needs the one above it, or below it.
    do k = nz, 1, -1
      !$omp parallel do
      do i = 1, nc
        down(i, k - 1) = down(i, k)*(1 - emissivity(i, k)) + emissivity(i, k)*stefan*t(i, k)**4
      end do
    end do
    do k = 1, nz
      !$omp parallel do
      do i = 1, nc
        up(i, k) = up(i, k - 1)*(1 - emissivity(i, k)) + emissivity(i, k)*stefan*t(i, k)**4
      end do
    end do

    !$omp parallel do
    do k = 1, nz
      do i = 1, nc
        heating_long(i, k) = (down(i, k) - down(i, k - 1) - up(i, k) + up(i, k - 1))/(heat_dry*mass(i, k))
      end do
    end do
    !$omp parallel do
    do i = 1, nc
      long_down(i) = down(i, 0)
    end do
    deallocate (emissivity, down, up)
  end subroutine longwave
end module cm_longwave_mod
