package programs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs nests that set arrays and have a minimum or maximum of reals. Where it meets a NaN or -0.0 the host runs the nest again, so what the
// device wrote must be gone. Not in this file: such reductions alone (device_test.go).

// undone: arrays that are set and read again, sums into arrays, a last value, and elements between those of another array. Each runs over
// arrays of ALLOCATE, of the pool, and in a data region, with ordinary values, zeros of both signs and NaN.
const undone = `module m
contains
  subroutine steps(n, x, y, cell, total, most, least, last)
    integer, intent(in) :: n, cell(n)
    real(8), intent(inout) :: x(n), y(n)
    integer, intent(inout) :: total(9)
    real(8), intent(inout) :: most, least
    integer, intent(inout) :: last
    integer :: i, k
    real(8) :: before, change
    !$portable parallel
    do i = 1, n
      before = x(i)
      do k = 1, 3
        change = 0.25d0*(y(i) - x(i))
        x(i) = x(i) + change
        y(i) = y(i) - change
      end do
      last = cell(i)
      total(cell(i)) = total(cell(i)) + i
      if (cell(i) /= 4) most = max(most, x(i) - before)
      least = min(y(i), least)
    end do
  end subroutine steps
  subroutine shared(n, a, p, most)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: p(:)
    real(8), intent(inout) :: most
    integer :: i
    !$portable parallel
    do i = 1, n
      a(i) = a(i) + p(i)
      most = max(most, a(i))
    end do
  end subroutine shared
end module m
program p
  use, intrinsic :: ieee_arithmetic
  use gator_mod
  use m
  implicit none
  integer, parameter :: n = 400
  real(8), pointer :: x(:), y(:), a(:)
  real(8), allocatable :: own(:), other(:)
  integer :: cell(n), total(9), i, k, last
  real(8) :: value(4), most, least
  call gator_init()
  value = [3d0, 0d0, -0d0, ieee_value(most, ieee_quiet_nan)]
  cell = [(mod(i*7, 9) + 1, i = 1, n)]
  call gator_allocate(x, [n], label='x')
  call gator_allocate(y, [n], label='y')
  call gator_allocate(a, [n], label='a')
  allocate (own(n), other(n))
  do k = 1, 4
    x = [(mod(i*13, 31)/7d0, i = 1, n)]
    y = [(mod(i*5, 17)/3d0, i = 1, n)]
    x(60:70) = value(k)
    y(65:80) = value(k)
    own = x
    other = y
    a = x
    total = k
    most = -1
    least = 99
    last = -5
    call steps(n, x, y, cell, total, most, least, last)
    print '(z17)', x, y, most, least
    print *, total, last
    total = k
    !$portable data inout(own, other)
    most = -1
    call steps(n, own, other, cell, total, most, least, last)
    call steps(n, own, other, cell, total, most, least, last)
    !$portable end data
    print '(z17)', own, other, most, least
    print *, total, last
    most = 0
    call shared(n/2, a(1::2), a(2::2), most)
    print '(z17)', a, most
  end do
  call gator_deallocate(x)
  call gator_deallocate(y)
  call gator_deallocate(a)
  call gator_finalize()
end program p
`

func TestDeviceUndone(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	source := w.source("undone.f90", undone)
	converted := w.convert([]string{"--auto", "--device", "cuda", "--strict"}, source)
	w.build("converted.x", []string{"-O1"}, converted...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x")
	require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=3"}, "converted.x"))
	require.Equal(t, want, w.run(env, "converted.x"))
	far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	require.NoError(t, os.Remove(w.path("log")))
	require.Equal(t, want, w.run(far, "converted.x"))
	launched := launchesOnDevice(w.text("log"))
	require.Len(t, slices.DeleteFunc(slices.Clone(launched), func(s string) bool { return !strings.HasPrefix(s, "steps") }), 12, "%v", launched)
	require.Len(t, slices.DeleteFunc(slices.Clone(launched), func(s string) bool { return !strings.HasPrefix(s, "shared") }), 4)
	require.Equal(t, want, w.run(append(far, "PORTABLE_HOSTMEM=error"), "converted.x"))
}
