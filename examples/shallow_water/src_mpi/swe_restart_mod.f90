!> The restart file: what a run needs to go on, bit for bit, on any number of ranks. All ranks write and read it
!> together, each its patch.
!>
!> Six 64-bit numbers: the mark, nx, ny, steps done (integers), time [s] and mass at the start [m3] (reals); then h,
!> hu and hv of the whole domain without ghost cells, x fastest, as 64-bit reals. In the byte order of the machine,
!> which the mark tells. Nothing in it depends on the ranks that wrote it. A new file replaces an older one when it is
!> complete, so that a run that dies while it writes loses nothing.
module swe_restart_mod
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_allocate, gator_deallocate
  use swe_kinds_mod, only: wp, ng
  use swe_domain_mod, only: domain_say, grid, rank, patch_nx, patch_ny, i0, j0
  implicit none
  private
  public :: write_restart, read_restart

  integer(int64), parameter :: mark = int(z'315F545352455753', int64) !! the letters SWERST_1
  integer, parameter :: header_words = 6, word = 8 ! bytes

  interface
    integer(c_int) function c_rename(from, to) bind(c, name='rename')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: from(*), to(*)
    end function c_rename
  end interface

contains

  !> error_text is empty on success; the same on all ranks.
  subroutine write_restart(file, nx, ny, steps, time, mass_start, h, hu, hv, error_text)
    character(len=*), intent(in) :: file
    integer, intent(in) :: nx, ny, steps
    real(wp), intent(in) :: time, mass_start
    real(wp), intent(in), dimension(1-ng:patch_nx+ng, 1-ng:patch_ny+ng) :: h, hu, hv
    character(len=:), allocatable, intent(out) :: error_text
    type(MPI_File) :: unit
    integer(int64) :: header(header_words)
    integer :: status

    call try('write', file//'.new', error_text)
    if (len(error_text) > 0) return
    call MPI_File_open(grid, file//'.new', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, unit, status)
    call agree('cannot write '//file//'.new', status, error_text)
    if (len(error_text) > 0) return
    header = [mark, int(nx, int64), int(ny, int64), int(steps, int64), transfer(time, mark), transfer(mass_start, mark)]
    if (rank == 0) call MPI_File_write_at(unit, 0_MPI_OFFSET_KIND, header, header_words, MPI_INTEGER8, MPI_STATUS_IGNORE, status)
    call set_view(unit, nx, ny)
    call write_field(unit, h, status)
    call write_field(unit, hu, status)
    call write_field(unit, hv, status)
    call agree('cannot write '//file//'.new', status, error_text)
    call MPI_File_close(unit, status)
    if (len(error_text) == 0) call agree('cannot write '//file//'.new', status, error_text)
    if (len(error_text) > 0) return
    status = MPI_SUCCESS
    if (rank == 0) then
      if (c_rename(file//'.new'//c_null_char, file//c_null_char) /= 0) status = MPI_ERR_FILE
    end if
    call agree('cannot rename '//file//'.new to '//file, status, error_text)
  end subroutine write_restart

  !> The ghost cells become 0. error_text is empty on success; the same on all ranks.
  subroutine read_restart(file, nx, ny, steps, time, mass_start, h, hu, hv, error_text)
    character(len=*), intent(in) :: file
    integer, intent(in) :: nx, ny
    integer, intent(out) :: steps
    real(wp), intent(out) :: time, mass_start
    real(wp), intent(out), dimension(1-ng:patch_nx+ng, 1-ng:patch_ny+ng) :: h, hu, hv
    character(len=:), allocatable, intent(out) :: error_text
    type(MPI_File) :: unit
    integer(int64) :: header(header_words)
    integer(MPI_OFFSET_KIND) :: bytes
    character(len=80) :: sizes
    integer :: status

    h = 0
    hu = 0
    hv = 0
    steps = 0
    time = 0
    mass_start = 0
    call try('read', file, error_text)
    if (len(error_text) > 0) return
    call MPI_File_open(grid, file, MPI_MODE_RDONLY, MPI_INFO_NULL, unit, status)
    call agree('cannot read '//file, status, error_text)
    if (len(error_text) > 0) return
    header = 0
    call MPI_File_get_size(unit, bytes, status)
    if (bytes >= header_words*word) &
      call MPI_File_read_at_all(unit, 0_MPI_OFFSET_KIND, header, header_words, MPI_INTEGER8, MPI_STATUS_IGNORE, status)
    call agree('cannot read '//file, status, error_text)
    if (len(error_text) == 0 .and. header(1) /= mark) error_text = file//' is no restart file of this machine'
    if (len(error_text) == 0 .and. any(header(2:3) /= [nx, ny])) then
      write (sizes, '(2(i0, a, i0, a))') header(2), ' x ', header(3), ' cells, the case ', nx, ' x ', ny, ''
      error_text = file//' has '//trim(sizes)
    end if
    if (len(error_text) == 0 .and. bytes /= word*(header_words + 3_MPI_OFFSET_KIND*nx*ny)) &
      error_text = file//' is not complete'
    if (len(error_text) == 0) then
      steps = int(header(4))
      time = transfer(header(5), time)
      mass_start = transfer(header(6), mass_start)
      call set_view(unit, nx, ny)
      call read_field(unit, h, status)
      call read_field(unit, hu, status)
      call read_field(unit, hv, status)
      call agree('cannot read '//file, status, error_text)
    end if
    call MPI_File_close(unit)
  end subroutine read_restart

  !> Whether rank 0 can open the file at all, which is where most goes wrong; MPICH 4.0 may crash where an MPI_File_open fails.
  !> A file to be written becomes empty.
  subroutine try(action, file, error_text)
    character(len=*), intent(in) :: action, file
    character(len=:), allocatable, intent(out) :: error_text
    character(len=256) :: message
    integer :: unit, status

    error_text = ''
    message = ''
    if (rank == 0) then
      open (newunit=unit, file=file, access='stream', form='unformatted', action=action, iostat=status, iomsg=message, &
        status=merge('replace', 'old    ', action == 'write'))
      if (status == 0) close (unit)
      if (status /= 0) error_text = 'cannot '//action//' '//file//': '//trim(message)
    end if
    call domain_say(error_text)
  end subroutine try

  !> The view of this rank on the file: field after field, its patch of each.
  subroutine set_view(unit, nx, ny)
    type(MPI_File), intent(in) :: unit
    integer, intent(in) :: nx, ny
    type(MPI_Datatype) :: patch

    call MPI_Type_create_subarray(2, [nx, ny], [patch_nx, patch_ny], [i0, j0], MPI_ORDER_FORTRAN, &
      MPI_DOUBLE_PRECISION, patch)
    call MPI_Type_commit(patch)
    call MPI_File_set_view(unit, int(header_words*word, MPI_OFFSET_KIND), MPI_DOUBLE_PRECISION, patch, 'native', MPI_INFO_NULL)
    call MPI_Type_free(patch)
  end subroutine set_view

  !> A failure of an earlier field stays in status.
  subroutine write_field(unit, q, status)
    type(MPI_File), intent(in) :: unit
    real(wp), intent(in) :: q(1-ng:patch_nx+ng, 1-ng:patch_ny+ng)
    integer, intent(inout) :: status
    real(wp), pointer :: patch(:, :)
    integer :: now

    nullify (patch)
    call gator_allocate(patch, [patch_nx, patch_ny], label='patch')
    patch = q(1:patch_nx, 1:patch_ny)
    call MPI_File_write_all(unit, patch, size(patch), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, now)
    call gator_deallocate(patch)
    if (status == MPI_SUCCESS) status = now
  end subroutine write_field

  subroutine read_field(unit, q, status)
    type(MPI_File), intent(in) :: unit
    real(wp), intent(inout) :: q(1-ng:patch_nx+ng, 1-ng:patch_ny+ng)
    integer, intent(inout) :: status
    real(wp), pointer :: patch(:, :)
    integer :: now

    nullify (patch)
    call gator_allocate(patch, [patch_nx, patch_ny], label='patch')
    call MPI_File_read_all(unit, patch, size(patch), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, now)
    q(1:patch_nx, 1:patch_ny) = patch
    call gator_deallocate(patch)
    if (status == MPI_SUCCESS) status = now
  end subroutine read_field

  !> All ranks give up when one has to, with the text of the first that failed.
  subroutine agree(what, status, error_text)
    character(len=*), intent(in) :: what
    integer, intent(in) :: status
    character(len=:), allocatable, intent(out) :: error_text
    character(len=MPI_MAX_ERROR_STRING) :: reason
    integer :: length, first, ranks

    call MPI_Comm_size(grid, ranks)
    call MPI_Allreduce(merge(rank, ranks, status /= MPI_SUCCESS), first, 1, MPI_INTEGER, MPI_MIN, grid)
    error_text = ''
    if (first == ranks) return
    reason = ''
    if (rank == first) call MPI_Error_string(status, reason, length)
    call MPI_Bcast(reason, len(reason), MPI_CHARACTER, first, grid)
    error_text = what//': '//trim(reason)
  end subroutine agree
end module swe_restart_mod
