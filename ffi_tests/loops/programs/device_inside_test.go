package programs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs nests that have no version for devices, but have loops inside that do. Not in this file: which nests these are (internal/emit/within).

// sweeps has work arrays of lengths that are not constant, so that its outer loops stay on the host. Sums are exact.
const sweeps = `module m
  type :: box
    integer :: n = 0
  end type box
contains
  subroutine taken(n, m, g, a, b, s)
    integer, intent(in) :: n, m
    type(box), intent(in) :: g
    real(8), intent(in) :: a(n, m)
    real(8), intent(inout) :: b(n, m), s(m)
    real(8) :: w(n), t
    integer :: i, j, total
    do j = 1, m
      t = 0.5d0*j
      do i = 1, (n - 1) + 1
        w(i) = a(i, j) + t
      end do
      total = 0
      if (mod(j, 2) == 1) then
        do i = 1, n
          b(i, j) = w(n + 1 - i)*2
        end do
        do i = 1, g%n
          total = total + int(b(i, j))
        end do
      end if
      s(j) = total
    end do
    do 30 j = 1, m
      do 10 i = 1, n
10      w(i) = b(i, j)*a(i, j)
      do 20 i = 1, n
        b(i, j) = w(n + 1 - i) - s(j)
20    continue
30  continue
    do 40 j = 1, m
      do 35 i = 1, n
35      w(i) = b(i, j)/2
      do 40 i = 1, n
        b(i, j) = b(i, j) + w(n + 1 - i)
40  continue
  end subroutine taken
  subroutine left(n, m, a, b, s)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m)
    real(8), intent(inout) :: b(n, m), s(m)
    real(8), allocatable :: w(:)
    real(8) :: total
    integer :: i, j, last
    allocate (w(n))
    do j = 1, m ! a recurrence
      w(1) = a(1, j)
      do i = 2, n
        w(i) = (w(i - 1) + a(i, j))/2
      end do
      do i = 1, n
        b(i, j) = b(i, j) - w(n + 1 - i)
      end do
    end do
    do j = 1, m ! bounds that change
      last = n - j
      do i = 1, last
        w(i) = a(i, j)
      end do
      do i = 1, last
        b(i, j) = b(i, j) + w(last + 1 - i)
      end do
    end do
    do j = 1, m ! work of an array statement
      w(:) = a(:, j)
      do i = 1, n
        b(i, j) = b(i, j) + w(n + 1 - i)
      end do
    end do
    do j = 1, m ! a sum that the order of its terms rounds
      do i = 1, n
        w(i) = a(i, j)/3 + 1d6
      end do
      total = 0
      do i = 1, n
        total = total + 1/w(n + 1 - i)
      end do
      s(j) = total
    end do
    !$portable parallel
    do j = 1, m
      do i = 1, n
        w(i) = a(i, j) + 1
      end do
      do i = 1, n
        b(i, j) = b(i, j) - w(n + 1 - i)
      end do
    end do
  end subroutine left
end module m
program p
  use m
  real(8), allocatable :: a(:, :), b(:, :), s(:)
  integer :: i, j, n
  character(9) :: text
  call get_command_argument(1, text)
  read (text, *) n
  allocate (a(n, 3), b(n, 3), s(3))
  do j = 1, 3
    do i = 1, n
      a(i, j) = mod(7*i + 5*j, 23) - 11
      b(i, j) = mod(i, 5)
    end do
  end do
  call taken(n, 3, box(n), a, b, s)
  print '(4z17)', s, sum(b), b(::n/7, :)
  call left(n, 3, a, b, s)
  print '(4z17)', s, sum(b), b(::n/7, :)
end program p
`

// TestDeviceInside: where a device runs, long loops inside of such nests are launches on it. Short ones, and all of them on the host, are one launch
// of the outer loop; what one thread would do between the launches keeps the nest whole.
func TestDeviceInside(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	source := w.source("sweeps.f90", sweeps)
	w.build("original", []string{"-O1"}, source)
	for _, always := range []bool{false, true} {
		options := []string{"convert", "--auto", "--device", "cuda", "--out", "converted", source}
		if always {
			options = slices.Insert(options, 1, "--always-launch")
		}
		_, text, err := w.try(nil, *portablef, options...)
		require.NoError(t, err, text)
		require.Contains(t, text, "note: the loop 'taken:13' stays on the host: ")
		require.Contains(t, text, "the loops inside run on the device: 'taken:15', 'taken:20', 'taken:23'")
		require.Equal(t, 5, strings.Count(text, "warning: the loop 'left:"), text)
		w.build("converted.x", []string{"-O1"}, "converted/sweeps.pf.F90")
		for _, n := range []string{"50000", "100"} {
			want, text, err := w.try(nil, w.path("original"), n)
			require.NoError(t, err, text)
			run := func(env []string) []string {
				require.NoError(t, os.RemoveAll(w.path("log")))
				got, text, err := w.try(env, w.path("converted.x"), n)
				require.NoError(t, err, text)
				require.Equal(t, want, got)
				return labelsOf(w.text("log"))
			}
			outer := []string{"taken:13", "taken:29", "taken:36", "left:51", "left:60", "left:69", "left:75", "left:86"}
			require.Subset(t, run([]string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=2", "PORTABLE_VERBOSE=" + w.path("log")}), outer, "on the host")
			far := slices.DeleteFunc(slices.Clone(env), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
			require.Subset(t, run(far), outer, "each loop inside would copy its arrays")
			ran := run(env)
			if n == "100" && !always {
				require.Subset(t, ran, outer, "the loops inside are too short")
				require.NotContains(t, ran, "taken:15")
				continue
			}
			require.Subset(t, launchesOnDevice(w.text("log")), []string{"taken:15", "taken:20", "taken:23", "taken:30", "taken:32", "taken:37", "taken:39"})
			require.Subset(t, ran, outer[3:])
			require.NotContains(t, ran, "taken:13")
			require.NotContains(t, strings.Join(launchesOnDevice(w.text("log")), " "), "left:")
		}
	}
}

// labelsOf are the labels of all launches.
func labelsOf(log string) (labels []string) {
	for _, line := range strings.Split(log, "\n") {
		if _, text, is := strings.Cut(line, "launch "); is && strings.Contains(text, " begins: ") {
			if l := strings.Split(text, "'")[1]; !slices.Contains(labels, l) {
				labels = append(labels, l)
			}
		}
	}
	return labels
}
