!> The time step: Heun's method (SSP-RK2) over a MUSCL finite-volume scheme. The routines here own the work
!> arrays: each takes what it needs when it is entered and releases it when it leaves; the loops are in
!> the kernels, which get the arrays with explicit shapes.
module swe_step_mod
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
    real(wp), allocatable :: rate(:, :)

    allocate (rate(nx, ny))
    call signal_rates(nx, ny, dx, dy, g, h, hu, hv, rate)
    time_step = cfl/maxval(rate)
    deallocate (rate)
  end function stable_time_step

  !> One step of the length time_step [s].
  subroutine advance(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), allocatable :: h_old(:, :), hu_old(:, :), hv_old(:, :)

    allocate (h_old(nx, ny))
    allocate (hu_old(nx, ny))
    allocate (hv_old(nx, ny))
    call copy_state(nx, ny, h, hu, hv, h_old, hu_old, hv_old)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    call average_states(nx, ny, h_old, hu_old, hv_old, h, hu, hv)
    deallocate (hv_old)
    deallocate (hu_old)
    deallocate (h_old)
  end subroutine advance

  !> One forward Euler stage: tendencies along x and along y, then the update.
  subroutine euler_stage(nx, ny, dx, dy, g, boundary_x, boundary_y, time_step, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g, time_step
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), allocatable :: eta(:, :), u(:, :), v(:, :)
    real(wp), allocatable :: dh(:, :), dqu(:, :), dqv(:, :)

    allocate (eta(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (u(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (v(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (dh(nx, ny))
    allocate (dqu(nx, ny))
    allocate (dqv(nx, ny))
    call fill_ghosts(nx, ny, boundary_x, boundary_y, h, hu, hv, b)
    call primitive_variables(nx, ny, h, hu, hv, b, eta, u, v)
    call zero_tendency(nx, ny, dh, dqu, dqv)
    call sweep(nx, ny, 1, 0, dx, g, h, eta, u, v, dh, dqu, dqv)
    call sweep(nx, ny, 0, 1, dy, g, h, eta, v, u, dh, dqv, dqu)
    call add_tendency(nx, ny, time_step, dh, dqu, dqv, h, hu, hv)
    deallocate (dqv)
    deallocate (dqu)
    deallocate (dh)
    deallocate (v)
    deallocate (u)
    deallocate (eta)
  end subroutine euler_stage

  !> Adds what the fluxes of one direction, (di,dj) = (1,0) or (0,1), do to the cells.
  subroutine sweep(nx, ny, di, dj, ds, g, h, eta, un, ut, dh, dqn, dqt)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: ds, g
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(inout), dimension(nx, ny) :: dh, dqn, dqt
    real(wp), allocatable :: h_minus(:, :), b_minus(:, :), n_minus(:, :), t_minus(:, :)
    real(wp), allocatable :: h_plus(:, :), b_plus(:, :), n_plus(:, :), t_plus(:, :)
    real(wp), allocatable :: flux_h(:, :), flux_n_minus(:, :), flux_n_plus(:, :), flux_t(:, :)

    allocate (h_minus(nx+1, ny+1))
    allocate (b_minus(nx+1, ny+1))
    allocate (n_minus(nx+1, ny+1))
    allocate (t_minus(nx+1, ny+1))
    allocate (h_plus(nx+1, ny+1))
    allocate (b_plus(nx+1, ny+1))
    allocate (n_plus(nx+1, ny+1))
    allocate (t_plus(nx+1, ny+1))
    allocate (flux_h(nx+1, ny+1))
    allocate (flux_n_minus(nx+1, ny+1))
    allocate (flux_n_plus(nx+1, ny+1))
    allocate (flux_t(nx+1, ny+1))
    call reconstruct(nx, ny, di, dj, h, eta, un, ut, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    call riemann(nx, ny, di, dj, g, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t)
    call add_divergence(nx, ny, di, dj, ds, g, h_minus, b_minus, h_plus, b_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t, dh, dqn, dqt)
    deallocate (flux_t)
    deallocate (flux_n_plus)
    deallocate (flux_n_minus)
    deallocate (flux_h)
    deallocate (t_plus)
    deallocate (n_plus)
    deallocate (b_plus)
    deallocate (h_plus)
    deallocate (t_minus)
    deallocate (n_minus)
    deallocate (b_minus)
    deallocate (h_minus)
  end subroutine sweep

  !> States on both sides of the faces, from limited slopes.
  subroutine reconstruct(nx, ny, di, dj, h, eta, un, ut, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, eta, un, ut
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_minus, b_minus, n_minus, t_minus
    real(wp), intent(out), dimension(nx+1, ny+1) :: h_plus, b_plus, n_plus, t_plus
    real(wp), allocatable :: slope_h(:, :), slope_eta(:, :), slope_n(:, :), slope_t(:, :)

    allocate (slope_h(0:nx+1, 0:ny+1))
    allocate (slope_eta(0:nx+1, 0:ny+1))
    allocate (slope_n(0:nx+1, 0:ny+1))
    allocate (slope_t(0:nx+1, 0:ny+1))
    call limited_slope(nx, ny, di, dj, h, slope_h)
    call limited_slope(nx, ny, di, dj, eta, slope_eta)
    call limited_slope(nx, ny, di, dj, un, slope_n)
    call limited_slope(nx, ny, di, dj, ut, slope_t)
    call face_states(nx, ny, di, dj, h, eta, un, ut, slope_h, slope_eta, slope_n, slope_t, &
      h_minus, b_minus, n_minus, t_minus, h_plus, b_plus, n_plus, t_plus)
    deallocate (slope_t)
    deallocate (slope_n)
    deallocate (slope_eta)
    deallocate (slope_h)
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
    real(wp), allocatable :: star_minus(:, :), star_plus(:, :), slowest(:, :), fastest(:, :)

    allocate (star_minus(nx+1, ny+1))
    allocate (star_plus(nx+1, ny+1))
    allocate (slowest(nx+1, ny+1))
    allocate (fastest(nx+1, ny+1))
    call hydrostatic_depths(nx, ny, di, dj, h_minus, b_minus, h_plus, b_plus, star_minus, star_plus)
    call wave_speeds(nx, ny, di, dj, g, star_minus, n_minus, star_plus, n_plus, slowest, fastest)
    call face_fluxes(nx, ny, di, dj, g, h_minus, n_minus, t_minus, h_plus, n_plus, t_plus, &
      star_minus, star_plus, slowest, fastest, flux_h, flux_n_minus, flux_n_plus, flux_t)
    deallocate (fastest)
    deallocate (slowest)
    deallocate (star_plus)
    deallocate (star_minus)
  end subroutine riemann
end module swe_step_mod
