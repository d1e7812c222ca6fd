! places.f90 CASE: arrays of gator_mod that are read or written beyond their ends, in plain loops, through assumed-size dummies, in kernels on all
! threads and in an OpenMP region; run.sh runs it with PORTABLE_CHECK=memory, compiled with -O0 to -O3. Each case prints what it computes, which no wrong
! access changes. Not in this file: handlers and forks (places.c).
module places
  use gator_mod
  use portable_mod, only: parallel_for, bounds, tile, reduce_sum, portable_init, portable_finalize
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  real(real64), pointer, contiguous :: u(:) => null(), v(:) => null()
  integer, parameter :: n = 1001
contains
  ! The line of the kernel: a halo that the arrays do not have.
  subroutine stencil(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = int(t%lower(1)), int(t%upper(1))
      v(i) = u(i) + 0.5d0*u(i+1)
    end do
  end subroutine

  subroutine fill(x, m)
    integer, intent(in) :: m
    real(real32), intent(inout) :: x(*)
    integer :: i
    do i = 1, m
      x(i) = 1
    end do
  end subroutine

  function total(x, m) result(s)
    integer, intent(in) :: m
    real(real64), intent(in) :: x(*)
    real(real64) :: s
    integer :: i
    s = 0
    do i = 1, m
      s = s + x(i)
    end do
  end function
end module

program memcheck_places
  use places
  implicit none
  character(20) :: what
  real(real32), pointer, contiguous :: w(:) => null()
  real(real64), pointer, contiguous :: neighbour(:) => null(), stale(:) => null()
  real(real64) :: ignored
  integer :: i
  call get_command_argument(1, what)
  call portable_init()
  call gator_allocate(neighbour, [n], label='neighbour')
  call gator_allocate(u, [n], label='u')
  call gator_allocate(v, [n], label='v')
  call gator_allocate(w, [n], label='w')
  u = 1; v = 0; w = 0; neighbour = 0
  ignored = 0
  select case (what)
  case ('dummy')
    call fill(w, n + 2)
  case ('read')
    ignored = total(u, n + 1)
  case ('kernel')
    call parallel_for('stencil', bounds(n), stencil)
  case ('openmp')
    !$omp parallel do
    do i = 1, 4
      call fill(w, n + 1)
    end do
    !$omp end parallel do
  case ('unset') ! told with fill=yes
    call gator_deallocate(u)
    call gator_allocate(u, [n], label='u')
    u(2:n) = 1
    ignored = reduce_sum(u(2:n)) + reduce_sum(u)
    u(1) = 1
  case ('freed')
    stale => u
    call gator_deallocate(u)
    ignored = total(stale, 10)
    call gator_allocate(u, [n], label='u')
    u = 1
  end select
  if (ignored > 1d300) print '(a)', 'large' ! so that it is computed
  v(n) = 0
  print '(a,1x,f0.1,1x,f0.1,1x,f0.1)', trim(what), sum(u), sum(v), sum(w)
  call gator_deallocate(w)
  call gator_deallocate(v)
  call gator_deallocate(u)
  call gator_deallocate(neighbour)
  call portable_finalize()
end program
