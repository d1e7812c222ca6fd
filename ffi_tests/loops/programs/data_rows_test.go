package programs

// Programs for TestDataRegions: what regions keep, what the host does between launches, names of arrays.

var regionalRows = []regional{
	{name: "many launches", source: `program p
  use k
  real(8) :: a(400), b(400), x
  integer :: s
  a = 1; b = 2; x = 0
  !$portable data ! region r
  do s = 1, 100
    call smooth(400, a, b)
    call smooth(400, b, a)
    if (mod(s, 50) == 0) x = x + a(3)
  end do
  !$portable end data
  print '(z16)', a, b, x
end program
`, want: []string{"r a 3", "r b 2"}},
	{name: "clauses", source: `program p
  use k
  real(8) :: a(400), b(400), c(400), t(400)
  integer :: s
  a = 1; b = 2; c = 7; t = 3
  !$portable data in(a) out(c) local(t), inout(b) ! region r
  do s = 1, 10
    call set(t, 0.1d0*s)
    call smooth(400, a, b)
    call set(c, 0.2d0)
    call smooth(400, t, c)
  end do
  !$portable end data
  print '(z16)', a, b, c
end program
`, want: []string{"r a 1", "r b 2", "r c 1"}},
	{name: "integers of 8 bytes", flags: []string{"-fdefault-integer-8"}, source: `program p
  use k
  real(8) :: a(400)
  real(8), pointer :: one
  common /block/ a
  integer :: s
  a = 1
  allocate (one, source=2d0)
  !$portable data ! region r
  do s = 1, 5
    call grow(a, 1.5d0)
    one = one + a(3)
    call grow(a, 1.25d0)
  end do
  !$portable end data
  print '(z16)', a, one
end program
`, want: []string{"r a 7"}},
	{name: "host code between", source: `program p
  use k
  real(8) :: a(400), b(400), x
  integer :: s, i
  a = 1; b = 2; x = 0
  !$portable data ! region r
  do s = 1, 10
    call grow(a, 1.01d0)
    a(7) = 3*s            ! a write
    call smooth(400, a, b)
    x = x + b(8)          ! a read
    do i = 2, 400         ! a serial loop
      b(i) = b(i) + 0.5d0*b(i-1)
    end do
    if (b(3) > 10 .and. s == 4) print '(a, z16)', 'now', b(3)
    if (s == 5) write (*, '(z16)') a(1:5), b
    call grow(b, 0.9d0)
    x = x + host_sum(b)
    x = x + total(a)
  end do
  !$portable end data
  print '(z16)', a, b, x
end program
`},
	{name: "sections and names", source: `module names
  use k
contains
  subroutine both(x, y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), y(:)
    call grow(x, 1.5d0)
    call grow(y, 0.5d0)
    x(2) = x(2) + y(3)
    call grow(x(2:n), 1.25d0)
    call grow(y(::2), 1.125d0)
    call grow(x(n:1:-1), 1.1d0)
  end subroutine
  subroutine packed(n, z)
    integer, intent(in) :: n
    real(8), intent(inout) :: z(n)
    z(1) = z(1) + 1
    call grow(z, 1.01d0)
  end subroutine
end module
program p
  use names
  real(8), target :: a(400)
  real(8) :: m(20, 20), x
  real(8), pointer :: q(:), one
  equivalence (e(1), f(11))
  real(8) :: e(50), f(60)
  integer :: s
  a = 1; m = 2; x = 0; f = 3
  q => a(1:400:3)
  one => a(13)
  !$portable data ! region r
  do s = 1, 6
    call both(a(1:100), a(201:300), 100)
    call both(m(:, 3), m(:, 7), 20)
    call packed(200, a(1:400:2))   ! the compiler passes a copy
    call packed(20, m(4, :))
    call grow(q, 1.01d0)
    q(2) = q(2) + 1
    one = one + 2
    x = x + a(4) + q(5) + one + m(3, 3)
    call grow(e, 1.5d0)
    f(12) = f(12) + e(3)
    call grow(f(5:20), 0.75d0)
    call grow(a, 0.99d0)
  end do
  !$portable end data
  print '(z16)', a, m, x, f
end program
`},
	{name: "allocation", source: `program p
  use k
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: s
  allocate (a(300), b(300), c(10))
  a = 1; b = 2; c = 3
  !$portable data ! region r
  do s = 1, 12
    call grow(a, 1.01d0)
    call grow(b, 1.02d0)
    if (s == 3) then
      deallocate (a)
      allocate (a(350), source=2d0)
    end if
    if (s == 5) a = [a, b]      ! other extents
    if (s == 6) b = 2*b         ! the same ones
    if (s == 7) call move_alloc(a, c)
    if (s == 7) allocate (a(20), source=c(:20))
    call grow(c, 0.5d0)
  end do
  !$portable end data
  print '(z16)', a, b, c
end program
`},
	{name: "components and modules", source: `module types
  use k
  type inner
    real(8), allocatable :: v(:)
    real(8), pointer :: p(:) => null()
  end type
  type grid
    real(8), allocatable :: u(:)
    real(8) :: f(50) = 1
    type(inner) :: in
  end type
contains
  subroutine move(g)
    type(grid), intent(inout) :: g
    integer :: i
    do i = 1, 50
      g%u(i) = g%u(i) + g%f(i)
      g%f(i) = g%f(i)*1.5d0 + g%in%v(i)
    end do
    g%u(3) = g%u(3) + 1
    g%in%v(4) = g%u(4)
  end subroutine
end module
program p
  use types
  type(grid) :: g, h
  real(8), target :: t(50)
  real(8) :: x
  integer :: s
  allocate (g%u(50), g%in%v(50)); g%u = 1; g%in%v = 2; t = 3; g%in%p => t
  x = 0
  common_field = 1
  !$portable data ! region r
  do s = 1, 5
    call move(g)
    call grow(g%in%p, 1.5d0)
    x = x + g%f(3) + g%in%v(5) + g%in%p(2) + t(3)
    call push
    common_field(3) = common_field(3) + 2
    if (s == 3) h = g
    if (s == 4) g = h
  end do
  !$portable end data
  print '(z16)', g%u, g%f, g%in%v, t, h%u, h%f, x, common_field
end program
`},
}
