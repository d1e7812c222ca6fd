!> max_stable_dt.f90 as a plain program: the paper's loop, no kernel.
!> The arrays are those of the pool, which a GPU can access. The source is built as it stands and converted (CMakeLists.txt);
!> both programs print the bits that max_stable_dt prints.
!> max_stable_dt_plain [NX NY].
module max_stable_dt_plain_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains

  function max_stable_dt(height, u, v, cfl, grav, dx, dy) result(dt)
    real(real64), dimension(:, :), intent(in) :: height, u, v
    real(real64), intent(in) :: cfl, grav, dx, dy
    real(real64) :: dt
    integer :: i, j, nx, ny
    real(real64) :: gw, dtloc, eps
    nx = size(height, 1)
    ny = size(height, 2)
    dt = huge(height)     ! Initialize to a large value
    eps = epsilon(height) ! To avoid division by zero
    do j = 1, ny
      do i = 1, nx
        gw = sqrt(grav*height(i, j)) ! Speed of gravity waves
        ! Compute local maximum stable time step
        dtloc = min(cfl*dx/(abs(u(i, j)) + gw + eps), &
                    cfl*dy/(abs(v(i, j)) + gw + eps))
        ! Compute global minimum of the local maximum stable time steps
        dt = min(dt, dtloc)
      end do
    end do
  end function
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use max_stable_dt_plain_mod
  implicit none
  real(real64), pointer, contiguous :: height(:, :), u(:, :), v(:, :)
  real(real64) :: dt
  integer :: nx, ny, i, j, repeat
  character(len=32) :: argument(2)
  nx = 500
  ny = 400
  call get_command_argument(1, argument(1))
  call get_command_argument(2, argument(2))
  if (argument(2) /= '') read (argument, *) nx, ny
  call gator_init()
  call gator_allocate(height, [nx, ny], label='height')
  call gator_allocate(u, [nx, ny], label='u')
  call gator_allocate(v, [nx, ny], label='v')
  !$portable off
  do j = 1, ny ! on the host: sin and cos of a GPU differ in the last bits
    do i = 1, nx
      height(i, j) = 10 + sin(0.01_real64*i)*cos(0.02_real64*j)
      u(i, j) = 3*sin(0.03_real64*(i + j))
      v(i, j) = 2*cos(0.01_real64*(i - 2*j))
    end do
  end do
  dt = 0
  do repeat = 1, 10 ! plain, so that the loop over the cells is the one that is launched
    dt = dt + max_stable_dt(height, u, v, 0.5_real64/repeat, 9.81_real64, 100.0_real64, 90.0_real64)
  end do
  !$portable on
  print '(a,z16.16)', '  bits of the result: ', transfer(dt, 0_int64)
  call gator_deallocate(v)
  call gator_deallocate(u)
  call gator_deallocate(height)
  call gator_finalize()
end program
