! The model: called from C++, takes its work array from the pool that C++ has started.
module physics
  use gator_mod
  implicit none
contains
  recursive function physics_step(n) bind(C) result(total)
    integer(c_int), value :: n
    real(c_double) :: total
    real(c_double), pointer :: tmp(:)
    call gator_allocate(tmp, [int(n)])
    tmp = 3
    total = sum(tmp)
    call gator_deallocate(tmp)
  end function
end module
