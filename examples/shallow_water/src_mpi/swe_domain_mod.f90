!> Which part of the domain this rank has: a block of cells in a grid of ranks. Also what needs all ranks: the
!> least of a number, a field put together, a text told to all. The library's halo has the ghost cells (swe_exchange.f90 uses it).
module swe_domain_mod
  use mpi_f08
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_halo_mod, only: halo, halo_box, halo_own, halo_destroy
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: domain_create, domain_destroy, domain_least, domain_gather, domain_say

  type(MPI_Comm), public, protected :: grid             !! the ranks, in their grid
  type(halo), public, protected :: ghosts               !! ghost cells that other ranks own
  integer, public, protected :: rank = 0, ranks = 1
  integer, public, protected :: ranks_x = 1, ranks_y = 1 !! the grid of ranks
  integer, public, protected :: patch_nx = 0, patch_ny = 0 !! cells of this rank
  integer, public, protected :: i0 = 0, j0 = 0          !! cells of the domain before the first one of this rank

contains

  !> Shares nx times ny cells. all_good is false, on all ranks, where a rank would have fewer than ng cells. Corners are not exchanged,
  !> because the scheme never looks across one.
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
    all_good = nx/ranks_x >= ng .and. ny/ranks_y >= ng
    call halo_box(ghosts, grid, [nx, ny], ng, faces=.true., label='halo', stat=status)
    all_good = all_good .and. status == 0
    if (.not. all_good) return
    call halo_own(ghosts, first, last)
    i0 = first(1) - 1
    j0 = first(2) - 1
    patch_nx = last(1) - i0
    patch_ny = last(2) - j0
  end subroutine domain_create

  !> Before MPI ends.
  subroutine domain_destroy()
    call halo_destroy(ghosts)
  end subroutine domain_destroy

  !> The part of so many cells that is number part's, from 0 on: how many come before it, and its own.
  pure subroutine share(cells, parts, part, before, own)
    integer, intent(in) :: cells, parts, part
    integer, intent(out) :: before, own

    before = part*(cells/parts) + min(part, modulo(cells, parts))
    own = cells/parts + merge(1, 0, part < modulo(cells, parts))
  end subroutine share

  !> The least of the x of all ranks: exact, so it does not depend on the number of ranks.
  function domain_least(x) result(least)
    real(wp), intent(in) :: x
    real(wp) :: least

    call MPI_Allreduce(x, least, 1, MPI_DOUBLE_PRECISION, MPI_MIN, grid)
  end function domain_least

  !> Rank 0's text, on all ranks.
  subroutine domain_say(text)
    character(len=:), allocatable, intent(inout) :: text
    integer :: length

    length = len(text)
    call MPI_Bcast(length, 1, MPI_INTEGER, 0, grid)
    if (rank /= 0) text = repeat(' ', length)
    if (length > 0) call MPI_Bcast(text, length, MPI_CHARACTER, 0, grid)
  end subroutine domain_say

  !> The whole field on rank 0, from the patches of all ranks. Elsewhere `whole` is not touched.
  subroutine domain_gather(q, nx, ny, whole)
    real(wp), intent(in) :: q(1-ng:patch_nx+ng, 1-ng:patch_ny+ng)
    integer, intent(in) :: nx, ny
    real(wp), pointer, intent(in) :: whole(:, :)
    real(wp), pointer :: patch(:, :)
    integer :: r, coords(2), i, j, nx_r, ny_r

    nullify (patch)
    if (rank /= 0) then
      call gator_allocate(patch, [patch_nx, patch_ny], label='patch')
      patch = q(1:patch_nx, 1:patch_ny)
      call send_patch(size(patch), patch)
      call gator_deallocate(patch)
      return
    end if
    whole(1:patch_nx, 1:patch_ny) = q(1:patch_nx, 1:patch_ny)
    do r = 1, ranks - 1
      call MPI_Cart_coords(grid, r, 2, coords)
      call share(nx, ranks_x, coords(1), i, nx_r)
      call share(ny, ranks_y, coords(2), j, ny_r)
      call gator_allocate(patch, [nx_r, ny_r], label='patch')
      call receive_patch(size(patch), patch, r)
      whole(i+1:i+nx_r, j+1:j+ny_r) = patch
      call gator_deallocate(patch)
    end do
  end subroutine domain_gather

  ! Dummies of explicit shape: what MPI gets is contiguous, and the compiler knows it.

  subroutine send_patch(n, patch)
    integer, intent(in) :: n
    real(wp), intent(in) :: patch(n)
    call MPI_Send(patch, n, MPI_DOUBLE_PRECISION, 0, 0, grid)
  end subroutine send_patch

  subroutine receive_patch(n, patch, from)
    integer, intent(in) :: n, from
    real(wp), intent(out) :: patch(n)
    call MPI_Recv(patch, n, MPI_DOUBLE_PRECISION, from, 0, grid, MPI_STATUS_IGNORE)
  end subroutine receive_patch
end module swe_domain_mod
