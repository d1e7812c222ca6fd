!> Checks for the test programs: a failed check is printed and makes finish_checks end the program with an error.
module check_mod
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use gator_mod, only: gator_get_stats, gator_stats_t, gator_check
  implicit none
  private
  public :: check, check_equal, check_bits, check_nothing_live, live_blocks, finish_checks

  integer, parameter :: most_printed = 100 ! a check in a loop may fail each time
  integer :: checks = 0, failures = 0

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    checks = checks + 1
    if (condition) return
    failures = failures + 1
    if (failures <= most_printed) write (error_unit, '(2a)') 'FAILED: ', trim(what)
  end subroutine

  subroutine check_equal(found, expected, what)
    integer(int64), intent(in) :: found, expected
    character(*), intent(in) :: what
    character(len=80) :: numbers
    write (numbers, '(a,i0,a,i0)') ': found ', found, ', expected ', expected
    call check(found == expected, what//trim(numbers))
  end subroutine

  !> The same bits: 0 and -0 differ, and a NaN is equal to itself.
  subroutine check_bits(found, expected, what)
    real(real64), intent(in) :: found, expected
    character(*), intent(in) :: what
    call check(transfer(found, 0_int64) == transfer(expected, 0_int64), what)
  end subroutine

  function live_blocks() result(n)
    integer(int64) :: n
    type(gator_stats_t) :: stats
    call gator_get_stats(stats)
    n = stats%in_use_blocks
  end function

  !> Every test ends with it: no block is live, and the pool's invariants hold.
  subroutine check_nothing_live()
    type(gator_stats_t) :: stats
    integer :: stat
    call gator_get_stats(stats)
    call check_equal(stats%in_use_blocks, 0_int64, 'live blocks at the end')
    call check_equal(stats%in_use_bytes, 0_int64, 'live bytes at the end')
    call gator_check(stat=stat)
    call check(stat == 0, 'invariants of the pool')
  end subroutine

  subroutine finish_checks()
    write (*, '(i0,a,i0,a)') checks, ' checks, ', failures, ' failed'
    if (checks == 0 .or. failures > 0) error stop 1
  end subroutine

end module check_mod
