!> portable_halo.F90 - ghost cells and particles on MPI ranks: halos of the ranks of a communicator, migrations, and short names for all
!> that a program needs of them. A file for the program to compile with its MPI (portable-config --fhalo names it; in CMake portable_halo(target)); its twin
!> in C is portable_mpi.h. The library itself knows nothing of MPI. Not in this file: fields and exchanges (portable_fields_mod).
!>
!> It uses the module mpi_f08. Where MPI has none of your compiler, -DPORTABLE_MPI_OLD takes mpif.h, and only communicators that are
!> integers.
module portable_mpi_halo_mod
  use, intrinsic :: iso_c_binding
  use portable_core_mod, only: portable_is_initialized
  use portable_fields_mod, only: portable_halo, portable_internal_halo_box, portable_internal_halo_lists, portable_fields, &
    portable_internal_particles_migrate, portable_internal_particles_ghosts
#ifndef PORTABLE_MPI_OLD
  use mpi_f08
#endif
  implicit none
  private
  public :: portable_mpi_halo_box, portable_mpi_halo_lists, portable_mpi_particles_migrate, portable_mpi_particles_ghosts
#ifdef PORTABLE_MPI_OLD
  include 'mpif.h'
#define COMMUNICATOR integer
#define REQUEST integer
#define DATATYPE integer
#else
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define DATATYPE type(MPI_Datatype)
#endif

  !> portable_mpi_halo_box(halo, comm, global [, width, periodic, grid, faces, label, stat, errmsg]): the halo of a block of cells. comm,
  !> type(MPI_Comm) or its integer, may have a Cartesian topology: grid (ranks along each dimension) and periodic are its own then, if
  !> they are not there; else MPI_Dims_create chooses the grid. global: cells of all ranks in the 1 to 3 dimensions that ranks share;
  !> width: ghost cells at each side, one number or one for each dimension, 1 if it is not there. faces=.true.: without corners.
  !> label names the halo in messages, and its launches. A halo that exists is replaced. Collective; stat is the same on all ranks.
  !> Errors: gator_err_arg (a width above the cells of a rank, a grid of another number of ranks, arguments that differ between ranks),
  !> _nomem, _device. Since 0.1.
  interface portable_mpi_halo_box
    module procedure box_widths, box_width
#ifndef PORTABLE_MPI_OLD
    module procedure box_widths_integer, box_width_integer
#endif
  end interface

  !> portable_mpi_halo_lists(halo, comm, neighbour, send_row, send_index, recv_row, recv_index [, label, stat, errmsg]): the halo of lists of
  !> cells. neighbour(i): a rank of comm, counted from 0; send_index(send_row(i):send_row(i+1)-1): the own cells that it needs;
  !> recv_index(recv_row(i):recv_row(i+1)-1): the ghost cells that it owns, in the same order. Cells count from 1. A ghost cell is received
  !> once. Collective. Errors: as portable_mpi_halo_box. Since 0.1.
  interface portable_mpi_halo_lists
    module procedure lists
#ifndef PORTABLE_MPI_OLD
    module procedure lists_integer
#endif
  end interface

  !> portable_mpi_particles_migrate(comm, owner, fields, count [, label, device, stream, stat, errmsg]): sends particles to the ranks that own
  !> them; all fields of the list move together. owner(i): the rank in comm of particle i, counted from 0; its size is the number of
  !> particles. count becomes the number of particles afterwards. A field has room for more; the particles are the first places along its
  !> last dimension, or along dims of portable_fields_add. Those that stay are first, in their old order; those that have come follow, by
  !> source rank and then in their old order. Collective. Errors, on all ranks and before a particle has moved: gator_err_arg (an owner
  !> that is no rank, a field without room, fields that differ between ranks), _state, _handle, _nomem, _device. Since 0.1.
  interface portable_mpi_particles_migrate
    module procedure migrate
#ifndef PORTABLE_MPI_OLD
    module procedure migrate_integer
#endif
  end interface

  !> portable_mpi_particles_ghosts(halo, comm, fields, count, x [, y, z], cutoff= [, lower, upper, periodic, label, device, stream, stat,
  !> errmsg]): copies of the particles that this rank needs, behind its own ones. x, y, z are the own particles, real(real32) or
  !> real(real64), one kind, as are cutoff, lower and upper. Other ranks get those within cutoff of the smallest box around their particles.
  !> Ghosts follow by source rank and then in the order that they have there, each one once; all fields of the list get them; count becomes the
  !> number of own particles and ghosts. halo is made for halo_begin, _end and _add, which update ghosts of any fields until the call
  !> is made again; a halo that exists is replaced. lower, upper, periodic: the box of all ranks, for periodic dimensions. There, positions are
  !> copied as they are: take the shorter distance of both ways, as cell_list_build with the same box does. Collective. Errors, on all ranks:
  !> gator_err_arg (a particle without finite place or outside of a periodic box: the text names it and its rank; a cutoff, arguments that
  !> differ between ranks, a field without room), _state, _handle, _nomem, _device. Since 0.1.
  interface portable_mpi_particles_ghosts
    module procedure ghosts_64, ghosts_32
