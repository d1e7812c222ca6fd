! random_number.f90 - Fortran's own random numbers, for random.c.
subroutine bench_random_number(x, n) bind(c)
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  integer(c_int64_t), value :: n
  real(c_double), intent(out) :: x(n)
  call random_number(x)
end subroutine
