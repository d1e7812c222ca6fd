! gator_checked_bytes and checked_bounds work before gator_init: programs that exist call them first.
program bytes_before_init
  use gator_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  integer(c_size_t) :: bytes
  bytes = gator_checked_bytes([4, 5, 6], c_sizeof(1.0_c_double))
  call check(bytes == 960_c_size_t, 'gator_checked_bytes before gator_init')
  bytes = checked_bounds(bytes, [4, 5, 6], [-1, 0, huge(1) - 5])
  call check(bytes == 960_c_size_t, 'checked_bounds at the last bound that fits')
  call check(gator_checked_bytes([4, 0], 8_c_size_t) == 0_c_size_t, 'a zero extent')
  call gator_init()
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
