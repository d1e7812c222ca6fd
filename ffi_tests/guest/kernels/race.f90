! race.f90 WHAT: kernels for tools that look for data races. `clean`: launches that are right in all ways that a program may be - arrays
! that are written by one launch and read by the next on other threads, pool arrays that a thread gets which another one gave
! back, locals, nested launches, two schedules. The others are wrong, each in the line that its comment names.
! Each thread runs its share, because all wait for one another (meet.c). run_race.sh says what each tool must say. Not in this file: C (race.c).
module race_kernels
  use gator_mod
  use portable_mod
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer, parameter :: n = 4000
  real(8), pointer :: a(:) => null(), b(:) => null()
  real(8) :: total = 0, shared = 0
  real(8) :: parts(0:63) = 0
  interface
    subroutine meet(worker, workers) bind(c)
      import :: c_int
      integer(c_int), value :: worker, workers
    end subroutine
    function meet_prepare() result(failed) bind(c)
      import :: c_int
      integer(c_int) :: failed
    end function
  end interface
contains
  recursive subroutine fill(t)
    type(tile), intent(in) :: t
    integer :: i
    call meet(int(t%worker, c_int), int(t%workers, c_int))
    do i = t%lower(1), t%upper(1)
      a(i) = i
    end do
  end subroutine
  recursive subroutine reverse(t)
    type(tile), intent(in) :: t
    real(8), pointer :: own(:)
    integer :: i
    call gator_allocate(own, [t%upper(1)], label='own')
    do i = t%lower(1), t%upper(1)
      own(i) = a(n + 1 - i)
    end do
    do i = t%lower(1), t%upper(1)
      b(i) = own(i)
    end do
    call gator_deallocate(own)
    call parallel_for('inner', bounds(10), nothing)
  end subroutine
  recursive subroutine add_up(t)
    type(tile), intent(in) :: t
    integer :: i
    real(8) :: mine
    mine = 0
    call meet(int(t%worker, c_int), int(t%workers, c_int))
    do i = t%lower(1), t%upper(1)
      mine = mine + b(i)
    end do
    parts(t%worker) = parts(t%worker) + mine
  end subroutine
  recursive subroutine nothing(t)
    type(tile), intent(in) :: t
    if (t%lower(1) < 1) error stop 3
  end subroutine
  recursive subroutine assigns_scalar(t)
    type(tile), intent(in) :: t
    integer :: i
    call meet(int(t%worker, c_int), int(t%workers, c_int))
    do i = t%lower(1), t%upper(1)
      shared = a(i) ! scalar
      b(i) = 2*shared
    end do
  end subroutine
  recursive subroutine reads_neighbour(t)
    type(tile), intent(in) :: t
    integer :: i
    call meet(int(t%worker, c_int), int(t%workers, c_int))
    do i = t%lower(1), t%upper(1)
      if (i > 1) a(i) = a(i - 1) ! neighbour
    end do
  end subroutine
end module

program race
  use race_kernels
  implicit none
  character(20) :: what
  integer :: round
  call get_command_argument(1, what)
  if (meet_prepare() /= 0) error stop 94
  call portable_init()
  call gator_init()
  call gator_allocate(a, [n], label='a')
  call gator_allocate(b, [n], label='b')
  do round = 1, 10
    call parallel_for('fill', bounds(n), fill)
    if (what == 'clean') then
      call parallel_for('reverse', bounds(n), reverse)
      call parallel_for('reverse', bounds(n), reverse, schedule=portable_dynamic, tile=[100])
      parts = 0
      call parallel_for('add_up', bounds(n), add_up)
      total = sum(parts)
      if (abs(total - 0.5d0*n*(n + 1)) > 0) error stop 2
    end if
    if (what == 'scalar') call parallel_for('scalar', bounds(n), assigns_scalar)
    if (what == 'neighbour') call parallel_for('neighbour', bounds(n), reads_neighbour)
  end do
  call gator_deallocate(a)
  call gator_deallocate(b)
  call gator_finalize()
  call portable_finalize()
  print '(a)', 'done'
end program