#ifndef PORTABLE_MPI_OLD
    module procedure ghosts_64_integer, ghosts_32_integer
#endif
  end interface

  ! A communicator as MPI's functions take it.
  interface own
    module procedure itself
#ifndef PORTABLE_MPI_OLD
    module procedure typed
#endif
  end interface

  ! portable_messenger and portable_message of portable_halo.h.
  type, bind(c) :: messenger_t
    integer(c_int32_t) :: struct_size = 0_c_int32_t, rank = 0_c_int32_t, ranks = 1_c_int32_t, device_memory = 0_c_int32_t
    type(c_ptr) :: context = c_null_ptr
    type(c_funptr) :: agree = c_null_funptr, prepare = c_null_funptr, start = c_null_funptr, finish = c_null_funptr, &
      release = c_null_funptr, end = c_null_funptr, all_to_all = c_null_funptr
  end type

  type, bind(c) :: message_t
    type(c_ptr) :: data
    integer(c_int64_t) :: bytes
    integer(c_int32_t) :: rank, tag, receives, reserved
  end type

  integer(c_int32_t), parameter :: message_empty = -1_c_int32_t ! PORTABLE_MESSAGE_EMPTY

  ! The halo's own communicator, and 16 bytes: messages of 2 GiB and more are counted in these.
  type :: transport_t
    COMMUNICATOR :: comm
    DATATYPE :: sixteen
    integer(c_int64_t) :: number = 0 ! above 0: it serves ghost particles, and has this number on all of its ranks
    type(transport_t), pointer :: next => null()
  end type

  ! Transports of ghost particles that no halo has, in ascending order of numbers: a call per step would else copy a communicator each time.
  type(transport_t), pointer :: idle => null()

  type :: set_t
    integer :: count = 0
    REQUEST, allocatable :: requests(:)
    logical, allocatable :: takes(:) ! messages that receive bytes
  end type

contains

  ! ---- halos ----

  ! For each kind of communicator.
#define COMM COMMUNICATOR
#define BOX_WIDTHS box_widths
#define BOX_WIDTH box_width
#define LISTS lists
#define MIGRATE migrate
#define GHOSTS_64 ghosts_64
#define GHOSTS_32 ghosts_32
#include "portable_halo_calls.inc"
#ifndef PORTABLE_MPI_OLD
#undef COMM
#undef BOX_WIDTHS
#undef BOX_WIDTH
#undef LISTS
#undef MIGRATE
#undef GHOSTS_64
#undef GHOSTS_32
#define COMM integer
#define BOX_WIDTHS box_widths_integer
#define BOX_WIDTH box_width_integer
#define LISTS lists_integer
#define MIGRATE migrate_integer
#define GHOSTS_64 ghosts_64_integer
#define GHOSTS_32 ghosts_32_integer
#include "portable_halo_calls.inc"

  recursive function typed(comm) result(same)
    integer, intent(in) :: comm
    type(MPI_Comm) :: same
    same%MPI_VAL = comm
  end function
