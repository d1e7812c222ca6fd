!> A peer: ghost cells as the shallow-water model exchanged them before the library had halos. For each direction: pack
!> the cells next to the side into a buffer, exchange it with the neighbours, unpack what came. The buffers are work arrays
!> from the pool; packing and unpacking are launches like all loops. Corners are not exchanged, because the scheme never
!> looks across one.
module swe_halo_mod
  use mpi_f08
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: parallel_for, bounds, tile, timer_start, timer_stop
  use swe_kinds_mod, only: wp, ng
  use swe_domain_mod, only: grid, west, east, south, north
  implicit none
  private
  public :: exchange_halos

  integer, parameter :: fields = 4 !! h, hu, hv, b

contains

  subroutine exchange_halos(nx, ny, h, hu, hv, b)
    integer, intent(in) :: nx, ny
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b

    call timer_start('halo')
    call shift(west, east, ng, ny, [1, 1], [nx+1, 1], nx, ny, h, hu, hv, b)
    call shift(east, west, ng, ny, [nx+1-ng, 1], [1-ng, 1], nx, ny, h, hu, hv, b)
    call shift(south, north, nx, ng, [1, 1], [1, ny+1], nx, ny, h, hu, hv, b)
    call shift(north, south, nx, ng, [1, ny+1-ng], [1, 1-ng], nx, ny, h, hu, hv, b)
    call timer_stop('halo')
  end subroutine exchange_halos

  !> All ranks in one direction: m times n cells from `first` on go to the neighbour `to`, what comes from the
  !> other one goes into the ghost cells from `ghost` on.
  subroutine shift(to, from, m, n, first, ghost, nx, ny, h, hu, hv, b)
    integer, intent(in) :: to, from, m, n, first(2), ghost(2), nx, ny
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), pointer :: out(:, :, :), in(:, :, :)

    if (to == MPI_PROC_NULL .and. from == MPI_PROC_NULL) return
    nullify (out, in)
    call gator_allocate(out, [m, n, fields], label='halo_out')
    call gator_allocate(in, [m, n, fields], label='halo_in')
    if (to /= MPI_PROC_NULL) call pack_cells(m, n, first, nx, ny, h, hu, hv, b, out)
    call exchange_buffers(to, from, m*n*fields, out, in)
    if (from /= MPI_PROC_NULL) call unpack_cells(m, n, ghost, nx, ny, in, h, hu, hv, b)
    call gator_deallocate(in)
    call gator_deallocate(out)
  end subroutine shift

  subroutine exchange_buffers(to, from, n, out, in)
    integer, intent(in) :: to, from, n
    real(wp), intent(in) :: out(n)
    real(wp), intent(inout) :: in(n)

    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, to, 0, in, n, MPI_DOUBLE_PRECISION, from, 0, grid, MPI_STATUS_IGNORE)
  end subroutine exchange_buffers

  subroutine pack_cells(m, n, first, nx, ny, h, hu, hv, b, buffer)
    integer, intent(in) :: m, n, first(2), nx, ny
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    real(wp), intent(out) :: buffer(m, n, fields)
    call parallel_for('halo_pack', bounds([1, 1], [m, n]), body)
  contains
    recursive subroutine body(t)
      type(tile), intent(in) :: t
      integer :: i, j, ic, jc

      do j = t%lower(2), t%upper(2)
        jc = first(2) + j - 1
        do concurrent (i = t%lower(1):t%upper(1))
          ic = first(1) + i - 1
          buffer(i, j, 1) = h(ic, jc)
          buffer(i, j, 2) = hu(ic, jc)
          buffer(i, j, 3) = hv(ic, jc)
          buffer(i, j, 4) = b(ic, jc)
        end do
      end do
    end subroutine body
  end subroutine pack_cells

  subroutine unpack_cells(m, n, ghost, nx, ny, buffer, h, hu, hv, b)
    integer, intent(in) :: m, n, ghost(2), nx, ny
    real(wp), intent(in) :: buffer(m, n, fields)
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv, b
    call parallel_for('halo_unpack', bounds([1, 1], [m, n]), body)
  contains
    recursive subroutine body(t)
      type(tile), intent(in) :: t
      integer :: i, j, ic, jc

      do j = t%lower(2), t%upper(2)
        jc = ghost(2) + j - 1
        do concurrent (i = t%lower(1):t%upper(1))
          ic = ghost(1) + i - 1
          h(ic, jc) = buffer(i, j, 1)
          hu(ic, jc) = buffer(i, j, 2)
          hv(ic, jc) = buffer(i, j, 3)
          b(ic, jc) = buffer(i, j, 4)
        end do
      end do
    end subroutine body
  end subroutine unpack_cells
end module swe_halo_mod
