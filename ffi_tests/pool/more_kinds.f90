! gator_mod and gator_more_mod in one scope: one generic for all kinds and ranks, with source=.
program more_kinds
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod
  use gator_more_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:, :), high(:, :, :, :, :, :, :, :), copy(:, :, :, :, :, :, :, :)
  character(kind=c_char, len=1), pointer :: bytes(:)
  integer :: i
  nullify(a, high, copy, bytes)
  call gator_init()
  call gator_allocate(a, [3, 4])
  call gator_allocate(high, [10, 10, 10, 10, 1, 2, 1, 3], [0, 0, 0, 0, -1, -1, -1, -1], label='rank 8')
  call check(all(lbound(high) == [0, 0, 0, 0, -1, -1, -1, -1]), 'bounds of rank 8')
  high = 0.0_real64
  high(9, 8, 7, 6, -1, 0, -1, 1) = 4.0_real64
  call gator_allocate(copy, source=high)
  call check(all(lbound(copy) == lbound(high)), 'source of rank 8: bounds')
  call check(abs(copy(9, 8, 7, 6, -1, 0, -1, 1) - 4.0_real64) <= 0.0_real64, 'source of rank 8: values')
  call gator_deallocate(copy)
  call gator_allocate(copy, source=high(9:1:-2, :, ::7, :, :, 0:0, :, :))
  call check(all(shape(copy) == [5, 10, 2, 10, 1, 1, 1, 3]), 'source with gaps: shape')
  call check(abs(copy(1, 9, 2, 7, 1, 1, 1, 3) - 4.0_real64) <= 0.0_real64, 'source with gaps: values')
  call check(abs(sum(copy) - 4.0_real64) <= 0.0_real64, 'source with gaps: all values')
  call gator_allocate(bytes, [26])
  do i = 1, 26
    bytes(i) = achar(iachar('a') + i - 1)
  end do
  call check(bytes(3) == 'c' .and. bytes(26) == 'z', 'characters')
  call gator_deallocate(bytes)
  call gator_deallocate(copy)
  call gator_deallocate(high)
  call gator_deallocate(a)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
