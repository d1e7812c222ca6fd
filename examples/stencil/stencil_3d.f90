!> A 7-point stencil over a grid with a halo of one cell, periodic in all directions. Each step fills the halo and then
!> updates the cells; the loops as they were, and moved over. Both must give the same bits.
!> stencil_3d [NX NY NZ STEPS]. Exit status: 0 when they do.
module stencil_3d_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, bounds, tile, arg
  implicit none
  integer :: nx = 60, ny = 50, nz = 40
  real(real64), pointer :: u(:, :, :) => null(), unew(:, :, :) => null() ! 0:nx+1, 0:ny+1, 0:nz+1
  real(real64), parameter :: r = 0.1_real64
contains

  subroutine step_serial(u, unew)
    real(real64), intent(inout) :: u(0:nx+1, 0:ny+1, 0:nz+1)
    real(real64), intent(inout) :: unew(0:nx+1, 0:ny+1, 0:nz+1)
    integer :: i, j, k
    do k = 1, nz
      do j = 1, ny
        u(0, j, k) = u(nx, j, k)
        u(nx+1, j, k) = u(1, j, k)
      end do
    end do
    do k = 1, nz
      do i = 1, nx
        u(i, 0, k) = u(i, ny, k)
        u(i, ny+1, k) = u(i, 1, k)
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        u(i, j, 0) = u(i, j, nz)
        u(i, j, nz+1) = u(i, j, 1)
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          unew(i, j, k) = u(i, j, k) + r*(u(i-1, j, k) + u(i+1, j, k) + u(i, j-1, k) + u(i, j+1, k) &
            + u(i, j, k-1) + u(i, j, k+1) - 6*u(i, j, k))
        end do
      end do
    end do
  end subroutine

  !> The three halos do not touch each other's cells, so each is a loop over one face of the grid.
  subroutine step()
    call parallel_for('halo in x', bounds([1, 1], [ny, nz]), halo_x, [arg(u), arg(nx)])
    call parallel_for('halo in y', bounds([1, 1], [nx, nz]), halo_y, [arg(u), arg(ny)])
    call parallel_for('halo in z', bounds([1, 1], [nx, ny]), halo_z, [arg(u), arg(nz)])
    call parallel_for('update', bounds([1, 1, 1], [nx, ny, nz]), update, [arg(u, 'read'), arg(unew, 'write'), arg(r)])
  end subroutine

  recursive subroutine halo_x(t)
    type(tile), intent(in) :: t
    integer :: j, k
    do k = t%lower(2), t%upper(2)
      do j = t%lower(1), t%upper(1)
        u(0, j, k) = u(nx, j, k)
        u(nx+1, j, k) = u(1, j, k)
      end do
    end do
  end subroutine

  recursive subroutine halo_y(t)
    type(tile), intent(in) :: t
    integer :: i, k
    do k = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        u(i, 0, k) = u(i, ny, k)
        u(i, ny+1, k) = u(i, 1, k)
      end do
    end do
  end subroutine

  recursive subroutine halo_z(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        u(i, j, 0) = u(i, j, nz)
        u(i, j, nz+1) = u(i, j, 1)
      end do
    end do
  end subroutine

  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    associate (u => u, unew => unew)
      do k = t%lower(3), t%upper(3)
        do j = t%lower(2), t%upper(2)
          do i = t%lower(1), t%upper(1)
            unew(i, j, k) = u(i, j, k) + r*(u(i-1, j, k) + u(i+1, j, k) + u(i, j-1, k) + u(i, j+1, k) &
              + u(i, j, k-1) + u(i, j, k+1) - 6*u(i, j, k))
          end do
        end do
      end do
    end associate
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use stencil_3d_mod
  implicit none
  real(real64), allocatable :: old(:, :, :), new(:, :, :)
  real(real64), pointer :: swap(:, :, :)
  integer :: steps, i, j, k, n
  integer(int64) :: start, middle, finish, rate, bits
  character(len=32) :: argument(4)
  steps = 100
  do i = 1, 4
    call get_command_argument(i, argument(i))
  end do
  if (argument(4) /= '') read (argument, *) nx, ny, nz, steps
  call gator_init()
  call cuda_code([character(9) :: 'halo in x', 'halo in y', 'halo in z', 'update'], file='stencil_3d.cu') ! for launches on a GPU
  call gator_allocate(u, [nx+2, ny+2, nz+2], [0, 0, 0], label='u')
  call gator_allocate(unew, [nx+2, ny+2, nz+2], [0, 0, 0], label='unew')
  allocate (old(0:nx+1, 0:ny+1, 0:nz+1), new(0:nx+1, 0:ny+1, 0:nz+1))
  do k = 0, nz+1
    do j = 0, ny+1
      do i = 0, nx+1
        u(i, j, k) = sin(0.1_real64*i)*cos(0.3_real64*j)*sin(0.2_real64*k)
      end do
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
  print '(4(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'stencil ', nx, ' x ', ny, ' x ', nz, ', ', steps, ' steps: serial ', &
    1000.0_real64*(middle - start)/rate, ' ms, parallel_for on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  associate (inner => u(1:nx, 1:ny, 1:nz), serial => old(1:nx, 1:ny, 1:nz))
    if (any(inner < serial .or. inner > serial)) error stop 'stencil_3d: the results differ'
  end associate
  bits = 0
  do k = 1, nz
    do j = 1, ny
      do i = 1, nx
        bits = ieor(ishftc(bits, 1), transfer(u(i, j, k), bits))
      end do
    end do
  end do
  print '(a,z16.16)', '  bits of the result: ', bits
  call gator_deallocate(unew)
  call gator_deallocate(u)
  call gator_finalize()
end program
