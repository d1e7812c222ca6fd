! commands.f90: execute_command_line, fifty times, with arrays live. Not in this file: fork alone (forks.c).
program commands
  use gator_mod
  implicit none
  real(8), pointer :: h(:), g(:)
  integer :: i, code
  call gator_init()
  call gator_allocate(h, [100000], label='h')
  h = 3
  do i = 1, 50
    call execute_command_line('exit 3', exitstat=code)
    if (code /= 3) error stop 1
    call gator_allocate(g, [i*1000], label='g')
    g = i
    call gator_deallocate(g)
  end do
  call execute_command_line('sleep 0.1', wait=.false.)
  if (any(h /= 3)) error stop 2
  call gator_deallocate(h)
  call gator_finalize()
  print '(a)', 'done'
end program
