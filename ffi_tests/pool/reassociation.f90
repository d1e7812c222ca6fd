! A pointer that is associated already: with foreign memory it is allowed in silence, with a live block of
! the pool it is allowed with one warning (that the misuse programs look for); other bounds do not matter.
program reassociation
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:), keep(:), other(:), grid(:, :)
  real(real64), target :: foreign(10)
  integer :: stat, i
  nullify(a)
  foreign = 4.0_real64
  call gator_init()
  a => foreign
  call gator_allocate(a, [20], stat=stat)
  call check(stat == 0 .and. size(a) == 20, 'over foreign memory')
  call check(all(abs(foreign - 4.0_real64) <= 0.0_real64), 'foreign memory is not touched')
  keep => a
  call gator_allocate(a, [30], label='second', stat=stat)
  call check(stat == 0 .and. size(a) == 30 .and. .not. associated(a, keep), 'over a live block')
  call gator_deallocate(keep)
  call gator_deallocate(a)
  ! the block, not the bounds, is what is freed
  call gator_allocate(a, [12], [-3])
  grid(0:2, 0:3) => a
  call gator_deallocate(grid)
  nullify(a)
  do i = 1, 1000
    call gator_allocate(a, [i])
    a(i) = real(i, real64)
    other => a
    call gator_deallocate(other)
    nullify(a)
  end do
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
