!> The bed: flat, with a Gaussian bump where the case asks for one.
module swe_bathymetry_mod
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: set_bed

contains

  !> b = height * exp(-((x-x0)^2 + (y-y0)^2) / width^2) at the cell centres [m].
  !> i0, j0: cells of the domain before the first one here; 0 where the arrays hold all of it.
  subroutine set_bed(nx, ny, i0, j0, dx, dy, height, width, x0, y0, b)
    integer, intent(in) :: nx, ny, i0, j0
    real(wp), intent(in) :: dx, dy
    real(wp), intent(in) :: height, width, x0, y0
    real(wp), intent(out) :: b(1-ng:nx+ng, 1-ng:ny+ng)
    real(wp) :: x, y
    integer :: i, j

    b = 0
    do j = 1, ny
      y = (j0 + j - 0.5_wp)*dy - y0
      ! exp in vectors, as gfortran -O3 takes it from glibc, has other last bits: they would depend on a cell's place in its rank.
      !GCC$ novector
      do i = 1, nx
        x = (i0 + i - 0.5_wp)*dx - x0
        b(i, j) = height*exp(-(x*x + y*y)/(width*width))
      end do
    end do
  end subroutine set_bed
end module swe_bathymetry_mod
