!> Arrays of records of libportable for Fortran: described structures, stored as structures, as an array for each field, or in
!> blocks of both; a field is an ordinary array, and a pointer to it an ordinary pointer.
!>
!>     use portable_array_mod, only: portable_real64, portable_int32
!>     use portable_record_mod, only: portable_record, portable_records, portable_soa
!>     type(portable_record) :: atom                       ! what a record is
!>     type(portable_records) :: atoms                     ! gone, with its memory, when the routine is left
!>     real(8), pointer :: x(:), mass(:)
!>     call atom%add('x', portable_real64, count=3)
!>     call atom%add('mass', portable_real64)
!>     call atom%add('kind', portable_int32)
!>     call atoms%create(atom, [n], layout=portable_soa, label='atoms')
!>     call atoms%field('x', x, component=1)
!>     call atoms%field('mass', mass)
!>
!> The same code runs with layout=portable_aos. A whole vector, without component=, is a pointer x(3,n) of structures only: in
!> the other layouts its values lie far from one another, as those of no Fortran pointer with that order of indices. In this
!> module: descriptions, handles, fields as pointers of ranks 1 to 7 and as handles of portable_array_mod, copies between
!> layouts. portable_record.h tells the rest. With a compiler that has no type-bound procedures (flang 16) the names are
!> portable_records_create(atoms, ...) and so on, and nothing is released automatically.
!>
!> Arguments of all: stat= and errmsg=, as everywhere in this library. Handles: as those of portable_array_mod. Threads: a
!> handle is guarded as a variable is. Since 0.1.
module portable_record_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg, gator_err_state
  use portable_reduce_mod, only: portable_internal_launch
  use portable_array_mod, only: portable_array, portable_array_get, portable_array_allocated, portable_array_release, &
    portable_internal_handle, portable_order_fortran
  implicit none
  private

  public :: portable_record_add, portable_record_bytes, portable_records_create, portable_records_wrap, &
    portable_records_wrap_fields, portable_records_field, portable_records_lanes, portable_records_copy, &
    portable_records_release, portable_records_allocated, portable_records_use_count, portable_internal_record, &
    portable_internal_records
#if defined(__flang__)
  public :: assignment(=)
#endif

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  !> Layouts: structures, an array for each value of a field, blocks of width= records of which each is such arrays.
  integer, parameter, public :: portable_aos = 0, portable_soa = 1, portable_blocks = 2

  include 'portable_record_c.inc'

  !> The form of a record. portable_record_add(record, name, kind) adds a field: kind is one of portable_array_mod's, or 0 with
  !> bytes=; count= is the length of a vector. offset=: bytes from the beginning of a record; without it where C, and a
  !> derived type with BIND(C), has it. portable_record_bytes(record): bytes of a record in an array of structures. Errors:
  !> gator_err_arg (a name that is there, kind, count, offset). Since 0.1.
  type, public :: portable_record
    private
    type(c_record) :: r
#if !defined(__flang__)
  contains
    procedure :: add => add_field
    procedure :: bytes => record_bytes
#endif
  end type

  !> A handle: records, or none. Its procedures are described at the interfaces of their names with portable_records_ before.
  type, public :: portable_records
    private
    type(c_records) :: d
#if !defined(__flang__)
  contains
#include "portable_record_bindings.inc"
    final :: end_0, end_1
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

  interface portable_record_add
    module procedure add_field
  end interface
  interface portable_record_bytes
    module procedure record_bytes
  end interface

  !> portable_records_create(r, record, extents): makes records in the handle, which holds none. Optional: lower (bounds; 1),
  !> layout (portable_soa), width (of portable_blocks, a power of two), label, order (portable_order_fortran), zero, space, pool
  !> (as of portable_array_create). Errors: gator_err_arg, _state (the handle holds records; not running), _nomem, _overflow.
  !> portable_records_wrap(r, record, address, extents): the same of memory of the program's, a c_ptr to the first record of an
  !> array of a derived type with BIND(C) for instance (layout: portable_aos); nothing is copied or freed. Since 0.1.
  interface portable_records_create
    module procedure create32, create64
  end interface
  interface portable_records_wrap
    module procedure wrap32, wrap64
  end interface

  !> portable_records_wrap_fields(r, record, fields, extents): makes the handle, which holds none, describe arrays that the
  !> program has for each field, anywhere: fields(i) is the c_loc of that of field i, in the order of portable_record_add; the
  !> values of a vector follow one another, each for all records. Optional: lower (bounds; 1), label, order
  !> (portable_order_fortran). Ownership: nothing is copied or freed; the arrays stay the program's, and there while the handle
  !> is used. Errors: gator_err_arg (another number of fields or bounds, a null address), _state (the handle holds records).
  !> Source: portable_records_wrap_fields of portable_record.h. Since 0.1.
  interface portable_records_wrap_fields
    module procedure wrap_fields32, wrap_fields64
  end interface

  !> portable_records_lanes(r, name, a, component): one value of a field of blocks as it lies, in a handle of an array with
  !> one dimension more: the first one (in C order the last one) is that inside of a block. Errors: gator_err_arg.
  !> portable_records_copy(from, to): copies all records to as many of the same fields, whatever the layouts. device= and
  !> stream= say where. Errors:
  !> gator_err_arg (other fields or extents), _state. Since 0.1.
  interface portable_records_lanes
    module procedure lanes
  end interface
  interface portable_records_copy
    module procedure copy_to
  end interface

  !> portable_records_release(r): this handle holds the records no more, none is accepted. _allocated(r), _use_count(r) (0 of
  !> what is wrapped). Since 0.1.
  interface portable_records_release
    module procedure release
  end interface
  interface portable_records_allocated
    module procedure is_allocated
  end interface
  interface portable_records_use_count
    module procedure use_count
  end interface

  include 'portable_record_interfaces.inc'

contains

#include "portable_record.inc"
#include "portable_record_pointers.inc"

end module portable_record_mod
