! Constants, types and small procedures of the atmosphere files.
module atmosphere_grid
  use census_support, only: wp
  implicit none
  integer, parameter :: nx = 24, ny = 18, nz = 12
  real(wp), parameter :: gravity = 9.80616_wp, r_dry = 287.04_wp, cp = 1004.64_wp
  real(wp), parameter :: kappa = r_dry/cp, latent = 2.501e6_wp, p0 = 1e5_wp
  real(wp) :: dx = 1000, dy = 1200, dt = 2.5_wp
  real(wp) :: height(0:nz), coriolis(ny)
  type column_state
    real(wp), allocatable :: t(:, :), q(:, :), p(:, :), u(:, :)
    real(wp), allocatable :: rain(:), flux(:)
    integer :: levels = nz
  end type column_state
contains
  pure real(wp) function exner(p)
    real(wp), intent(in) :: p
    exner = (p/p0)**kappa
  end function exner

  pure real(wp) function virtual(t, q) result(tv)
    real(wp), intent(in) :: t, q
    tv = t*(1 + 0.608_wp*q)
  end function virtual

  elemental subroutine clip(x, low, high)
    real(wp), intent(inout) :: x
    real(wp), intent(in) :: low, high
    x = min(max(x, low), high)
  end subroutine clip

  subroutine thomas(n, a, b, c, d)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), c(n)
    real(wp), intent(inout) :: b(n), d(n)
    integer :: k
    real(wp) :: m
    do k = 2, n
      m = a(k)/b(k - 1)
      b(k) = b(k) - m*c(k - 1)
      d(k) = d(k) - m*d(k - 1)
    end do
    d(n) = d(n)/b(n)
    do k = n - 1, 1, -1
      d(k) = (d(k) - c(k)*d(k + 1))/b(k)
    end do
  end subroutine thomas
end module atmosphere_grid
