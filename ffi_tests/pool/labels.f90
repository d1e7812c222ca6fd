! Labels reach the report, without the trailing blanks of the character variable they come from.
program labels
  use, intrinsic :: iso_fortran_env, only: real32
  use gator_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  real(real32), pointer :: a(:), b(:), c(:)
  character(len=40) :: name
  integer :: unit
  nullify(a, b, c)
  call gator_init()
  name = 'surface height'
  call gator_allocate(a, [100], label=name)
  call gator_allocate(b, [100], label='velocity')
  call gator_allocate(c, [100], label='')
  open (newunit=unit, status='scratch', action='readwrite')
  call gator_report(unit)
  call check(reported('surface height'), 'a padded label in the report')
  call check(.not. reported('surface height '//repeat(' ', 25)), 'the padding is cut')
  call check(reported('velocity'), 'a literal label in the report')
  close (unit)
  call gator_report()
  call gator_deallocate(a)
  call gator_deallocate(b)
  call gator_deallocate(c)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
contains
  function reported(text) result(found)
    character(*), intent(in) :: text
    logical :: found
    character(len=1000) :: line
    integer :: status
    found = .false.
    rewind (unit)
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      found = found .or. index(line(1:len_trim(line)), text) > 0
    end do
  end function
end program
