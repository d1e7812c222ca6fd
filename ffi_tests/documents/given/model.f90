! The model of the documents: a program of a reader who has gator_mod, as small as may be.
! Not in this file: anything that a block of a document shows.
program model
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  implicit none
  real(8), pointer :: h(:,:)
  nullify(h)
  call gator_init()
  call gator_allocate(h, [102, 52], [0, 0], label='h')
  h = 1
  if (sum(h) < 5303.5d0 .or. lbound(h, 1) /= 0) error stop 'wrong sum or bounds'
  call gator_deallocate(h)
  call gator_finalize()
end program
