!> The 5-point stencil of stencil_2d.f90 on arrays that handles own. A step takes its work array when it is entered, with a halo from 0 to
!> nx+1, and releases it at its return, as with ALLOCATABLE. Both must give the same bits.
!> stencil_arrays [NX NY STEPS]. Exit status: 0 when they do.
module stencil_arrays_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_array_mod, only: portable_array
  use portable_mod, only: parallel_for, bounds, tile, arg, cuda_code, fence
  implicit none
  real(real64), parameter :: r = 0.2_real64
  real(real64), pointer, contiguous :: now(:, :), next(:, :) ! what the kernel reads and writes
contains

  subroutine step(nx, ny, u)
    integer, intent(in) :: nx, ny
    real(real64), intent(inout) :: u(nx, ny)
    type(portable_array) :: work
    real(real64), pointer :: w(:, :)
    call work%allocate(w, [nx+2, ny+2], [0, 0], label='w')
    w(1:nx, 1:ny) = u
    w(0, 1:ny) = u(nx, :)
    w(nx+1, 1:ny) = u(1, :)
    w(1:nx, 0) = u(:, ny)
    w(1:nx, ny+1) = u(:, 1)
    call update(nx, ny, w, u)
    call fence() ! what comes next, the end of w too, is the host's
  end subroutine

  subroutine update(nx, ny, w, u)
    integer, intent(in) :: nx, ny
    real(real64), intent(in), target :: w(0:nx+1, 0:ny+1)
    real(real64), intent(inout), target :: u(nx, ny)
    now(0:, 0:) => w
    next => u
    call parallel_for('update', bounds([1, 1], [nx, ny]), body, [arg(w, [0, 0], 'read'), arg(u, [1, 1], 'write'), arg(r)])
  end subroutine

  recursive subroutine body(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (w => now, u => next)
      do j = t%lower(2), t%upper(2)
        do concurrent (i = t%lower(1):t%upper(1))
          u(i, j) = w(i, j) + r*(w(i-1, j) + w(i+1, j) + w(i, j-1) + w(i, j+1) - 4*w(i, j))
        end do
      end do
    end associate
  end subroutine

  subroutine step_serial(nx, ny, u)
    integer, intent(in) :: nx, ny
    real(real64), intent(inout) :: u(nx, ny)
    real(real64) :: w(0:nx+1, 0:ny+1)
    integer :: i, j
    w = 0
    w(1:nx, 1:ny) = u
    w(0, 1:ny) = u(nx, :)
    w(nx+1, 1:ny) = u(1, :)
    w(1:nx, 0) = u(:, ny)
    w(1:nx, ny+1) = u(:, 1)
    do j = 1, ny
      do i = 1, nx
        u(i, j) = w(i, j) + r*(w(i-1, j) + w(i+1, j) + w(i, j-1) + w(i, j+1) - 4*w(i, j))
      end do
    end do
  end subroutine

  subroutine run(nx, ny, steps)
    integer, intent(in) :: nx, ny, steps
    type(portable_array) :: held, copy
    real(real64), pointer :: u(:, :), expected(:, :)
    integer :: i, j, n
    call cuda_code('update', file='stencil_2d.cu') ! for launches on a GPU
    call held%allocate(u, [nx, ny], label='u')
    do j = 1, ny
      do i = 1, nx
        u(i, j) = sin(0.1_real64*i)*cos(0.3_real64*j)
      end do
    end do
    call held%host_copy(copy)
    call copy%get(expected)
    do n = 1, steps
      call step(nx, ny, u)
      call step_serial(nx, ny, expected)
    end do
    if (any(u < expected .or. u > expected)) error stop 'stencil_arrays: the results differ'
    print '(3(a,i0),a)', 'stencil ', nx, ' x ', ny, ', ', steps, ' steps, on arrays that handles own'
  end subroutine
end module

program main
  use stencil_arrays_mod, only: run
  use gator_mod, only: gator_init, gator_finalize
  implicit none
  integer :: i, nx, ny, steps
  character(len=32) :: argument(3)
  nx = 200
  ny = 150
  steps = 20
  do i = 1, 3
    call get_command_argument(i, argument(i))
  end do
  if (argument(3) /= '') read (argument, *) nx, ny, steps
  call gator_init()
  call run(nx, ny, steps)
  call gator_finalize() ! it lists live blocks: none
end program
