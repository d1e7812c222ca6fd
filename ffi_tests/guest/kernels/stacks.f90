! stacks.f90 MIB: kernels with automatic arrays of so many MiB on the stack (-fstack-arrays), on each thread; one call down they
! have to be there still. stacks.sh says under which limits. Not in this file: what happens where they do not fit (crash_kernel.f90).
module stack_kernels
  use portable_mod
  implicit none
  integer :: mib = 1
  integer, parameter :: words = 131072 ! of a MiB
  integer :: sums(64) = 0
contains
  recursive subroutine large(t)
    type(tile), intent(in) :: t
    call fill(t, mib)
  end subroutine
  recursive subroutine fill(t, n)
    type(tile), intent(in) :: t
    integer, intent(in) :: n
    real(8) :: a(n*words)
    integer :: i, k
    do i = t%lower(1), t%upper(1)
      do k = 1, n ! one word of each MiB, from the top down as calls grow
        a((n - k + 1)*words) = i + k
      end do
      call look(a, n, sums(i))
    end do
  end subroutine
  recursive subroutine look(a, n, total)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n*words)
    integer, intent(out) :: total
    real(8) :: b(1000)
    integer :: k
    total = 0
    do k = 1, n
      b = a((n - k + 1)*words)
      total = total + nint(b(500))
    end do
  end subroutine
end module

program stacks
  use stack_kernels
  implicit none
  character(20) :: text
  integer :: i, k, round
  call get_command_argument(1, text)
  read (text, *) mib
  call portable_init()
  do round = 1, 3
    sums = 0
    call parallel_for('large', bounds(64), large, schedule=merge(portable_dynamic, portable_static, round == 2))
    do i = 1, 64
      if (sums(i) /= sum([(i + k, k = 1, mib)])) error stop 2
    end do
  end do
  call portable_finalize()
  print '(a, i0, a)', 'arrays of ', mib, ' MiB'
end program
