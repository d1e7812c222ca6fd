! A user's first program in Fortran: arrays from the pool, here and in a library of his own.
program main
  use gator_mod
  use model
  implicit none
  real(c_double), pointer :: h(:)
  call gator_init()
  call gator_allocate(h, [100])
  h = 1
  if (work(h) /= 200) error stop 'wrong sum'
  call gator_deallocate(h)
  call gator_finalize()
  print '(a)', 'program works'
end program
