!> A 5-point stencil over a grid with a halo of one cell, periodic in both directions. Each step fills the halo and then
!> updates the cells; the loops as they were, and moved over. Both must give the same bits.
!> stencil_2d [NX NY STEPS]. Exit status: 0 when they do.
module stencil_2d_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, bounds, tile, arg
  implicit none
  integer :: nx = 200, ny = 150
  real(real64), pointer :: u(:, :) => null(), unew(:, :) => null() ! 0:nx+1, 0:ny+1
  real(real64), parameter :: r = 0.2_real64
contains

  subroutine step_serial(u, unew)
    real(real64), intent(inout) :: u(0:nx+1, 0:ny+1)
    real(real64), intent(inout) :: unew(0:nx+1, 0:ny+1)
    integer :: i, j
    do j = 1, ny
      u(0, j) = u(nx, j)
      u(nx+1, j) = u(1, j)
    end do
    do i = 1, nx
      u(i, 0) = u(i, ny)
      u(i, ny+1) = u(i, 1)
    end do
    do j = 1, ny
      do i = 1, nx
        unew(i, j) = u(i, j) + r*(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4*u(i, j))
      end do
    end do
  end subroutine

  subroutine step()
    call parallel_for('halo in x', bounds(ny), halo_x, [arg(u), arg(nx)])
    call parallel_for('halo in y', bounds(nx), halo_y, [arg(u), arg(ny)])
    call parallel_for('update', bounds([1, 1], [nx, ny]), update, [arg(u, 'read'), arg(unew, 'write'), arg(r)])
  end subroutine

  recursive subroutine halo_x(t)
    type(tile), intent(in) :: t
    integer :: j
    do j = t%lower(1), t%upper(1)
      u(0, j) = u(nx, j)
      u(nx+1, j) = u(1, j)
    end do
  end subroutine

  recursive subroutine halo_y(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      u(i, 0) = u(i, ny)
      u(i, ny+1) = u(i, 1)
    end do
  end subroutine

  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (u => u, unew => unew)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          unew(i, j) = u(i, j) + r*(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4*u(i, j))
        end do
      end do
    end associate
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use stencil_2d_mod
  implicit none
  real(real64), allocatable :: old(:, :), new(:, :)
  real(real64), pointer :: swap(:, :)
  integer :: steps, i, j, n
  integer(int64) :: start, middle, finish, rate, bits
  character(len=32) :: argument(3)
  steps = 100
  do i = 1, 3
    call get_command_argument(i, argument(i))
  end do
  if (argument(3) /= '') read (argument, *) nx, ny, steps
  call gator_init()
  call cuda_code([character(9) :: 'halo in x', 'halo in y', 'update'], file='stencil_2d.cu') ! for launches on a GPU
  call gator_allocate(u, [nx+2, ny+2], [0, 0], label='u')
  call gator_allocate(unew, [nx+2, ny+2], [0, 0], label='unew')
  allocate (old(0:nx+1, 0:ny+1), new(0:nx+1, 0:ny+1))
  do j = 0, ny+1
    do i = 0, nx+1
      u(i, j) = sin(0.1_real64*i)*cos(0.3_real64*j)
    end do
  end do
  old = u
  call system_clock(start, rate)
  do n = 1, steps/2
    call step_serial(old, new)
    call step_serial(new, old)
  end do
  if (modulo(steps, 2) == 1) then
    call step_serial(old, new)
    old = new
  end if
  call system_clock(middle)
  do n = 1, steps
    call step()
    swap => u
    u => unew
    unew => swap
  end do
  call fence()
  call system_clock(finish)
  print '(3(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'stencil ', nx, ' x ', ny, ', ', steps, ' steps: serial ', &
    1000.0_real64*(middle - start)/rate, ' ms, parallel_for on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  if (any(u(1:nx, 1:ny) < old(1:nx, 1:ny) .or. u(1:nx, 1:ny) > old(1:nx, 1:ny))) error stop 'stencil_2d: the results differ'
  bits = 0
  do j = 1, ny
    do i = 1, nx
      bits = ieor(ishftc(bits, 1), transfer(u(i, j), bits))
    end do
  end do
  print '(a,z16.16)', '  bits of the result: ', bits
  call gator_deallocate(unew)
  call gator_deallocate(u)
  call gator_finalize()
end program
