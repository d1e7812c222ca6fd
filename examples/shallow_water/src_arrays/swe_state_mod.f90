!> The state of the water, with ghost cells: depth h [m], discharges hu and hv [m2/s], bed b [m].
!> Owned by handles; the end of a module does not release them.
module swe_state_mod
  use portable_array_mod, only: portable_array
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: state_create, state_destroy

  type(portable_array) :: state(4)
  real(wp), pointer, public :: h(:, :), hu(:, :), hv(:, :), b(:, :)

contains

  subroutine state_create(nx, ny)
    integer, intent(in) :: nx, ny

    call state(1)%allocate(h, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='h')
    call state(2)%allocate(hu, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='hu')
    call state(3)%allocate(hv, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='hv')
    call state(4)%allocate(b, [nx+2*ng, ny+2*ng], [1-ng, 1-ng], label='b')
  end subroutine state_create

  subroutine state_destroy()
    integer :: i

    do i = size(state), 1, -1
      call state(i)%release()
    end do
  end subroutine state_destroy
end module swe_state_mod
