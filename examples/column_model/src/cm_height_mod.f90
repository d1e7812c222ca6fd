! Heights and densities of the layers, from temperature and humidity: the layers have constant
! mass, so they grow when they get warmer.
module cm_height_mod
  use cm_constants_mod, only: wp, gravity, gas_dry, virtual
  use cm_state_mod, only: nc, nz, t, q, qc, qr, p, p_half, mass, z, dz, rho, z_half
  implicit none
  private
  public :: update_heights

contains

  subroutine update_heights
    integer :: i, k
    real(wp) :: t_virtual
    !$omp parallel do private(t_virtual)
    do k = 1, nz
      do i = 1, nc
        t_virtual = t(i, k)*(1 + virtual*q(i, k) - qc(i, k) - qr(i, k))
        dz(i, k) = gas_dry*t_virtual/gravity*log(p_half(i, k - 1)/p_half(i, k))
        rho(i, k) = mass(i, k)/dz(i, k)
      end do
    end do
    !$omp parallel do private(k)
    do i = 1, nc
      z_half(i, 0) = 0
      do k = 1, nz
        z_half(i, k) = z_half(i, k - 1) + dz(i, k)
        z(i, k) = z_half(i, k - 1) + dz(i, k)*log(p_half(i, k - 1)/p(i, k))/log(p_half(i, k - 1)/p_half(i, k))
      end do
    end do
  end subroutine update_heights
end module cm_height_mod
