!> Twins of records of libportable for Fortran: records in two places, of the host and of a device, which lie the same way on both.
!>
!>     use portable_twin_mod, only: portable_update, portable_overwrite
!>     use portable_record_mod, only: portable_record, portable_records, portable_soa
!>     use portable_records_twin_mod, only: portable_records_twin
!>     type(portable_records_twin) :: atoms                ! gone, with both sides, when the routine is left
!>     type(portable_records) :: here, there
!>     call atoms%create(atom, [n], layout=portable_soa, label='atoms')
!>     call atoms%host(here, portable_overwrite)           ! the host side is newer from here on
!>     call here%field('mass', mass)
!>     mass = 1
!>     call atoms%sync_device()                            ! all fields at once
!>     call atoms%device(there, portable_update)
!>
!> In this module: the handle, its sides as handles of portable_record_mod, marks and syncs, which are those of portable_twin_mod.
!> With a compiler that has no type-bound procedures (flang 16) the names are portable_records_twin_create(atoms, ...) and so on,
!> and nothing is released automatically.
!>
!> Arguments of all: stat= and errmsg=, as everywhere in this library. Handles and threads: as those of portable_twin_mod. A side
!> that was taken is one more holder of its memory, and outlives the twin. Since 0.1.
module portable_records_twin_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use gator_mod, only: gator_internal_finish
  use portable_array_mod, only: portable_array, portable_array_address, portable_array_release, portable_order_fortran, &
    portable_int8
  use portable_twin_mod
  use portable_record_mod, only: portable_record, portable_records, portable_records_wrap, portable_records_release, &
    portable_internal_record, portable_internal_records, portable_soa
#if defined(__flang__)
  use portable_record_mod, only: assignment(=)
#endif
  implicit none
  private

  public :: portable_records_twin_create, portable_records_twin_host, portable_records_twin_device, &
    portable_records_twin_release, portable_records_twin_modified_host, portable_records_twin_modified_device, &
    portable_records_twin_discard_host, portable_records_twin_discard_device, portable_records_twin_sync_host, &
    portable_records_twin_sync_device, portable_records_twin_host_newer, portable_records_twin_device_newer, &
    portable_records_twin_one_memory, portable_records_twin_use_count, portable_records_twin_allocated
#if defined(__flang__)
  public :: assignment(=)
#endif

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  !> A handle: a twin of records, or none. Its procedures are described at the interfaces of their names with portable_records_twin_
  !> before.
  type, public :: portable_records_twin
    private
    type(portable_twin) :: twin     ! of the bytes of all records
    type(portable_records) :: shape ! does not hold its memory
#if !defined(__flang__)
  contains
    procedure, private :: create32, create64, assign
    generic :: create => create32, create64
    generic :: assignment(=) => assign
    procedure :: host => host_records
    procedure :: device => device_records
    procedure :: release, modified_host, modified_device, discard_host, discard_device, sync_host, sync_device, host_newer, &
      device_newer, one_memory, use_count
    procedure :: allocated => is_allocated
#endif
  end type

#if defined(__flang__)
#define PORTABLE_SELF type
  interface assignment(=)
    module procedure assign
  end interface
#else
#define PORTABLE_SELF class
#endif

  !> portable_records_twin_create(t, record, extents): makes records twice in the handle, which holds none. Optional: lower (bounds;
  !> 1), layout (portable_soa), width (of portable_blocks, a power of two), label, order (portable_order_fortran; of both sides),
  !> zero (.true.: both sides are 0), separate (.true.: two memories, also where one would do). Errors: gator_err_arg, _state (the
  !> handle holds a twin; not running), _nomem, _overflow. Since 0.1.
  interface portable_records_twin_create
    module procedure create32, create64
  end interface

  !> portable_records_twin_host(t, records, access), _device(t, records, access): makes the handle records one of a side; access is
  !> portable_read, portable_update or portable_overwrite of portable_twin_mod. Records that it held before are released. Errors:
  !> gator_err_arg (access), _handle (no twin), _state (under checks: the side is stale). Since 0.1.
  interface portable_records_twin_host
    module procedure host_records
  end interface
  interface portable_records_twin_device
    module procedure device_records
  end interface

  !> As those of portable_twin_mod, for all fields at once. Since 0.1.
  interface portable_records_twin_modified_host
    module procedure modified_host
  end interface
  interface portable_records_twin_modified_device
    module procedure modified_device
  end interface
  interface portable_records_twin_discard_host
    module procedure discard_host
  end interface
  interface portable_records_twin_discard_device
    module procedure discard_device
  end interface
  interface portable_records_twin_sync_host
    module procedure sync_host
  end interface
  interface portable_records_twin_sync_device
    module procedure sync_device
  end interface
  interface portable_records_twin_host_newer
    module procedure host_newer
  end interface
  interface portable_records_twin_device_newer
    module procedure device_newer
  end interface
  interface portable_records_twin_one_memory
    module procedure one_memory
  end interface
  interface portable_records_twin_allocated
    module procedure is_allocated
  end interface
  interface portable_records_twin_use_count
    module procedure use_count
  end interface
  interface portable_records_twin_release
    module procedure release
  end interface

  interface
    function c_bytes(label, record, layout, width, rank, extents, order, bytes) result(status) &
        bind(c, name='portable__records_twin_bytes')
      import :: c_char, c_int32_t, c_int64_t, c_size_t, c_ptr
      character(kind=c_char), intent(in) :: label(*) ! ends with c_null_char
      type(c_ptr), value :: record
      integer(c_int32_t), value :: layout
      integer(c_int64_t), value :: width
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: extents(*)
      integer(c_int32_t), value :: order
      integer(c_size_t), intent(out) :: bytes
      integer(c_int32_t) :: status
    end function

    function c_side(version, twin, shape, side, access, records) result(status) &
        bind(c, name='portable__fortran_records_twin_side')
      import :: c_int32_t, c_int64_t, c_ptr
      integer(c_int32_t), value :: version
      integer(c_int64_t), value :: twin
      type(c_ptr), value :: shape
      integer(c_int32_t), value :: side, access
      type(c_ptr), value :: records
      integer(c_int32_t) :: status
    end function
  end interface

contains

#include "portable_records_twin.inc"

end module portable_records_twin_mod
