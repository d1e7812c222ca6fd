! add_atomically.f90 - atomics from Fortran: all kinds and operations, with and without old, and many updates at once in a launch.
! Not in this file: NaN bit by bit and zeros (atomics.c).
module shared
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod, only: tile, add_atomically, min_atomically, max_atomically
  implicit none
  integer, parameter :: n = 50000, bins = 11
  integer(int32) :: count(bins), least, most
  integer(int64) :: total(bins), low, high, next
  real(real32) :: ones, small, large
  real(real64) :: halves, down, up
  integer :: taken(n)
contains

  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    integer :: i, b
    integer(int64) :: ticket
    do i = t%lower(1), t%upper(1)
      b = mod(i*7, bins) + 1
      call add_atomically(count(b), 1)
      call add_atomically(total(b), int(i, int64))
      call min_atomically(least, i - 50)
      call max_atomically(most, i + 50)
      call min_atomically(low, -int(i, int64))
      call max_atomically(high, int(i, int64)*2_int64**30)
      call add_atomically(ones, 1.0_real32)
      call min_atomically(small, real(i, real32))
      call max_atomically(large, real(i, real32))
      call add_atomically(halves, 0.5_real64*i)
      call min_atomically(down, -0.5_real64*i)
      call max_atomically(up, 0.5_real64*i)
      call add_atomically(next, 1_int64, old=ticket)
      taken(ticket) = taken(ticket) + 1
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use check_mod, only: check, finish_checks
  use portable_core_mod
  use portable_mod, only: parallel_for, bounds
  use shared
  implicit none
  integer :: round, b, i
  integer(int32) :: old4
  integer(int64) :: x8, old8, expected
  real(real32) :: y4, before4
  real(real64) :: y8, before8, nan
  character(3) :: text = 'NaN'

  x8 = 5_int64
  call portable_atomic_add(x8, 2_int64, old8)
  call check(old8 == 5_int64 .and. x8 == 7_int64, 'add, int64')
  call portable_atomic_min(x8, 3_int64, old8)
  call check(old8 == 7_int64 .and. x8 == 3_int64, 'min, int64')
  call portable_atomic_max(x8, 2_int64, old=old8)
  call check(old8 == 3_int64 .and. x8 == 3_int64, 'max, int64')
  least = 1
  call portable_atomic_max(least, 9, old4)
  call check(old4 == 1 .and. least == 9, 'max, int32')
  y4 = 0.5
  call portable_atomic_add(y4, 0.25_real32, before4)
  call check(near(real(before4, real64), 0.5_real64) .and. near(real(y4, real64), 0.75_real64), 'add, real32')
  read (text, *) nan  ! flang 16 has no ieee_value
  y8 = nan
  call portable_atomic_min(y8, y8, before8)
  call check(is_nan(y8) .and. is_nan(before8), 'min of NaN and NaN')
  call portable_atomic_min(y8, 4.0_real64, before8)
  call check(near(y8, 4.0_real64) .and. is_nan(before8), 'min of NaN and a number')
  call portable_atomic_max(y8, nan)
  call check(near(y8, 4.0_real64), 'max of a number and NaN')

  call portable_init()
  do round = 1, 5
    count = 0
    total = 0
    least = huge(least)
    most = -huge(most)
    low = huge(low)
    high = -huge(high)
    next = 1
    ones = 0
    small = huge(small)
    large = -huge(large)
    halves = 0
    down = huge(down)
    up = -huge(up)
    taken = 0
    call parallel_for('atomics', bounds(n), kernel)
    do b = 1, bins
      expected = 0
      do i = 1, n
        if (mod(i*7, bins) + 1 == b) expected = expected + i
      end do
      call check(total(b) == expected, 'sums')
    end do
    call check(sum(count) == n .and. minval(count) > 4544, 'counts')
    call check(least == -49 .and. most == n + 50, 'int32')
    call check(low == -n .and. high == int(n, int64)*2_int64**30, 'int64')
    call check(nint(ones) == n .and. nint(small) == 1 .and. nint(large) == n, 'real32')
    call check(near(halves, 0.25_real64*n*(n + 1.0_real64)) .and. near(down, -0.5_real64*n) .and. near(up, 0.5_real64*n), 'real64')
    call check(next == n + 1 .and. all(taken == 1), 'tickets')
  end do
  call portable_finalize()
  call finish_checks()
contains

  function is_nan(a)
    real(real64), intent(in) :: a
    logical :: is_nan
    is_nan = .not. (a <= 0.0_real64 .or. a > 0.0_real64)
  end function

  ! All of these are exact.
  function near(a, b)
    real(real64), intent(in) :: a, b
    logical :: near
    near = .not. (a < b .or. a > b)
  end function
end program
