!> The time step: Heun's method (SSP-RK2) over a MUSCL finite-volume scheme. The routines here own the work
!> arrays by handles: each takes what it needs when it is entered, and what it took goes when it is left, as with
!> ALLOCATABLE; the loops are in the kernels, which get plain pointers as arrays with explicit shapes. Its phases are
!> timed (PORTABLE_PROFILE=1). The same with arrays that are released one by one is src_pool/swe_step_mod.f90.
module swe_step_mod
  use portable_array_mod, only: portable_array
  use portable_mod, only: timer_start, timer_stop
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
    type(portable_array) :: work
    real(wp), pointer :: rate(:, :)

    call timer_start('time step')
    call work%allocate(rate, [nx, ny], label='rate')
    call signal_rates(nx, ny, dx, dy, g, h, hu, hv, rate)
    time_step = cfl/maxval(rate)
    call timer_stop('time step')
  end function stable_time_step

  !> One step of the length time_step [s].
  subroutine advance(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    type(portable_array) :: work(3)
    real(wp), pointer :: h_old(:, :), hu_old(:, :), hv_old(:, :)

    call timer_start('advance')
    call work(1)%allocate(h_old, [nx, ny], label='h_old')
    call work(2)%allocate(hu_old, [nx, ny], label='hu_old')
    call work(3)%allocate(hv_old, [nx, ny], label='hv_old')
    call copy_state(nx, ny, h, hu, hv, h_old, hu_old, hv_old)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call average_states(nx, ny, h_old, hu_old, hv_old, h, hu, hv)
    call timer_stop('advance')
  end subroutine advance

  !> One forward Euler stage: tendencies along x and along y, then the update.
  subroutine euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    type(portable_array) :: work(6)
    real(wp), pointer :: eta(:, :), u(:, :), v(:, :)
    real(wp), pointer :: dh(:, :), dqu(:, :), dqv(:, :)

    call work(1)%allocate(eta, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='eta')
    call work(2)%allocate(u, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='u')
    call work(3)%allocate(v, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='v')
    call work(4)%allocate(dh, [nx, ny], label='dh')
    call work(5)%allocate(dqu, [nx, ny], label='dqu')
    call work(6)%allocate(dqv, [nx, ny], label='dqv')
    call timer_start('ghosts')
    call fill_ghosts(nx, ny, boundary_x, boundary_y, h, hu, hv, b)
    call timer_stop('ghosts')
    call primitive_variables(nx, ny, h, hu, hv, b, eta, u, v)
    call zero_tendency(nx, ny, dh, dqu, dqv)
    call sweep(nx, ny, 1, 0, dx, g, h, eta, u, v, dh, dqu, dqv)
    call sweep(nx, ny, 0, 1, dy, g, h, eta, v, u, dh, dqv, dqu)
    call add_tendency(nx, ny, time_step, dh, dqu, dqv, h, hu, hv)
  end subroutine euler_stage

  !> Adds what the fluxes of one direction, (di,dj) = (1,0) or (0,1), do to the cells.
  subroutine sweep(nx, ny, di, dj, ds, g, h, eta, un, ut, dh, dqn, dqt)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: ds, g
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(inout), dimension(nx, ny) :: dh, dqn, dqt
    type(portable_array) :: work(12)
    real(wp), pointer :: h_minus(:, :), b_minus(:, :), n_minus(:, :), t_minus(:, :)
    real(wp), pointer :: h_plus(:, :), b_plus(:, :), n_plus(:, :), t_plus(:, :)
    real(wp), pointer :: flux_h(:, :), flux_n_minus(:, :), flux_n_plus(:, :), flux_t(:, :)

    call work(1)%allocate(h_minus, [nx+1, ny+1], label='h_minus')
    call work(2)%allocate(b_minus, [nx+1, ny+1], label='b_minus')
    call work(3)%allocate(n_minus, [nx+1, ny+1], label='n_minus')
    call work(4)%allocate(t_minus, [nx+1, ny+1], label='t_minus')
    call work(5)%allocate(h_plus, [nx+1, ny+1], label='h_plus')
    call work(6)%allocate(b_plus, [nx+1, ny+1], label='b_plus')
    call work(7)%allocate(n_plus, [nx+1, ny+1], label='n_plus')
    call work(8)%allocate(t_plus, [nx+1, ny+1], label='t_plus')
    call work(9)%allocate(flux_h, [nx+1, ny+1], label='flux_h')
    call work(10)%allocate(flux_n_minus, [nx+1, ny+1], label='flux_n_minus')
    call work(11)%allocate(flux_n_plus, [nx+1, ny+1], label='flux_n_plus')
    call work(12)%allocate(flux_t, [nx+1, ny+1], label='flux_t')
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
  end subroutine sweep

  !> States on both sides of the faces, from limited slopes.
  subroutine reconstruct(nx, ny, di, dj, h, eta, un, ut, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_minus, b_minus, n_minus, t_minus
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_plus, b_plus, n_plus, t_plus
    type(portable_array) :: work(4)
    real(wp), pointer :: slope_h(:, :), slope_eta(:, :), slope_n(:, :), slope_t(:, :)

    call work(1)%allocate(slope_h, [nx+2, ny+2], [0, 0], label='slope_h')
    call work(2)%allocate(slope_eta, [nx+2, ny+2], [0, 0], label='slope_eta')
    call work(3)%allocate(slope_n, [nx+2, ny+2], [0, 0], label='slope_n')
    call work(4)%allocate(slope_t, [nx+2, ny+2], [0, 0], label='slope_t')
    call limited_slope(nx, ny, di, dj, h, slope_h)
    call limited_slope(nx, ny, di, dj, eta, slope_eta)
    call limited_slope(nx, ny, di, dj, un, slope_n)
    call limited_slope(nx, ny, di, dj, ut, slope_t)
    call face_states(nx, ny, di, dj, h, eta, un, ut, slope_h, slope_eta, slope_n, slope_t, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
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
    type(portable_array) :: work(4)
    real(wp), pointer :: star_minus(:, :), star_plus(:, :), slowest(:, :), fastest(:, :)

    call work(1)%allocate(star_minus, [nx+1, ny+1], label='star_minus')
    call work(2)%allocate(star_plus, [nx+1, ny+1], label='star_plus')
    call work(3)%allocate(slowest, [nx+1, ny+1], label='slowest')
    call work(4)%allocate(fastest, [nx+1, ny+1], label='fastest')
    call hydrostatic_depths(nx, ny, di, dj, h_minus, b_minus, h_plus, b_plus, star_minus, star_plus)
    call wave_speeds(nx, ny, di, dj, g, star_minus, n_minus, star_plus, n_plus, slowest, fastest)
    call face_fluxes(nx, ny, di, dj, g, h_minus, n_minus, t_minus, h_plus, n_plus, t_plus, &
      star_minus, star_plus, slowest, fastest, flux_h, flux_n_minus, flux_n_plus, flux_t)
  end subroutine riemann
end module swe_step_mod
