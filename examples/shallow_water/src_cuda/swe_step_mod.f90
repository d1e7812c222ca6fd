!> The time step: Heun's method (SSP-RK2) over a MUSCL finite-volume scheme. The routines here own the work
!> arrays: each takes what it needs when it is entered and releases it when it leaves; the loops are in
!> the kernels, which get the arrays with explicit shapes. Its phases are timed (PORTABLE_PROFILE=1).
module swe_step_mod
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: timer_start, timer_stop, reduce_max, fence
  use swe_kinds_mod, only: wp, ng
  use swe_boundary_mod, only: fill_ghosts
  use swe_reconstruction_mod, only: primitive_variables, limited_slope, face_states
  use swe_riemann_mod, only: hydrostatic_depths, wave_speeds, face_fluxes
  use swe_update_mod, only: zero_tendency, add_divergence, add_tendency, copy_state, average_states, &
    signal_rates
  implicit none
  private
  public :: advance, stable_time_step

contains

  !> Largest step [s] that the Courant number allows.
  function stable_time_step(nx, ny, dx, dy, g, cfl, h, hu, hv) result(time_step)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, cfl
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    real(wp) :: time_step
    real(wp), pointer :: rate(:, :)

    call timer_start('time step')
    nullify (rate)
    call gator_allocate(rate, [nx, ny], label='rate')
    call signal_rates(nx, ny, dx, dy, g, h, hu, hv, rate)
    time_step = cfl/reduce_max(rate)
    call gator_deallocate(rate)
    call timer_stop('time step')
  end function stable_time_step

  !> One step of the length time_step [s].
  subroutine advance(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), pointer :: h_old(:, :), hu_old(:, :), hv_old(:, :)

    call timer_start('advance')
    nullify (h_old, hu_old, hv_old)
    call gator_allocate(h_old, [nx, ny], label='h_old')
    call gator_allocate(hu_old, [nx, ny], label='hu_old')
    call gator_allocate(hv_old, [nx, ny], label='hv_old')
    call copy_state(nx, ny, h, hu, hv, h_old, hu_old, hv_old)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call average_states(nx, ny, h_old, hu_old, hv_old, h, hu, hv)
    call gator_deallocate(hv_old)
    call gator_deallocate(hu_old)
    call gator_deallocate(h_old)
    call fence() ! what comes next may be the host's
    call timer_stop('advance')
  end subroutine advance

  !> One forward Euler stage: tendencies along x and along y, then the update.
  subroutine euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), pointer :: eta(:, :), u(:, :), v(:, :)
    real(wp), pointer :: dh(:, :), dqu(:, :), dqv(:, :)

    nullify (eta, u, v)
    nullify (dh, dqu, dqv)
    call gator_allocate(eta, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='eta')
    call gator_allocate(u, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='u')
    call gator_allocate(v, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='v')
    call gator_allocate(dh, [nx, ny], label='dh')
    call gator_allocate(dqu, [nx, ny], label='dqu')
    call gator_allocate(dqv, [nx, ny], label='dqv')
    call timer_start('ghosts')
    call fill_ghosts(nx, ny, boundary_x, boundary_y, h, hu, hv, b)
    call timer_stop('ghosts')
    call primitive_variables(nx, ny, h, hu, hv, b, eta, u, v)
    call zero_tendency(nx, ny, dh, dqu, dqv)
    call sweep(nx, ny, 1, 0, dx, g, h, eta, u, v, dh, dqu, dqv)
    call sweep(nx, ny, 0, 1, dy, g, h, eta, v, u, dh, dqv, dqu)
    call add_tendency(nx, ny, time_step, dh, dqu, dqv, h, hu, hv)
    call gator_deallocate(dqv)
    call gator_deallocate(dqu)
    call gator_deallocate(dh)
    call gator_deallocate(v)
    call gator_deallocate(u)
    call gator_deallocate(eta)
  end subroutine euler_stage

  !> Adds what the fluxes of one direction, (di,dj) = (1,0) or (0,1), do to the cells.
  subroutine sweep(nx, ny, di, dj, ds, g, h, eta, un, ut, dh, dqn, dqt)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: ds, g
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(inout), dimension(nx, ny) :: dh, dqn, dqt
    real(wp), pointer :: h_minus(:, :), b_minus(:, :), n_minus(:, :), t_minus(:, :)
    real(wp), pointer :: h_plus(:, :), b_plus(:, :), n_plus(:, :), t_plus(:, :)
    real(wp), pointer :: flux_h(:, :), flux_n_minus(:, :), flux_n_plus(:, :), flux_t(:, :)

    nullify (h_minus, b_minus, n_minus, t_minus)
    nullify (h_plus, b_plus, n_plus, t_plus)
    nullify (flux_h, flux_n_minus, flux_n_plus, flux_t)
    call gator_allocate(h_minus, [nx+1, ny+1], label='h_minus')
    call gator_allocate(b_minus, [nx+1, ny+1], label='b_minus')
    call gator_allocate(n_minus, [nx+1, ny+1], label='n_minus')
    call gator_allocate(t_minus, [nx+1, ny+1], label='t_minus')
    call gator_allocate(h_plus, [nx+1, ny+1], label='h_plus')
    call gator_allocate(b_plus, [nx+1, ny+1], label='b_plus')
    call gator_allocate(n_plus, [nx+1, ny+1], label='n_plus')
    call gator_allocate(t_plus, [nx+1, ny+1], label='t_plus')
    call gator_allocate(flux_h, [nx+1, ny+1], label='flux_h')
    call gator_allocate(flux_n_minus, [nx+1, ny+1], label='flux_n_minus')
    call gator_allocate(flux_n_plus, [nx+1, ny+1], label='flux_n_plus')
    call gator_allocate(flux_t, [nx+1, ny+1], label='flux_t')
    call timer_start('reconstruct')
    call reconstruct(nx, ny, di, dj, h, eta, un, ut, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    call timer_stop('reconstruct')
    call timer_start('riemann')
    call riemann(nx, ny, di, dj, g, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t)
    call timer_stop('riemann')
    call add_divergence(nx, ny, di, dj, ds, g, h_minus, b_minus, h_plus, b_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t, dh, dqn, dqt)
    call gator_deallocate(flux_t)
    call gator_deallocate(flux_n_plus)
    call gator_deallocate(flux_n_minus)
    call gator_deallocate(flux_h)
    call gator_deallocate(t_plus)
    call gator_deallocate(n_plus)
    call gator_deallocate(b_plus)
    call gator_deallocate(h_plus)
    call gator_deallocate(t_minus)
    call gator_deallocate(n_minus)
    call gator_deallocate(b_minus)
    call gator_deallocate(h_minus)
  end subroutine sweep

  !> States on both sides of the faces, from limited slopes.
  subroutine reconstruct(nx, ny, di, dj, h, eta, un, ut, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_minus, b_minus, n_minus, t_minus
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_plus, b_plus, n_plus, t_plus
    real(wp), pointer :: slope_h(:, :), slope_eta(:, :), slope_n(:, :), slope_t(:, :)

    nullify (slope_h, slope_eta, slope_n, slope_t)
    call gator_allocate(slope_h, [nx+2, ny+2], [0, 0], label='slope_h')
    call gator_allocate(slope_eta, [nx+2, ny+2], [0, 0], label='slope_eta')
    call gator_allocate(slope_n, [nx+2, ny+2], [0, 0], label='slope_n')
    call gator_allocate(slope_t, [nx+2, ny+2], [0, 0], label='slope_t')
    call limited_slope(nx, ny, di, dj, h, slope_h)
    call limited_slope(nx, ny, di, dj, eta, slope_eta)
    call limited_slope(nx, ny, di, dj, un, slope_n)
    call limited_slope(nx, ny, di, dj, ut, slope_t)
    call face_states(nx, ny, di, dj, h, eta, un, ut, slope_h, slope_eta, slope_n, slope_t, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    call gator_deallocate(slope_t)
    call gator_deallocate(slope_n)
    call gator_deallocate(slope_eta)
    call gator_deallocate(slope_h)
  end subroutine reconstruct

  !> Fluxes through the faces from the states on their two sides.
  subroutine riemann(nx, ny, di, dj, g, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: g
    real(wp), intent(in), dimension(nx+1, ny+1) :: h_minus, b_minus, n_minus, t_minus
    real(wp), intent(in), dimension(nx+1, ny+1) :: h_plus, b_plus, n_plus, t_plus
    real(wp), intent(out), dimension(nx+1, ny+1) :: flux_h, flux_n_minus, flux_n_plus, flux_t
    real(wp), pointer :: star_minus(:, :), star_plus(:, :), slowest(:, :), fastest(:, :)

    nullify (star_minus, star_plus, slowest, fastest)
    call gator_allocate(star_minus, [nx+1, ny+1], label='star_minus')
    call gator_allocate(star_plus, [nx+1, ny+1], label='star_plus')
    call gator_allocate(slowest, [nx+1, ny+1], label='slowest')
    call gator_allocate(fastest, [nx+1, ny+1], label='fastest')
    call hydrostatic_depths(nx, ny, di, dj, h_minus, b_minus, h_plus, b_plus, star_minus, star_plus)
    call wave_speeds(nx, ny, di, dj, g, star_minus, n_minus, star_plus, n_plus, slowest, fastest)
    call face_fluxes(nx, ny, di, dj, g, h_minus, n_minus, t_minus, h_plus, n_plus, t_plus, &
      star_minus, star_plus, slowest, fastest, flux_h, flux_n_minus, flux_n_plus, flux_t)
    call gator_deallocate(fastest)
    call gator_deallocate(slowest)
    call gator_deallocate(star_plus)
    call gator_deallocate(star_minus)
  end subroutine riemann
end module swe_step_mod
