! Turbulent mixing: coefficients by a mixing length and the Richardson number (Louis 1979), and an
! implicit step of diffusion in each column.
module cm_turbulence_mod
  use cm_constants_mod, only: wp, gravity, heat_dry, karman, virtual
  use cm_state_mod, only: nc, nz, t, q, qc, u, v, exner, mass, rho, z, z_half, sensible, evaporation, drag, evaporated
  implicit none
  private
  public :: turbulence

  integer, parameter :: most = 200 ! levels
  real(wp), parameter :: longest = 150.0_wp ! mixing length, m

contains

  subroutine turbulence(dt)
    real(wp), intent(in) :: dt
    real(wp), allocatable :: rate(:, :)
    integer :: i, k
    real(wp) :: still
    allocate (rate(nc, nz))
    call coefficients(rate)

    !$omp parallel do
    do k = 1, nz
      do i = 1, nc
        t(i, k) = t(i, k)/exner(i, k) ! potential temperature
      end do
    end do
    !$omp parallel do private(still)
    do i = 1, nc
      still = 0
      call diffuse(t(i, :), mass(i, :), rate(i, :), sensible(i)/(heat_dry*exner(i, 1)), still, dt)
      call diffuse(q(i, :), mass(i, :), rate(i, :), evaporation(i), still, dt)
      call diffuse(qc(i, :), mass(i, :), rate(i, :), 0.0_wp, still, dt)
      call diffuse(u(i, :), mass(i, :), rate(i, :), 0.0_wp, drag(i), dt)
      call diffuse(v(i, :), mass(i, :), rate(i, :), 0.0_wp, drag(i), dt)
      evaporated(i) = evaporated(i) + evaporation(i)*dt
    end do
    !$omp parallel do
    do k = 1, nz
      do i = 1, nc
        t(i, k) = t(i, k)*exner(i, k)
      end do
    end do
    deallocate (rate)
  end subroutine turbulence

  ! rate(i,k): what half level k lets through per difference of its two levels, kg/(m2 s); 0 at the top.
  subroutine coefficients(rate)
    real(wp), intent(out) :: rate(:, :)
    integer :: i, k
    real(wp) :: shear, theta_low, theta_high, richardson, length, factor, distance
    !$omp parallel do private(shear, theta_low, theta_high, richardson, length, factor, distance)
    do k = 1, nz - 1
      do i = 1, nc
        distance = z(i, k + 1) - z(i, k)
        shear = sqrt((u(i, k + 1) - u(i, k))**2 + (v(i, k + 1) - v(i, k))**2)/distance + 1.0e-4_wp
        theta_low = t(i, k)/exner(i, k)*(1 + virtual*q(i, k))
        theta_high = t(i, k + 1)/exner(i, k + 1)*(1 + virtual*q(i, k + 1))
        richardson = gravity*(theta_high - theta_low)/(0.5_wp*(theta_high + theta_low)*distance*shear**2)
        length = karman*z_half(i, k)/(1 + karman*z_half(i, k)/longest)
        if (richardson >= 0) then
          factor = 1/(1 + 10*min(richardson, 1.0e3_wp)*sqrt(1 + min(richardson, 1.0e3_wp)))
        else
          factor = sqrt(1 - 18*max(richardson, -1.0e4_wp))
        end if
        rate(i, k) = 0.5_wp*(rho(i, k) + rho(i, k + 1))*min(length**2*shear*factor, 800.0_wp)/distance
      end do
    end do
    !$omp parallel do
    do i = 1, nc
      rate(i, nz) = 0
    end do
  end subroutine coefficients

  ! One implicit step for one quantity of one column. source: the input from the surface per time;
  ! sink: the part of the value that the surface takes per time. The loss of one level is the gain
  ! of the next, so the sum changes by the source and the sink alone.
  pure subroutine diffuse(x, m, r, source, sink, dt)
    real(wp), intent(inout) :: x(:)
    real(wp), intent(in) :: m(:), r(:), source, sink, dt
    real(wp) :: upper(most), pivot, below
    integer :: k, n
    n = size(x)
    x(1) = x(1) + dt*source/m(1)
    pivot = 1 + dt*(r(1) + sink)/m(1)
    upper(1) = -dt*r(1)/m(1)/pivot
    x(1) = x(1)/pivot
    do k = 2, n
      below = -dt*r(k - 1)/m(k)
      pivot = 1 + dt*(r(k - 1) + r(k))/m(k) - below*upper(k - 1)
      upper(k) = -dt*r(k)/m(k)/pivot
      x(k) = (x(k) - below*x(k - 1))/pivot
    end do
    do k = n - 1, 1, -1
      x(k) = x(k) - upper(k)*x(k + 1)
    end do
  end subroutine diffuse
end module cm_turbulence_mod
