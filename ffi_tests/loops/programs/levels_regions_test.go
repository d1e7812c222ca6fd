package programs

// This file runs a program with a data region around loops of both levels. Not in this file: loops of both levels without regions (levels_test.go).

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// levelRegions is a program with a data region around loops of both levels, whose outer ones read and set elements between the launches, and add.
const levelRegions = `module m
contains
  subroutine mix(n, x, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), intent(in) :: w
    integer :: i
    !$portable parallel on(gpu)
    do i = 1, n
      x(i) = 0.5d0*x(i) + w + 0.001d0*i
    end do
  end subroutine
  subroutine run(n, c, q, r, s, most)
    integer, intent(in) :: n, c
    real(8), intent(inout) :: q(n, c), r(c), s, most
    integer :: j, i, t
    !$portable data inout(q)
    do t = 1, 3
      !$portable parallel
      do j = 1, c
        do i = 1, n
          q(i, j) = q(i, j) + 0.25d0*j
        end do
      end do
      !$portable parallel on(cpu)
      do j = 1, c
        call mix(n, q(:, j), r(j))
        r(j) = r(j) + q(3, j)
        q(2, j) = r(j)
        call mix(n, q(:, j), r(j))
      end do
      !$portable parallel on(cpu)
      do j = 1, c
        call mix(n, q(:, j), r(j))
        s = s + q(5, j)/3 + q(2, j)
        q(7, j) = q(9, j) + r(j)
        call mix(n, q(:, j), 0.5d0)
      end do
    end do
    !$portable end data
  end subroutine
end module
program p
  use m
  use, intrinsic :: iso_fortran_env, only: int64
  real(8) :: q(3000, 40), r(40), s, most
  integer :: i
  q = 1
  r = [(0.1d0*i, i = 1, 40)]
  s = 0.1d0
  call run(3000, 40, q, r, s, most)
  print '(4z17)', s, r, transfer(q(::100, :), [0_int64])
end program p
`

// TestLevelsRegions: arrays of a data region come to the host where the outer loop uses them between launches on the device.
func TestLevelsRegions(t *testing.T) {
	w := with(t)
	env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
	source := w.source("regions.f90", levelRegions)
	w.build("converted.x", []string{"-O1"}, w.convert([]string{"--device", "cuda"}, source)...)
	want := w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x")
	require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=3"}, "converted.x"))
	require.Equal(t, want, w.run(env, "converted.x"))
	require.Contains(t, launchesOnDevice(w.text("log")), "mix:9")
	// An array of a region keeps its order.
	out, text, err := w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1", "PORTABLE_TUNING=q: layout@gpu=ji"), w.path("converted.x"))
	require.NoError(t, err, text)
	require.Equal(t, want, out)
	require.Contains(t, text, "The order by rule of 'q' does not hold in 'run:20': it stays on the device in a data region.")
}
