! Tracks of particles: droplets in air, photons, orbits, counters.
module particle_tracks
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: np = 50, ns = 24
  real(wp) :: pos(3, np), vel(3, np), mass(np), temp(np), age(np), weight(np), dist(np), ang(2, np)
  real(wp) :: ecc(np), period(np), trace(ns, np)
  real(wp) :: energy, drift, spare(np)
  integer :: seed(np), hits(np), zone(np), alive(np)
contains
  pure subroutine kepler(m, e, x)
    real(wp), intent(in) :: m, e
    real(wp), intent(out) :: x
    integer :: it
    x = m
    do it = 1, 6
      x = x - (x - e*sin(x) - m)/(1 - e*cos(x))
    end do
  end subroutine kepler

  subroutine droplets(dt)
    real(wp), intent(in) :: dt
    real(wp) :: r, re, cd, es, rho, snd, loss, speed, heat, grow, k1, k2
    integer :: i, s
    ! truth: parallel i
    ! truth+ features stride unseen
    do i = 1, np
      r = 0.01_wp*mass(i)**(1/3.0_wp)
      trace(1, i) = r
      do s = 2, ns, 2
        call fluid_state(1e5_wp, temp(i), rho, snd)
        es = saturation_pressure(temp(i))
        speed = sqrt(vel(1, i)**2 + vel(2, i)**2 + vel(3, i)**2)
        re = 1e5_wp*r*speed*rho
        if (re < 1e-3_wp) re = 1e-3_wp
        if (re < 1000) then
          cd = 24/re*(1 + 0.15_wp*re**0.687_wp)
        else
          cd = 0.44_wp
        end if
        k1 = -0.375_wp*cd*rho*speed*1e-3_wp
        k2 = k1/(1 - dt*k1)
        vel(1, i) = vel(1, i)*(1 + dt*k2)
        vel(2, i) = vel(2, i)*(1 + dt*k2)
        vel(3, i) = vel(3, i)*(1 + dt*k2) - 9.81_wp*dt
        loss = 1e-9_wp*es*(2 + 0.6_wp*sqrt(re))
        loss = min(loss, 0.1_wp*mass(i))
        grow = stability(speed/snd)*1e-4_wp
        mass(i) = mass(i) - loss + grow*mass(i)
        heat = 2.5_wp*loss/max(mass(i), 1e-9_wp)
        temp(i) = max(temp(i) - heat + 1e-3_wp*speed, 250.0_wp)
        r = 0.01_wp*mass(i)**(1/3.0_wp)
        trace(s, i) = r
        trace(s - 1, i) = 0.5_wp*(trace(s - 1, i) + temp(i))
      end do
      pos(1, i) = pos(1, i) + dt*vel(1, i)
      pos(2, i) = pos(2, i) + dt*vel(2, i)
      pos(3, i) = pos(3, i) + dt*vel(3, i)
      if (pos(3, i) < 0) then
        pos(3, i) = 0
        vel(3, i) = -0.5_wp*vel(3, i)
        hits(i) = hits(i) + 1
      end if
    end do
  end subroutine droplets

  subroutine others()
    integer :: i, s
    ! truth: parallel i; features calls-known
    do i = 1, np
      call kepler(ang(1, i), ecc(i), ang(2, i))
    end do
    ! truth: parallel i; features core
    do i = 1, np
      period(i) = 6.283185307179586_wp*sqrt(dist(i)**3)
    end do
    ! truth: parallel i; features core
    do i = 1, np
      seed(i) = mod(seed(i)*171, 30269) + 1
    end do
    ! truth: parallel i; features core
    do i = 1, np
      weight(i) = weight(i)*exp(-dist(i))
      age(i) = age(i) + 1
    end do
    ! truth: parallel i; features core
    do i = 1, np
      if (weight(i) < 1e-3_wp .or. age(i) > 100) alive(i) = 0
    end do
    ! truth: parallel i; features core
    do i = 1, np
      zone(i) = 1
      if (pos(1, i) > 0.5_wp) zone(i) = zone(i) + 1
      if (pos(2, i) > 0.5_wp) zone(i) = zone(i) + 2
    end do
    ! truth: parallel i; features core
    do i = 1, np
      ang(1, i) = modulo(ang(1, i) + 0.3_wp, 6.283185307179586_wp)
    end do
    ! truth: parallel i; private s; features core
    do i = 1, np
      dist(i) = 0
      do s = 2, ns
        dist(i) = dist(i) + abs(trace(s, i) - trace(s - 1, i))
      end do
    end do
    ! truth: parallel i; features core
    do i = 1, np
      spare(i) = hits(i)*1.5_wp + real(zone(i), wp)/max(alive(i), 1)
    end do
    ! truth: parallel s i; features core
    do s = 1, ns
      do i = 1, np
        trace(s, i) = trace(s, i)*weight(i) + s
      end do
    end do
    energy = 0
    ! truth: parallel i; reduction +:energy; features reduction
    do i = 1, np
      energy = energy + weight(i)*alive(i)*temp(i)
    end do
    ! truth: parallel i; features core
    do i = 1, np/2
      pos(2, i) = pos(2, i + np/2)
    end do
    drift = pos(1, 1)
    ! truth: parallel i; features core
    do i = 1, np
      pos(3, i) = pos(3, i) - drift
    end do
  end subroutine others

  subroutine run_particle_tracks(bits)
    integer(int64), intent(inout) :: bits
    call fill(pos, 3*np, 1)
    call fill(vel, 3*np, 2, -2.0_wp, 2.0_wp)
    call fill(mass, np, 3, 0.1_wp, 1.0_wp)
    call fill(temp, np, 4, 270.0_wp, 320.0_wp)
    call fill(weight, np, 5)
    call fill(dist, np, 6)
    call fill(ecc, np, 7, 0.0_wp, 0.7_wp)
    call fill(ang, 2*np, 8, 0.0_wp, 6.0_wp)
    call fill(trace, ns*np, 9)
    call fill_int(seed, np, 10, 1, 30000)
    age = 0
    hits = 0
    alive = 1
    call droplets(0.01_wp)
    call others()
    call add(bits, pos, 3*np)
    call add(bits, trace, ns*np)
    call add(bits, ang, 2*np)
    call add(bits, spare, np)
    call add(bits, [energy], 1)
    call add_int(bits, seed, np)
  end subroutine run_particle_tracks
end module particle_tracks
