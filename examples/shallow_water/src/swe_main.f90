!> A shallow-water solver: shallow_water CASE.nml [OUTPUT_DIRECTORY]
!> Exit status: 0 all well, 1 a check of the case file failed, 2 the run could not be done.
program shallow_water
  use, intrinsic :: iso_fortran_env, only: int64, error_unit, output_unit
  use swe_kinds_mod, only: wp
  use swe_config_mod, only: read_config, name, problem, nx, ny, length_x, length_y, end_time, cfl, gravity, &
    boundary_x, boundary_y, max_steps, level_high, level_low, dam_x, dam_y, dam_radius, &
    bump_height, bump_width, bump_x, bump_y
  use swe_bathymetry_mod, only: set_bed
  use swe_initial_mod, only: set_straight_dam, set_round_dam
  use swe_state_mod, only: state_create, state_destroy, h, hu, hv, b
  use swe_step_mod, only: advance, stable_time_step
  use swe_diagnostics_mod, only: total_mass
  use swe_output_mod, only: open_field_file
  use swe_report_mod, only: print_case, print_text, print_result, write_state, number, &
    integer_text
  use swe_memory_mod, only: memory_name, memory_start, memory_allocations, memory_live_blocks, &
    memory_report, memory_finish
  implicit none

  character(len=:), allocatable :: case_argument, directory, error_text
  real(wp) :: dx, dy, time, mass_start, seconds
  integer(int64) :: clock_start, clock_end, clock_rate, allocations, live
  integer :: field_unit, steps
  logical :: all_good

  call get_argument(1, '', case_argument)
  call get_argument(2, 'out', directory)
  if (len(case_argument) == 0) call give_up('usage: shallow_water CASE.nml [OUTPUT_DIRECTORY]')
  call read_config(case_argument, error_text)
  if (len(error_text) > 0) call give_up(error_text)
  call open_field_file(directory//'/'//trim(name)//'.swe', field_unit, error_text)
  if (len(error_text) > 0) call give_up(error_text)

  call memory_start()
  call print_case(memory_name)
  call state_create(nx, ny)
  dx = length_x/nx
  dy = length_y/ny
  call set_bed(nx, ny, 0, 0, dx, dy, bump_height, bump_width, bump_x, bump_y, b)
  select case (problem)
  case ('stoker')
    call set_straight_dam(nx, ny, 0, dx, dam_x, level_high, level_low, b, h, hu, hv)
  case ('radial')
    call set_round_dam(nx, ny, 0, 0, dx, dy, dam_x, dam_y, dam_radius, level_high, level_low, b, h, hu, hv)
  case default
    call set_straight_dam(nx, ny, 0, dx, dam_x, level_low, level_low, b, h, hu, hv)
  end select
  mass_start = total_mass(nx, ny, dx, dy, h)

  allocations = memory_allocations()
  call system_clock(clock_start, clock_rate)
  call run(time, steps)
  call system_clock(clock_end)
  seconds = real(clock_end - clock_start, wp)/clock_rate
  allocations = memory_allocations() - allocations

  call print_text('  steps', integer_text(steps))
  call print_text('  simulated time', number(time, 6)//' s')
  call print_text('  wall time', number(seconds, 3)//' s')
  call print_text('  time per step', number(1000*seconds/steps, 4)//' ms')
  call print_result(time, dx, dy, mass_start, h, hu, hv, all_good)
  call write_state(field_unit, time, h, hu, hv, b)
  call state_destroy()

  call memory_report()
  live = memory_live_blocks()
  if (allocations > 0) then
    call print_text('  work arrays', number(real(allocations, wp)/steps, 2)// &
      ' allocations per step, live blocks at the end '//integer_text(int(live)))
  end if
  if (live /= 0) then
    call print_text('  CHECK FAILED', 'arrays were not released')
    all_good = .false.
  end if
  call memory_finish()
  if (.not. all_good) then
    write (error_unit, '(3a)') 'shallow_water: ', trim(name), ': a check failed, see FAILED above'
    stop 1
  end if

contains

  !> Steps to end_time; the last step is cut to end there. A line every fifth of the way.
  subroutine run(time, steps)
    real(wp), intent(out) :: time
    integer, intent(out) :: steps
    real(wp) :: time_step
    integer :: fifths

    time = 0
    steps = 0
    fifths = 1
    do while (time < end_time)
      if (steps == max_steps) call give_up('not at end_time after max_steps steps')
      time_step = min(stable_time_step(nx, ny, dx, dy, gravity, cfl, h, hu, hv), end_time - time)
      call advance(nx, ny, dx, dy, gravity, boundary_x, boundary_y, time_step, h, hu, hv, b)
      steps = steps + 1
      time = time + time_step
      if (end_time - time < 1.0e-12_wp*end_time) time = end_time
      if (time >= 0.2_wp*fifths*end_time) then
        write (output_unit, '(a, i7, a, f9.4, a)') '    step', steps, ', time ', time, ' s'
        flush (output_unit)
        fifths = fifths + 1
      end if
    end do
  end subroutine run

  !> The n-th command argument, or what stands for it.
  subroutine get_argument(n, default, text)
    integer, intent(in) :: n
    character(len=*), intent(in) :: default
    character(len=:), allocatable, intent(out) :: text
    integer :: length

    if (n > command_argument_count()) then
      allocate (text, source=default)
      return
    end if
    call get_command_argument(n, length=length)
    allocate (character(len=length) :: text)
    if (length > 0) call get_command_argument(n, text)
  end subroutine get_argument

  subroutine give_up(text)
    character(len=*), intent(in) :: text
    write (error_unit, '(2a)') 'shallow_water: ', text
    stop 2
  end subroutine give_up
end program shallow_water
