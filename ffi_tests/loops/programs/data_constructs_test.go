package programs

// Programs for TestDataRegions: storage, constructs, input and output.

var regionalConstructs = []regional{
	{name: "storage", source: `subroutine layout(s)
  use k
  real(8) :: z(50), one
  integer :: s
  common /shared/ one, z
  call grow(z(3:20), 1.5d0)
  one = one + s
end subroutine
program p
  use k
  real(8) :: x(40), y(11)
  common /shared/ x, y
  real(8) :: t
  integer :: s
  x = 1; y = 2; t = 0
  !$portable data ! region r
  do s = 1, 5
    call grow(x, 1.25d0)
    call layout(s)
    t = t + x(1) + y(3)
    call grow(y, 0.5d0)
  end do
  !$portable end data
  print '(z16)', x, y, t
end program
`, notes: "'z', which launches in the data region use, has no name in it"},
	{name: "constructs", source: `module objects
  use k
  type thing
    real(8) :: v(60) = 2
  contains
    procedure :: advance
    procedure, nopass :: quiet
  end type
  interface change
    module procedure change_one, change_all
  end interface
contains
  subroutine advance(self, by)
    class(thing), intent(inout) :: self
    real(8), intent(in) :: by
    call grow(self%v, by)
    self%v(1) = self%v(1) + 1
  end subroutine
  real(8) function quiet(x)
    real(8), intent(in) :: x(:)
    quiet = sum(x)
  end function
  subroutine change_one(x)
    real(8), intent(inout) :: x
    x = x + 1
  end subroutine
  subroutine change_all(x)
    real(8), intent(inout) :: x(:)
    call grow(x, 1.01d0)
  end subroutine
  recursive subroutine down(x, n)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    !$portable data inout(x) ! region deep
    call grow(x, 1.5d0)
    x(n) = x(n) + n
    if (n > 1) call down(x, n - 1)
    call grow(x, 0.5d0)
    !$portable end data
  end subroutine
  subroutine fresh(x, n)
    real(8), allocatable, intent(out) :: x(:)
    integer, intent(in) :: n
    allocate (x(n))
    call set(x, 0.1d0)
  end subroutine
end module
program p
  use objects
  type(thing) :: o
  real(8) :: a(60), b(60), x
  real(8), allocatable :: f(:)
  integer :: s, i
  a = 1; b = 2; x = 0
  allocate (f(30))
  f = 1
  !$portable data ! region r
  do s = 1, 5
    call grow(a, 1.1d0)
    associate (q => a(2:40), y => b(3) + a(1))
      call grow(q, 1.2d0)
      q(3) = y
      x = x + y
    end associate
    block
      real(8) :: own(60)
      own = a
      call grow(own, 0.5d0)
      a = a + own
    end block
    select case (int(a(3)))
    case (0:5)
      call grow(b, 1.01d0)
    case default
      b(2) = b(2) + 1
    end select
    where (b > 2.02d0) b = b - a
    forall (i=1:60) b(i) = b(i)*2
    do concurrent (i=1:60)
      a(i) = a(i) + i
    end do
    call o%advance(1.01d0)
    x = x + o%quiet(o%v) + quick(b) + total(a)*a(2)
    call change(a(4))
    call change(a)
    call down(b, 3)
    call fresh(f, 30 + s)
    call grow(f, 2d0)
    f(2) = f(1)
    o%v(2) = total(o%v)
    i = 0
    do while (i < 2)
      i = i + 1
      call grow(a, 0.9d0)
    end do
  end do
  !$portable end data
  print '(z16)', a, b, o%v, f, x
contains
  real(8) function quick(y)
    real(8), intent(in) :: y(:)
    quick = y(1) + a(2) ! of the host
  end function
end program
`},
	{name: "input and output", source: `program p
  use k
  real(8) :: a(50), b(50)
  character(20) :: text
  integer :: s, u
  namelist /group/ a
  a = 1; b = 2
  open (newunit=u, status='scratch', form='unformatted', asynchronous='yes')
  !$portable data ! region r
  do s = 1, 4
    call grow(a, 1.5d0)
    write (u) a
    rewind (u)
    call grow(b, 1.25d0)
    read (u, err=9) b(1:25)
9   continue
    rewind (u)
    write (text, '(f20.10)') b(3)
    read (text, *) a(4)
    call smooth(50, b, a)
    if (s == 3) write (*, nml=group)
  end do
  !$portable end data
  print '(z16)', a, b
  print *, text
end program
`},
	{name: "the end inside", source: `program p
  use k
  real(8) :: a(50)
  integer :: s
  a = 1
  !$portable data ! region r
  do s = 1, 4
    call grow(a, 1.5d0)
    if (s == 3) then
      print '(z16)', a
      stop
    end if
  end do
  !$portable end data
  print *, 'never'
end program
`},
	{name: "names of the user", source: `module portable_names
  use k
contains
  subroutine run(portable_data_open, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: portable_data_open(n)
    integer :: portable_arg
    !$portable data ! region r
    do portable_arg = 1, 4
      call grow(portable_data_open, 1.5d0); portable_data_open(1) = 3; call grow(portable_data_open, 1.25d0)
    end do
    !$portable end data
  end subroutine
end module
use portable_names
real(8) :: a(100)
a = 1
call run(a, 100)
print '(z16)', a
end
`},
	{name: "pointers with new targets", source: `module views
  use k
  real(8), pointer :: seen(:) => null()
contains
  function view(x) result(y)
    real(8), target, intent(in) :: x(:)
    real(8), pointer :: y(:)
    y => x(2:9)
  end function
  subroutine look(x)
    real(8), target, intent(in) :: x(:)
    seen => x
  end subroutine
end module
program p
  use views
  real(8), target :: a(400), b(50)
  real(8), pointer :: q(:)
  real(8) :: x
  integer :: s, i
  a = 1; b = 2; x = 0
  q => b
  !$portable data ! region r
  do s = 1, 4
    call grow(a, 1.5d0)
    call grow(b, 1.25d0)
    x = x + b(3)
    q => a(3:40)
    q(2) = 7
    call grow(a, 1.5d0)
    call grow(b, 1.25d0)
    q => view(b)
    x = x + q(3)
    q(4) = 2
    call grow(b, 1.5d0)
    view(b) = [1d0, 2d0, 3d0, 4d0, 5d0, 6d0, 7d0, 8d0]
    call grow(b, 1.5d0)
    x = x + sum(view(a))
    call look(b)
    seen(3) = 9
    call grow(a, 1.5d0)
    call look(a)
    seen(4) = seen(5) + 9
    call grow(a, 1.5d0)
    call grow(b, 1.5d0)
    do i = 1, 3           ! its pointer has a target in each iteration
      q => a(i:)
      q(1) = 0.5d0*q(2) + b(i)
    end do
    call grow(a, 1.5d0)
    associate (z => a(5:9))
      call grow(z, 0.5d0)
      z(2) = 3
    end associate
  end do
  !$portable end data
  print '(z16)', a, b, x
  !$portable data
  call grow(a, 1.5d0)
  !$portable end data
contains
  subroutine never
  end subroutine
end program
`},
	{name: "labels at the ends of loops", source: `program p
  use k
  real(8) :: a(40), x
  integer :: s, i
  a = 1; x = 0
  !$portable data ! region r
  do 10 s = 1, 4
    call grow(a, 1.5d0)
  10 x = x + a(2)
  do 20 s = 1, 2
    do 20 i = 1, 2
      call grow(a, 1.25d0)
  20 a(i) = a(s) + x
  30 print '(z16)', a(1)
  !$portable end data
  print '(z16)', a, x
end program
`, want: []string{"r a 12"}},
	{name: "loops of threads that are converted", source: `module levels
  implicit none
contains
  subroutine lex(n, m, c, q, w, s, mx)
    integer, intent(in) :: n, m, c
    real(8), intent(inout) :: q(n, m, c), w(m, c), s
    integer, intent(inout) :: mx
    real(8) :: tmp(n)
    integer :: i, j, k, t
    !$portable parallel on(cpu) private(tmp)
    do j = 1, c
      tmp = 0
      !$portable data
      !$portable parallel on(gpu)
      do k = 1, m
        do i = 1, n
          q(i, k, j) = q(i, k, j)/2 + i
        end do
      end do
      w(1, j) = q(2, 2, j)
      !$portable parallel on(gpu)
      do i = 1, n
        tmp(i) = tmp(i) + q(i, 1, j) + w(1, j)
      end do
      !$portable end data
      q(1, 1, j) = tmp(2)
    end do
    !$acc data copy(q) copyin(w)
    !$omp parallel do private(t, k, i) reduction(max: mx)
    do j = 1, c
      do t = 1, 3
        !$acc parallel loop
        do k = 1, m
          do i = 1, n
            q(i, k, j) = q(i, k, j) - t + w(k, j)
          end do
        end do
        if (t == 2) then
          q(1, 2, j) = 5
          !$acc parallel loop
          do i = 1, n
            q(i, 1, j) = q(i, 2, j)
          end do
          if (q(3, 1, j) > 100) cycle
          w(2, j) = q(1, 1, j)
          !$acc update device(w)
        end if
        mx = max(mx, int(q(2, 1, j)))
      end do
    end do
    !$omp end parallel do
    !$omp parallel do private(i)
    do j = 1, c
      !$portable data
      !$acc parallel loop
      do i = 1, n
        q(i, 1, j) = q(i, 1, j) + 1
      end do
      w(3, j) = q(4, 1, j)
      !$portable end data
    end do
    !$acc parallel loop reduction(+: s)
    do j = 1, c
      s = s + nint(q(1, 1, j))
    end do
    !$acc end data
  end subroutine
end module
program p
  use levels
  implicit none
  integer, parameter :: n = 30, m = 4, c = 6
  real(8) :: q(n, m, c), w(m, c), s
  integer :: it, mx
  q = 1; w = 2; s = 0; mx = 0
  call lex(n, m, c, q, w, s, mx)
  !$acc data copy(q, w)
  do it = 1, 3
    call lex(n, m, c, q, w, s, mx)
    q(1, 1, 1) = w(1, 1)
    call lex(n, m, c - 1, q, w, s, mx)
  end do
  !$acc end data
  print '(4z17)', q, w, s
  print *, mx
end program
`},
	{name: "memory of a procedure", source: `module tools
  use k
contains
  real(8) function median(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: t(:), u(:)
    allocate (t(size(x)))
    t = x
    u = [t, t]
    median = u(size(u)/2)
    deallocate (t)
  end function
end module
program p
  use tools
  real(8) :: a(50), x
  integer :: s
  a = 1; x = 0
  !$portable data ! region r
  do s = 1, 10
    call grow(a, 1.5d0)
    if (s == 5) x = median(a)
  end do
  !$portable end data
  print '(z16)', a, x
end program
`, want: []string{"r a 3"}},
	{name: "memory that a procedure frees", source: `module tools
  use k
contains
  subroutine renewed(x, n)
    real(8), allocatable, intent(inout) :: x(:)
    integer, intent(in) :: n
    real(8), allocatable :: new(:)
    if (n == size(x)) return
    allocate (new(n), source=2d0)
    new(1:min(n, size(x))) = x(1:min(n, size(x)))
    call move_alloc(new, x)
  end subroutine
  subroutine both(x, y)
    real(8), allocatable, intent(inout) :: x(:), y(:)
    call renewed(x, size(x) + 1)
    call renewed(y, size(y))
  end subroutine
end module
program p
  use tools
  real(8), allocatable :: a(:), b(:), c(:)
  integer :: s
  allocate (a(50), b(40), source=1d0)
  allocate (c(10), source=3d0)
  !$portable data ! region r
  do s = 1, 8
    call grow(a, 1.5d0)
    call grow(b, 0.5d0)
    call grow(c, 0.75d0)
    if (s == 4) call both(a, b)
    call renewed(b, 40)
  end do
  !$portable end data
  print '(z16)', a, b, c
end program
`, want: []string{"r a 4", "r b 16", "r c 2"}},
	{name: "memory that is not known", notes: "this statement may free memory", source: `module tools
  use k
contains
  subroutine renewed(x, y)
    real(8), pointer, intent(inout) :: x(:)
    real(8), pointer, intent(in) :: y(:)
    x => y
    deallocate (x)
    allocate (x(30), source=2d0)
  end subroutine
end module
program p
  use tools
  real(8), pointer :: a(:), b(:)
  integer :: s
  allocate (a(50), b(50), source=1d0)
  !$portable data ! region r
  do s = 1, 3
    call grow(a, 1.5d0)
    call renewed(b, b)
  end do
  !$portable end data
  print '(z16)', a, b
end program
`},
	{name: "a pointer to a part, used first", source: `program p
  use k
  real(8), target :: a(50)
  real(8), pointer :: q(:)
  integer :: s
  a = 1
  q => a(3:20)
  !$portable data ! region r
  do s = 1, 10
    call grow(q, 1.5d0)
    call grow(a, 0.5d0)
  end do
  !$portable end data
  print '(z16)', a
end program
`, want: []string{"r a 2"}},
}
