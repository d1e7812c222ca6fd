!> Dynamics that want neighbouring points side by side, and physics that wants the levels of a column side by side: two arrays of the same
!> indices (i, j, k) in two orders, owned by handles; a copy from one to the other converts. The physics is that of column_physics.f90.
!> Both orders must give the same bits. column_arrays [NX NY LEVELS]. Exit status: 0 when they do.
module column_arrays_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_array_mod, only: portable_array
  use portable_mod, only: parallel_for, bounds, tile, arg, tridiagonal_column, cuda_code, fence
  implicit none
  real(real64), pointer, contiguous :: diffusivity(:), temperature(:, :, :) ! of the kernel
contains

  !> Implicit diffusion of one column, from the bottom.
  recursive subroutine diffuse(n, k, t)
    integer, intent(in) :: n
    real(real64), intent(in) :: k(n)
    real(real64), intent(inout) :: t(n)
    real(real64) :: between(0:n) ! no flux through bottom and top
    between = [0.0_real64, k(:n-1), 0.0_real64]
    call tridiagonal_column(-between(:n-1), 1 + between(:n-1) + between(1:), -between(1:), t)
  end subroutine

  subroutine physics(levels, nx, ny, k, t)
    integer, intent(in) :: levels, nx, ny
    real(real64), intent(in), target :: k(levels)
    real(real64), intent(inout), target :: t(levels, nx, ny)
    diffusivity => k
    temperature => t
    call parallel_for('column physics', bounds([1, 1], [nx, ny]), body, [arg(k, [1], 'read'), arg(t, [1, 1, 1]), arg(levels)])
  end subroutine

  recursive subroutine body(columns)
    type(tile), intent(in) :: columns
    integer :: i, j
    do j = columns%lower(2), columns%upper(2)
      do i = columns%lower(1), columns%upper(1)
        call diffuse(size(diffusivity), diffusivity, temperature(:, i, j))
      end do
    end do
  end subroutine

  subroutine run(nx, ny, levels)
    integer, intent(in) :: nx, ny, levels
    type(portable_array) :: ijk, kij, columns, weights, before
    real(real64), pointer :: t(:, :, :), c(:, :, :), expected(:, :, :), k(:)
    real(real64) :: column(levels)
    integer :: i, j, l
    call cuda_code('column physics', file='column_physics.cu', entry='column_arrays') ! for launches on a GPU
    call weights%allocate(k, [levels], label='diffusivity')
    call ijk%allocate(t, [nx, ny, levels], label='temperature')
    do l = 1, levels
      k(l) = 0.5_real64 + 0.4_real64*cos(0.1_real64*l)
      do j = 1, ny
        do i = 1, nx
          t(i, j, l) = 300 - l + sin(0.01_real64*(i + nx*j))
        end do
      end do
    end do
    call ijk%host_copy(before)
    call before%get(expected)
    ! The physics: its order, a view of it whose first index is the level, and back.
    call kij%create([nx, ny, levels], fastest=[3, 1, 2], label='temperature, columns')
    call ijk%copy_to(kij)
    call kij%permute([3, 1, 2], columns)
    call columns%get(c)
    call physics(levels, nx, ny, k, c)
    call fence()
    call kij%copy_to(ijk)
    do j = 1, ny
      do i = 1, nx
        column = expected(i, j, :)
        call diffuse(levels, k, column)
        if (any(column < t(i, j, :) .or. column > t(i, j, :))) error stop 'column_arrays: the results differ'
      end do
    end do
    print '(3(a,i0),a)', 'column physics, ', nx, ' x ', ny, ' columns of ', levels, ' levels, in an order of its own'
  end subroutine
end module

program main
  use column_arrays_mod, only: run
  use gator_mod, only: gator_init, gator_finalize
  implicit none
  integer :: i, nx, ny, levels
  character(len=32) :: argument(3)
  nx = 50
  ny = 60
  levels = 40
  do i = 1, 3
    call get_command_argument(i, argument(i))
  end do
  if (argument(3) /= '') read (argument, *) nx, ny, levels
  call gator_init()
  call run(nx, ny, levels)
  call gator_finalize() ! it lists live blocks: none
end program
