! Rain: drops form and grow (Kessler 1969), evaporate in dry air, and fall with their own speed in
! as many short steps as the fastest drop of a column needs.
module cm_rain_mod
  use cm_constants_mod, only: wp, heat_dry, heat_evaporation
  use cm_saturation_mod, only: saturation, saturation_slope
  use cm_state_mod, only: nc, nz, t, q, qc, qr, p, mass, rho, dz, rain
  implicit none
  private
  public :: grow, fall

  integer, parameter :: most = 200 ! levels

contains

  subroutine grow(dt)
    real(wp), intent(in) :: dt
    integer :: i, k
    real(wp) :: amount, deficit
    !$omp parallel do private(amount, deficit)
    do k = 1, nz
      do i = 1, nc
        ! From cloud to rain.
        amount = dt*max(0.0_wp, 1.0e-3_wp*(qc(i, k) - 5.0e-4_wp))
        if (qr(i, k) > 0) amount = amount + dt*2.2_wp*qc(i, k)*qr(i, k)**0.875_wp
        amount = min(amount, qc(i, k))
        qc(i, k) = qc(i, k) - amount
        qr(i, k) = qr(i, k) + amount
        ! From rain to vapour.
        deficit = saturation(t(i, k), p(i, k)) - q(i, k)
        if (deficit > 0 .and. qr(i, k) > 0) then
          amount = dt*(1.6_wp + 124.9_wp*(1.0e-3_wp*rho(i, k)*qr(i, k))**0.2046_wp)*(1.0e-3_wp*rho(i, k)*qr(i, k))**0.525_wp &
                 *deficit/saturation(t(i, k), p(i, k))/(rho(i, k)*(2.03e4_wp + 9.584e6_wp/(p(i, k)*saturation(t(i, k), p(i, k)))))
          amount = min(amount, qr(i, k), deficit/(1 + heat_evaporation/heat_dry*saturation_slope(t(i, k), p(i, k))))
          qr(i, k) = qr(i, k) - amount
          q(i, k) = q(i, k) + amount
          t(i, k) = t(i, k) - heat_evaporation/heat_dry*amount
        end if
      end do
    end do
  end subroutine grow

  subroutine fall(dt)
    real(wp), intent(in) :: dt
    real(wp) :: flux(0:most), speed, fastest, short
    integer :: i, k, n, parts
    !$omp parallel do private(flux, speed, fastest, short, k, n, parts) schedule(dynamic, 16)
    do i = 1, nc
      if (.not. any(qr(i, :) > 1.0e-12_wp)) cycle
      fastest = 0
      do k = 1, nz
        fastest = max(fastest, terminal(rho(i, k), qr(i, k), rho(i, 1))/dz(i, k))
      end do
      parts = max(1, ceiling(fastest*dt*1.2_wp))
      short = dt/real(parts, wp)
      do n = 1, parts
        flux(nz) = 0
        do k = 1, nz
          speed = terminal(rho(i, k), qr(i, k), rho(i, 1))
          flux(k - 1) = min(rho(i, k)*qr(i, k)*speed*short, qr(i, k)*mass(i, k))
        end do
        do k = 1, nz
          qr(i, k) = max(0.0_wp, qr(i, k) + (flux(k) - flux(k - 1))/mass(i, k))
        end do
        rain(i) = rain(i) + flux(0)
      end do
    end do
  end subroutine fall

  ! The speed of drops, m/s.
  pure real(wp) function terminal(density, drops, density_ground)
    real(wp), intent(in) :: density, drops, density_ground
    terminal = 0
    if (drops > 1.0e-12_wp) terminal = 36.34_wp*(1.0e-3_wp*density*drops)**0.1364_wp*sqrt(density_ground/density)
  end function terminal
end module cm_rain_mod
