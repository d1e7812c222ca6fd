!> Stoker's exact solution of the dam break on a wet flat bed (J. J. Stoker, Water Waves, 1957): a
!> rarefaction runs into the deep water, a shock into the shallow water, between them a constant state.
module swe_exact_stoker_mod
  use swe_kinds_mod, only: wp
  implicit none
  private
  public :: stoker_solution, stoker_middle_state

contains

  !> Depth [m] and velocity [m/s] between the rarefaction and the shock. The rarefaction gives
  !> u = 2 (c_left - c), the shock u = (h - h_right) sqrt(g/2 (1/h + 1/h_right)); their difference grows
  !> with h, so bisection finds the one root. 60 halvings reach the rounding of any depth.
  pure subroutine stoker_middle_state(g, h_left, h_right, h_middle, u_middle)
    real(wp), intent(in) :: g, h_left, h_right
    real(wp), intent(out) :: h_middle, u_middle
    real(wp) :: low, high, u_rarefaction, u_shock
    integer :: k

    low = h_right
    high = h_left
    do k = 1, 60
      h_middle = 0.5_wp*(low + high)
      u_rarefaction = 2*(sqrt(g*h_left) - sqrt(g*h_middle))
      u_shock = (h_middle - h_right)*sqrt(0.5_wp*g*(1/h_middle + 1/h_right))
      if (u_shock < u_rarefaction) then
        low = h_middle
      else
        high = h_middle
      end if
    end do
    u_middle = 2*(sqrt(g*h_left) - sqrt(g*h_middle))
  end subroutine stoker_middle_state

  !> Depth and velocity at the points x [m] at time t > 0 [s]; the dam stood at x_dam.
  pure subroutine stoker_solution(n, x, x_dam, t, g, h_left, h_right, h, u)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), x_dam, t, g, h_left, h_right
    real(wp), intent(out) :: h(n), u(n)
    real(wp) :: h_middle, u_middle, c_left, head, tail, shock, xi, c
    integer :: i

    call stoker_middle_state(g, h_left, h_right, h_middle, u_middle)
    c_left = sqrt(g*h_left)
    head = -c_left                                     ! speeds [m/s]
    tail = u_middle - sqrt(g*h_middle)
    shock = h_middle*u_middle/(h_middle - h_right)
    do i = 1, n
      xi = (x(i) - x_dam)/t
      if (xi <= head) then
        h(i) = h_left
        u(i) = 0
      else if (xi <= tail) then
        c = (2*c_left - xi)/3
        h(i) = c*c/g
        u(i) = 2*(c_left + xi)/3
      else if (xi <= shock) then
        h(i) = h_middle
        u(i) = u_middle
      else
        h(i) = h_right
        u(i) = 0
      end if
    end do
  end subroutine stoker_solution
end module swe_exact_stoker_mod
