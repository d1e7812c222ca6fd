! The rotation of the Earth turns the wind around the one that the pressure would give.
module cm_wind_mod
  use cm_constants_mod, only: wp, earth_rate
  use cm_state_mod, only: nc, nz, u, v, p, p_half, latitude
  implicit none
  private
  public :: turn_wind

contains

  subroutine turn_wind(dt)
    real(wp), intent(in) :: dt
    integer :: i, k
    real(wp) :: angle, east, north, u_balance
    !$omp parallel do collapse(2) private(angle, east, north, u_balance)
    do k = 1, nz
      do i = 1, nc
        angle = 2*earth_rate*sin(latitude(i))*dt
        u_balance = 25*sin(2*latitude(i))**2*(1 - p(i, k)/p_half(i, 0)) + 4*cos(latitude(i))
        east = u(i, k) - u_balance
        north = v(i, k)
        u(i, k) = u_balance + east*cos(angle) + north*sin(angle)
        v(i, k) = north*cos(angle) - east*sin(angle)
      end do
    end do
  end subroutine turn_wind
end module cm_wind_mod
