package programs

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// staged is a program whose arrays are memory of the host: the stack, ALLOCATE, COMMON; with strides, reversed, overlapping, empty, constant, and a
// pointer that is not used after its target was freed. Two threads launch over rows, and over halves, of one array at a time, and count in one.
const staged = `module m
  !$ use omp_lib
contains
  subroutine add(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(:), b(:)
    real(8), intent(inout) :: c(:)
    integer :: i
    do i = 1, n
      c(i) = c(i) + 2*a(i) - b(i)
    end do
  end subroutine add
  subroutine few(n, a, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) > 20) c(i) = a(i)
    end do
  end subroutine few
  integer function above(n, a, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: c(n)
    integer :: i
    above = 0
    do i = 1, n
      if (a(i) > 7) above = above + 1
      c(i) = c(i) + a(i)
    end do
  end function above
  subroutine block
    integer :: i
    real(8) :: u(40), v(40)
    common /shared/ u, v
    do i = 1, 40
      v(i) = v(i) + u(i)
    end do
  end subroutine block
  subroutine rows(y)
    real(8), intent(inout) :: y(:, :)
    integer :: k, r
    !$omp parallel num_threads(2) private(k, r)
    k = 1
    !$ k = 1 + omp_get_thread_num()
    r = 0
    do while (r < 40)
      call grow(size(y, 2), y(k, :))
      r = r + 1
    end do
    !$omp end parallel
  end subroutine rows
  subroutine grow(n, z)
    integer, intent(in) :: n
    real(8), intent(inout) :: z(:)
    integer :: i
    do i = 1, n
      z(i) = z(i) + i
    end do
  end subroutine grow
  subroutine part(n, first, last, a)
    integer, intent(in) :: n, first, last
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = first, last
      a(i) = a(i) + 0.1d0*i
    end do
  end subroutine part
  subroutine counts(n, k, h)
    integer, intent(in) :: n, k(n)
    integer, intent(inout) :: h(:)
    integer :: i
    do i = 1, n
      !$omp atomic
      h(k(i)) = h(k(i)) + 1
    end do
  end subroutine counts
  subroutine halves(n, a, k, h)
    integer, intent(in) :: n, k(n)
    real(8), intent(inout) :: a(n)
    integer, intent(inout) :: h(:)
    integer :: r, half
    !$omp parallel num_threads(2) private(r, half)
    half = 0
    !$ half = omp_get_thread_num()
    r = 0
    do while (r < 40)
      call part(n, 1 + half*n/2, (1 + half)*n/2, a)
      call counts(n, k, h)
      r = r + 1
    end do
    !$omp end parallel
  end subroutine halves
  subroutine maybe(n, has, w, r, a)
    integer, intent(in) :: n
    logical, intent(in) :: has
    real(8) :: w(n)
    real(8), pointer :: r(:)
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      if (has) w(i) = 2*w(i) + r(i)
      a(i) = a(i) + w(i)
    end do
  end subroutine maybe
end module m
program p
  use m
  implicit none
  integer :: i, n
  real(8), parameter :: constant(50) = [(0.5d0*i, i=1, 50)]
  real(8), pointer :: q(:), r(:)
  integer :: k(2000), h(7)
  real(8), allocatable :: big(:, :)
  real(8) :: x(200), u(40), v(40), y(2, 600)
  real(8) :: a(2000)
  common /shared/ u, v
  k = [(1 + mod(i, 7), i=1, 2000)]
  h = 0
  a = 1
  allocate (q(1000000))
  q = 1
  r => q
  x = [(0.3d0*i, i=1, 200)]
  u = x(:40)
  v = 1
  y = 0
  allocate (big(3, 500000))
  big = 1
  call add(50, x(1:50), x(26:75), x(101:150))
  call add(50, x(50:1:-1), x(2:100:2), x(200:151:-1))
  call add(0, x(1:0), x(1:0), x(1:0))
  call few(0, x, x)
  call few(200, x*1d0, x)
  n = above(100, x(1:100), x(101:200))
  call block
  call rows(y)
  call grow(500000, big(2, :))
  call few(500000, big(1, :), big(3, :))
  call halves(2000, a, k, h)
  call maybe(50, .false., constant, r, a(1:50))
  call maybe(50, .true., a(51:100), r, a(1:50))
  deallocate (q)
  call maybe(50, .false., a(51:100), r, a(1:50))
  print '(7i8)', h
  print '(i0,*(/,z16))', n, a, x, v, y, sum(big(1, :)), sum(big(2, :)), sum(big(3, :))
end program p
`

// TestDeviceStages: arrays that the device cannot access are copied, and the program has the bits of the original; the library prints the copies. The
// host does what does not fit the device.
func TestDeviceStages(t *testing.T) {
	w := with(t)
	env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	source := w.source("staged.f90", staged)
	converted := w.convert([]string{"--auto", "--device", "cuda", "--always-launch"}, source)
	w.build("original", []string{"-O1", "-fopenmp"}, source)
	w.build("converted.x", []string{"-O1", "-fopenmp"}, converted...)
	want := w.run(nil, "original")
	out, text, err := w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1"), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Regexp(t, `few:\d+ +c +4 +8 MB\n`, text)
	require.Regexp(t, `block:\d+ +v +2 +640 B\n`, text)
	require.Regexp(t, `block:\d+ +u +1 +320 B\n`, text)
	require.Regexp(t, `above:\d+ +c +2 +1.6 kB\n`, text)
	require.Contains(t, text, "Allocate them from the pool")
	require.Regexp(t, `allocate it from the pool \(gator_allocate, portable_alloc\): maybe:\d+\.\n`, text, "only the freed pointer keeps a launch on the host")
	out, text, err = w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1", "GATOR_INITIAL_MB=1", "PORTABLE_LIMIT_MB=1"), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	for _, label := range []string{"grow", "few"} {
		require.Regexp(t, `had no memory left for copies of the arrays of these; .*[ :]`+label+`:\d+[.,]`, text, "the slowest come first, in any order")
	}
	require.Regexp(t, `block:\d+ +v +2 +640 B\n`, text)
	out, text, err = w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1", "PORTABLE_HOSTMEM=error"), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.NotContains(t, text, "Copies of arrays")
	require.Contains(t, text, "The device cannot access an array of these, ")
	out, text, err = w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1", "PORTABLE_NVRTC_LIBRARY="+w.path("none.so")), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Contains(t, text, "NVRTC was not found")
	require.NotContains(t, text, "cannot access")
	require.NotContains(t, text, "Copies of arrays")
}
