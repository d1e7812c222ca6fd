! A model of columns of air from the tropics to the poles: radiation, surface, soil, turbulence,
! hills, convection, clouds and rain, as in the physics of weather models. Columns do not see each
! other. column_model [FILE]: FILE has the namelist &column_model (cm_config_mod.f90). Prints a
! table and the bits of all fields. In this file: the order of the steps. Not in this file: the
! processes.
program column_model
  use, intrinsic :: iso_fortran_env, only: int64, error_unit
  use cm_constants_mod, only: wp, day
  use cm_config_mod, only: config, read_config
  use cm_state_mod
  use cm_initial_mod, only: set_initial
  use cm_height_mod, only: update_heights
  use cm_sun_mod, only: update_sun
  use cm_cloud_mod, only: update_clouds
  use cm_shortwave_mod, only: shortwave
  use cm_longwave_mod, only: longwave
  use cm_surface_mod, only: surface_fluxes
  use cm_turbulence_mod, only: turbulence
  use cm_waves_mod, only: wave_drag
  use cm_dry_mod, only: dry_adjustment
  use cm_convection_mod, only: convection
  use cm_condensation_mod, only: condensation
  use cm_rain_mod, only: grow, fall
  use cm_soil_mod, only: soil
  use cm_wind_mod, only: turn_wind
  use cm_budget_mod, only: budget, take_budget, print_budget
  use cm_output_mod, only: write_profiles, bits_of_all
  implicit none
  type(config) :: c
  type(budget) :: first, now
  character(len=200) :: file, message
  real(wp), allocatable :: rain_before(:)
  real(wp) :: hours, seconds, warming
  integer :: step, sweeps, deep
  integer(int64) :: clock, begun, rate

  file = ''
  if (command_argument_count() > 0) call get_command_argument(1, file)
  call read_config(file, c, message)
  if (message /= '') call fail(message)
  call allocate_state(c%columns, c%levels)
  allocate (rain_before(c%columns))
  call set_initial
  call update_heights
  call update_clouds
  call take_budget(first)
  print '(a)', '  hours water/air    fallen     risen     t_air  t_min   t_max   clouds   wind wettest  water lost'
  call print_budget(0.0_wp, first, first)

  call system_clock(begun, rate)
  do step = 1, c%steps
    seconds = real(step - 1, wp)*c%dt
    hours = c%hour + seconds/3600
    rain_before = rain
    call update_heights
    call update_clouds
    if (mod(step - 1, c%radiation_every) == 0) then
      call update_sun(c%day_of_year + seconds/day, modulo(hours, 24.0_wp))
      call shortwave
      call longwave
    end if
    t = t + c%dt*(heating_short + heating_long)
    call surface_fluxes(c%dt)
    call turbulence(c%dt)
    call wave_drag(c%dt)
    call turn_wind(c%dt)
    call dry_adjustment(sweeps)
    call convection(c%dt, deep)
    call condensation(warming)
    call grow(c%dt)
    call fall(c%dt)
    call soil(c%dt, rain_before)
    if (mod(step, c%report_every) == 0 .or. step == c%steps) then
      call take_budget(now)
      call print_budget(real(step, wp)*c%dt/3600, now, first)
      print '(a,i0,a,i0,a,f0.3,a)', '        columns with deep convection: ', deep, '; sweeps of dry adjustment: ', sweeps, &
        '; largest heat of clouds: ', warming, ' K'
    end if
  end do
  call system_clock(clock)
  if (c%output /= '') then
    call write_profiles(c%output, message)
    if (message /= '') call fail(message)
  end if
  print '(a,z16.16)', 'bits of the result: ', bits_of_all()
  write (error_unit, '(a,f0.3,a)') 'time: ', real(clock - begun, wp)/real(rate, wp), ' s'
  deallocate (rain_before)
  call free_state

contains

  subroutine fail(text)
    character(len=*), intent(in) :: text
    write (error_unit, '(a)') 'column_model: '//trim(text)
    error stop 1
  end subroutine fail
end program column_model
