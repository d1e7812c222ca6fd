! Launches whose changes may be discarded, on arrays of the pool that share elements: an array that is set and one that is only read are one copy. Not in
! this file: nests that portablef converts, which never share elements (ffi_tests/loops/programs).
program undone
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod
  use portable_list_mod, only: portable_parallel_reduce, portable_bounds, portable_arg, portable_result_of
  use check_mod
  implicit none
  integer, parameter :: n = 100
  character(*), parameter :: source(9) = [character(80) :: &
    '#include <portable_device_reduce.h>', &
    'struct nest_args { portable_view<double, 1> a, b;', &
    '  portable_view<const double, 1> p; };', &
    '#define GIVES1(R) R(MAX, double, r1)', &
    '#define GIVES2(R) R(ANY, int32_t, r2)', &
    '#define GIVES(R) GIVES1(R) GIVES2(R)', &
    'PORTABLE_REDUCE_KERNEL_1(portable_nest, nest_args, args, i, give, GIVES) {', &
    ' args->a(i) = args->a(i) + 1; args->b(i) = args->p(i);', &
    ' give->r2 = give->r2 || args->b(i) != args->b(i); }']
  real(real64), pointer :: a(:), b(:)
  real(real64), target :: most
  logical, target :: odd
  logical :: done
  integer :: i
  call gator_init()
  call gator_allocate(a, [n], label='a')
  call gator_allocate(b, [n], label='b')
  a = [(real(i, real64), i = 1, n)]
  b = -1
  call launch()
  call check(done, 'it ran on the device')
  call check(all(nint(a) == [(i + 1, i = 1, n)]), 'an array that is set')
  call check(all(nint(b) == [(i + 1, i = 1, n)]), 'an array that reads what is set under another name')
  a(7) = ieee_value(most, ieee_quiet_nan)
  call launch()
  call check(.not. done, 'it is for the host')
  call check(nint(a(6)) == 7 .and. nint(b(6)) == 7 .and. nint(b(7)) == 8, 'the changes are discarded')
  call gator_deallocate(a)
  call gator_deallocate(b)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
contains
  subroutine launch()
    most = 0
    odd = .false.
    call portable_parallel_reduce('shared', portable_bounds(1, n), [portable_result_of(most, 'max', into=.true.), &
      portable_result_of(odd, 'any')], [portable_arg(a, 'both', name='a'), portable_arg(b, 'write', name='b'), &
      portable_arg(a, 'read', name='p')], source, done)
  end subroutine
end program
