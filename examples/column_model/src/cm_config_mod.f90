! The configuration of a run: a namelist file, with a default for each value. In this file:
! reading and checks. Not in this file: fields (cm_state_mod.f90).
module cm_config_mod
  use cm_constants_mod, only: wp
  implicit none
  private
  public :: config, read_config

  type :: config
    integer :: columns = 500
    integer :: levels = 40
    integer :: steps = 48
    integer :: radiation_every = 4   ! steps
    integer :: report_every = 12     ! steps
    real(wp) :: dt = 300.0_wp        ! s
    real(wp) :: day_of_year = 172.0_wp
    real(wp) :: hour = 6.0_wp        ! UTC at the start
    character(len=200) :: output = ''! file of the final profiles; none if blank
  end type config

contains

  ! Reads the namelist &column_model of a file. On a mistake `message` says what is wrong; else it is blank.
  subroutine read_config(file, c, message)
    character(len=*), intent(in) :: file
    type(config), intent(out) :: c
    character(len=*), intent(out) :: message
    integer :: columns, levels, steps, radiation_every, report_every, unit, stat
    real(wp) :: dt, day_of_year, hour
    character(len=200) :: output, text
    namelist /column_model/ columns, levels, steps, radiation_every, report_every, dt, day_of_year, hour, output

    message = ''
    columns = c%columns
    levels = c%levels
    steps = c%steps
    radiation_every = c%radiation_every
    report_every = c%report_every
    dt = c%dt
    day_of_year = c%day_of_year
    hour = c%hour
    output = c%output
    if (file /= '') then
      open (newunit=unit, file=file, status='old', action='read', iostat=stat, iomsg=text)
      if (stat /= 0) then
        message = 'cannot read '//trim(file)//': '//trim(text)
        return
      end if
      read (unit, nml=column_model, iostat=stat, iomsg=text)
      close (unit)
      if (stat /= 0) then
        message = trim(file)//': '//trim(text)
        return
      end if
    end if
    if (columns < 1) message = 'columns must be at least 1'
    if (levels < 10 .or. levels > 200) message = 'levels must be 10 to 200'
    if (steps < 0) message = 'steps must not be negative'
    if (radiation_every < 1 .or. report_every < 1) message = 'radiation_every and report_every must be at least 1'
    if (dt <= 0 .or. dt > 1800) message = 'dt must be above 0 and at most 1800 s'
    c%columns = columns
    c%levels = levels
    c%steps = steps
    c%radiation_every = radiation_every
    c%report_every = report_every
    c%dt = dt
    c%day_of_year = day_of_year
    c%hour = hour
    c%output = output
  end subroutine read_config
end module cm_config_mod
