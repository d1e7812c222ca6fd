program p
  use physics
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  integer :: i
  call portable_init()
  call physics_init()
  call physics_run()
  if (any(nint(column) /= [(2*i, i = 1, 100)])) error stop 1
  call portable_finalize()
  print '(a)', 'program works'
end program
