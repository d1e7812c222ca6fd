! sums.f90 - reductions, exact sums and live-outs from Fortran, over the library and over portable_stub.F90. The numbers
! that it prints are the bits of its sums: each run, on any device, and the stub print the same (the tests named bits).
! Not in this file: every operation and kind (reductions.c).
module reduce_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use check_mod, only: check_bits
  use portable_mod, only: tile, kernel_fail, exact_sum, exact_add, bounds, parallel_reduce
  implicit none
  integer, parameter :: nx = 300, ny = 70
  real(real64) :: x(nx, ny)
  real(real32) :: y(nx, ny)
  real(real64), pointer :: left => null()
contains

  recursive subroutine add(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    real(real64) :: s
    s = 0
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        s = s + x(i, j)
      end do
    end do
    r = r + s
  end subroutine

  recursive subroutine add_exactly(t, r)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      if (mod(j, 2) == 0) then
        call exact_add(r, x(t%lower(1):t%upper(1), j))
      else
        do i = t%lower(1), t%upper(1)
          call exact_add(r, x(i, j))
        end do
      end if
    end do
  end subroutine

  recursive subroutine add32(t, r)
    type(tile), intent(in) :: t
    real(real32), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        r = r + y(i, j)
      end do
    end do
  end subroutine

  recursive subroutine least(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        if (x(i, j) < r) r = x(i, j)
      end do
    end do
  end subroutine

  recursive subroutine count_small(t, r)
    type(tile), intent(in) :: t
    integer, intent(inout) :: r
    r = r + count(x(t%lower(1):t%upper(1), t%lower(2):t%upper(2)) < 0.25_real64)
  end subroutine

  recursive subroutine indices(t, r)
    type(tile), intent(in) :: t
    integer(int64), intent(inout) :: r(*)
    integer :: i, j
    do j = t%lower(2), t%upper(2), t%stride(2)
      do i = t%lower(1), t%upper(1), t%stride(1)
        r(1) = r(1) + i
        r(2) = min(r(2), int(j, int64))
        r(3) = max(r(3), int(i, int64)*j)
      end do
    end do
  end subroutine

  recursive subroutine whether(t, r)
    type(tile), intent(in) :: t
    logical, intent(inout) :: r
    r = r .or. any(x(t%lower(1):t%upper(1), t%lower(2):t%upper(2)) > 0.9999_real64)
  end subroutine

  recursive subroutine whether_all(t, r)
    type(tile), intent(in) :: t
    logical, intent(inout) :: r
    r = r .and. all(x(t%lower(1):t%upper(1), t%lower(2):t%upper(2)) >= 0.0_real64)
  end subroutine

  recursive subroutine fails(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    r = 1
    if (t%upper(1) >= nx) call kernel_fail(t, 7, 'on purpose')
  end subroutine

  recursive subroutine writes(t)
    type(tile), intent(in) :: t
    if (t%lower(1) == 1) left = 42
  end subroutine

  ! An internal procedure sees its host.
  subroutine internal(factor)
    real(real64), intent(in) :: factor
    real(real64) :: total
    call parallel_reduce('internal', bounds(1, 1000), scaled, total)
    call check_bits(factor*500500, total, 'an internal procedure')
  contains
    recursive subroutine scaled(t, r)
      type(tile), intent(in) :: t
      real(real64), intent(inout) :: r
      integer :: k
      do k = t%lower(1), t%upper(1)
        r = r + factor*k
      end do
    end subroutine
  end subroutine

end module

program sums
  use check_mod, only: check, check_bits, finish_checks
  use reduce_kernels
  use portable_mod, only: portable_init, portable_finalize, parallel_for, portable_dynamic, &
    exact_value, exact_value32, exact_words, exact_set_words, exact_clear, scalar_live_out, live_out_create, live_out_get, &
    live_out_destroy, host_read, host_write
  use gator_mod, only: gator_err_arg, gator_err_kernel, gator_err_handle
  implicit none
  real(real64) :: s, again, expected, low
  real(real32) :: s32
  integer :: n, i, j, stat
  integer(int64) :: seed, list(3)
  logical :: yes
  character(len=200) :: message
  type(exact_sum) :: exact, other, empty
  type(scalar_live_out) :: live, copy
  call portable_init()
  seed = 88172645463325252_int64
  do j = 1, ny
    do i = 1, nx
      seed = ieor(seed, ishft(seed, 13))
      seed = ieor(seed, ishft(seed, -7))
      seed = ieor(seed, ishft(seed, 17))
      x(i, j) = real(ishft(seed, -11), real64)/2.0_real64**53
      y(i, j) = real(x(i, j), real32)
    end do
  end do

  ! ---- plain sums: the bits are the same everywhere, and near the exact ones ----
  call parallel_reduce('sum', bounds([1, 1], [nx, ny]), add, s)
  call parallel_reduce('sum', bounds([1, 1], [nx, ny]), add, again, op='sum', schedule=portable_dynamic)
  call check_bits(s, again, 'the schedule does not matter')
  call parallel_reduce('sum32', bounds([1, 1], [nx, ny]), add32, s32)
  call parallel_reduce('sum', bounds([1, 1], [nx, ny]), add, again, tile=[100, 7])
  print '(a,3z17)', 'bits', s, s32, again

  ! ---- exact sums, three ways ----
  call parallel_reduce('exact', bounds([1, 1], [nx, ny]), add_exactly, exact)
  expected = exact_value(exact)
  call check(abs(s - expected) < 1d-10, 'the plain sum is near')
  call parallel_reduce('exactly', bounds([1, 1], [nx, ny]), add_exactly, again, exact=.true.)
  call check_bits(expected, again, 'exact=.true.')
  do j = ny, 1, -1
    call exact_add(other, x(:, j))
  end do
  call check_bits(expected, exact_value(other), 'another order')
  call check(all(exact_words(exact) == exact_words(other)), 'equal sums have equal words')
  call exact_set_words(empty, exact_words(exact) + exact_words(other))
  call exact_add(other, exact)
  call check_bits(exact_value(empty), exact_value(other), 'the sum of words')
  call check(all(exact_words(empty) == exact_words(other)), 'the words of the sum')
  call exact_clear(other)
  call check_bits(0d0, exact_value(other), 'cleared')
  call exact_add(other, 1d300)
  call exact_add(other, 1.5)
  call exact_add(other, [-1d300, 0.25d0])
  call exact_add(other, [0.5])
  call check_bits(2.25d0, exact_value(other), 'the rest')
  call check(abs(exact_value32(other) - 2.25) <= 0, 'value32')
  call exact_clear(other)
  call exact_add(other, [1d0, 2d0**(-24), 2d0**(-60)])
  call check(transfer(exact_value32(other), 0) == transfer(1.0 + epsilon(1.0), 0), 'rounded once')
  call exact_clear(other)
  call exact_add(other, -tiny(1d0)/4)
  call check_bits(-tiny(1d0)/4, exact_value(other), 'a subnormal number')
  call exact_add(other, huge(1d0))
  call exact_add(other, huge(1d0))
  call check(exact_value(other) > huge(1d0), 'beyond huge')
  call exact_add(other, -huge(1d0))
  call exact_add(other, -huge(1d0))
  call check_bits(-tiny(1d0)/4, exact_value(other), 'no overflow on the way')
  call parallel_reduce('exact into', bounds([1, 1], [nx, ny]), add_exactly, exact, into=.true.)
  call check_bits(2*expected, exact_value(exact), 'into an exact sum')

  ! ---- other operations ----
  call parallel_reduce('least', bounds([1, 1], [nx, ny]), least, low, op='min')
  call check_bits(minval(x), low, 'min')
  low = -1
  call parallel_reduce('least', bounds([1, 1], [nx, ny]), least, low, op='min', into=.true.)
  call check_bits(-1d0, low, 'min into')
  call parallel_reduce('count', bounds([1, 1], [nx, ny]), count_small, n)
  call check(n == count(x < 0.25_real64), 'count')
  call parallel_reduce('list', bounds([1, 2], [nx, ny], [3, 4]), indices, list, op=['sum', 'min', 'max'], strided=.true.)
  call check(list(1) == sum([(i, i=1, nx, 3)])*int((ny - 2)/4 + 1, int64), 'list: sum')
  call check(list(2) == 2 .and. list(3) == 298*70, 'list: min and max')
  call parallel_reduce('whether', bounds([1, 1], [nx, ny]), whether, yes)
  call check(yes .eqv. any(x > 0.9999_real64), 'any')
  call parallel_reduce('whether all', bounds([1, 1], [nx, ny]), whether_all, yes, op='all')
  call check(yes, 'all')
  call parallel_reduce('nothing', bounds([1, 1], [0, ny]), least, low, op='min')
  call check_bits(huge(low), low, 'min of nothing')
  call parallel_reduce('nothing', bounds([1, 1], [0, ny]), count_small, n, op='max')
  call check(n == -huge(n) - 1, 'max of nothing')
  call parallel_reduce('nothing', bounds([1, 1], [0, ny]), count_small, n, op='product')
  call check(n == 1, 'product of nothing')
  call parallel_reduce('nothing', bounds([1, 1], [0, ny]), whether_all, yes, op='all')
  call check(yes, 'all of nothing')
  call internal(2d0)

  ! ---- errors leave the result as it is ----
  s = 8
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), add, s, op='mean', stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'parallel_reduce ''bad'': op is ''mean''; it is') > 0, 'op: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), fails, s, stat=stat, errmsg=message)
  call check(stat == gator_err_kernel .and. index(message, &
    'parallel_reduce ''bad'': the kernel failed with code 7: on purpose') > 0, 'kernel: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny], [2, 1]), add, s, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'say so with strided') > 0, 'stride: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), indices, list(1:0), stat=stat, errmsg=message)
  call check(stat == gator_err_arg, 'no result: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), indices, list, op=['sum', 'min'], stat=stat, errmsg=message)
  call check(stat == gator_err_arg, 'two operations for three: '//message)
  call check_bits(8d0, s, 'the result after errors')

  ! ---- live-outs ----
  call live_out_create(live, 1.5d0, label='dt')
  copy = live
  call host_read(copy, s)
  call check_bits(1.5d0, s, 'host_read')
  call host_write(live, 2.5d0)
  call host_read(copy, s)
  call check_bits(2.5d0, s, 'host_write')
  call live_out_get(live, left)
  call parallel_for('writes', bounds(1), writes)
  call host_read(live, s)
  call check_bits(42d0, s, 'written by a kernel')
  call host_read(live, n, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'of the kind real64, not int') > 0, 'another kind: '//message)
  call live_out_destroy(live)
  call host_read(copy, s, stat=stat, errmsg=message)
  call check(stat == gator_err_handle, 'stale: '//message)
  call live_out_destroy(live)
  call live_out_create(live, .true.)
  call host_read(live, yes)
  call check(yes, 'logical')
  call live_out_destroy(live)
  call live_out_create(live, (1.0, -2.0))
  call live_out_destroy(live)

  ! One that is left over is listed, and gone.
  call live_out_create(copy, 7d0, label='left over')
  call portable_finalize()
  call host_read(copy, s, stat=stat, errmsg=message)
  call check(stat == gator_err_handle, 'after the end: '//message)
  call portable_init()
  call host_read(copy, s, stat=stat, errmsg=message)
  call check(stat == gator_err_handle, 'of an earlier run: '//message)
  call live_out_create(live, 8d0)
  call live_out_destroy(copy, stat=stat, errmsg=message)
  call check(stat == gator_err_handle, 'end of one of an earlier run: '//message)
  call live_out_destroy(live)
  call portable_finalize()
  call finish_checks()
end program
