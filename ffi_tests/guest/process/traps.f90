! traps.f90: a whole life of the pool in a program that traps floating-point exceptions, or flushes denormals;
! compiled once for each set of flags. Not in this file: modes call by call (modes.c).
program traps
  use gator_mod
  use, intrinsic :: ieee_arithmetic
  implicit none
  real(8), pointer :: a(:,:), b(:)
  logical :: halting(5), after(5)
  type(ieee_round_type) :: rounding
  integer :: i, round
  type(ieee_flag_type), parameter :: all(5) = [ieee_invalid, ieee_divide_by_zero, ieee_overflow, ieee_underflow, &
    ieee_inexact]
  do i = 1, 5
    call ieee_get_halting_mode(all(i), halting(i))
  end do
  print '(a, 5l2)', 'halting', halting
  do round = 1, 3
    call gator_init()
    do i = 1, 200
      call gator_allocate(a, [i, 100], label='a')
      call gator_allocate(b, [i*5000], label='grows')
      a = 1
      b(i) = 2
      call gator_deallocate(a)
      if (mod(i, 7) /= 0) call gator_deallocate(b)
      if (associated(b)) call gator_deallocate(b)
    end do
    call gator_finalize()
  end do
  do i = 1, 5
    call ieee_get_halting_mode(all(i), after(i))
  end do
  if (any(after .neqv. halting)) error stop 1
  call ieee_get_rounding_mode(rounding)
  if (rounding /= ieee_nearest) error stop 2
  print '(a)', 'done'
end program
