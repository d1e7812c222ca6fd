! Column physics: clouds and rain, a convective plume, turbulent mixing, snow and soil. Long
! nests over columns.
module microphysics
  use census_support, only: wp, int64, fill, add
  use atmosphere_grid
  use interfaces_of_libraries
  implicit none
contains
  subroutine warm_rain(n, s, dz)
    integer, intent(in) :: n
    type(column_state), intent(inout) :: s
    real(wp), intent(in) :: dz(nz)
    real(wp) :: cloud(nz), rain(0:nz), rate(nz), t, q, p, es, qs, excess, auto, accr, evap, fall, rho, gamma, melt, balance
    integer :: i, k, it
    ! truth: parallel i; private cloud rain rate
    ! truth+ features private-array stride unseen component exit-cycle
    do i = 1, n
      do k = 1, nz
        cloud(k) = max(s%q(i, k) - 0.01_wp, 0.0_wp)
        rate(k) = 0
      end do
      rain = 0
      do k = nz, 1, -1
        t = s%t(i, k)
        q = s%q(i, k)
        p = s%p(i, k)
        do it = 1, 4
          es = saturation_pressure(t)
          qs = 0.622_wp*es/max(p - es, 1.0_wp)
          gamma = 1 + latent*latent*qs/(cp*461.5_wp*t*t)
          excess = (q - qs)/gamma
          if (abs(excess) < 1e-6_wp) exit
          if (excess < 0 .and. cloud(k) < -excess) then
            excess = -cloud(k)
          end if
          q = q - excess
          t = t + latent/cp*excess
          cloud(k) = cloud(k) + excess
        end do
        rho = p/(r_dry*t)
        if (cloud(k) > 5e-4_wp) then
          auto = 1e-3_wp*(cloud(k) - 5e-4_wp)
        else
          auto = 0
        end if
        accr = 2.2_wp*cloud(k)*max(rain(k), 0.0_wp)**0.875_wp
        accr = min(accr, cloud(k)/dt - auto)
        if (accr < 0) accr = 0
        es = saturation_pressure(t)
        qs = 0.622_wp*es/max(p - es, 1.0_wp)
        evap = 0
        if (q < qs) then
          evap = (1 - q/qs)*sqrt(rain(k) + 1e-12_wp)*3e-4_wp
          evap = min(evap, rain(k)/dt)
        end if
        melt = 0
        if (t < 273.15_wp) then
          melt = 1e-4_wp*(273.15_wp - t)*cloud(k)
        else if (t < 278.15_wp) then
          melt = -5e-5_wp*(t - 273.15_wp)*rain(k)
        end if
        cloud(k) = cloud(k) - dt*(auto + accr)
        rate(k) = auto + accr - evap
        rain(k) = rain(k) + dt*rate(k)
        fall = 14.16_wp*sqrt(1.2_wp/rho)*max(rain(k), 1e-9_wp)**0.1364_wp
        fall = min(fall, dz(k)/dt)
        rain(k - 1) = rain(k - 1) + rain(k)*fall*dt/dz(k)
        rain(k) = rain(k)*(1 - fall*dt/dz(k))
        t = t - latent/cp*evap*dt + 80*melt
        q = q + evap*dt
        s%t(i, k) = t
        s%q(i, k) = q
        s%flux(i) = fall*rho
      end do
      balance = 0
      do k = 2, nz, 2
        balance = balance + cloud(k) + cloud(k - 1)
        balance = balance - dt*(rate(k) + rate(k - 1))
      end do
      do k = 1, nz
        if (cloud(k) <= 0) cycle
        s%q(i, k) = s%q(i, k) + 1e-3_wp*cloud(k)
        s%t(i, k) = s%t(i, k) - 1e-3_wp*balance
      end do
      s%rain(i) = rain(0)*1000
    end do
  end subroutine warm_rain

  subroutine plume(n, t, q, p, mass, top_height, last_top)
    integer, intent(in) :: n
    real(wp), intent(inout) :: t(nz, n), q(nz, n)
    real(wp), intent(in) :: p(nz, n)
    real(wp), intent(inout) :: mass(nz, n), top_height(n)
    integer, intent(inout) :: last_top
    real(wp) :: tu(nz), qu(nz), env(nz), up(nz), half(0:2*nz), work(nz)
    real(wp) :: entrain, buoyancy, speed, es, qs, condensed, closure, cape, scale, weight
    integer :: i, k, base, top
    ! truth: parallel i; private tu qu env up half work; last top
    ! truth+ features private-array stride unseen sections array-intrinsic last
    do i = 1, n
      env = t(:, i)*(1 + 0.608_wp*q(:, i))
      half = p(1, i)
      do k = 1, nz
        half(2*k) = p(k, i)
      end do
      do k = 1, nz
        half(2*k - 1) = 0.5_wp*(half(2*k) + half(2*k - 2))
      end do
      base = maxloc(t(1:4, i) + 2500*q(1:4, i), dim=1)
      tu = t(:, i)
      qu = q(:, i)
      up(:) = 0
      tu(base) = tu(base) + 0.3_wp
      qu(base) = qu(base)*1.02_wp
      up(base) = 1
      top = base
      cape = 0
      speed = 1
      do k = base + 1, nz
        entrain = 0.1_wp/k + 0.02_wp
        weight = (half(2*k - 1) - half(2*k - 3))/p0
        tu(k) = tu(k - 1) + entrain*(t(k, i) - tu(k - 1)) - 6.5_wp*abs(weight)*10
        qu(k) = qu(k - 1) + entrain*(q(k, i) - qu(k - 1))
        es = saturation_pressure(tu(k))
        qs = 0.622_wp*es/max(p(k, i) - es, 1.0_wp)
        condensed = max(qu(k) - qs, 0.0_wp)/(1 + 0.6_wp)
        qu(k) = qu(k) - condensed
        tu(k) = tu(k) + latent/cp*condensed
        buoyancy = gravity*(tu(k)*(1 + 0.608_wp*qu(k)) - env(k))/env(k)
        speed = speed + buoyancy*0.4_wp - entrain*speed
        if (speed > 0) then
          top = k
          up(k) = up(k - 1)*(1 + entrain)
          cape = cape + max(buoyancy, 0.0_wp)*abs(weight)
        else
          up(k) = 0
          speed = 0
        end if
      end do
      closure = min(cape*10, 0.05_wp)
      scale = closure/max(maxval(up), 1.0_wp)
      up = up*scale
      mass(:, i) = up
      work = 0
      do k = 2, nz
        work(k) = up(k - 1)*(tu(k - 1) - t(k - 1, i)) - up(k)*(tu(k) - t(k, i))
      end do
      t(:, i) = t(:, i) + dt*work
      work(1) = 0
      do k = 2, nz
        work(k) = up(k - 1)*(qu(k - 1) - q(k - 1, i)) - up(k)*(qu(k) - q(k, i))
      end do
      q(:, i) = q(:, i) + dt*work
      q(:, i) = max(q(:, i), 1e-6_wp)
      if (sum(work) > 0) then
        q(1, i) = q(1, i) - 1e-3_wp*sum(work)
        t(1, i) = t(1, i) + 1e-3_wp*minval(up)
      end if
      top_height(i) = half(2*top) - half(2*top - 1)
    end do
    last_top = top
  end subroutine plume

  subroutine mixing(n, s, dz, stress)
    integer, intent(in) :: n
    type(column_state), intent(inout) :: s
    real(wp), intent(in) :: dz(nz), stress(n)
    real(wp) :: k_heat(0:nz), lower(nz), main(nz), upper(nz), right(nz), theta(nz), shear(nz), gradient, ri, length, ustar, depth, m
    integer :: i, k
    ! truth: parallel i; private k_heat lower main upper right theta shear
    ! truth+ features private-array stride sections component
    do i = 1, n
      ustar = sqrt(abs(stress(i)))
      do k = 1, nz
        theta(k) = s%t(i, k)*(1 + 0.286_wp*(1 - s%p(i, k)/1e5_wp))
      end do
      shear(1) = 2*s%u(i, 1)/dz(1)
      do k = 2, nz
        shear(k) = 2*(s%u(i, k) - s%u(i, k - 1))/(dz(k) + dz(k - 1))
      end do
      depth = 0
      k_heat(0) = 0
      k_heat(nz) = 0
      do k = 1, nz - 1
        depth = depth + dz(k)
        gradient = 2*(theta(k + 1) - theta(k))/(dz(k) + dz(k + 1))
        ri = gravity/theta(k)*gradient/(shear(k + 1)**2 + 1e-6_wp)
        length = 0.4_wp*depth/(1 + 0.4_wp*depth/80)
        if (ri > 0.25_wp) then
          k_heat(k) = 0.1_wp
        else if (ri > 0) then
          k_heat(k) = length**2*abs(shear(k + 1))*(1 - 4*ri)**2 + 0.1_wp
        else
          k_heat(k) = length**2*abs(shear(k + 1))*sqrt(1 - 16*ri) + 0.1_wp
        end if
        k_heat(k) = min(k_heat(k) + 0.1_wp*ustar, 60.0_wp)
      end do
      do k = 1, nz
        lower(k) = -dt*k_heat(k - 1)/dz(k)**2
        upper(k) = -dt*k_heat(k)/dz(k)**2
        main(k) = 1 - lower(k) - upper(k)
      end do
      right = theta
      right(1) = right(1) + dt*s%flux(i)/dz(1)
      do k = 2, nz
        m = lower(k)/main(k - 1)
        main(k) = main(k) - m*upper(k - 1)
        right(k) = right(k) - m*right(k - 1)
      end do
      right(nz) = right(nz)/main(nz)
      do k = nz - 1, 1, -1
        right(k) = (right(k) - upper(k)*right(k + 1))/main(k)
      end do
      s%t(i, :) = s%t(i, :) + (right - theta)*s%t(i, :)/theta
      do k = 1, nz
        main(k) = 1 - lower(k) - upper(k)
      end do
      right = s%q(i, 1:nz)
      do k = 2, nz
        m = lower(k)/main(k - 1)
        main(k) = main(k) - m*upper(k - 1)
        right(k) = right(k) - m*right(k - 1)
      end do
      right(nz) = right(nz)/main(nz)
      do k = nz - 1, 1, -1
        right(k) = (right(k) - upper(k)*right(k + 1))/main(k)
      end do
      s%q(i, 1:nz) = right
      right(:) = s%u(i, :)
      do k = 1, nz
        main(k) = 1 - lower(k) - upper(k)
      end do
      main(1) = main(1) + dt*ustar/dz(1)
      do k = 2, nz
        m = lower(k)/main(k - 1)
        main(k) = main(k) - m*upper(k - 1)
        right(k) = right(k) - m*right(k - 1)
      end do
      right(nz) = right(nz)/main(nz)
      do k = nz - 1, 1, -1
        right(k) = (right(k) - upper(k)*right(k + 1))/main(k)
      end do
      s%u(i, :) = right
    end do
  end subroutine mixing

  subroutine snow_and_soil(n, s, snow, soil, moisture, runoff, albedo, last_depth)
    integer, intent(in) :: n
    type(column_state), intent(in) :: s
    real(wp), intent(inout) :: snow(n), soil(5, n), moisture(5, n), runoff(n), albedo(n)
    real(wp), intent(inout) :: last_depth
    real(wp) :: conduct(5), capacity(5), flow(0:5), a(5), b(5), c(5), d(5)
    real(wp) :: surface, melt, wet, demand, es, humidity, cover, fresh, net, drain, depth
    integer :: i, k
    ! truth: parallel i; private conduct capacity flow a b c d; last depth
    ! truth+ features private-array stride unseen component calls-known last
    do i = 1, n
      surface = s%t(i, 1)
      fresh = 0
      if (surface < 273.15_wp) then
        fresh = s%rain(i)*0.1_wp
        snow(i) = snow(i) + fresh
      end if
      cover = snow(i)/(snow(i) + 0.02_wp)
      albedo(i) = 0.2_wp*(1 - cover) + 0.75_wp*cover
      call clip(albedo(i), 0.1_wp, 0.85_wp)
      net = (1 - albedo(i))*200 - 5.67e-8_wp*surface**4*0.5_wp
      melt = 0
      if (snow(i) > 0 .and. soil(1, i) > 273.15_wp) then
        melt = min(snow(i), 1e-3_wp*(soil(1, i) - 273.15_wp))
        snow(i) = snow(i) - melt
        net = net - 334*melt
      end if
      do k = 1, 5
        wet = max(min(moisture(k, i), 0.45_wp), 0.02_wp)
        conduct(k) = 0.25_wp + 1.4_wp*wet/(wet + 0.15_wp)
        capacity(k) = 1.2e6_wp + 4.2e6_wp*wet
      end do
      do k = 1, 5
        a(k) = -conduct(max(k - 1, 1))*dt/(capacity(k)*0.1_wp*k)
        c(k) = -conduct(min(k + 1, 5))*dt/(capacity(k)*0.1_wp*k)
        b(k) = 1 - a(k) - c(k)
        d(k) = soil(k, i)
      end do
      b(1) = b(1) + a(1)
      b(5) = b(5) + c(5)
      d(1) = d(1) + dt*net/(capacity(1)*0.05_wp)
      call thomas(5, a, b, c, d)
      do k = 1, 5
        soil(k, i) = d(k)
      end do
      es = saturation_pressure(soil(1, i))
      humidity = 0.622_wp*es/s%p(i, 1)
      demand = max(humidity - s%q(i, 1), 0.0_wp)*0.01_wp
      flow(0) = melt + max(s%rain(i) - fresh, 0.0_wp)*0.01_wp - demand
      do k = 1, 5
        wet = max(moisture(k, i), 0.01_wp)
        flow(k) = 2e-3_wp*(wet/0.45_wp)**3
      end do
      drain = 0
      do k = 5, 1, -1
        moisture(k, i) = moisture(k, i) + (flow(k - 1) - flow(k))*dt/k
        if (moisture(k, i) > 0.45_wp) then
          drain = drain + moisture(k, i) - 0.45_wp
          moisture(k, i) = 0.45_wp
        end if
        call clip(moisture(k, i), 0.01_wp, 0.45_wp)
      end do
      do k = 1, 3, 2
        soil(k, i) = 0.5_wp*(soil(k, i) + soil(k + 1, i))
      end do
      runoff(i) = drain + flow(5)
      depth = snow(i)*3 + 0.01_wp*cover
      if (depth > 2) then
        runoff(i) = runoff(i) + 0.1_wp*(depth - 2)
        snow(i) = snow(i)*0.99_wp
      end if
    end do
    last_depth = depth
  end subroutine snow_and_soil

  subroutine aerosols(n, s, number, mass, sink)
    integer, intent(in) :: n
    type(column_state), intent(in) :: s
    real(wp), intent(inout) :: number(8, nz, n), mass(8, nz, n), sink(n)
    real(wp) :: size(8), kernel(8, 8), born(8), lost(8), growth, humid, es, wet, fall, coagulated, rest, mean
    integer :: i, k, b, c
    ! truth: parallel i; private size kernel born lost
    ! truth+ features private-array stride unseen component goto
    do i = 1, n
      sink(i) = 0
      do k = nz, 1, -1
        es = saturation_pressure(s%t(i, k))
        humid = s%q(i, k)*s%p(i, k)/(0.622_wp*es)
        humid = min(humid, 0.98_wp)
        growth = 1/(1 - humid)**0.25_wp
        do b = 1, 8
          size(b) = 0.01_wp*2**b*growth
          born(b) = 0
          lost(b) = 0
        end do
        mean = 0
        do b = 1, 8
          mean = mean + number(b, k, i)
        end do
        if (mean < 1e-9_wp) goto 100
        do b = 1, 8
          do c = 1, 8
            kernel(b, c) = (size(b) + size(c))**2/(size(b)*size(c) + 1e-9_wp)
            kernel(b, c) = kernel(b, c)*1e-3_wp
          end do
        end do
        do b = 1, 7
          do c = 1, b
            coagulated = kernel(b, c)*number(b, k, i)*number(c, k, i)*dt*1e-2_wp
            coagulated = min(coagulated, 0.1_wp*number(b, k, i), 0.1_wp*number(c, k, i))
            lost(b) = lost(b) + coagulated
            lost(c) = lost(c) + coagulated
            born(b + 1) = born(b + 1) + coagulated*0.5_wp
          end do
        end do
        do b = 1, 8
          number(b, k, i) = max(number(b, k, i) + born(b) - lost(b), 0.0_wp)
          mass(b, k, i) = mass(b, k, i) + (born(b) - lost(b))*size(b)**3
          mass(b, k, i) = max(mass(b, k, i), 0.0_wp)
        end do
        do b = 2, 8, 2
          rest = 0.25_wp*(number(b, k, i) - number(b - 1, k, i))
          number(b, k, i) = number(b, k, i) - 0.01_wp*rest
          number(b - 1, k, i) = number(b - 1, k, i) + 0.01_wp*rest
        end do
