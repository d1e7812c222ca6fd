!> Which part of the domain this rank has: a block of cells in a grid of ranks, as the library's halo shares them. Also a field put
!> together, and the restart file, which the library writes by HDF5. Not in this file: ghost cells (swe_exchange.f90).
module swe_domain_mod
  use mpi_f08
  use portable_halo_mod, only: fields, fields_add, fields_destroy, halo, halo_box, halo_own
  use portable_restart_mod, only: restart_write, restart_read
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: domain_create, domain_gather, restart

  type(MPI_Comm), public, protected :: grid             !! the ranks, in their grid
  type(halo), public :: ghosts                          !! ghost cells that other ranks own; the main program ends it
  integer, public, protected :: rank = 0, ranks = 1, ranks_x = 1, ranks_y = 1
  integer, public, protected :: patch_nx = 0, patch_ny = 0 !! cells of this rank
  integer, public, protected :: i0 = 0, j0 = 0          !! cells of the domain before the first one of this rank

contains

  !> Shares nx times ny cells. all_good is false, on all ranks, where a rank would have fewer than ng cells. Corners are not exchanged.
  subroutine domain_create(nx, ny, all_good)
    integer, intent(in) :: nx, ny
    logical, intent(out) :: all_good
    integer :: dims(2), first(2), last(2), status

    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims)
    if (nx < ny) dims = dims([2, 1]) ! MPI puts the larger number first
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .false., grid)
    call MPI_Comm_rank(grid, rank)
    ranks_x = dims(1)
    ranks_y = dims(2)
    call halo_box(ghosts, grid, [nx, ny], ng, faces=.true., label='halo', stat=status)
    all_good = nx/ranks_x >= ng .and. ny/ranks_y >= ng .and. status == 0
    if (.not. all_good) return
    call halo_own(ghosts, first, last)
    i0 = first(1) - 1
    j0 = first(2) - 1
    patch_nx = last(1) - i0
    patch_ny = last(2) - j0
  end subroutine domain_create

  !> The whole field on rank 0, from the patches of all ranks. Elsewhere `whole` is not touched.
  subroutine domain_gather(q, whole)
    real(wp), intent(in) :: q(1-ng:patch_nx+ng, 1-ng:patch_ny+ng)
    real(wp), pointer, intent(in) :: whole(:, :)
    real(wp), allocatable :: patch(:, :)
    integer :: r, at(4)

    do r = 0, ranks - 1
      at = [i0, j0, patch_nx, patch_ny]
      call MPI_Bcast(at, 4, MPI_INTEGER, r, grid)
      if (rank /= 0 .and. rank /= r) cycle
      allocate (patch(at(3), at(4)))
      if (rank == r) patch = q(1:patch_nx, 1:patch_ny)
      if (rank /= 0) call MPI_Send(patch, size(patch), MPI_DOUBLE_PRECISION, 0, 0, grid)
      if (rank /= r) call MPI_Recv(patch, size(patch), MPI_DOUBLE_PRECISION, r, 0, grid, MPI_STATUS_IGNORE)
      if (rank == 0) whole(at(1)+1:at(1)+at(3), at(2)+1:at(2)+at(4)) = patch
      deallocate (patch)
    end do
  end subroutine domain_gather

  !> Writes the restart file, or reads it: what a run needs to go on, bit for bit, on any number of ranks. error_text is empty on success, and the same on all ranks.
  subroutine restart(file, writes, steps, time, mass_start, h, hu, hv, error_text)
    character(len=*), intent(in) :: file
    logical, intent(in) :: writes
    integer, intent(inout) :: steps
    real(wp), intent(inout) :: time, mass_start
    real(wp), target, intent(inout), dimension(1-ng:patch_nx+ng, 1-ng:patch_ny+ng) :: h, hu, hv
    character(len=:), allocatable, intent(out) :: error_text
    type(fields) :: state
    real(wp) :: mass(1)
    character(len=500) :: text
    integer :: status

    call fields_add(state, 'h', h)
    call fields_add(state, 'hu', hu)
    call fields_add(state, 'hv', hv)
    mass = mass_start
    text = ''
    if (writes) then
      call restart_write(grid, file, state, ghosts, time, steps, mass, status, text)
    else
      call restart_read(grid, file, state, ghosts, time, steps, mass, status, text)
    end if
    call fields_destroy(state)
    mass_start = mass(1)
    error_text = trim(text)
  end subroutine restart
end module swe_domain_mod
