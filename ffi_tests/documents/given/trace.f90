! The program of docs/check/traces.md: a field for the whole run, a work array in each step, and more of them in some.
module steps
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: parallel_for, bounds, tile
  implicit none
  real(8), pointer :: h(:) => null(), flux(:) => null(), cloud(:) => null()
contains
  subroutine step(with_physics)
    logical, intent(in) :: with_physics
    call gator_allocate(flux, [500000], label='flux')
    call parallel_for('update', bounds(500000), update)
    call gator_deallocate(flux)
    if (with_physics) then
      call gator_allocate(cloud, [2000000], label='cloud')
      call gator_deallocate(cloud)
    end if
  end subroutine

  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      flux(i) = 0.5d0*h(i)
      h(i) = h(i) - flux(i)
    end do
  end subroutine
end module

program model
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use steps
  implicit none
  integer :: n
  call gator_init()
  call gator_allocate(h, [1000000], label='h')
  h = 1
  do n = 1, 10
    call step(with_physics=mod(n, 3) == 0)
  end do
  call gator_deallocate(h)
  call gator_finalize()
end program
