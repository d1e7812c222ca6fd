!> Twins of libportable for Fortran: one array in two places, of the host and of a device, maybe with different orders of
!> elements; and orders of arrays that rules choose, outside of the code.
!>
!>     use portable_twin_mod, only: portable_twin, portable_read, portable_update, portable_overwrite
!>     type(portable_twin) :: h                          ! gone, with both sides, when the routine is left
!>     real(8), pointer :: p(:,:), q(:,:)
!>     call h%create([nx,ny], label='h')
!>     call h%host(p, portable_overwrite)                ! the host side is newer from here on
!>     p = 0
!>     call h%sync_device()
!>     call h%device(q, portable_update)                 ! the device side is newer
!>     ! launches that compute in q
!>     call h%sync_host()
!>     call h%host(p, portable_read)
!>
!> In this module: the handle, its sides as pointers of ranks 1 to 7 and as handles of portable_array_mod, marks, syncs,
!> rules. portable_twin.h tells what twins are, and what PORTABLE_CHECK=arrays finds. With a compiler that has no type-bound
!> procedures (flang 16) the names are portable_twin_create(h, ...) and so on, and nothing is released automatically.
!>
!> Arguments of all: stat= and errmsg=, as everywhere in this library. Handles: an assignment b = a makes b one more holder;
!> the last one that is left, assigned over or released gives both sides back. A handle of the main program or with SAVE is
!> released by the program. Pointers are valid while a holder is. Threads: a handle is guarded as a variable is. Since 0.1.
module portable_twin_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg
  use portable_array_mod, only: portable_array, portable_array_get, portable_array_allocated, portable_array_release, &
    portable_internal_handle, portable_order_fortran, portable_real64
  implicit none
  private

  public :: portable_twin_create, portable_twin_wrap, portable_twin_host, portable_twin_device, portable_twin_release, &
    portable_twin_modified_host, portable_twin_modified_device, portable_twin_discard_host, portable_twin_discard_device, &
    portable_twin_sync_host, portable_twin_sync_device, portable_twin_host_newer, portable_twin_device_newer, &
    portable_twin_one_memory, portable_twin_use_count, portable_twin_allocated, portable_layout_rule, portable_internal_twin
#if defined(__flang__)
  public :: assignment(=)
#endif

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  !> The access to a side.
  integer, parameter, public :: portable_read = 1, portable_update = 2, portable_overwrite = 3

  !> For order= of portable_array_create and of twins: as a rule says for the label, the device and the rank; where none does,
  !> in Fortran's order.
  integer, parameter, public :: portable_order_by_rule = 17

  include 'portable_twin_c.inc'

  !> A handle: a twin, or none. Its procedures are described at the interfaces of their names with portable_twin_ before.
  type, public :: portable_twin
    private
    integer(c_int64_t) :: t = 0_c_int64_t
#if !defined(__flang__)
  contains
#include "portable_twin_bindings.inc"
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

  !> portable_twin_create(t, extents): makes a twin in the handle, which holds none. Optional: lower (bounds; 1), kind
  !> (portable_real64 of portable_array_mod), label, host_order, device_order (portable_order_fortran; _c;
  !> portable_order_by_rule), host_fastest, device_fastest (the dimensions from 1, the fastest first), zero (.true.: both
  !> sides are 0), separate (.true.: two memories, also where one would do). Errors: gator_err_arg, _state (the handle holds a
  !> twin; not running), _nomem, _overflow. Source: the double-mapped arrays of OpenFPM. Since 0.1.
  interface portable_twin_create
    module procedure create32, create64
  end interface

  !> portable_twin_wrap(t, a): a twin whose host side is the array of a portable_array, the program's own memory for instance
  !> (call a%wrap(x)), and is newer. Optional: order, fastest (of the device side; as the host side), separate. Errors:
  !> gator_err_arg, _state, _nomem. Since 0.1.
  interface portable_twin_wrap
    module procedure wrap_array
  end interface

  !> portable_twin_modified_host(t, what), _modified_device(t, what): a side that was taken before was changed; what, which
  !> may be left out, names what has changed it, for messages. discard_host(t), discard_device(t): the changes of a side are
  !> not wanted. Errors: gator_err_handle, _state (under checks: the other side is newer). Since 0.1.
  interface portable_twin_modified_host
    module procedure modified_host
  end interface
  interface portable_twin_modified_device
    module procedure modified_device
  end interface
  interface portable_twin_discard_host
    module procedure discard_host
  end interface
  interface portable_twin_discard_device
    module procedure discard_device
  end interface

  !> portable_twin_sync_host(t), sync_device(t): copies to the side that is named, if the other one is newer. stream=: into a
  !> stream of portable_mod, and returns at once; what is launched into the stream later finds the elements. Errors:
  !> gator_err_handle, _state (both sides were changed; under checks: changes that no call announced), _nomem. Since 0.1.
  interface portable_twin_sync_host
    module procedure sync_host
  end interface
  interface portable_twin_sync_device
    module procedure sync_device
  end interface

  !> portable_twin_host_newer(t), _device_newer(t), _one_memory(t) (both sides are the same memory), _allocated(t), _use_count(t);
  !> portable_twin_release(t): this handle holds the twin no more, none is accepted. Since 0.1.
  interface portable_twin_host_newer
    module procedure host_newer
  end interface
  interface portable_twin_device_newer
    module procedure device_newer
  end interface
  interface portable_twin_one_memory
    module procedure one_memory
  end interface
  interface portable_twin_allocated
    module procedure is_allocated
  end interface
  interface portable_twin_use_count
    module procedure use_count
  end interface
  interface portable_twin_release
    module procedure release
  end interface

  include 'portable_twin_interfaces.inc'

contains

#include "portable_twin.inc"
#include "portable_twin_pointers.inc"

end module portable_twin_mod
