!> portable_hdf5.F90 - restart files of fields on MPI ranks, by parallel HDF5: any number of ranks reads what any other number wrote. A
!> file for the program to compile with its MPI, together with portable_hdf5.c, which is compiled with HDF5 (portable-config --fhdf5
!> and --chdf5 name them; in CMake portable_hdf5(target)). Not in this file: the file format and all rules (portable_hdf5.h).
!>
!> It uses the module mpi_f08. Where MPI has none of your compiler, -DPORTABLE_MPI_OLD takes mpif.h, and only communicators that are
!> integers. Threads: one thread of each rank, which may call MPI.
module portable_hdf5_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod, only: gator_internal_finish, gator_err_arg
  use portable_fields_mod, only: portable_fields, portable_halo, portable_internal_fields_handle, portable_internal_halo_handle
#ifndef PORTABLE_MPI_OLD
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  private
  public :: portable_restart_write, portable_restart_read

  !> portable_restart_write(comm, file, fields, halo [, time, step, values, stat, errmsg]): writes the own cells of all fields, and numbers
  !> that all ranks have: time (real64, 0 if it is not there), step (int32 or int64, 0), values(:) (real64, at most 1000; those of rank 0 are
  !> written). comm: type(MPI_Comm) or its integer, of the ranks of the halo, which is one of halo_box. The new file is FILE.new, is on
  !> disk, and then takes the name of the older one, which is whole until then. Collective; stat and text are the same on all ranks.
  !> Errors: gator_err_arg (a halo of lists, names or extents, fields that differ between ranks, a file that cannot be made),
  !> _state, _handle, _nomem, _device (HDF5 or MPI failed, or the disk, as where it is full). Since 0.1.
  interface portable_restart_write
    module procedure write_integer, write_integer_long
#ifndef PORTABLE_MPI_OLD
    module procedure write_comm, write_comm_long
#endif
  end interface

  !> portable_restart_read(comm, file, fields, halo [, time, step, values, stat, errmsg]): reads own cells and numbers; ghost cells stay as they
  !> are. values has as many numbers as were written. If the file does not fit, no field is touched, and the text names the field and
  !> the difference. Errors: as portable_restart_write; gator_err_arg also for a file without this field, kind, rank or extents, or (when fields were read) a step above an int32,
  !> gator_err_corrupt (the hash of a field). Since 0.1.
  interface portable_restart_read
    module procedure read_integer, read_integer_long
#ifndef PORTABLE_MPI_OLD
    module procedure read_comm, read_comm_long
#endif
  end interface

  ! portable_restart_numbers of portable_hdf5.h.
  type, bind(c) :: numbers_t
    integer(c_int32_t) :: struct_size = 0_c_int32_t, values_count = 0_c_int32_t
    real(c_double) :: time = 0.0_c_double
    integer(c_int64_t) :: step = 0_c_int64_t
    type(c_ptr) :: values = c_null_ptr
  end type

  interface
    function c_write(comm, file, fields, halo, numbers) result(status) bind(c, name='portable_hdf5_fortran_write')
      import :: c_int, c_int32_t, c_int64_t, c_char, numbers_t
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: file(*)
      integer(c_int64_t), value :: fields, halo
      type(numbers_t), intent(in) :: numbers
      integer(c_int32_t) :: status
    end function

    function c_read(comm, file, fields, halo, numbers) result(status) bind(c, name='portable_hdf5_fortran_read')
      import :: c_int, c_int32_t, c_int64_t, c_char, numbers_t
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: file(*)
      integer(c_int64_t), value :: fields, halo
      type(numbers_t), intent(inout) :: numbers
      integer(c_int32_t) :: status
    end function

    function c_fail(status, text) result(same) bind(c, name='portable__restart_fail')
      import :: c_int32_t, c_char
      integer(c_int32_t), value :: status
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int32_t) :: same
    end function
  end interface

contains

  ! For each kind of communicator, and of step.
#define COMM integer
#define NUMBER_OF(comm) comm
#define WRITES write_integer
#define READS read_integer
#define WRITES_LONG write_integer_long
#define READS_LONG read_integer_long
#include "portable_hdf5_calls.inc"
#ifndef PORTABLE_MPI_OLD
#undef COMM
#undef NUMBER_OF
#undef WRITES
#undef READS
#undef WRITES_LONG
#undef READS_LONG
#define COMM type(MPI_Comm)
#define NUMBER_OF(comm) comm%MPI_VAL
#define WRITES write_comm
#define READS read_comm
#define WRITES_LONG write_comm_long
#define READS_LONG read_comm_long
#include "portable_hdf5_calls.inc"
#endif

  recursive subroutine write_any(comm, file, fields, halo, time, step, values, stat, errmsg)
    integer, intent(in) :: comm
    character(*), intent(in) :: file
    type(portable_fields), intent(in) :: fields
    type(portable_halo), intent(in) :: halo
    real(real64), optional, intent(in) :: time, values(:)
    integer(int64), intent(in) :: step
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(numbers_t) :: numbers
    real(real64), allocatable, target :: list(:)
    numbers%struct_size = int(c_sizeof(numbers), c_int32_t)
    if (present(time)) numbers%time = time
    numbers%step = step
    if (present(values)) then
      numbers%values_count = size(values, kind=c_int32_t)
      allocate (list(size(values)), source=values)
      if (size(values) > 0) numbers%values = c_loc(list)
    end if
    call gator_internal_finish(c_write(int(comm, c_int), trim(file)//c_null_char, portable_internal_fields_handle(fields), &
                                       portable_internal_halo_handle(halo), numbers), 'portable_restart_write', stat, errmsg)
  end subroutine

  ! Numbers that were not read become 0. most: the largest step that the program's variable takes.
  recursive subroutine read_any(comm, file, fields, halo, most, time, step, values, stat, errmsg)
    integer, intent(in) :: comm
    character(*), intent(in) :: file
    type(portable_fields), intent(in) :: fields
    type(portable_halo), intent(in) :: halo
    integer(int64), intent(in) :: most
    real(real64), optional, intent(out) :: time, values(:)
    integer(int64), intent(out) :: step
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(numbers_t) :: numbers
    real(real64), allocatable, target :: list(:)
    integer(c_int32_t) :: status
    character(80) :: text
    numbers%struct_size = int(c_sizeof(numbers), c_int32_t)
    if (present(values)) then
      numbers%values_count = size(values, kind=c_int32_t)
      allocate (list(size(values)))
      list = 0
      if (size(values) > 0) numbers%values = c_loc(list)
    end if
    status = c_read(int(comm, c_int), trim(file)//c_null_char, portable_internal_fields_handle(fields), &
                    portable_internal_halo_handle(halo), numbers)
    if (numbers%step > most .or. numbers%step < -most - 1) then ! on all ranks: they have one file
      write (text, '(a, i0, a)') 'the step in the file is ', numbers%step, '; read it into an integer(int64)'
      status = c_fail(int(-gator_err_arg, c_int32_t), "portable_restart_read '"//trim(file)//"': "//trim(text)//c_null_char)
      numbers%step = 0_c_int64_t
    end if
    if (present(time)) time = numbers%time
    step = numbers%step
    if (present(values)) values = list
    call gator_internal_finish(status, 'portable_restart_read', stat, errmsg)
  end subroutine
end module portable_hdf5_mod

!> Short names: use portable_restart_mod, only: restart_write, restart_read. Since 0.1.
module portable_restart_mod
  use portable_hdf5_mod, only: restart_write => portable_restart_write, restart_read => portable_restart_read
  implicit none
  public
end module portable_restart_mod
