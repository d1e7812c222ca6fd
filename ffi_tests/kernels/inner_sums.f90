! inner_sums.f90 - reductions inside a team from Fortran: results, the bits of PORTABLE_INNER_SUM of C, empty loops and NaN. Not here: the rest of the
! hierarchy (columns.f90).
module columns_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod
  implicit none
  integer, parameter :: columns = 40, levels = 777
  real(real64) :: x(levels,columns), sums(columns), least(columns), most(columns)
  real(real64) :: running(levels,columns), before(levels,columns), ends(columns)
  real(real32) :: single(columns)
  integer(int32) :: counted(columns), places(levels,columns)
  integer(int64) :: longest(columns), none(columns)
contains
  recursive subroutine reduce(t)
    type(team), intent(in) :: t
    integer :: j
    j = t%outer(1)
    sums(j) = inner_sum(t, x(:,j)*x(:,j))
    least(j) = inner_min(t, x(:,j))
    most(j) = inner_max(t, x(1:levels:2,j))
    single(j) = inner_sum(t, real(x(:,j), real32))
    counted(j) = inner_sum(t, merge(1_int32, 0_int32, x(:,j) > 0))
    longest(j) = inner_max(t, int(1000*x(:,j), int64))
    ends(j) = 0.25d0
    call inner_scan(t, x(:,j), running(:,j), ends(j))
    call inner_scan(t, x(:,j), before(:,j), exclusive=.true.)
    call inner_scan(t, merge(1_int32, 0_int32, x(:,j) > 0), places(:,j))
    none(j) = inner_sum(t, [integer(int64) ::])
  end subroutine

  ! flang 16 has no ieee_arithmetic.
  pure function is_nan(x) result(yes)
    real(real64), intent(in) :: x
    logical :: yes
    yes = .not. (x <= 0 .or. x > 0)
  end function
end module columns_mod

program inner_sums
  use columns_mod
  use check_mod
  implicit none
  interface
    function c_sum_of_squares(x, n) result(s) bind(c)
      import :: c_double, c_int64_t
      real(c_double), intent(in) :: x(*)
      integer(c_int64_t), value :: n
      real(c_double) :: s
    end function
    function c_sum_single(x, n) result(s) bind(c)
      import :: c_float, c_int64_t
      real(c_float), intent(in) :: x(*)
      integer(c_int64_t), value :: n
      real(c_float) :: s
    end function
    subroutine c_scan(x, y, z, n) bind(c)
      import :: c_double, c_int64_t
      real(c_double), intent(in) :: x(*)
      real(c_double), intent(out) :: y(*), z(*)
      integer(c_int64_t), value :: n
    end subroutine
  end interface
  integer :: i, j
  real(real64) :: y(levels), z(levels)
  real(real64) :: nan
  logical :: same(4)
  call portable_init()
  do j = 1, columns
    do i = 1, levels
      x(i,j) = sin(real(i, real64)*j)/i
    end do
  end do
  call parallel_outer('columns', bounds(columns), reduce)
  do j = 1, columns
    call check_bits(sums(j), c_sum_of_squares(x(:,j), int(levels, c_int64_t)), 'the bits of C')
    call check_bits(real(single(j), real64), real(c_sum_single(real(x(:,j), real32), int(levels, c_int64_t)), real64), 'single')
    same = [.not. least(j) > minval(x(:,j)), .not. least(j) < minval(x(:,j)), counted(j) == count(x(:,j) > 0), &
            longest(j) == maxval(int(1000*x(:,j), int64))]
    call check(all(same), 'least, count, largest integer')
    call check(.not. most(j) > maxval(x(1:levels:2,j)) .and. .not. most(j) < maxval(x(1:levels:2,j)), 'largest of a section')
    call c_scan(x(:,j), y, z, int(levels, c_int64_t))
    do i = 1, levels
      call check_bits(running(i,j), y(i), 'running sums')
      call check_bits(before(i,j), z(i), 'running sums before')
      call check(abs(y(i) - 0.25d0 - sum(x(:i,j))) < 1d-12 .and. places(i,j) == count(x(:i,j) > 0), 'sums of all values so far')
    end do
    call check_bits(ends(j), y(levels), 'the last sum')
    call check(none(j) == 0_int64, 'a sum of nothing')
  end do
  nan = transfer(int(z'7FF8000000000000', int64), nan)
  call parallel_outer('edges', bounds(1), edges)
  call portable_finalize()
  call finish_checks()
contains
  recursive subroutine edges(t)
    type(team), intent(in) :: t
    real(real64) :: no_value(0)
    call check_bits(inner_min(t, no_value), huge(1d0), 'least of nothing')
    call check_bits(inner_max(t, no_value), -huge(1d0), 'largest of nothing')
    call check_bits(inner_min(t, [nan, 2d0, nan, 1d0]), 1d0, 'NaN is left out')
    call check_bits(inner_max(t, [nan, -2d0, nan]), -2d0, 'at the beginning, too')
    call check(is_nan(inner_max(t, [nan, nan])), 'unless there is nothing else')
    call check(is_nan(inner_sum(t, [1d0, nan])), 'a sum becomes NaN')
    call check(inner_min(t, [integer(int32) ::]) == huge(1_int32), 'least integer of nothing')
    call check(inner_max(t, [integer(int32) ::]) == -huge(1_int32) - 1_int32, 'largest integer of nothing')
  end subroutine
end program inner_sums
