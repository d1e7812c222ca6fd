! The program around a routine `step` that has a work array of its own: the program that calls it, and `fluxes`,
! which it calls with the array. They see that the array has the extents asked for and room for them all.
module seen
  implicit none
  integer :: calls = 0, total = 0
end module

program main
  use gator_mod, only: gator_init, gator_finalize
  use seen, only: calls, total
  implicit none
  call gator_init()
  call step(10, 20)
  call step(3, 1)
  call gator_finalize()
  if (calls /= 2 .or. total /= 12*22 + 5*3) error stop 'fluxes was not called as it should be'
end program

subroutine fluxes(flux, nx, ny)
  use seen, only: calls, total
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(inout) :: flux(0:nx+1, 0:ny+1)
  flux = 1
  calls = calls + 1
  total = total + nint(sum(flux))
end subroutine
