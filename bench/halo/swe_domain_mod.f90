!> The domain of the peer swe_halo_mod: two ranks in a periodic grid, and their neighbours.
module swe_domain_mod
  use mpi_f08
  implicit none
  type(MPI_Comm) :: grid
  integer :: rank = 0, west, east, south, north
contains
  subroutine domain_create()
    integer :: ranks, dims(2)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    dims = 0
    call MPI_Dims_create(ranks, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .false., grid)
    call MPI_Comm_rank(grid, rank)
    call MPI_Cart_shift(grid, 0, 1, west, east)
    call MPI_Cart_shift(grid, 1, 1, south, north)
  end subroutine
end module
