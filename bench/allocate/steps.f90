! steps.f90 - a routine with three automatic arrays, as weather codes have by the hundred, called
! many times. Each array is written and read once, so only the cost of the memory is measured.
! Prints, for each size of an array in bytes, the microseconds of a call. Not in this file: the
! comparison (measure.sh).
program steps
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer(int64), parameter :: sizes(*) = [80_int64, 160_int64, 640_int64, 2048_int64, 4096_int64, 16384_int64] * 1024
  real(real64) :: total
  integer(int64) :: t0, t1, rate
  integer :: i, k, calls, n
  total = 0
  call system_clock(count_rate=rate)
  do i = 1, size(sizes)
    n = int(sizes(i) / 8)
    calls = int(max(20_int64, 400 * 1024 * 1024_int64 / sizes(i)))
    call pause_50_ms()
    do k = 1, 3
      call step(n, total) ! the first ones meet new memory
    end do
    call system_clock(t0)
    do k = 1, calls
      call step(n, total)
    end do
    call system_clock(t1)
    print '(i10, f14.3)', sizes(i), real(t1 - t0, real64) / rate / calls * 1e6_real64
  end do
  if (total < 0) error stop 'the total is negative'
contains
  subroutine step(n, total)
    integer, intent(in) :: n
    real(real64), intent(inout) :: total
    real(real64) :: a(n), b(n), c(n)
    integer :: i
    do i = 1, n
      a(i) = i
    end do
    do i = 1, n
      b(i) = a(i) + total
    end do
    do i = 1, n
      c(i) = a(i) + b(i)
    end do
    total = c(1) + c(n / 2)
    if (total > 1e12_real64) total = 0
  end subroutine
  subroutine pause_50_ms()
    integer(int64) :: from, now, rate
    call system_clock(from, rate)
    do
      call system_clock(now)
      if (now - from > rate / 20) exit
    end do
  end subroutine
end program
