!> The largest stable time step of a shallow-water model, the example of the paper on YAKL (Norman et al., Int. J. Parallel Program.
!> 51, 2023, figures 2 and 3): a loop nest that ends in one number. As it was, and moved over: the loops are the same, and stand in a
!> kernel whose second argument is the result. A minimum is the same in any order, so both give the same bits.
!> max_stable_dt [NX NY]. Exit status: 0 when they do.
module max_stable_dt_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: parallel_reduce, bounds, tile, arg
  implicit none
  !> Arguments of max_stable_dt that the kernel reads. An internal procedure would see them directly; but gfortran makes the stack
  !> executable for that, which some systems forbid.
  real(real64), pointer, private :: height_in(:, :), u_in(:, :), v_in(:, :)
  real(real64), private :: cfl_in, grav_in, dx_in, dy_in
contains

  function max_stable_dt_serial(height, u, v, cfl, grav, dx, dy) result(dt)
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

  function max_stable_dt(height, u, v, cfl, grav, dx, dy) result(dt)
    real(real64), dimension(:, :), target, intent(in) :: height, u, v
    real(real64), intent(in) :: cfl, grav, dx, dy
    real(real64) :: dt
    height_in => height
    u_in => u
    v_in => v
    cfl_in = cfl
    grav_in = grav
    dx_in = dx
    dy_in = dy
    ! On a GPU the version of max_stable_dt.cu gets what stands in the list.
    call parallel_reduce('max stable dt', bounds([1, 1], shape(height)), least, dt, 'min', &
                         [arg(height, [1, 1], 'read'), arg(u, [1, 1], 'read'), arg(v, [1, 1], 'read'), &
                          arg(cfl), arg(grav), arg(dx), arg(dy)])
  end function

  !> Variables that the loop assigns are declared here, so each thread has its own: gw and dtloc; and dt, the least of one tile.
  recursive subroutine least(t, dt)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: dt
    integer :: i, j
    real(real64) :: gw, dtloc, eps
    eps = epsilon(dt) ! To avoid division by zero
    associate (height => height_in, u => u_in, v => v_in, cfl => cfl_in, grav => grav_in, dx => dx_in, dy => dy_in)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          gw = sqrt(grav*height(i, j)) ! Speed of gravity waves
          ! Compute local maximum stable time step
          dtloc = min(cfl*dx/(abs(u(i, j)) + gw + eps), &
                      cfl*dy/(abs(v(i, j)) + gw + eps))
          ! Compute global minimum of the local maximum stable time steps
          dt = min(dt, dtloc)
        end do
      end do
    end associate
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_finalize
  use portable_mod, only: num_threads, cuda_code
  use max_stable_dt_mod
  implicit none
  real(real64), pointer :: height(:, :) => null(), u(:, :) => null(), v(:, :) => null()
  real(real64) :: expected, dt
  integer :: nx, ny, i, j, repeat
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument(2)
  nx = 500
  ny = 400
  call get_command_argument(1, argument(1))
  call get_command_argument(2, argument(2))
  if (argument(2) /= '') read (argument, *) nx, ny
  call gator_init()
  call cuda_code('max stable dt', file='max_stable_dt.cu') ! for launches on a GPU
  call gator_allocate(height, [nx, ny], label='height')
  call gator_allocate(u, [nx, ny], label='u')
  call gator_allocate(v, [nx, ny], label='v')
  do j = 1, ny
    do i = 1, nx
      height(i, j) = 10 + sin(0.01_real64*i)*cos(0.02_real64*j)
      u(i, j) = 3*sin(0.03_real64*(i + j))
      v(i, j) = 2*cos(0.01_real64*(i - 2*j))
    end do
  end do
  ! Another Courant number each time, or the compiler sees that one call is enough.
  expected = 0
  dt = 0
  call system_clock(start, rate)
  do repeat = 1, 10
    expected = expected + max_stable_dt_serial(height, u, v, 0.5_real64/repeat, 9.81_real64, 100.0_real64, 90.0_real64)
  end do
  call system_clock(middle)
  do repeat = 1, 10
    dt = dt + max_stable_dt(height, u, v, 0.5_real64/repeat, 9.81_real64, 100.0_real64, 90.0_real64)
  end do
  call system_clock(finish)
  print '(2(a,i0),a,f0.6,a,f0.3,a,i0,a,f0.3,a)', 'largest stable step on ', nx, ' x ', ny, ': ', &
    max_stable_dt(height, u, v, 0.5_real64, 9.81_real64, 100.0_real64, 90.0_real64), ' s; serial ', &
    100.0_real64*(middle - start)/rate, ' ms, parallel_reduce on ', num_threads(), ' threads ', &
    100.0_real64*(finish - middle)/rate, ' ms'
  if (dt < expected .or. dt > expected) error stop 'max_stable_dt: the results differ'
  print '(a,z16.16)', '  bits of the result: ', transfer(dt, 0_int64)
  call gator_deallocate(v)
  call gator_deallocate(u)
  call gator_deallocate(height)
  call gator_finalize()
end program
