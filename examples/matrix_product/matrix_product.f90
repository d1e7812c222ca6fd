! matrix_product.f90 - C = alpha A B + beta C in tiles: the blocks of C are outer iterations, and
! each team copies the tile of A that it works with into its scratch memory, where it is used for
! all columns. Compared with matmul. matrix_product [SIZE]
module matrix_product_mod
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: parallel_outer, bounds, team, inner_range, fence_inner, work_division, divide_work, work_grid, work_box, &
    arg, fence
  implicit none
  integer, parameter :: rows = 64, columns = 32, depth = 64 ! of a block of C, and of a tile of A
  integer :: n = 300
  real(real64) :: alpha = 2, beta = -1
  real(real64), pointer :: a(:,:) => null(), b(:,:) => null(), c(:,:) => null()
  type(work_division) :: division
contains

  subroutine product()
    call divide_work(bounds([1, 1], [n, n]), division, elements=[rows, columns])
    call parallel_outer('matrix product', work_grid(division), block, &
                        [arg(a, 'read'), arg(b, 'read'), arg(c), arg(alpha), arg(beta), arg(n)], scratch_bytes=8*rows*depth)
    call fence() ! on a GPU the launch has only begun
  end subroutine

  recursive subroutine block(t)
    type(team), intent(in) :: t
    real(real64), pointer :: tile(:,:)
    integer(int64) :: lower(2), upper(2)
    integer :: k0, k1
    call c_f_pointer(t%scratch, tile, [rows, depth])
    call work_box(division, t%outer64(1:2), lower, upper)
    associate (i0 => int(lower(1)), i1 => int(upper(1)), j0 => int(lower(2)), j1 => int(upper(2)))
      do k0 = 1, n, depth
        k1 = min(k0 + depth - 1, n)
        call copy(t, n, a, i0, i1, k0, k1, tile)
        call fence_inner(t)                      ! the tile is there
        call multiply(t, n, tile, b, c, i0, i1, j0, j1, k0, k1)
        call fence_inner(t)                      ! no thread needs it any more
      end do
    end associate
  end subroutine

  recursive subroutine copy(t, n, a, i0, i1, k0, k1, tile)
    type(team), intent(in) :: t
    integer, intent(in) :: n, i0, i1, k0, k1
    real(real64), intent(in) :: a(n, n)
    real(real64), intent(inout) :: tile(rows, depth)
    integer :: i, k, from, to
    call inner_range(t, k0, k1, from, to)
    do k = from, to
      do i = i0, i1
        tile(i - i0 + 1, k - k0 + 1) = alpha*a(i, k)
      end do
    end do
  end subroutine

  ! Dummies of explicit shape: gfortran vectorises the loop over i. Each member of the team has columns of its own.
  recursive subroutine multiply(t, n, tile, b, c, i0, i1, j0, j1, k0, k1)
    type(team), intent(in) :: t
    integer, intent(in) :: n, i0, i1, j0, j1, k0, k1
    real(real64), intent(in) :: tile(rows, depth), b(n, n)
    real(real64), intent(inout) :: c(n, n)
    integer :: i, j, k, from, to
    call inner_range(t, j0, j1, from, to)
    do j = from, to
      if (k0 == 1) c(i0:i1, j) = beta*c(i0:i1, j)
      do k = k0, k1
        do i = i0, i1
          c(i, j) = c(i, j) + tile(i - i0 + 1, k - k0 + 1)*b(k, j)
        end do
      end do
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code
  use matrix_product_mod
  implicit none
  real(real64), allocatable :: expected(:,:)
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) n
  call gator_init()
  call cuda_code('matrix product', file='matrix_product.cu') ! for launches on a GPU
  call gator_allocate(a, [n, n], label='a')
  call gator_allocate(b, [n, n], label='b')
  call gator_allocate(c, [n, n], label='c')
  ! Whole numbers from 0 to 10, so that every sum is exact, in whatever order.
  call random_number(a)
  call random_number(b)
  call random_number(c)
  a = anint(10*a)
  b = anint(10*b)
  c = anint(10*c)
  call system_clock(start, rate)
  expected = alpha*matmul(a, b) + beta*c
  call system_clock(middle)
  call product()
  call system_clock(finish)
  print '(2(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'matrix product, ', n, ' x ', n, ': matmul ', 1000.0_real64*(middle - start)/rate, &
    ' ms, in tiles on ', num_threads(), ' threads ', 1000.0_real64*(finish - middle)/rate, ' ms'
  if (any(c < expected .or. c > expected)) error stop 'matrix_product: the results differ'
  call gator_deallocate(c)
  call gator_deallocate(b)
  call gator_deallocate(a)
  call gator_finalize()
end program
