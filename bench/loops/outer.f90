! outer.f90 - times two inner loops one after the other, over (outer, inner) iterations: by
! parallel_outer, whose team does both loops of an outer iteration, and by a parallel_for over both
! dimensions for each loop. The results are compared. usage: bench_outer portable outer [N]. Prints
! name, value and unit, a line each, separated by tabs. With N it does an Nth of the work, to test
! that it works.
module outer_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use portable_mod, only: parallel_for, parallel_outer, bounds, tile, team, inner_range, fence_inner
  implicit none
  real(real64), allocatable :: q(:, :), r(:, :), old(:, :)
  integer :: inner = 0, calls = 200
contains

  subroutine by_teams()
    call parallel_outer('teams', bounds(size(q, 2)), smooth, scratch_bytes=int(8*inner))
  end subroutine

  recursive subroutine smooth(t)
    type(team), intent(in) :: t
    real(real64), pointer :: kept(:)
    integer :: j, k, from, to
    j = int(t%outer(1))
    call c_f_pointer(t%scratch, kept, [inner])
    call inner_range(t, inner, from, to)
    do k = from, to
      kept(k) = sqrt(q(k, j)) + 1/(1 + q(k, j))
    end do
    call fence_inner(t)
    call inner_range(t, 2, inner - 1, from, to)
    do k = from, to
      r(k, j) = 0.25_real64*(kept(k-1) + 2*kept(k) + kept(k+1))
    end do
  end subroutine

  subroutine by_loops()
    call parallel_for('first loop', bounds([1, 1], [inner, size(q, 2)]), first)
    call parallel_for('second loop', bounds([1, 1], [inner, size(q, 2)]), second)
  end subroutine

  recursive subroutine first(t)
    type(tile), intent(in) :: t
    integer :: j, k
    do j = t%lower(2), t%upper(2)
      do k = t%lower(1), t%upper(1)
        old(k, j) = sqrt(q(k, j)) + 1/(1 + q(k, j))
      end do
    end do
  end subroutine

  recursive subroutine second(t)
    type(tile), intent(in) :: t
    integer :: j, k
    do j = t%lower(2), t%upper(2)
      do k = max(t%lower(1), 2), min(t%upper(1), inner - 1)
        r(k, j) = 0.25_real64*(old(k-1, j) + 2*old(k, j) + old(k+1, j))
      end do
    end do
  end subroutine

  ! The best of some rounds, each of `calls` calls.
  subroutine measure(name, work)
    character(*), intent(in) :: name
    interface
      subroutine work()
      end subroutine
    end interface
    integer(int64) :: start, finish, rate
    real(real64) :: best
    integer :: round, i
    character(len=20) :: number
    best = huge(best)
    do round = 0, 12
      call system_clock(start, rate)
      do i = 1, calls
        call work()
      end do
      call system_clock(finish)
      if (round > 0) best = min(best, real(finish - start, real64)/real(rate, real64)/calls)
    end do
    write (number, '(es14.6)') 1e6_real64*best
    print '(5a)', name, achar(9), trim(adjustl(number)), achar(9), 'us'
  end subroutine

  ! So many outer iterations of so many inner ones.
  subroutine both(outer, count, name)
    integer, intent(in) :: outer, count
    character(*), intent(in) :: name
    real(real64), allocatable :: teams(:, :)
    inner = count
    allocate (q(inner, outer), r(inner, outer), old(inner, outer))
    call random_number(q)
    r = 0
    call measure('two loops over '//name//', parallel_outer', by_teams)
    allocate (teams, source=r)
    r = 0
    call measure('two loops over '//name//', a parallel_for for each', by_loops)
    if (any(transfer(r, [0_int64]) /= transfer(teams, [0_int64]))) error stop 'the two forms differ'
    deallocate (q, r, old)
  end subroutine
end module

program outer
  use portable_mod, only: portable_init, portable_finalize
  use outer_mod
  implicit none
  integer :: part
  character(len=32) :: argument
  part = 1
  call get_command_argument(3, argument)
  if (argument /= '') read (argument, *) part
  calls = max(1, calls/part)
  call portable_init()
  call both(1, 40000, '1 outer and 40 000 inner iterations')
  call both(3, 13000, '3 outer and 13 000 inner iterations')
  call both(1000, 60, '1000 outer and 60 inner iterations')
  call portable_finalize()
end program
