package programs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs nests with arrays of assumed size on the device. Not in this file: called procedures that have such arrays (TestDevice).

const assumedSize = `module m
contains
  subroutine gather(n, k, x, y, old, c, ld, e, f)
    integer, intent(in) :: n, k(n), ld
    real(8), intent(in) :: x(*), c(3, *)
    real(8), intent(inout) :: y(*), old(1), e(0:ld, -1:*), f(-2:*)
    integer :: i, j
    do i = 1, n
      y(i) = y(i) + x(k(i)) + pick(x, k(n + 1 - i))
    end do
    do i = 1, n
      old(i) = old(i) + y(n + 1 - i)
    end do
    do i = 1, n
      old(i) = old(i)*c(2, i)
    end do
    do j = 1, 9
      do i = 0, ld
        e(i, j) = e(i, j) + c(mod(i, 3) + 1, j)*f(j - 3)
      end do
    end do
    do j = -1, 8
      f(j) = f(j) + sum(c(:, j + 2)) + e(0, j + 1)
      e(1:2, j) = c(2:3, j + 2)
      f(j) = f(j) + least(3, c(1, j + 2)) + least(2, c(2, j + 2))
    end do
  end subroutine gather
  pure real(8) function least(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    least = x(1)
    do i = 2, n
      if (x(i) < least) least = x(i)
    end do
  end function least
  pure real(8) function pick(x, at)
    real(8), intent(in) :: x(*)
    integer, intent(in) :: at
    pick = 0.5d0*x(at)
  end function pick
end module m
program p
  use m
  integer, parameter :: n = 500
  integer :: k(n), i
  real(8) :: x(n), y(n), old(n), c(3, n), e(5*12), f(20)
  k = [(1 + mod(7*i, n), i = 1, n)]
  x = [(i/3d0, i = 1, n)]
  y = 1; old = 2
  c = reshape([(mod(11*i, 17)/4d0, i = 1, 3*n)], [3, n])
  e = [(mod(5*i, 13)/2d0, i = 1, 60)]
  f = [(i/7d0, i = 1, 20)]
  call gather(n, k, x, y, old, c, 4, e, f)
  print '(z17)', y, old, e, f
end program p
`

// TestDeviceAssumedSize: an array whose last extent is not known runs on the device where that can access its memory, and else on the host.
func TestDeviceAssumedSize(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	source := w.source("star.f90", assumedSize)
	w.build("original", []string{"-O1"}, source)
	converted := w.convert([]string{"--auto", "--always-launch", "--device", "cuda"}, source)
	w.build("converted.x", []string{"-O1"}, converted...)
	want := w.run(nil, "original")
	require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"))
	require.Equal(t, want, w.run(env, "converted.x"))
	if *fake == "none" {
		return
	}
	_, text, err := w.try(nil, *portablef, "convert", "--auto", "--device", "cuda", "--out", "again", source)
	require.NoError(t, err)
	require.NotContains(t, text, "stays on the host")
	require.Equal(t, []string{"gather:8", "gather:11", "gather:14", "gather:17", "gather:22"}, launchesOnDevice(w.text("log")))
	require.NoError(t, os.Remove(w.path("log")))
	far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	require.Equal(t, want, w.run(far, "converted.x"))
	require.Empty(t, launchesOnDevice(w.text("log")), "the device cannot access the memory, and its size for a copy is not known")
}
