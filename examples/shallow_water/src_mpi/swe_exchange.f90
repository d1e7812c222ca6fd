!> The exchange that fill_ghosts calls if the domain is shared among ranks.
subroutine swe_exchange(nx, ny, h, hu, hv, b)
  use swe_kinds_mod, only: wp, ng
  use swe_halo_mod, only: exchange_halos
  implicit none
  integer, intent(in) :: nx, ny
  real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b

  call exchange_halos(nx, ny, h, hu, hv, b)
end subroutine swe_exchange
