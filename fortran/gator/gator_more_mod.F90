!> The pool for Fortran, continued: rarer kinds (character of length 1, and integer(16), real(10), real(16) and
!> their complex kinds where the compiler has them) with ranks 1 to 15, and the kinds of gator_mod with ranks
!> 8 to 15.
!>
!> Use it together with gator_mod, which serves for everything else:
!>
!>     use gator_mod
!>     use gator_more_mod
!>
!> Rules, arguments, ownership and errors are those of gator_mod. Apart from it because these specifics cost
!> compile time in every file that uses them. Since 0.1.
module gator_more_mod
  use, intrinsic :: iso_c_binding, only: c_associated, c_bool, c_char, c_f_pointer, c_loc, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_shape, gator_internal_dims, gator_internal_like, gator_internal_bounds, &
    gator_internal_take, gator_internal_give, gator_internal_copy
  implicit none
  private

  public :: gator_allocate, gator_deallocate

  ! The specifics are named as in gator_mod; K is also char1, int16, real10, cplx10, real16 and cplx16.
#include "gator_more_interfaces.inc"

contains

#include "gator_more_procedures.inc"

end module gator_more_mod
