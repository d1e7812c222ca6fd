! The fields of all columns. Index order: column, level; level 1 is the lowest one. Half level k
! lies above level k, half level 0 is the surface. In this file: the fields and their allocation.
! Not in this file: their first values (cm_initial_mod.f90).
module cm_state_mod
  use cm_constants_mod, only: wp, soil_layers
  implicit none
  public

  integer :: nc = 0, nz = 0 ! columns, levels

  ! Fields of the air.
  real(wp), allocatable :: t(:, :)      ! temperature, K
  real(wp), allocatable :: q(:, :)      ! water vapour, kg/kg
  real(wp), allocatable :: qc(:, :)     ! cloud water, kg/kg
  real(wp), allocatable :: qr(:, :)     ! rain, kg/kg
  real(wp), allocatable :: u(:, :), v(:, :) ! wind, m/s

  ! These do not change in a run: layers of constant mass.
  real(wp), allocatable :: p(:, :)      ! pressure of levels, Pa
  real(wp), allocatable :: p_half(:, :) ! of half levels, Pa
  real(wp), allocatable :: mass(:, :)   ! of a layer, kg/m2
  real(wp), allocatable :: exner(:, :)

  ! These follow from the fields (cm_height_mod.f90, cm_cloud_mod.f90).
  real(wp), allocatable :: z(:, :), dz(:, :), rho(:, :)
  real(wp), allocatable :: z_half(:, :)
  real(wp), allocatable :: cover(:, :)  ! fraction of a layer that has clouds
  real(wp), allocatable :: depth(:, :)  ! optical depth of the clouds of a layer
  real(wp), allocatable :: heating_short(:, :), heating_long(:, :) ! K/s

  ! The surface.
  logical, allocatable :: sea(:)
  real(wp), allocatable :: latitude(:), longitude(:) ! radians
  real(wp), allocatable :: ts(:)        ! temperature of the surface, K
  real(wp), allocatable :: roughness(:) ! m
  real(wp), allocatable :: albedo(:)
  real(wp), allocatable :: hills(:)     ! standard deviation of the heights in a cell, m
  real(wp), allocatable :: t_soil(:, :) ! column, layer; K
  real(wp), allocatable :: w_soil(:)    ! water that the soil holds, kg/m2
  real(wp), allocatable :: sun(:)       ! cosine of the zenith angle, 0 at night
  real(wp), allocatable :: short_down(:), long_down(:) ! radiation that the surface takes up, W/m2
  real(wp), allocatable :: sensible(:)  ! heat into the air, W/m2
  real(wp), allocatable :: evaporation(:) ! kg/(m2 s)
  real(wp), allocatable :: drag(:)      ! momentum that the surface takes per speed, kg/(m2 s)

  ! Sums since the start, kg/m2.
  real(wp), allocatable :: rain(:), rain_deep(:), evaporated(:), runoff(:)

contains

  subroutine allocate_state(columns, levels)
    integer, intent(in) :: columns, levels
    nc = columns
    nz = levels
    allocate (t(nc, nz), q(nc, nz), qc(nc, nz), qr(nc, nz), u(nc, nz), v(nc, nz))
    allocate (p(nc, nz), p_half(nc, 0:nz), mass(nc, nz), exner(nc, nz))
    allocate (z(nc, nz), dz(nc, nz), rho(nc, nz), z_half(nc, 0:nz), cover(nc, nz), depth(nc, nz))
    allocate (heating_short(nc, nz), heating_long(nc, nz))
    allocate (sea(nc), latitude(nc), longitude(nc), ts(nc), roughness(nc), albedo(nc), hills(nc))
    allocate (t_soil(nc, soil_layers), w_soil(nc), sun(nc), short_down(nc), long_down(nc))
    allocate (sensible(nc), evaporation(nc), drag(nc))
    allocate (rain(nc), rain_deep(nc), evaporated(nc), runoff(nc))
  end subroutine allocate_state

  subroutine free_state
    deallocate (t, q, qc, qr, u, v, p, p_half, mass, exner, z, dz, rho, z_half, cover, depth)
    deallocate (heating_short, heating_long, sea, latitude, longitude, ts, roughness, albedo, hills)
    deallocate (t_soil, w_soil, sun, short_down, long_down, sensible, evaporation, drag)
    deallocate (rain, rain_deep, evaporated, runoff)
  end subroutine free_state
end module cm_state_mod
