! A third person's program: uses a library that uses Portable, and frees what it got from there.
program main
  use ocean
  use gator_mod
  implicit none
  real(c_double), pointer :: h(:)
  interface
    function ocean_running() bind(C) result(yes)
      import c_int
      integer(c_int) :: yes
    end function
  end interface
  call gator_init()
  call ocean_fields(h, 10)
  if (sum(h) /= 40 .or. ocean_running() /= 1) error stop 'wrong'
  call gator_deallocate(h)
  call gator_finalize()
  print '(a)', 'program works'
end program
