!> Column physics in two levels: the same diffusion as in column_physics.f90, with blocks of 32 columns as outer iterations. A
!> block is turned round into the scratch memory of its team, columns first, so that the inner loops run over columns and
!> vectorise, although each level needs the one before. Both must give the same bits.
!> column_blocks [LEVELS COLUMNS STEPS]. Exit status: 0 when they do.
module column_blocks_mod
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_outer, bounds, team, inner_range, arg, tridiagonal_column
  implicit none
  integer, parameter :: width = 32                     ! columns of a block
  integer :: levels = 60, columns = 3001
  real(real64), pointer :: temperature(:, :) => null() ! levels, columns: a column is contiguous
  real(real64), pointer :: diffusivity(:, :) => null() ! the same, times dt/dz**2
contains

  !> One column, as it was.
  subroutine diffuse(n, k, t)
    integer, intent(in) :: n
    real(real64), intent(in) :: k(n)
    real(real64), intent(inout) :: t(n)
    real(real64) :: between(0:n) ! no flux through bottom and top
    between = [0.0_real64, k(:n-1), 0.0_real64]
    call tridiagonal_column(-between(:n-1), 1 + between(:n-1) + between(1:), -between(1:), t)
  end subroutine

  subroutine physics()
    call parallel_outer('column blocks', bounds((columns - 1)/width + 1), block, &
                        [arg(diffusivity, 'read'), arg(temperature), arg(levels), arg(columns)], &
                        scratch_bytes=8*width*3*levels)
  end subroutine

  recursive subroutine block(tm)
    type(team), intent(in) :: tm
    real(real64), pointer :: work(:, :)
    integer :: first
    call c_f_pointer(tm%scratch, work, [width, 3*levels])
    first = (tm%outer(1) - 1)*width + 1
    call diffuse_block(tm, min(width, columns - first + 1), levels, diffusivity(:, first:), temperature(:, first:), &
                       work(:, :levels), work(:, levels+1:2*levels), work(:, 2*levels+1:))
  end subroutine

  !> The columns of a block side by side. Each member of the team has columns of its own from begin to end, so there is
  !> nothing to wait for.
  recursive subroutine diffuse_block(tm, many, n, diffusivity, temperature, pivot, k, t)
    type(team), intent(in) :: tm
    integer, intent(in) :: many, n
    real(real64), intent(in) :: diffusivity(n, many)
    real(real64), intent(inout) :: temperature(n, many), pivot(width, n), k(width, n), t(width, n)
    real(real64) :: factor
    integer :: c, l, from, to
    call inner_range(tm, many, from, to)
    do l = 1, n
      do c = from, to
        k(c, l) = diffusivity(l, c)
        t(c, l) = temperature(l, c)
      end do
    end do
    do c = from, to
      pivot(c, 1) = 1 + merge(k(c, 1), 0.0_real64, n > 1)
    end do
    do l = 2, n
      do c = from, to
        factor = k(c, l-1)/pivot(c, l-1)
        pivot(c, l) = 1 + k(c, l-1) + merge(k(c, l), 0.0_real64, l < n) - (factor*k(c, l-1))
        t(c, l) = t(c, l) + (factor*t(c, l-1))
      end do
    end do
    do c = from, to
      t(c, n) = t(c, n)/pivot(c, n)
    end do
    do l = n - 1, 1, -1
      do c = from, to
        t(c, l) = (t(c, l) + (k(c, l)*t(c, l+1)))/pivot(c, l)
      end do
    end do
    do c = from, to
      temperature(:, c) = t(c, :)
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use column_blocks_mod
  implicit none
  real(real64), allocatable :: expected(:, :)
  integer :: steps, column, l, n
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument(3)
  steps = 20
  do n = 1, 3
    call get_command_argument(n, argument(n))
  end do
  if (argument(3) /= '') read (argument, *) levels, columns, steps
  call gator_init()
  call cuda_code('column blocks', file='column_physics.cu', block_size=64) ! for launches on a GPU
  call gator_allocate(temperature, [levels, columns], label='temperature')
  call gator_allocate(diffusivity, [levels, columns], label='diffusivity')
  do column = 1, columns
    do l = 1, levels
      temperature(l, column) = 300 - l + sin(0.01_real64*column)
      diffusivity(l, column) = 0.5_real64 + 0.4_real64*cos(0.1_real64*l + column)
    end do
  end do
  allocate (expected, source=temperature)
  call system_clock(start, rate)
  do n = 1, steps
    do column = 1, columns
      call diffuse(levels, diffusivity(:, column), expected(:, column))
    end do
  end do
  call system_clock(middle)
  do n = 1, steps
    call physics()
  end do
  call fence()
  call system_clock(finish)
  print '(3(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'column blocks, ', columns, ' columns of ', levels, ' levels, ', steps, &
    ' steps: serial ', 1000.0_real64*(middle - start)/rate, ' ms, in blocks on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  if (any(temperature < expected .or. temperature > expected)) error stop 'column_blocks: the results differ'
  call gator_deallocate(diffusivity)
  call gator_deallocate(temperature)
  call gator_finalize()
end program
