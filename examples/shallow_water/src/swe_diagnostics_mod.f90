!> Numbers that tell whether a state is right.
module swe_diagnostics_mod
  use, intrinsic :: iso_fortran_env, only: int64
  use swe_kinds_mod, only: wp, ng, dry_depth
  implicit none
  private
  public :: total_mass, minimum_depth, maximum_speed, symmetry_error, l1_error, checksum

contains

  !> Volume of the water [m3], summed with the lost digits carried along (Kahan), so that what it shows is
  !> the error of the scheme and not of the sum.
  function total_mass(nx, ny, dx, dy, h) result(mass)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy
    real(wp), intent(in) :: h(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp) :: mass, lost, term, sum_new
    integer :: i, j

    mass = 0
    lost = 0
    do j = 1, ny
      do i = 1, nx
        term = h(i, j) - lost
        sum_new = mass + term
        lost = (sum_new - mass) - term
        mass = sum_new
      end do
    end do
    mass = mass*dx*dy
  end function total_mass

  function minimum_depth(nx, ny, h) result(depth)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: h(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp) :: depth

    depth = minval(h(1:nx, 1:ny))
  end function minimum_depth

  !> [m/s]
  function maximum_speed(nx, ny, h, hu, hv) result(speed)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    real(wp) :: speed
    integer :: i, j

    speed = 0
    do j = 1, ny
      do i = 1, nx
        if (h(i, j) > dry_depth) speed = max(speed, hypot(hu(i, j), hv(i, j))/h(i, j))
      end do
    end do
  end function maximum_speed

  !> Largest difference of depth [m] between a cell and its mirror cell at the middle line of y.
  function symmetry_error(nx, ny, h) result(error)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: h(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp) :: error
    integer :: i, j

    error = 0
    do j = 1, ny/2
      do i = 1, nx
        error = max(error, abs(h(i, j) - h(i, ny+1-j)))
      end do
    end do
  end function symmetry_error

  !> sum |h - exact| / sum exact, where the exact depth depends on x only.
  function l1_error(nx, ny, h, exact) result(error)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: h(1-ng:nx+ng, 1-ng:ny+ng), exact(nx)
    real(wp) :: error
    integer :: j

    error = 0
    do j = 1, ny
      error = error + sum(abs(h(1:nx, j) - exact))
    end do
    error = error/(ny*sum(exact))
  end function l1_error

  !> A fingerprint of the state: two polynomials modulo a prime over the 32-bit halves of all values, in one
  !> number. It changes with any bit and with the order; equal states have equal ones.
  function checksum(nx, ny, h, hu, hv) result(bits)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    integer(int64) :: bits
    integer(int64), parameter :: prime = 2147483647_int64
    integer(int64) :: first, second
    integer :: i, j

    first = 1
    second = 1
    do j = 1, ny
      do i = 1, nx
        call include_value(h(i, j))
        call include_value(hu(i, j))
        call include_value(hv(i, j))
      end do
    end do
    bits = ior(ishft(first, 32), second)
  contains
    subroutine include_value(x)
      real(wp), intent(in) :: x
      integer(int64) :: word, half
      integer :: k

      word = transfer(x, word)
      do k = 0, 1
        half = ibits(word, 32*k, 32)
        first = modulo(first*65599_int64 + half, prime)
        second = modulo(second*16777619_int64 + half, prime)
      end do
    end subroutine include_value
  end function checksum
end module swe_diagnostics_mod
