package host

// row is a program whose loops are converted. It prints bits; the original and the converted one must print the same for each shape
// of tiles, and launch as often as launches says.
type row struct {
	name, text string
	launches   int // least number of nests that become launches
}

var rows = []row{
	{"external.f90", `
subroutine scale(n, a, f)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: f
  integer :: i
  do i = 1, n
    a(i) = f*a(i)
  end do
  print *, i
end subroutine scale
real(8) function total(n, a)
  integer, intent(in) :: n
  real(8), intent(in) :: a(*)
  integer :: i
  total = 0
  do i = 1, n
    total = total + a(i)
  end do
end function total
implicit none
real(8) :: a(40)
real(8), external :: total
integer :: i
do i = 1, 40
  a(i) = i
end do
call scale(40, a, 0.5d0)
print *, a, total(40, a)
end
`, 3},
	{"host.f90", `
program host
  implicit none
  integer, parameter :: n = 33
  real(8), parameter :: half = 0.5d0
  real(8) :: a(n)
  integer :: shift
  shift = 2
  a = 1
  call work()
  print *, a
contains
  subroutine work()
    integer :: i, k
    real(8) :: w(3)
    do i = 1, n
      do k = 1, 3
        w(k) = i*k*half
      end do
      a(i) = add(w(1) + w(2)) + w(3)
    end do
  end subroutine work
  real(8) function add(x)
    real(8), intent(in) :: x
    add = twice(x) + shift
  end function add
  real(8) function twice(x)
    real(8), intent(in) :: x
    twice = 2*x
  end function twice
end program host
`, 1},
	{"submodule.f90", `
module m
  implicit none
  integer, parameter :: wp = kind(1d0)
  interface
    module subroutine fill(n, a)
      integer, intent(in) :: n
      real(wp), intent(out) :: a(0:n)
    end subroutine fill
  end interface
end module m
submodule (m) s
  implicit none
  real(wp), parameter :: third = 1/3.0_wp
contains
  module procedure fill
    integer :: i
    do i = n, 0, -3
      a(i) = third*i
    end do
    do i = 0, n
      if (mod(n - i, 3) /= 0) a(i) = -i
    end do
    print *, i
  end procedure fill
end submodule s
program p
  use m
  real(wp) :: a(0:50)
  call fill(50, a)
  print *, a
end program p
`, 2},
	{"labels.f", `
      program labels
      integer n, i, j, k
      parameter (n = 12)
      real*8 a(n, n), b(n, n), s
      common /block/ a, b
      do 10 k = 1, 2
      do 10 j = 1, n
      do 10 i = 1, n
   10 a(i, j) = i + 100*j + k
      do 30 k = 1, 2
        do 30 j = 1, n
          do 20 i = 1, n
            if (i .eq. j) goto 20
            b(i, j) = a(i, j) + k
   20     continue
   30 continue
      s = 0
      goto 5
      s = 1
    5 do 40 j = 1, n; do 40 i = 1, n; if (i .eq. j) b(i, j) = 0
      b(i, j) = b(i, j)*0.5d0 + a(i, j)
   40 continue
      print *, a, b, s, i, j
      end
`, 3},
	{"traps.f90", `
! don't stop at /* or at linux, C:\
program traps
  implicit none
  integer :: linux(30), unix, i ! it's /* here \
  character(len=8) :: text
  unix = 3
  text = 'a/*b' // "c'd\"
  do i = 1, 30 ! don't
    linux(i) = unix*i ! /* no comment */
  end do
  print *, linux, text, i
end program traps
`, 1},
	{"branches.F90", `
#define AXIS i
program branches
  implicit none
  integer :: i, a(20), b(20)
  b = 0
#ifdef NEVER
  do i = 1, 10
#else
  do AXIS = 1, 20
#endif
    a(AXIS) = AXIS
#ifdef NEVER
    b(i) = 1
#else
    b(i) = 2*a(i)
#endif
  end do
  do i = 1, 20; a(i) = a(i) + 1; b(i) = b(i) - a(i); end do; print *, i
  print *, a, b
end program branches
`, 2},
	{"absent.f90", `
module absent
  implicit none
contains
  subroutine work(n, a, extra, factor)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:)
    real(8), intent(in), optional :: extra(:), factor
    real(8), allocatable :: table(:)
    integer :: i
    if (n > 20) allocate (table(-3:n))
    if (n > 20) table = 7
    do i = 1, n
      if (n > 20) a(i) = a(i) + table(i - 4)
      if (present(extra)) a(i) = a(i) + extra(i)
      if (present(factor)) a(i) = a(i)*factor
    end do
  end subroutine work
end module absent
program p
  use absent
  real(8) :: a(60)
  a = 1
  call work(10, a)
  call work(30, a(::2), factor=3d0)
  call work(25, a(60:1:-1), a)
  print *, a
end program p
`, 1},
	{"pointers.f90", `
program pointers
  implicit none
  real(8), target :: a(100)
  real(8), pointer :: p(:), q(:)
  integer :: i
  a = [(i, i=1, 100)]
  p => a(1:50); q => a(51:100)
  call shift()
  p => a(2:100); q => a(1:99)
  call shift()
  p => a(1:99:2); q => a(2:100:2)
  call shift()
  print *, a
contains
  subroutine shift()
    integer :: k
    do k = 1, min(size(p), size(q))
      p(k) = q(k) + 1
    end do
  end subroutine shift
end program pointers
`, 1},
	{"parts.f90", `
module parts
  implicit none
  type :: cell
    real(8) :: x = 1, v(2) = 2
  end type cell
  type :: field
    real(8), allocatable :: u(:,:)
    real(8) :: dt = 0.25d0
    type(cell) :: c(9)
  end type field
  type :: grid
    type(field) :: now
  end type grid
  type(grid) :: g
contains
  subroutine step(f, hist)
    type(field), intent(inout) :: f
    integer, intent(inout) :: hist(:)
    integer :: i, j, part(4)
    part = 1
    do j = lbound(f%u, 2), ubound(f%u, 2)
      do i = 1, size(f%u, 1)
        f%u(i, j) = f%u(i, j) + f%dt*i
        g%now%u(i, j) = f%u(i, j) - 1
      end do
    end do
    do i = 1, 9
      f%c(i)%x = f%c(i)%x + f%c(i)%v(2)*i
    end do
    do i = 1, 40
      j = 1 + mod(i*i, 7)
      hist(j) = hist(j) + i
    end do
    do i = 1, 40
      part(1 + mod(i, 4)) = part(1 + mod(i, 4)) + i
    end do
    do i = 1, 9
      f%dt = f%dt + f%c(i)%x*i
      g%now%dt = max(g%now%dt, f%c(i)%v(1) - i)
    end do
    print *, part, f%dt, g%now%dt
  end subroutine step
end module parts
program p
  use parts
  type(field) :: f
  integer :: hist(7)
  hist = 0
  allocate (f%u(5, -1:6), g%now%u(5, -1:6))
  f%u = 1
  call step(f, hist)
  print *, f%u, g%now%u, f%c%x, hist
end program p
`, 5},
	{"words.f90", `
module numbers
  implicit none
  integer, parameter :: rk = kind(1d0)
  type :: pair
    real(rk) :: a, b
  end type pair
  interface operator(.plus.)
    module procedure plus
  end interface
contains
  elemental type(pair) function plus(x, y)
    type(pair), intent(in) :: x, y
    plus%a = x%a + y%a
    plus%b = x%b + y%b
  end function plus
end module numbers
subroutine work(n, x, z)
  use numbers, only: pair, operator(.plus.), other => rk
  implicit none
  integer, intent(in) :: n
  type(pair), intent(in) :: x(n)
  real(other), intent(out) :: z(n)
  real(other), parameter :: eps = 1e-3_other
  integer :: work_18, portable_b, i
  type(pair) :: y
  real(other) :: f, s
  interface
    pure real(8) function outside(x)
      real(8), intent(in) :: x
    end function outside
  end interface
  f(s) = s*s + eps
  do i = 1, n
    y = x(i) .plus. x(n + 1 - i)
    work_18 = i
    portable_b = 2*work_18
    z(i) = f(y%a) + y%b*portable_b + outside(eps)
  end do
end subroutine work
pure real(8) function outside(x)
  real(8), intent(in) :: x
  outside = x + 1
end function outside
program p
  use numbers
  type(pair) :: x(21)
  real(rk) :: z(21)
  integer :: i
  do i = 1, 21
    x(i) = pair(i, 0.5_rk*i)
  end do
  call work(21, x, z)
  print *, z
end program p
`, 1},
	{"values.f90", `
program values
  implicit none
  integer :: i, j, k, place, n
  real(8) :: x(31), y(31, 5), t, best, s
  logical :: any_found
  n = 31
  x = [(mod(7*i, 31)*1d0, i=1, 31)]
  y = 0
  best = -1; place = 0; s = 10; any_found = .false.
  do i = 1, n
    t = 2*x(i)
    if (x(i) >= best) then
      best = x(i); place = i
    end if
    s = min(s, t - 100)
    any_found = any_found .or. x(i) > 29
  end do
  print *, i, t, best, place, s, any_found
  do i = 1, n
    t = 3*x(i)
    y(i, 1) = t*n
  end do
  print *, i, t
  do j = 5, 1, -2
    do i = n, 1
      y(i, j) = 0
    end do
    do k = 1, n
      y(k, j) = x(k)*j
    end do
  end do
  print *, i, j, k
  do concurrent (j=1:5, i=1:n, mod(i + j, 2) == 0)
    y(i, j) = i + 10*j
  end do
  do j = 2, 4, 2
    y(:, j) = y(:, j) + j
    where (y(:, j) > 40) y(:, j) = 0
  end do
  print *, y
end program values
`, 4},
	{"array_sums.f90", `
program array_sums
  implicit none
  integer :: i, k, m(40), c(20)
  real(8) :: a(600), x(40)
  m = [(1 + mod(i*7, 13), i = 1, 40)]
  x = [(i*0.5d0, i = 1, 40)]
  a = 1; c = 0
  call add(40, size(a), size(c))
  print *, a(1:20), c
contains
  subroutine add(n, na, nc)
    integer, intent(in) :: n, na, nc
    call sums(n, m, x, na, a, nc, c)
  end subroutine
  subroutine sums(n, m, x, na, a, nc, c)
    integer, intent(in) :: n, m(n), na, nc
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: a(na)
    integer, intent(inout) :: c(nc)
    integer :: i, k
    do i = 1, n
      a(m(i)) = a(m(i)) + & ! on two lines
        x(i)
    end do
    do i = 1, n
      if (x(i) > 3) a(m(i)) = a(m(i)) + x(i)
      if (x(i) > 4) c(m(i)) = c(m(i)) + 1; if (x(i) < 1) c(m(i)) = c(m(i)) + 2
    end do
    do i = 1, n
      if (m(i) > 5) goto 20
      c(m(i)) = c(m(i)) + 3; a(m(i)) = a(m(i)) + 1
 20   a(m(i)) = a(m(i)) + 2*x(i) ! a label
      do 30 k = 1, 2
 30     a(m(i)) = a(m(i)) - x(i)
    end do
  end subroutine
end program array_sums
`, 3},
	{"copies.f", `
      module store
        real(8), allocatable :: a(:, :)
        real, pointer :: w(:)
        integer :: counts(-3:1400)
      end module
      program copies
      use store
      implicit none
      integer n, i, j, last, k(20000), least(7), most(0:1)
      integer(8) transfer
      real(8) b(900), shape
      real, target :: e(30)
      integer few(0:4), total, place
      n = 20000
      do i = 1, n
        k(i) = 1 + mod(i*7, 23)
      end do
      allocate (a(0:6, -2:9))
      a = 1
      b = -0.0d0
      counts = 0
      e = 0.5
      least = 100
      most = -100
      transfer = 3
      shape = 2
      w => e(1:29:2)
      do i = 1, n
        a(mod(k(i), 7), k(i)/3) = a(mod(k(i), 7), k(i)/3) + 0.25d0*k(i)
        b(k(i)) = b(k(i)) + shape
        b(31 + k(i)) = b(31 + k(i)) - transfer
      end do
      call add(n, k, 7, 2, w)
      do 10 j = 3, 20, 4
      do 10 i = n, 1, -3
   10 counts(k(i)*j - 5) = counts(k(i)*j - 5) + i
      do i = 1, n
        last = i*3
        b(last/n + 800) = b(last/n + 800) + 1
      end do
      print *, a, b(1:60), counts, e, least, most, last, i, j
      call mixed(n, k, b, total, few, place)
      print *, b(1:30), total, few, place
      contains
      subroutine add(n, k, m, o, w)
      integer n, k(n), m, o, i
      real w(:)
      do i = 1, n
        if (k(i) .lt. 15) w(k(i)) = w(k(i)) + 0.5
      end do
      call extreme(m, o, least, most, n, k)
      end subroutine
      subroutine mixed(n, k, b, total, few, place)
      integer n, k(n), total, few(0:4), place, i, best
      real(8) b(*), c(30)
      c = 0
      total = 7
      few = 0
      place = 0
      best = -1
      do i = 1, n
        if (mod(i*13, 10007) .gt. best) then
          best = mod(i*13, 10007)
          place = i
        end if
        total = total + k(i)
        few(mod(i, 5)) = few(mod(i, 5)) + 1
        counts(k(i)) = counts(k(i)) - 1
      end do
      b(1:30) = b(1:30) + c + counts(1:30) + best
      end subroutine
      subroutine extreme(m, o, small, large, n, k)
      integer m, o, small(m), large(0:o - 1), n, k(n), i
      do 20 i = 1, n
        small(1 + k(i)/4) = min(small(1 + k(i)/4), k(i) - i)
        large(mod(k(i), 2)) = max(k(i), large(mod(k(i), 2)))
   20 continue
      end subroutine
      end program
`, 7},
}
