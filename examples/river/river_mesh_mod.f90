! river_mesh_mod.f90 - a mesh of triangles: the squares of a perturbed lattice, each cut in two,
! with edges between cells. Numbers of edges do not depend on the order in which they were found.
! Not in this file: water.
module river_mesh_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: random_key, random_key_t, random_real, sort_index
  use portable_mesh_mod, only: portable_csr, portable_csr_build, portable_csr_free
  implicit none
  private
  public :: mesh_t, mesh_make, mesh_free

  type :: mesh_t
    integer :: cells = 0, edges = 0, own = 0            ! the first `own` cells are computed here, others are ghosts
    logical :: shared = .false.                         ! a part of a mesh that ranks share
    integer, allocatable :: number(:)                   ! of cells, in the whole mesh
    integer, allocatable :: node_of_cell(:, :)          ! (3, cells)
    integer, allocatable :: cell_of_edge(:, :)          ! (2, edges): left, right; right 0: a wall
    real(real64), allocatable :: x(:), y(:)             ! of nodes, m
    real(real64), allocatable :: area(:), cx(:), cy(:)  ! of cells: m2, centre
    real(real64), allocatable :: nx(:), ny(:), length(:) ! of edges: unit normal from left to right, m
    type(portable_csr) :: edges_of                      ! the edges of each cell
  end type

contains

  ! nx by ny squares on a rectangle. shuffle: edges are found in another order, which must not matter.
  subroutine mesh_make(m, nx, ny, width, height, shuffle)
    type(mesh_t), intent(inout) :: m
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: width, height
    logical, intent(in) :: shuffle
    integer, allocatable :: ends(:, :), order(:)
    integer(int64), allocatable :: key(:)
    type(random_key_t) :: random
    real(real64) :: dx, dy, side
    integer :: i, j, n, e, lower, upper
    m%cells = 2*nx*ny
    m%own = m%cells
    m%number = [(n, n=1, m%cells)]
    m%edges = nx*ny + nx*(ny + 1) + ny*(nx + 1)
    allocate (m%node_of_cell(3, m%cells), m%cell_of_edge(2, m%edges), ends(2, m%edges), key(m%edges), order(m%edges))
    allocate (m%x((nx + 1)*(ny + 1)), m%y((nx + 1)*(ny + 1)), m%area(m%cells), m%cx(m%cells), m%cy(m%cells))
    allocate (m%nx(m%edges), m%ny(m%edges), m%length(m%edges))
    dx = width/nx
    dy = height/ny
    random = random_key(seed=2026_int64)
    do j = 0, ny
      do i = 0, nx
        n = node(i, j)
        m%x(n) = i*dx
        m%y(n) = j*dy
        if (i > 0 .and. i < nx) m%x(n) = m%x(n) + 0.4d0*dx*(random_real(random, cell=n, draw=0) - 0.5d0)
        if (j > 0 .and. j < ny) m%y(n) = m%y(n) + 0.4d0*dy*(random_real(random, cell=n, draw=1) - 0.5d0)
      end do
    end do
    e = 0
    do j = 1, ny
      do i = 1, nx
        lower = cell(i, j)
        upper = lower + 1
        m%node_of_cell(:, lower) = [node(i - 1, j - 1), node(i, j - 1), node(i - 1, j)]
        m%node_of_cell(:, upper) = [node(i, j), node(i - 1, j), node(i, j - 1)]
        call edge(lower, upper, node(i, j - 1), node(i - 1, j))
        call edge(lower, merge(cell(i, j - 1) + 1, 0, j > 1), node(i - 1, j - 1), node(i, j - 1))
        call edge(lower, merge(cell(i - 1, j) + 1, 0, i > 1), node(i - 1, j - 1), node(i - 1, j))
        if (j == ny) call edge(upper, 0, node(i, j), node(i - 1, j))
        if (i == nx) call edge(upper, 0, node(i, j), node(i, j - 1))
      end do
    end do
    if (shuffle) then
      do e = 1, m%edges
        n = 1 + int(random_real(random, cell=e, draw=2)*m%edges)
        m%cell_of_edge(:, [e, n]) = m%cell_of_edge(:, [n, e])
        ends(:, [e, n]) = ends(:, [n, e])
      end do
    end if
    ! By the cells on both sides, and at walls by a node: no two edges are alike.
    key = (int(m%cell_of_edge(1, :), int64)*(m%cells + 1) + m%cell_of_edge(2, :))*(2*size(m%x)) + ends(1, :) + ends(2, :) - 2
    call sort_index(key, order, label='edges')
    m%cell_of_edge = m%cell_of_edge(:, order)
    ends = ends(:, order)
    do n = 1, m%cells
      associate (a => m%node_of_cell(1, n), b => m%node_of_cell(2, n), c => m%node_of_cell(3, n))
        m%area(n) = 0.5d0*((m%x(b) - m%x(a))*(m%y(c) - m%y(a)) - (m%x(c) - m%x(a))*(m%y(b) - m%y(a)))
        m%cx(n) = (m%x(a) + m%x(b) + m%x(c))/3
        m%cy(n) = (m%y(a) + m%y(b) + m%y(c))/3
      end associate
    end do
    do e = 1, m%edges
      associate (a => ends(1, e), b => ends(2, e), l => m%cell_of_edge(1, e))
        m%length(e) = sqrt((m%x(b) - m%x(a))**2 + (m%y(b) - m%y(a))**2)
        m%nx(e) = (m%y(b) - m%y(a))/m%length(e)
        m%ny(e) = (m%x(a) - m%x(b))/m%length(e)
        side = (0.5d0*(m%x(a) + m%x(b)) - m%cx(l))*m%nx(e) + (0.5d0*(m%y(a) + m%y(b)) - m%cy(l))*m%ny(e)
        if (side < 0) then
          m%nx(e) = -m%nx(e)
          m%ny(e) = -m%ny(e)
        end if
      end associate
    end do
    call portable_csr_build(m%edges_of, row_of=m%cell_of_edge, n=m%cells, label='edges of cells')
  contains
    integer function node(i, j)
      integer, intent(in) :: i, j
      node = 1 + i + j*(nx + 1)
    end function
    integer function cell(i, j)
      integer, intent(in) :: i, j
      cell = 2*(i - 1 + (j - 1)*nx) + 1
    end function
    subroutine edge(left, right, a, b)
      integer, intent(in) :: left, right, a, b
      e = e + 1
      m%cell_of_edge(:, e) = [left, right]
      ends(:, e) = [min(a, b), max(a, b)]
    end subroutine
  end subroutine

  subroutine mesh_free(m)
    type(mesh_t), intent(inout) :: m
    type(mesh_t) :: none
    call portable_csr_free(m%edges_of)
    m = none
  end subroutine

end module river_mesh_mod
