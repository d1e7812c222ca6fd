!> Scans and filters of arrays for Fortran, on the threads of libportable, with the same bits for any number of threads.
!>
!>     call portable_prefix_sum(layer, height, dim=1)              ! height(k) = sum(layer(1:k)), for each column
!>     call portable_pack_into(t, cloudy, few, n)                  ! few(1:n) = pack(t, cloudy)
!>     call portable_active_indices(cloudy, columns, n)            ! columns(1:n) = where cloudy is true
!>
!> In this module: portable_prefix_sum, _product, _min and _max, portable_pack_into and portable_unpack_into of whole arrays and
!> sections of ranks 1 to 7, and portable_active_indices. portable_core_mod has them too, and portable_mod as prefix_sum and so on.
!> Not in this module: lists of indices that a kernel chooses (portable_parallel_filter of portable_core_mod), one value of a whole
!> array (portable_reduce_mod). Since 0.1.
!>
!> portable_prefix_sum(a, out [, exclusive, initial, dim, label, device, stream, stat, errmsg]), and _product, _min, _max: out,
!> of the shape of a, becomes the sum (product, least, largest value) of the elements of a up to that one, in array element
!> order; with dim along that dimension, for each line alone. exclusive=.true.: of those before it; the first one is then
!> initial, or of none: 0, 1, huge, -huge (of integers -huge-1). initial comes before the first element of each line. Integers
!> and reals of 32 and 64 bits. docs/fortran/scan.md says in which order sums are added up. NaN is left out by min and max
!> unless there is nothing else so far. Integers wrap. out may be a itself, where that is a target or a pointer; no other
!> overlap.
!> portable_pack_into(a, mask, out, n [, vector, label, device, stream, stat, errmsg]): out(1:n) = pack(a, mask). The rest of
!> out stays, or with vector, which is as long as out, becomes vector(n+1:). Integers and reals of 32 and 64 bits, complex of
!> real32 and real64, logical(4); mask default logical of the same shape.
!> portable_unpack_into(vector, mask, out [, n, label, device, stream, stat, errmsg]): out = unpack(vector, mask, out); n is how
!> many are true.
!> portable_active_indices(mask, indices, n [, lower, label, device, stream, stat, errmsg]): indices(1:n) are the places where
!> mask is true, from lower (1) for its first element on; mask default logical or logical(c_bool), of rank 1; indices integers
!> of 32 or 64 bits.
!> All: label is the launch's name in messages and reports; device= and stream= (numbers as of portable_find_device and
!> portable_stream_create) say where it runs, and the call waits for it; stat and errmsg as everywhere in this library.
!> Errors: gator_err_arg (shapes that are not the same, dim, overlap), _overflow (out or vector is too short: n says how long it
!> must be, and what fits is there; an index does not fit), _state. Threads: from any thread, and inside a kernel.
module portable_algorithm_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_placed, portable_internal_launch, portable_internal_section, &
    portable_internal_array, portable_internal_mask_1, portable_internal_mask_2, &
    portable_internal_mask_3, portable_internal_mask_4, portable_internal_mask_5, &
    portable_internal_mask_6, portable_internal_mask_7, portable_internal_sum, portable_internal_product, portable_internal_min, &
    portable_internal_max
  implicit none
  private

  public :: portable_prefix_sum, portable_prefix_product, portable_prefix_min, portable_prefix_max
  public :: portable_pack_into, portable_unpack_into, portable_active_indices

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  integer(c_int32_t), parameter :: integer_bytes = int(storage_size(1)/8, c_int32_t)

  include 'portable_algorithm_c.inc'
  include 'portable_algorithm_interfaces.inc'

contains

  ! The common part of all specifics.
  recursive subroutine prefix(op, a, out, exclusive, initial, dim, label, stat, errmsg, device, stream)
    integer, intent(in) :: op
    type(portable_internal_section), intent(in) :: a, out
    logical, optional, intent(in) :: exclusive
    type(c_ptr), intent(in) :: initial
    integer, optional, intent(in) :: dim
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, along, before
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(a, launch, device, stream)
    along = 0_c_int32_t
    before = 0_c_int32_t
    if (present(dim)) along = merge(int(dim, c_int32_t), -1_c_int32_t, dim > 0)
    if (present(exclusive)) before = merge(1_c_int32_t, 0_c_int32_t, exclusive)
    if (present(label)) then
      status = c_scan(portable_version, label, len(label, c_size_t), int(op, c_int32_t), placed, out, along, before, initial)
    else
      status = c_scan(portable_version, ' ', 0_c_size_t, int(op, c_int32_t), placed, out, along, before, initial)
    end if
    call gator_internal_finish(status, 'portable_prefix', stat, errmsg)
  end subroutine

  recursive subroutine pack_or_unpack(unpack, element_bytes, array, mask, vector, rest, n, label, stat, errmsg, device, stream)
    integer(c_int32_t), intent(in) :: unpack
    integer(c_int64_t), intent(in) :: element_bytes
    type(portable_internal_section), intent(in) :: array, mask, vector, rest
    type(c_ptr), intent(in) :: n
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(array, launch, device, stream)
    if (present(label)) then
      status = c_pack(portable_version, label, len(label, c_size_t), unpack, element_bytes, placed, mask, vector, rest, &
                      integer_bytes, n)
    else
      status = c_pack(portable_version, ' ', 0_c_size_t, unpack, element_bytes, placed, mask, vector, rest, integer_bytes, n)
    end if
    if (unpack == 0_c_int32_t) then
      call gator_internal_finish(status, 'portable_pack_into', stat, errmsg)
    else
      call gator_internal_finish(status, 'portable_unpack_into', stat, errmsg)
    end if
  end subroutine

  recursive subroutine list_indices(mask, indices, n, lower, label, stat, errmsg, device, stream)
    type(portable_internal_section), intent(in) :: mask, indices
    type(c_ptr), intent(in) :: n
    integer, optional, intent(in) :: lower
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status
    integer(c_int64_t) :: first
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(mask, launch, device, stream)
    first = 1_c_int64_t
    if (present(lower)) first = int(lower, c_int64_t)
    if (present(label)) then
      status = c_indices(portable_version, label, len(label, c_size_t), placed, first, indices, integer_bytes, n)
    else
      status = c_indices(portable_version, ' ', 0_c_size_t, placed, first, indices, integer_bytes, n)
    end if
    call gator_internal_finish(status, 'portable_active_indices', stat, errmsg)
  end subroutine

  include 'portable_algorithm_procedures.inc'

end module portable_algorithm_mod
