!> The case to compute, read from a namelist file with the groups &case, &water and &checks.
!> Lengths in metres, times in seconds. An invalid value ends the reading with a text that
!> names it; nothing here stops the program.
module swe_config_mod
  use, intrinsic :: iso_fortran_env, only: iostat_end
  use swe_kinds_mod, only: wp
  implicit none
  private
  public :: read_config

  integer, parameter :: text_length = 80

  character(len=:), allocatable, public, protected :: case_file !! the file that was read

  !> &case: the domain, the grid and the scheme.
  character(len=text_length), public, protected :: name = ''    !! also the name of the output file
  character(len=text_length), public, protected :: title = ''
  character(len=text_length), public, protected :: problem = '' !! 'stoker', 'radial' or 'lake'
  integer, public, protected :: nx = 0, ny = 0                  !! cells
  real(wp), public, protected :: length_x = 0, length_y = 0     !! domain [m]
  real(wp), public, protected :: end_time = 0                   !! [s]
  real(wp), public, protected :: cfl = 0.45_wp                  !! Courant number, at most 0.5
  real(wp), public, protected :: gravity = 9.81_wp              !! [m/s2]
  character(len=text_length), public, protected :: boundary_x = 'wall', boundary_y = 'wall' !! or 'open'
  integer, public, protected :: max_steps = 100000

  !> &water: the dam, and the bump in the bed.
  real(wp), public, protected :: level_high = 0, level_low = 0  !! surface levels [m] (depths on a flat bed)
  real(wp), public, protected :: dam_x = 0, dam_y = 0           !! the dam, or the centre of a round one [m]
  real(wp), public, protected :: dam_radius = 0                 !! [m]
  real(wp), public, protected :: bump_height = 0, bump_width = 1 !! Gaussian bump: top and length scale [m]
  real(wp), public, protected :: bump_x = 0, bump_y = 0         !! [m]

  !> &checks: what the result must keep; the program fails where it does not. A negative bound: not checked.
  real(wp), public, protected :: mass_bound = -1                !! |mass - mass at start| / mass at start
  real(wp), public, protected :: l1_bound = -1                  !! sum |h - exact| / sum exact
  real(wp), public, protected :: symmetry_bound = -1            !! max |h(x,y) - h(x,Ly-y)| [m]
  real(wp), public, protected :: speed_bound = -1               !! max |velocity| [m/s], for the lake at rest

contains

  !> Reads the file. error_text is empty on success, else it says what is wrong and where.
  subroutine read_config(file, error_text)
    character(len=*), intent(in) :: file
    character(len=:), allocatable, intent(out) :: error_text
    character(len=256) :: message
    integer :: unit, status

    namelist /case/ name, title, problem, nx, ny, length_x, length_y, end_time, cfl, gravity, &
      boundary_x, boundary_y, max_steps
    namelist /water/ level_high, level_low, dam_x, dam_y, dam_radius, &
      bump_height, bump_width, bump_x, bump_y
    namelist /checks/ mass_bound, l1_bound, symmetry_bound, speed_bound

    error_text = ''
    message = ''
    case_file = file
    open (newunit=unit, file=file, status='old', action='read', iostat=status, iomsg=message)
    if (status /= 0) then
      error_text = 'cannot read the case file '//file//': '//trim(message)
      return
    end if
    read (unit, nml=case, iostat=status, iomsg=message)
    call note_failure('case', file, status, message, error_text)
    rewind (unit)
    read (unit, nml=water, iostat=status, iomsg=message)
    call note_failure('water', file, status, message, error_text)
    rewind (unit)
    read (unit, nml=checks, iostat=status, iomsg=message)
    call note_failure('checks', file, status, message, error_text)
    close (unit)
    if (len(error_text) == 0) call validate(file, error_text)
  end subroutine read_config

  !> Keeps the first failure only: it is the cause of the others.
  subroutine note_failure(group, file, status, message, error_text)
    character(len=*), intent(in) :: group, file, message
    integer, intent(in) :: status
    character(len=:), allocatable, intent(inout) :: error_text

    if (status == 0 .or. len(error_text) > 0) return
    if (status == iostat_end) then
      error_text = file//': the namelist group &'//group//' is missing or not ended by /'
    else
      error_text = file//': namelist group &'//group//': '//trim(message)
    end if
  end subroutine note_failure

  subroutine validate(file, error_text)
    character(len=*), intent(in) :: file
    character(len=:), allocatable, intent(inout) :: error_text

    call demand(len_trim(name) > 0 .and. index(name, '/') == 0, 'name must be given, without a /')
    call demand(any(problem == [character(len=text_length) :: 'stoker', 'radial', 'lake']), &
      'problem must be ''stoker'', ''radial'' or ''lake'', not '''//trim(problem)//'''')
    call demand(min(nx, ny) >= 4, 'nx and ny must be at least 4')
    call demand(min(length_x, length_y) > 0, 'length_x and length_y must be greater than 0')
    call demand(end_time > 0, 'end_time must be greater than 0')
    call demand(cfl > 0 .and. cfl <= 0.5_wp, 'cfl must be in (0, 0.5]: above, depths may become negative')
    call demand(gravity > 0, 'gravity must be greater than 0')
    call demand(max_steps >= 1, 'max_steps must be at least 1')
    call demand(is_boundary(boundary_x) .and. is_boundary(boundary_y), &
      'boundary_x and boundary_y must be ''wall'' or ''open''')
    call demand(level_low > 0 .and. level_high >= level_low, 'levels must be 0 < level_low <= level_high')
    call demand(bump_height >= 0 .and. bump_height < level_low .and. bump_width > 0, &
      'the bump must stay under water: 0 <= bump_height < level_low, and bump_width > 0')
    if (problem == 'radial') call demand(dam_radius > 0, 'dam_radius must be greater than 0')
    if (problem == 'stoker') then
      call demand(dam_x > 0 .and. dam_x < length_x, 'dam_x must lie inside the domain')
      call demand(level_high > level_low, 'level_high must be above level_low')
      call demand(.not. bump_height > 0, 'bump_height must be 0: the exact solution is for a flat bed')
    end if
  contains
    subroutine demand(holds, text)
      logical, intent(in) :: holds
      character(len=*), intent(in) :: text
      if (.not. holds .and. len(error_text) == 0) error_text = file//': '//text
    end subroutine demand
  end subroutine validate

  pure logical function is_boundary(word)
    character(len=*), intent(in) :: word
    is_boundary = word == 'wall' .or. word == 'open'
  end function is_boundary
end module swe_config_mod
