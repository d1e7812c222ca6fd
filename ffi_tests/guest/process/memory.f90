! memory.f90 WHAT: wrong use of an array of the pool, for the tools that watch memory; see memory.c.
program memory
  use gator_mod
  implicit none
  real(8), pointer :: h(:), g(:)
  character(20) :: what
  integer :: i
  call get_command_argument(1, what)
  call gator_init()
  call gator_allocate(h, [100], label='h')
  call gator_allocate(g, [100], label='g')
  h = 1
  g = h
  i = 101
  if (what == 'overrun') call set(h, i)
  if (what == 'after_free') then
    call dangle(g)
  else
    call gator_deallocate(g)
  end if
  call gator_deallocate(h)
  call gator_finalize()
contains
  subroutine set(a, at)
    real(8), intent(inout) :: a(*)
    integer, intent(in) :: at
    a(at) = 2 ! overrun
  end subroutine
  subroutine dangle(a)
    real(8), pointer :: a(:), b(:)
    b => a
    call gator_deallocate(a)
    b(3) = 2 ! after_free
  end subroutine
end program
