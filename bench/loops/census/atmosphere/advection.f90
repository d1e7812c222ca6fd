! Transport of tracers: fluxes, limiters, filling of negative values, moments, and vertical
! remapping.
module advection
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use atmosphere_grid, only: nx, ny, nz, dx, dy, dt, clip, virtual
  use interfaces_of_libraries
  implicit none
  real(wp) :: q(nx, ny, nz), c(0:nx + 1, 0:ny + 1), fe(0:nx, ny), fn(nx, 0:ny), qmin(nx, ny), qmax(nx, ny)
  real(wp) :: cx(0:nx, ny), cy(nx, 0:ny)
  real(wp) :: col(nx, nz), ratio(nx), mass(nx), zonal(ny, nz), spectrum(0:nx), wave(nx), tau(nz)
  real(wp) :: surf(nx, ny), sx(nx, ny), sxx(nx, ny), top, low
  integer :: kbot(nx, ny), mask(nx, ny)
contains
  pure real(wp) function van_leer(r)
    real(wp), intent(in) :: r
    van_leer = (r + abs(r))/(1 + abs(r))
  end function van_leer

  pure subroutine upstream(left, right, courant, flux)
    real(wp), intent(in) :: left, right, courant
    real(wp), intent(out) :: flux
    flux = max(courant, 0.0_wp)*left + min(courant, 0.0_wp)*right
  end subroutine upstream

  subroutine fill_holes(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    integer :: k
    do k = 2, n
      if (x(k) < 0) then
        x(k - 1) = x(k - 1) + x(k)
        x(k) = 0
      end if
    end do
  end subroutine fill_holes

  subroutine horizontal()
    integer :: i, j
    real(wp) :: r, total
    ! truth: parallel j i; features calls-known
    do j = 1, ny
      do i = 0, nx
        call upstream(c(i, j), c(i + 1, j), cx(i, j), fe(i, j))
      end do
    end do
    ! truth: parallel j i; features calls-known
    do j = 0, ny
      do i = 1, nx
        call upstream(c(i, j), c(i, j + 1), 0.5_wp*cy(i, j), fn(i, j))
      end do
    end do
    ! truth: parallel j i; private r; features function-known
    do j = 1, ny
      do i = 1, nx - 1
        r = (c(i, j) - c(i - 1, j))/(c(i + 1, j) - c(i, j) + 1e-9_wp)
        fe(i, j) = fe(i, j)*(1 - 0.1_wp*van_leer(r))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        qmin(i, j) = min(c(i - 1, j), c(i, j), c(i + 1, j), c(i, j - 1), c(i, j + 1))
        qmax(i, j) = max(c(i - 1, j), c(i, j), c(i + 1, j), c(i, j - 1), c(i, j + 1))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        c(i, j) = c(i, j) - (fe(i, j) - fe(i - 1, j)) - (fn(i, j) - fn(i, j - 1))
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        c(i, j) = min(qmax(i, j), max(qmin(i, j), c(i, j)))
      end do
    end do
    ! truth: parallel j i; features calls-known
    do j = 1, ny
      do i = 1, nx
        call clip(c(i, j), 0.0_wp, 1.5_wp)
      end do
    end do
    ! truth: parallel j i; features core
    do j = 2, ny - 1
      do i = 2, nx - 1
        sx(i, j) = 0.5_wp*(c(i + 1, j) - c(i - 1, j))
        sxx(i, j) = c(i + 1, j) - 2*c(i, j) + c(i - 1, j)
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        if (mask(i, j) == 0) then
          surf(i, j) = 0
        else
          surf(i, j) = c(i, j)*mask(i, j)
        end if
      end do
    end do
    total = 0
    ! truth: parallel j i; private r; reduction +:total; features reduction
    do j = 1, ny
      do i = 1, nx
        r = sx(i, j)**2
        total = total + r/(1 + r)
      end do
    end do
    low = total
    top = 0
    ! truth: parallel j i; reduction max:top min:low; features reduction
    do j = 1, ny
      do i = 1, nx
        top = max(top, surf(i, j))
        low = min(low, sxx(i, j))
      end do
    end do
    ! truth: parallel j; private i; features exit-cycle
    do j = 1, ny
      do i = 1, nx
        if (surf(i, j) > 0.5_wp) exit
        surf(i, j) = -1
      end do
    end do
    ! truth: parallel i; private j; features core
    do i = 1, nx
      do j = 2, ny
        cy(i, j) = max(cy(i, j), 0.5_wp*cy(i, j - 1))
      end do
    end do
    ! truth: parallel j; features stride
    do j = 1, ny, 3
      cx(0, j) = cx(nx, j)
    end do
    ! truth: parallel i j; features concurrent
    do concurrent (j=1:ny, i=1:nx, mask(i, j) > 0)
      kbot(i, j) = nz - mask(i, j)
    end do
  end subroutine horizontal

  subroutine vertical()
    integer :: i, j, k
    ! truth: parallel j i; features sections calls-known
    do j = 1, ny
      do i = 1, nx
        call fill_holes(nz, q(i, j, :))
      end do
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nx
      call fill_holes(nz/2, col(i, 1:nz:2))
    end do
    ! truth: parallel i; private k; features core
    do i = 1, nx
      mass(i) = 0
      do k = 1, nz
        mass(i) = mass(i) + col(i, k)*tau(k)
      end do
    end do
    ! truth: parallel j i; private k; features core
    do j = 1, ny
      do i = 1, nx
        do k = kbot(i, j), nz
          q(i, j, k) = 0.5_wp*q(i, j, k)
        end do
      end do
    end do
    ! truth: parallel k j; private i; features core
    do k = 1, nz
      do j = 1, ny
        zonal(j, k) = 0
        do i = 1, nx
          zonal(j, k) = zonal(j, k) + q(i, j, k)/nx
        end do
      end do
    end do
    ! truth: parallel k i; features core
    do k = 1, nz
      do i = 1, nx
        col(i, k) = col(i, k)*mass(i)/(1e-9_wp + tau(k))
      end do
    end do
    ! truth: parallel k; private i; features core
    do k = 1, nz
      tau(k) = 1
      do i = 1, nx
        if (col(i, k) > tau(k)) tau(k) = col(i, k)
      end do
    end do
    ! truth: parallel i; private k; features core
    do i = 0, nx
      spectrum(i) = 0
      do k = 1, nx
        spectrum(i) = spectrum(i) + wave(k)*cos(6.283185307179586_wp*i*k/nx)
      end do
    end do
    ! truth: parallel k j i; features core
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          q(i, j, k) = q(i, j, k) + 0.01_wp*(zonal(j, k) - q(i, j, k))
        end do
      end do
    end do
    ! truth: parallel i; private k; features function-known
    do i = 1, nx
      ratio(i) = 0
      do k = 1, nz
        ratio(i) = ratio(i) + virtual(280.0_wp, col(i, k)*1e-3_wp)
      end do
    end do
  end subroutine vertical

  subroutine washout(t, p, rain, deposit)
    real(wp), intent(in) :: t(nz, nx), p(nz, nx), rain(nx)
    real(wp), intent(inout) :: deposit(nx)
    real(wp) :: frac(nz), solve(nz), es, acid, drop, share, ice, swing, loss, gain, rest
    integer :: i, k
    ! truth: parallel i; private frac solve
    ! truth+ features private-array stride unseen sections array-intrinsic
    do i = 1, nx
      frac = 0
      solve = col(i, :)
      do k = nz, 1, -1
        es = saturation_pressure(t(k, i))
        acid = reaction_rate(0.5_wp, 80.0_wp, t(k, i))
        drop = 1e-3_wp*rain(i)*es/max(p(k, i), 1.0_wp)
        share = drop/(1 + drop)
        if (t(k, i) < 258) then
          ice = 1
        else if (t(k, i) < 273) then
          ice = (273 - t(k, i))/15
        else
          ice = 0
        end if
        share = share*(1 - 0.7_wp*ice)
        frac(k) = min(share*(1 + acid), 0.95_wp)
        loss = frac(k)*solve(k)
        if (loss < 1e-12_wp) loss = 0
        solve(k) = solve(k) - loss
        gain = 0.2_wp*loss*(1 - ice)
        solve(max(k - 1, 1)) = solve(max(k - 1, 1)) + gain
        frac(k) = loss - gain
      end do
      do k = 1, nz - 1, 2
        swing = 0.1_wp*(solve(k + 1) - solve(k))
        if (abs(swing) > 0.5_wp) then
          swing = sign(0.5_wp, swing)
        end if
        solve(k) = solve(k) + swing
        solve(k + 1) = solve(k + 1) - swing
      end do
      rest = sum(solve) - sum(col(i, :))
      deposit(i) = sum(frac)
      if (rest > 0) then
        deposit(i) = deposit(i) + 0.5_wp*rest
        solve(1) = solve(1) - 0.5_wp*rest
      else
        deposit(i) = deposit(i) - 0.1_wp*rest
        solve(nz) = solve(nz) + 0.1_wp*rest
      end if
      col(i, :) = max(solve, 0.0_wp)
      ratio(i) = maxval(frac)/(deposit(i) + 1e-9_wp)
      mass(i) = mass(i) - deposit(i)
    end do
  end subroutine washout

  subroutine run_advection(bits)
    integer(int64), intent(inout) :: bits
    real(wp) :: t(nz, nx), p(nz, nx), rain(nx), deposit(nx)
    call fill(q, size(q), 1, -0.2_wp, 1.0_wp)
    call fill(c, size(c), 2)
    call fill(cx, size(cx), 3, -0.3_wp, 0.3_wp)
    call fill(cy, size(cy), 4, -0.3_wp, 0.3_wp)
    call fill(col, size(col), 5, -0.1_wp, 1.0_wp)
    call fill(tau, nz, 6)
    call fill(wave, nx, 7)
    call fill_int(mask, nx*ny, 8, 0, 3)
    kbot = 1
    sx = 0
    sxx = 0
    call horizontal()
    call vertical()
    call fill(t, nx*nz, 9, 240.0_wp, 300.0_wp)
    call fill(p, nx*nz, 10, 2e4_wp, 1e5_wp)
    call fill(rain, nx, 11, 0.0_wp, 50.0_wp)
    call washout(t, p, rain, deposit)
    call add(bits, q, size(q))
    call add(bits, c, size(c))
    call add(bits, surf, nx*ny)
    call add(bits, cy, size(cy))
    call add(bits, col, size(col))
    call add(bits, spectrum, nx + 1)
    call add(bits, deposit, nx)
    call add(bits, ratio, nx)
    call add(bits, [top, low], 2)
    call add_int(bits, kbot, nx*ny)
  end subroutine run_advection
end module advection
