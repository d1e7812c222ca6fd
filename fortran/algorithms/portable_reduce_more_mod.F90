!> Reductions of arrays for Fortran, continued: along one dimension (dim=), and with a mask that is one logical for all elements.
!>
!> Use it together with portable_mod, whose reduce_sum and so on take these arguments then:
!>
!>     use portable_mod
!>     use portable_reduce_more_mod
!>     rain = reduce_sum(flux, dim=3)
!>
!> Rules, arguments and errors are those of portable_reduce_mod. dim is not optional here, and comes second. Results along a
!> dimension are arrays of the other ones, of rank 1 a scalar; each of them has the bits of its line alone. minloc and maxloc are
!> indices along dim. An invalid dim is gator_err_arg. Apart because these specifics, some 900, cost compile time in every
!> file that uses them. Since 0.1.
module portable_reduce_more_mod
  use, intrinsic :: iso_c_binding, only: c_bool, c_loc
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use portable_reduce_mod, only: portable_internal_reduce, portable_internal_section, portable_internal_array, &
    portable_internal_mask_0, portable_internal_mask_1, portable_internal_mask_2, portable_internal_mask_3, &
    portable_internal_mask_4, portable_internal_mask_5, portable_internal_mask_6, portable_internal_mask_7, &
    portable_internal_sum, portable_internal_product, portable_internal_min, portable_internal_max, &
    portable_internal_minloc, portable_internal_maxloc, portable_internal_any, portable_internal_all, portable_internal_count
  implicit none
  private

  public :: reduce_sum, reduce_product, reduce_min, reduce_max, reduce_minloc, reduce_maxloc, reduce_any, reduce_all, reduce_count

  include 'portable_reduce_more_interfaces.inc'

contains

  include 'portable_reduce_more_procedures.inc'

end module portable_reduce_more_mod
