!> portable_mpi.F90 - what a program with MPI would have to write by hand: the timers of all ranks in one report. A module for the
!> program to compile with its MPI (portable-config --fmpi names the file); its twin in C is portable_mpi.h. The library itself
!> knows nothing of MPI. Not in this file: timers (portable_mod).
!>
!> It uses the module mpi_f08. Where MPI has none of your compiler, -DPORTABLE_MPI_OLD takes mpif.h, and only communicators that are
!> integers.
module portable_mpi_mod
  use, intrinsic :: iso_c_binding
  use gator_mod, only: gator_internal_finish, gator_internal_fail
#ifndef PORTABLE_MPI_OLD
  use mpi_f08
#endif
  implicit none
  private
  public :: portable_mpi_timer_print
#ifdef PORTABLE_MPI_OLD
  include 'mpif.h'
#define COMMUNICATOR integer
#else
#define COMMUNICATOR type(MPI_Comm)
#endif

  !> portable_mpi_timer_print(comm): gathers the timers of the ranks of a communicator (type(MPI_Comm) or its integer) and prints
  !> them, merged, on its rank 0: for each label its ranks, calls, and the least, the mean and the largest time of a rank. Collective:
  !> all ranks call it, between MPI_Init and MPI_Finalize, while the library runs. Where timers are off on all ranks nothing is
  !> printed. Optional: file (there instead of standard error, as JSON where its name ends in .json; counts on rank 0), stat, errmsg:
  !> the same stat on all ranks. Errors: gator_err_arg (the file cannot be written), _nomem, _state (a rank where the library
  !> does not run). Since 0.1.
  interface portable_mpi_timer_print
    module procedure print_ranks
#ifndef PORTABLE_MPI_OLD
    module procedure print_ranks_integer
#endif
  end interface

  interface
    function c_timers_pack(buffer, bytes, needed) result(status) bind(c, name='portable_timers_pack')
      import :: c_int32_t, c_size_t, c_ptr
      type(c_ptr), value :: buffer
      integer(c_size_t), value :: bytes
      integer(c_size_t), intent(out) :: needed
      integer(c_int32_t) :: status
    end function

    function c_timers_enabled() result(which) bind(c, name='portable_timers_enabled')
      import :: c_int32_t
      integer(c_int32_t) :: which
    end function

    function c_merged_print(packs, bytes, path) result(status) bind(c, name='portable_timers_merged_print')
      import :: c_int32_t, c_size_t, c_ptr, c_char
      character(kind=c_char), intent(in) :: packs(*)
      integer(c_size_t), value :: bytes
      type(c_ptr), value :: path
      integer(c_int32_t) :: status
    end function
  end interface

contains

#ifndef PORTABLE_MPI_OLD
  recursive subroutine print_ranks_integer(comm, file, stat, errmsg)
    integer, intent(in) :: comm
    character(*), optional, intent(in) :: file
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(MPI_Comm) :: typed
    typed%MPI_VAL = comm
    call print_ranks(typed, file, stat, errmsg)
  end subroutine
#endif

  recursive subroutine print_ranks(comm, file, stat, errmsg)
    COMMUNICATOR, intent(in) :: comm
    character(*), optional, intent(in) :: file
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    character(kind=c_char), allocatable, target :: pack(:), packs(:), path(:)
    integer, allocatable :: sizes(:), places(:)
    integer(c_size_t) :: needed
    integer(c_int32_t) :: status
    integer :: rank, ranks, mine, on(2), all_on(2), ierr, i
    type(c_ptr) :: address
    call MPI_Comm_rank(comm, rank, ierr)
    call MPI_Comm_size(comm, ranks, ierr)
    mine = 0
    status = c_timers_pack(c_null_ptr, 0_c_size_t, needed)
    allocate (pack(needed + 4096_c_size_t)) ! another thread may have more labels by now
    if (status == 0_c_int32_t) status = c_timers_pack(c_loc(pack), size(pack, kind=c_size_t), needed)
    if (status == 0_c_int32_t) mine = int(needed)
    on = [-int(status), int(c_timers_enabled())]
    call MPI_Allreduce(on, all_on, 2, MPI_INTEGER, MPI_MAX, comm, ierr)
    if (all_on(1) == 0 .and. all_on(2) > 0) then
      allocate (sizes(ranks), places(ranks))
      call MPI_Allgather(mine, 1, MPI_INTEGER, sizes, 1, MPI_INTEGER, comm, ierr)
      places(1) = 0
      do i = 2, ranks
        places(i) = places(i-1) + sizes(i-1)
      end do
      allocate (packs(merge(places(ranks) + sizes(ranks), 1, rank == 0)))
      call MPI_Gatherv(pack, mine, MPI_CHARACTER, packs, sizes, places, MPI_CHARACTER, 0, comm, ierr)
      if (rank == 0) then
        address = c_null_ptr
        if (present(file)) then
          allocate (path(len_trim(file) + 1))
          do i = 1, len_trim(file)
            path(i) = file(i:i)
          end do
          path(size(path)) = c_null_char
          if (size(path) > 1) address = c_loc(path)
        end if
        status = c_merged_print(packs, size(packs, kind=c_size_t), address)
      end if
      on(1) = -int(status)
      call MPI_Bcast(on, 1, MPI_INTEGER, 0, comm, ierr)
      all_on(1) = on(1)
    end if
    if (all_on(1) /= 0 .and. status == 0_c_int32_t) then
      call gator_internal_fail(all_on(1), 'portable_mpi_timer_print: it failed on another rank', stat, errmsg)
    else
      call gator_internal_finish(-int(all_on(1), c_int32_t), 'portable_mpi_timer_print', stat, errmsg)
    end if
  end subroutine
end module
