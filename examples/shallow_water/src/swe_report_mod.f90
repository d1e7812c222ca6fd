!> The summary that a run ends with, its checks, and its output file.
module swe_report_mod
  use, intrinsic :: iso_fortran_env, only: output_unit
  use swe_kinds_mod, only: wp, ng
  use swe_config_mod, only: name, title, problem, nx, ny, length_x, length_y, gravity, boundary_x, &
    boundary_y, cfl, level_high, level_low, dam_x, mass_bound, l1_bound, symmetry_bound, speed_bound
  use swe_diagnostics_mod, only: total_mass, minimum_depth, maximum_speed, symmetry_error, l1_error, checksum
  use swe_exact_stoker_mod, only: stoker_solution, stoker_middle_state
  use swe_output_mod, only: write_header, write_field, write_profile, close_field_file
  implicit none
  private
  public :: print_case, print_text, print_result, write_state, number, integer_text

contains

  subroutine print_case(arrays)
    character(len=*), intent(in) :: arrays

    call print_text('Shallow water', trim(name))
    call print_text('  case', trim(title))
    call print_text('  arrays from', arrays)
    call print_text('  grid', integer_text(nx)//' x '//integer_text(ny)//' cells of '// &
      number(length_x/nx, 5)//' m x '//number(length_y/ny, 5)//' m')
    call print_text('  scheme', 'MUSCL (minmod), hydrostatic reconstruction, HLL, Heun; CFL '//number(cfl, 2))
    call print_text('  boundaries', 'x '//trim(boundary_x)//', y '//trim(boundary_y))
    flush (output_unit)
  end subroutine print_case

  !> The lines after a run, and all_good: whether each check of the case file holds.
  subroutine print_result(time, dx, dy, mass_start, h, hu, hv, all_good)
    real(wp), intent(in) :: time, dx, dy, mass_start
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    logical, intent(out) :: all_good
    real(wp) :: exact_h(nx), exact_u(nx), h_middle, u_middle, depth
    character(len=16) :: bits

    all_good = .true.
    depth = minimum_depth(nx, ny, h)
    call print_check('least depth', depth, 'm', -1.0_wp, all_good)
    if (.not. depth >= 0) then
      call print_text('  CHECK FAILED', 'a depth is negative or not a number')
      all_good = .false.
    end if
    call print_check('greatest speed', maximum_speed(nx, ny, h, hu, hv), 'm/s', speed_bound, all_good)
    call print_check('mass error', abs(total_mass(nx, ny, dx, dy, h) - mass_start)/mass_start, &
      '(relative)', mass_bound, all_good)
    if (symmetry_bound >= 0) then ! only where the case is symmetric
      call print_check('asymmetry in y', symmetry_error(nx, ny, h), 'm', symmetry_bound, all_good)
    end if
    if (problem == 'stoker') then
      call stoker_middle_state(gravity, level_high, level_low, h_middle, u_middle)
      call print_text('  exact middle state', 'h '//number(h_middle, 8)//' m, u '//number(u_middle, 6)//' m/s')
      call exact_profiles(time, exact_h, exact_u)
      call print_check('L1 error of h', l1_error(nx, ny, h, exact_h), '(relative)', l1_bound, all_good)
      call print_check('L1 error of hu', l1_error(nx, ny, hu, exact_h*exact_u), '(relative)', -1.0_wp, all_good)
    end if
    write (bits, '(z16.16)') checksum(nx, ny, h, hu, hv)
    call print_text('  checksum of the state', bits)
  end subroutine print_result

  !> Writes the field file, opened as `unit` before, and closes it.
  subroutine write_state(unit, time, h, hu, hv, b)
    integer, intent(in) :: unit
    real(wp), intent(in) :: time
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp) :: exact_h(nx), exact_u(nx)
    character(len=32) :: fields

    fields = 'h hu hv b'
    if (problem == 'stoker') fields = 'h hu hv b h_exact u_exact'
    call write_header(unit, title, problem, nx, ny, length_x, length_y, time, fields)
    call write_field(unit, nx, ny, h)
    call write_field(unit, nx, ny, hu)
    call write_field(unit, nx, ny, hv)
    call write_field(unit, nx, ny, b)
    if (problem == 'stoker') then
      call exact_profiles(time, exact_h, exact_u)
      call write_profile(unit, nx, ny, exact_h)
      call write_profile(unit, nx, ny, exact_u)
    end if
    call close_field_file(unit)
  end subroutine write_state

  !> Stoker's solution at the cell centres.
  subroutine exact_profiles(time, exact_h, exact_u)
    real(wp), intent(in) :: time
    real(wp), intent(out) :: exact_h(nx), exact_u(nx)
    real(wp) :: x(nx)
    integer :: i

    do i = 1, nx
      x(i) = (i - 0.5_wp)*(length_x/nx)
    end do
    call stoker_solution(nx, x, dam_x, time, gravity, level_high, level_low, exact_h, exact_u)
  end subroutine exact_profiles

  !> One line: a label of fixed width, then a text.
  subroutine print_text(label, text)
    character(len=*), intent(in) :: label, text
    character(len=25) :: field

    field = label
    write (output_unit, '(2a)') field, text
  end subroutine print_text

  !> x with so many digits behind the point, without blanks around it.
  function number(x, digits) result(text)
    real(wp), intent(in) :: x
    integer, intent(in) :: digits
    character(len=:), allocatable :: text
    character(len=40) :: field
    character(len=12) :: form

    write (form, '(a, i0, a)') '(f40.', digits, ')'
    write (field, form) x
    text = trim(adjustl(field))
  end function number

  function integer_text(n) result(text)
    integer, intent(in) :: n
    character(len=:), allocatable :: text
    character(len=12) :: field

    write (field, '(i0)') n
    text = trim(field)
  end function integer_text

  !> One number with its bound; a NaN fails. A negative bound checks nothing.
  subroutine print_check(label, value, unit_text, bound, all_good)
    character(len=*), intent(in) :: label, unit_text
    real(wp), intent(in) :: value, bound
    logical, intent(inout) :: all_good
    character(len=25) :: field
    character(len=10) :: verdict

    field = '  '//label
    if (bound < 0) then
      write (output_unit, '(a, es10.3, 1x, a)') field, value, unit_text
      return
    end if
    verdict = 'ok'
    if (.not. value <= bound) then
      verdict = 'FAILED'
      all_good = .false.
    end if
    write (output_unit, '(a, es10.3, 1x, a, es9.2, 2a)') field, value, unit_text//', bound', bound, ': ', &
      trim(verdict)
  end subroutine print_check
end module swe_report_mod
