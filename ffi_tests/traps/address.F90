! The address of a bind(c) kernel, in the call.
module address_mod
  use, intrinsic :: iso_c_binding
  use portable_mod, only: tile
  implicit none
  type, bind(c) :: square_block
    type(c_ptr) :: values
  end type
contains
  recursive subroutine squares(t, block) bind(c)
    type(tile), intent(in) :: t
    type(square_block), intent(in) :: block
    integer(c_int), pointer :: values(:)
    integer :: i
    call c_f_pointer(block%values, values, [6])
    do i = t%lower(1), t%upper(1)
      values(i) = i*i
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_c_binding
  use portable_mod, only: portable_init, portable_finalize, parallel_for, bounds
  use address_mod
  implicit none
  integer(c_int), target :: values(6)
  type(square_block), target :: block
  call portable_init()
  block%values = c_loc(values)
  call parallel_for('squares', bounds(6), c_funloc(squares), c_loc(block), c_sizeof(block))
  print '(i0)', values(6)
  call portable_finalize()
end program
