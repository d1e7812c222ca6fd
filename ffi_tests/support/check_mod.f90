!> Checks for the test programs: a failed check is printed and makes finish_checks end the program with an error.
module check_mod
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  use gator_mod, only: gator_get_stats, gator_stats_t, gator_check
  implicit none
  private
  public :: check, check_equal, check_nothing_live, finish_checks

  integer :: checks = 0, failures = 0

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    checks = checks + 1
    if (condition) return
    failures = failures + 1
    write (error_unit, '(2a)') 'FAILED: ', what
  end subroutine

  subroutine check_equal(found, expected, what)
    integer(int64), intent(in) :: found, expected
    character(*), intent(in) :: what
    character(len=80) :: numbers
    write (numbers, '(a,i0,a,i0)') ': found ', found, ', expected ', expected
    call check(found == expected, what//trim(numbers))
  end subroutine

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
    if (checks == 0 .or. failures > 0) error stop
  end subroutine

end module check_mod