#endif

  recursive function itself(comm) result(same)
    COMMUNICATOR, intent(in) :: comm
    COMMUNICATOR :: same
    same = comm
  end function

  ! The grid of ranks, and which dimensions are periodic.
  recursive subroutine topology(comm, global, ranks, periods)
    COMMUNICATOR, intent(in) :: comm
    integer, intent(in) :: global(:)
    integer, intent(out) :: ranks(size(global))
    logical, intent(out) :: periods(size(global))
    integer, allocatable :: dims(:), coords(:)
    logical, allocatable :: wraps(:)
    integer :: kind, n, d, all, ierr
    ranks = 1
    periods = .false.
    call MPI_Topo_test(comm, kind, ierr)
    if (kind == MPI_CART) then
      call MPI_Cartdim_get(comm, n, ierr)
      allocate (dims(n), coords(n), wraps(n))
      call MPI_Cart_get(comm, n, dims, wraps, coords, ierr)
      n = min(n, size(global))
      ranks(:n) = dims(:n)
      periods(:n) = wraps(:n)
      return
    end if
    n = size(global)
    if (n < 1) return
    call MPI_Comm_size(comm, all, ierr)
    allocate (dims(n))
    dims = 0
    call MPI_Dims_create(all, n, dims, ierr) ! falling: the largest one for the dimension with most cells
    do d = 1, n
      ranks(d) = dims(1 + count(global > global(d)) + count(global(:d-1) == global(d)))
    end do
  end subroutine

  ! ---- the messenger ----

  recursive function messenger_of(comm) result(m)
    COMMUNICATOR, intent(in) :: comm
    type(messenger_t) :: m
    type(transport_t), pointer :: transport
    integer :: ierr
    allocate (transport)
    call MPI_Comm_dup(comm, transport%comm, ierr)
    m = messenger_over(transport)
  end function

  ! A transport of ghost particles that is idle on all ranks and of the same ranks in the same order, else a new one.
  recursive function ghosts_messenger(comm) result(m)
    COMMUNICATOR, intent(in) :: comm
    type(messenger_t) :: m
    type(transport_t), pointer :: transport, before
    integer(c_int64_t) :: numbers(2)
    integer(c_int64_t), save :: last = 0
    logical, save :: registered = .false.
    integer :: same, key, ierr
    nullify (before)
    transport => idle
    do while (associated(transport))
      call MPI_Comm_compare(comm, transport%comm, same, ierr)
      if (same == MPI_CONGRUENT) exit
      before => transport
      transport => transport%next
    end do
    numbers = 0
    if (associated(transport)) numbers = [transport%number, -transport%number]
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_INTEGER8, MPI_MIN, comm, ierr)
    if (numbers(1) > 0 .and. numbers(1) == -numbers(2)) then
      if (associated(before)) then
        before%next => transport%next
      else
        idle => transport%next
      end if
      m = messenger_over(transport)
    else
      m = messenger_of(comm)
      call c_f_pointer(m%context, transport)
      last = last + 1
      numbers = last ! rank 0's number
      call MPI_Bcast(numbers, 1, MPI_INTEGER8, 0, transport%comm, ierr)
      transport%number = numbers(1)
      if (.not. registered) then ! MPI_Finalize deletes the attributes of MPI_COMM_SELF first
        registered = .true.
        call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, key, 0_MPI_ADDRESS_KIND, ierr)
        call MPI_Comm_set_attr(MPI_COMM_SELF, key, 0_MPI_ADDRESS_KIND, ierr)
        call MPI_Comm_free_keyval(key, ierr)
      end if
    end if
    m%end = c_funloc(keep)
  end function

  ! Ends a transport of ghost particles: it waits for the next call.
  recursive subroutine keep(context) bind(c)
    type(c_ptr), value :: context
    type(transport_t), pointer :: transport, at
    logical :: ended
    integer :: ierr
    call MPI_Finalized(ended, ierr)
    if (.not. ended) ended = .not. portable_is_initialized()
    if (ended) then ! messages may be in progress
      call end_transport(context)
      return
    end if
    call c_f_pointer(context, transport)
    at => idle
    if (associated(at)) then
      if (at%number > transport%number) nullify (at)
    end if
    if (.not. associated(at)) then
      transport%next => idle
      idle => transport
      return
    end if
    do while (associated(at%next))
      if (at%next%number > transport%number) exit
      at => at%next
    end do
    transport%next => at%next
    at%next => transport
  end subroutine

  ! Ends all that are idle.
  recursive subroutine drop(comm, key, value, extra, ierr)
    COMMUNICATOR :: comm
    integer :: key, ierr
    integer(MPI_ADDRESS_KIND) :: value, extra
    type(transport_t), pointer :: transport
    do while (associated(idle))
      transport => idle
      idle => transport%next
      call end_transport(c_loc(transport))
    end do
    ierr = MPI_SUCCESS
  end subroutine

  recursive function messenger_over(transport) result(m)
    type(transport_t), target, intent(inout) :: transport
    type(messenger_t) :: m
    integer :: rank, ranks, ierr
    call MPI_Comm_rank(transport%comm, rank, ierr)
    call MPI_Comm_size(transport%comm, ranks, ierr)
    call MPI_Type_contiguous(16, MPI_BYTE, transport%sixteen, ierr)
    call MPI_Type_commit(transport%sixteen, ierr)
    m%struct_size = int(c_sizeof(m), c_int32_t)
    m%rank = int(rank, c_int32_t)
    m%ranks = int(ranks, c_int32_t)
    m%device_memory = -1_c_int32_t ! MPI knows
    m%context = c_loc(transport)
    m%agree = c_funloc(agree)
    m%prepare = c_funloc(prepare)
    m%start = c_funloc(start)
    m%finish = c_funloc(finish)
    m%release = c_funloc(release)
    m%end = c_funloc(end_transport)
    m%all_to_all = c_funloc(all_to_all)
  end function

  recursive function all_to_all(context, give, give_count, give_at, take, take_count, take_at) result(code) bind(c)
    type(c_ptr), value :: context, give, give_count, give_at, take, take_count, take_at
    integer(c_int32_t) :: code
    type(transport_t), pointer :: transport
    integer(c_int32_t), pointer, contiguous :: counts(:)
    integer(c_int8_t), pointer, contiguous :: from(:), to(:)
    integer, allocatable :: numbers(:,:)
    integer :: ranks, ierr
    call c_f_pointer(context, transport)
    call MPI_Comm_size(transport%comm, ranks, ierr)
    allocate (numbers(ranks, 4))
    numbers(:, 1::2) = 1
    numbers(:, 2) = 0
    if (c_associated(give_count)) then
      call c_f_pointer(give_count, counts, [ranks])
      numbers(:, 1) = int(counts)
      call c_f_pointer(give_at, counts, [ranks])
      numbers(:, 2) = int(counts)
      call c_f_pointer(take_count, counts, [ranks])
      numbers(:, 3) = int(counts)
      call c_f_pointer(take_at, counts, [ranks])
      numbers(:, 4) = int(counts)
    end if
    call c_f_pointer(give, from, [16])
    call c_f_pointer(take, to, [16])
    call all_to_all_bytes(transport, c_associated(give_count), numbers, from, to, code)
  end function

  ! Dummies without a shape: MPI gets the addresses of the messages themselves.
  recursive subroutine all_to_all_bytes(transport, counted, numbers, from, to, code)
    type(transport_t), intent(in) :: transport
    logical, intent(in) :: counted
    integer, intent(in) :: numbers(:,:)
    integer(c_int8_t), intent(in) :: from(*)
    integer(c_int8_t), intent(inout) :: to(*)
    integer(c_int32_t), intent(out) :: code
    integer :: ierr
    if (counted) then
      call MPI_Alltoallv(from, numbers(:, 1), numbers(:, 2), transport%sixteen, to, numbers(:, 3), numbers(:, 4), &
                         transport%sixteen, transport%comm, ierr)
    else
      call MPI_Alltoall(from, 1, transport%sixteen, to, 1, transport%sixteen, transport%comm, ierr)
    end if
    code = int(ierr, c_int32_t)
  end subroutine

  recursive function agree(context, values, count, sum) result(code) bind(c)
    type(c_ptr), value :: context
    integer(c_int32_t), value :: count, sum
    integer(c_int64_t), intent(inout) :: values(count)
    integer(c_int32_t) :: code
    type(transport_t), pointer :: transport
    integer :: ierr
    call c_f_pointer(context, transport)
    if (sum == 0_c_int32_t) then
      call MPI_Allreduce(MPI_IN_PLACE, values, int(count), MPI_INTEGER8, MPI_MAX, transport%comm, ierr)
    else
      call MPI_Allreduce(MPI_IN_PLACE, values, int(count), MPI_INTEGER8, MPI_SUM, transport%comm, ierr)
    end if
    code = int(ierr, c_int32_t)
  end function

  recursive function prepare(context, messages, count, set) result(code) bind(c)
    type(c_ptr), value :: context
    integer(c_int32_t), value :: count
    type(message_t), intent(in) :: messages(count)
    type(c_ptr), intent(out) :: set
    integer(c_int32_t) :: code
    type(transport_t), pointer :: transport
    type(set_t), pointer :: s
    integer(c_int8_t), pointer, contiguous :: bytes(:)
    integer :: i
    call c_f_pointer(context, transport)
    allocate (s)
    allocate (s%requests(count), s%takes(count))
    set = c_loc(s)
    code = 0_c_int32_t
    do i = 1, int(count)
      call c_f_pointer(messages(i)%data, bytes, [messages(i)%bytes])
      call prepare_one(transport, messages(i), bytes, messages(i)%bytes, s%requests(i), code)
      if (code /= 0_c_int32_t) exit
      s%count = i
      s%takes(i) = messages(i)%receives /= 0_c_int32_t .and. messages(i)%bytes > 0_c_int64_t
    end do
    if (code /= 0_c_int32_t) then
      call release(context, set)
      set = c_null_ptr
    end if
  end function

  ! A dummy of explicit shape: MPI gets the address of the message itself.
  recursive subroutine prepare_one(transport, message, bytes, n, request, code)
    type(transport_t), intent(in) :: transport
    type(message_t), intent(in) :: message
    integer(c_int64_t), intent(in) :: n
    integer(c_int8_t), intent(inout) :: bytes(n)
    REQUEST, intent(inout) :: request
    integer(c_int32_t), intent(out) :: code
    DATATYPE :: element
    integer :: count, ierr
    element = MPI_BYTE
    if (n > int(huge(count), c_int64_t)) then
      element = transport%sixteen
      count = int(n/16_c_int64_t)
    else
      count = int(n)
    end if
    if (message%receives /= 0_c_int32_t) then
      call MPI_Recv_init(bytes, count, element, int(message%rank), int(message%tag), transport%comm, request, ierr)
    else
      call MPI_Send_init(bytes, count, element, int(message%rank), int(message%tag), transport%comm, request, ierr)
    end if
    code = int(ierr, c_int32_t)
  end subroutine

  recursive function start(context, set, first, count) result(code) bind(c)
    type(c_ptr), value :: context, set
    integer(c_int32_t), value :: first, count
    integer(c_int32_t) :: code
    type(set_t), pointer :: s
    integer :: ierr
    ierr = merge(0, 1, c_associated(context))
    call c_f_pointer(set, s)
    if (ierr == 0) call MPI_Startall(int(count), s%requests(int(first)+1:int(first+count)), ierr)
    code = int(ierr, c_int32_t)
  end function

  recursive function finish(context, set) result(code) bind(c)
    type(c_ptr), value :: context, set
    integer(c_int32_t) :: code
    type(set_t), pointer :: s
    call c_f_pointer(set, s)
    code = merge(0_c_int32_t, 1_c_int32_t, c_associated(context))
    if (code == 0_c_int32_t) call finish_all(s%count, s%requests, s%takes, code)
  end function

  recursive subroutine finish_all(n, requests, takes, code)
    integer, intent(in) :: n
    REQUEST, intent(inout) :: requests(:)
    logical, intent(in) :: takes(:)
    integer(c_int32_t), intent(inout) :: code
