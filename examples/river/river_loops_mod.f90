! river_loops_mod.f90 - the loops of the scheme: fluxes through edges, the longest stable step, and
! the change of cells. Plain loops, which portablef moves to threads or a GPU. Each cell gathers
! over its own edges, in ascending order: so bits do not depend on threads. The directives are for
! compilers with OpenMP, whose threads the benchmarks compare.
!
! Shallow water of first order: HLL fluxes, the bed by hydrostatic reconstruction (Audusse et al. 2004), so that a lake stays at rest.
! The hydrostatic pressure of each flux is left out where it sums up to zero around a cell. Not in this file: the mesh, time.
module river_loops_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private
  public :: fluxes, limits, update, least_of

  real(real64), parameter, public :: gravity = 9.81d0, dry = 1d-8 ! m/s2; m: a thinner film of water does not move

contains

  ! Through each edge, times its length: water, and momentum as its left and its right cell see it; speed: the fastest wave, times the length.
  subroutine fluxes(edges, cells, cell_of_edge, nx, ny, length, z, h, hu, hv, water, left_x, left_y, right_x, right_y, speed)
    integer, intent(in) :: edges, cells, cell_of_edge(2, edges)
    real(real64), intent(in) :: nx(edges), ny(edges), length(edges), z(cells), h(cells), hu(cells), hv(cells)
    real(real64), intent(out) :: water(edges), left_x(edges), left_y(edges), right_x(edges), right_y(edges), speed(edges)
    real(real64) :: ul, vl, ur, vr, hl, hr, zl, zr, cl, cr, sl, sr, top, middle, wave, fh, fn, ft, pl, pr
    integer :: e, l, r
    !$omp parallel do private(l, r, ul, vl, ur, vr, hl, hr, zl, zr, cl, cr, sl, sr, top, middle, wave, fh, fn, ft, pl, pr)
    do e = 1, edges
      l = cell_of_edge(1, e)
      r = cell_of_edge(2, e)
      hl = h(l)
      zl = z(l)
      ul = 0
      vl = 0
      if (hl > dry) then
        ul = (hu(l)*nx(e) + hv(l)*ny(e))/hl
        vl = (hv(l)*nx(e) - hu(l)*ny(e))/hl
      end if
      if (r > 0) then
        hr = h(r)
        zr = z(r)
        ur = 0
        vr = 0
        if (hr > dry) then
          ur = (hu(r)*nx(e) + hv(r)*ny(e))/hr
          vr = (hv(r)*nx(e) - hu(r)*ny(e))/hr
        end if
      else ! a wall mirrors
        hr = hl
        zr = zl
        ur = -ul
        vr = vl
      end if
      top = max(zl, zr)
      hl = max(0d0, hl + zl - top)
      hr = max(0d0, hr + zr - top)
      cl = sqrt(gravity*hl)
      cr = sqrt(gravity*hr)
      middle = 0.5d0*(ul + ur) + cl - cr
      wave = 0.5d0*(cl + cr) + 0.25d0*(ul - ur)
      sl = min(ul - cl, middle - wave)
      sr = max(ur + cr, middle + wave)
      if (hl <= dry) then
        sl = ur - 2*cr
        sr = ur + cr
      end if
      if (hr <= dry) then
        sl = ul - cl
        sr = ul + 2*cl
      end if
      pl = 0.5d0*gravity*hl**2
      pr = 0.5d0*gravity*hr**2
      if (hl <= dry .and. hr <= dry) then
        fh = 0
        fn = 0
        sl = 0
        sr = 0
        pl = 0
        pr = 0
      else if (sl >= 0) then
        fh = hl*ul
        fn = fh*ul + pl
      else if (sr <= 0) then
        fh = hr*ur
        fn = fh*ur + pr
      else
        fh = (sr*hl*ul - sl*hr*ur + sl*sr*(hr - hl))/(sr - sl)
        fn = (sr*(hl*ul**2 + pl) - sl*(hr*ur**2 + pr) + sl*sr*(hr*ur - hl*ul))/(sr - sl)
      end if
      if (r == 0) fh = 0
      ft = fh*merge(vl, vr, fh > 0)
      water(e) = length(e)*fh
      left_x(e) = length(e)*((fn - pl)*nx(e) - ft*ny(e))
      left_y(e) = length(e)*((fn - pl)*ny(e) + ft*nx(e))
      right_x(e) = length(e)*((fn - pr)*nx(e) - ft*ny(e))
      right_y(e) = length(e)*((fn - pr)*ny(e) + ft*nx(e))
      speed(e) = length(e)*max(abs(sl), abs(sr))
    end do
  end subroutine

  ! The step, in s, in which the waves of all edges of a cell cross it.
  subroutine limits(edges, cells, row, col, area, speed, limit)
    integer, intent(in) :: edges, cells, row(cells + 1), col(:)
    real(real64), intent(in) :: area(cells), speed(edges)
    real(real64), intent(out) :: limit(cells)
    real(real64) :: total
    integer :: c, k
    !$omp parallel do private(k, total)
    do c = 1, cells
      total = 0
      do k = row(c), row(c + 1) - 1
        total = total + speed(col(k))
      end do
      limit(c) = area(c)/max(total, 1d-30)
    end do
  end subroutine

  ! The water after dt; friction as Manning's n, s/m^(1/3).
  subroutine update(edges, cells, row, col, cell_of_edge, area, dt, friction, water, left_x, left_y, right_x, right_y, h, hu, hv, &
                    h_new, hu_new, hv_new)
    integer, intent(in) :: edges, cells, row(cells + 1), col(:), cell_of_edge(2, edges)
    real(real64), intent(in) :: area(cells), dt, friction, water(edges)
    real(real64), intent(in) :: left_x(edges), left_y(edges), right_x(edges), right_y(edges)
    real(real64), intent(in) :: h(cells), hu(cells), hv(cells)
    real(real64), intent(out) :: h_new(cells), hu_new(cells), hv_new(cells)
    real(real64) :: dh, dx, dy, slow
    integer :: c, e, k
    !$omp parallel do private(e, k, dh, dx, dy, slow)
    do c = 1, cells
      dh = 0
      dx = 0
      dy = 0
      do k = row(c), row(c + 1) - 1
        e = col(k)
        if (cell_of_edge(1, e) == c) then
          dh = dh - water(e)
          dx = dx - left_x(e)
          dy = dy - left_y(e)
        else
          dh = dh + water(e)
          dx = dx + right_x(e)
          dy = dy + right_y(e)
        end if
      end do
      h_new(c) = h(c) + dt*dh/area(c)
      dx = hu(c) + dt*dx/area(c)
      dy = hv(c) + dt*dy/area(c)
      if (h_new(c) <= dry) then
        dx = 0
        dy = 0
      else if (friction > 0) then
        slow = 1 + dt*gravity*friction**2*sqrt(dx**2 + dy**2)/(h_new(c)*h_new(c)*h_new(c)**(1d0/3))
        dx = dx/slow
        dy = dy/slow
      end if
      hu_new(c) = dx
      hv_new(c) = dy
    end do
  end subroutine

  ! The least of some values; a NaN counts as less than all.
  function least_of(n, values) result(least)
    integer, intent(in) :: n
    real(real64), intent(in) :: values(n)
    real(real64) :: least
    integer :: i
    least = huge(least)
    !$omp parallel do reduction(min: least)
    do i = 1, n
      least = min(least, merge(values(i), -huge(least), values(i) >= -huge(least)))
    end do
  end function

end module river_loops_mod
