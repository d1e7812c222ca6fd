! crossing.f90 - memory that goes from a program into a shared library and back, as an allocatable and through the
! run-time library's CFI_deallocate. Its output must not depend on how it is linked. Not in this file: the
! library (other.f90), and the C part (crossing.c).
program crossing
  use other, only: replace, append, drop
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  implicit none
  interface
    subroutine look(live, ever) bind(c)
      import :: c_int64_t
      integer(c_int64_t), intent(out) :: live, ever
    end subroutine
    subroutine renew(a) bind(c) ! CFI_deallocate, then CFI_allocate of twice as many
      import :: c_double
      real(c_double), allocatable, intent(inout) :: a(:)
    end subroutine
  end interface
  real(c_double), allocatable :: a(:)
  character(:), allocatable :: text
  integer(c_int64_t) :: live, ever
  integer :: i, n
  do i = 1, 12
    n = 2**i * 37
    allocate (a(n), source=0.5d0)
    call replace(a, n + 1)
    a = [a, a]
    call append(a, a(:n))
    print *, size(a), sum(a)
    call renew(a)
    print *, size(a), sum(a)
    text = repeat('x', n)
    call drop(text)
    print *, len(text), text(:3)
    deallocate (a, text)
  end do
  call look(live, ever)
  if (live > 0) error stop 'something is left in the pool'
  if (ever >= 0 .and. ever < 10) error stop 'the pool was not used'
end program
