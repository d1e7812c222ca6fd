! threads.f90 - OpenMP threads that allocate, and free what another one allocated; private allocatables; automatic
! arrays in a parallel loop. Its output must not depend on how it is linked, nor on the number of threads.
! Not in this file: whether the pool was used (look.c).
program threads
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type :: cell
    real(real64), allocatable :: a(:)
  end type
  interface
    subroutine look(live, ever) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int64_t
      integer(c_int64_t), intent(out) :: live, ever
    end subroutine
  end interface
  integer, parameter :: n = 64
  type(cell) :: cells(n)
  real(real64), allocatable :: mine(:)
  real(real64) :: total
  integer(int64) :: live, ever
  integer :: i, step, least

  total = 0
  do step = 1, 6
    !$omp parallel do schedule(dynamic)
    do i = 1, n
      allocate (cells(i)%a(9000 + 500 * mod(i + step, 17)))
      cells(i)%a = i + step
    end do
    !$omp parallel do schedule(static, 1) reduction(+:total) private(mine)
    do i = n, 1, -1 ! other threads than above
      mine = cells(i)%a
      if (any(mine /= i + step)) error stop 'contents were lost'
      total = total + work(size(mine)) + mine(1)
      deallocate (cells(i)%a, mine)
    end do
  end do
  print *, 'total', total
  call look(live, ever)
  least = 6 * n
  call get_environment_variable('PORTABLE_LIMIT_MB', status=i)
  if (i == 0) least = 1 ! how often there is room in a small pool is a matter of who comes when
  if (ever >= 0 .and. ever < least) error stop 'the pool was not used'
  if (live > 0) error stop 'something is left in the pool'
contains
  recursive function work(k) result(w)
    integer, intent(in) :: k
    real(real64) :: w, x(k), y(0:k)
    x = 1
    y = 2
    w = sum(x) + sum(y(1:))
  end function
end program
