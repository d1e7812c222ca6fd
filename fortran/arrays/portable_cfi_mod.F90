!> Arrays of libportable from and to Fortran 2018's C descriptors: one procedure for every rank, sections and transposes included.
!> For compilers that have them (gfortran from 12 on), with portable_cfi.c; in CMake portable::fortran_cfi. portable_array_mod
!> does without, for ranks and strides that Fortran 2008 can name.
!>
!>     call portable_array_describe(a, particles(1:n:2), label='particles')  ! any type and rank, nothing is copied
!>     call portable_array_point(transposed, p)                              ! any order, also of a view with permuted dimensions
!>
!> In this module: portable_array_describe, portable_array_attach, portable_array_point. Arguments: a handle of portable_array_mod;
!> label=, stat=, errmsg= as there. Threads: a handle is guarded as a variable is. Since 0.1.
module portable_cfi_mod
  use, intrinsic :: iso_c_binding
  use gator_mod, only: gator_internal_finish
  use portable_array_mod, only: portable_array
  implicit none
  private
  public :: portable_array_describe, portable_array_attach, portable_array_point

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  interface
    function c_describe(version, label, label_bytes, x, lower_rank, lower, array) result(status) &
        bind(c, name='portable__cfi_describe')
      import :: c_int32_t, c_int64_t, c_size_t, c_char, c_ptr
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(*), target, intent(in) :: x(..)
      integer(c_int32_t), value :: lower_rank
      integer(c_int64_t), intent(in) :: lower(*)
      type(c_ptr), value :: array
      integer(c_int32_t) :: status
    end function
  end interface

  !> portable_array_attach(a, p): makes the handle, which holds none, describe what p points to, with its bounds; also a variable or
  !> an allocatable that has TARGET. As portable_array_wrap, of any rank. p null: gator_err_arg. Components of an array of a derived
  !> type go through a pointer. Kinds: those of gator_mod that C has, of logical c_bool. Since 0.1.
  !> portable_array_point(a, p): points p, of the array's kind and rank, to its elements, with its bounds, whatever their order and
  !> strides. A p that is a component of a structure is declared => null(): gfortran gives it no rank without that.
  !> Errors: gator_err_arg (another kind or rank), _state. p is null after an error. Since 0.1.
  include 'portable_cfi_interfaces.inc'

contains

  !> Makes the handle, which holds none, describe x: a variable or section of any type and rank (0 to 15) that has TARGET.
  !> lower: bounds; 1. Elements of types that have no kind here are known by their bytes: copies and comparisons know what to do.
  !> Nothing is copied, and the handle frees nothing. Errors: gator_err_arg (an unassociated pointer; unallocated; components that
  !> lie no whole number of elements apart), _state (the handle holds an array). Since 0.1.
  subroutine portable_array_describe(a, x, lower, label, stat, errmsg)
    type(portable_array), target, intent(inout) :: a
    type(*), target, intent(in) :: x(..)
    integer, optional, intent(in) :: lower(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t) :: bounds(15)
    integer(c_int32_t) :: status, lower_rank
    bounds = 1_c_int64_t
    lower_rank = -1_c_int32_t
    if (present(lower)) then
      lower_rank = size(lower, kind=c_int32_t)
      bounds(:min(15, size(lower))) = int(lower(:min(15, size(lower))), c_int64_t)
    end if
    ! A handle is its descriptor.
    if (present(label)) then
      status = c_describe(portable_version, label, len(label, c_size_t), x, lower_rank, bounds, c_loc(a))
    else
      status = c_describe(portable_version, ' ', 0_c_size_t, x, lower_rank, bounds, c_loc(a))
    end if
    call gator_internal_finish(status, 'portable_array_describe', stat, errmsg)
  end subroutine

  include 'portable_cfi_procedures.inc'

end module portable_cfi_mod
