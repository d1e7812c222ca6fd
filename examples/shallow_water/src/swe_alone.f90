!> A domain on one process: there is nothing to exchange.
subroutine swe_exchange(nx, ny, h, hu, hv, b)
  use swe_kinds_mod, only: wp, ng
  implicit none
  integer, intent(in) :: nx, ny
  real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
end subroutine swe_exchange
