package programs

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs loops whose arrays have another order of elements on the device, by a rule outside of the program. Not in this file: arrays of
// handles, which have such orders on each device (ffi_tests/arrays).

// ordered has arrays of all widths, a column recurrence, sections in a call, an array that a procedure gets in sequence, one that is copied as part of
// another, one with gaps, a sum, a last value, lower bounds, empty arrays, and columns of different lengths.
const ordered = `module physics
  implicit none
contains
  subroutine columns(nk, ni, nj, t, q, land, s)
    integer, intent(in) :: nk, ni, nj
    real(8), intent(inout) :: t(nk, 0:ni+1, -1:nj)
    real(4), intent(in) :: q(nk, ni, nj)
    integer(2), intent(in) :: land(ni, nj)
    real(8), intent(inout) :: s
    integer :: i, j, k
    do j = 1, nj
      do i = 1, ni
        if (land(i, j) > 2) cycle
        do k = 2, nk
          t(k, i, j) = t(k, i, j) + 0.5d0*t(k-1, i, j) - q(k, i, j)
        end do
      end do
    end do
    do j = 1, nj
      do i = 1, ni
        s = max(s, t(nk, i, j))
      end do
    end do
    do j = 1, nj
      do i = 1, ni
        call smooth(nk, t(:, i, j))
      end do
    end do
  end subroutine columns
  subroutine smooth(n, x)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: k
    do k = 2, n
      x(k) = 0.5d0*(x(k) + x(k-1))
    end do
  end subroutine smooth
  subroutine sequence(nk, ni, nj, t, s)
    integer, intent(in) :: nk, ni, nj
    real(8), intent(in) :: t(nk, 0:ni+1, -1:nj)
    real(8), intent(inout) :: s(nj)
    integer :: j
    do j = 1, nj
      call adds(nk*(ni+2), t(1, 0, j), s(j))
    end do
  end subroutine sequence
  subroutine adds(n, x, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: s
    integer :: k
    do k = 1, n
      s = s + x(k)
    end do
  end subroutine adds
  subroutine gaps(n, m, t, u)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: t(:, :)
    real(8), intent(in) :: u(:, :)
    integer :: i, j
    do j = 1, m
      do i = 1, n
        t(i, j) = t(i, j) + u(i, j)
      end do
    end do
  end subroutine gaps
  subroutine some(n, m, few, last)
    integer, intent(in) :: n, m
    integer(8), intent(inout) :: few(n, m)
    integer, intent(out) :: last
    integer :: i, j, v
    v = -1
    do j = 1, m
      do i = 1, n
        v = i + 10*j
        if (mod(v, 3) == 0) few(i, j) = v
      end do
    end do
    last = v
  end subroutine some
end module physics
program p
  use physics
  use, intrinsic :: iso_fortran_env, only: int64
  integer, parameter :: nk = 9, ni = 14, nj = 11
  real(8) :: t(nk, 0:ni+1, -1:nj), s, sums(nj), both(40, 30)
  real(4) :: q(nk, ni, nj)
  integer(2) :: land(ni, nj)
  integer(8) :: few(30, 20), none(0, 5)
  integer :: i, j, k, step, last
  !$portable off
  do j = 1, nj
    do i = 1, ni
      land(i, j) = int(mod(i*j, 4), 2)
      do k = 1, nk
        q(k, i, j) = real(mod(i + 2*j + 3*k, 7))/3
      end do
    end do
  end do
  do j = -1, nj
    do i = 0, ni + 1
      do k = 1, nk
        t(k, i, j) = mod(5*i + 7*j + 11*k, 23)/9d0
      end do
    end do
  end do
  do j = 1, 30
    do i = 1, 40
      both(i, j) = i*j
    end do
  end do
  few = 7
  s = -9
  sums = 0.1d0
  !$portable on
  do step = 1, 3
    call columns(nk, ni, nj, t, q, land, s)
    call sequence(nk, ni, nj, t, sums)
    call gaps(19, 15, both(1:19, 1:15), both(20:38, 16:30))
    call gaps(20, 30, both(1:20, :), both(21:40, :))
    call some(30, 20, few, last)
    call some(0, 5, none, last)
  end do
  print '(4z17)', s, sums, transfer(t, [0_int64]), transfer(both, [0_int64]), few
  print *, last
end program p
`

// TestOrderByRule: a rule of PORTABLE_TUNING gives arrays another order on the device, without a changed line and with the same bits. A rule that cannot
// hold is named with its reason. Rules for other devices, and other names, change nothing.
func TestOrderByRule(t *testing.T) {
	w := with(t)
	env := append(slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") }), "PORTABLE_PROFILE=1")
	source := w.source("ordered.f90", ordered)
	w.build("original", []string{"-O1"}, source)
	w.build("converted.x", []string{"-O1"}, w.convert([]string{"--auto", "--device", "cuda"}, source)...)
	want := w.run(nil, "original")
	run := func(tuning string) string {
		require.NoError(t, os.RemoveAll(w.path("driver")))
		out, text, err := w.try(append(slices.Clone(env), "PORTABLE_TUNING="+tuning), w.path("converted.x"))
		require.NoError(t, err, "%s: %s", tuning, text)
		require.Equal(t, want, out, "%s\n%s", tuning, text)
		return text
	}
	plain := run("columns*: block=128")
	require.Regexp(t, `columns:\d+ +t +\d+ +`, plain)
	kernels := strings.Count(w.text("driver"), "cuModuleGetFunction")
	text := run("t: layout@gpu=jki; q: layout@gpu=c; few: layout@gpu=ji; land: layout=ji; u: layout@gpu=ji")
	require.Equal(t, kernels, strings.Count(w.text("driver"), "cuModuleGetFunction"), "each loop has one text in such a run")
	require.Regexp(t, `columns:\d+ +t \(jki\) +6 +`, text)
	require.Regexp(t, `columns:\d+ +q \(kji\) +3 +`, text)
	require.Regexp(t, `columns:\d+ +land \(ji\) +3 +`, text)
	require.Regexp(t, `some:\d+ +few \(ji\) +6 +`, text)
	require.Regexp(t, `The order by rule of 't' does not hold in 'sequence:\d+': a procedure in the loop gets its elements as they follow each other`, text)
	require.Regexp(t, `The order by rule of 'u' does not hold in 'gaps:\d+': another array of the loop shares its elements\.`, text)
	text = run("t: layout@gpu=kji; 'few': layout@cuda:0=ji")
	require.Regexp(t, `columns:\d+ +t \(kji\) +6 +`, text)
	require.Regexp(t, `some:\d+ +few \(ji\) +6 +`, text)
	require.NotContains(t, text, " q (")
	require.NotContains(t, run("t: layout@cpu=jki; 'few': layout@cuda:7=ji"), "(j")
	_, text, err := w.try(append(slices.Clone(env), "PORTABLE_TUNING=tt: layout@gpu=jki"), w.path("converted.x"))
	require.NoError(t, err)
	require.Contains(t, text, "no array that is laid out by rule had the label 'tt', nor had a copy for a device")
	for _, device := range []string{"serial", "threads"} {
		// One tuning file serves all machines.
		require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=" + device, "PORTABLE_TUNING=t: layout@gpu=jki; 'few': layout@cuda:0=ji"}, "converted.x"))
	}
}
