!> Arrays of random numbers by cell for Fortran, on the threads of libportable or on a device.
!>
!>     call portable_random_fill(noise, key)                              ! element n gets the number of cell n
!>     call portable_random_fill(noise, key, first=offset, label='noise') ! ... of cell offset + n - 1
!>     call portable_random_fill(noise, key, distribution='normal', draw=2)
!>
!> In this module: portable_random_fill for arrays and sections of ranks 1 to 7, which portable_mod has as random_fill. Not in
!> this module: keys, single numbers, and portable_random_range for a part of an array inside a kernel (portable_random_mod).
!>
!> Elements are counted in their order, the first index fastest, whatever their places in memory are; sections are not copied.
!> An element has the bits of portable_random_real, _real32, or with distribution='normal' of portable_random_normal, rounded
!> for real(real32): the same for any number of threads and any device.
!> Arguments: array, real(real32) or real(real64); key, of portable_random_key; first, the cell of the first element,
!> integer(int32) or integer(int64), 1 if it is not there; draw, 0 if it is not there; distribution, 'uniform' or 'normal'; label=,
!> the launch's name in messages and reports; device= and stream=, numbers as of portable_find_device and
!> portable_stream_create; stat= and errmsg=, as everywhere in this library.
!> Errors: gator_err_arg (an unknown distribution), _overflow (a cell beyond integer(int64)), _state, _nodevice, _handle (no such
!> stream); the array is then as it was. Threads: from any thread, and inside a kernel. The work is done when the call returns, but
!> in an asynchronous stream: there the call returns at once, and the array, a pointer or target, stays until the stream has
!> passed it. Since 0.1.
module portable_random_fill_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_section, portable_internal_array, portable_internal_placed, &
    portable_internal_launch
  use portable_random_mod, only: portable_random_key_t
  implicit none
  private

  public :: portable_random_fill

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_random_c.inc'

  include 'portable_random_fill_interfaces.inc'

contains

  ! The common part of all specifics.
  recursive subroutine fill_any(array, key, draw, distribution, label, stat, errmsg, device, stream, first)
    type(portable_internal_section), intent(in) :: array
    type(portable_random_key_t), intent(in) :: key
    integer, optional, intent(in) :: draw
    character(*), optional, intent(in) :: distribution, label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream, first
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(array, launch, device, stream)
    if (present(label)) then
      status = fill_labelled(label, placed, key, draw, distribution, first)
    else
      status = fill_labelled(' ', placed, key, draw, distribution, first)
    end if
    call gator_internal_finish(status, 'portable_random_fill', stat, errmsg)
  end subroutine

  recursive function fill_labelled(label, array, key, draw, distribution, first) result(status)
    character(*), intent(in) :: label
    type(portable_internal_section), intent(in) :: array
    type(portable_random_key_t), intent(in) :: key
    integer, optional, intent(in) :: draw
    character(*), optional, intent(in) :: distribution
    integer(int64), optional, intent(in) :: first
    integer(c_int32_t) :: status, at_draw
    integer(c_int64_t) :: cell
    at_draw = 0_c_int32_t
    if (present(draw)) at_draw = int(draw, c_int32_t)
    cell = 1_c_int64_t
    if (present(first)) cell = int(first, c_int64_t)
    if (present(distribution)) then
      status = c_random_fill(portable_version, label, len(label, c_size_t), key, array, cell, at_draw, distribution, &
                             len(distribution, c_size_t))
    else
      status = c_random_fill(portable_version, label, len(label, c_size_t), key, array, cell, at_draw, ' ', 0_c_size_t)
    end if
  end function

  include 'portable_random_fill_procedures.inc'

end module portable_random_fill_mod