100     continue
        wet = max(s%rain(i), 0.0_wp)*1e-3_wp
        do b = 1, 8
          fall = size(b)**2*0.01_wp
          if (fall > 0.5_wp) fall = 0.5_wp
          if (b == 8) goto 200
          fall = fall + wet*size(b)
200       sink(i) = sink(i) + fall*mass(b, k, i)
          mass(b, k, i) = mass(b, k, i)*(1 - min(fall, 0.9_wp)*0.1_wp)
          number(b, k, i) = number(b, k, i)*(1 - min(fall, 0.9_wp)*0.1_wp)
        end do
      end do
    end do
  end subroutine aerosols

  subroutine run_microphysics(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = nx
    type(column_state) :: s
    real(wp) :: dz(nz), t(nz, n), q(nz, n), p(nz, n), mass(nz, n)
    real(wp) :: top(n), stress(n), snow(n), soil(5, n), wet(5, n), run(n), alb(n), last
    real(wp) :: number(8, nz, n), bins(8, nz, n), sink(n)
    integer :: last_top, k
    allocate (s%t(n, nz), s%q(n, nz), s%p(n, nz), s%u(n, nz), s%rain(n), s%flux(n))
    call fill(s%t, n*nz, 1, 255.0_wp, 300.0_wp)
    call fill(s%q, n*nz, 2, 0.001_wp, 0.02_wp)
    call fill(s%u, n*nz, 3, -5.0_wp, 20.0_wp)
    do k = 1, nz
      s%p(:, k) = p0*(1 - 0.06_wp*k)
      p(k, :) = s%p(1, k)
      dz(k) = 100 + 20*k
    end do
    call warm_rain(n, s, dz)
    t = transpose(s%t)
    q = transpose(s%q)
    mass = 0
    call plume(n, t, q, p, mass, top, last_top)
    call fill(stress, n, 4, -0.5_wp, 0.5_wp)
    call mixing(n, s, dz, stress)
    call fill(snow, n, 5)
    call fill(soil, 5*n, 6, 265.0_wp, 290.0_wp)
    call fill(wet, 5*n, 7, 0.05_wp, 0.4_wp)
    call snow_and_soil(n, s, snow, soil, wet, run, alb, last)
    call fill(number, 8*nz*n, 8)
    call fill(bins, 8*nz*n, 9)
    call aerosols(n, s, number, bins, sink)
    call add(bits, s%t, n*nz)
    call add(bits, s%q, n*nz)
    call add(bits, s%u, n*nz)
    call add(bits, t, n*nz)
    call add(bits, q, n*nz)
    call add(bits, mass, n*nz)
    call add(bits, top, n)
    call add(bits, soil, 5*n)
    call add(bits, run, n)
    call add(bits, [last, real(last_top, wp)], 2)
    call add(bits, number, 8*nz*n)
    call add(bits, sink, n)
  end subroutine run_microphysics
end module microphysics
