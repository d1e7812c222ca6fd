! Particles: forces, motion, deposition on a grid, cell lists, statistics.
module particle_forces
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: np = 64, ng = 16, cells = 8
  type particle
    real(wp) :: x(3), v(3), f(3), mass, charge
    integer :: cell, kind
    logical :: alive
  end type particle
  type(particle) :: p(np)
  real(wp) :: x(3, np), v(3, np), f(3, np), m(np), q(np), rho(0:ng), field(0:ng), density(cells), pot(np), temp(np)
  integer :: cell(np), head(cells), next(np), count(cells), order(np), species(np)
  real(wp) :: box = 10, cutoff = 2.5_wp, kinetic, virial, momentum(3)
contains
  pure real(wp) function periodic(d, l)
    real(wp), intent(in) :: d, l
    periodic = d - l*anint(d/l)
  end function periodic

  pure subroutine pair_force(r2, sigma, force, energy)
    real(wp), intent(in) :: r2, sigma
    real(wp), intent(out) :: force, energy
    real(wp) :: s
    s = (sigma**2/max(r2, 0.3_wp))**3
    energy = 4*s*(s - 1)
    force = 24*s*(2*s - 1)/max(r2, 0.3_wp)
  end subroutine pair_force

  subroutine short_range()
    real(wp) :: d(3), r2, e, g
    integer :: i, j, k
    ! truth: parallel i; private d j k; features private-array calls-known function-known exit-cycle
    do i = 1, np
      f(1, i) = 0
      f(2, i) = 0
      f(3, i) = 0
      pot(i) = 0
      do j = 1, np
        if (j == i) cycle
        r2 = 0
        do k = 1, 3
          d(k) = periodic(x(k, i) - x(k, j), box)
          r2 = r2 + d(k)**2
        end do
        if (r2 > cutoff**2) cycle
        call pair_force(r2, 1.0_wp, g, e)
        pot(i) = pot(i) + 0.5_wp*e
        do k = 1, 3
          f(k, i) = f(k, i) + g*d(k)
        end do
      end do
    end do
    ! truth: parallel i; features sections
    do i = 1, np
      f(:, i) = f(:, i)/m(i)
    end do
    ! truth: refused same-element|recurrence f; features core
    do i = 1, np
      do j = i + 1, np
        g = q(i)*q(j)*0.01_wp
        f(1, i) = f(1, i)*0.9_wp + g !<
        f(1, 1) = f(1, 1)*0.9_wp - g !<
      end do
    end do
  end subroutine short_range

  subroutine motion(dt)
    real(wp), intent(in) :: dt
    integer :: i, k
    ! truth: parallel i k; features core
    do i = 1, np
      do k = 1, 3
        v(k, i) = v(k, i) + 0.5_wp*dt*f(k, i)
      end do
    end do
    ! truth: parallel i k; features core
    do i = 1, np
      do k = 1, 3
        x(k, i) = x(k, i) + dt*v(k, i)
      end do
    end do
    ! truth: parallel i k; features core
    do i = 1, np
      do k = 1, 3
        if (x(k, i) < 0) x(k, i) = x(k, i) + box
        if (x(k, i) >= box) x(k, i) = x(k, i) - box
      end do
    end do
    ! truth: parallel i; features component
    do i = 1, np
      p(i)%x = p(i)%x + dt*p(i)%v
    end do
    ! truth: parallel i; features component
    do i = 1, np
      if (p(i)%alive) p(i)%v(3) = p(i)%v(3) - 9.81_wp*dt
    end do
    ! truth: parallel i; features component
    do i = 1, np
      p(i)%alive = p(i)%x(3) > 0
    end do
    ! truth: parallel i; features component
    do i = 1, np
      p(i)%f(1) = p(i)%charge*field(mod(i, ng))
    end do
    ! truth: parallel i; features component calls-known
    do i = 1, np
      call pair_force(p(i)%mass, 1.1_wp, p(i)%f(2), p(i)%f(3))
    end do
    ! truth: parallel i; features core
    do i = 1, np
      m(i) = max(m(i), 0.1_wp)
    end do
    ! truth: parallel i; features unseen
    do i = 1, np
      call fluid_state(1e5_wp, 280 + m(i), temp(i), pot(i))
    end do
    ! truth: parallel i; features unseen
    do i = 1, np
      temp(i) = reaction_rate(m(i), 100.0_wp, 300.0_wp)
    end do
  end subroutine motion

  subroutine grid_and_cells(lost)
    integer, intent(inout) :: lost
    real(wp) :: w, total
    integer :: i, c, k
    rho = 0
    ! truth: parallel i; private c w; sums rho; features array-sum
    do i = 1, np
      c = min(max(int(x(1, i)/box*ng), 0), ng)
      w = x(1, i)/box*ng - c
      rho(c) = rho(c) + q(i)*(1 - w)
      rho(min(c + 1, ng)) = rho(min(c + 1, ng)) + q(i)*w
    end do
    ! truth: parallel i; private c; features indirect
    do i = 1, np
      c = cell(i)
      f(1, i) = f(1, i) + q(i)*field(c)
    end do
    ! truth: parallel i; features core
    do i = 1, ng - 1
      field(i) = (rho(i + 1) - rho(i - 1))*ng/(2*box)
    end do
    count = 0
    ! truth: parallel i; sums count; features array-sum
    do i = 1, np
      count(cell(i)) = count(cell(i)) + 1
    end do
    density = 0
    ! truth: parallel i; sums density; features array-sum
    do i = 1, np
      density(cell(i)) = density(cell(i)) + m(i)
    end do
    head = 0
    ! truth: refused index-array|recurrence head; features core
    do i = 1, np
      next(i) = head(cell(i)) !<
      head(cell(i)) = i !<
    end do
    ! truth: parallel c; private k; features while
    do c = 1, cells
      k = head(c)
      do while (k > 0)
        pot(k) = pot(k) + c
        k = next(k)
      end do
    end do
    ! truth: refused index-array pot; ask independent; features core
    do i = 1, np
      pot(order(i)) = q(i)**2 !<
    end do
    k = 0
    ! truth: refused carried-scalar k; features core
    do i = 1, np
      if (m(i) > 0.5_wp) then
        k = k + 1 !<
        species(k) = i !<
      end if
    end do
    lost = k
    total = 0
    ! truth: parallel i; reduction +:total; features reduction component
    do i = 1, np
      total = total + p(i)%mass*p(i)%v(1)
    end do
    ! truth: parallel i; reduction +:lost; features reduction component
    do i = 1, np
      if (.not. p(i)%alive) lost = lost + 1
    end do
    kinetic = total
    ! truth: parallel i; private w; reduction +:kinetic; features reduction
    do i = 1, np
      w = v(1, i)**2 + v(2, i)**2 + v(3, i)**2
      kinetic = kinetic + 0.5_wp*m(i)*w
    end do
    ! truth: parallel i; reduction +:virial; features reduction array-intrinsic
    do i = 1, np
      virial = virial + dot_product(x(:, i), f(:, i))
    end do
    ! truth: parallel i; sums momentum; features array-sum
    do i = 1, np
      momentum(2) = momentum(2) + m(i)*v(2, i)
    end do
    ! truth: parallel k; private i; features core
    do k = 1, 3
      momentum(k) = 0
      do i = 1, np
        momentum(k) = momentum(k) + m(i)*v(k, i)
      end do
    end do
    ! truth: parallel i; features concurrent
    do concurrent (i=1:np)
      q(i) = q(i)*exp(-0.01_wp*i)
    end do
  end subroutine grid_and_cells

  subroutine run_particle_forces(bits)
    integer(int64), intent(inout) :: bits
    integer :: i, lost
    call fill(x, 3*np, 1, 0.0_wp, box)
    call fill(v, 3*np, 2, -1.0_wp, 1.0_wp)
    call fill(m, np, 3)
    call fill(q, np, 4, -1.0_wp, 1.0_wp)
    call fill(field, ng + 1, 5)
    m = m + 0.2_wp
    call fill_int(cell, np, 6, 1, cells)
    order = [(mod(i*13, np) + 1, i=1, np)]
    species = 0
    do i = 1, np
      p(i) = particle(x(:, i), v(:, i), f(:, i), m(i), q(i), cell(i), 1, mod(i, 3) > 0)
    end do
    call short_range()
    call motion(0.01_wp)
    kinetic = 0
    virial = 0
    momentum = 0
    call grid_and_cells(lost)
    call add(bits, x, 3*np)
    call add(bits, f, 3*np)
    call add(bits, pot, np)
    call add(bits, rho, ng + 1)
    call add(bits, momentum, 3)
    call add(bits, [kinetic, virial, p(5)%f(2), p(7)%x(3)], 4)
    call add_int(bits, next, np)
    call add_int(bits, species, np)
    call add_int(bits, [lost], 1)
  end subroutine run_particle_forces
end module particle_forces
