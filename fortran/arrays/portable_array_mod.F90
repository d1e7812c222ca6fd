!> Arrays of libportable for Fortran: handles that own their memory as ALLOCATABLE does, and give plain pointers to it.
!>
!>     use portable_array_mod, only: portable_array
!>     type(portable_array) :: work                     ! gone, and its memory with it, when the routine is left
!>     real(8), pointer :: w(:,:)
!>     call work%allocate(w, [nx,ny], [0,0], label='w') ! w(0:nx-1,0:ny-1)
!>
!> In this module: the handle, pointers to what it holds, views, copies. Kinds of pointers are those of gator_mod, ranks 1 to
!> 15. Not in this module: reductions (portable_reduce_mod), loops (portable_core_mod). With a
!> compiler that has no type-bound procedures (flang 16) the names are portable_array_allocate(work, w, ...) and so on, which
!> all compilers have; and there nothing is released automatically: call portable_array_release(work).
!>
!> Arguments of all: stat= and errmsg=, as everywhere in this library; label= names the array in messages. Bounds and extents
!> are default integers or integer(int64). Handles: an assignment b = a makes b one more holder of the same elements (views
!> too); the last holder that is left, assigned over or released gives the memory back. A handle of the main program or with
!> SAVE is released by the program. Pointers are valid while a holder is. Threads: a handle is guarded as a variable is. Since
!> 0.1.
module portable_array_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg
  use portable_reduce_mod, only: portable_internal_launch
  use portable_argument_mod, only: portable_argument, portable_arg, portable_internal_handle_argument
  implicit none
  private

  public :: portable_array_create, portable_array_allocate, portable_array_wrap, portable_array_get, &
    portable_array_release, portable_array_deallocate, portable_array_use_count, portable_array_allocated, &
    portable_array_slice, portable_array_subset_slowest, portable_array_reshape, portable_array_collapse, &
    portable_array_permute, portable_array_rebase, portable_array_copy, portable_array_host_copy, &
    portable_array_device_copy, portable_array_host_object, portable_array_device_object, portable_array_equal, &
    portable_array_checksum, portable_array_size, portable_array_rank, portable_array_lbound, portable_array_ubound, &
    portable_array_label, portable_array_address, portable_range, portable_internal_handle, portable_arg
#if defined(__flang__)
  public :: assignment(=)
#endif

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  !> Kinds of elements, for create.
  integer, parameter, public :: portable_int8 = 1, portable_int16 = 2, portable_int32 = 3, portable_int64 = 4, &
    portable_real32 = 5, portable_real64 = 6, portable_complex32 = 7, portable_complex64 = 8, portable_logical8 = 9, &
    portable_logical16 = 10, portable_logical32 = 11, portable_logical64 = 12

  !> Orders of elements, for create: the last index runs fastest, or the first one does.
  integer, parameter, public :: portable_order_c = 0, portable_order_fortran = 1

  !> Indices of one dimension of a slice; portable_range makes them.
  type, bind(c), public :: portable_range_t
    integer(c_int64_t) :: first, last, step
  end type

  !> The whole dimension, with its bounds; and the whole dimension, the last index first.
  type(portable_range_t), parameter, public :: portable_all = &
    portable_range_t(-huge(0_c_int64_t) - 1_c_int64_t, huge(0_c_int64_t), 1_c_int64_t)
  type(portable_range_t), parameter, public :: portable_reversed = &
    portable_range_t(huge(0_c_int64_t), -huge(0_c_int64_t) - 1_c_int64_t, -1_c_int64_t)

  include 'portable_array_c.inc'

  !> A handle: an array, or none. Its procedures are described at the interfaces of their names with portable_array_ before.
  type, public :: portable_array
    private
    type(descriptor) :: d
#if !defined(__flang__)
  contains
#include "portable_array_bindings.inc"
    final :: end_0, end_1, end_2, end_3
#endif
  end type

  ! flang 16 has no type-bound procedures.
#if defined(__flang__)
#define PORTABLE_SELF type
  interface assignment(=)
    module procedure assign
  end interface
