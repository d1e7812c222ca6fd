!> Column physics: each column of the atmosphere is worked on alone, with a loop over the levels inside that cannot be
!> parallel (each level needs the one before). The columns are shared out. Here: implicit diffusion of the
!> temperature along the vertical, a tridiagonal system for each column.
!> The loop as it was, and moved over. Both must give the same bits.
!> column_physics [LEVELS COLUMNS STEPS]. Exit status: 0 when they do.
module column_physics_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, bounds, tile, arg, tridiagonal_column
  implicit none
  integer :: levels = 60, columns = 3000
  real(real64), pointer :: temperature(:, :) => null() ! levels, columns: a column is contiguous
  real(real64), pointer :: diffusivity(:, :) => null() ! the same, times dt/dz**2
contains

  !> One column. The work arrays are its own; they live on the stack of the thread. (Whole arrays: solve_tridiagonal.)
  recursive subroutine diffuse(n, k, t)
    integer, intent(in) :: n
    real(real64), intent(in) :: k(n)
    real(real64), intent(inout) :: t(n)
    real(real64) :: between(0:n) ! no flux through bottom and top
    between = [0.0_real64, k(:n-1), 0.0_real64]
    call tridiagonal_column(-between(:n-1), 1 + between(:n-1) + between(1:), -between(1:), t)
  end subroutine

  subroutine physics_serial(temperature)
    real(real64), intent(inout) :: temperature(levels, columns)
    integer :: column
    do column = 1, columns
      call diffuse(levels, diffusivity(:, column), temperature(:, column))
    end do
  end subroutine

  !> Columns may differ in work (here they do not); with schedule=portable_dynamic threads take them as they come free.
  subroutine physics()
    call parallel_for('column physics', bounds(columns), physics_kernel, &
                      [arg(diffusivity, 'read'), arg(temperature), arg(levels)])
  end subroutine

  recursive subroutine physics_kernel(t)
    type(tile), intent(in) :: t
    integer :: column
    do column = t%lower(1), t%upper(1)
      call diffuse(levels, diffusivity(:, column), temperature(:, column))
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use column_physics_mod
  implicit none
  real(real64), allocatable :: expected(:, :)
  real(real64) :: heat
  integer :: steps, column, l, n
  integer(int64) :: start, middle, finish, rate, bits
  character(len=32) :: argument(3)
  steps = 20
  do n = 1, 3
    call get_command_argument(n, argument(n))
  end do
  if (argument(3) /= '') read (argument, *) levels, columns, steps
  call gator_init()
  call cuda_code('column physics', file='column_physics.cu') ! for launches on a GPU
  call gator_allocate(temperature, [levels, columns], label='temperature')
  call gator_allocate(diffusivity, [levels, columns], label='diffusivity')
  do column = 1, columns
    do l = 1, levels
      temperature(l, column) = 300 - l + mod(7*l + 13*column, 997)/997.0_real64
      diffusivity(l, column) = 0.5_real64 + mod(31*l + 17*column, 499)/1250.0_real64
    end do
  end do
  allocate (expected, source=temperature)
  heat = sum(temperature)
  call system_clock(start, rate)
  do n = 1, steps
    call physics_serial(expected)
  end do
  call system_clock(middle)
  do n = 1, steps
    call physics()
  end do
  call fence()
  call system_clock(finish)
  print '(3(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'column physics, ', columns, ' columns of ', levels, ' levels, ', steps, &
    ' steps: serial ', 1000.0_real64*(middle - start)/rate, ' ms, parallel_for on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  if (any(temperature < expected .or. temperature > expected)) error stop 'column_physics: the results differ'
  if (.not. abs(sum(temperature) - heat) <= 1e-10_real64*heat) error stop 'column_physics: heat is not conserved'
  bits = 0
  do column = 1, columns
    do l = 1, levels
      bits = ieor(ishftc(bits, 1), transfer(temperature(l, column), bits))
    end do
  end do
  print '(a,z16.16)', '  bits of the result: ', bits
  call gator_deallocate(diffusivity)
  call gator_deallocate(temperature)
  call gator_finalize()
end program
