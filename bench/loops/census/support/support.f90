! Data and checksums of the census: `fill` sets an array of any rank, `add` mixes its bits into
! a checksum. No nest of the census is here.
module census_support
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine fill(a, n, seed, low, high)
    integer, intent(in) :: n, seed
    real(wp), intent(out) :: a(n)
    real(wp), intent(in), optional :: low, high
    integer :: i
    a = [(mod(i*37 + seed*11, 101)/101.0_wp, i=1, n)]
    if (present(high)) a = low + (high - low)*a
  end subroutine fill

  subroutine fill_int(k, n, seed, low, high)
    integer, intent(in) :: n, seed, low, high
    integer, intent(out) :: k(n)
    integer :: i
    k = [(low + mod(i*29 + seed*7 + i/5, high - low + 1), i=1, n)]
  end subroutine fill_int

  subroutine add(bits, a, n)
    integer(int64), intent(inout) :: bits
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    integer :: i
    do i = 1, n
      bits = ieor(ishftc(bits, 7), transfer(a(i), bits))
    end do
  end subroutine add

  subroutine add_int(bits, k, n)
    integer(int64), intent(inout) :: bits
    integer, intent(in) :: n, k(n)
    integer :: i
    do i = 1, n
      bits = ieor(ishftc(bits, 5), int(k(i), int64))
    end do
  end subroutine add_int
end module census_support
