! The user's library: its face has a pointer from the pool in it.
module ocean
  use gator_mod
  implicit none
contains
  recursive subroutine ocean_fields(h, n)
    real(c_double), pointer :: h(:)
    integer, intent(in) :: n
    call gator_allocate(h, [n])
    h = 4
  end subroutine
end module
