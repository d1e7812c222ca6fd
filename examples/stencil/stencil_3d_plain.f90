!> stencil_3d.f90 as a plain program: plain loops, no kernel, no list of arguments.
!> The arrays are those of the pool, which a GPU can access. The source is built as it stands and converted (CMakeLists.txt);
!> both programs print the bits that stencil_3d prints.
!> stencil_3d_plain [NX NY NZ STEPS].
module stencil_3d_plain_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer :: nx = 60, ny = 50, nz = 40
  real(real64), parameter :: r = 0.1_real64
contains

  subroutine step(u, unew)
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
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use stencil_3d_plain_mod
  implicit none
  real(real64), pointer, contiguous :: u(:, :, :), unew(:, :, :), swap(:, :, :)
  integer :: steps, i, j, k, n
  integer(int64) :: bits
  character(len=32) :: argument(4)
  steps = 100
  do i = 1, 4
    call get_command_argument(i, argument(i))
  end do
  if (argument(4) /= '') read (argument, *) nx, ny, nz, steps
  call gator_init()
  call gator_allocate(u, [nx+2, ny+2, nz+2], [0, 0, 0], label='u')
  call gator_allocate(unew, [nx+2, ny+2, nz+2], [0, 0, 0], label='unew')
  !$portable off
  do k = 0, nz+1 ! on the host: sin and cos of a GPU differ in the last bits
    do j = 0, ny+1
      do i = 0, nx+1
        u(i, j, k) = sin(0.1_real64*i)*cos(0.3_real64*j)*sin(0.2_real64*k)
      end do
    end do
  end do
  !$portable on
  do n = 1, steps
    call step(u, unew)
    swap => u
    u => unew
    unew => swap
  end do
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
