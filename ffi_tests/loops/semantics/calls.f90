! Calls: pure and elemental procedures, statement functions, optional and value arguments,
! generic names, functions with array results.
module procedures
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  real(wp) :: offset = 0.5_wp
  interface twice
    module procedure twice_integer, twice_real
  end interface twice
  interface operator(.plus.)
    module procedure plus
  end interface operator(.plus.)
  type pair
    real(wp) :: a, b
  contains
    procedure :: total
  end type pair
contains
  pure real(wp) function square(x)
    real(wp), intent(in) :: x
    square = x*x + offset
  end function square
  elemental subroutine halve(x)
    real(wp), intent(inout) :: x
    x = 0.5_wp*x
  end subroutine halve
  elemental real(wp) function clipped(x, low, high) result(y)
    real(wp), intent(in) :: x
    real(wp), intent(in), optional :: low, high
    y = x
    if (present(low)) y = max(y, low)
    if (present(high)) y = min(y, high)
  end function clipped
  integer function by_value(k)
    integer, value :: k
    k = k + 1
    by_value = k*k
  end function by_value
  integer function twice_integer(k)
    integer, intent(in) :: k
    twice_integer = 2*k
  end function twice_integer
  real(wp) function twice_real(x)
    real(wp), intent(in) :: x
    twice_real = 2*x + 1
  end function twice_real
  pure real(wp) function plus(a, b)
    real(wp), intent(in) :: a, b
    plus = a + 10*b
  end function plus
  pure function ends(x) result(r)
    real(wp), intent(in) :: x(:)
    real(wp) :: r(2)
    r = [x(1), x(size(x))]
  end function ends
  subroutine swap_ends(x, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    real(wp) :: t
    t = x(1)
    x(1) = x(n)
    x(n) = t
  end subroutine swap_ends
  subroutine split(x, whole, rest)
    real(wp), intent(in) :: x
    integer, intent(out) :: whole
    real(wp), intent(out) :: rest
    whole = int(x)
    rest = x - whole
  end subroutine split
  pure real(wp) function total(self, times)
    class(pair), intent(in) :: self
    integer, intent(in) :: times
    total = times*(self%a + self%b)
  end function total
  integer function early(x)
    real(wp), intent(in) :: x
    early = 1
    if (x > 0) return
    early = -1
    if (x > -2) return
    early = -2
  end function early
  real(wp) function worked(x) result(y)
    real(wp), intent(in) :: x
    real(wp) :: work(6)
    integer :: k, place(2)
    place = [2, 1]
    do k = 1, 6
      call set(x, place(1 + mod(k, 2)), work(k))
    end do
    y = 0
    do k = 1, 6
      y = 0.5_wp*y + work(k)
    end do
  end function worked
  subroutine set(x, k, r)
    real(wp), intent(in) :: x
    integer, intent(in) :: k
    real(wp), intent(out) :: r
    integer :: round
    r = x
    do round = 1, k
      r = r*r - offset
      if (r > 2) exit
    end do
  end subroutine set
end module procedures

program main
  use procedures
  implicit none
  integer, parameter :: n = 37, m = 5
  real(wp) :: x(n), y(n), a(m, n), rest, cube, z
  integer :: i, k(n), whole
  type(pair) :: p(n)
  double precision, external :: outside
  cube(z) = z*z*z - offset
  x = sample([(i, i=1, n)])
  a = reshape(sample([(i, i=1, n*m)]), [m, n])
  ! truth: parallel i; run pure-function
  do i = 1, n
    y(i) = square(x(i)) + square(-1.0_wp)
  end do
  call show('pure-function', bits(y))
  ! truth: parallel i; run elemental-subroutine
  do i = 1, n
    call halve(y(i))
    call halve(a(:, i))
  end do
  call show('elemental-subroutine', [bits(y), bits([a])])
  ! truth: parallel i; run optional-arguments
  do i = 1, n
    y(i) = clipped(x(i)) + clipped(x(i), 1.0_wp) + clipped(x(i), high=2.0_wp)
  end do
  call show('optional-arguments', bits(y))
  ! truth: parallel i; run value-argument
  do i = 1, n
    k(i) = by_value(i) + i
  end do
  call show('value-argument', bits(k))
  ! truth: parallel i; run generic-call
  do i = 1, n
    y(i) = twice(i) + twice(x(i))
  end do
  call show('generic-call', bits(y))
  ! truth: parallel i; run defined-operator
  do i = 1, n
    y(i) = x(i) .plus. 2.0_wp
  end do
  call show('defined-operator', bits(y))
  ! truth: parallel i; run statement-function
  do i = 1, n
    y(i) = cube(x(i)) + cube(2.0_wp)
  end do
  call show('statement-function', bits(y))
  ! truth: parallel i; run array-result
  do i = 1, n
    a(1:2, i) = ends(a(:, i))
  end do
  call show('array-result', bits([a]))
  ! truth: parallel i; run section-argument
  do i = 1, n
    call swap_ends(a(:, i), m)
  end do
  call show('section-argument', bits([a]))
  ! truth: parallel i; run element-as-array-argument
  do i = 1, n
    call swap_ends(a(2, i), 3)
  end do
  call show('element-as-array-argument', bits([a]))
  ! truth: parallel i; run strided-section-argument
  do i = 1, m
    call swap_ends(a(i, 1:n:4), n/4)
  end do
  call show('strided-section-argument', bits([a]))
  ! truth: parallel i; private whole rest; run out-arguments
  do i = 1, n
    call split(x(i)*7, whole, rest)
    k(i) = whole
    y(i) = rest
  end do
  call show('out-arguments', [bits(k), bits(y)])
  ! truth: parallel i; run bound-procedure
  do i = 1, n
    p(i) = pair(x(i), i)
    y(i) = p(i)%total(3)
  end do
  call show('bound-procedure', bits(y))
  ! truth: parallel i; run early-return
  do i = 1, n
    k(i) = early(x(i))
  end do
  call show('early-return', bits(k))
  ! truth: parallel i; run work-array-passed-on
  do i = 1, n
    y(i) = worked(x(i)) + y(i)
  end do
  call show('work-array-passed-on', bits(y))
  ! truth: parallel i; run external-procedure
  do i = 1, n
    y(i) = outside(x(i), i)
  end do
  call show('external-procedure', bits(y))
  call hosts()
contains
  subroutine hosts()
    integer :: j
    real(wp) :: local
    local = 3
    ! truth: parallel j; run host-association
    do j = 1, n
      y(j) = inner(x(j)) + local*k(j)
    end do
    call show('host-association', bits(y))
    ! truth: parallel i; run host-variable-as-index
    do i = 1, n, 2
      y(i) = -y(i)
    end do
    call show('host-variable-as-index', [bits(y), bits(i)])
  end subroutine hosts
  real(wp) function inner(t)
    real(wp), intent(in) :: t
    inner = t + a(1, 1)
  end function inner
end program main

double precision function outside(x, i)
  implicit none
  double precision, intent(in) :: x
  integer, intent(in) :: i
  integer :: k
  outside = x
  do k = 1, mod(i, 4)
    outside = outside/2 + k
  end do
end function outside
