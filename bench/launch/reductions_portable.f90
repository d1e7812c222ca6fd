! reductions_portable.f90 - loops that end in one number, as launches over arrays of the pool, in
! module procedures. The same loops over ALLOCATABLE arrays with OpenMP are in
! reductions_openmp.f90; kernels_main.f90 calls and times both.
module reductions
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: parallel_for, parallel_reduce, bounds, tile, exact_sum, exact_add, exact_value
  implicit none
  private
  public :: make_fields, drop_fields, total, least, stable_dt, exact_total, reduced
  logical, parameter, public :: has_exact = .true.
  real(real64), pointer, contiguous :: h(:,:) => null(), u(:,:) => null(), v(:,:) => null()
  real(real64) :: result
contains

  subroutine make_fields(n)
    integer, intent(in) :: n
    call gator_allocate(h, [n, n])
    call gator_allocate(u, [n, n])
    call gator_allocate(v, [n, n])
    call parallel_for('first touch', bounds([1, 1], [n, n]), touch)
  end subroutine

  recursive subroutine touch(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (h => h, u => u, v => v)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          h(i, j) = 10 + mod(i + j, 7)
          u(i, j) = mod(i, 5) - 2
          v(i, j) = mod(j, 5) - 2
        end do
      end do
    end associate
  end subroutine

  subroutine total()
    call parallel_reduce('sum', bounds([1, 1], shape(h)), add, result)
  end subroutine

  recursive subroutine add(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    associate (h => h)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          r = r + h(i, j)
        end do
      end do
    end associate
  end subroutine

  subroutine least()
    call parallel_reduce('minval', bounds([1, 1], shape(h)), lesser, result, op='min')
  end subroutine

  recursive subroutine lesser(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    associate (h => h)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          r = min(r, h(i, j))
        end do
      end do
    end associate
  end subroutine

  subroutine stable_dt()
    call parallel_reduce('max_stable_dt', bounds([1, 1], shape(h)), step, result, op='min')
  end subroutine

  ! Dummies that are CONTIGUOUS, because gfortran 12 reads three pointers of the module, and their associate names, number by number.
  recursive subroutine step(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    call of(h, u, v)
  contains

    recursive subroutine of(h, u, v)
      real(real64), contiguous, intent(in) :: h(:,:), u(:,:), v(:,:)
      integer :: i, j
      real(real64) :: gw
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          gw = sqrt(9.81d0*h(i, j))
          r = min(r, min(50/(abs(u(i, j)) + gw + 1d-15), 45/(abs(v(i, j)) + gw + 1d-15)))
        end do
      end do
    end subroutine
  end subroutine

  subroutine exact_total()
    type(exact_sum) :: s
    call parallel_reduce('exact', bounds([1, 1], shape(h)), add_exactly, s)
    result = exact_value(s)
  end subroutine

  recursive subroutine add_exactly(t, r)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: r
    integer :: j
    do j = t%lower(2), t%upper(2)
      call exact_add(r, h(t%lower(1):t%upper(1), j))
    end do
  end subroutine

  subroutine drop_fields()
    call gator_deallocate(v)
    call gator_deallocate(u)
    call gator_deallocate(h)
  end subroutine

  function reduced() result(x)
    real(real64) :: x
    x = result
  end function
end module
