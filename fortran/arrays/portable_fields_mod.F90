!> Ghost cells for Fortran: lists of fields, and exchanges of a halo. portable_halo.F90, which a program compiles with its MPI, makes
!> halos on ranks, and has short names for all of this (portable_halo_mod).
!>
!>     call portable_fields_add(state, 'h', h)                      ! any kind, rank 1 to 7; with ghost cells
!>     call portable_fields_add(state, 'q', q, dims=[2,3])          ! q(tracer,x,y): the ranks share the last two dimensions
!>     call portable_halo_begin(ghosts, state)                      ! each step; work on inner cells goes here
!>     call portable_halo_end(ghosts, state)
!>
!> In this module: those, and what the halo says of its cells. Not in this module: MPI; definitions and limits (portable_halo.h).
!>
!> portable_fields_add(fields, name, array [, dims, stat, errmsg]): array is an array with TARGET, a pointer, or a handle of
!> portable_array_mod; it stays until the list is destroyed. dims: of a box the first dimensions, of lists the last one, unless they
!> are named. Errors: gator_err_arg (a name that exists, dims), _state (an exchange has used the list), _nomem.
!> portable_fields_destroy(fields [, stat, errmsg]).
!> portable_halo_begin, portable_halo_end, portable_halo_add(halo, fields [, device, stream, stat, errmsg]): begin packs own cells and
!> starts the messages, end waits for them and fills ghost cells; add adds ghost cells to the cells that they are copies of, in a
!> fixed order. The first call for a halo and fields is collective. Errors: gator_err_arg (extents, fields that differ between
!> ranks), _state (also: a neighbour had an error in this exchange), _handle, _nomem, _device.
!> portable_halo_cancel(halo [, stat, errmsg]): ends exchanges in progress without ghost cells, on the way out of an error.
!> portable_halo_own(halo, first, last [, stat, errmsg]): the first and the last own cell, of all cells counted from 1.
!> portable_halo_split(halo, inner, rim [, lower, stat, errmsg]): bounds of the own cells that read no ghost cell, and boxes of the
!> others; lower: the indices of the first own cell, 1 if it is not there.
!> portable_halo_destroy(halo [, stat, errmsg]): before MPI_Finalize.
!> A copy of a list or of a halo is the same one. Threads: one thread at a time for a halo and its fields. Since 0.1.
module portable_fields_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_section, portable_internal_array, portable_internal_launch
  use portable_core_mod, only: portable_bounds_t
  use portable_array_mod, only: portable_array, portable_internal_handle
  implicit none
  private

  public :: portable_fields, portable_halo, portable_fields_add, portable_fields_destroy, portable_halo_begin, portable_halo_end, &
    portable_halo_add, portable_halo_cancel, portable_halo_own, portable_halo_split, portable_halo_destroy, &
    portable_internal_halo_box, portable_internal_halo_lists, portable_internal_particles_migrate, &
    portable_internal_particles_ghosts, &
    portable_internal_fields_handle, portable_internal_halo_handle

  !> A list of fields; portable_fields_add makes it. Since 0.1.
  type :: portable_fields
    private
    integer(c_int64_t) :: handle = 0_c_int64_t
  end type

  !> A halo; portable_mpi_halo_box and portable_mpi_halo_lists make it. Since 0.1.
  type :: portable_halo
    private
    integer(c_int64_t) :: handle = 0_c_int64_t
    integer :: rank = 0
  end type

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_fields_c.inc'
  include 'portable_fields_interfaces.inc'

  interface portable_fields_add
    module procedure add_handle
  end interface

