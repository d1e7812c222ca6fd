! misuse.f90 KIND - mistakes with timers without stat=: the program stops and the text says what is wrong. ctest looks at the
! text. Not in this file: the same with stat= (timers.f90).
program misuse
  use portable_mod
  implicit none
  character(20) :: kind
  call get_command_argument(1, kind)
  if (kind /= 'early') call portable_init()
  if (kind /= 'early') call timer_enable(.true.)
  select case (kind)
  case ('early')
    call timer_start('main')
  case ('empty')
    call timer_start('   ')
  case ('stop')
    call timer_stop('main')
  case ('order')
    call timer_start('outer')
    call timer_start('inner')
    call timer_stop('outer')
  case ('late')
    call timer_start('main')
    call portable_finalize()
    call timer_stop('main')
  case ('file')
    call timer_print('/nonexistent/folder/file')
  end select
  print '(a)', 'the program went on'
end program
