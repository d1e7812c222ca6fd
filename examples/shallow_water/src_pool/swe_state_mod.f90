!> The state of the water, with ghost cells: depth h [m], discharges hu and hv [m2/s], bed b [m].
module swe_state_mod
  use gator_mod, only: gator_allocate, gator_deallocate
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: state_create, state_destroy

  real(wp), pointer, public :: h(:, :), hu(:, :), hv(:, :), b(:, :)

contains

  subroutine state_create(nx, ny)
    integer, intent(in) :: nx, ny

    call gator_allocate(h, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='h')
    call gator_allocate(hu, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='hu')
    call gator_allocate(hv, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='hv')
    call gator_allocate(b, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='b')
  end subroutine state_create

  subroutine state_destroy()
    call gator_deallocate(b)
    call gator_deallocate(hv)
    call gator_deallocate(hu)
    call gator_deallocate(h)
  end subroutine state_destroy
end module swe_state_mod
