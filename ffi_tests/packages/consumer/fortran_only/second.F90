! A second target of the same directory, compiled next to the first one; uses the larger module too, where wanted.
program second
  use gator_mod
#ifdef WITH_MORE
  use gator_more_mod
#endif
  implicit none
  real(c_double), pointer :: h(:)
  call gator_init()
  call gator_allocate(h, [100])
  h = 2
  if (sum(h) /= 200) error stop 'wrong sum'
  call gator_deallocate(h)
  call gator_finalize()
  print '(a)', 'second works'
end program
