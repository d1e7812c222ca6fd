! solves.F90 - times systems of three and five diagonals, both layouts, next to a stream of five
! arrays, a loop of Fortran over the columns and, where LAPACK was found, dgtsv for each column. The
! results are compared. usage: bench_solves portable solves [N]. Prints name, value and unit, a line
! each, separated by tabs. With N it does an Nth of the work, to test that it works.
module solves_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: solve_tridiagonal, solve_pentadiagonal, parallel_for, bounds, tile
  implicit none
  integer, parameter :: levels = 64
  real(real64), allocatable, target :: a(:, :), b(:, :), c(:, :), x(:, :), y(:, :)
  integer :: rounds = 12
contains

  ! All arrays are first touched by the threads that work on them.
  subroutine fill(n, m)
    integer, intent(in) :: n, m
    if (allocated(a)) deallocate (a, b, c, x, y)
    allocate (a(n, m), b(n, m), c(n, m), x(n, m), y(n, m))
    call parallel_for('first touch', bounds(m), touch)
    call random_number(a)
    call random_number(c)
    b = 3
  end subroutine

  recursive subroutine touch(t)
    type(tile), intent(in) :: t
    integer :: j
    do j = t%lower(1), t%upper(1)
      a(:, j) = 0
      b(:, j) = 0
      c(:, j) = 0
      x(:, j) = 0
      y(:, j) = 0
    end do
  end subroutine

  subroutine stream()
    call parallel_for('stream', bounds(size(a, 2)), stream_kernel)
  end subroutine

  recursive subroutine stream_kernel(t)
    type(tile), intent(in) :: t
    integer :: j
    do j = t%lower(1), t%upper(1)
      y(:, j) = a(:, j) + b(:, j)*c(:, j) + x(:, j)
    end do
  end subroutine

  subroutine across()
    call solve_tridiagonal(a, b, c, x, dim=2)
  end subroutine

  subroutine five_across()
    call solve_pentadiagonal(a, a, b, c, c, x, dim=2)
  end subroutine

  subroutine along()
    call solve_tridiagonal(a, b, c, x, dim=1)
  end subroutine

  ! Thomas' algorithm as codes have it, on the threads of the library.
  subroutine thomas()
    call parallel_for('thomas', bounds(size(a, 2)), thomas_kernel)
  end subroutine

  recursive subroutine thomas_kernel(t)
    type(tile), intent(in) :: t
    real(real64) :: above(levels), m
    integer :: i, j
    do j = t%lower(1), t%upper(1)
      above(1) = c(1, j)/b(1, j)
      x(1, j) = x(1, j)/b(1, j)
      do i = 2, levels
        m = 1/(b(i, j) - a(i, j)*above(i-1))
        above(i) = c(i, j)*m
        x(i, j) = (x(i, j) - a(i, j)*x(i-1, j))*m
      end do
      do i = levels - 1, 1, -1
        x(i, j) = x(i, j) - above(i)*x(i+1, j)
      end do
    end do
  end subroutine

#ifdef LAPACK
  ! dgtsv destroys its matrix, so each column is copied.
  subroutine lapack()
    call parallel_for('dgtsv', bounds(size(a, 2)), lapack_kernel)
  end subroutine

  recursive subroutine lapack_kernel(t)
    type(tile), intent(in) :: t
    real(real64) :: low(levels), mid(levels), up(levels)
    integer :: j, info
    external :: dgtsv
    do j = t%lower(1), t%upper(1)
      low = a(:, j)
      mid = b(:, j)
      up = c(:, j)
      call dgtsv(levels, 1, low(2:), mid, up, x(:, j), levels, info)
    end do
  end subroutine
#endif

  ! The best of some rounds. The right-hand side is the same each time.
  subroutine measure(name, work)
    character(*), intent(in) :: name
    character(len=20) :: number
    interface
      subroutine work()
      end subroutine
    end interface
    integer(int64) :: start, finish, rate
    real(real64) :: best
    integer :: round
    best = huge(best)
    do round = 0, rounds
      x = 1
      call system_clock(start, rate)
      call work()
      call system_clock(finish)
      if (round > 0) best = min(best, real(finish - start, real64)/real(rate, real64))
    end do
    write (number, '(es14.6)') 1e9_real64*best/size(a)
    print '(5a)', name//', an element', achar(9), trim(adjustl(number)), achar(9), 'ns'
  end subroutine
end module

program solves
  use gator_mod, only: gator_init, gator_finalize
  use solves_mod
  implicit none
  real(real64), allocatable :: before(:, :)
  integer :: columns
  character(len=32) :: argument
  columns = 32768
  call get_command_argument(3, argument)
  if (argument /= '') then
    read (argument, *) rounds
    columns = max(32768/rounds, 8)
    rounds = 1
  end if
  call gator_init()
  call fill(columns, levels)
  call measure('stream of five arrays', stream)
  call measure('three diagonals, (column, level)', across)
  call measure('five diagonals, (column, level)', five_across)
  call fill(levels, columns)
  call measure('three diagonals, (level, column)', along)
  allocate (before, source=x)
  call measure('loop of Fortran, (level, column)', thomas)
  if (any(abs(before - x) > 1e-12_real64)) error stop 'the loop gives another solution'
#ifdef LAPACK
  call measure('dgtsv for each column', lapack)
  if (any(abs(before - x) > 1e-12_real64)) error stop 'LAPACK gives another solution'
#endif
  call gator_finalize()
end program
