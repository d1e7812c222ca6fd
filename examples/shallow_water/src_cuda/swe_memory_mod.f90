!> Where the arrays come from: here the pool of libportable. It is started with the group &portable of the
!> case file, where there is one, and with the GATOR_* and PORTABLE_* environment variables.
!> The twin with the same face is src_plain/swe_memory_mod.f90.
module swe_memory_mod
  use, intrinsic :: iso_fortran_env, only: int64, error_unit
  use gator_mod, only: gator_config, gator_stats_t, gator_read_config, gator_init, gator_get_stats, &
    gator_finalize
  use portable_mod, only: cuda_code
  use swe_config_mod, only: case_file
  use swe_kinds_mod, only: wp
  use swe_report_mod, only: print_text, number, integer_text
  implicit none
  private
  public :: memory_start, memory_allocations, memory_live_blocks, memory_report, memory_finish

  character(len=*), parameter, public :: memory_name = 'libportable pool'

contains

  subroutine memory_start()
    type(gator_config) :: config
    character(len=512) :: message
    integer :: unit, status

    message = ''
    open (newunit=unit, file=case_file, status='old', action='read', iostat=status, iomsg=message)
    if (status == 0) then
      if (has_group(unit, '&portable')) call gator_read_config(unit, config, status, message)
      close (unit)
    end if
    if (status == 0) call gator_init(config=config, stat=status, errmsg=message)
    if (status /= 0) then
      write (error_unit, '(4a)') 'shallow_water: ', case_file, ': cannot start the pool: ', trim(message)
      stop 2
    end if
    call cuda_code([character(20) :: 'primitive_variables', 'limited_slope', 'face_states', 'hydrostatic_depths', 'wave_speeds', &
      'face_fluxes', 'zero_tendency', 'add_divergence', 'add_tendency', 'copy_state', 'average_states', 'signal_rates', &
      'ghosts_x', 'ghosts_y'], file='shallow_water.cu')
  end subroutine memory_start

  !> Whether a line of the file starts with the group's name. Leaves the unit at its start.
  function has_group(unit, group) result(found)
    integer, intent(in) :: unit
    character(len=*), intent(in) :: group
    logical :: found
    character(len=256) :: line
    integer :: status

    found = .false.
    do while (.not. found)
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      found = index(adjustl(line), group) == 1
    end do
    rewind (unit)
  end function has_group

  !> Since the start.
  function memory_allocations() result(allocations)
    integer(int64) :: allocations
    type(gator_stats_t) :: stats

    call gator_get_stats(stats)
    allocations = stats%allocations
  end function memory_allocations

  !> Bytes taken and not released: 0 at the end, or there is a leak.
  function memory_live_blocks() result(blocks)
    integer(int64) :: blocks
    type(gator_stats_t) :: stats

    call gator_get_stats(stats)
    blocks = stats%in_use_blocks
  end function memory_live_blocks

  subroutine memory_report()
    type(gator_stats_t) :: stats
    real(wp), parameter :: mebi = 1048576.0_wp

    call gator_get_stats(stats)
    call print_text('  pool', 'high water '//number(stats%high_water_bytes/mebi, 2)//' MiB of '// &
      number(stats%reserved_bytes/mebi, 2)//' MiB reserved in '//integer_text(stats%slabs)//' slab(s)')
    call print_text('  pool since the start', integer_text(int(stats%allocations))//' allocations, '// &
      integer_text(int(stats%frees))//' frees')
  end subroutine memory_report

  subroutine memory_finish()
    call gator_finalize()
  end subroutine memory_finish
end module swe_memory_mod
