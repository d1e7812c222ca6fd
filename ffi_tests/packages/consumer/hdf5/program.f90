! One rank, which needs no launcher, writes a restart file and reads it.
program program
  use mpi_f08
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: portable_init, portable_finalize
  use portable_halo_mod
  use portable_restart_mod
  implicit none
  type(fields) :: state
  type(halo) :: ghosts
  real(8), pointer :: h(:,:) => null()
  real(8) :: t
  call MPI_Init()
  call portable_init()
  call halo_box(ghosts, MPI_COMM_SELF, [5, 4])
  call gator_allocate(h, [7, 6], label='h')
  call fields_add(state, 'h', h)
  h = 3
  call restart_write(MPI_COMM_SELF, 'consumer_f.h5', state, ghosts, time=2.5d0)
  h = 0
  call restart_read(MPI_COMM_SELF, 'consumer_f.h5', state, ghosts, time=t)
  if (t == 2.5d0 .and. sum(h) == 60) print '(a)', 'program works'
  call fields_destroy(state)
  call halo_destroy(ghosts)
  call gator_deallocate(h)
  call portable_finalize()
  call MPI_Finalize()
end program
