! exchange.f90: arrays of the pool, and parts of them, as send and receive buffers of MPI from Fortran; MPI ends
! after the pool, and the other way round. Not in this file: C (exchange.c).
program exchange
  use gator_mod
  implicit none
  include 'mpif.h'
  real(8), pointer :: a(:,:), b(:,:)
  real(8) :: total
  integer :: rank, ranks, ierr, step, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (portable_rank() /= rank) error stop 4
  if (portable_local_rank() /= rank) error stop 5
  call gator_init()
  do step = 1, 100
    n = 10 + step
    call gator_allocate(a, [n, 50], [0, 1], label='a')
    call gator_allocate(b, [n, 50], [0, 1], label='b')
    a = rank
    b = -1
    ! whole arrays, then one row, which is not contiguous: gfortran makes a copy of it
    call MPI_Sendrecv(a, size(a), MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, b, size(b), MPI_DOUBLE_PRECISION, &
      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (any(b /= mod(rank + ranks - 1, ranks))) error stop 1
    call MPI_Bcast(b(3, :), 50, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    if (any(b(3, :) /= ranks - 1)) error stop 2
    call gator_deallocate(a)
    call gator_deallocate(b)
  end do
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (total /= ranks*(ranks - 1)/2) error stop 3
  if (mod(rank, 2) == 0) call gator_finalize()
  call MPI_Finalize(ierr)
  if (mod(rank, 2) == 1) call gator_finalize()
  print '(a)', 'done'
end program
