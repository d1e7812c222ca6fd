!> Ghost cells. A 'wall' mirrors the flow (no water passes), 'open' continues the last cell outwards.
!> Corners are not filled: the scheme goes along x, then along y, and never looks across a corner.
module swe_boundary_mod
  use portable_mod, only: parallel_for, bounds, tile, arg
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: fill_ghosts

  interface
    !> Where the domain is shared among ranks: fills the ghost cells beyond which another rank goes on. Each program links its own;
    !> no pointer to a procedure, because flang 16 has none.
    subroutine swe_exchange(nx, ny, h, hu, hv, b)
      import :: wp, ng
      integer, intent(in) :: nx, ny
      real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    end subroutine swe_exchange
  end interface

contains

  !> boundary_x and boundary_y are 'wall' or 'open'. The bed needs its ghost cells as well: the same mirror.
  subroutine fill_ghosts(nx, ny, boundary_x, boundary_y, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    character(len=*), intent(in) :: boundary_x, boundary_y
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp) :: sign_x, sign_y

    sign_x = merge(-1.0_wp, 1.0_wp, boundary_x == 'wall')
    sign_y = merge(-1.0_wp, 1.0_wp, boundary_y == 'wall')
    call parallel_for('ghosts_x', bounds([1, 1], [ng, ny]), sides_x, &
      [arg(h, lbound(h), 'both'), arg(hu, lbound(hu), 'both'), arg(hv, lbound(hv), 'both'), &
       arg(b, lbound(b), 'both'), arg(nx), arg(sign_x)])
    call parallel_for('ghosts_y', bounds([1, 1], [nx, ng]), sides_y, &
      [arg(h, lbound(h), 'both'), arg(hu, lbound(hu), 'both'), arg(hv, lbound(hv), 'both'), &
       arg(b, lbound(b), 'both'), arg(ny), arg(sign_y)])
    call swe_exchange(nx, ny, h, hu, hv, b)
  contains
    recursive subroutine sides_x(t)
    type(tile), intent(in) :: t
    integer :: j, k, left, right

    do k = t%lower(1), t%upper(1)
      left = merge(k, 1, boundary_x == 'wall')
      right = nx + 1 - left
      do j = t%lower(2), t%upper(2)
        h(1-k, j) = h(left, j)
        hu(1-k, j) = sign_x*hu(left, j)
        hv(1-k, j) = hv(left, j)
        b(1-k, j) = b(left, j)
        h(nx+k, j) = h(right, j)
        hu(nx+k, j) = sign_x*hu(right, j)
        hv(nx+k, j) = hv(right, j)
        b(nx+k, j) = b(right, j)
      end do
    end do
    end subroutine sides_x

    recursive subroutine sides_y(t)
    type(tile), intent(in) :: t
    integer :: i, k, left, right

    do k = t%lower(2), t%upper(2)
      left = merge(k, 1, boundary_y == 'wall')
      right = ny + 1 - left
      do i = t%lower(1), t%upper(1)
        h(i, 1-k) = h(i, left)
        hu(i, 1-k) = hu(i, left)
        hv(i, 1-k) = sign_y*hv(i, left)
        b(i, 1-k) = b(i, left)
        h(i, ny+k) = h(i, right)
        hu(i, ny+k) = hu(i, right)
        hv(i, ny+k) = sign_y*hv(i, right)
        b(i, ny+k) = b(i, right)
      end do
    end do
    end subroutine sides_y
  end subroutine fill_ghosts
end module swe_boundary_mod
