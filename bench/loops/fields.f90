! fields.f90 - the data of the nests that are measured, the same memory for all engines. Not in
! this file: the nests (nests.f90.in).
module fields
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  integer, parameter :: most_levels = 64
  ! Variables, so that no compiler unrolls a loop for one value.
  integer :: elements, side, levels = 40, bins
  real(real32) :: factor = 0.5_real32
  integer, allocatable :: place(:)
  real(real32), allocatable :: x(:), y(:)
  real(real64), allocatable :: z(:), before(:,:), after(:,:), mixing(:,:), heat(:,:), cells(:)
  real(real64) :: total, most
contains

  subroutine make(n)
    integer, intent(in) :: n
    elements = n
    side = nint(sqrt(real(n)))
    bins = max(1, n/8)
    allocate (x(n), y(n), z(n), place(n), cells(bins))
    allocate (before(0:side+1, 0:side+1), after(0:side+1, 0:side+1), mixing(levels, n/levels), heat(levels, n/levels))
    call fill()
  end subroutine

  ! Values without a pattern. However often a nest runs, none overflows and none becomes tiny.
  subroutine fill()
    integer :: i, j
    do i = 1, elements
      z(i) = modulo(i*0.6180339887498949d0, 1.0d0)
      place(i) = 1 + int(bins*modulo(i*0.7548776662466927d0, 1.0d0))
    end do
    x = real(z, real32)
    y = 0
    cells = 0
    do j = 0, side + 1
      do i = 0, side + 1
        before(i,j) = modulo(i*0.6180339887498949d0 + j*0.7548776662466927d0, 1.0d0)
      end do
    end do
    after = 0
    do j = 1, size(heat, 2)
      do i = 1, levels
        heat(i,j) = 1 + modulo(i*0.6180339887498949d0 + j*0.7548776662466927d0, 1.0d0)
        mixing(i,j) = 0.1d0*heat(i,j)
      end do
    end do
    mixing(levels,:) = 0
  end subroutine

  subroutine drop()
    deallocate (x, y, z, place, cells, before, after, mixing, heat)
  end subroutine

  ! A number for all results.
  real(real64) function result_of() result(all)
    integer :: i
    all = total + most + sum(after) + sum(heat)
    do i = 1, elements
      all = all + y(i)*modulo(i, 7)
    end do
    do i = 1, bins
      all = all + cells(i)*modulo(i, 5)
    end do
  end function
end module
