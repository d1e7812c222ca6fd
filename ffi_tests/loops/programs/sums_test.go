package programs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file has sums into elements of arrays whose sizes are known at the launch: they go into copies, with the same bits on any number of threads. Not
// in this file: which sums there are (semantics), small arrays with constant bounds (devices_sums.f90 of the semantics).

// rounded has sums whose last bits depend on their order.
const rounded = `module m
  use, intrinsic :: iso_c_binding
  implicit none
  real(8), allocatable :: held(:, :)
  integer :: last
contains
  subroutine add(n, cells, k, x, a)
    integer, intent(in) :: n, cells, k(n)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: a(-1:cells - 2)
    integer :: i
    do i = 1, n
      a(k(i) - 2) = a(k(i) - 2) + x(i)
      if (x(i) > 0.5d0) a(k(i) - 2) = a(k(i) - 2) - x(i)*x(i)
      last = i
    end do
  end subroutine
  subroutine several(n, rows, k, x, small, list, count)
    integer, intent(in) :: n, rows, k(n)
    real(8), intent(in) :: x(n)
    real(4), intent(inout) :: small(:)
    real(8), intent(inout) :: list(:)
    integer(8), intent(inout) :: count(rows)
    integer :: i, j
    do j = 4, 1, -1
      do i = n, 1, -2
        held(k(i), 1 + mod(j, 3)) = held(k(i), 1 + mod(j, 3)) + x(i)
        small(k(i)) = small(k(i)) + real(x(i), 4)
        list(k(i)) = list(k(i)) + x(i)/j
        count(k(i)) = count(k(i)) + i
      end do
    end do
  end subroutine
  subroutine reduced(n, cells, k, x, a, total, few)
    integer, intent(in) :: n, cells, k(n)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: a(cells), total, few(3)
    integer :: i
    do i = 1, n
      total = total + x(i)/3
      a(k(i)) = a(k(i)) + x(i)*x(i)
      few(1 + mod(i, 3)) = few(1 + mod(i, 3)) + x(i)
    end do
  end subroutine
  subroutine counted(n, cells, k, x, count, total)
    integer, intent(in) :: n, cells, k(n)
    real(8), intent(in) :: x(n)
    integer(8), intent(inout) :: count(cells)
    real(8), intent(inout) :: total
    integer :: i
    do i = 1, n
      total = total + x(i)/3
      count(k(i)) = count(k(i)) + 1
    end do
  end subroutine
  subroutine extremes(n, rows, k, least, most)
    integer, intent(in) :: n, rows, k(n)
    integer, intent(inout) :: least(rows), most(rows)
    integer :: i
    do i = 1, n
      least(k(i)) = min(least(k(i)), k(i) - i)
      most(k(i)) = max(i, most(k(i)))
    end do
  end subroutine
end module
program p
  use m
  integer, parameter :: n = 60000, cells = 700
  integer :: k(n), i, least(cells), most(cells)
  integer(8) :: count(cells)
  real(8) :: x(n), a(cells), total, few(3)
  real(8) :: wide(2*cells)
  real(4) :: small(2*cells)
  do i = 1, n
    x(i) = modulo(i*0.6180339887498949d0, 1d0)
    k(i) = 1 + int(cells*modulo(i*0.7548776662466927d0, 1d0))
  end do
  allocate (held(cells, 4))
  held = 0.1d0; a = -0d0; wide = 1d0/3; small = 0; count = 0; least = 0; most = 0; last = -1
  call add(n, cells, k, x, a)
  print '(*(z17))', a, last
  call add(0, cells, k, x, a)
  call several(n, cells, k, x, small(:cells), wide(:cells), count)
  print '(*(z17))', a, held, small, wide, count, last
  total = 0.1d0; few = 0.7d0
  call reduced(n, cells, k, x, a, total, few)
  call counted(n, cells, k, x, count, total)
  print '(*(z17))', a, total, few, count
  call reduced(0, cells, k, x, a, total, few)
  x = 12 ! exact sums: an array with gaps has atomic operations
  wide = 0; held = 0; small = 0
  call several(n, cells, k, x, small(::2), wide(1::2), count)
  print '(*(z17))', wide, held, small, count
  call extremes(n, cells, k, least, most)
  print '(*(z17))', least, most
end program
`

