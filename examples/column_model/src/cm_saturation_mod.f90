! Saturation of water vapour over water, by Tetens' formula. All functions are PURE and work on
! one point.
module cm_saturation_mod
  use cm_constants_mod, only: wp, gas_ratio
  implicit none
  private
  public :: vapour_pressure, saturation, saturation_slope

  real(wp), parameter :: a = 17.269_wp, t_0 = 273.16_wp, b = 35.86_wp

contains

  ! The pressure of saturated vapour in Pa.
  pure real(wp) function vapour_pressure(t)
    real(wp), intent(in) :: t
    vapour_pressure = 610.78_wp*exp(a*(t - t_0)/(t - b))
  end function vapour_pressure

  ! The saturated specific humidity in kg/kg. Where the vapour's pressure would be above half of the air's, it stays there.
  pure real(wp) function saturation(t, p)
    real(wp), intent(in) :: t, p
    real(wp) :: e
    e = min(vapour_pressure(t), 0.5_wp*p)
    saturation = gas_ratio*e/(p - (1 - gas_ratio)*e)
  end function saturation

  ! Its derivative by temperature, 1/K.
  pure real(wp) function saturation_slope(t, p)
    real(wp), intent(in) :: t, p
    real(wp) :: e
    e = min(vapour_pressure(t), 0.5_wp*p)
    saturation_slope = gas_ratio*e/(p - (1 - gas_ratio)*e)*p/(p - (1 - gas_ratio)*e)*a*(t_0 - b)/(t - b)**2
  end function saturation_slope
end module cm_saturation_mod
