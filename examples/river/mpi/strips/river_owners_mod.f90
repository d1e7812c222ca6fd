! river_owners_mod.f90 - the rank that owns each cell: strips across x, of equal numbers of cells.
! All ranks call it with the whole mesh. Not in this file: METIS (../metis).
module river_owners_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use portable_mod, only: sort_index
  use river_mesh_mod, only: mesh_t
  implicit none
  private
  public :: owners

contains

  subroutine owners(whole, owner)
    type(mesh_t), intent(in) :: whole
    integer, allocatable, intent(out) :: owner(:)
    integer, allocatable :: order(:)
    integer :: ranks, k
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (owner(whole%cells), order(whole%cells))
    call sort_index(whole%cx, order, label='strips')
    do k = 1, whole%cells
      owner(order(k)) = int((k - 1)*real(ranks, real64)/whole%cells)
    end do
  end subroutine

end module river_owners_mod
