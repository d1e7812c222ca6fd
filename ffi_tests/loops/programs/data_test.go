package programs

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs programs with data regions on a device that cannot access the host's memory: they have the bits of the original, and the copies that
// the regions leave. Not in this file: refusals (internal/nest/data), the table of present arrays (exec/present).

// regional is a program. want are lines of the table of copies, in which a region begins at line @ of the source behind a comment "region NAME".
type regional struct {
	name, source string
	want         []string // label array copies; label NAME is "data UNIT:LINE" of the region NAME
	warns        string   // a part of what convert warns of
	flags        []string
}

const regionalKernels = `module k
  implicit none
  real(8), allocatable :: w(:)
  real(8) :: common_field(400)
contains
  subroutine smooth(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    integer :: i
    do i = 2, n-1
      b(i) = 0.25d0*(a(i-1) + 2*a(i) + a(i+1)) + 1d-3*i
    end do
  end subroutine
  subroutine grow(a, s)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, size(a)
      a(i) = a(i)*s + 0.5d0
    end do
  end subroutine
  subroutine set(a, s)
    real(8), intent(out) :: a(:)
    real(8), intent(in) :: s
    integer :: i
    do i = 1, size(a)
      a(i) = s*i
    end do
  end subroutine
  real(8) function total(a)
    real(8), intent(in) :: a(:)
    integer :: i
    total = 0
    do i = 1, size(a)
      total = max(total, a(i))
    end do
  end function
  real(8) function host_sum(a) ! a recurrence: it stays on the host
    real(8), intent(in) :: a(:)
    integer :: i
    host_sum = 0
    do i = 1, size(a)
      host_sum = 0.5d0*host_sum + a(i)
    end do
  end function
  subroutine push
    integer :: i
    do i = 1, 400
      common_field(i) = common_field(i) + i
    end do
  end subroutine
end module k
`

var regionals = []regional{
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
}

// TestDataRegions: the bits of the original, with the copies that are left, on a device that cannot access the host's memory, with a device whose
// compiler is missing, and on threads.
func TestDataRegions(t *testing.T) {
	for _, r := range regionals {
		t.Run(r.name, func(t *testing.T) {
			w := with(t)
			env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
			kernels, source := w.source("k.f90", regionalKernels), w.source("p.f90", r.source)
			unseen := w.source("unseen.f90", "subroutine twice(f, n, y)\n  external :: f\n  integer, intent(in) :: n\n  real(8), intent(inout) :: y(n)\n"+
				"  call f(n, y)\n  y(2) = y(2) + y(1)\n  call f(n, y)\nend subroutine\n")
			args := []string{"convert", "--auto", "--device", "cuda", "--always-launch", "--out", "converted", kernels, source}
			out, text, err := w.try(nil, *portablef, args...)
			require.NoError(t, err, out+text)
			if r.warns != "" {
				require.Contains(t, text, r.warns)
				_, text, err = w.try(nil, *portablef, append(slices.Clone(args), "--strict")...)
				require.Error(t, err, "--strict makes a warning an error: %s", text)
			} else {
				require.NotContains(t, text, "data region", "there is nothing to warn of")
			}
			flags := []string{"-O1"}
			w.build("original", append(w.include, flags...), kernels, source, unseen)
			w.build("converted.x", flags, "converted/k.pf.F90", "converted/p.pf.F90", unseen)
			want := w.run(nil, "original")
			run := func(about string, more ...string) string {
				out, text, err := w.try(append(slices.Clone(env), more...), w.path("converted.x"))
				require.NoError(t, err, "%s\n%s", about, text)
				require.Equal(t, want, out, about)
				return text
			}
			text = run("on the device", "PORTABLE_PROFILE=1")
			for _, row := range r.want {
				f := strings.Fields(row)
				require.Regexp(t, `data \w+:`+strconv.Itoa(lineOf(t, r.source, "! region "+f[0]))+` +`+f[1]+` +`+f[2]+` `, text, row)
			}
			if len(r.want) > 0 && r.warns == "" {
				require.Len(t, regexp.MustCompile(`(?m)^data `).FindAllString(text, -1), len(r.want), text)
			}
			run("without memory for copies", "GATOR_INITIAL_MB=1", "PORTABLE_LIMIT_MB=1")
			run("without a compiler", "PORTABLE_NVRTC_LIBRARY="+w.path("none.so"))
			run("without copies", "PORTABLE_HOSTMEM=error")
			run("memory that the device can access", "PORTABLE_HOSTMEM=allow", "FAKE_CUDA_ATTRIBUTE=pageable_memory_access=1")
			require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"), "on threads")
			// As the tool writes it for users: short loops are loops.
			out, text, err = w.try(nil, *portablef, "convert", "--quiet", "--auto", "--device", "cuda", "--out", "converted", kernels, source)
			require.NoError(t, err, out+text)
			w.build("converted.x", flags, "converted/k.pf.F90", "converted/p.pf.F90", unseen)
			run("short loops")
			require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"), "short loops on threads")
		})
	}
}
