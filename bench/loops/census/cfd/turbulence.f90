! Turbulence models, walls, flames, and averages of a structured flow solver.
module turbulence
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nx = 22, ny = 16, np = 30
  type cells
    real(wp), allocatable :: k(:, :), eps(:, :), nut(:, :), u(:, :), v(:, :), temp(:, :), wall(:, :)
    real(wp) :: cmu = 0.09_wp
  end type cells
  real(wp) :: shear(nx, ny), source(nx, ny), y_plus(nx), friction(nx), mean(ny), rms(ny), probe(np), series(0:np)
  real(wp) :: budget(nx), mixture(nx)
  real(wp) :: fuel(nx), scalar(0:nx + 1), blend, peak
  integer :: patch(nx)
contains
  pure real(wp) function damping(y)
    real(wp), intent(in) :: y
    damping = 1 - exp(-y/26)
  end function damping

  pure subroutine wall_law(u, y, tau)
    real(wp), intent(in) :: u, y
    real(wp), intent(out) :: tau
    real(wp) :: a
    integer :: it
    a = 0.1_wp
    do it = 1, 5
      a = u/(log(max(y*a, 1e-3_wp) + 1)/0.41_wp + 5)
    end do
    tau = a*abs(a)
  end subroutine wall_law

  subroutine models(c, dt)
    type(cells), intent(inout) :: c
    real(wp), intent(in) :: dt
    real(wp) :: row(0:nx + 1), prod(nx), diff(nx), ri, f1, f2, cross, limit, hot, rho, snd, gain, last_k
    integer :: i, j
    ! truth: parallel j; private row prod diff
    ! truth+ features private-array stride unseen component sections
    do j = 2, ny - 1
      row(0) = c%k(1, j)
      row(nx + 1) = c%k(nx, j)
      row(1:nx) = c%k(:, j)
      last_k = row(1)
      do i = 1, nx
        prod(i) = 0.25_wp*(c%u(i, j + 1) - c%u(i, j - 1))**2 + 0.1_wp*c%v(i, j)**2
        ri = 1e-3_wp*(c%temp(i, j + 1) - c%temp(i, j - 1))/(prod(i) + 1e-6_wp)
        f1 = stability(ri)
        if (ri < -0.1_wp) then
          f2 = 1 - ri
        else
          f2 = 1
        end if
        call fluid_state(1e5_wp, c%temp(i, j), rho, snd)
        limit = snd*1e-3_wp + rho
        prod(i) = min(prod(i)*c%nut(i, j)*f1, limit)
        diff(i) = c%nut(i, j)*(row(i + 1) - 2*row(i) + row(i - 1))*f2
        cross = 0.5_wp*(row(i + 1) - row(i - 1))*(c%temp(i, j + 1) - c%temp(i, j - 1))*1e-3_wp
        if (cross < 0) cross = 0
        diff(i) = diff(i) + 0.01_wp*cross
      end do
      do i = 1, nx - 1, 2
        gain = 0.5_wp*(prod(i) + prod(i + 1))
        c%k(i, j) = max(row(i) + dt*(gain + diff(i) - c%eps(i, j)), 1e-8_wp)
        c%k(i + 1, j) = max(row(i + 1) + dt*(gain + diff(i + 1) - c%eps(i + 1, j)), 1e-8_wp)
      end do
      hot = 0
      do i = 1, nx
        if (c%temp(i, j) > 300) hot = hot + 1
        c%eps(i, j) = c%eps(i, j) + dt*(1.44_wp*prod(i) - 1.92_wp*c%eps(i, j)/(c%k(i, j) + 1))
        c%eps(i, j) = max(c%eps(i, j), 1e-8_wp)
      end do
      source(:, j) = prod - diff
      if (hot > nx/2) then
        source(1, j) = source(1, j) + 0.1_wp*hot
      else
        source(nx, j) = last_k
      end if
    end do
  end subroutine models

  subroutine walls(c)
    type(cells), intent(inout) :: c
    integer :: i, j
    ! truth: parallel i; features calls-known
    do i = 1, nx
      call wall_law(shear(i, 1), y_plus(i), friction(i))
    end do
    ! truth: parallel i; features calls-known
    do i = 2, nx - 1
      call wall_law(shear(i - 1, 2) + shear(i + 1, 2), 30.0_wp, budget(i))
    end do
    ! truth: parallel i; features component
    do i = 1, nx
      c%nut(i, 1) = c%cmu*c%k(i, 1)**2/c%eps(i, 1)
    end do
    ! truth: parallel i; features unseen
    do i = 1, nx
      mixture(i) = fuel(i)*reaction_rate(1.0_wp, 900.0_wp, 1200.0_wp) + stability(scalar(i))
    end do
    ! truth: parallel i; features core
    do i = 1, nx
      y_plus(i) = y_plus(i)*sqrt(abs(friction(i)))/1e-2_wp
    end do
    ! truth: parallel i; features core
    do i = 1, nx
      fuel(i) = fuel(i)*(1 - fuel(i))*exp(-1/(0.1_wp + scalar(i)))
    end do
    ! truth: parallel j; private i; features core
    do j = 1, ny
      mean(j) = 0
      rms(j) = 0
      do i = 1, nx
        mean(j) = mean(j) + shear(i, j)
        rms(j) = rms(j) + shear(i, j)**2
      end do
      rms(j) = sqrt(abs(rms(j)/nx - (mean(j)/nx)**2))
    end do
    ! truth: parallel j; features core
    do j = 1, ny
      mean(j) = mean(j)/nx
    end do
    peak = 0
    ! truth: parallel i; reduction max:peak; features reduction
    do i = 1, nx
      peak = max(peak, 2*friction(i) - budget(i), mixture(i))
    end do
    ! truth: parallel i; features core
    do i = 1, nx
      if (patch(i) == 1) friction(i) = 0
      if (patch(i) == 2) friction(i) = 0.5_wp*friction(i)
    end do
    ! truth: parallel i; features exit-cycle
    do i = 1, nx
      if (patch(i) > 2) cycle
      scalar(i) = scalar(i) + 1
    end do
    ! truth: parallel i; features core
    do i = 1, nx
      budget(i) = merge(fuel(i), mixture(i), patch(i) < 3)
    end do
    ! truth: parallel i; features core
    do i = 1, np
      probe(i) = series(np - i)
    end do
    ! truth: parallel i; features core
    do i = 1, np
      series(i) = sin(0.1_wp*i) + 0.5_wp*probe(i)
    end do
    ! truth: parallel i; features sections
    do i = 1, nx
      shear(i, 2:ny) = shear(i, 1)*0.1_wp + shear(i, 2:ny)
    end do
    ! truth: parallel j i; features core
    do j = 2, ny
      do i = 1, nx
        shear(i, j) = shear(i, j)*0.9_wp + 0.1_wp*mean(j - 1)
      end do
    end do
    ! truth: parallel i; private j; features core
    do i = 1, nx
      fuel(i) = 1
      do j = ny, 1, -1
        fuel(i) = 0.5_wp*(fuel(i) + abs(shear(i, j)))
      end do
    end do
    ! truth: parallel j; features core
    do j = 1, ny
      rms(j) = max(rms(j), 1e-3_wp)**0.5_wp
    end do
    blend = 0
    ! truth: parallel i; reduction +:blend; features reduction
    do i = 1, np
      blend = blend + probe(i)*series(i)*0.5_wp**2
    end do
  end subroutine walls

  subroutine run_turbulence(bits)
    integer(int64), intent(inout) :: bits
    type(cells) :: c
    allocate (c%k(nx, ny), c%eps(nx, ny), c%nut(nx, ny), c%u(nx, ny), c%v(nx, ny), c%temp(nx, ny))
    call fill(c%k, nx*ny, 1, 0.1_wp, 1.0_wp)
    call fill(c%eps, nx*ny, 2, 0.1_wp, 1.0_wp)
    call fill(c%nut, nx*ny, 3)
    call fill(c%u, nx*ny, 4)
    call fill(c%v, nx*ny, 5)
    call fill(c%temp, nx*ny, 6, 280.0_wp, 320.0_wp)
    call fill(shear, nx*ny, 7)
    call fill(y_plus, nx, 8, 10.0_wp, 90.0_wp)
    call fill(fuel, nx, 9)
    call fill(scalar, nx + 2, 10)
    call fill(series, np + 1, 11)
    call fill_int(patch, nx, 12, 0, 4)
    budget = 0
    source = 0
    call models(c, 0.01_wp)
    call walls(c)
    call add(bits, c%k, nx*ny)
    call add(bits, c%eps, nx*ny)
    call add(bits, source, nx*ny)
    call add(bits, friction, nx)
    call add(bits, budget, nx)
    call add(bits, fuel, nx)
    call add(bits, mean, ny)
    call add(bits, rms, ny)
    call add(bits, series, np + 1)
    call add(bits, shear, nx*ny)
    call add(bits, [blend, peak], 2)
  end subroutine run_turbulence
end module turbulence
