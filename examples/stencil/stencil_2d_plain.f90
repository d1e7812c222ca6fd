!> stencil_2d.f90 as a plain program: plain loops, no kernel, no list of arguments.
!> The arrays are those of the pool, which a GPU can access. The source is built as it stands and converted (CMakeLists.txt);
!> both programs print the bits that stencil_2d prints.
!> stencil_2d_plain [NX NY STEPS].
module stencil_2d_plain_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer :: nx = 200, ny = 150
  real(real64), parameter :: r = 0.2_real64
contains

  subroutine step(u, unew)
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
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use stencil_2d_plain_mod
  implicit none
  real(real64), pointer, contiguous :: u(:, :), unew(:, :), swap(:, :)
  integer :: steps, i, j, n
  integer(int64) :: bits
  character(len=32) :: argument(3)
  steps = 100
  do i = 1, 3
    call get_command_argument(i, argument(i))
  end do
  if (argument(3) /= '') read (argument, *) nx, ny, steps
  call gator_init()
  call gator_allocate(u, [nx+2, ny+2], [0, 0], label='u')
  call gator_allocate(unew, [nx+2, ny+2], [0, 0], label='unew')
  !$portable off
  do j = 0, ny+1 ! on the host: sin and cos of a GPU differ in the last bits
    do i = 0, nx+1
      u(i, j) = sin(0.1_real64*i)*cos(0.3_real64*j)
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
