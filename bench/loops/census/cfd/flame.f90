! Flames: chemistry and diffusion along lines of cells, with boundaries of several kinds.
module flame
  use census_support, only: wp, int64, fill, add
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nx = 26, nl = 14, ns = 4
  type burner
    real(wp), allocatable :: y(:, :, :), t(:, :), u(:, :), p(:)
    real(wp) :: inlet(ns), heat(ns), spacing
  end type burner
contains
  subroutine burn(b, dt, front)
    type(burner), intent(inout) :: b
    real(wp), intent(in) :: dt
    real(wp), intent(inout) :: front(nl)
    real(wp) :: y(ns, 0:nx + 1), t(0:nx + 1), omega(ns, nx), cond(0:nx), k1, k2, rho, snd, slope, width, hot, release, top, old, s
    integer :: l, i, n
    ! truth: parallel l; private y t omega cond
    ! truth+ features private-array stride unseen component sections
    do l = 1, nl
      y(:, 0) = b%inlet
      y(:, 1:nx) = b%y(:, :, l)
      y(:, nx + 1) = b%y(:, nx, l)
      t(0) = 300
      t(1:nx) = b%t(:, l)
      t(nx + 1) = t(nx)
      do i = 0, nx
        slope = 0.5_wp*(t(i) + t(i + 1))
        cond(i) = 2e-3_wp*(slope/300)**0.7_wp
      end do
      top = 0
      do i = 1, nx
        k1 = reaction_rate(5.0_wp, 3000.0_wp, t(i))
        k2 = reaction_rate(2.0_wp, 1500.0_wp, t(i))
        call fluid_state(b%p(l), t(i), rho, snd)
        omega(1, i) = -k1*y(1, i)*y(2, i)*rho
        omega(2, i) = 2*omega(1, i)
        omega(3, i) = -omega(1, i) - k2*y(3, i)
        omega(4, i) = k2*y(3, i)
        release = 0
        do n = 1, ns
          release = release + b%heat(n)*omega(n, i)
        end do
        if (release > 1e3_wp) then
          release = 1e3_wp
        else if (release < -1e3_wp) then
          release = -1e3_wp
        end if
        old = t(i)
        slope = cond(i)*(t(i + 1) - t(i)) - cond(i - 1)*(t(i) - b%t(max(i - 1, 1), l))
        b%t(i, l) = old + dt*(release + slope/b%spacing**2)
        b%t(i, l) = min(max(b%t(i, l), 250.0_wp), 2500.0_wp)
        top = max(top, abs(b%t(i, l) - old))
      end do
      do i = 1, nx
        do n = 1, ns
          s = b%u(i, l)*(y(n, i) - y(n, i - 1))/b%spacing
          if (b%u(i, l) < 0) s = b%u(i, l)*(y(n, i + 1) - y(n, i))/b%spacing
          b%y(n, i, l) = y(n, i) + dt*(omega(n, i) - s)
          if (b%y(n, i, l) < 0) b%y(n, i, l) = 0
        end do
      end do
      width = 0
      do i = 1, nx - 1, 2
        slope = abs(b%t(i + 1, l) - b%t(i, l))
        if (slope > width) width = slope
        b%u(i, l) = b%u(i, l)*(1 + 1e-3_wp*slope)
        b%u(i + 1, l) = b%u(i + 1, l)*(1 - 1e-3_wp*slope)
      end do
      hot = 0
      do i = 1, nx
        if (b%t(i, l) > 1000) hot = hot + b%spacing
      end do
      s = 0
      do n = 1, ns
        s = s + b%inlet(n)*b%heat(n)
        if (b%y(n, nx, l) > 1) b%y(n, nx, l) = 1
      end do
      if (s > 10) then
        hot = hot + 1e-3_wp*s
      else
        hot = hot - 1e-4_wp*s
      end if
      front(l) = hot/(width + 1) + 1e-3_wp*top
      b%p(l) = b%p(l)*(1 + 1e-6_wp*hot)
    end do
  end subroutine burn

  subroutine run_flame(bits)
    integer(int64), intent(inout) :: bits
    type(burner) :: b
    real(wp) :: front(nl)
    allocate (b%y(ns, nx, nl), b%t(nx, nl), b%u(nx, nl), b%p(nl))
    call fill(b%y, ns*nx*nl, 1)
    call fill(b%t, nx*nl, 2, 300.0_wp, 1800.0_wp)
    call fill(b%u, nx*nl, 3, -0.5_wp, 1.0_wp)
    call fill(b%p, nl, 4, 9e4_wp, 1.1e5_wp)
    b%inlet = [0.2_wp, 0.8_wp, 0.0_wp, 0.0_wp]
    b%heat = [-50.0_wp, -10.0_wp, 20.0_wp, 5.0_wp]
    b%spacing = 0.1_wp
    call burn(b, 1e-3_wp, front)
    call add(bits, b%y, ns*nx*nl)
    call add(bits, b%t, nx*nl)
    call add(bits, b%u, nx*nl)
    call add(bits, front, nl)
  end subroutine run_flame
end module flame
