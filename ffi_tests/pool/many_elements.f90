! More than 2**31 elements, of which only the first and the last are touched.
program many_elements
  use, intrinsic :: iso_fortran_env, only: int8, int64
  use gator_mod
  use check_mod, only: check, check_equal, check_nothing_live, finish_checks
  implicit none
  integer(int8), pointer :: a(:), b(:, :)
  integer(int64), parameter :: many = 2_int64**31 + 11_int64
  type(gator_stats_t) :: stats
  nullify(a, b)
  call gator_init()
  call gator_allocate(a, [many], label='many')
  call check_equal(size(a, kind=int64), many, 'size')
  a(1_int64) = 5_int8
  a(many) = 6_int8
  call check(a(1_int64) == 5_int8 .and. a(many) == 6_int8, 'first and last element')
  call gator_get_stats(stats)
  call check_equal(stats%in_use_bytes, many, 'live bytes')
  call gator_deallocate(a)
  ! extents in 32 bits, their product beyond
  call gator_allocate(b, [65536, 32769], [0, -1])
  call check_equal(size(b, kind=int64), 65536_int64*32769_int64, 'size of rank 2')
  b(65535, 32767) = 7_int8
  call check(b(65535, 32767) == 7_int8, 'last element of rank 2')
  call gator_deallocate(b)
  call gator_trim()
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
