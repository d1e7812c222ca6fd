! Deep convection: air of the lowest levels rises as far as it is lighter than its surroundings,
! and the column relaxes to what it would leave behind (the idea of Betts and Miller 1986, in a
! simple form).
module cm_convection_mod
  use cm_constants_mod, only: wp, gravity, heat_dry, heat_evaporation, virtual
  use cm_saturation_mod, only: saturation, saturation_slope
  use cm_state_mod, only: nc, nz, t, q, p, mass, z, rain, rain_deep
  implicit none
  private
  public :: convection

  integer, parameter :: most = 200 ! levels
  real(wp), parameter :: relaxation = 7200.0_wp, humidity = 0.8_wp

contains

  ! deep: the number of columns that had deep convection.
  subroutine convection(dt, deep)
    real(wp), intent(in) :: dt
    integer, intent(out) :: deep
    integer :: i
    logical :: active
    deep = 0
    !$omp parallel do private(active) reduction(+: deep) schedule(dynamic, 16)
    do i = 1, nc
      call one_column(i, dt, active)
      if (active) deep = deep + 1
    end do
  end subroutine convection

  subroutine one_column(i, dt, active)
    integer, intent(in) :: i
    real(wp), intent(in) :: dt
    logical, intent(out) :: active
    real(wp) :: parcel(most), wanted(most), energy, q_parcel, work, heat, water, air, fraction
    integer :: k, top, base
    active = .false.

    ! The air that rises keeps its moist static energy.
    energy = heat_dry*t(i, 1) + gravity*z(i, 1) + heat_evaporation*q(i, 1)
    q_parcel = q(i, 1)
    top = 0
    base = 0
    work = 0
    do k = 2, nz - 1
      call lift(energy - gravity*z(i, k), q_parcel, p(i, k), parcel(k))
      if (saturation(parcel(k), p(i, k)) < q_parcel .and. base == 0) base = k
      if (parcel(k)*(1 + virtual*min(q_parcel, saturation(parcel(k), p(i, k)))) > t(i, k)*(1 + virtual*q(i, k))) then
        work = work + gravity*(parcel(k) - t(i, k))/t(i, k)*(z(i, k) - z(i, k - 1))
        if (base > 0) top = k
      else if (base > 0 .and. k > base + 6) then
        exit
      end if
    end do
    if (base == 0 .or. top < base + 4 .or. work < 50) return

    ! The column relaxes to this; sums of the water and the heat that it needs.
    water = 0
    heat = 0
    air = 0
    do k = base, top
      wanted(k) = humidity*saturation(parcel(k), p(i, k))
      water = water + mass(i, k)*(wanted(k) - q(i, k))
      heat = heat + mass(i, k)*(parcel(k) - t(i, k))
      air = air + mass(i, k)
    end do
    if (water >= 0) return ! nothing would fall

    ! Heat and water must agree: all temperatures are moved by one number.
    heat = (heat_dry*heat + heat_evaporation*water)/(heat_dry*air)
    fraction = dt/relaxation
    do k = base, top
      t(i, k) = t(i, k) + fraction*(parcel(k) - heat - t(i, k))
      q(i, k) = q(i, k) + fraction*(wanted(k) - q(i, k))
    end do
    rain(i) = rain(i) - fraction*water
    rain_deep(i) = rain_deep(i) - fraction*water
    active = .true.
  end subroutine one_column

  ! The temperature of risen air whose heat and vapour have this energy: dry below its cloud base, saturated above.
  pure subroutine lift(energy, vapour, pressure, temperature)
    real(wp), intent(in) :: energy, vapour, pressure
    real(wp), intent(out) :: temperature
    real(wp) :: change
    integer :: round
    temperature = (energy - heat_evaporation*vapour)/heat_dry
    if (saturation(temperature, pressure) >= vapour) return
    do round = 1, 8
      change = (energy - heat_dry*temperature - heat_evaporation*saturation(temperature, pressure)) &
             /(heat_dry + heat_evaporation*saturation_slope(temperature, pressure))
      temperature = temperature + max(-15.0_wp, min(15.0_wp, change))
      if (abs(change) < 1.0e-4_wp) exit
    end do
  end subroutine lift
end module cm_convection_mod
