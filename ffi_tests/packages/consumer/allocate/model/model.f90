! model.f90 - a routine with an automatic array, which gfortran takes from malloc. Blocks of the pool start at multiples
! of 64; large blocks of glibc never do.
module model
  use, intrinsic :: iso_c_binding, only: c_loc, c_intptr_t, c_ptr
  implicit none
contains
  logical function from_pool(n)
    integer, intent(in) :: n
    real(8), target :: work(n)
    type(c_ptr) :: place
    work = 1
    place = c_loc(work)
    from_pool = modulo(transfer(place, 0_c_intptr_t), 64_c_intptr_t) == 0 .and. sum(work) == n
  end function
end module
