package programs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// This file compares sums of reals whose bits depend on the order of all additions: the device has those of the host's launch.
// Not in this file: sums that are exact in any order (../semantics).

const inexact = `module m
  real(8) :: bins(0:9, 2) = 0
contains
  subroutine work(n, k, x)
    integer, intent(in) :: n, k(n)
    real(8), intent(in) :: x(n)
    real(8) :: s, p, few(-1:1)
    real(4) :: r, narrow(5)
    integer :: i, j
    s = 0
    p = 1
    r = 0
    few = 0.1d0
    narrow = 0
    do i = 1, n
      bins(k(i), 1) = bins(k(i), 1) + x(i)
      bins(9 - k(i), 2) = bins(9 - k(i), 2) - x(i)/3
      bins(k(i), 1) = 0.7d0*x(i) + bins(k(i), 1)
    end do
    print '(z17)', bins
    do i = 1, n
      do j = -1, 1
        few(j) = few(j) + x(i)/(j + 2) - 0.1d0
        if (x(i) > 0.5d0) exit
      end do
      narrow(1 + k(i)/2) = narrow(1 + k(i)/2) + x(i)
    end do
    print '(z17)', few, real(narrow, 8)
    do i = n, 1, -1
      s = s + x(i) - 0.3d0*x(1)
      p = p*(1 + x(i)/n)*(1 - x(1)/n)
      do j = 1, k(i)
        r = r + real(x(i)/j)
      end do
    end do
    print '(z17)', s, p, real(r, 8)
    do i = 1, n
      do j = 1, 3
        few(2 - j) = few(2 - j) + x(i)*j
        s = s - x(i)/j
      end do
    end do
    print '(z17)', few, s
  end subroutine work
end module m
program p
  use m
  integer, parameter :: n = 40000
  integer :: i, k(n)
  real(8) :: x(n)
  x = [(mod(7919d0*i, 9973d0)/9973d0, i = 1, n)]
  k = [(mod(i*7, 10), i = 1, n)]
  call work(n, k, x)
  call work(1000, k, -x)
  call work(3, k, x)
end program p
`

// TestDeviceOrder: sums that are inexact have the bits of the host's launch, with any number of its threads.
func TestDeviceOrder(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	converted := w.convert([]string{"--auto", "--device", "cuda", "--always-launch"}, w.source("inexact.f90", inexact))
	w.build("converted.x", []string{"-O2"}, converted...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x")
	require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=3"}, "converted.x"))
	require.Equal(t, want, w.run(env, "converted.x"))
	require.Len(t, launchesOnDevice(w.text("log")), 12, "a nest did not run on the device")
}
