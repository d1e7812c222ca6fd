!> Restart files on the ranks of mpirun, in MB/s: the library's restart_write, and raw MPI-IO that writes the same bytes: one collective write of
!> each field's own cells through a subarray view, MPI_File_sync, and a rename as the library does. bench_restart FOLDER [CELLS [REPEATS]]: fields of CELLS x
!> CELLS on each rank. Prints the best of REPEATS files of each, taken in turn, on rank 0. Not in this file: exchanges (halo.f90).
program bench_restart
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_init, gator_finalize
  use portable_halo_mod
  use portable_restart_mod
  implicit none
  integer, parameter :: count = 4, w = 2
  type :: field
    real(real64), allocatable :: a(:,:)
  end type
  type(field), target :: f(count)
  type(halo) :: ghosts
  type(fields) :: state
  type(MPI_Comm) :: grid
  type(MPI_Datatype) :: own, patch
  character(300) :: folder, text
  integer :: n, repeats, k, rank, ranks, dims(2), first(2), last(2)
  real(real64) :: library, raw, megabytes, reads
  interface
    integer(c_int) function c_rename(from, to) bind(c, name='rename')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: from(*), to(*)
    end function
  end interface
  n = 2048
  repeats = 5
  call get_command_argument(1, folder)
  call get_command_argument(2, text)
  if (text /= '') read (text, *) n
  call get_command_argument(3, text)
  if (text /= '') read (text, *) repeats
  call MPI_Init()
  call gator_init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .false., grid)
  call MPI_Comm_rank(grid, rank)
  call halo_box(ghosts, grid, n*dims, w)
  call halo_own(ghosts, first, last)
  do k = 1, count
    allocate (f(k)%a(1-w:n+w, 1-w:n+w))
    call random_number(f(k)%a)
    write (text, '(a, i0)') 'f', k
    call fields_add(state, trim(text), f(k)%a)
  end do
  call MPI_Type_create_subarray(2, n*dims, [n, n], first - 1, MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, patch)
  call MPI_Type_create_subarray(2, [n, n] + 2*w, [n, n], [w, w], MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, own)
  call MPI_Type_commit(patch)
  call MPI_Type_commit(own)
  megabytes = 8d-6*count*n*n*ranks
  library = huge(library)
  raw = huge(raw)
  reads = huge(reads)
  do k = 1, repeats
    raw = min(raw, seconds(1))
    library = min(library, seconds(2))
    reads = min(reads, seconds(3))
  end do
  if (rank == 0) print '(f8.1, a, 3(a, f8.1), a, f5.2)', megabytes, ' MB', ': library ', megabytes/library, ' MB/s, raw MPI-IO ', &
    megabytes/raw, ' MB/s, library reads ', megabytes/reads, ' MB/s; library / raw', raw/library
  call fields_destroy(state)
  call halo_destroy(ghosts)
  call gator_finalize()
  call MPI_Finalize()

contains

  !> One file, until the slowest rank has ended.
  function seconds(which) result(least)
    integer, intent(in) :: which
    real(real64) :: least
    call MPI_Barrier(grid)
    least = MPI_Wtime()
    select case (which)
    case (1)
      call write_raw(trim(folder)//'/raw.bin')
    case (2)
      call restart_write(grid, trim(folder)//'/library.h5', state, ghosts, time=0d0)
    case default
      call restart_read(grid, trim(folder)//'/library.h5', state, ghosts)
    end select
    least = MPI_Wtime() - least
    call MPI_Allreduce(MPI_IN_PLACE, least, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
  end function

  subroutine write_raw(file)
    character(*), intent(in) :: file
    type(MPI_File) :: unit
    integer :: i
    call MPI_File_open(grid, file//'.new', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, unit)
    call MPI_File_set_size(unit, 0_MPI_OFFSET_KIND)
    call MPI_File_set_view(unit, 0_MPI_OFFSET_KIND, MPI_DOUBLE_PRECISION, patch, 'native', MPI_INFO_NULL)
    do i = 1, count
      call MPI_File_write_all(unit, f(i)%a, 1, own, MPI_STATUS_IGNORE)
    end do
    call MPI_File_sync(unit)
    call MPI_File_close(unit)
    if (rank == 0) i = c_rename(file//'.new'//c_null_char, file//c_null_char)
    call MPI_Barrier(grid)
  end subroutine
end program
