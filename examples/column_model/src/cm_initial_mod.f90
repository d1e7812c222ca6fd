! First values: columns from the tropics to the poles, sea and land in turns, hills on land.
module cm_initial_mod
  use cm_constants_mod, only: wp, pi, gravity, gas_dry, kappa, pressure_0, soil_layers
  use cm_saturation_mod, only: saturation
  use cm_state_mod
  implicit none
  private
  public :: set_initial

contains

  subroutine set_initial
    call place_columns
    call set_layers
    call set_air
    call set_soil
  end subroutine set_initial

  subroutine place_columns
    integer :: i
    real(wp) :: s
    do i = 1, nc
      s = (real(i, wp) - 0.5_wp)/real(nc, wp)
      latitude(i) = (s - 0.5_wp)*pi*0.9_wp
      longitude(i) = 2*pi*modulo(0.618034_wp*real(i, wp), 1.0_wp)
      sea(i) = modulo(i*7, 10) < 6
      if (sea(i)) then
        roughness(i) = 1.0e-4_wp
        albedo(i) = 0.07_wp
        hills(i) = 0
      else
        roughness(i) = 0.02_wp + 0.5_wp*modulo(0.37_wp*real(i, wp), 1.0_wp)
        albedo(i) = 0.15_wp + 0.15_wp*sin(latitude(i))**2
        hills(i) = 300*modulo(0.73_wp*real(i, wp), 1.0_wp)
      end if
      ts(i) = 300 - 35*sin(latitude(i))**2
      if (.not. sea(i)) ts(i) = ts(i) + 4*cos(2*pi*real(i, wp)/97)
    end do
  end subroutine place_columns

  ! Half levels close to each other near the ground, up to 2000 Pa.
  subroutine set_layers
    integer :: i, k
    real(wp) :: s, surface
    do k = 0, nz
      do i = 1, nc
        surface = 101325 - 1500*sin(3*latitude(i))**2 - 12*hills(i)
        s = real(k, wp)/real(nz, wp)
        p_half(i, k) = 2000 + (surface - 2000)*(1 - s)**1.4_wp*(1 - 0.25_wp*s)
      end do
    end do
    do k = 1, nz
      do i = 1, nc
        p(i, k) = 0.5_wp*(p_half(i, k - 1) + p_half(i, k))
        mass(i, k) = (p_half(i, k - 1) - p_half(i, k))/gravity
        exner(i, k) = (p(i, k)/pressure_0)**kappa
      end do
    end do
  end subroutine set_layers

  subroutine set_air
    integer :: i, k
    real(wp) :: humidity
    do k = 1, nz
      do i = 1, nc
        t(i, k) = max(ts(i)*(p(i, k)/p_half(i, 0))**(gas_dry*0.007_wp/gravity), 205 + 5*sin(latitude(i))**2)
        humidity = 0.9_wp*(p(i, k)/p_half(i, 0))**0.7_wp + 0.08_wp*sin(0.05_wp*real(i, wp))
        q(i, k) = max(min(humidity, 0.98_wp), 0.02_wp)*saturation(t(i, k), p(i, k))
        if (p(i, k) < 1.5e4_wp) q(i, k) = 3.0e-6_wp
        qc(i, k) = 0
        qr(i, k) = 0
        u(i, k) = 25*sin(2*latitude(i))**2*(1 - p(i, k)/p_half(i, 0)) + 4*cos(latitude(i))
        v(i, k) = 2*sin(0.11_wp*real(i, wp))
      end do
    end do
    cover = 0
    depth = 0
    heating_short = 0
    heating_long = 0
  end subroutine set_air

  subroutine set_soil
    integer :: i, k
    do k = 1, soil_layers
      do i = 1, nc
        t_soil(i, k) = ts(i) - 0.4_wp*real(k - 1, wp)
      end do
    end do
    w_soil = 60
    sun = 0
    short_down = 0
    long_down = 0
    sensible = 0
    evaporation = 0
    drag = 0
    rain = 0
    rain_deep = 0
    evaporated = 0
    runoff = 0
  end subroutine set_soil
end module cm_initial_mod