// TestSums: copies of arrays of run-time size give sums of reals the same bits on any number of threads.
func TestSums(t *testing.T) { sums(t, with(t), "-O1", "-fcheck=all") }

// TestFlangSums: the same by flang, in a build by another compiler.
func TestFlangSums(t *testing.T) {
	if isFlang(*fc) {
		t.Skip("TestSums does it")
	}
	compiler := flang(t)
	sums(t, withFlang(t, compiler, flangModules(t, compiler)), "-O1")
}

func sums(t *testing.T, w *work, flags ...string) {
	name := w.source("user.f90", rounded)
	w.build("plain", flags, name)
	w.build("program", flags, w.convert([]string{"--auto"}, name)...)
	log := w.path("log")
	want := w.run([]string{"PORTABLE_NUM_THREADS=2", "PORTABLE_VERBOSE=" + log}, "program")
	for _, label := range []string{"add:12", "several:25", "reduced:39", "counted:51", "extremes:60"} {
		require.Contains(t, w.text("log"), "'"+label+" copies' begins")
	}
	for _, env := range []string{"PORTABLE_NUM_THREADS=1", "PORTABLE_NUM_THREADS=3", "PORTABLE_NUM_THREADS=7", "PORTABLE_DEVICE=serial"} {
		require.Equal(t, want, w.run([]string{env, "PORTABLE_TUNING=*: tile=32"}, "program"), env)
	}
	plain := strings.Fields(w.run(nil, "plain"))
	for i, word := range strings.Fields(want) { // the terms are the same: only last bits differ
		require.Equal(t, plain[i][:min(len(plain[i]), 3)], word[:min(len(word), 3)], "word %d", i)
	}
}

// guarded has an array of which a page may only be read, results that depend on the order of the parts, and an array that is declared with fewer elements
// than it has.
const guarded = `module m
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    type(c_ptr) function mmap(at, bytes, access, flags, file, offset) bind(c)
      import :: c_ptr, c_size_t, c_int, c_long
      type(c_ptr), value :: at
      integer(c_size_t), value :: bytes
      integer(c_int), value :: access, flags, file
      integer(c_long), value :: offset
    end function
    integer(c_int) function mprotect(at, bytes, access) bind(c)
      import :: c_ptr, c_size_t, c_int
      type(c_ptr), value :: at
      integer(c_size_t), value :: bytes
      integer(c_int), value :: access
    end function
  end interface
contains
  subroutine add(n, cells, a)
    integer, intent(in) :: n, cells
    real(8), intent(inout) :: a(cells)
    integer :: i
    do i = 1, n
      a(1 + mod(i, 2)*(cells - 1)) = a(1 + mod(i, 2)*(cells - 1)) + i
    end do
  end subroutine
  subroutine places(n, rows, a, most, row, round, last)
    integer, intent(in) :: n, rows
    real(8), intent(inout) :: a(rows)
    integer, intent(inout) :: most, row, round, last
    integer :: i, j
    do j = 1, 3
      do i = 1, n
        if (mod(i*j, 1009) >= most) then
          most = mod(i*j, 1009)
          row = i
          round = j
        end if
        a(1 + mod(i, rows)) = a(1 + mod(i, rows)) + j
      end do
    end do
    do j = 1, 3
      do i = 1, n
        if (mod(i, 2000) == 7 .and. j < 3 .and. i < n/j) last = 10*i + j
        a(1 + mod(i, rows)) = a(1 + mod(i, rows)) + j
      end do
    end do
  end subroutine
  subroutine old(n, rows, a)
    integer :: n, rows, i
    real(8) :: a(rows, 1)
    do i = 1, n
      a(mod(i, rows) + 1, mod(i, 3) + 1) = a(mod(i, rows) + 1, mod(i, 3) + 1) + i
    end do
  end subroutine
end module
program p
  use m
  integer, parameter :: page = 65536, n = 2000000
  type(c_ptr) :: at
  integer(c_intptr_t) :: place
  real(8), pointer :: a(:)
  real(8) :: b(50, 3)
  integer :: most, row, round, last
  at = mmap(c_null_ptr, 3_c_size_t*page, 3, int(z'22'), -1, 0_c_long)
  call c_f_pointer(at, a, [3*page/8])
  a = 1
  place = transfer(at, place) + page
  if (mprotect(transfer(place, at), int(page, c_size_t), 1) /= 0) error stop 'mprotect'
  call add(n, size(a), a)
  b = 0
  call old(n, 50, b)
  print *, a(1), a(size(a)), sum(a), b
  most = -1; row = 0; round = 0; last = 5
  call places(100000, 50, b, most, row, round, last)
  print *, b, most, row, round, last
end program
`

