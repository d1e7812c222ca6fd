! Components that are arguments of their own on devices: of arrays of derived types, of variables
! with macros; structure constructors, array constructors, sections that are apart by a variable.
#define AT(s, i) s%t(i, -1)
module devices_types
  use bits_of_results
  use, intrinsic :: iso_c_binding, only: c_int8_t, c_double, c_int
  implicit none
  integer, parameter :: wp = real64
  type :: body
    logical(int8) :: alive = .true.
    real(wp) :: x(3) = 0, v(3) = 1
    integer(int8) :: kind = 3
    real(real32) :: m(2, 2) = 2
    integer(int64) :: none(0)
  end type body
  type :: shifted
    real(wp) :: a(-1:1, 0:1) = 1, b(0:2) = 3
  end type shifted
  type :: pair
    sequence
    integer(int16) :: k
    real(wp) :: y(2)
    integer(int8) :: l
  end type pair
  type, bind(c) :: cell
    integer(c_int8_t) :: n
    real(c_double) :: z
    integer(c_int) :: i(3)
  end type cell
  type :: box
    real(wp) :: dx = 0.5_wp
    integer :: shift(2) = [1, -2]
  end type box
  type :: base
    real(wp), allocatable :: t(:, :), q(:)
    type(box) :: grid
    logical(int8) :: open = .true.
    real(wp), pointer :: back(:) => null()
    real(wp) :: fixed(44) = 7
  end type base
  type, extends(base) :: more
    integer :: scale = 3
  end type more
