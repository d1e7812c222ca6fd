!> The exchange that fill_ghosts calls if the domain is shared among ranks: ghost cells that another rank owns, by the library's halo.
!> The first call lists the fields; the model has one set of them.
subroutine swe_exchange(nx, ny, h, hu, hv, b)
  use portable_halo_mod, only: fields, fields_add, halo_begin, halo_end
  use portable_mod, only: timer_start, timer_stop
  use swe_kinds_mod, only: wp, ng
  use swe_domain_mod, only: ghosts
  implicit none
  integer, intent(in) :: nx, ny
  real(wp), target, intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
  type(fields), save :: state
  logical, save :: listed = .false.

  if (.not. listed) then
    call fields_add(state, 'h', h)
    call fields_add(state, 'hu', hu)
    call fields_add(state, 'hv', hv)
    call fields_add(state, 'b', b)
    listed = .true.
  end if
  call timer_start('halo')
  call halo_begin(ghosts, state)
  call halo_end(ghosts, state)
  call timer_stop('halo')
end subroutine swe_exchange
