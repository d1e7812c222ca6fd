!> The state of the water, with ghost cells: depth h [m], discharges hu and hv [m2/s], bed b [m].
module swe_state_mod
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: state_create, state_destroy

  real(wp), allocatable, public :: h(:, :), hu(:, :), hv(:, :), b(:, :)

contains

  subroutine state_create(nx, ny)
    integer, intent(in) :: nx, ny

    allocate (h(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (hu(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (hv(1-ng:nx+ng, 1-ng:ny+ng))
    allocate (b(1-ng:nx+ng, 1-ng:ny+ng))
  end subroutine state_create

  subroutine state_destroy()
    deallocate (b)
    deallocate (hv)
    deallocate (hu)
    deallocate (h)
  end subroutine state_destroy
end module swe_state_mod
