! misuse.f90 KIND - mistakes with sorts without stat=: the program stops and the text says what is wrong. ctest looks at the text. Not in
! this file: the same with stat= (sorts.f90), and from C (../misuse).
program misuse
  use portable_mod, only: portable_init, sort, sort_by_key, sort_index
  implicit none
  character(20) :: kind
  integer :: keys(4) = [4, 3, 2, 1], values(3) = 0
  call get_command_argument(1, kind)
  if (kind /= 'early') call portable_init()
  select case (kind)
  case ('early')
    call sort(keys)
  case ('values')
    call sort_by_key(keys, values)
  case ('indices')
    call sort_index(keys(1:2), values, label='cells')
  end select
  print '(a)', 'the program went on'
end program
