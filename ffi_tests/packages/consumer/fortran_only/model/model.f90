! A module of the user's whose routine takes a work array from the pool.
module model
  use gator_mod
  implicit none
contains
  recursive function work(h) result(total)
    real(c_double), intent(in) :: h(:)
    real(c_double) :: total
    real(c_double), pointer :: tmp(:)
    call gator_allocate(tmp, [size(h)])
    tmp = 2*h
    total = sum(tmp)
    call gator_deallocate(tmp)
  end function
end module