#else
#define PORTABLE_SELF class
#endif

  !> portable_range(i): the index i alone; the dimension is dropped. portable_range(first, last) or (first, last, step): as the
  !> triplet first:last:step. Default integers or integer(int64). Since 0.1.
  interface portable_range
    module procedure range_one, range_part, range_one64, range_part64
  end interface

  !> portable_array_create(a, extents): makes a new array in the handle, which holds none. Optional: lower (bounds; 1), kind
  !> (portable_real64), label, order (portable_order_fortran), fastest (the dimensions from 1, the fastest first, for any
  !> other order), zero (.true.: all is 0), row_bytes (lines along the fastest dimension begin at multiples of it, a power of
  !> two), space (portable_space_... of portable_pool_mod: where the memory is), pool (of one's own, whose memory it is; 0:
  !> that of the space). Errors: gator_err_arg (as many lower bounds as extents; a negative extent), _state (the handle holds
  !> an array; not running), _nomem, _overflow. Source: YAKL's Array. Since 0.1.
  interface portable_array_create
    module procedure create32, create64
  end interface

  !> portable_arg(a): the array as an argument of a kernel with a version for devices (portable_argument_mod), which gets
  !> portable_view<T, rank> with the bounds that the handle has. access, name: as there. A program that takes arg of
  !> portable_mod says `use portable_array_mod, arg => portable_arg`, too. Errors, at the launch: gator_err_arg (no array, or of
  !> more than 7 dimensions), and those of portable_array_get. Since 0.1.
  interface portable_arg
    module procedure argument_of_array
  end interface

  !> portable_array_release(a): this handle holds the array no more. None is accepted. portable_array_deallocate(a): gives the
  !> memory back now, also when others hold it; they get gator_err_state. Since 0.1.
  interface portable_array_release
    module procedure release
  end interface
  interface portable_array_deallocate
    module procedure deallocate_now
  end interface

  !> portable_array_slice(a, ranges, view): parts of the dimensions; ranges are portable_all, portable_reversed,
  !> portable_range(...), one for each dimension. A whole dimension keeps its bounds, a part begins at 1 (at 0 in C order).
  !> portable_array_subset_slowest(a, first, last, view): the slowest dimension from first to last. Errors: gator_err_arg (out
  !> of bounds, another rank). Since 0.1.
  interface portable_array_slice
    module procedure slice
  end interface
  interface portable_array_subset_slowest
    module procedure subset_slowest
  end interface

  !> portable_array_reshape(a, extents, view): the elements as they lie under another shape of the same count; lower= its
  !> bounds. collapse(a, view): all elements as they lie in one dimension, lower= its bound. permute(a, dims, view): dimension i
  !> of the view is dimension dims(i). rebase(a, lower, view): other lower bounds. Since 0.1.
  interface portable_array_reshape
    module procedure reshaped
  end interface
  interface portable_array_collapse
    module procedure collapsed
  end interface
  interface portable_array_permute
    module procedure permuted
  end interface
  interface portable_array_rebase
    module procedure rebased
  end interface

  !> portable_array_copy(from, to): copies all elements into an array that is there, of the same kind (real32 and real64 are
  !> converted) and shape, whatever its order, strides and bounds. device= and stream= say where; asynchronous=.true.: into an
  !> asynchronous stream the call returns at once, and memory of pools is kept until the stream has passed the copy.
  !> host_copy(a, copied): a new array. device_copy(a, copied): a new array in memory that kernels of the default device reach,
  !> which the host may not (portable_space_of_device in portable_array.h). device= and stream= of these two say where the copy
  !> runs; they return after it. Errors: gator_err_arg (kind, shape; the two share memory, but not the same elements). Source:
  !> YAKL's deep_copy_to. Since 0.1.
  interface portable_array_copy
    module procedure copy_to
  end interface
  interface portable_array_host_copy
    module procedure host_copy
  end interface
  interface portable_array_device_copy
    module procedure device_copy
  end interface

  !> portable_array_host_object(a, made), _device_object(a, made): as host_copy and device_copy, but the elements of the new
  !> array are not set. Errors: as portable_array_create. Source: YAKL's createHostObject and createDeviceObject. Since 0.1.
  interface portable_array_host_object
    module procedure host_object
  end interface
  interface portable_array_device_object
    module procedure device_object
  end interface

  !> portable_array_equal(a, b): whether kind, shape and all elements are the same. portable_array_checksum(a): an
  !> integer(int64) that depends on elements and their indices alone. Since 0.1.
  interface portable_array_equal
    module procedure equal
  end interface
  interface portable_array_checksum
    module procedure checksum
  end interface

  !> portable_array_allocated(a), _use_count(a) (0 of what is wrapped), _size(a), _rank(a), _lbound(a, i), _ubound(a, i),
  !> _label(a), _address(a) (a c_ptr to the first element). Since 0.1.
  interface portable_array_allocated
    module procedure is_allocated
  end interface
  interface portable_array_use_count
    module procedure use_count
  end interface
  interface portable_array_size
    module procedure elements
  end interface
  interface portable_array_rank
    module procedure rank_of
  end interface
  interface portable_array_lbound
    module procedure lower_bound
  end interface
  interface portable_array_ubound
    module procedure upper_bound
  end interface
  interface portable_array_label
    module procedure label_of
  end interface
  interface portable_array_address
    module procedure address_of
  end interface

  include 'portable_array_interfaces.inc'

contains

#include "portable_array.inc"
#include "portable_array_views.inc"
#include "portable_array_pointers.inc"

end module portable_array_mod
