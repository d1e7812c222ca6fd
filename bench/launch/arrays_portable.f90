! arrays_portable.f90 - reductions of an array of the pool. The same over an ALLOCATABLE one with
! OpenMP: arrays_openmp.f90.
module arrays
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod
  use portable_mod
  use portable_reduce_more_mod
  implicit none
  private
  public :: start, make, drop, total, least, largest, slow_total, serial_total, serial_least
  logical, parameter, public :: has_serial = .false.
  real(real64), pointer, contiguous :: a(:) => null()
contains

  subroutine start()
    call portable_init()
    call gator_init()
  end subroutine

  subroutine make(n)
    integer, intent(in) :: n
    call gator_allocate(a, [n])
    call parallel_for('first touch', bounds(n), touch)
  end subroutine

  recursive subroutine touch(u)
    type(tile), intent(in) :: u
    integer :: i
    do i = u%lower(1), u%upper(1)
      a(i) = 1d0/i
    end do
  end subroutine

  function total() result(x)
    real(real64) :: x
    x = reduce_sum(a)
  end function

  function least() result(x)
    real(real64) :: x
    x = reduce_min(a)
  end function

  function largest() result(x)
    real(real64) :: x
    x = reduce_max(a)
  end function

  ! The sums of the rows of an array of as many rows as columns: along the slow dimension.
  function slow_total() result(x)
    real(real64) :: x
    real(real64), pointer, contiguous :: square(:,:)
    real(real64), allocatable :: sums(:)
    integer :: n
    n = int(sqrt(real(size(a), real64)))
    square(1:n, 1:n) => a
    sums = reduce_sum(square, dim=2)
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
    call gator_deallocate(a)
  end subroutine
end module
