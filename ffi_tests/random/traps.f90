! traps.f90 - random numbers by cell trap nothing: it is compiled with the module, with -ftrapv and -ffpe-trap, and links no library.
! Not in this file: fills by the library under traps (fill.c).
program traps
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use portable_random_mod
  implicit none
  integer(int64), parameter :: least = -huge(1_int64) - 1, most = huge(1_int64)
  integer(int64), parameter :: cells(8) = [least, -1_int64, 0_int64, 1_int64, 4294967295_int64, 4294967296_int64, &
    most - 60, -60_int64]
  integer(int64), parameter :: bounds(2, 8) = reshape([least, most, least, 0_int64, 0_int64, most, most, most, &
    least, least, -1_int64, most, 1_int64, 6_int64, most, least], [2, 8])
  type(portable_random_key_t) :: key
  real(real64) :: line(60), x, sum
  integer(int64) :: n
  integer :: c, b, s
  sum = 0
  do s = 1, 4
    key = portable_random_key(seed=cells(s), step=cells(9 - s), series=merge(-huge(1) - 1, huge(1), s < 3))
    do c = 1, size(cells)
      call portable_random_range(line, key, cells(c), draw=huge(1))
      do n = 0, 59
        if (cells(c) > most - n) exit
        x = portable_random_real(key, cells(c) + n, huge(1))
        if (transfer(x, n) /= transfer(line(n + 1), n)) error stop 'a range differs from single numbers'
        if (x <= 0 .or. x >= 1) error stop 'not between 0 and 1'
        sum = sum + x + portable_random_real32(key, cells(c) + n, least) + portable_random_normal(key, cells(c) + n, most)
        do b = 1, size(bounds, 2)
          if (between(portable_random_integer(key, cells(c) + n, b, bounds(1, b), bounds(2, b)), bounds(:, b))) cycle
          error stop 'an integer beyond its bounds'
        end do
        if (portable_random_integer(key, cells(c) + n, 0, 7, 7) /= 7) error stop 'equal bounds'
      end do
    end do
  end do
  if (sum < 1600 .or. sum > 2000) error stop 'the sum of all numbers'
contains
  pure logical function between(i, limits)
    integer(int64), intent(in) :: i, limits(2)
    between = i >= min(limits(1), limits(2)) .and. i <= max(limits(1), limits(2))
  end function
end program
