! dam_loops_mod.f90 - the loops of the scheme: rates of all particles, a step in time, the order of
! cells. Plain loops, which portablef moves to threads. Each particle gathers over its own
! neighbours, in ascending order: so bits do not depend on threads.
!
! Weakly compressible SPH (Monaghan 1994): Wendland's kernel, Tait's equation of state, artificial viscosity; walls are particles that
! stay where they are and whose density follows that of the water (Crespo et al. 2007). Not in this file: lists of neighbours, time.
module dam_loops_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: rates, advance, bring, bring_numbers

  real(real64), parameter, public :: gravity = 9.81d0, rest = 1000d0 ! m/s2; kg/m3: the density without pressure
  real(real64), parameter :: pi = 3.14159265358979324d0

contains

  ! The acceleration, the change of density, and the longest step of each particle. over is pressure/density**2; spacing, h, speed of
  ! sound in m, m, m/s; viscosity has no unit. Particles with wall(i) = 1 do not move.
  subroutine rates(n, row, col, wall, x, y, u, v, density, over, mass, h, sound, viscosity, ax, ay, change, limit)
    integer, intent(in) :: n, row(n + 1), col(:), wall(n)
    real(real64), intent(in) :: x(n), y(n), u(n), v(n), density(n), over(n), mass, h, sound, viscosity
    real(real64), intent(out) :: ax(n), ay(n), change(n), limit(n)
    real(real64) :: dx, dy, square, slope, meet, approach, push, fastest, sx, sy, sd, scale
    integer :: i, j, k
    scale = -5*7/(4*pi*h**4)
    do i = 1, n
      sx = 0
      sy = 0
      sd = 0
      fastest = 0
      do k = row(i), row(i + 1) - 1
        j = col(k)
        dx = x(i) - x(j)
        dy = y(i) - y(j)
        square = dx*dx + dy*dy
        if (square < 4*h*h) then ! the list has particles that are a little farther away, too
          slope = 1 - 0.5d0*sqrt(square)/h
          slope = scale*slope*slope*slope ! the gradient of the kernel is slope*(dx, dy)
          meet = (u(i) - u(j))*dx + (v(i) - v(j))*dy
          sd = sd + meet*slope
          approach = h*meet/(square + 0.01d0*h*h)
          push = over(i) + over(j)
          if (meet < 0) push = push - viscosity*sound*approach/(0.5d0*(density(i) + density(j)))
          sx = sx - push*slope*dx
          sy = sy - push*slope*dy
          fastest = max(fastest, abs(approach))
        end if
      end do
      change(i) = mass*sd
      ax(i) = mass*sx
      ay(i) = mass*sy - gravity
      if (wall(i) == 1) then
        ax(i) = 0
        ay(i) = 0
      end if
      limit(i) = h/(sound + fastest)
      limit(i) = min(limit(i), sqrt(h/max(sqrt(ax(i)**2 + ay(i)**2), 1d-30)))
    end do
  end subroutine

  ! A step of dt: Verlet's over two steps, or with euler Euler's over one. hop: the squared way of each particle.
  subroutine advance(n, wall, euler, dt, stiffness, ax, ay, change, x, y, u, v, density, u_old, v_old, density_old, over, hop)
    integer, intent(in) :: n, wall(n)
    logical, intent(in) :: euler
    real(real64), intent(in) :: dt, stiffness, ax(n), ay(n), change(n)
    real(real64), intent(inout) :: x(n), y(n), u(n), v(n), density(n), u_old(n), v_old(n), density_old(n)
    real(real64), intent(out) :: over(n), hop(n)
    real(real64) :: dx, dy, un, vn, dn, ratio
    integer :: i
    do i = 1, n
      dx = 0
      dy = 0
      if (wall(i) == 0) then
        dx = dt*u(i) + 0.5d0*dt*dt*ax(i)
        dy = dt*v(i) + 0.5d0*dt*dt*ay(i)
      end if
      if (euler) then
        un = u(i) + dt*ax(i)
        vn = v(i) + dt*ay(i)
        dn = density(i) + dt*change(i)
      else
        un = u_old(i) + 2*dt*ax(i)
        vn = v_old(i) + 2*dt*ay(i)
        dn = density_old(i) + 2*dt*change(i)
      end if
      if (wall(i) == 1) dn = max(dn, rest) ! a wall pushes, and does not pull
      u_old(i) = u(i)
      v_old(i) = v(i)
      density_old(i) = density(i)
      x(i) = x(i) + dx
      y(i) = y(i) + dy
      u(i) = un
      v(i) = vn
      density(i) = dn
      ratio = dn/rest
      over(i) = stiffness*(ratio**7 - 1)/(dn*dn)
      hop(i) = dx*dx + dy*dy
    end do
  end subroutine

  ! Brings an array to an order.
  subroutine bring(n, order, from, to)
    integer, intent(in) :: n, order(n)
    real(real64), intent(in) :: from(n)
    real(real64), intent(out) :: to(n)
    integer :: k
    do k = 1, n
      to(k) = from(order(k))
    end do
  end subroutine

  subroutine bring_numbers(n, order, from, to)
    integer, intent(in) :: n, order(n), from(n)
    integer, intent(out) :: to(n)
    integer :: k
    do k = 1, n
      to(k) = from(order(k))
    end do
  end subroutine

end module dam_loops_mod
