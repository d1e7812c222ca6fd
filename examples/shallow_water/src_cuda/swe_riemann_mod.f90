!> Fluxes through the faces: hydrostatic reconstruction (Audusse et al. 2004), then HLL (Harten, Lax and
!> van Leer 1983) with the wave speeds of Davis (1988). Directions and faces as in swe_reconstruction_mod.
module swe_riemann_mod
  use portable_mod, only: parallel_for, bounds, tile, arg
  use swe_kinds_mod, only: wp
  implicit none
  private
  public :: hydrostatic_depths, wave_speeds, face_fluxes

contains

  !> Depths over the higher of the two beds at a face: what can flow across it.
  subroutine hydrostatic_depths(nx, ny, di, dj, h_minus, b_minus, h_plus, b_plus, star_minus, star_plus)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in), dimension(nx+1, ny+1) :: h_minus, b_minus, h_plus, b_plus
    real(wp), intent(out), dimension(nx+1, ny+1) :: star_minus, star_plus
    call parallel_for('hydrostatic_depths', bounds([1, 1], [nx+di, ny+dj]), body, &
      [arg(h_minus, lbound(h_minus), 'read'), arg(b_minus, lbound(b_minus), 'read'), &
       arg(h_plus, lbound(h_plus), 'read'), arg(b_plus, lbound(b_plus), 'read'), &
       arg(star_minus, lbound(star_minus), 'write'), arg(star_plus, lbound(star_plus), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: b_face
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        b_face = max(b_minus(i, j), b_plus(i, j))
        star_minus(i, j) = max(0.0_wp, h_minus(i, j) + b_minus(i, j) - b_face)
        star_plus(i, j) = max(0.0_wp, h_plus(i, j) + b_plus(i, j) - b_face)
      end do
    end do
    end subroutine body
  end subroutine hydrostatic_depths

  !> The slowest and the fastest signal at a face [m/s], clamped at zero: supercritical flow then takes the
  !> upwind flux from the same formula, without a branch.
  subroutine wave_speeds(nx, ny, di, dj, g, star_minus, n_minus, star_plus, n_plus, slowest, fastest)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: g
    real(wp), intent(in), dimension(nx+1, ny+1) :: star_minus, n_minus, star_plus, n_plus
    real(wp), intent(out), dimension(nx+1, ny+1) :: slowest, fastest
    call parallel_for('wave_speeds', bounds([1, 1], [nx+di, ny+dj]), body, &
      [arg(g), arg(star_minus, lbound(star_minus), 'read'), arg(n_minus, lbound(n_minus), 'read'), &
       arg(star_plus, lbound(star_plus), 'read'), arg(n_plus, lbound(n_plus), 'read'), &
       arg(slowest, lbound(slowest), 'write'), arg(fastest, lbound(fastest), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: c_minus, c_plus
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        c_minus = sqrt(g*star_minus(i, j))
        c_plus = sqrt(g*star_plus(i, j))
        slowest(i, j) = min(n_minus(i, j) - c_minus, n_plus(i, j) - c_plus, 0.0_wp)
        fastest(i, j) = max(n_minus(i, j) + c_minus, n_plus(i, j) + c_plus, 0.0_wp)
      end do
    end do
    end subroutine body
  end subroutine wave_speeds

  !> HLL fluxes of mass and of the momentum across the face. The momentum along the face is carried by
  !> the mass flux from the side where it comes from. The momentum across differs on the two sides by
  !> the pressure on the step between the beds.
  subroutine face_fluxes(nx, ny, di, dj, g, h_minus, n_minus, t_minus, h_plus, n_plus, t_plus, &
      star_minus, star_plus, slowest, fastest, flux_h, flux_n_minus, flux_n_plus, flux_t)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: g
    real(wp), intent(in), dimension(nx+1, ny+1) :: h_minus, n_minus, t_minus, h_plus, n_plus, t_plus
    real(wp), intent(in), dimension(nx+1, ny+1) :: star_minus, star_plus, slowest, fastest
    real(wp), intent(out), dimension(nx+1, ny+1) :: flux_h, flux_n_minus, flux_n_plus, flux_t
    call parallel_for('face_fluxes', bounds([1, 1], [nx+di, ny+dj]), body, &
      [arg(g), arg(h_minus, lbound(h_minus), 'read'), arg(n_minus, lbound(n_minus), 'read'), &
       arg(t_minus, lbound(t_minus), 'read'), arg(h_plus, lbound(h_plus), 'read'), &
       arg(n_plus, lbound(n_plus), 'read'), arg(t_plus, lbound(t_plus), 'read'), &
       arg(star_minus, lbound(star_minus), 'read'), arg(star_plus, lbound(star_plus), 'read'), &
       arg(slowest, lbound(slowest), 'read'), arg(fastest, lbound(fastest), 'read'), &
       arg(flux_h, lbound(flux_h), 'write'), arg(flux_n_minus, lbound(flux_n_minus), 'write'), &
       arg(flux_n_plus, lbound(flux_n_plus), 'write'), arg(flux_t, lbound(flux_t), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: scale, q_minus, q_plus, p_minus, p_plus, s_minus, s_plus, flux_n
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        s_minus = slowest(i, j)
        s_plus = fastest(i, j)
        scale = 1.0_wp/max(s_plus - s_minus, tiny(1.0_wp)) ! both sides dry: 0 times a finite number
        q_minus = star_minus(i, j)*n_minus(i, j)
        q_plus = star_plus(i, j)*n_plus(i, j)
        p_minus = 0.5_wp*g*star_minus(i, j)*star_minus(i, j)
        p_plus = 0.5_wp*g*star_plus(i, j)*star_plus(i, j)
        flux_h(i, j) = scale*((s_plus*q_minus - s_minus*q_plus) &
          + s_minus*s_plus*(star_plus(i, j) - star_minus(i, j)))
        flux_n = scale*((s_plus*(q_minus*n_minus(i, j) + p_minus) &
          - s_minus*(q_plus*n_plus(i, j) + p_plus)) + s_minus*s_plus*(q_plus - q_minus))
        flux_n_minus(i, j) = flux_n + (0.5_wp*g*h_minus(i, j)*h_minus(i, j) - p_minus)
        flux_n_plus(i, j) = flux_n + (0.5_wp*g*h_plus(i, j)*h_plus(i, j) - p_plus)
        flux_t(i, j) = max(flux_h(i, j), 0.0_wp)*t_minus(i, j) + min(flux_h(i, j), 0.0_wp)*t_plus(i, j)
      end do
    end do
    end subroutine body
  end subroutine face_fluxes
end module swe_riemann_mod
