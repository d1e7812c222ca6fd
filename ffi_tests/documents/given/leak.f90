! A parallel model whose third rank forgets an array. It asks the launcher for its rank, and not MPI, so that it
! needs no MPI to compile.
program model
  use gator_mod, only: gator_init, gator_allocate, gator_finalize
  implicit none
  real(8), pointer :: buffer(:)
  character(len=16) :: rank
  integer :: status
  call get_environment_variable('OMPI_COMM_WORLD_RANK', rank, status=status)
  if (status /= 0) call get_environment_variable('PMI_RANK', rank)
  nullify(buffer)
  call gator_init()
  if (rank == '2') call gator_allocate(buffer, [102], label='buffer')
  call gator_finalize()
end program
