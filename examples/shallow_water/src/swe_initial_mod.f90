!> The water at the start: at rest, held by a straight dam, a round one, or none. i0 and j0: cells of the
!> domain before the first one here; 0 where the arrays hold all of it.
module swe_initial_mod
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: set_straight_dam, set_round_dam

contains

  !> The high level left of x = dam_x, the low level right of it.
  subroutine set_straight_dam(nx, ny, i0, dx, dam_x, level_high, level_low, b, h, hu, hv)
    integer, intent(in) :: nx, ny, i0
    real(wp), intent(in) :: dx, dam_x, level_high, level_low
    real(wp), intent(in) :: b(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp), intent(out), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    integer :: i, j

    h = 0
    hu = 0
    hv = 0
    do j = 1, ny
      do i = 1, nx
        h(i, j) = merge(level_high, level_low, (i0 + i - 0.5_wp)*dx < dam_x) - b(i, j)
      end do
    end do
  end subroutine set_straight_dam

  !> The high level inside the circle, the low level outside. A cell that the dam cuts gets the mean over
  !> points inside it, so that the dam is a circle on the grid and not a staircase.
  subroutine set_round_dam(nx, ny, i0, j0, dx, dy, dam_x, dam_y, radius, level_high, level_low, b, h, hu, hv)
    integer, intent(in) :: nx, ny, i0, j0
    real(wp), intent(in) :: dx, dy, dam_x, dam_y, radius, level_high, level_low
    real(wp), intent(in) :: b(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp), intent(out), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    integer, parameter :: points = 8 !! in each direction of a cell
    real(wp) :: x, y, inside
    integer :: i, j, k, l

    h = 0
    hu = 0
    hv = 0
    do j = 1, ny
      do i = 1, nx
        inside = 0
        do l = 1, points
          y = (j0 + j - 1 + (l - 0.5_wp)/points)*dy - dam_y
          do k = 1, points
            x = (i0 + i - 1 + (k - 0.5_wp)/points)*dx - dam_x
            if (x*x + y*y < radius*radius) inside = inside + 1.0_wp/points**2
          end do
        end do
        h(i, j) = level_low + (level_high - level_low)*inside - b(i, j)
      end do
    end do
  end subroutine set_round_dam
end module swe_initial_mod