// TestSumsWriteNoOther: elements to which no iteration adds are not written, because others may write them: a message that comes in, say. An array with a
// last dimension of 1, which is longer in old programs, has no copies.
func TestSumsWriteNoOther(t *testing.T) {
	w := with(t)
	name := w.source("user.f90", guarded)
	w.build("plain", nil, name)
	w.build("program", nil, w.convert([]string{"--auto"}, name)...)
	want, log := w.run(nil, "plain"), w.path("log")
	require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=3", "PORTABLE_VERBOSE=" + log}, "program"))
	for _, label := range []string{"add:24", "places:33", "places:43"} {
		require.Contains(t, w.text("log"), "'"+label+" copies' begins")
	}
	require.NotContains(t, w.text("log"), "'old:53 copies' begins")
	require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=2", "GATOR_INITIAL_MB=1", "GATOR_GROW_MB=1", "PORTABLE_LIMIT_MB=1"}, "program"))
	w.build("checked", nil, w.convert([]string{"--auto", "--check"}, name)...)
	require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=2"}, "checked"))
	out, _, err := w.try([]string{"PORTABLE_CHECK=races", "PORTABLE_NUM_THREADS=2"}, w.path("checked"))
	require.NoError(t, err)
	require.Equal(t, want, out)
}

// narrow has terms of narrower kinds than the elements. All sums are exact, so the order does not matter.
const narrow = `module m
  implicit none
contains
  subroutine add(n, k, big, small, x, y, h, c, r)
    integer, intent(in) :: n, k(n), big(n)
    integer(1), intent(in) :: small(n)
    real(4), intent(in) :: x(n), y(n)
    integer(8), intent(inout) :: h(*)
    integer, intent(inout) :: c(*)
    real(8), intent(inout) :: r(*)
    integer :: i
    do i = 1, n
      h(k(i)) = h(k(i)) + big(i) + big(i)
      c(k(i)) = c(k(i)) - small(i)
      r(k(i)) = r(k(i)) + x(i) + y(i)
    end do
  end subroutine
  subroutine empty(n, k, none, a, b, last)
    integer, intent(in) :: n, k(n), none
    real(8), intent(inout) :: a(12), b(none)
    integer, intent(inout) :: last
    integer :: i
    do i = 1, n
      a(k(i)) = a(k(i)) + 1
      if (k(i) > 12) b(k(i)) = b(k(i)) + 1
      if (k(i) == 3) last = i ! a long comment behind a statement of one line, which may not be continued: it would be a line of its own
    end do
  end subroutine
end module
program p
  use m
  integer, parameter :: n = 40000
  integer :: k(n), big(n) = 2000000000, c(12) = 0, i, last = 0
  integer(1) :: small(n) = -128
  real(4) :: x(n) = 16777216., y(n) = 1.
  integer(8) :: h(12) = 0
  real(8) :: r(12) = 0, a(12) = 0, b(0)
  k = [(1 + mod(i*7, 12), i=1,n)]
  call add(n, k, big, small, x, y, h, c, r)
  call empty(n, k, 0, a, b, last)
  print *, h, c, r, a, last
end program
`

// TestSumsOfNarrowTerms: each term is added in the kind of the element, also by atomic additions; an array without elements has no copy.
func TestSumsOfNarrowTerms(t *testing.T) {
	w := with(t)
	name := w.source("user.f90", narrow)
	w.build("plain", nil, name)
	w.build("program", []string{"-fcheck=all"}, w.convert([]string{"--auto", "--always-launch"}, name)...)
	want := w.run(nil, "plain")
	for _, env := range []string{"PORTABLE_NUM_THREADS=1", "PORTABLE_NUM_THREADS=3"} {
		require.Equal(t, want, w.run([]string{env}, "program"), env)
	}
}
