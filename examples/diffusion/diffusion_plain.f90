!> diffusion.f90 as a plain program: plain loops, no kernel, no list of arguments.
!> The arrays are those of the pool, which a GPU can access. The source is built as it stands and converted (CMakeLists.txt);
!> both programs print the bits that diffusion prints.
!> diffusion_plain [N [STEPS]]: cells along an edge, and at most so many steps.
module diffusion_plain_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: wp = real64
  real(wp), parameter :: kappa = 0.1_wp, length = 1.0_wp, pi = acos(-1.0_wp)
  integer :: n = 32
  real(wp) :: dx, dt, ce, cc ! weights of a neighbour and of the cell itself
contains

  !> The new field is fn, halo included: nothing flows through the walls, so the halo repeats its neighbour.
  subroutine step(f, fn)
    real(wp), intent(in) :: f(0:n+1, 0:n+1, 0:n+1)
    real(wp), intent(inout) :: fn(0:n+1, 0:n+1, 0:n+1)
    integer :: i, j, k
    do k = 1, n
      do j = 1, n
        do i = 1, n
          fn(i, j, k) = cc*f(i, j, k) + ce*(f(i-1, j, k) + f(i+1, j, k) + f(i, j-1, k) + f(i, j+1, k) &
            + f(i, j, k-1) + f(i, j, k+1))
        end do
      end do
    end do
    do k = 1, n
      do j = 1, n
        fn(0, j, k) = fn(1, j, k)
        fn(n+1, j, k) = fn(n, j, k)
      end do
    end do
    do k = 1, n
      do i = 1, n
        fn(i, 0, k) = fn(i, 1, k)
        fn(i, n+1, k) = fn(i, n, k)
      end do
    end do
    do j = 1, n
      do i = 1, n
        fn(i, j, 0) = fn(i, j, 1)
        fn(i, j, n+1) = fn(i, j, n)
      end do
    end do
  end subroutine

  !> The field at the start, in all cells and the halo.
  subroutine start(field)
    real(wp), intent(out) :: field(0:n+1, 0:n+1, 0:n+1)
    real(wp) :: one(0:n+1)
    integer :: i, j, k
    !$portable off
    do i = 0, n+1 ! on the host: cos of a GPU differs in the last bits
      one(i) = 1 - cos(2*pi*dx*(i - 0.5_wp))
    end do
    !$portable on
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
  use diffusion_plain_mod
  implicit none
  real(wp), pointer, contiguous :: f(:, :, :), fn(:, :, :), swap(:, :, :)
  real(wp) :: time
  integer :: steps, most_steps, i, j, k
  integer(int64) :: bits
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
  call gator_allocate(f, [n+2, n+2, n+2], [0, 0, 0], label='f')
  call gator_allocate(fn, [n+2, n+2, n+2], [0, 0, 0], label='fn')
  call start(f)
  time = 0
  steps = 0
  do while (time + 0.5_wp*dt < 0.1_wp .and. steps < most_steps)
    call step(f, fn)
    swap => f
    f => fn
    fn => swap
    time = time + dt
    steps = steps + 1
  end do
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
end program
