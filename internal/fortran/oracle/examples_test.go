package oracle

// examples are programs for TestPrograms; their modules have different names.
var examples = map[string]string{
	"products": `subroutine products(q, v, n, p, x)
  real(8), intent(in) :: q(3, 3)
  real, intent(in) :: v(3)
  integer, intent(in) :: n(3)
  real(8), intent(out) :: p(3), x
  p = matmul(q, v)
  p = matmul(real(q), [1, 2, 3])
  p = matmul([1, 2, 3], q)
  x = dot_product(v, [4, 5, 6]) + dot_product(n, v) + dot_product(p, n)
end subroutine
`,
	"objects": `module m2
  implicit none
  type t
    integer :: k = 1
    real :: r(3)
  contains
    procedure :: f
  end type
  interface operator(+)
    module procedure plus
  end interface
contains
  function plus(a,b) result(c)
    type(t), intent(in) :: a,b
    type(t) :: c
    c%k = a%k+b%k
  end function
  integer function f(self, x)
    class(t) :: self
    integer, optional :: x
    f = self%k
  end function
end module
program p
  use m2
  use iso_c_binding
  implicit none
  complex :: z
  logical(1) :: lo
  character(5) :: c
  type(t) :: a, b
  class(t), allocatable :: k
  type(t), allocatable :: arr(:)
  integer, pointer :: q(:)
  integer(c_long) :: cl
  integer :: i, n
  real :: x
  procedure(f), pointer :: pp
  common /blk/ n
  save x
  z = (1.0, 2)*x + cmplx(1,2)
  lo = .not. (x > 1) .neqv. .true._1
  c = 'it''s' // c(2:)
  a = a + b
  i = a%f() + a%f(x=2)
  arr = [t(1,[1.,2.,3.]), b]
  i = -i**2 + (+3)
  x = real((i))
  x = sum(arr%k*1.0) + arr(2)%r(i)
  associate (w => a%r(2:3))
    w = w*2
  end associate
  block
    integer :: i
    i = 3_8
  end block
  q => null()
  if (i == 3) x = 1
  select case (i)
  case (1:2)
    x = -1e-3
  case default
    x = 0
  end select
  do while (i < 3)
    i = i+1
  end do
  select type (k)
  type is (t)
    k%k = 2
  class default
    x=2
  end select
  do i = 1, 10, n
    print *, x, z, a%k
  end do
  q(1:3) = [(i*2, i=1,3)]
  q = [(i*n, i=1,3)]
  forall (i=1:3) q(i) = i*2.0
  write (*,*) x+1d0
  x = merge(1.0, 2.0, i>1) + size(q) + q(size(q)) + selected_real_kind(i) + 1.5_c_float + huge(x)
  x = nint(x) + floor(x,8) + ceiling(1.5d0*x)+ mod(i,3)+sign(1.0,x)+dot_product(q,q) + aimag(z) + abs(z) + iand(i,3)+ibset(i,2)+ishft(i,1)
end program
`,
	"loops": `module m
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp), parameter :: g = 9.81, pi=4*atan(1.0_wp)
  integer, parameter :: tab(3) = [1,2,3]
  type t
    real(wp), allocatable :: a(:,:)
    integer :: k = 3
  end type
  real(wp), allocatable :: x(:,:)
contains
  recursive subroutine s(n, y, z, c)
    integer, intent(in) :: n
    real(wp), intent(inout) :: y(0:n+1, n)
    type(t) :: z
    character(len=*) :: c
    integer :: i, j
    logical :: ok
    do i = 1, n
      do j = 1, n*tab(2)
        y(i,j) = x(i,j)*0.1 + g/2 + i/2 + 2**(-1) + x(i,j)**2 + sum(z%a(:,j))
        z%k = int(y(i,j)) + tab(i)
      end do
      if (y(i,1) > 0) exit
      if (y(i,1) > 0 .and. c == 'abc') then
         call s(n-1, y, z, c(1:2))
      else if (y(i,2) /= 1.5) then
         ok = any(y > 0.5)
      end if
    end do
    do concurrent (i=1:n, j=1:3)
      y(i,j) = max(1.0_wp, y(i,j), real(i,wp))
    end do
    where (y > 0) y = sqrt(y)
    y = pi
  end subroutine
end module
`,
	"old": `
      subroutine old(a, n, f)
      implicit real*8 (a-h, o-z)
      dimension a(n, *), b(10)
      common /blk/ c, k(3)
      equivalence (b(1), d)
      parameter (two = 2, third = 1.0/3)
      external f
      sq(x) = x*x
      do 10 i = n, 1, -2
        a(i, 1) = sq(b(3))*two + f(a(i, 2), 1) + c**k(2) + third
   10 continue
      if (d .gt. 0) k(1) = d*1.5
      call other(a(1, 2), n + 1, 0.1)
      end subroutine
`,
}
