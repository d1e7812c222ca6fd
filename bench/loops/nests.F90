! nests.F90 - the nests that are measured, in ordinary Fortran. It is compiled three times, each
! time as the module NESTS: as it stands (the directives are comments), with OpenMP, and converted
! by portablef. Not in this file: their data (fields.f90), the clock (loops.f90).
module NESTS
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use fields
  implicit none
  private
  public :: run
contains

  subroutine run(nest)
    integer, intent(in) :: nest
    select case (nest)
    case (1)
      call saxpy(elements, factor, x, y)
    case (2)
      call smooth(side, before, after)
    case (3)
      call columns(levels, elements/levels, mixing, heat)
    case (4)
      call add_up(elements, z, total)
    case (5)
      call largest(elements, z, most)
    case (6)
      call deposit(elements, bins, place, z, cells)
    end select
  end subroutine

  subroutine saxpy(n, a, x, y)
    integer, intent(in) :: n
    real(real32), intent(in) :: a, x(n)
    real(real32), intent(inout) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = y(i) + a*x(i)
    end do
    !$omp end parallel do
  end subroutine

  ! The five-point stencil.
  subroutine smooth(n, u, v)
    integer, intent(in) :: n
    real(real64), intent(in) :: u(0:n+1, 0:n+1)
    real(real64), intent(inout) :: v(0:n+1, 0:n+1)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      do i = 1, n
        v(i,j) = u(i,j) + 0.1d0*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) - 4*u(i,j))
      end do
    end do
    !$omp end parallel do
  end subroutine

  ! Heat moves along each column, implicitly: a tridiagonal system, whose factors are in a private array.
  subroutine columns(levels, n, mixing, heat)
    integer, intent(in) :: levels, n
    real(real64), intent(in) :: mixing(levels, n)
    real(real64), intent(inout) :: heat(levels, n)
    real(real64) :: ratio(most_levels), pivot
    integer :: i, k
    !$omp parallel do private(k, ratio, pivot)
    do i = 1, n
      pivot = 1/(1 + mixing(1,i))
      ratio(1) = -mixing(1,i)*pivot
      heat(1,i) = heat(1,i)*pivot
      do k = 2, levels
        pivot = 1/(1 + mixing(k,i) + mixing(k-1,i)*(1 + ratio(k-1)))
        ratio(k) = -mixing(k,i)*pivot
        heat(k,i) = (heat(k,i) + mixing(k-1,i)*heat(k-1,i))*pivot
      end do
      do k = levels - 1, 1, -1
        heat(k,i) = heat(k,i) - ratio(k)*heat(k+1,i)
      end do
    end do
    !$omp end parallel do
  end subroutine

  subroutine add_up(n, z, total)
    integer, intent(in) :: n
    real(real64), intent(in) :: z(n)
    real(real64), intent(out) :: total
    integer :: i
    total = 0
    !$omp parallel do reduction(+: total)
    do i = 1, n
      total = total + z(i)
    end do
    !$omp end parallel do
  end subroutine

  subroutine largest(n, z, most)
    integer, intent(in) :: n
    real(real64), intent(in) :: z(n)
    real(real64), intent(out) :: most
    integer :: i
    most = -huge(most)
    !$omp parallel do reduction(max: most)
    do i = 1, n
      most = max(most, z(i))
    end do
    !$omp end parallel do
  end subroutine

  ! Each element adds to the cell that it lies in.
  subroutine deposit(n, bins, place, z, cells)
    integer, intent(in) :: n, bins, place(n)
    real(real64), intent(in) :: z(n)
    real(real64), intent(inout) :: cells(bins)
    integer :: i
    !$omp parallel do
    do i = 1, n
      !$omp atomic
      cells(place(i)) = cells(place(i)) + z(i)
    end do
    !$omp end parallel do
  end subroutine
end module
