! Loops that portablef converts with their check: what `independent` claims is right in some of them and wrong in others. The comments say
! which; the numbers behind each race are in CMakeLists.txt.
module other
  implicit none
contains
  subroutine put(x, y)
    real(8), intent(inout) :: x
    real(8), intent(in) :: y
    x = x + y
  end subroutine
  subroutine fill(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    x(1) = x(1) + 1
  end subroutine
end module other
program generated
  use other
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n, n), b(n, n), c(n), d(0:n+1)
  logical :: m(n, n)
  integer :: i, j, k, map(n)
  a = 1; b = 2; c = 3; d = 4
  m = .false.; m(3, :) = .true.
  map = [(1 + mod(i, 50), i = 1, n)]
  !$portable parallel independent
  do j = 1, n                                 ! no race: one column each
    where (m(:, j)) a(:, j) = b(:, j)
  end do
  !$portable parallel independent
  do j = 1, n - 1                             ! race: the columns of map are shared
    where (.not. m(:, j)) a(:, map(j)) = b(:, j)
    where (m(:, j)) b(:, j) = 0
  end do
  !$portable parallel independent
  do j = 2, n                                 ! races: c(3) is common, b(:, j-1) is the neighbour's
    where (m(:, j))
      c = b(:, j)
    elsewhere
      a(:, j) = b(:, j-1)
    end where
    b(:, j) = 0
  end do
  !$portable parallel independent
  do j = 1, n                                 ! no race
    forall (i = 1:n, i > j) a(i, j) = a(i, j) + 1
  end do
  !$portable parallel independent
  do j = 1, n                                 ! race: row map(j) of column map(j)
    forall (i = 1:n, i == map(j)) a(i, map(j)) = b(i, j)
  end do
  !$portable parallel independent
  do i = 1, n                                 ! race: put writes c(map(i))
    call put(c(map(i)), d(i))
  end do
  !$portable parallel independent
  do i = 1, n                                 ! not checked: fill gets an array
    call fill(n, a(1, map(i)))
  end do
  !$portable parallel independent
  do i = 1, n                                 ! race: d(51) and on are read by the first half
    if (i > 50) then
      d(i) = 1
    else if (d(map(i) + 50) > 3) then
      d(i) = 2
    end if
  end do
  !$portable parallel independent
  do i = 1, n                                 ! no race: the shape of d is asked
    do k = 1, size(c)
      a(k, i) = c(k)*size(d)
    end do
  end do
  !$portable parallel independent
  do i = 1, n                                 ! races: d(map(i)) and d(i:i+1)
    d(map(i)) = sum(d(i:i+1))
  end do
  print *, sum(a), sum(b), sum(c), sum(d)
end program generated
