!> Sorting for Fortran, on the threads of libportable, with the same result for any number of them.
!>
!>     call portable_sort(energy)                                   ! ascending, in place
!>     call portable_sort(energy, descending=.true.)
!>     call portable_sort_by_key(cell, particle)                    ! particle(i) stays with cell(i)
!>     call portable_sort_index(energy, order)                      ! energy(order) is sorted; energy stays as it is
!>
!> In this module: these three for arrays and sections of rank 1, of any stride. portable_core_mod has them too, and portable_mod
!> as sort, sort_by_key and sort_index. Not in this module: values of derived types, which portable_sort_index serves: a = a(order).
!>
!> Keys: integer(int8) to integer(int64), real(real32), real(real64). Values: these, complex and logical kinds. Indices:
!> integer(int32) or integer(int64), 1 for the first key whatever its bounds are; as many as keys.
!> Order: ascending, or with descending=.true. descending. -0.0 comes before 0.0 (after it, descending), NaN last in both
!> directions. Keys with the same bits keep their order: sorts are stable.
!> Arguments of all: label=, the name of the launches in messages and reports; device= and stream=, numbers as of
!> portable_find_device and portable_stream_create, where the call runs and is waited for; stat= and errmsg=, as everywhere in
!> this library.
!> Errors: gator_err_arg (another number of values or indices), _nomem (scratch memory of the default pool, as many bytes as the
!> keys or more), _overflow (more keys than an index counts), _state; all arrays are then as they were. Threads: from any
!> thread, and inside a kernel. Since 0.1.
module portable_sort_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_section, portable_internal_array, portable_internal_placed, &
    portable_internal_launch
  implicit none
  private

  public :: portable_sort, portable_sort_by_key, portable_sort_index

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_sort_c.inc'

  include 'portable_sort_interfaces.inc'

contains

  ! The common part of all specifics.
  recursive subroutine sort_any(keys, descending, label, stat, errmsg, device, stream, values, indices)
    type(portable_internal_section), intent(in) :: keys
    logical, optional, intent(in) :: descending
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    type(portable_internal_section), optional, intent(in) :: values, indices
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(keys, launch, device, stream)
    if (present(label)) then
      status = sort_labelled(label, placed, descending, values, indices)
    else
      status = sort_labelled(' ', placed, descending, values, indices)
    end if
    call gator_internal_finish(status, 'portable_sort', stat, errmsg)
  end subroutine

  ! One of the three: with values, with indices, or keys alone.
  recursive function sort_labelled(label, keys, descending, values, indices) result(status)
    character(*), intent(in) :: label
    type(portable_internal_section), intent(in) :: keys
    logical, optional, intent(in) :: descending
    type(portable_internal_section), optional, intent(in) :: values, indices
    integer(c_int32_t) :: status, down
    down = 0_c_int32_t
    if (present(descending)) down = merge(1_c_int32_t, 0_c_int32_t, descending)
    if (present(values)) then
      status = c_sort_by_key(portable_version, label, len(label, c_size_t), down, keys, values)
    else if (present(indices)) then
      status = c_sort_index(portable_version, label, len(label, c_size_t), down, keys, indices)
    else
      status = c_sort(portable_version, label, len(label, c_size_t), down, keys)
    end if
  end function

  include 'portable_sort_procedures.inc'

end module portable_sort_mod