contains
  subroutine written_out(n, r, p, some)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(body), intent(inout) :: p(-2:n), some(:, 0:)
    integer :: i
    ! truth: parallel i; run array-component
    do i = 1, n
      p(i - 2)%x = p(i - 2)%x + r(i)*p(i - 2)%v
      p(i - 2)%v(:) = -p(i - 2)%x
    end do
    call show_bodies('array-component', p)
    ! truth: parallel i; run part-of-array-component
    do i = n, 1, -2
      p(i)%x(3:2:-1) = p(i)%v(:2)*i + p(i)%x(3:2:-1)
      p(i)%v(1:3:2) = r(i)
      p(i)%m = p(i)%m/2 - p(i)%kind
      p(i)%m(2, :) = p(i)%m(1, :) + 1
      p(i)%none = 5
    end do
    call show_bodies('part-of-array-component', p)
    ! truth: parallel i; run array-component-of-itself
    do i = 1, n
      p(i)%x(2:3) = p(i)%x(1:2)
      p(i)%v = p(i)%v(3:1:-1)
    end do
    call show_bodies('array-component-of-itself', p)
    ! truth: parallel i; run component-of-two-dimensions
    do i = 1, size(some, 2)
      some(2, i - 1)%x = some(1, i - 1)%v + r(i)
      some(1, i - 1)%m(:, 2) = some(2, i - 1)%m(2, :)
      some(2, i - 1)%alive = r(i) > 0
    end do
    call show_bodies('component-of-two-dimensions', reshape(some, [size(some)]))
  end subroutine written_out

  subroutine lower_bounds(n, r)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(shifted) :: p(0:n)
    integer :: i
    ! truth: parallel i; run components-with-lower-bounds
    do i = 1, n
      p(i)%a = p(i)%a*r(i)
      p(i)%a(-1, :) = p(i)%b(2:1:-1) - p(i)%a(-1, :)
      p(i)%a(:0, 1) = p(i)%b(0::2)
      p(i)%b(0) = p(i)%a(1, 0)
    end do
    call show('components-with-lower-bounds', [bits(p%a(-1, 0)), bits(p%a(0, 1)), bits(p%a(1, 1)), bits(p%a(-1, 1)), bits(p%b(0))])
  end subroutine lower_bounds

  subroutine constructors(n, r, p, q, c)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(body), intent(inout) :: p(:)
    type(pair), intent(inout) :: q(0:n - 1)
    type(cell), intent(inout) :: c(n, 2)
    type(pair) :: one, others(-n:-1)
    real(wp) :: w(3, 0:n), s
    integer :: i, e, k(5)
    integer(int64), parameter :: no(0) = [integer(int64) ::]
    w = 2
    ! truth: parallel i; run constructor-of-a-type
    do i = 1, n
      q(i - 1) = pair(i, [r(i), -r(i)], mod(i, 5))
      c(i, 1) = cell(z=r(i)/3, i=i, n=7_int8)
    end do
    call show('constructor-of-a-type', [bits(q%k), bits(q%y(1)), bits(q%y(2)), bits(q%l), bits(c(:, 1)%z), bits(c(:, 1)%n), &
      bits(c(:, 1)%i(2))])
    ! truth: parallel i; run constructor-with-arrays
    do i = 2, size(p)
      p(i) = body(r(i) > 1, w(:, i)*r(i), v=q(i - 1)%y(1), kind=q(i - 1)%l, m=real(i), none=no)
    end do
    call show_bodies('constructor-with-arrays', p)
    ! truth: parallel i; run constructor-of-its-own-components
    do i = 2, n
      q(i - 1) = pair(q(i - 1)%l, q(i - 1)%y(2:1:-1), q(i - 1)%k)
    end do
    call show('constructor-of-its-own-components', [bits(q%k), bits(q%y(1)), bits(q%l)])
    ! truth: parallel i; run copy-of-another-array
    do i = n, 1, -1
      others(-i) = q(i - 1)
    end do
    call show('copy-of-another-array', [bits(others%k), bits(others%y(2)), bits(others%l)])
    ! truth: parallel i; private one; run copy-of-a-type
    do i = 1, n
      c(i, 2) = c(n + 1 - i, 1)
      one = q(i - 1)
      q(i - 1)%y(1) = one%y(2) + one%k
    end do
    call show('copy-of-a-type', [bits(c(:, 2)%z), bits(c(:, 2)%i(3)), bits(q%y(1))])
    ! truth: parallel i; private s k; run constructor-of-an-array
    do i = 1, n
      s = 2*r(i)
      w(:, i) = [s, 1._wp, r(i)**2] - w(:, i)
      w(3:1:-2, i) = [integer :: nint(s), i]/w(3:1:-2, i)
      k = [1, 2, 3, mod(i, 7), 5]*i
      where ([.true., r(i) > 0, s < 1]) w(:, i) = w(:, i) + [k(4), k(2), i]
    end do
    call show('constructor-of-an-array', bits(reshape(w, [size(w)])))
    ! truth: parallel i; run constructor-of-its-own-elements
    do i = 1, n
      w(:, i) = [w(3, i), w(1, i), w(2, i)]
      w(:, i) = [(w(1, i)*e, e=1, 3)]
    end do
    call show('constructor-of-its-own-elements', bits(reshape(w, [size(w)])))
  end subroutine constructors

  subroutine triangles(n, c)
    integer, intent(in) :: n
    real(wp), intent(inout) :: c(n, n)
    integer :: j
    ! truth: parallel j; run column-above-the-diagonal
    do j = 2, n
      c(1:j - 1, j) = c(j, 1:j - 1)
    end do
    call show('column-above-the-diagonal', bits(reshape(c, [n*n])))
    ! truth: parallel j; run column-below-the-diagonal
    do j = 2, n
      c(1 + j:n, j) = 2*c(1 + j:n, j) - c(j, j)
      c(:j - 2:2, j) = c(j - 1, j) + c(:j - 2:2, j)
    end do
    call show('column-below-the-diagonal', bits(reshape(c, [n*n])))
    ! truth: parallel j; run column-with-the-diagonal
    do j = 1, n
      c(1:j, j) = c(1:j, j)*c(j, j)
      c(j:1:-1, j) = c(1:j, j)
    end do
    call show('column-with-the-diagonal', bits(reshape(c, [n*n])))
  end subroutine triangles

  subroutine by_macros(n, s, r)
    integer, intent(in) :: n
    type(more), intent(inout) :: s
    real(wp), intent(inout) :: r(n)
    integer :: i
    ! truth: parallel i; run components-by-macros
    do i = 1, n
      AT(s, i) = AT(s, i)*s%grid%dx + s%q(i + s%grid%shift(1))
      if (s%open) s%back(i) = s%fixed(i + 1)*s%scale - r(i)
      s%fixed(i + 1) = AT(s, i)
    end do
    call show('components-by-macros', [bits(reshape(s%t, [size(s%t)])), bits(s%fixed), bits(s%back)])
    ! truth: parallel i; run bounds-by-macros
    do i = 1, n
      r(i) = AT(s, i) + lbound(s%t, 1) + ubound(s%t, 2)*10 + size(s%back)
      s%q(i + 1) = sum(s%t(i:i + 1, 0))
    end do
    call show('bounds-by-macros', [bits(r), bits(s%q)])
  end subroutine by_macros

  subroutine families(n, g, r)
    integer, intent(in) :: n
    type(base), intent(inout) :: g(-1:3)
    real(wp), intent(inout) :: r(n)
    integer :: i, s, k
    real(wp) :: x
    ! truth: parallel s i; run components-of-each-element
    do s = 3, -1, -1
      do i = 1, n
        g(s)%q(i) = g(s)%q(i) + r(i)*g(s)%grid%dx - g(s)%t(i, s)
      end do
    end do
    call show_families('components-of-each-element', g)
    ! truth: parallel i; private x s k; run each-element-in-a-loop
    do i = 1, n
      x = 0
      do s = -1, 3, 2
        x = x + g(s)%q(i)*g(s)%fixed(3) + lbound(g(s)%q, 1) + size(g(s)%t) + ubound(g(s)%t, 2)
        associate (old => g(s)%q(i), even => g(2*mod(i, 2))%q(i))
          k = s
          old = old/2 + k
          x = x + even
        end associate
      end do
      r(i) = x + g(0)%t(i, 0)
    end do
    call show_families('each-element-in-a-loop', g)
    call show('each-element-in-a-loop', bits(r))
    ! truth: parallel s; run components-for-procedures
    do s = -1, 3
      call normalise(n, g(s)%q)
      call reverse(g(s)%t)
      call reverse(g(s)%t(::2, s:))
      g(s)%t(:, s) = g(s)%t(:, s) + sum(g(s)%q(1:2)) - g(0)%grid%dx
      where (g(s)%t(:, s) > 3) g(s)%t(:, s) = -g(s)%t(:, s)
      g(s)%open = size(g(s)%q) > s
    end do
    call show_families('components-for-procedures', g)
  end subroutine families

  subroutine few_families(n, g, r)
    integer, intent(in) :: n
    type(base), intent(in) :: g(3)
    real(wp), intent(inout) :: r(n)
    integer :: i, s
    ! truth: parallel i; private s; run each-element-with-memory
    do i = 1, n
      do s = 1, 3
        if (s /= 2) r(i) = r(i)/2 + g(s)%q(i)
      end do
    end do
    call show('each-element-with-memory', bits(r))
  end subroutine few_families

  subroutine normalise(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    x = x/(1 + sum(abs(x)))
  end subroutine normalise

  subroutine reverse(x)
    real(wp), intent(inout) :: x(0:, :)
    integer :: i
    do i = 0, size(x, 1) - 1
      x(i, 1) = x(i, 1)*2 - x(size(x, 1) - 1 - i, size(x, 2))
    end do
  end subroutine reverse

  subroutine show_families(name, g)
    character(len=*), intent(in) :: name
    type(base), intent(in) :: g(:)
    integer :: s
    do s = 1, size(g)
      call show(name, [bits(g(s)%q), bits(reshape(g(s)%t, [size(g(s)%t)])), bits([g(s)%open])])
    end do
  end subroutine show_families

  subroutine maybe(n, has, s, r)
    integer, intent(in) :: n
    logical, intent(in) :: has
    type(base), intent(inout) :: s
    real(wp), intent(inout) :: r(n)
    integer :: i
    ! truth: parallel i; run components-without-memory
    do i = 1, n
      if (has) AT(s, i) = s%back(i) + 1
      r(i) = r(i)/2 + s%fixed(i)
    end do
    call show('components-without-memory', bits(r))
  end subroutine maybe

  subroutine show_bodies(name, p)
    character(len=*), intent(in) :: name
    type(body), intent(in) :: p(:)
    integer(int64) :: all(12, size(p))
    integer :: i
    !$portable off
    do i = 1, size(p)
      all(:, i) = [bits(p(i)%alive), bits(p(i)%x), bits(p(i)%v), bits(p(i)%kind), bits(reshape(p(i)%m, [4]))]
    end do
    !$portable on
    call show(name, reshape(all, [size(all)]))
  end subroutine show_bodies
end module devices_types

program main
  use devices_types
  implicit none
  integer, parameter :: n = 37
  integer :: i, k
  real(wp) :: r(n), square(n, n)
  real(wp), target :: room(3*n)
  type(body) :: p(-2:n)
  type(body) :: some(2, 0:n - 1)
  type(pair) :: q(0:n - 1)
  type(cell) :: c(n, 2)
  type(more) :: s
  type(base) :: none, many(5)
  r = sample([(i, i=1, n)])
  r(5) = transfer(int(z'7FF0000000000000', int64), r(1))
  call written_out(n, r, p, some)
  call lower_bounds(n, r)
  call written_out(0, r, p(1:3), some(:, 1:0))
  call written_out(4, r, p(n:31:-1), some(2:1:-1, :3))
  r(5) = 3
  call constructors(n, r, p(n:-2:-2), q, c)
  call constructors(1, r, p(1:0), q, c)
  square = reshape(sample([(i, i=1, n*n)]), [n, n])
  call triangles(n, square)
  call triangles(1, square)
  room = sample([(i, i=1, 3*n)])
  allocate (s%t(0:n + 1, -1:1), s%q(2:n + 5))
  s%t = reshape(sample([(7*i, i=1, 3*n + 6)]), [n + 2, 3])
  s%q = sample([(i, i=1, n + 4)])
  s%back => room(3*n:1:-3)
  call by_macros(n, s, r)
  call by_macros(0, s, r)
  call show('room', bits(room))
  do i = 1, 5
    allocate (many(i)%t(1 - i:n + i, i - 2:3), many(i)%q(3 - 2*i:n + i))
    many(i)%t = r(i) + i
    many(i)%t(3:7, i - 2) = r(11:15)
    many(i)%q = -i
    many(i)%q(1:n) = sample([(i + k*k, k=1, n)])
    many(i)%grid%dx = 0.25_wp*i
  end do
  r = sample([(3*i, i=1, n)])
  call families(n, many, r)
  call families(0, many, r)
  call few_families(n, many, r)
  deallocate (many(2)%q)
  call few_families(n, many, r)
  call maybe(n, .false., none, r)
  call maybe(n, .true., s%base, r)
end program main
