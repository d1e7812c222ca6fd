! arrays_main.f90 - times reductions of arrays: those of arrays_portable.f90 or arrays_openmp.f90,
! and with the latter Fortran's own SUM and MINVAL on one thread. usage: bench_arrays_ENGINE ENGINE
! [N]. Prints name, value and unit, a line each, separated by tabs. With N the large array has an
! Nth of the elements, to test that it works.
program arrays_main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use arrays
  implicit none
  character(32) :: text
  integer :: part
  real(real64) :: kept
  call get_command_argument(2, text)
  part = 1
  if (text /= '') read (text, *) part
  kept = 0
  call start()
  call of(1000, '1000')
  call of(10000, '10 000')
  call of(16800000/part, '16.8 M')
  if (kept < -1d300) error stop 1
contains

  subroutine of(n, name)
    integer, intent(in) :: n
    character(*), intent(in) :: name
    integer :: calls
    calls = max(1, 1000000/n)
    call make(n)
    call measure('sum of '//name//' elements', total, calls)
    call measure('least of '//name//' elements', least, calls)
    call measure('largest of '//name//' elements', largest, calls)
    call measure('sums along the slow dimension of '//name//' elements', slow_total, calls)
    if (has_serial) then
      call measure('SUM on one thread of '//name//' elements', serial_total, calls)
      call measure('MINVAL on one thread of '//name//' elements', serial_least, calls)
    end if
    call drop()
  end subroutine

  ! The best of some rounds of so many calls.
  subroutine measure(name, run, calls)
    character(*), intent(in) :: name
    integer, intent(in) :: calls
    interface
      function run() result(x)
        import :: real64
        real(real64) :: x
      end function
    end interface
    integer, parameter :: rounds = 20
    integer(int64) :: before, after, rate
    character(20) :: value
    real(real64) :: best
    integer :: i, k
    best = huge(best)
    do i = 1, rounds
      call system_clock(before, rate)
      do k = 1, calls
        kept = kept + run()
      end do
      call system_clock(after)
      best = min(best, max(1.0d0, real(after - before, real64))/real(rate, real64)/calls)
    end do
    write (value, '(es14.6)') best*1d6
    print '(5a)', name, achar(9), trim(adjustl(value)), achar(9), 'us'
  end subroutine
end program