contains

  recursive subroutine add_any(fields, name, array, dims, stat, errmsg)
    type(portable_fields), intent(inout) :: fields
    character(*), intent(in) :: name
    type(portable_internal_section), intent(in) :: array
    integer, optional, intent(in) :: dims(:)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: list(7), count
    call shared(dims, list, count)
    call gator_internal_finish(c_fields_add(portable_version, name, len(name, c_size_t), array, count, list, fields%handle), &
                               'portable_fields_add', stat, errmsg)
  end subroutine

  recursive subroutine add_handle(fields, name, array, dims, stat, errmsg)
    type(portable_fields), intent(inout) :: fields
    character(*), intent(in) :: name
    type(portable_array), target, intent(in) :: array
    integer, optional, intent(in) :: dims(:)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: list(7), count
    call shared(dims, list, count)
    call gator_internal_finish(c_fields_add_handle(portable_version, name, len(name, c_size_t), portable_internal_handle(array), &
                                                   count, list, fields%handle), 'portable_fields_add', stat, errmsg)
  end subroutine

  ! Dimensions counted from 0; too many are refused by their number.
  recursive subroutine shared(dims, list, count)
    integer, optional, intent(in) :: dims(:)
    integer(c_int32_t), intent(out) :: list(7), count
    list = 0_c_int32_t
    count = 0_c_int32_t
    if (.not. present(dims)) return
    count = size(dims, kind=c_int32_t)
    list(:min(7, size(dims))) = int(dims(:min(7, size(dims))), c_int32_t) - 1_c_int32_t
  end subroutine

  include 'portable_fields_procedures.inc'

  recursive subroutine portable_fields_destroy(fields, stat, errmsg)
    type(portable_fields), intent(inout) :: fields
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_fields_destroy(fields%handle)
    if (status == 0_c_int32_t) fields%handle = 0_c_int64_t
    call gator_internal_finish(status, 'portable_fields_destroy', stat, errmsg)
  end subroutine

  ! ---- exchange ----

  recursive function launch_of(launch, device, stream) result(address)
    type(portable_internal_launch), target, intent(inout) :: launch
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    type(c_ptr) :: address
    launch%struct_size = int(c_sizeof(launch), c_int32_t)
    if (present(device)) launch%device = int(device, c_int32_t)
    if (present(stream)) launch%stream = stream
    address = c_loc(launch)
  end function

  recursive subroutine portable_halo_begin(halo, fields, device, stream, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    type(portable_fields), intent(in) :: fields
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_internal_launch), target :: launch
    call gator_internal_finish(c_halo_begin(halo%handle, fields%handle, launch_of(launch, device, stream)), 'portable_halo_begin', &
                               stat, errmsg)
  end subroutine

  recursive subroutine portable_halo_end(halo, fields, device, stream, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    type(portable_fields), intent(in) :: fields
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_internal_launch), target :: launch
    call gator_internal_finish(c_halo_end(halo%handle, fields%handle, launch_of(launch, device, stream)), 'portable_halo_end', &
                               stat, errmsg)
  end subroutine

  recursive subroutine portable_halo_add(halo, fields, device, stream, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    type(portable_fields), intent(in) :: fields
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_internal_launch), target :: launch
    call gator_internal_finish(c_halo_add(halo%handle, fields%handle, launch_of(launch, device, stream)), 'portable_halo_add', &
                               stat, errmsg)
  end subroutine

  ! ---- halos ----

  recursive subroutine portable_halo_own(halo, first, last, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    integer, intent(out) :: first(:), last(:)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t) :: one(3), end(3)
    integer(c_int32_t) :: status
    integer :: n
    one = 0_c_int64_t
    end = -1_c_int64_t
    status = c_halo_own(halo%handle, one, end)
    first = 1
    last = 0
    n = min(halo%rank, size(first), size(last))
    first(:n) = int(one(:n)) + 1
    last(:n) = int(end(:n)) + 1
    call gator_internal_finish(status, 'portable_halo_own', stat, errmsg)
  end subroutine

  recursive subroutine portable_halo_split(halo, inner, rim, lower, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    type(portable_bounds_t), intent(out) :: inner
    type(portable_bounds_t), allocatable, intent(out) :: rim(:)
    integer, optional, intent(in) :: lower(:)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_bounds_t) :: boxes(6)
    integer(c_int64_t), target :: from(3)
    integer(c_int32_t) :: status, count
    count = 0_c_int32_t
    from = 1_c_int64_t
    if (present(lower)) from(:min(3, size(lower))) = int(lower(:min(3, size(lower))), c_int64_t)
    status = c_halo_split(halo%handle, 1_c_int32_t, c_loc(from), inner, boxes, count)
    allocate (rim(count))
    rim = boxes(:count)
    call gator_internal_finish(status, 'portable_halo_split', stat, errmsg)
  end subroutine

  recursive subroutine portable_halo_cancel(halo, stat, errmsg)
    type(portable_halo), intent(in) :: halo
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(c_halo_cancel(halo%handle), 'portable_halo_cancel', stat, errmsg)
  end subroutine

  recursive subroutine portable_halo_destroy(halo, stat, errmsg)
    type(portable_halo), intent(inout) :: halo
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_halo_destroy(halo%handle)
    if (status == 0_c_int32_t) halo%handle = 0_c_int64_t
    call gator_internal_finish(status, 'portable_halo_destroy', stat, errmsg)
  end subroutine

  ! ---- for portable_hdf5.F90 ----

  pure function portable_internal_fields_handle(fields) result(handle)
    type(portable_fields), intent(in) :: fields
    integer(c_int64_t) :: handle
    handle = fields%handle
  end function

  pure function portable_internal_halo_handle(halo) result(handle)
    type(portable_halo), intent(in) :: halo
    integer(c_int64_t) :: handle
    handle = halo%handle
  end function

  ! ---- for portable_halo.F90, which has the messenger ----

  recursive subroutine portable_internal_halo_box(halo, messenger, global, width, periodic, grid, faces, label, stat, errmsg)
    type(portable_halo), intent(inout) :: halo
    type(c_ptr), intent(in) :: messenger
    integer, intent(in) :: global(:), width(:), grid(:)
    logical, intent(in) :: periodic(:), faces
    character(*), intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t) :: handle
    integer(c_int32_t) :: status, periods(3)
    integer :: n
    n = min(3, size(global))
    periods(:n) = merge(1_c_int32_t, 0_c_int32_t, periodic(:n))
    status = c_halo_box(portable_version, label, len(label, c_size_t), messenger, size(global, kind=c_int32_t), &
                        int(global(:n), c_int64_t), int(width(:n), c_int64_t), periods, int(grid(:n), c_int32_t), &
                        merge(1_c_int32_t, 0_c_int32_t, faces), handle)
    call made(halo, handle, status, n)
    call gator_internal_finish(status, 'portable_halo_box', stat, errmsg)
  end subroutine

  recursive subroutine portable_internal_halo_lists(halo, messenger, neighbour, send_row, send_index, recv_row, recv_index, label, &
                                                    stat, errmsg)
    type(portable_halo), intent(inout) :: halo
    type(c_ptr), intent(in) :: messenger
    integer, intent(in) :: neighbour(:), send_row(:), send_index(:), recv_row(:), recv_index(:)
    character(*), intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int64_t) :: handle
    integer(c_int32_t) :: status
    status = c_halo_lists(portable_version, label, len(label, c_size_t), messenger, size(neighbour, kind=c_int32_t), &
                          int(neighbour, c_int32_t), size(send_row, kind=c_int64_t), int(send_row, c_int64_t), &
                          size(send_index, kind=c_int64_t), int(send_index, c_int64_t), size(recv_row, kind=c_int64_t), &
                          int(recv_row, c_int64_t), size(recv_index, kind=c_int64_t), int(recv_index, c_int64_t), handle)
    call made(halo, handle, status, 0)
    call gator_internal_finish(status, 'portable_halo_lists', stat, errmsg)
  end subroutine

  ! A halo that exists is replaced.
  recursive subroutine made(halo, handle, status, rank)
    type(portable_halo), intent(inout) :: halo
    integer(c_int64_t), intent(in) :: handle
    integer(c_int32_t), intent(in) :: status
    integer, intent(in) :: rank
    integer(c_int32_t) :: ended
    if (status /= 0_c_int32_t) return
    ended = c_halo_destroy(halo%handle) ! of a copy that was destroyed: no error of this call
    halo%handle = handle
    halo%rank = rank
  end subroutine

  ! owner: ranks, counted from 0.
  recursive subroutine portable_internal_particles_migrate(messenger, owner, fields, count, label, device, stream, stat, errmsg)
    type(c_ptr), intent(in) :: messenger
    integer, intent(in) :: owner(:)
    type(portable_fields), intent(in) :: fields
    integer, intent(inout) :: count
    character(*), intent(in) :: label
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_internal_launch), target :: launch
    integer, parameter :: most = int(huge(1_c_int32_t))
    integer(c_int64_t) :: after
    integer(c_int32_t) :: status
    after = 0_c_int64_t
    status = c_particles_migrate(portable_version, label, len(label, c_size_t), messenger, &
                                 int(max(-1, min(owner, most)), c_int32_t), size(owner, kind=c_int64_t), fields%handle, &
                                 launch_of(launch, device, stream), after)
    if (status == 0_c_int32_t) count = int(after)
    call gator_internal_finish(status, 'portable_particles_migrate', stat, errmsg)
  end subroutine

  ! at, sizes: x, y and z, as far as there are some. rank 0 is refused on all ranks.
  recursive subroutine portable_internal_particles_ghosts(halo, messenger, fields, count, bytes, rank, at, sizes, cutoff, box, &
                                                          periodic, label, device, stream, stat, errmsg)
    type(portable_halo), intent(inout) :: halo
    type(c_ptr), intent(in) :: messenger, at(3)
    type(portable_fields), intent(in) :: fields
    integer, intent(inout) :: count
    integer, intent(in) :: bytes, rank ! bytes: of a coordinate
    integer(c_int64_t), intent(in) :: sizes(3)
    real(c_double), intent(in) :: cutoff, box(2, 3)
    logical, optional, intent(in) :: periodic(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_internal_launch), target :: launch
    integer(c_int64_t) :: handle, all
    integer(c_int32_t) :: status, kind, along(3)
    integer :: n
    n = rank
    along = 0_c_int32_t
    if (present(periodic)) n = merge(n, 0, size(periodic) == rank)
    if (present(periodic)) along(:n) = merge(1_c_int32_t, 0_c_int32_t, periodic(:n))
    handle = halo%handle
    all = 0_c_int64_t
    kind = merge(5_c_int32_t, 6_c_int32_t, bytes == 4) ! of portable_reduce.h
    if (present(label)) then
      status = c_particles_ghosts(portable_version, label, len(label, c_size_t), messenger, kind, int(n, c_int32_t), at, sizes, &
                                  cutoff, box, along, fields%handle, launch_of(launch, device, stream), handle, all)
    else
      status = c_particles_ghosts(portable_version, ' ', 0_c_size_t, messenger, kind, int(n, c_int32_t), at, sizes, cutoff, box, &
                                  along, fields%handle, launch_of(launch, device, stream), handle, all)
    end if
    if (status == 0_c_int32_t) then
      halo%handle = handle
      halo%rank = 0
      count = int(all)
    end if
    call gator_internal_finish(status, 'portable_particles_ghosts', stat, errmsg)
  end subroutine

end module portable_fields_mod
