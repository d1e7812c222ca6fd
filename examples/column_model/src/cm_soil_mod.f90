! Soil: heat through four layers, one step implicit in each column, and a bucket of water that
! runs over.
module cm_soil_mod
  use cm_constants_mod, only: wp, stefan, heat_evaporation, soil_layers
  use cm_state_mod, only: nc, sea, ts, t_soil, w_soil, short_down, long_down, sensible, evaporation, rain, runoff
  implicit none
  private
  public :: soil

  real(wp), parameter :: thickness(soil_layers) = [0.07_wp, 0.21_wp, 0.72_wp, 1.89_wp] ! m
  real(wp), parameter :: capacity = 2.2e6_wp ! J/(m3 K)
  real(wp), parameter :: conductivity = 0.9_wp ! W/(m K)
  real(wp), parameter :: field_capacity = 100.0_wp ! kg/m2

contains

  ! rain_before: rain(:) at the start of the step.
  subroutine soil(dt, rain_before)
    real(wp), intent(in) :: dt, rain_before(:)
    integer :: i, k
    real(wp) :: upper(soil_layers), x(soil_layers), pivot, below, gain, slope
    !$omp parallel do private(upper, x, pivot, below, gain, slope, k)
    do i = 1, nc
      if (sea(i)) cycle
      ! The gain of the surface, and its fall with temperature.
      gain = short_down(i) + 0.96_wp*(long_down(i) - stefan*ts(i)**4) - sensible(i) - heat_evaporation*evaporation(i)
      slope = 4*0.96_wp*stefan*ts(i)**3 + 15
      do k = 1, soil_layers
        x(k) = t_soil(i, k)
      end do
      x(1) = x(1) + dt*(gain + slope*ts(i))/(capacity*thickness(1))
      pivot = 1 + dt*(slope + between(1))/(capacity*thickness(1))
      upper(1) = -dt*between(1)/(capacity*thickness(1))/pivot
      x(1) = x(1)/pivot
      do k = 2, soil_layers
        below = -dt*between(k - 1)/(capacity*thickness(k))
        pivot = 1 + dt*(between(k - 1) + between(k))/(capacity*thickness(k)) - below*upper(k - 1)
        upper(k) = -dt*between(k)/(capacity*thickness(k))/pivot
        x(k) = (x(k) - below*x(k - 1))/pivot
      end do
      do k = soil_layers - 1, 1, -1
        x(k) = x(k) - upper(k)*x(k + 1)
      end do
      do k = 1, soil_layers
        t_soil(i, k) = x(k)
      end do
      ts(i) = x(1)

      w_soil(i) = w_soil(i) + rain(i) - rain_before(i) - evaporation(i)*dt
      if (w_soil(i) > field_capacity) then
        runoff(i) = runoff(i) + w_soil(i) - field_capacity
        w_soil(i) = field_capacity
      end if
    end do
  end subroutine soil

  ! Heat that goes from layer k to k + 1 per difference of temperature, W/(m2 K).
  pure real(wp) function between(k)
    integer, intent(in) :: k
    between = 0
    if (k < soil_layers) between = conductivity/(0.5_wp*(thickness(k) + thickness(k + 1)))
  end function between
end module cm_soil_mod