#ifdef PORTABLE_MPI_OLD
    integer :: statuses(MPI_STATUS_SIZE, n)
#define STATUS_OF(i) statuses(:, i)
#else
    type(MPI_Status) :: statuses(n)
#define STATUS_OF(i) statuses(i)
#endif
    integer :: i, bytes, ierr
    call MPI_Waitall(n, requests, statuses, ierr)
    code = int(ierr, c_int32_t)
    do i = 1, n
      if (ierr /= 0 .or. .not. takes(i)) cycle
      call MPI_Get_count(STATUS_OF(i), MPI_BYTE, bytes, ierr)
      if (ierr == 0 .and. bytes == 0) then
        code = message_empty - int(i - 1, c_int32_t)
        return
      end if
    end do
  end subroutine

  recursive subroutine release(context, set) bind(c)
    type(c_ptr), value :: context, set
    type(set_t), pointer :: s
    logical :: ended
    integer :: i, ierr
    ended = .not. c_associated(context)
    call c_f_pointer(set, s)
    if (.not. ended) call MPI_Finalized(ended, ierr)
    if (.not. ended) then
      do i = 1, s%count
        call MPI_Request_free(s%requests(i), ierr)
      end do
    end if
    deallocate (s)
  end subroutine

  recursive subroutine end_transport(context) bind(c)
    type(c_ptr), value :: context
    type(transport_t), pointer :: transport
    logical :: ended
    integer :: ierr
    call c_f_pointer(context, transport)
    call MPI_Finalized(ended, ierr)
    if (.not. ended) then
      call MPI_Type_free(transport%sixteen, ierr)
      call MPI_Comm_free(transport%comm, ierr)
    end if
    deallocate (transport)
  end subroutine
end module portable_mpi_halo_mod

!> Short names: use portable_halo_mod, only: fields, halo, fields_add, halo_box, halo_begin, halo_end, ... Since 0.1.
module portable_halo_mod
  use portable_fields_mod, only: fields => portable_fields, halo => portable_halo, fields_add => portable_fields_add, &
    fields_destroy => portable_fields_destroy, halo_begin => portable_halo_begin, halo_end => portable_halo_end, &
    halo_add => portable_halo_add, halo_cancel => portable_halo_cancel, halo_own => portable_halo_own, &
    halo_split => portable_halo_split, halo_destroy => portable_halo_destroy
  use portable_mpi_halo_mod, only: halo_box => portable_mpi_halo_box, halo_lists => portable_mpi_halo_lists, &
    particles_migrate => portable_mpi_particles_migrate, particles_ghosts => portable_mpi_particles_ghosts
  implicit none
  public
end module portable_halo_mod
