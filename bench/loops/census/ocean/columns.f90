! Ocean columns: the boundary layer, and a piecewise parabolic remap of tracers.
module ocean_columns
  use census_support, only: wp, int64, fill, add
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nz = 16
  type ocean
    real(wp), allocatable :: t(:, :), s(:, :), u(:, :), v(:, :), h(:, :), wind(:), heat(:)
  end type ocean
contains
  pure real(wp) function density(t, s) result(rho)
    real(wp), intent(in) :: t, s
    rho = 999.8_wp + 0.8_wp*(s - 35) - 0.0559_wp*t - 0.0046_wp*t**2
  end function density

  subroutine smooth(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: k
    do k = 2, n - 1
      a(k) = 0.5_wp*a(k) + 0.25_wp*(a(k - 1) + a(k + 1))
    end do
  end subroutine smooth

  subroutine boundary_layer(n, o, depth, content)
    integer, intent(in) :: n
    type(ocean), intent(inout) :: o
    real(wp), intent(inout) :: depth(n), content
    real(wp) :: rho(nz), rich(nz), kv(nz), kt(nz), z(0:nz), row(nz), new(nz), ustar, bulk, shear, limit, sigma, shape, flux, drag, m
    integer :: i, k, base
    ! truth: parallel i; private rho rich kv kt z row new; reduction +:content
    ! truth+ features private-array unseen component sections calls-known reduction
    do i = 1, n
      ustar = sqrt(abs(o%wind(i))/1025)
      z(0) = 0
      do k = 1, nz
        z(k) = z(k - 1) + o%h(k, i)
        rho(k) = 999.8_wp - 0.0559_wp*o%t(k, i) + 0.8_wp*(o%s(k, i) - 35)
      end do
      rich(1) = 0
      do k = 2, nz
        shear = (o%u(k, i) - o%u(1, i))**2 + (o%v(k, i) - o%v(1, i))**2
        bulk = 9.8_wp*(rho(k) - rho(1))/1025*z(k)
        rich(k) = bulk/max(shear + ustar**2, 1e-8_wp)
      end do
      call smooth(nz, rich)
      depth(i) = z(nz)
      base = nz
      do k = nz, 2, -1
        if (rich(k) > 0.3_wp) then
          limit = (0.3_wp - rich(k - 1))/max(rich(k) - rich(k - 1), 1e-6_wp)
          limit = min(max(limit, 0.0_wp), 1.0_wp)
          depth(i) = z(k - 1) + limit*(z(k) - z(k - 1))
          base = k
        end if
      end do
      if (o%heat(i) > 0) then
        depth(i) = min(depth(i), ustar*50/(o%heat(i) + 0.1_wp) + 5)
      end if
      do k = 1, nz
        sigma = z(k)/max(depth(i), 1.0_wp)
        if (sigma < 1) then
          shape = sigma*(1 - sigma)**2
          kv(k) = 0.4_wp*ustar*depth(i)*shape
        else
          kv(k) = 1e-4_wp*stability(rich(k))
        end if
        kt(k) = kv(k) + 1e-5_wp
        if (k <= base) kt(k) = kt(k)*1.5_wp
      end do
      row = o%t(:, i)
      new(1) = row(1) + 100*o%heat(i)/(4e3_wp*o%h(1, i))
      do k = 2, nz - 1
        flux = kt(k - 1)*(row(k - 1) - row(k)) - kt(k)*(row(k) - row(k + 1))
        new(k) = row(k) + flux/o%h(k, i)**2
      end do
      new(nz) = row(nz)
      o%t(:, i) = new
      row = o%s(:, i)
      new(1) = row(1)
      do k = 2, nz - 1
        flux = kt(k - 1)*(row(k - 1) - row(k)) - kt(k)*(row(k) - row(k + 1))
        new(k) = row(k) + flux/o%h(k, i)**2
      end do
      new(nz) = row(nz)
      o%s(:, i) = new
      drag = 1/(1 + 0.01_wp*ustar)
      row = o%u(:, i)
      do k = 1, nz - 1
        m = kv(k)/o%h(k, i)**2
        o%u(k, i) = (row(k) + m*row(k + 1))/(1 + m)
      end do
      o%u(1, i) = o%u(1, i) + o%wind(i)/1025
      o%u(nz, i) = row(nz)*drag
      row = o%v(:, i)
      do k = 1, nz - 1
        m = kv(k)/o%h(k, i)**2
        o%v(k, i) = (row(k) + m*row(k + 1))/(1 + m)
      end do
      o%v(nz, i) = row(nz)*drag
      content = content + o%t(1, i)*o%h(1, i)
      content = content + 0.5_wp*depth(i)
    end do
  end subroutine boundary_layer

  subroutine remap(n, old_h, new_h, q, error)
    integer, intent(in) :: n
    real(wp), intent(in) :: old_h(nz, n), new_h(nz, n)
    real(wp), intent(inout) :: q(nz, n), error(n)
    real(wp) :: edge(0:nz), left(nz), right(nz), slope(nz), curve(nz), from(0:nz), to(0:nz), mass(nz)
    real(wp) :: a, b, c, d, inside, x0, x1, part, fine
    integer :: i, k, l
    ! truth: parallel i; private edge left right slope curve from to mass
    ! truth+ features private-array stride sections function-known unseen
    do i = 1, n
      from(0) = 0
      to(0) = 0
      do k = 1, nz
        from(k) = from(k - 1) + old_h(k, i)
        to(k) = to(k - 1) + new_h(k, i)
      end do
      to = to*from(nz)/to(nz)
      slope(1) = 0
      slope(nz) = 0
      do k = 2, nz - 1
        a = q(k, i) - q(k - 1, i)
        b = q(k + 1, i) - q(k, i)
        call limit_slope(a, b, slope(k))
      end do
      edge(0) = q(1, i)
      edge(nz) = q(nz, i)
      do k = 1, nz - 1
        c = old_h(k, i)/(old_h(k, i) + old_h(k + 1, i))
        edge(k) = q(k, i) + c*(q(k + 1, i) - q(k, i)) - (slope(k + 1) - slope(k))/6
      end do
      left = edge(0:nz - 1)
      right = edge(1:nz)
      do k = 1, nz
        a = right(k) - q(k, i)
        b = q(k, i) - left(k)
        if (a*b <= 0) then
          left(k) = q(k, i)
          right(k) = q(k, i)
        else if (abs(a) > 2*abs(b)) then
          right(k) = q(k, i) + 2*b
        else if (abs(b) > 2*abs(a)) then
          left(k) = q(k, i) - 2*a
        end if
        curve(k) = 6*q(k, i) - 3*(left(k) + right(k))
      end do
      mass(:) = 0
      do k = 1, nz
        do l = 1, nz
          x0 = max(to(k - 1), from(l - 1))
          x1 = min(to(k), from(l))
          if (x1 <= x0) cycle
          a = (x0 - from(l - 1))/old_h(l, i)
          b = (x1 - from(l - 1))/old_h(l, i)
          d = right(l) - left(l)
          inside = left(l)*(b - a) + 0.5_wp*(d + curve(l))*(b**2 - a**2) - curve(l)/3*(b**3 - a**3)
          mass(k) = mass(k) + inside*old_h(l, i)
        end do
      end do
      part = 0
      do k = 1, nz
        part = part + q(k, i)*old_h(k, i) - mass(k)
      end do
      error(i) = part
      do k = 1, nz
        d = to(k) - to(k - 1)
        if (d > 1e-6_wp) then
          q(k, i) = mass(k)/d
        else
          q(k, i) = left(k)
        end if
      end do
      fine = 0
      do k = 2, nz, 2
        fine = fine + density(q(k, i), 35.0_wp) - density(q(k - 1, i), 35.0_wp)
      end do
      if (fine < 0) then
        q(1, i) = q(1, i) + 1e-6_wp*fine
        error(i) = error(i) + 1e-6_wp*fine
      end if
      q(nz, i) = q(nz, i) + 1e-3_wp*part/from(nz)
      error(i) = error(i)/from(nz)
    end do
  end subroutine remap

  subroutine run_ocean_columns(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 21
    type(ocean) :: o
    real(wp) :: depth(n), content, new_h(nz, n), error(n)
    allocate (o%t(nz, n), o%s(nz, n), o%u(nz, n), o%v(nz, n), o%h(nz, n), o%wind(n), o%heat(n))
    call fill(o%t, nz*n, 1, 2.0_wp, 25.0_wp)
    call fill(o%s, nz*n, 2, 33.0_wp, 36.0_wp)
    call fill(o%u, nz*n, 3)
    call fill(o%v, nz*n, 4)
    call fill(o%h, nz*n, 5, 2.0_wp, 9.0_wp)
    call fill(o%wind, n, 6, -0.3_wp, 0.3_wp)
    call fill(o%heat, n, 7, -0.2_wp, 0.2_wp)
    content = 0
    call boundary_layer(n, o, depth, content)
    call fill(new_h, nz*n, 8, 3.0_wp, 7.0_wp)
    call remap(n, o%h, new_h, o%t, error)
    call add(bits, o%t, nz*n)
    call add(bits, o%u, nz*n)
    call add(bits, depth, n)
    call add(bits, error, n)
    call add(bits, [content], 1)
  end subroutine run_ocean_columns
end module ocean_columns
