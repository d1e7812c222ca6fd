!> Second-order states at the cell faces (MUSCL, minmod), after Audusse et al. (2004).
!>
!> Direction: (di,dj) is (1,0) along x and (0,1) along y; one text serves both. Face (i,j) lies between
!> cell (i-di,j-dj), its minus side, and cell (i,j), its plus side. `un` is the velocity across the face,
!> `ut` the one along it.
module swe_reconstruction_mod
  use portable_mod, only: parallel_for, bounds, tile, arg
  use swe_kinds_mod, only: wp, ng, dry_depth
  implicit none
  private
  public :: primitive_variables, limited_slope, face_states

contains

  !> Surface level and velocities from depth and discharges, ghost cells included.
  subroutine primitive_variables(nx, ny, h, hu, hv, b, eta, u, v)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), intent(out), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: eta, u, v
    call parallel_for('primitive_variables', bounds([1-ng, 1-ng], [nx+ng, ny+ng]), body, &
      [arg(h, lbound(h), 'read'), arg(hu, lbound(hu), 'read'), arg(hv, lbound(hv), 'read'), &
       arg(b, lbound(b), 'read'), arg(eta, lbound(eta), 'write'), arg(u, lbound(u), 'write'), &
       arg(v, lbound(v), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: wet
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        wet = merge(1.0_wp, 0.0_wp, h(i, j) > dry_depth)
        eta(i, j) = h(i, j) + b(i, j)
        u(i, j) = wet*hu(i, j)/max(h(i, j), dry_depth)
        v(i, j) = wet*hv(i, j)/max(h(i, j), dry_depth)
      end do
    end do
    end subroutine body
  end subroutine primitive_variables

  !> The difference of q over a cell, limited so that no new extremum appears.
  subroutine limited_slope(nx, ny, di, dj, q, slope)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: q(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp), intent(out) :: slope(0:nx+1, 0:ny+1)
    call parallel_for('limited_slope', bounds([1-di, 1-dj], [nx+di, ny+dj]), body, &
      [arg(q, lbound(q), 'read'), arg(slope, lbound(slope), 'write'), arg(di), arg(dj)])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: below, above
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        below = q(i, j) - q(i-di, j-dj)
        above = q(i+di, j+dj) - q(i, j)
        slope(i, j) = max(0.0_wp, min(below, above)) + min(0.0_wp, max(below, above))
      end do
    end do
    end subroutine body
  end subroutine limited_slope

  !> States on both sides of each face. Depth and surface are made linear in the cell and the bed follows
  !> from them, so that water at rest stays level. Velocities are weighted with the depths at the two ends
  !> of the cell, so that the mean discharge of the cell is kept.
  subroutine face_states(nx, ny, di, dj, h, eta, un, ut, slope_h, slope_eta, slope_n, slope_t, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(in), dimension(0:nx+1, 0:ny+1) :: slope_h, slope_eta, slope_n, slope_t
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_minus, b_minus, n_minus, t_minus
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_plus, b_plus, n_plus, t_plus
    call parallel_for('face_states', bounds([1, 1], [nx+di, ny+dj]), body, &
      [arg(h, lbound(h), 'read'), arg(eta, lbound(eta), 'read'), arg(un, lbound(un), 'read'), &
       arg(ut, lbound(ut), 'read'), arg(slope_h, lbound(slope_h), 'read'), &
       arg(slope_eta, lbound(slope_eta), 'read'), arg(slope_n, lbound(slope_n), 'read'), &
       arg(slope_t, lbound(slope_t), 'read'), arg(h_minus, lbound(h_minus), 'write'), &
       arg(b_minus, lbound(b_minus), 'write'), arg(n_minus, lbound(n_minus), 'write'), &
       arg(t_minus, lbound(t_minus), 'write'), arg(h_plus, lbound(h_plus), 'write'), &
       arg(b_plus, lbound(b_plus), 'write'), arg(n_plus, lbound(n_plus), 'write'), &
       arg(t_plus, lbound(t_plus), 'write'), arg(di), arg(dj)])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: low, high, weight
    integer :: i, j, ic, jc

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        ic = i - di
        jc = j - dj
        low = h(ic, jc) - 0.5_wp*slope_h(ic, jc)
        high = h(ic, jc) + 0.5_wp*slope_h(ic, jc)
        weight = 0.5_wp*low/max(h(ic, jc), dry_depth)
        h_minus(i, j) = high
        b_minus(i, j) = eta(ic, jc) + 0.5_wp*slope_eta(ic, jc) - high
        n_minus(i, j) = un(ic, jc) + weight*slope_n(ic, jc)
        t_minus(i, j) = ut(ic, jc) + weight*slope_t(ic, jc)
      end do
    end do
    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        low = h(i, j) - 0.5_wp*slope_h(i, j)
        high = h(i, j) + 0.5_wp*slope_h(i, j)
        weight = 0.5_wp*high/max(h(i, j), dry_depth)
        h_plus(i, j) = low
        b_plus(i, j) = eta(i, j) - 0.5_wp*slope_eta(i, j) - low
        n_plus(i, j) = un(i, j) - weight*slope_n(i, j)
        t_plus(i, j) = ut(i, j) - weight*slope_t(i, j)
      end do
    end do
    end subroutine body
  end subroutine face_states
end module swe_reconstruction_mod
