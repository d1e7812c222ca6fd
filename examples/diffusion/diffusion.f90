!> Diffusion in a box, the workload of Hybrid Fortran (Mueller and Aoki, 2017; examples/diffusion3d): n**3 cells and a halo
!> of one, 7-point stencil, insulated walls, from 0.125 (1-cos 2 pi x)(1-cos 2 pi y)(1-cos 2 pi z) until t = 0.1, against the
!> analytic solution.
!> diffusion [N [STEPS]]: cells along an edge (32; the original has 256), and at most so many steps (90000).
!> Exit status: 0 when the root mean square of the error is below 1e-4.
module diffusion_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, bounds, tile, arg
  implicit none
  integer, parameter :: wp = real64
  real(wp), parameter :: kappa = 0.1_wp, length = 1.0_wp, pi = acos(-1.0_wp)
  integer :: n = 32
  real(wp) :: dx, dt, ce, cc ! weights of a neighbour and of the cell itself
  real(wp), pointer :: f(:, :, :) => null(), fn(:, :, :) => null() ! 0:n+1 in each direction
contains

  recursive subroutine diffuse(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    associate (f => f, fn => fn)
      do k = t%lower(3), t%upper(3)
        do j = t%lower(2), t%upper(2)
          do i = t%lower(1), t%upper(1)
            fn(i, j, k) = cc*f(i, j, k) + ce*(f(i-1, j, k) + f(i+1, j, k) + f(i, j-1, k) + f(i, j+1, k) &
              + f(i, j, k-1) + f(i, j, k+1))
          end do
        end do
      end do
    end associate
  end subroutine

  ! Walls: nothing flows through, so the halo repeats its neighbour.
  recursive subroutine wall_yz(t)
    type(tile), intent(in) :: t
    integer :: j, k
    do k = t%lower(2), t%upper(2)
      do j = t%lower(1), t%upper(1)
        fn(0, j, k) = fn(1, j, k)
        fn(n+1, j, k) = fn(n, j, k)
      end do
    end do
  end subroutine

  recursive subroutine wall_xz(t)
    type(tile), intent(in) :: t
    integer :: i, k
    do k = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        fn(i, 0, k) = fn(i, 1, k)
        fn(i, n+1, k) = fn(i, n, k)
      end do
    end do
  end subroutine

  recursive subroutine wall_xy(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        fn(i, j, 0) = fn(i, j, 1)
        fn(i, j, n+1) = fn(i, j, n)
      end do
    end do
  end subroutine

  !> The new field is fn, halo included.
  subroutine step()
    call parallel_for('diffusion', bounds([1, 1, 1], [n, n, n]), diffuse, [arg(f, 'read'), arg(fn, 'write'), arg(ce), arg(cc)])
    call parallel_for('wall yz', bounds([1, 1], [n, n]), wall_yz, [arg(fn), arg(n)])
    call parallel_for('wall xz', bounds([1, 1], [n, n]), wall_xz, [arg(fn), arg(n)])
    call parallel_for('wall xy', bounds([1, 1], [n, n]), wall_xy, [arg(fn), arg(n)])
  end subroutine

  !> The solution at a time, in all cells and the halo: the product of the solutions in each direction.
  subroutine solution(time, field)
    real(wp), intent(in) :: time
    real(wp), intent(out) :: field(0:n+1, 0:n+1, 0:n+1)
    real(wp) :: one(0:n+1)
    integer :: i, j, k
    do i = 0, n+1
      one(i) = 1 - exp(-kappa*time*4*pi*pi)*cos(2*pi*dx*(i - 0.5_wp))
    end do
    do k = 0, n+1
      do j = 0, n+1
        do i = 0, n+1
          field(i, j, k) = 0.125_wp*one(i)*one(j)*one(k)
        end do
      end do
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use diffusion_mod
  implicit none
  real(wp), pointer :: swap(:, :, :)
  real(wp) :: time, seconds, error
  integer :: steps, most_steps, i, j, k
  integer(int64) :: start, finish, rate, bits
  character(len=32) :: argument
  most_steps = 90000
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) n
  call get_command_argument(2, argument)
  if (argument /= '') read (argument, *) most_steps
  dx = length/n
  dt = 0.1_wp*dx*dx/kappa
  ce = kappa*dt/(dx*dx)
  cc = 1 - 6*ce
  call gator_init()
  call cuda_code([character(9) :: 'diffusion', 'wall yz', 'wall xz', 'wall xy'], file='diffusion.cu') ! for launches on a GPU
  call gator_allocate(f, [n+2, n+2, n+2], [0, 0, 0], label='f')
  call gator_allocate(fn, [n+2, n+2, n+2], [0, 0, 0], label='fn')
  call solution(0.0_wp, f)
  time = 0
  steps = 0
  call system_clock(start, rate)
  do while (time + 0.5_wp*dt < 0.1_wp .and. steps < most_steps)
    call step()
    swap => f
    f => fn
    fn => swap
    time = time + dt
    steps = steps + 1
  end do
  call fence()
  call system_clock(finish)
  seconds = real(finish - start, wp)/rate
  call solution(time, fn)
  error = sqrt(sum((f(1:n, 1:n, 1:n) - fn(1:n, 1:n, 1:n))**2)/real(n, wp)**3)
  print '(2(a,i0),a,f0.5,a)', 'diffusion, ', n, '^3 cells: ', steps, ' steps to t = ', time, ' s'
  print '(a,i0,a,f0.3,a,f0.3,a)', '  ', num_threads(), ' threads, ', seconds, ' s, ', &
    2*8*real(n, wp)**3*steps/max(seconds, tiny(seconds))*1.0e-9_wp, ' GB/s if each cell is read and written once'
  print '(a,es9.2)', '  root mean square of the error: ', error
  bits = 0
  do k = 1, n
    do j = 1, n
      do i = 1, n
        bits = ieor(ishftc(bits, 1), transfer(f(i, j, k), bits))
      end do
    end do
  end do
  print '(a,z16.16)', '  bits of the result: ', bits
  call gator_deallocate(fn)
  call gator_deallocate(f)
  call gator_finalize()
  if (.not. error < 1.0e-4_wp) error stop 'diffusion: the error is 1e-4 or more'
end program
