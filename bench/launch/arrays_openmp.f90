! arrays_openmp.f90 - reductions of an ALLOCATABLE array with OpenMP. The same over an array of the
! pool: arrays_portable.f90.
module arrays
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: start, make, drop, total, least, largest, slow_total, serial_total, serial_least
  logical, parameter, public :: has_serial = .true.
  real(real64), allocatable :: a(:)
contains

  subroutine start()
  end subroutine

  subroutine make(n)
    integer, intent(in) :: n
    integer :: i
    allocate (a(n))
    !$omp parallel do schedule(static)
    do i = 1, n
      a(i) = 1d0/i
    end do
    !$omp end parallel do
  end subroutine

  function total() result(x)
    real(real64) :: x
    integer :: i
    x = 0
    !$omp parallel do schedule(static) reduction(+: x)
    do i = 1, size(a)
      x = x + a(i)
    end do
    !$omp end parallel do
  end function

  function least() result(x)
    real(real64) :: x
    integer :: i
    x = huge(x)
    !$omp parallel do schedule(static) reduction(min: x)
    do i = 1, size(a)
      x = min(x, a(i))
    end do
    !$omp end parallel do
  end function

  function largest() result(x)
    real(real64) :: x
    integer :: i
    x = -huge(x)
    !$omp parallel do schedule(static) reduction(max: x)
    do i = 1, size(a)
      x = max(x, a(i))
    end do
    !$omp end parallel do
  end function

  ! The sums of the rows of an array of as many rows as columns: along the slow dimension. Each thread has rows of its own, and goes through memory.
  function slow_total() result(x)
    use omp_lib, only: omp_get_num_threads, omp_get_thread_num
    real(real64) :: x
    real(real64), allocatable :: sums(:)
    integer :: n, i, j, from, to
    n = int(sqrt(real(size(a), real64)))
    allocate (sums(n))
    !$omp parallel private(i, j, from, to)
    from = n*omp_get_thread_num()/omp_get_num_threads() + 1
    to = n*(omp_get_thread_num() + 1)/omp_get_num_threads()
    sums(from:to) = 0
    do j = 1, n
      do i = from, to
        sums(i) = sums(i) + a((j - 1)*n + i)
      end do
    end do
    !$omp end parallel
    x = sums(n)
  end function

  function serial_total() result(x)
    real(real64) :: x
    x = sum(a)
  end function

  function serial_least() result(x)
    real(real64) :: x
    x = minval(a)
  end function

  subroutine drop()
    deallocate (a)
  end subroutine
end module
