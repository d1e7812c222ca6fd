! A parallel model whose third rank forgets an array. It needs no MPI to compile: the library knows the rank.
program model
  use gator_mod, only: gator_init, gator_allocate, gator_finalize, portable_rank
  implicit none
  real(8), pointer :: buffer(:)
  nullify(buffer)
  call gator_init()
  if (portable_rank() == 2) call gator_allocate(buffer, [102], label='buffer')
  call gator_finalize()
end program
