! Exchange between surface and air: transfer coefficients by the similarity of Monin and Obukhov,
! solved by iteration in each column. Sources: Businger et al. 1971 (form), Dyer 1974
! (coefficients). In this file: fluxes. Not in this file: the temperature of the soil
! (cm_soil_mod.f90).
module cm_surface_mod
  use cm_constants_mod, only: wp, gravity, heat_dry, karman, pi, virtual
  use cm_saturation_mod, only: saturation
  use cm_state_mod, only: nc, t, q, u, v, p_half, exner, rho, z, sea, ts, roughness, w_soil, sensible, evaporation, drag
  use cm_constants_mod, only: pressure_0, kappa
  implicit none
  private
  public :: surface_fluxes

  real(wp), parameter :: field_capacity = 100.0_wp ! kg/m2

contains

  ! dt limits what the soil can lose in one step.
  subroutine surface_fluxes(dt)
    real(wp), intent(in) :: dt
    integer :: i
    !$omp parallel do schedule(static)
    do i = 1, nc
      call one_column(i, dt)
    end do
  end subroutine surface_fluxes

  subroutine one_column(i, dt)
    integer, intent(in) :: i
    real(wp), intent(in) :: dt
    real(wp) :: wind, theta_air, theta_ground, q_ground, length, friction, scale, old, wet, for_momentum, for_heat, z_heat
    integer :: round
    z_heat = 0.1_wp*roughness(i)
    wind = max(sqrt(u(i, 1)**2 + v(i, 1)**2), 0.5_wp)
    theta_air = t(i, 1)/exner(i, 1)*(1 + virtual*q(i, 1))
    q_ground = saturation(ts(i), p_half(i, 0))
    wet = 1
    if (.not. sea(i)) wet = min(1.0_wp, w_soil(i)/(0.75_wp*field_capacity))
    theta_ground = ts(i)*(pressure_0/p_half(i, 0))**kappa*(1 + virtual*(q(i, 1) + wet*(q_ground - q(i, 1))))

    ! The length of Obukhov: neutral at first; the loop ends where it does not change any more.
    for_momentum = karman/log(z(i, 1)/roughness(i))
    for_heat = karman/log(z(i, 1)/z_heat)
    length = 1.0e6_wp
    do round = 1, 12
      friction = max(for_momentum*wind, 0.02_wp)
      scale = for_heat*(theta_air - theta_ground)
      old = length
      if (abs(scale) < 1.0e-6_wp) exit
      length = friction**2*theta_air/(karman*gravity*scale)
      if (abs(length) < 1.0_wp) length = sign(1.0_wp, length)
      ! Half of the way, so that the iteration does not swing.
      if (round > 1) length = 2*length*old/sign(max(abs(length + old), 1.0e-3_wp), length + old)
      for_momentum = karman/max(log(z(i, 1)/roughness(i)) - psi_momentum(z(i, 1)/length), 1.0_wp)
      for_heat = karman/max(log(z(i, 1)/z_heat) - psi_heat(z(i, 1)/length), 1.0_wp)
      if (abs(length - old) < 0.01_wp*abs(length)) exit
    end do

    drag(i) = rho(i, 1)*for_momentum**2*wind
    sensible(i) = rho(i, 1)*heat_dry*for_momentum*for_heat*wind*(ts(i) - t(i, 1)/exner(i, 1)*(p_half(i, 0)/pressure_0)**kappa)
    evaporation(i) = rho(i, 1)*for_momentum*for_heat*wind*wet*(q_ground - q(i, 1))
    if (.not. sea(i)) evaporation(i) = min(evaporation(i), w_soil(i)/dt)
    if (sea(i)) sensible(i) = max(-200.0_wp, min(sensible(i), 600.0_wp))
  end subroutine one_column

  pure real(wp) function psi_momentum(x)
    real(wp), intent(in) :: x
    real(wp) :: y
    if (x >= 0) then
      psi_momentum = -5*min(x, 2.0_wp)
    else
      y = (1 - 16*max(x, -10.0_wp))**0.25_wp
      psi_momentum = 2*log((1 + y)/2) + log((1 + y*y)/2) - 2*atan(y) + pi/2
    end if
  end function psi_momentum

  pure real(wp) function psi_heat(x)
    real(wp), intent(in) :: x
    if (x >= 0) then
      psi_heat = -5*min(x, 2.0_wp)
    else
      psi_heat = 2*log((1 + sqrt(1 - 16*max(x, -10.0_wp)))/2)
    end if
  end function psi_heat
end module cm_surface_mod
