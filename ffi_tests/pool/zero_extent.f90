! A zero extent gives a pointer of size zero that is associated, differs from others and deallocates.
program zero_extent
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod
  use check_mod, only: check, check_equal, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:), b(:), c(:, :, :)
  type(c_ptr) :: first, second
  type(gator_stats_t) :: stats
  nullify(a, b, c)
  call gator_init()
  call gator_allocate(a, [0], label='nothing')
  call gator_allocate(b, [0_int64], [5_int64])
  call gator_allocate(c, [3, 0, 2], [0, 0, 0])
  call check(associated(a) .and. associated(b) .and. associated(c), 'associated')
  call check(size(a) == 0 .and. size(b) == 0 .and. size(c) == 0, 'size')
  call check(all(shape(c) == [3, 0, 2]), 'shape')
  first = c_loc(a)
  second = c_loc(b)
  call check(.not. c_associated(first, second), 'an address of its own')
  call gator_get_stats(stats)
  call check_equal(stats%in_use_blocks, 3_int64, 'live blocks')
  call check_equal(stats%in_use_bytes, 0_int64, 'live bytes')
  call check(gator_checked_bytes([3, 0], 8_c_size_t) == 0_c_size_t, 'gator_checked_bytes')
  first = gator_allocate_c(0_c_size_t)
  call check(.not. c_associated(first), 'gator_allocate_c gives null')
  call gator_deallocate(a)
  call gator_deallocate(b)
  call gator_deallocate(c)
  call check(.not. (associated(a) .or. associated(b) .or. associated(c)), 'nullified')
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
