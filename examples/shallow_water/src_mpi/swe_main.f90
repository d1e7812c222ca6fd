!> The shallow-water solver on MPI ranks: shallow_water_mpi CASE.nml [OUTPUT_DIRECTORY] [steps=N] [to=FILE] [from=FILE]
!> `steps`: stop when so many steps have been made since time 0; `to`: write a restart file at the end; `from`: begin
!> with one. Exit status: 0 all well, 1 a check of the case file failed, 2 the run could not be done.
!>
!> The scheme is that of the other programs, file by file. Ranks differ in their part of the domain (swe_domain_mod) and
!> meet where ghost cells are filled (swe_exchange.f90) and where the time step is chosen; the whole state comes to rank
!> 0 for the summary and the field file, which are the serial program's.
program shallow_water
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: int64, error_unit
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: num_threads
  use portable_halo_mod, only: halo_destroy
  use portable_mpi_mod, only: portable_mpi_timer_print
  use swe_kinds_mod, only: wp, ng
  use swe_config_mod, only: read_config, name, problem, nx, ny, length_x, length_y, end_time, cfl, gravity, &
    boundary_x, boundary_y, max_steps, level_high, level_low, dam_x, dam_y, dam_radius, &
    bump_height, bump_width, bump_x, bump_y
  use swe_bathymetry_mod, only: set_bed
  use swe_initial_mod, only: set_straight_dam, set_round_dam
  use swe_state_mod, only: state_create, state_destroy, h, hu, hv, b
  use swe_step_mod, only: advance, stable_time_step
  use swe_diagnostics_mod, only: total_mass
  use swe_output_mod, only: open_field_file
  use swe_report_mod, only: print_case, print_text, print_result, write_state, number, integer_text
  use swe_memory_mod, only: memory_name, memory_start, memory_live_blocks, memory_report, memory_finish
  use swe_domain_mod, only: domain_create, domain_gather, restart, ghosts, grid, rank, ranks, ranks_x, ranks_y, patch_nx, &
    patch_ny, i0, j0
  implicit none

  character(len=:), allocatable :: case_argument, directory, restart_from, restart_to, error_text
  real(wp), pointer :: whole_h(:, :), whole_hu(:, :), whole_hv(:, :), whole_b(:, :)
  real(wp) :: dx, dy, time, mass_start, seconds
  integer(int64) :: clock_start, clock_end, clock_rate
  integer :: field_unit, steps, first_step, last_step, provided
  logical :: all_good

  nullify (whole_h, whole_hu, whole_hv, whole_b)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
  call read_arguments()
  call read_config(case_argument, error_text)
  if (len(error_text) > 0) call give_up(error_text)
  call domain_create(nx, ny, all_good)
  if (.not. all_good) call give_up(case_argument//': fewer than '//integer_text(ng)//' cells for each of '// &
    integer_text(ranks_x)//' x '//integer_text(ranks_y)//' ranks; use fewer ranks')
  if (rank == 0) call open_field_file(directory//'/'//trim(name)//'.swe', field_unit, error_text)
  call say(error_text)
  if (len(error_text) > 0) call give_up(error_text)

  call memory_start()
  call state_create(patch_nx, patch_ny)
  if (rank == 0) then
    call print_case(memory_name)
    call print_text('  ranks', integer_text(ranks)//' ('//integer_text(ranks_x)//' x '//integer_text(ranks_y)//')')
    call create_whole(whole_h, 'whole_h')
    call create_whole(whole_hu, 'whole_hu')
    call create_whole(whole_hv, 'whole_hv')
    call create_whole(whole_b, 'whole_b')
  end if
  dx = length_x/nx
  dy = length_y/ny
  call set_bed(patch_nx, patch_ny, i0, j0, dx, dy, bump_height, bump_width, bump_x, bump_y, b)
  if (len(restart_from) > 0) then
    call restart(restart_from, .false., first_step, time, mass_start, h, hu, hv, error_text)
    if (len(error_text) > 0) call give_up(error_text)
  else
    call begin_at_rest()
  end if

  call system_clock(clock_start, clock_rate)
  call run()
  call system_clock(clock_end)
  seconds = real(clock_end - clock_start, wp)/clock_rate
  if (len(restart_to) > 0) then
    call restart(restart_to, .true., steps, time, mass_start, h, hu, hv, error_text)
    if (len(error_text) > 0) call give_up(error_text)
  end if

  call domain_gather(h, whole_h)
  call domain_gather(hu, whole_hu)
  call domain_gather(hv, whole_hv)
  call domain_gather(b, whole_b)
  call print_over_ranks('  threads', real(num_threads(), wp), 0, '')
  call print_over_ranks('  time per step', 1000*seconds/max(1, steps - first_step), 4, ' ms')
  call portable_mpi_timer_print(grid) ! of all ranks, where PORTABLE_PROFILE has switched timers on
  if (rank == 0) then
    call print_text('  steps', integer_text(steps))
    call print_text('  simulated time', number(time, 6)//' s')
    call print_result(time, dx, dy, mass_start, whole_h, whole_hu, whole_hv, all_good)
    call write_state(field_unit, time, whole_h, whole_hu, whole_hv, whole_b)
    call gator_deallocate(whole_b)
    call gator_deallocate(whole_hv)
    call gator_deallocate(whole_hu)
    call gator_deallocate(whole_h)
  end if
  call halo_destroy(ghosts) ! before MPI ends
  call state_destroy()
  if (rank == 0) call memory_report()
  if (memory_live_blocks() /= 0) then
    write (error_unit, '(a, i0, a)') 'shallow_water: rank ', rank, ': arrays were not released'
    all_good = .false.
  end if
  call memory_finish()
  all_good = least_of(merge(1.0_wp, 0.0_wp, all_good)) > 0.5_wp
  call MPI_Finalize()
  if (.not. all_good) then
    if (rank == 0) write (error_unit, '(3a)') 'shallow_water: ', trim(name), ': a check failed, see FAILED above'
    stop 1
  end if

contains

  !> The water of the case, and its mass as the serial program sums it.
  subroutine begin_at_rest()
    select case (problem)
    case ('stoker')
      call set_straight_dam(patch_nx, patch_ny, i0, dx, dam_x, level_high, level_low, b, h, hu, hv)
    case ('radial')
      call set_round_dam(patch_nx, patch_ny, i0, j0, dx, dy, dam_x, dam_y, dam_radius, level_high, level_low, &
        b, h, hu, hv)
    case default
      call set_straight_dam(patch_nx, patch_ny, i0, dx, dam_x, level_low, level_low, b, h, hu, hv)
    end select
    time = 0
    first_step = 0
    mass_start = 0
    call domain_gather(h, whole_h)
    if (rank == 0) mass_start = total_mass(nx, ny, dx, dy, whole_h)
    call MPI_Bcast(mass_start, 1, MPI_DOUBLE_PRECISION, 0, grid)
  end subroutine begin_at_rest

  !> Steps to end_time, or until last_step steps have been made; the last step is cut to end at end_time.
  subroutine run()
    real(wp) :: time_step

    steps = first_step
    do while (time < end_time .and. steps < last_step)
      if (steps == max_steps) call give_up('not at end_time after max_steps steps')
      time_step = least_of(stable_time_step(patch_nx, patch_ny, dx, dy, gravity, cfl, h, hu, hv))
      time_step = min(time_step, end_time - time)
      call advance(patch_nx, patch_ny, dx, dy, gravity, boundary_x, boundary_y, time_step, h, hu, hv, b)
      steps = steps + 1
      time = time + time_step
      if (end_time - time < 1.0e-12_wp*end_time) time = end_time
    end do
  end subroutine run

  !> The least of the x of all ranks: exact, so it does not depend on the number of ranks.
  function least_of(x) result(least)
    real(wp), intent(in) :: x
    real(wp) :: least

    call MPI_Allreduce(x, least, 1, MPI_DOUBLE_PRECISION, MPI_MIN, grid)
  end function least_of

  !> Rank 0's text, on all ranks.
  subroutine say(text)
    character(len=:), allocatable, intent(inout) :: text
    integer :: length

    length = len(text)
    call MPI_Bcast(length, 1, MPI_INTEGER, 0, grid)
    if (rank /= 0) text = repeat(' ', length)
    if (length > 0) call MPI_Bcast(text, length, MPI_CHARACTER, 0, grid)
  end subroutine say

  !> Each rank has a number: rank 0 prints the least, the mean and the largest.
  subroutine print_over_ranks(label, x, digits, unit_text)
    character(len=*), intent(in) :: label, unit_text
    real(wp), intent(in) :: x
    integer, intent(in) :: digits
    real(wp) :: least, largest, total

    call MPI_Reduce(x, least, 1, MPI_DOUBLE_PRECISION, MPI_MIN, 0, grid)
    call MPI_Reduce(x, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, grid)
    call MPI_Reduce(x, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, grid)
    if (rank == 0) call print_text(label, 'least '//number(least, digits)//', mean '//number(total/ranks, digits + 1)// &
      ', most '//number(largest, digits)//unit_text)
  end subroutine print_over_ranks

  !> A field of the whole domain, with ghost cells, as the serial program has it.
  subroutine create_whole(q, label)
    real(wp), pointer, intent(inout) :: q(:, :)
    character(len=*), intent(in) :: label

    call gator_allocate(q, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label=label)
  end subroutine create_whole

  subroutine read_arguments()
    character(len=:), allocatable :: text
    integer :: n, status

    case_argument = ''
    directory = 'out'
    restart_from = ''
    restart_to = ''
    last_step = huge(last_step)
    status = 0
    do n = 1, command_argument_count()
      call get_argument(n, text)
      if (n == 1) then
        case_argument = text
      else if (index(text, 'steps=') == 1) then
        read (text(7:), *, iostat=status) last_step
      else if (index(text, 'from=') == 1) then
        restart_from = text(6:)
      else if (index(text, 'to=') == 1) then
        restart_to = text(4:)
      else if (n == 2) then
        directory = text
      else
        status = 1
      end if
      if (status /= 0) exit
    end do
    if (len(case_argument) == 0 .or. status /= 0) &
      call give_up('usage: shallow_water_mpi CASE.nml [OUTPUT_DIRECTORY] [steps=N] [to=FILE] [from=FILE]')
  end subroutine read_arguments

  subroutine get_argument(n, text)
    integer, intent(in) :: n
    character(len=:), allocatable, intent(out) :: text
    integer :: length

    call get_command_argument(n, length=length)
    allocate (character(len=length) :: text)
    if (length > 0) call get_command_argument(n, text)
  end subroutine get_argument

  !> Called by all ranks, with the same text.
  subroutine give_up(text)
    character(len=*), intent(in) :: text
    integer :: world_rank

    call MPI_Comm_rank(MPI_COMM_WORLD, world_rank)
    if (world_rank == 0) write (error_unit, '(2a)') 'shallow_water: ', text
    flush (error_unit)
    call MPI_Barrier(MPI_COMM_WORLD) ! launchers end all ranks when the first one ends badly
    call MPI_Finalize()
    stop 2
  end subroutine give_up
end program shallow_water
