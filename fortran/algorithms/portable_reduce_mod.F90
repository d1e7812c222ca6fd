!> Reductions of arrays for Fortran, on the threads of libportable: they read as Fortran's own SUM, MINVAL and so on, and give the
!> same bits for any number of threads.
!>
!>     dt = cfl*portable_reduce_min(dtloc)
!>
!> In this module: portable_reduce_sum, _product, _min, _max, _minloc, _maxloc, _any, _all and _count of whole arrays and
!> sections of ranks 1 to 7. portable_core_mod has them too, and portable_mod as reduce_sum and so on. Not in this module:
!> dim= and masks of one logical (portable_reduce_more_mod), and reductions of what a kernel computes.
!>
!> Arguments of all: an array, which is not copied whatever its strides; mask=, default logical of the same shape (not for
!> any, all and count); label=, the launch's name in messages and reports; device= and stream=, numbers as of
!> portable_find_device and portable_stream_create, where it runs and is waited for; stat= and errmsg=, as everywhere in this
!> library.
!> Sum and product of real(real32) and complex(real32) have in_double=.true.: computed in real64, rounded once. Sums of real
!> and complex numbers have exact=.true.: independent of any order, rounded once.
!> Results: of the array's kind; minloc and maxloc are the indices of the first such element, each from 1, or 0 where there is
!> none, and like count default integers. NaN is left out by min and max unless there is nothing else, as in MINVAL. A
!> reduction of no elements gives what Fortran's gives. Integers wrap.
!> Errors: gator_err_arg (mask of another shape), _overflow (a result does not fit a default integer), _state, _nomem. The
!> result is 0 or false then. Threads: from any thread, and inside a kernel. Since 0.1.
module portable_reduce_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  implicit none
  private

  public :: portable_reduce_sum, portable_reduce_product, portable_reduce_min, portable_reduce_max
  public :: portable_reduce_minloc, portable_reduce_maxloc, portable_reduce_any, portable_reduce_all, portable_reduce_count
  ! For portable_reduce_more_mod.
  public :: portable_internal_reduce, portable_internal_array, portable_internal_mask_0, portable_internal_mask_1, &
    portable_internal_mask_2, portable_internal_mask_3, portable_internal_mask_4, portable_internal_mask_5, &
    portable_internal_mask_6, portable_internal_mask_7
  ! For all modules with operations on arrays.
  public :: portable_internal_placed
  ! For portable_componentwise_mod.
  public :: portable_internal_compute

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_reduce_array_c.inc'
  include 'portable_componentwise_c.inc'

  ! The numbers of portable_reduce_array.h.
  integer, parameter, public :: portable_internal_sum = 1, portable_internal_product = 2, portable_internal_min = 3, &
    portable_internal_max = 4, portable_internal_minloc = 5, portable_internal_maxloc = 6, portable_internal_any = 7, &
    portable_internal_all = 8, portable_internal_count = 9

  ! A mask: default logical.
  integer(c_int32_t), parameter :: mask_kind = int(9 + merge(1, 0, storage_size(.true.) > 8) + &
    merge(1, 0, storage_size(.true.) > 16) + merge(1, 0, storage_size(.true.) > 32), c_int32_t)

  include 'portable_reduce_array_interfaces.inc'

contains

  ! The section with the device and the stream of the call; launch is the caller's, and lives as long as the section.
  recursive function portable_internal_placed(s, launch, device, stream) result(placed)
    type(portable_internal_section), intent(in) :: s
    type(portable_internal_launch), target, intent(inout) :: launch
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    type(portable_internal_section) :: placed
    placed = s
    if (.not. present(device) .and. .not. present(stream)) return
    launch%struct_size = int(c_sizeof(launch), c_int32_t)
    if (present(device)) launch%device = int(device, c_int32_t)
    if (present(stream)) launch%stream = stream
    placed%launch = c_loc(launch)
  end function

  ! The common part of all specifics.
  recursive subroutine portable_internal_reduce(op, array, mask, dim, answer, label, in_double, exact, stat, errmsg, &
                                                device, stream)
    integer, intent(in) :: op, dim
    type(portable_internal_section), intent(in) :: array, mask
    type(c_ptr), intent(in) :: answer
    character(*), optional, intent(in) :: label
    logical, optional, intent(in) :: in_double, exact
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, flags
    integer(c_int32_t), parameter :: integer_bytes = int(storage_size(1)/8, c_int32_t)
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(array, launch, device, stream)
    flags = 0_c_int32_t
    if (present(in_double)) flags = merge(1_c_int32_t, 0_c_int32_t, in_double)
    if (present(exact)) flags = flags + merge(2_c_int32_t, 0_c_int32_t, exact)
    if (present(label)) then
      status = c_reduce_array(portable_version, label, len(label, c_size_t), int(op, c_int32_t), placed, mask, &
                              int(dim, c_int32_t), flags, integer_bytes, answer)
    else
      status = c_reduce_array(portable_version, ' ', 0_c_size_t, int(op, c_int32_t), placed, mask, &
                              int(dim, c_int32_t), flags, integer_bytes, answer)
    end if
    call gator_internal_finish(status, 'portable_reduce', stat, errmsg)
  end subroutine

  ! The common part of all specifics of portable_componentwise_mod. A merge and a fill have no op.
  recursive subroutine portable_internal_compute(op, c, a, b, mask, label, stat, errmsg, device, stream)
    character(*), intent(in) :: op
    type(portable_internal_section), intent(in) :: c, a, b, mask
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(c, launch, device, stream)
    if (present(label)) then
      status = c_componentwise(portable_version, label, len(label, c_size_t), op, len(op, c_size_t), placed, a, b, mask)
    else
      status = c_componentwise(portable_version, ' ', 0_c_size_t, op, len(op, c_size_t), placed, a, b, mask)
    end if
    call gator_internal_finish(status, 'portable_compute', stat, errmsg)
  end subroutine

  include 'portable_reduce_array_sections.inc'
  include 'portable_reduce_array_procedures.inc'

end module portable_reduce_mod
