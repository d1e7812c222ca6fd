! rank_mismatch.f90 - bounds(nx, ny) is one dimension from nx to ny: a kernel of two loops then writes nothing, and nothing before its array.
! With a command argument it launches over an empty range of two scalars once, for which PORTABLE_CHECK=launch has a hint.
program rank_mismatch
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod
  use portable_mod
  implicit none
  integer, parameter :: nx = 40, ny = 20
  integer, pointer :: before(:) => null(), a(:, :) => null()
  integer :: failures = 0 ! yaklcheck: ok
  call portable_init()
  call gator_allocate(before, [nx*ny], label='before')
  call gator_allocate(a, [nx, ny], label='a')
  before = -1
  a = -1
  if (command_argument_count() > 0) then
    call parallel_for('two extents', bounds(nx, ny), fill) ! yaklcheck: ok
  else
    call parallel_for('two extents', bounds(ny, nx), fill) ! yaklcheck: ok
    call check(all(a == -1) .and. all(before == -1), 'two loops over one dimension write something')
    call parallel_for('wide', bounds(int(ny, int64), int(nx, int64)), wide, wide=.true.) ! yaklcheck: ok
    call check(all(a == -1) .and. all(before == -1), 'two loops of 64 bits over one dimension write something')
    call parallel_for('above', bounds([1, 1, 1], [2, 3, 4]), above)
    call parallel_outer('teams', bounds(3), teams)
    call parallel_for('plane', bounds([1, 1], [nx, ny]), fill)
    call check(all(a == 7) .and. all(before == -1), 'two loops over two dimensions')
  end if
  call gator_deallocate(a)
  call gator_deallocate(before)
  call portable_finalize()
  if (failures > 0) error stop 1
contains

  recursive subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    !$omp critical
    failures = failures + 1
    print '(2a)', 'FAILED: ', what
    !$omp end critical
  end subroutine

  recursive subroutine fill(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        a(i, j) = 7
      end do
    end do
  end subroutine

  recursive subroutine wide(t)
    type(tile), intent(in) :: t
    integer(int64) :: i, j
    do j = t%lower64(2), t%upper64(2)
      do i = t%lower64(1), t%upper64(1)
        a(i, j) = 7
      end do
    end do
  end subroutine

  recursive subroutine above(t)
    type(tile), intent(in) :: t
    call check(all(t%lower(4:) == 1) .and. all(t%upper(4:) == 0) .and. all(t%stride(4:) == 1), 'what a tile says above its rank')
    call check(all(t%lower64(4:) == 1) .and. all(t%upper64(4:) == 0) .and. all(t%stride64(4:) == 1), &
               '64 bits above the rank')
  end subroutine

  recursive subroutine teams(t)
    type(team), intent(in) :: t
    call parallel_inner(t, bounds([1, 1, 1], [2, 3, 4]), above)
  end subroutine
end program
