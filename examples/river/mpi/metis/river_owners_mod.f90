! river_owners_mod.f90 - the rank that owns each cell, by METIS: few edges lie between two ranks.
! Every rank has the whole mesh, and METIS gives all of them the same parts. METIS must have
! integers of 32 bits (IDXTYPEWIDTH), as Debian's has; another is an error. Not in this file:
! strips (../strips).
module river_owners_mod
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_null_ptr, c_ptr
  use mpi_f08
  use river_mesh_mod, only: mesh_t
  implicit none
  private
  public :: owners

  interface
    ! A null pointer stands for the choice of METIS. It counts from 0.
    integer(c_int) function part_graph(vertices, constraints, row, col, weight, size, edge_weight, parts, share, imbalance, &
                                       options, cut, part) bind(C, name='METIS_PartGraphKway')
      import :: c_int, c_int32_t, c_ptr
      integer(c_int32_t), intent(in) :: vertices, constraints, row(*), col(*), parts
      type(c_ptr), value :: weight, size, edge_weight, share, imbalance, options
      integer(c_int32_t), intent(out) :: cut, part(*)
    end function
    ! All options become -1.
    integer(c_int) function set_default_options(options) bind(C, name='METIS_SetDefaultOptions')
      import :: c_int, c_int32_t
      integer(c_int32_t), intent(inout) :: options(*)
    end function
  end interface

contains

  subroutine owners(whole, owner)
    type(mesh_t), intent(in) :: whole
    integer, allocatable, intent(out) :: owner(:)
    integer(c_int32_t), allocatable :: row(:), col(:), part(:)
    integer(c_int32_t) :: cut
    integer(c_int), parameter :: good = 1
    integer, parameter :: all_options = 40              ! METIS_NOPTIONS
    integer(c_int32_t) :: options(2*all_options)
    integer :: ranks, c, k, n, other
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (owner(whole%cells), source=0)
    if (ranks == 1) return                              ! METIS 5.1 divides by the logarithm of the number of parts
    options = 0
    if (set_default_options(options) /= good) error stop 'METIS has no options'
    if (options(all_options + 1) /= 0) error stop 'This METIS has integers of 64 bits (IDXTYPEWIDTH). Link one with 32.'
    allocate (row(whole%cells + 1), part(whole%cells), source=0_c_int32_t)
    allocate (col(2*whole%edges))
    n = 0
    do c = 1, whole%cells
      do k = whole%edges_of%row(c), whole%edges_of%row(c + 1) - 1
        other = sum(whole%cell_of_edge(:, whole%edges_of%col(k))) - c ! 0: a wall
        if (other == 0) cycle
        n = n + 1
        col(n) = int(other - 1, c_int32_t)
      end do
      row(c + 1) = int(n, c_int32_t)
    end do
    if (part_graph(int(whole%cells, c_int32_t), 1_c_int32_t, row, col, c_null_ptr, c_null_ptr, c_null_ptr, int(ranks, c_int32_t), &
                   c_null_ptr, c_null_ptr, c_null_ptr, cut, part) /= good) error stop 'METIS refused the mesh'
    owner = part
    if (any(owner < 0 .or. owner >= ranks)) error stop 'METIS gave a part that is no rank'
  end subroutine

end module river_owners_mod
