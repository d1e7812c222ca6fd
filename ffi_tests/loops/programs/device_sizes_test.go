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
  subroutine gather(n, k, x, y, old, c)
    integer, intent(in) :: n, k(n)
    real(8), intent(in) :: x(*), c(3, *)
    real(8), intent(inout) :: y(*), old(1)
    integer :: i
    do i = 1, n
      y(i) = y(i) + x(k(i)) + pick(x, k(n + 1 - i))
    end do
    do i = 1, n
      old(i) = old(i) + y(n + 1 - i)
    end do
    do i = 1, n
      old(i) = old(i)*c(2, i)
    end do
  end subroutine gather
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
  real(8) :: x(n), y(n), old(n), c(3, n)
  k = [(1 + mod(7*i, n), i = 1, n)]
  x = [(i/3d0, i = 1, n)]
  y = 1; old = 2; c = 3
  call gather(n, k, x, y, old, c)
  print '(z17)', y, old
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
	require.Contains(t, text, "'c' has assumed size, and several dimensions or a lower bound; declare its last extent")
	require.Equal(t, []string{"gather:8", "gather:11"}, launchesOnDevice(w.text("log")))
	require.NoError(t, os.Remove(w.path("log")))
	far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	require.Equal(t, want, w.run(far, "converted.x"))
	require.Empty(t, launchesOnDevice(w.text("log")), "the device cannot access the memory, and its size for a copy is not known")
}
