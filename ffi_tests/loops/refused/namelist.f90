! More statements with an effect, in a main program and an internal procedure.
program statements
  implicit none
  integer, parameter :: n = 20
  double precision :: a(n), b(n)
  integer :: i, unit
  double precision :: limit
  namelist /settings/ limit
  limit = 3
  a = 1
  b = 2
  unit = 10
  ! truth: refused effect
  do i = 1, n
    a(i) = b(i)
    if (a(i) > limit) write (unit, nml=settings) !<
  end do
  ! truth: refused effect
  do i = 1, n
    a(i) = b(i)
    if (i > n) close (unit + i) !<
  end do
  ! truth: parallel i
  do i = 1, n
    a(i) = b(i) + limit
  end do
  call internal(b)
  print '(f0.1)', sum(a + b)
contains
  subroutine internal(x)
    double precision, intent(inout) :: x(:)
    integer :: k
    ! truth: refused carried-scalar limit
    do k = 1, size(x)
      limit = limit*0.5d0 + x(k) !<
      x(k) = limit !<
    end do
    ! truth: parallel k
    do k = 1, size(x)
      x(k) = x(k)*limit + a(k)
    end do
  end subroutine internal
end program statements
