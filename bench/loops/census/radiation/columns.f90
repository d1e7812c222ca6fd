! Radiation of columns: two streams for long waves, adding for short waves.
module radiation_columns
  use census_support, only: wp, int64, fill, add
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nz = 10, bands = 6
  real(wp), parameter :: diffusivity = 1.66_wp
contains
  subroutine longwave(n, t, q, o3, gas_of, level_of, down, up, heat)
    integer, intent(in) :: n, gas_of(bands), level_of(bands)
    real(wp), intent(in) :: t(0:nz, n), q(nz, n), o3(nz, n)
    real(wp), intent(inout) :: down(0:nz, n), up(0:nz, n), heat(nz, n)
    real(wp) :: tau(nz), trans(nz), source(0:nz), d(0:nz), u(0:nz), weights(2, bands), path, window, cold, surface, emit, ratio
    integer :: i, k, b, g
    ! truth: parallel i; private tau trans source d u weights
    ! truth+ features private-array stride unseen indirect sections
    do i = 1, n
      down(:, i) = 0
      up(:, i) = 0
      do b = 1, bands
        weights(1, b) = 1.0_wp/bands
        weights(2, b) = 0.5_wp + 0.1_wp*b
      end do
      do b = 1, bands
        g = gas_of(b)
        do k = 1, nz
          if (g == 1) then
            tau(k) = q(k, i)*10**(b - 3)
          else if (g == 2) then
            tau(k) = o3(k, i)*0.5_wp*b
          else
            tau(k) = 0.01_wp*weights(2, b)
          end if
          path = diffusivity*tau(k)
          if (path < 1e-4_wp) then
            trans(k) = 1 - path + 0.5_wp*path**2
          else
            trans(k) = exp(-path)
          end if
        end do
        do k = 0, nz
          source(k) = planck(b, t(k, i))
        end do
        window = tau(level_of(b))
        cold = source(level_of(b))
        d(nz) = 0
        do k = nz, 1, -1
          ratio = 0.5_wp
          if (tau(k) > 1e-3_wp) ratio = 1/tau(k) - trans(k)/(1 - trans(k))
          emit = (1 - trans(k))*(source(k - 1)*(1 - ratio) + source(k)*ratio)
          d(k - 1) = d(k)*trans(k) + emit
        end do
        surface = 0.97_wp
        u(0) = surface*source(0) + (1 - surface)*d(0)
        do k = 1, nz
          ratio = 0.5_wp
          if (tau(k) > 1e-3_wp) ratio = 1/tau(k) - trans(k)/(1 - trans(k))
          emit = (1 - trans(k))*(source(k - 1)*ratio + source(k)*(1 - ratio))
          u(k) = u(k - 1)*trans(k) + emit
        end do
        if (window < 0.05_wp) then
          u(nz) = u(nz) + 0.01_wp*cold
          d(0) = d(0) + 0.01_wp*cold
        end if
        down(:, i) = down(:, i) + weights(1, b)*d
        up(:, i) = up(:, i) + weights(1, b)*u
      end do
      do k = 1, nz - 1, 2
        heat(k, i) = (up(k - 1, i) - up(k, i) - down(k - 1, i) + down(k, i))*0.01_wp
        heat(k + 1, i) = (up(k, i) - up(k + 1, i) - down(k, i) + down(k + 1, i))*0.01_wp
      end do
      heat(nz, i) = heat(nz, i) + 0.001_wp*(down(nz, i) - up(nz, i))
      heat(1, i) = heat(1, i) + 0.001_wp*(up(0, i) - down(0, i))
    end do
  end subroutine longwave

  subroutine shortwave(n, t, q, cloud, albedo, zenith, flux, absorbed)
    integer, intent(in) :: n
    real(wp), intent(in) :: t(0:nz, n), q(nz, n), cloud(nz, n), albedo(n), zenith(n)
    real(wp), intent(inout) :: flux(0:nz, n), absorbed(n)
    real(wp) :: r(0:nz), td(0:nz), above(0:nz), below(0:nz), tau(nz), single(nz), asym(nz), direct(0:nz)
    real(wp) :: mu, g1, g2, lambda, gam, e1, e2, f, vapour, denominator, s0
    integer :: i, k, b
    ! truth: parallel i; private r td above below tau single asym direct
    ! truth+ features private-array stride unseen array-intrinsic
    do i = 1, n
      mu = max(zenith(i), 0.05_wp)
      do k = 0, nz
        flux(k, i) = 0
      end do
      do b = 1, 5, 2
        s0 = 200.0_wp/b
        do k = 1, nz
          vapour = q(k, i)*saturation_pressure(t(k, i))*1e-4_wp
          tau(k) = 0.02_wp*b + vapour + 2*cloud(k, i)
          single(k) = (0.01_wp*b + 1.98_wp*cloud(k, i))/tau(k)
          single(k) = min(single(k), 0.999_wp)
          asym(k) = 0.85_wp*cloud(k, i)/(cloud(k, i) + 0.01_wp)
          f = asym(k)**2
          tau(k) = tau(k)*(1 - single(k)*f)
          single(k) = single(k)*(1 - f)/(1 - single(k)*f)
          asym(k) = (asym(k) - f)/(1 - f)
        end do
        direct(nz) = 1
        do k = nz, 1, -1
          direct(k - 1) = direct(k)*exp(-tau(k)/mu)
        end do
        r(0) = albedo(i)
        td(0) = 0
        do k = 1, nz
          g1 = 0.25_wp*(7 - single(k)*(4 + 3*asym(k)))
          g2 = -0.25_wp*(1 - single(k)*(4 - 3*asym(k)))
          lambda = sqrt(max(g1**2 - g2**2, 1e-6_wp))
          gam = g2/(g1 + lambda)
          e1 = exp(-lambda*tau(k))
          e2 = e1*e1
          denominator = 1 - gam**2*e2
          r(k) = gam*(1 - e2)/denominator
          td(k) = e1*(1 - gam**2)/denominator
        end do
        below(0) = r(0)
        do k = 1, nz
          denominator = 1 - below(k - 1)*r(k)
          below(k) = r(k) + td(k)**2*below(k - 1)/denominator
        end do
        above(nz) = 0
        do k = nz, 1, -1
          denominator = 1 - above(k)*r(k)
          above(k - 1) = r(k) + td(k)**2*above(k)/denominator
        end do
        do k = 0, nz
          denominator = 1 - above(k)*below(k)
          flux(k, i) = flux(k, i) + s0*mu*direct(k)*(1 - below(k))/denominator
        end do
      end do
      absorbed(i) = sum(flux(1:nz, i) - flux(0:nz - 1, i))
      if (absorbed(i) < 0) then
        absorbed(i) = absorbed(i) + maxval(flux(:, i))*1e-3_wp
        flux(0, i) = max(flux(0, i), 0.0_wp)
      end if
      if (minval(flux(:, i)) < 0) then
        flux(nz, i) = flux(nz, i) - minval(flux(:, i))
        absorbed(i) = 0
      end if
    end do
  end subroutine shortwave

  subroutine run_radiation_columns(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 15
    real(wp) :: t(0:nz, n), q(nz, n), o3(nz, n), down(0:nz, n), up(0:nz, n), heat(nz, n), albedo(n), mu(n), absorbed(n)
    call fill(t, (nz + 1)*n, 1, 210.0_wp, 300.0_wp)
    call fill(q, nz*n, 2, 0.0_wp, 0.02_wp)
    call fill(o3, nz*n, 3)
    heat = 0
    call longwave(n, t, q, o3, [1, 2, 3, 1, 2, 3], [1, 5, 10, 2, 7, 3], down, up, heat)
    call add(bits, heat, nz*n)
    call fill(albedo, n, 4, 0.1_wp, 0.8_wp)
    call fill(mu, n, 5)
    call shortwave(n, t, q, o3, albedo, mu, down, absorbed)
    call add(bits, down, (nz + 1)*n)
    call add(bits, absorbed, n)
  end subroutine run_radiation_columns
end module radiation_columns
