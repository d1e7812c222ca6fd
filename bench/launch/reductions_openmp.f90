! reductions_openmp.f90 - the loops of reductions_portable.f90 over ALLOCATABLE arrays, with OpenMP.
module reductions
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: make_fields, drop_fields, total, least, stable_dt, exact_total, reduced
  logical, parameter, public :: has_exact = .false.
  real(real64), allocatable :: h(:,:), u(:,:), v(:,:)
  real(real64) :: result
contains

  subroutine make_fields(n)
    integer, intent(in) :: n
    integer :: i, j
    allocate (h(n, n), u(n, n), v(n, n))
    !$omp parallel do schedule(static) private(i)
    do j = 1, n
      do i = 1, n
        h(i, j) = 10 + mod(i + j, 7)
        u(i, j) = mod(i, 5) - 2
        v(i, j) = mod(j, 5) - 2
      end do
    end do
  end subroutine

  subroutine total()
    integer :: i, j
    real(real64) :: r
    r = 0
    !$omp parallel do schedule(static) private(i) reduction(+:r)
    do j = 1, size(h, 2)
      do i = 1, size(h, 1)
        r = r + h(i, j)
      end do
    end do
    result = r
  end subroutine

  subroutine least()
    integer :: i, j
    real(real64) :: r
    r = huge(r)
    !$omp parallel do schedule(static) private(i) reduction(min:r)
    do j = 1, size(h, 2)
      do i = 1, size(h, 1)
        r = min(r, h(i, j))
      end do
    end do
    result = r
  end subroutine

  subroutine stable_dt()
    integer :: i, j
    real(real64) :: r, gw
    r = huge(r)
    !$omp parallel do schedule(static) private(i, gw) reduction(min:r)
    do j = 1, size(h, 2)
      do i = 1, size(h, 1)
        gw = sqrt(9.81d0*h(i, j))
        r = min(r, min(50/(abs(u(i, j)) + gw + 1d-15), 45/(abs(v(i, j)) + gw + 1d-15)))
      end do
    end do
    result = r
  end subroutine

  ! OpenMP has no such reduction.
  subroutine exact_total()
    result = -1
  end subroutine

  subroutine drop_fields()
    deallocate (h, u, v)
  end subroutine

  function reduced() result(x)
    real(real64) :: x
    x = result
  end function
end module
