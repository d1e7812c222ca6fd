! Loops whose references are linear in the indices: the checked body asks once whether iterations race, and tells each access only if they may. The
! comments say which loops race; CMakeLists.txt has the reports. Not in this file: accesses that are always reported one by one (generated.f90).
module linear
  implicit none
  type :: state
    real(8), allocatable :: u(:, :)
  end type
contains
  subroutine grids(n, one, three, a, b)
    integer, intent(in) :: n, one, three
    real(8), intent(inout) :: a(0:n, -1:n), b(0:, :)
    integer :: i, j
    integer(8) :: k
    !$portable parallel independent
    do j = 0, n - 1                           ! no race
      do i = 1, n
        a(i, j) = a(i, j) + b(i - 1, j + 1)
      end do
    end do
    !$portable parallel independent
    do j = 0, n - 1                           ! race: the column in front
      do i = 1, n
        a(i, j) = a(i, j - one)
      end do
    end do
    !$portable parallel independent
    do j = n - 1, 1, -2                       ! no race: columns between the ones that are written
      do i = 0, n
        a(i, j) = a(i, j - one)
      end do
    end do
    !$portable parallel independent
    do j = n - 1, 2, -3                       ! race: the column that the next iteration writes
      do i = 0, n
        a(i, j) = a(i, j - three)
      end do
    end do
    !$portable parallel independent
    do i = 1, n                               ! no race: one row each
      do j = 1, n
        b(i - 1, j) = a(i, j)
      end do
    end do
    !$portable parallel independent
    do i = 1, n                               ! race: b(0, 1) for all
      b(i*(one - 1), 1) = a(i, 1)
    end do
    !$portable parallel independent
    do concurrent (k=1:n - 1, i=0:n)          ! race: the transposed elements
      b(i, k) = b(k, i + 1)
    end do
  end subroutine
  subroutine pointers(three, p, q, s)
    integer, intent(in) :: three
    real(8), pointer, intent(inout) :: p(:), q(:)
    type(state), intent(inout) :: s
    integer :: i, j
    !$portable parallel independent
    do i = 1, size(p)                         ! no race: q are the elements between those of p
      p(i) = q(i)
    end do
    !$portable parallel independent
    do i = 1, size(p)/three                   ! race: p(2)
      p(i) = p(three*i - 1)
    end do
    !$portable parallel independent
    do j = 1, size(s%u, 2)                    ! no race
      do i = 1, size(s%u, 1)
        s%u(i, j) = s%u(i, j) + 1
      end do
    end do
    !$portable parallel independent
    do j = 1, size(s%u, 2)                    ! race: all read what one writes
      s%u(three, j) = s%u(three, three)
    end do
  end subroutine
  subroutine turned(n, p)
    integer, intent(in) :: n
    real(8), pointer, intent(inout) :: p(:)
    integer :: i
    !$portable parallel independent
    do i = 1, size(p)/2                       ! no race: the halves
      p(i) = p(n + 1 - i)
    end do
    !$portable parallel independent
    do i = 1, size(p)                         ! race: all
      p(i) = p(n + 1 - i)
    end do
  end subroutine
  subroutine partly(n, m, a, map)
    integer, intent(in) :: n, map(n)
    logical, intent(in) :: m(n)
    real(8), intent(inout) :: a(n, 4)
    real(8) :: c(n)
    integer :: i
    c = 0
    !$portable parallel independent
    do i = 1, n                               ! no race, and c has its own reports
      a(i, 1) = 2*a(i, 2)
      if (m(i)) c(i) = a(i, 1)
    end do
    !$portable parallel independent
    do i = 1, n                               ! race: c(map(i)), a is apart
      a(i, 1) = 2*a(i, 2)
      c(map(i)) = a(i, 1)
    end do
    a(1, 1) = a(1, 1) + sum(c)
  end subroutine
end module linear
program main
  use linear
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(0:n, -1:n), b(0:n, n), c(n, 4)
  real(8), target :: x(6*n)
  real(8), pointer :: p(:), q(:)
  logical :: m(n)
  type(state) :: s
  integer :: i, map(n)
  a = 1; b = 2; c = 3; x = 4
  map = [(1 + mod(i, 50), i = 1, n)]
  m = map > 9
  allocate (s%u(n, n))
  s%u = 5
  call grids(n, 1, 3, a, b)
  p => x(1:2*n:2)
  q => x(2:2*n:2)
  call pointers(3, p, q, s)
  p => x(3*n:2*n + 1:-1)
  call turned(n, p)
  call partly(n, m, c, map)
  print *, sum(a), sum(b), sum(c), sum(x), sum(s%u)
end program main
