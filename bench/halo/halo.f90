!> Exchange of ghost cells on the ranks of mpirun, in microseconds: the library's halo, MPI's subarray types with one message for each field and
!> side, and the module that the shallow-water model had before the library had halos (swe_halo_mod, of exactly four fields). All without
!> corners. bench_halo [CELLS [REPEATS]]: CELLS x CELLS on each rank. Prints the least of REPEATS exchanges, on rank 0, of the slowest rank.
program bench_halo
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_init, gator_finalize
  use portable_halo_mod
  use swe_kinds_mod, only: ng
  use swe_domain_mod, only: domain_create, grid, rank, west, east, south, north
  use swe_halo_mod, only: exchange_halos
  implicit none
  integer, parameter :: most = 8
  type :: field
    real(real64), allocatable :: a(:,:)
  end type
  type(field), target :: f(most)
  type(halo) :: ghosts
  type(fields) :: state
  type(MPI_Datatype) :: own(4), ghost(4)
  integer :: n, repeats, count, k, peers(4), opposite(4), dims(2), coords(2)
  logical :: periods(2)
  real(real64) :: library, types, peer
  character(32) :: text
  n = 512
  repeats = 300
  call get_command_argument(1, text)
  if (text /= '') read (text, *) n
  call get_command_argument(2, text)
  if (text /= '') read (text, *) repeats
  call MPI_Init()
  call gator_init()
  call domain_create()
  call MPI_Cart_get(grid, 2, dims, periods, coords)
  do k = 1, most
    allocate (f(k)%a(1-ng:n+ng, 1-ng:n+ng))
    call fill(k)
  end do
  call halo_box(ghosts, grid, n*dims, ng, faces=.true.)
  call subarrays()
  do count = 3, 8
    if (count /= 3 .and. count /= 4 .and. count /= 8) cycle
    do k = 1, count
      write (text, '(a, i0)') 'f', k
      call fields_add(state, trim(text), f(k)%a)
    end do
    library = least(1)
    call check('the library', count)
    types = least(2)
    call check('subarray types', count)
    peer = 0
    if (count == 4) then
      peer = least(3)
      call check('the peer', count)
    end if
    if (rank == 0) then
      print '(i2, a, i0, 3(a, f8.1), a, f6.2)', count, ' fields of ', n, '^2: library', library, ' us, subarray types', types, &
        ' us, peer', peer, ' us; types / library', types/library
    end if
    call fields_destroy(state)
  end do
  call halo_destroy(ghosts)
  call gator_finalize()
  call MPI_Finalize()

contains

  ! The value of a cell of the whole periodic domain.
  pure real(real64) function value(k, i, j)
    integer, intent(in) :: k, i, j
    value = k + modulo(coords(1)*n + i - 1, n*dims(1)) + 1d5*modulo(coords(2)*n + j - 1, n*dims(2))
  end function

  subroutine fill(k)
    integer, intent(in) :: k
    integer :: i, j
    f(k)%a = -1
    do j = 1, n
      do i = 1, n
        f(k)%a(i, j) = value(k, i, j)
      end do
    end do
  end subroutine

  subroutine check(what, fields_count)
    character(*), intent(in) :: what
    integer, intent(in) :: fields_count
    integer :: i, j, k
    do k = 1, fields_count
      do j = 1 - ng, n + ng
        do i = 1 - ng, n + ng
          if ((i < 1 .or. i > n) .and. (j < 1 .or. j > n)) cycle
          if (f(k)%a(i, j) /= value(k, i, j)) error stop 'a wrong ghost cell by '//what
        end do
      end do
      call fill(k)
    end do
  end subroutine

  real(real64) function least(way)
    integer, intent(in) :: way
    integer :: i
    real(real64) :: began, took
    least = huge(least)
    do i = 1, repeats
      call MPI_Barrier(grid)
      began = MPI_Wtime()
      select case (way)
      case (1)
        call halo_begin(ghosts, state)
        call halo_end(ghosts, state)
      case (2)
        call by_types()
      case default
        call exchange_halos(n, n, f(1)%a, f(2)%a, f(3)%a, f(4)%a)
      end select
      took = MPI_Wtime() - began
      call MPI_Allreduce(MPI_IN_PLACE, took, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
      if (i > 3) least = min(least, 1d6*took)
    end do
  end function

  ! Cells next to each side, and ghost cells beyond it, in the order west, east, south, north.
  subroutine subarrays()
    integer, parameter :: w = ng
    integer :: starts(2, 4), from(2, 4), extents(2, 4), d
    peers = [west, east, south, north]
    opposite = [2, 1, 4, 3]
    extents = reshape([w, n, w, n, n, w, n, w], [2, 4])
    starts = reshape([w, w, n, w, w, w, w, n], [2, 4])
    from = reshape([0, w, n + w, w, w, 0, w, n + w], [2, 4])
    do d = 1, 4
      call MPI_Type_create_subarray(2, [n + 2*w, n + 2*w], extents(:, d), starts(:, d), MPI_ORDER_FORTRAN, &
        MPI_DOUBLE_PRECISION, own(d))
      call MPI_Type_create_subarray(2, [n + 2*w, n + 2*w], extents(:, d), from(:, d), MPI_ORDER_FORTRAN, &
        MPI_DOUBLE_PRECISION, ghost(d))
      call MPI_Type_commit(own(d))
      call MPI_Type_commit(ghost(d))
    end do
  end subroutine

  subroutine by_types()
    type(MPI_Request) :: requests(8*most)
    integer :: k, d, r
    r = 0
    do k = 1, count
      do d = 1, 4
        r = r + 1
        call MPI_Irecv(f(k)%a, 1, ghost(d), peers(d), 10*k + opposite(d), grid, requests(r))
      end do
    end do
    do k = 1, count
      do d = 1, 4
        r = r + 1
        call MPI_Isend(f(k)%a, 1, own(d), peers(d), 10*k + d, grid, requests(r))
      end do
    end do
    call MPI_Waitall(r, requests, MPI_STATUSES_IGNORE)
  end subroutine
end program
