! dims and lower bounds in 64 bits, beyond what default integers hold; lbounds is another name of lbounds_in.
program bounds_64_bits
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod
  use check_mod, only: check, check_equal, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:, :), b(:)
  integer(int64) :: far
  integer :: stat
  far = 5000000000_int64
  nullify(a, b)
  call gator_init()
  call gator_allocate(a, [3_int64, 4_int64], [far, -far])
  call check_equal(lbound(a, 1, int64), far, 'first lower bound')
  call check_equal(ubound(a, 2, int64), 3_int64 - far, 'second upper bound')
  a = 1.0_real64
  a(far + 2_int64, 3_int64 - far) = 5.0_real64
  call check(abs(sum(a) - 16.0_real64) < 1.0e-12_real64, 'values at far bounds')
  call gator_deallocate(a)
  call gator_allocate(a, [3, 4], lbounds=[0, -2])
  call check(all(lbound(a) == [0, -2]), 'lbounds=, 32 bits')
  call gator_deallocate(a)
  call gator_allocate(a, [3_int64, 4_int64], lbounds=[0_int64, -2_int64])
  call check(all(lbound(a) == [0, -2]), 'lbounds=, 64 bits')
  call gator_deallocate(a)
  call gator_allocate(a, dims=[3, 4], lbounds_in=[7, 8])
  call check(all(lbound(a) == [7, 8]), 'lbounds_in=')
  call gator_deallocate(a)
  ! what does not fit one kind fits the other
  call gator_allocate(b, [2_int32], [huge(1_int32)], stat=stat)
  call check(stat == gator_err_overflow, 'an upper bound beyond 32 bits')
  call gator_allocate(b, [2_int64], [int(huge(1_int32), int64)], stat=stat)
  call check(stat == 0, 'the same bound in 64 bits')
  call gator_deallocate(b)
  call gator_allocate(b, [2_int64], [huge(1_int64)], stat=stat)
  call check(stat == gator_err_overflow, 'an upper bound beyond 64 bits')
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
