! Ocean tracers on a sphere: advection, diffusion, equation of state, masks, sea ice, a simple
! ecosystem.
module ocean_tracers
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nx = 18, ny = 14, nz = 6, nt = 3, ncat = 5
  real(wp) :: t(0:nx + 1, 0:ny + 1, nz, nt), new(nx, ny, nz, nt), u(0:nx, ny, nz), v(nx, 0:ny, nz)
  real(wp) :: dz(nz), area(nx, ny), rho(nx, ny, nz)
  real(wp) :: eta(nx, ny), taux(nx, ny), stream(0:nx, 0:ny), runoff(nx, ny), zonal(ny), total(nt), profile(nz), heat, volume
  real(wp) :: ice(ncat, nx), thick(ncat, nx), snow(nx), air(nx), sea(nx), growth(nx), conc(nx)
  integer :: levels(nx, ny), basin(nx, ny), neighbour(nx)
  logical :: ocean(nx, ny)
  real(wp), parameter :: kappa = 0.02_wp, dt = 0.1_wp
contains
  pure real(wp) function eos(temp, salt)
    real(wp), intent(in) :: temp, salt
    eos = 1028 - 0.15_wp*(temp - 10) + 0.78_wp*(salt - 35)
  end function eos

  pure subroutine mix(a, b, w)
    real(wp), intent(inout) :: a, b
    real(wp), intent(in) :: w
    real(wp) :: mean
    mean = 0.5_wp*(a + b)
    a = a + w*(mean - a)
    b = b + w*(mean - b)
  end subroutine mix

  subroutine spread_snow(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    x = 0.5_wp*x + 0.5_wp*sum(x)/n
  end subroutine spread_snow

  subroutine transport()
    integer :: i, j, k, n
    real(wp) :: flux_e, flux_w
    ! truth: parallel n k j i; private flux_e flux_w; features core
    do n = 1, nt
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            flux_e = 0.5_wp*u(i, j, k)*(t(i, j, k, n) + t(i + 1, j, k, n))
            flux_w = 0.5_wp*u(i - 1, j, k)*(t(i - 1, j, k, n) + t(i, j, k, n))
            new(i, j, k, n) = t(i, j, k, n) - dt*(flux_e - flux_w)
          end do
        end do
      end do
    end do
    ! truth: parallel n k j i; features core
    do n = 1, nt
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            new(i, j, k, n) = new(i, j, k, n) + kappa*(t(i, j + 1, k, n) - 2*t(i, j, k, n) + t(i, j - 1, k, n))
          end do
        end do
      end do
    end do
    ! truth: parallel n k j i; features core
    do n = 1, nt
      do k = 2, nz
        do j = 1, ny
          do i = 1, nx
            if (levels(i, j) >= k) new(i, j, k, n) = new(i, j, k, n) + 1e-3_wp*(t(i, j, k - 1, n) - t(i, j, k, n))/dz(k)
          end do
        end do
      end do
    end do
    ! truth: parallel n k j i; features core
    do n = 1, nt
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            t(i, j, k, n) = new(i, j, k, n)
          end do
        end do
      end do
    end do
    ! truth: parallel n k; features sections
    do n = 1, nt
      do k = 1, nz
        t(0, :, k, n) = t(nx, :, k, n)
        t(nx + 1, :, k, n) = t(1, :, k, n)
      end do
    end do
    ! truth: parallel k j i; features function-known
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          rho(i, j, k) = eos(t(i, j, k, 1), t(i, j, k, 2))
        end do
      end do
    end do
    ! truth: parallel j i; private k; features calls-known
    do j = 1, ny
      do i = 1, nx
        do k = 1, nz - 1
          if (rho(i, j, k) > rho(i, j, k + 1)) call mix(t(i, j, k, 1), t(i, j, k + 1, 1), 0.9_wp)
        end do
      end do
    end do
    ! truth: parallel n; private k j i; features core
    do n = 1, nt
      total(n) = 0
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            total(n) = total(n) + t(i, j, k, n)*dz(k)*area(i, j)
          end do
        end do
      end do
    end do
    ! truth: parallel n; private k j i; reduction +:heat; features reduction
    do n = 1, nt, 2
      do k = 1, nz
        do j = 1, ny
          do i = 1, nx
            heat = heat + n*t(i, j, k, n)*dz(k)
          end do
        end do
      end do
    end do
    ! truth: parallel k j; private i; features core
    do k = 1, nz
      do j = 1, ny
        do i = 2, nx
          rho(i, j, k) = rho(i, j, k) + 0.1_wp*rho(i - 1, j, k)
        end do
      end do
    end do
  end subroutine transport

  subroutine surface()
    integer :: i, j, k
    real(wp) :: w
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        if (ocean(i, j)) eta(i, j) = eta(i, j) - dt*(u(i, j, 1) - u(i - 1, j, 1) + v(i, j, 1) - v(i, j - 1, 1))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        u(i, j, 1) = u(i, j, 1) + dt*taux(i, j)/(dz(1) + eta(i, j))
      end do
    end do
    ! truth: parallel j i; private k; features core
    do j = 1, ny
      do i = 1, nx
        do k = 2, nz
          v(i, j, k) = v(i, j, k) + 0.2_wp*(v(i, j, k - 1) - v(i, j, k))
        end do
      end do
    end do
    ! truth: parallel i; private j; features core
    do i = 0, nx
      stream(i, 0) = 0
      do j = 1, ny
        stream(i, j) = stream(i, j - 1) - u(i, j, 1)*dz(1)
      end do
    end do
    ! truth: parallel j; private i; features core
    do j = 1, ny
      zonal(j) = 0
      do i = 1, nx
        if (ocean(i, j)) zonal(j) = zonal(j) + t(i, j, 1, 1)
      end do
    end do
    volume = 0
    ! truth: parallel j i; reduction +:volume; features reduction
    do j = 1, ny
      do i = 1, nx
        if (basin(i, j) == 1 .and. ocean(i, j)) volume = volume + area(i, j)*(dz(1) + eta(i, j))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        levels(i, j) = merge(nz, min(levels(i, j), 3), ocean(i, j))
      end do
    end do
    ! truth: parallel i j; features concurrent
    do concurrent (i=1:nx, j=1:ny, ocean(i, j))
      runoff(i, j) = 0
    end do
    ! truth: parallel j i; features concurrent
    do concurrent (j=1:ny, i=1:nx)
      taux(i, j) = taux(i, j)*(1 - 0.01_wp*j)
    end do
    ! truth: parallel k; features concurrent
    do concurrent (k=2:nz)
      profile(k) = sqrt(profile(k)) + dz(k)
    end do
    ! truth: parallel k; features array-intrinsic
    do k = 1, nz
      profile(k) = maxval(t(1:nx, 1:ny, k, 1)) - minval(t(1:nx, 1:ny, k, 1))
    end do
    ! truth: refused private-array|whole-array|same-element profile; features core
    do j = 1, ny
      do k = 2, nz
        profile(k) = t(1, j, k, 1) + 0.1_wp*profile(k - 1) !<
      end do
      zonal(j) = zonal(j) + profile(nz)
    end do
    w = 0
    ! truth: refused carried-scalar w; features core
    do j = 1, ny
      do i = 1, nx
        w = 0.9_wp*w + 0.1_wp*eta(i, j) !<
        runoff(i, j) = runoff(i, j) + w !<
      end do
    end do
    ! truth: refused same-element zonal; features core
    do j = 1, ny
      do i = 1, nx
        zonal(3) = max(zonal(3)*0.99_wp, eta(i, j)) !<
      end do
    end do
  end subroutine surface

  subroutine sea_ice(thickest, last_conc)
    real(wp), intent(inout) :: thickest, last_conc
    integer :: i, c, n
    real(wp) :: flux, melt, freeze, conduct, es, drag, x, open_water, c0, edge(0:ncat)
    ! truth: parallel i; last c0
    ! truth+ features unseen stride indirect last
    do i = 1, nx
      n = neighbour(i)
      es = saturation_pressure(air(i))
      drag = 1e-3_wp*stability((air(n) - sea(i))*0.1_wp)
      conc(i) = 0
      do c = 1, ncat
        conc(i) = conc(i) + ice(c, i)
      end do
      if (conc(i) > 1) then
        do c = 1, ncat
          ice(c, i) = ice(c, i)/conc(i)
        end do
        conc(i) = 1
      end if
      open_water = 1 - conc(i)
      flux = 20*(air(i) - 271.35_wp) + 0.01_wp*es*drag
      growth(i) = 0
      do c = 1, ncat
        conduct = 2.03_wp/(thick(c, i) + 0.3_wp*snow(i) + 0.05_wp)
        freeze = conduct*(271.35_wp - air(i))*1e-3_wp
        melt = max(flux, 0.0_wp)*1e-3_wp
        thick(c, i) = thick(c, i) + dt*(freeze - melt)
        if (thick(c, i) < 0) then
          ice(c, i) = 0
          thick(c, i) = 0
        end if
        growth(i) = growth(i) + ice(c, i)*(freeze - melt)
      end do
      do c = 1, ncat - 1, 2
        x = 0.05_wp*(ice(c + 1, i) - ice(c, i))
        ice(c, i) = ice(c, i) + x
        ice(c + 1, i) = ice(c + 1, i) - x
      end do
      if (air(i) < 271 .and. open_water > 0.01_wp) then
        ice(1, i) = ice(1, i) + 0.1_wp*open_water
        thick(1, i) = max(thick(1, i), 0.1_wp)
        growth(i) = growth(i) + 0.01_wp*open_water
      end if
      snow(i) = snow(i)*(1 - 0.1_wp*min(max(flux, 0.0_wp), 1.0_wp))
      c0 = conc(i)
      conc(i) = min(conc(i) + 0.1_wp*open_water, 1.0_wp)
    end do
    last_conc = c0
    ! truth: parallel i; features calls-known
    do i = 1, nx
      call spread_snow(ncat, thick(:, i))
      snow(i) = snow(i) + 1e-3_wp*thick(1, i)
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nx - 1, 2
      call mix(snow(i), snow(i + 1), 0.5_wp)
    end do
    ! truth: parallel i; reduction max:thickest; private c; features reduction
    do i = 1, nx
      do c = 1, ncat
        if (ice(c, i) > 0) thickest = max(thickest, thick(c, i))
      end do
    end do
    ! truth: parallel i; private edge c; features private-array
    do i = 1, nx
      edge(0) = 0
      do c = 1, ncat
        edge(c) = edge(c - 1) + ice(c, i)
      end do
      do c = 1, ncat
        thick(c, i) = thick(c, i)*(edge(c) - edge(c - 1))/(edge(ncat) + 0.1_wp)
      end do
    end do
    ! truth: parallel c i; features core
    do c = 1, ncat
      do i = 1, nx
        ice(c, i) = max(ice(c, i) - 1e-9_wp*c, 0.0_wp)
      end do
    end do
    ! truth: parallel i; features exit-cycle
    do i = 1, nx
      if (conc(i) < 0.01_wp) cycle
      growth(i) = growth(i)/conc(i)
      snow(i) = snow(i)*conc(i)
    end do
    x = 0
    ! truth: parallel i; last x; census last-value; features core
    do i = 1, nx
      air(i) = air(i) + 0.01_wp*growth(i)
      if (air(i) > 273) x = air(i)
    end do
    thickest = thickest + 1e-3_wp*x
  end subroutine sea_ice

  subroutine run_ocean_tracers(bits)
    integer(int64), intent(inout) :: bits
    real(wp) :: thickest, last_conc
    integer :: i
    call fill(t, size(t), 1, 5.0_wp, 25.0_wp)
    call fill(u, size(u), 2, -0.5_wp, 0.5_wp)
    call fill(v, size(v), 3, -0.5_wp, 0.5_wp)
    call fill(area, size(area), 4)
    call fill(eta, size(eta), 5)
    call fill(taux, size(taux), 6)
    call fill(runoff, size(runoff), 7)
    call fill_int(levels, size(levels), 8, 1, nz)
    call fill_int(basin, size(basin), 9, 1, 2)
    call fill(ice, size(ice), 10, 0.0_wp, 0.3_wp)
    call fill(thick, size(thick), 11)
    call fill(snow, nx, 12)
    call fill(air, nx, 13, 250.0_wp, 280.0_wp)
    call fill(sea, nx, 14, 271.0_wp, 280.0_wp)
    neighbour = [(mod(i, nx) + 1, i=1, nx)]
    ocean = basin == 1 .or. levels > 2
    dz = [(2.0_wp*i, i=1, nz)]
    profile = 1
    heat = 0
    thickest = 0
    call transport()
    call surface()
    call sea_ice(thickest, last_conc)
    call add(bits, t, size(t))
    call add(bits, rho, size(rho))
    call add(bits, stream, size(stream))
    call add(bits, zonal, ny)
    call add(bits, total, nt)
    call add(bits, runoff, size(runoff))
    call add(bits, ice, size(ice))
    call add(bits, thick, size(thick))
    call add(bits, [heat, volume, thickest, last_conc], 4)
  end subroutine run_ocean_tracers
end module ocean_tracers
