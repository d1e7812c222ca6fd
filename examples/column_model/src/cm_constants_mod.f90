! Constants of nature and of the model, in SI units.
module cm_constants_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  public

  integer, parameter :: wp = real64

  real(wp), parameter :: gravity = 9.80665_wp
  real(wp), parameter :: gas_dry = 287.04_wp        ! J/(kg K)
  real(wp), parameter :: gas_vapour = 461.5_wp
  real(wp), parameter :: heat_dry = 1004.64_wp      ! at constant pressure, J/(kg K)
  real(wp), parameter :: heat_evaporation = 2.501e6_wp ! J/kg
  real(wp), parameter :: pressure_0 = 1.0e5_wp
  real(wp), parameter :: kappa = gas_dry/heat_dry
  real(wp), parameter :: gas_ratio = gas_dry/gas_vapour
  real(wp), parameter :: virtual = gas_vapour/gas_dry - 1
  real(wp), parameter :: water_density = 1000.0_wp
  real(wp), parameter :: stefan = 5.670374e-8_wp    ! W/(m2 K4)
  real(wp), parameter :: solar = 1361.0_wp          ! W/m2
  real(wp), parameter :: karman = 0.4_wp
  real(wp), parameter :: pi = 3.14159265358979324_wp
  real(wp), parameter :: day = 86400.0_wp
  real(wp), parameter :: earth_rate = 7.292115e-5_wp ! 1/s
  integer, parameter :: soil_layers = 4
end module cm_constants_mod
