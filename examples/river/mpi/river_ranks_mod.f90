! river_ranks_mod.f90 - the river on MPI ranks: the part of the mesh that a rank has, ghost cells by
! halo_lists, the least number of all ranks, and the water put together on rank 0. Each rank makes
! the whole mesh first. Calls are collective, but for part_free. Not in this file: the scheme; which
! rank owns a cell (strips, metis).
module river_ranks_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use portable_halo_mod, only: fields, fields_add, fields_destroy, halo, halo_lists, halo_begin, halo_end, halo_destroy
  use portable_mesh_mod, only: portable_csr_build
  use river_mesh_mod, only: mesh_t, mesh_free
  implicit none
  private
  public :: part_make, part_free, refresh, least, gather

  type(halo) :: ghosts
  type(fields) :: state(2) ! of the two sets of arrays that a step exchanges
  real(real64), pointer, contiguous :: depth(:) => null() ! of the first set

contains

  ! The part of a rank: own cells, then ghost cells, which share an edge with them, by rank; edges of own cells. Own cells and edges are in
  ! the order of the whole mesh, so each sum over the edges of a cell has the order that it has in one process.
  subroutine part_make(m, whole, owner)
    type(mesh_t), intent(inout) :: m
    type(mesh_t), intent(in) :: whole
    integer, intent(in) :: owner(:)
    integer, allocatable :: own(:), ghost(:), edge(:), to(:), neighbour(:), send(:), send_row(:), recv(:), recv_row(:)
    integer :: rank, ranks, r, c, n
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    own = pack([(c, c=1, whole%cells)], owner == rank)
    allocate (to(whole%cells), source=0)
    to(own) = [(c, c=1, size(own))]
    allocate (ghost(0), neighbour(0), send(0), recv(0), send_row(1), recv_row(1), source=1)
    do r = 0, ranks - 1
      if (r == rank) cycle
      n = size(ghost)
      ghost = [ghost, border(r, rank)]
      if (size(ghost) == n) cycle
      neighbour = [neighbour, r]
      send = [send, to(border(rank, r))]
      send_row = [send_row, size(send) + 1]
      recv_row = [recv_row, size(ghost) + 1]
    end do
    recv = size(own) + [(c, c=1, size(ghost))]
    to(ghost) = recv
    call halo_lists(ghosts, MPI_COMM_WORLD, neighbour, send_row, send, recv_row, recv, label='cells of other ranks')

    m%own = size(own)
    m%cells = size(own) + size(ghost)
    m%shared = .true.
    m%number = [own, ghost]
    m%node_of_cell = whole%node_of_cell(:, m%number)
    m%x = whole%x
    m%y = whole%y
    m%area = whole%area(m%number)
    m%cx = whole%cx(m%number)
    m%cy = whole%cy(m%number)
    edge = pack([(c, c=1, whole%edges)], has(whole%cell_of_edge(1, :), rank) .or. has(whole%cell_of_edge(2, :), rank))
    m%edges = size(edge)
    m%nx = whole%nx(edge)
    m%ny = whole%ny(edge)
    m%length = whole%length(edge)
    allocate (m%cell_of_edge(2, m%edges), source=0)
    do n = 1, m%edges
      do c = 1, 2
        if (whole%cell_of_edge(c, edge(n)) > 0) m%cell_of_edge(c, n) = to(whole%cell_of_edge(c, edge(n)))
      end do
    end do
    call portable_csr_build(m%edges_of, row_of=merge(m%cell_of_edge, 0, m%cell_of_edge <= m%own), n=m%own, &
      label='edges of own cells')
  contains

    ! Whether a rank owns a cell.
    elemental logical function has(cell, r)
      integer, intent(in) :: cell, r
      has = .false.
      if (cell > 0) has = owner(cell) == r
    end function

    ! Cells of rank a that share an edge with those of rank b, ascending: the sender and the receiver have one order.
    function border(a, b) result(list)
      integer, intent(in) :: a, b
      integer, allocatable :: list(:)
      logical :: there(whole%cells)
      integer :: e, k
      there = .false.
      do e = 1, whole%edges
        associate (l => whole%cell_of_edge(1, e), r => whole%cell_of_edge(2, e))
          if (has(l, a) .and. has(r, b)) there(l) = .true.
          if (has(r, a) .and. has(l, b)) there(r) = .true.
        end associate
      end do
      list = pack([(k, k=1, whole%cells)], there)
    end function
  end subroutine

  subroutine part_free(m)
    type(mesh_t), intent(inout) :: m
    call fields_destroy(state(1))
    call fields_destroy(state(2))
    nullify (depth)
    call halo_destroy(ghosts)
    call mesh_free(m)
  end subroutine

  ! Ghost cells as their owners have them. A list of fields has fixed arrays, and a step exchanges two sets of them: so there are two lists.
  subroutine refresh(m, h, hu, hv)
    type(mesh_t), intent(in) :: m
    real(real64), pointer, contiguous, intent(in) :: h(:), hu(:), hv(:)
    logical, save :: made(2) = .false.
    integer :: k
    if (.not. m%shared) return
    if (.not. associated(depth)) then
      depth => h
      made = .false.
    end if
    k = merge(1, 2, associated(depth, h))
    if (.not. made(k)) then
      call fields_add(state(k), 'depth', h)
      call fields_add(state(k), 'momentum in x', hu)
      call fields_add(state(k), 'momentum in y', hv)
      made(k) = .true.
    end if
    call halo_begin(ghosts, state(k))
    call halo_end(ghosts, state(k))
  end subroutine

  ! The least of a number of all ranks: the same bits for any number of them.
  function least(m, mine) result(all)
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: mine
    real(real64) :: all
    all = mine
    if (m%shared) call MPI_Allreduce(mine, all, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD)
  end function

  ! Own cells of all ranks, put together on rank 0 in the order of the whole mesh; other ranks leave `all` as it is.
  subroutine gather(m, mine, all)
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: mine(:)
    real(real64), intent(inout) :: all(:)
    integer, allocatable :: count(:), before(:), number(:)
    real(real64), allocatable :: value(:)
    integer :: rank, ranks, r
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (count(ranks), number(size(all)), value(size(all)))
    call MPI_Gather(m%own, 1, MPI_INTEGER, count, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    before = [(sum(count(:r)), r=0, ranks - 1)]
    call MPI_Gatherv(m%number, m%own, MPI_INTEGER, number, count, before, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Gatherv(mine, m%own, MPI_DOUBLE_PRECISION, value, count, before, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    if (rank == 0) all(number) = value
  end subroutine

end module river_ranks_mod
