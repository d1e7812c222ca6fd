! A user's Fortran next to YAKL. In this file: nothing that a user would not write.
function fortran_sum(values, n) bind(c) result(total)
  use iso_c_binding
  use gator_mod
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: values(n)
  real(c_double) :: total
  real(c_double), pointer, contiguous :: copy(:)
  call gator_allocate(copy, [n])
  copy = values
  total = sum(copy)
  call gator_deallocate(copy)
end function
