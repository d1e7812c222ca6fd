package programs

// Programs for TestDataRegions: regions in regions, procedures that are not seen, ways out, other tools' directives.

var regionalProcedures = []regional{
	{name: "nested", source: `module inside
  use k
contains
  subroutine solve(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8) :: t(n)
    integer :: s
    !$portable data local(t) ! region inner
    call set(t, 0.5d0)
    do s = 1, 5
      call smooth(n, x, t)
      call smooth(n, t, x)
    end do
    !$portable end data
    x(1) = x(1) + 1
  end subroutine
end module
program p
  use inside
  real(8) :: a(300)
  integer :: s
  a = 1
  call solve(a, 300)
  !$portable data ! region outer
  do s = 1, 3
    call solve(a, 300)
    call grow(a, 0.5d0)
  end do
  !$portable end data
  print '(z16)', a
end program
`, want: []string{"inner x 2", "outer a 8"}},
	{name: "unseen procedures", source: `program p
  use k
  use iso_c_binding
  interface
    subroutine qsort(a, n, m, f) bind(c)
      import
      type(c_ptr), value :: a
      integer(c_size_t), value :: n, m
      type(c_funptr), value :: f
    end subroutine
  end interface
  real(8), target :: a(200)
  real(8) :: b(200)
  integer :: s
  a = [(mod(7*s, 31)*1d0, s=1, 200)]; b = 1
  !$portable data ! region r
  do s = 1, 4
    call grow(a, 1.1d0)
    call grow(b, 1.1d0)
    call qsort(c_loc(a), 200_c_size_t, 8_c_size_t, c_funloc(less))
    call smooth(200, a, b)
  end do
  !$portable end data
  print '(z16)', a, b
contains
  integer(c_int) function less(x, y) bind(c)
    real(c_double), intent(in) :: x, y
    less = merge(-1, merge(1, 0, x > y), x < y)
  end function
end program
`, warns: "'qsort', called while a data region is open, is not seen", want: []string{"r b 2"}},
	{name: "external procedures that call back", source: `subroutine user(n, y)
  use k
  integer, intent(in) :: n
  real(8), intent(inout) :: y(n)
  call grow(y, 1.25d0)
  y(1) = y(1) + 1
end subroutine
program p
  use k
  external :: user
  interface
    subroutine twice(f, n, y)
      external :: f
      integer, intent(in) :: n
      real(8), intent(inout) :: y(n)
    end subroutine
  end interface
  real(8) :: y(100)
  integer :: s
  y = 1
  !$portable data ! region r
  do s = 1, 3
    call grow(y, 0.75d0)
    call twice(user, 100, y)
    call grow(y, 1.5d0)
  end do
  !$portable end data
  print '(z16)', y
end program
`, warns: "is not seen"},
	{name: "a procedure that frees", source: `program p
  use k
  interface
    subroutine renew(x)
      real(8), allocatable, intent(inout) :: x(:)
    end subroutine
  end interface
  real(8), allocatable :: a(:), b(:)
  integer :: s
  allocate (a(50), b(50))
  a = 1; b = 2
  !$portable data ! region r
  do s = 1, 6
    call grow(a, 1.5d0)
    call grow(b, 0.5d0)
    if (s == 3) call renew(a)
    call set(b(1:20), 0.5d0)
    call blocks
    call smooth(min(size(a), 50), a(1:50), b)
  end do
  !$portable end data
  print '(z16)', a, b
contains
  subroutine blocks
    real(8), allocatable :: own(:)
    allocate (own(50))
    call set(own, 2d0)
    own(3) = 1
    call grow(own, 3d0)
    b(7) = own(4)
  end subroutine
end program
`, warns: "'renew', called while a data region is open, is not seen"},
	{name: "exits, returns and the host", source: `module early
  use k
contains
  subroutine until(a, n, most)
    integer, intent(in) :: n, most
    real(8), intent(inout) :: a(n)
    integer :: s
    s = 0
    if (most == 0) return
    !$portable data inout(a) ! region r
    do
      s = s + 1
      if (s > most) exit
      call grow(a, 1.5d0)
      if (a(1) > 100) exit
      select case (s)
      case (2)
        a(5) = a(6)
      case (3)
        call grow(a(2:4), 2d0)
      case default
        cycle
      end select
    end do
    !$portable end data
  end subroutine
  subroutine stay(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    !$portable parallel on(cpu)
    do i = 1, size(a)
      a(i) = a(i) + 0.25d0
    end do
  end subroutine
end module
program p
  use early
  real(8) :: a(200), b(200)
  integer :: s, i
  a = 1; b = 1
  call until(a, 200, 0)
  call until(a, 200, 3)
  call until(a, 200, 300)
  !$portable data ! region q
  do s = 1, 4
    call grow(b, 1.5d0)
    call stay(b)                  ! threads of the host
    !$portable parallel serial(gpu)
    do i = 1, 200
      b(i) = b(i)*0.5d0
    end do
    !$portable off
    do i = 1, 200
      b(i) = b(i) + a(i)
    end do
    !$portable on
    call grow(b, 1.01d0)
  end do
  !$portable end data
  print '(z16)', a, b
end program
`},
	{name: "streams", source: `program p
  use k
  use portable_mod, only: portable_init, portable_finalize, stream_create, stream_destroy, stream_fence
  real(8) :: a(300)
  integer(8) :: q
  integer :: s, i
  a = 1
  call portable_init()
  call stream_create(q)
  !$portable data ! region r
  do s = 1, 5
    call grow(a, 1.5d0)
    !$portable parallel async(q)
    do i = 1, 300
      a(i) = a(i) + i
    end do
    call stream_fence(q)
    call grow(a, 0.5d0)
  end do
  !$portable end data
  call stream_destroy(q)
  call portable_finalize()
  print '(z16)', a
end program
`},
	{name: "extremes and sums", source: `program p
  use k
  real(8) :: a(300), b(300), x
  integer :: h(7), s, i, at
  a = [(sin(0.1d0*i), i=1, 300)]; b = 0; h = 0; x = 0
  !$portable data ! region r
  do s = 1, 5
    call grow(a, 0.9d0)
    x = -1d300
    do i = 1, 300
      x = max(x, a(i))
      b(i) = b(i) + a(i)
    end do
    do i = 1, 300
      h(1 + mod(i, 7)) = h(1 + mod(i, 7)) + 1
    end do
    at = 0
    x = -1d300
    do i = 1, 300
      if (a(i) > x) then
        x = a(i)
        at = i
      end if
    end do
    a(at) = -0d0
    a(300) = transfer(-2251799813685248_8, x) ! NaN
    print '(z16, i5)', x, at
    if (s == 4) a(300) = 0
  end do
  !$portable end data
  print '(z16)', a(:299), b(:299)
  print '(7i5)', h
end program
`},
	{name: "openacc", source: `program p
  use k
  real(8) :: a(300), b(300), t(300)
  integer :: s, i
  a = 1; b = 2; t = 0
  !$acc data copyin(a) copy(b) create(t) ! region r
  do s = 1, 20
    !$acc parallel loop present(a, t)
    do i = 1, 300
      t(i) = a(i) + s
    end do
    !$acc parallel loop
    do i = 1, 300
      b(i) = b(i) + t(i)
    end do
  end do
  !$acc update self(t)
  !$acc end data
  print '(z16)', a, b, t
end program
`, want: []string{"r a 1", "r b 2", "r t 1"}},
	{name: "enter and exit", source: `module state
  use k
  real(8), allocatable, save :: f(:), g(:)
contains
  subroutine start(n)
    integer, intent(in) :: n
    allocate (f(n), g(n))
    f = 1; g = 2
    !$acc enter data copyin(f) create(g)
  end subroutine
  subroutine finish
    !$acc exit data copyout(f) delete(g)
    deallocate (f, g)
  end subroutine
  subroutine work(s)
    integer, intent(in) :: s
    call set(g, 0.5d0*s)
    call smooth(200, g, f)
    if (s == 7) f(3) = 4
  end subroutine
end module
program p
  use state
  real(8) :: b(200), x
  integer :: s, r
  b = 1; x = 0
  do r = 1, 2
    call start(200)
    do s = 1, 10
      call work(s)
      call grow(b, 1.1d0)
      if (s == 5) x = x + f(4)
    end do
    print '(z16)', f, g(7)
    call finish
  end do
  print '(z16)', b, x
end program
`, entered: []string{"f 10", "g 4"}},
	{name: "threads", flags: []string{"-fopenmp"}, source: `module halves
  use k
contains
  subroutine half(a, low, high)
    real(8), intent(inout) :: a(:)
    integer, intent(in) :: low, high
    integer :: s
    !$portable data inout(a) ! region r
    do s = 1, 20
      call grow(a(low:high), 1.01d0)
      a(low) = a(low) + 1
    end do
    !$portable end data
  end subroutine
end module
program p
  use halves
  real(8) :: a(400), x
  integer :: t, s
  a = 1
  !$omp parallel do num_threads(2)
  do t = 0, 1
    call half(a, 1 + 200*t, 200*(t+1))
  end do
  x = 0
  !$portable data ! region q
  do s = 1, 5
    call grow(a, 0.9d0)
    !$omp parallel do reduction(max:x)
    do t = 1, 400
      x = max(x, a(t))
    end do
    !$omp parallel
    !$omp sections
    !$omp section
    a(3) = a(3) + 1
    !$omp section
    a(4) = a(4) + 2
    !$omp end sections
    !$omp end parallel
    call grow(a(1:100), 0.8d0)
  end do
  !$portable end data
  print '(z16)', a, x
end program
`, want: []string{"q a 12"}},
	{name: "openmp", source: `program p
  use k
  real(8) :: a(300), b(300)
  integer :: s, i
  a = 1; b = 2
  !$omp target data map(to: a) map(tofrom: b) ! region r
  do s = 1, 20
    !$omp target teams distribute parallel do
    do i = 1, 300
      b(i) = b(i) + a(i)
    end do
    if (s == 10) then
      !$omp target update from(b)
      print '(z16)', b(3)
    end if
  end do
  !$omp end target data
  print '(z16)', a, b
end program
`, want: []string{"r a 1", "r b 3"}},
	{name: "a receive that ends later", source: `program p
  use k
  external :: start_receive, wait_receive
  real(8) :: a(400), b(400)
  integer :: s, i
  a = 1; b = 0
  !$portable data ! region r
  do s = 1, 4
    call start_receive(a, 8)
    do i = 11, 400
      a(i) = 0.5d0*a(i) + s
    end do
    call wait_receive(100d0 + s)
    call smooth(400, a, b)
    call grow(a, 1.5d0)
  end do
  !$portable end data
  print '(z16)', a, b
end program
`, warns: "'start_receive', called while a data region is open, is not seen"},
}
