! Radiation by bands: optical depths, sources, fluxes, clouds, aerosols, look-up tables, rays.
module radiation_bands
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nc = 20, nz = 9, nb = 7, ng = 4, nr = 25
  real(wp) :: tau(nb, nz, nc), ssa(nb, nz, nc), g(nb, nz, nc), t(nz, nc), gas(ng, nz, nc), kabs(ng, nb), flux(nz, nc), sfc(nc)
  real(wp) :: bandflux(nb, nc)
  real(wp) :: cloud(nz, nc), over(nc), path(nz), ray(nr), hit(nr), mu(nc), table(100)
  real(wp) :: heating(nz, nc), solar(nb), toa, olr, down(nc), up(nc)
  integer :: itab(nz, nc), kind_of(nc), steps(nr)
  type optics
    real(wp), allocatable :: e(:, :), w(:, :)
    real(wp) :: factor
  end type optics
  type(optics) :: liquid, ice
contains
  pure real(wp) function delta(g0, f)
    real(wp), intent(in) :: g0, f
    delta = (g0 - f)/(1 - f)
  end function delta

  pure subroutine two_stream(tau0, w0, r, t0)
    real(wp), intent(in) :: tau0, w0
    real(wp), intent(out) :: r, t0
    r = w0*tau0/(2 + tau0)
    t0 = (1 - r)*exp(-tau0*(1 - w0))
  end subroutine two_stream

  subroutine optical()
    integer :: i, k, b, m
    real(wp) :: x, y
    ! truth: parallel i k b; features core
    do i = 1, nc
      do k = 1, nz
        do b = 1, nb
          tau(b, k, i) = 0.01_wp*b + cloud(k, i)
        end do
      end do
    end do
    ! truth: parallel i k b; private m; features core
    do i = 1, nc
      do k = 1, nz
        do b = 1, nb
          do m = 1, ng
            tau(b, k, i) = tau(b, k, i) + kabs(m, b)*gas(m, k, i)
          end do
        end do
      end do
    end do
    ! truth: parallel i k; features sections
    do i = 1, nc
      do k = 1, nz
        ssa(:, k, i) = cloud(k, i)/(tau(:, k, i) + 1e-6_wp)
      end do
    end do
    ! truth: parallel i k b; features function-known
    do i = 1, nc
      do k = 1, nz
        do b = 1, nb
          g(b, k, i) = delta(0.85_wp, g(b, k, i)**2*0.5_wp)
        end do
      end do
    end do
    ! truth: parallel i k; private b x; features core
    do i = 1, nc
      do k = 1, nz
        x = 0
        do b = 1, nb
          x = x + solar(b)*exp(-tau(b, k, i))
        end do
        flux(k, i) = x
      end do
    end do
    ! truth: parallel i k; features component
    do i = 1, nc
      do k = 1, nz
        liquid%e(k, i) = liquid%factor*cloud(k, i)/(t(k, i)*0.01_wp)
      end do
    end do
    ! truth: parallel i k; features component
    do i = 1, nc
      do k = 1, nz
        if (t(k, i) < 250) then
          ice%w(k, i) = 0.9_wp
        else
          ice%w(k, i) = liquid%w(k, i)*ice%factor
        end if
      end do
    end do
    ! truth: parallel i k; private x; features core
    do i = 1, nc
      do k = 1, nz
        x = 1 + 99*min(max((t(k, i) - 200)/120, 0.0_wp), 1.0_wp)
        itab(k, i) = int(x)
      end do
    end do
    ! truth: parallel i; private k; features core
    do i = 1, nc
      over(i) = 1
      do k = nz, 1, -1
        over(i) = over(i)*(1 - min(cloud(k, i), 0.99_wp))
      end do
    end do
    ! truth: parallel i; features core
    do i = 1, nc
      sfc(i) = 5.67e-8_wp*t(1, i)**4
    end do
    ! truth: parallel i b; features unseen
    do i = 1, nc
      do b = 1, nb
        bandflux(b, i) = planck(b, t(1, i))*over(i)
      end do
    end do
    ! truth: parallel i; private k; features calls-known
    do i = 1, nc
      down(i) = 1
      do k = 1, nz
        call two_stream(tau(1, k, i), 0.5_wp, up(i), heating(k, i))
        down(i) = down(i)*heating(k, i)
      end do
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nc
      call two_stream(down(i), over(i), up(i), mu(i))
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nc
      if (kind_of(i) /= 2) call two_stream(mu(i), 0.1_wp*kind_of(i), down(i), up(i))
    end do
    toa = 0
    ! truth: parallel i b; reduction +:toa; features reduction
    do i = 1, nc
      do b = 1, nb
        toa = toa + solar(b)*mu(i)
      end do
    end do
    olr = 0
    ! truth: parallel i; private y; reduction +:olr; features reduction
    do i = 1, nc
      y = up(i) - down(i)
      if (y > 0) olr = olr + y*sfc(i)
    end do
    ! truth: parallel i k; features core
    do i = 1, nc
      do k = 2, nz
        heating(k, i) = (flux(k, i) - flux(k - 1, i))/(k*10.0_wp)
      end do
    end do
    ! truth: parallel k; private i; features core
    do k = 1, nz
      path(k) = 0
      do i = nc, 1, -1
        path(k) = 0.5_wp*path(k) + heating(k, i)
      end do
    end do
    ! truth: parallel m; features core
    do m = 1, 100
      table(m) = 1 - exp(-0.05_wp*m)
    end do
    ! truth: parallel b; features core
    do b = 1, nb
      solar(b) = solar(b)*(1 + 0.01_wp*cos(0.3_wp*b))
    end do
  end subroutine optical

  subroutine rays()
    integer :: r, k, s
    real(wp) :: x, y, bend, density, sound, weight, strength, back
    ! truth: parallel r
    ! truth+ features stride unseen
    do r = 1, nr
      x = 0.1_wp*r
      y = 1
      strength = 1
      back = 0
      steps(r) = 0
      hit(r) = 0
      do s = 1, 40
        k = min(int(x) + 1, nz)
        call fluid_state(1e5_wp*exp(-0.1_wp*x), t(k, 1 + mod(r, nc)), density, sound)
        bend = 1e-3_wp*density*y
        weight = stability(bend - 0.5_wp)
        if (weight < 0.5_wp) then
          y = y*0.9_wp
          bend = 0.5_wp*bend
        else
          y = y*0.99_wp
        end if
        strength = strength*(1 - 0.02_wp*density)
        strength = max(strength, 0.05_wp)
        x = x + 0.25_wp*y - bend
        if (x < 0) then
          x = -x
          y = -y
          back = back + 1
        end if
        x = min(x, nz - 1.0_wp)
        hit(r) = hit(r) + strength*planck(1 + mod(s, 3), t(k, 1 + mod(r, nc)))
        steps(r) = steps(r) + 1
      end do
      ray(r) = x + 0.1_wp*back
      do k = 1, nz, 2
        ray(r) = ray(r) + 1e-3_wp*t(k, 1 + mod(r, nc))
        hit(r) = hit(r)*(1 - 1e-3_wp*cloud(k, 1 + mod(r, nc)))
      end do
      if (hit(r) > 5) then
        hit(r) = 5 + log(hit(r) - 4)
        steps(r) = -steps(r)
      else if (hit(r) < 0.01_wp) then
        hit(r) = 0.01_wp
      end if
      ray(r) = ray(r)*saturation_pressure(t(1, 1 + mod(r, nc)))*1e-3_wp
    end do
  end subroutine rays

  subroutine run_radiation_bands(bits)
    integer(int64), intent(inout) :: bits
    call fill(t, nz*nc, 1, 220.0_wp, 300.0_wp)
    call fill(gas, size(gas), 2)
    call fill(kabs, size(kabs), 3)
    call fill(cloud, nz*nc, 4)
    call fill(g, size(g), 5)
    call fill(solar, nb, 6)
    call fill(mu, nc, 7)
    call fill_int(kind_of, nc, 8, 1, 3)
    liquid = optics(t, t*1e-3_wp, 1.5_wp)
    ice = liquid
    call optical()
    call rays()
    call add(bits, tau, size(tau))
    call add(bits, ssa, size(ssa))
    call add(bits, g, size(g))
    call add(bits, heating, nz*nc)
    call add(bits, bandflux, nb*nc)
    call add(bits, up, nc)
    call add(bits, path, nz)
    call add(bits, ray, nr)
    call add(bits, hit, nr)
    call add(bits, ice%w, nz*nc)
    call add(bits, liquid%e, nz*nc)
    call add(bits, table, 100)
    call add(bits, [toa, olr], 2)
    call add_int(bits, itab, nz*nc)
    call add_int(bits, steps, nr)
  end subroutine run_radiation_bands
end module radiation_bands
