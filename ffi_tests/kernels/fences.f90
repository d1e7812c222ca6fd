! fences.f90 - teams of several members on the host (PORTABLE_TEAM_SIZE) from Fortran: a kernel without fence_inner gives other results, one with it those
! of one member; reductions and inner index spaces keep their values. Not in this file: C (fences.c).
module fences_mod
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod
  implicit none
  integer, parameter :: columns = 30, levels = 97
  real(real64) :: q(levels, columns), sums(columns), box(6, 7, columns)
  logical :: fenced = .true.
  integer :: members(columns) = 0
contains

  recursive subroutine smooth(t)
    type(team), intent(in) :: t
    real(real64), pointer :: work(:)
    real(real64) :: total
    integer :: j, k, from, to
    call c_f_pointer(t%scratch, work, [levels])
    j = t%outer(1)
    if (single_inner(t)) members(j) = t%size
    call inner_range(t, levels, from, to)
    do k = from, to
      work(k) = q(k, j)
    end do
    if (fenced) call fence_inner(t)
    call inner_range(t, 2, levels - 1, from, to)
    do k = from, to
      q(k, j) = (work(k-1) + 2*work(k) + work(k+1))/4
    end do
    call fence_inner(t)
    total = inner_sum(t, q(:, j))
    if (single_inner(t)) sums(j) = total
    call parallel_inner(t, bounds([1, 1], [6, 7]), fill)
  contains
    recursive subroutine fill(u)
      type(tile), intent(in) :: u
      integer :: a, b
      do b = u%lower(2), u%upper(2)
        do a = u%lower(1), u%upper(1)
          box(a, b, j) = box(a, b, j) + 10*a + b
        end do
      end do
    end subroutine
  end subroutine

  subroutine begin()
    integer :: j, k
    do j = 1, columns
      do k = 1, levels
        q(k, j) = sin(real(j + 3*k, real64))
      end do
    end do
    box = 0
  end subroutine
end module

program fences
  use check_mod, only: check, finish_checks
  use fences_mod
  implicit none
  real(real64) :: wanted(levels, columns), lane(128)
  integer :: a, b, j, m
  logical :: same
  call begin()
  wanted = q
  do j = 1, columns
    wanted(2:levels-1, j) = (q(1:levels-2, j) + 2*q(2:levels-1, j) + q(3:levels, j))/4
  end do
  call portable_init()
  call parallel_outer('smooth', bounds(columns), smooth, scratch_bytes=8*levels)
  call check(all(transfer(q, [0_int64]) == transfer(wanted, [0_int64])), 'with fences')
  do j = 1, columns
    lane = 0
    lane(:levels) = lane(:levels) + wanted(:, j)
    m = 64
    do while (m > 0)
      lane(:m) = lane(:m) + lane(m+1:2*m)
      m = m/2
    end do
    call check(transfer(lane(1), 0_int64) == transfer(sums(j), 0_int64), 'inner_sum')
  end do
  do b = 1, 7
    do a = 1, 6
      call check(all(nint(box(a, b, :)) == 10*a + b), 'parallel_inner')
    end do
  end do
  call begin()
  fenced = .false.
  call parallel_outer('smooth', bounds(columns), smooth, scratch_bytes=8*levels)
  same = all(transfer(q, [0_int64]) == transfer(wanted, [0_int64]))
  call check(same .eqv. all(members == 1), 'without fences')
  call portable_finalize()
  call finish_checks()
end program
