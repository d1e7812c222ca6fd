package programs

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file reads gfortran's report of what it vectorises: a converted nest has what the original has, at the same line of the user's file.
// Not in this file: speed (bench).

// vectorLoops are typical nests. The loop that is vectorised ends with `!v` where it begins.
var vectorLoops = []struct{ name, text string }{
	{"saxpy", `subroutine saxpy(n, a, x, y)
  integer, intent(in) :: n
  real, intent(in) :: a, x(n)
  real, intent(inout) :: y(n)
  integer :: i
  do i = 1, n !v
    y(i) = y(i) + a*x(i)
  end do
end subroutine saxpy
`},
	{"stencil", `subroutine stencil(u, v, nx, ny)
  integer, intent(in) :: nx, ny
  real(8), intent(in) :: u(0:nx + 1, 0:ny + 1)
  real(8), intent(inout) :: v(0:nx + 1, 0:ny + 1)
  integer :: i, j
  do j = 1, ny
    do i = 1, nx !v
      v(i, j) = u(i, j) + 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4*u(i, j))
    end do
  end do
end subroutine stencil
`},
	{"column", `subroutine column(t, nz, n)
  integer, intent(in) :: nz, n
  real(8), intent(inout) :: t(nz, n)
  real(8) :: w(64)
  integer :: i, k
  do i = 1, n
    do k = 1, 64 !v
      w(k) = 2*t(k, i) + 1
    end do
    do k = 2, nz
      t(k, i) = w(min(k, 64)) + t(k - 1, i)
    end do
  end do
end subroutine column
`},
	{"inner maximum", `subroutine extrema(a, top, n, m)
  integer, intent(in) :: n, m
  integer, intent(in) :: a(n, m)
  integer, intent(inout) :: top(m)
  integer :: i, j, t
  do j = 1, m
    t = a(1, j)
    do i = 1, n !v
      t = max(t, a(i, j))
    end do
    top(j) = t
  end do
end subroutine extrema
`},
	{"maximum", `subroutine largest(a, n, top)
  integer, intent(in) :: n
  integer, intent(in) :: a(n)
  integer, intent(inout) :: top
  integer :: i
  do i = 1, n !v
    top = max(top, a(i))
  end do
end subroutine largest
`},
	{"component", `module fields
  type field
    real(8), allocatable :: h(:, :), hu(:, :)
    integer :: nx, ny
  end type field
contains
  subroutine scale(f, g)
    type(field), intent(inout) :: f
    real(8), intent(in) :: g
    integer :: i, j
    do j = 1, f%ny
      do i = 1, f%nx !v
        f%hu(i, j) = g*f%h(i, j) + f%hu(i, j)
      end do
    end do
  end subroutine scale
end module fields
`},
	{"strided", `subroutine every_second(x, y, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(2*n)
  real(8), intent(inout) :: y(n)
  integer :: i
  do i = 1, n !v
    y(i) = x(2*i - 1) + x(2*i)
  end do
end subroutine every_second
`},
	{"backwards", `subroutine backwards(x, y, n)
  integer, intent(in) :: n
  real, intent(in) :: x(n)
  real, intent(inout) :: y(n)
  integer :: i
  do i = n, 1, -1 !v
    y(i) = 3*x(i)
  end do
end subroutine backwards
`},
	{"allocatable", `module state
  real(8), allocatable :: a(:, :), b(:, :)
contains
  subroutine add(n, m)
    integer, intent(in) :: n, m
    integer :: i, j
    do j = 1, m
      do i = 1, n !v
        a(i, j) = a(i, j) + b(i, j)
      end do
    end do
  end subroutine add
end module state
`},
	{"assumed shape", `module shapes
contains
  subroutine square(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = 1, size(x) !v
      y(i) = x(i)**2
    end do
  end subroutine square
end module shapes
`},
	{"condition", `subroutine clip(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n !v
    x(i) = merge(0d0, x(i), x(i) < 0)
  end do
end subroutine clip
`},
}

var vectorLine = regexp.MustCompile(`(?m)^([^\s:]+):(\d+):\d+: optimized: +loop vectorized`)

// vectorisedLines are the lines of the user's file at which loops were vectorised.
func vectorisedLines(report, file string) map[int]bool {
	lines := map[int]bool{}
	for _, m := range vectorLine.FindAllStringSubmatch(report, -1) {
		if m[1] == file {
			line, _ := strconv.Atoi(m[2])
			lines[line] = true
		}
	}
	return lines
}

func TestVectorised(t *testing.T) {
	if isFlang(*fc) {
		t.Skip("the report is gfortran's")
	}
	for i, r := range vectorLoops {
		if i > 5 && !*all { // the rest is a part of test-long
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			w := with(t)
			name := w.source("nest.f90", r.text)
			_, report := w.compile(name, "-O3", "-fopt-info-vec")
			line := lineOf(t, r.text, "!v")
			original := vectorisedLines(report, name)
			require.NotEmpty(t, near(original, line), "the original is not vectorised at line %d:\n%s", line, report)
			written := w.convert([]string{"--auto"}, name)
			require.Contains(t, w.text(written[0]), "_tile(", "nothing is converted")
			_, report = w.compile(written[0], "-O3", "-fopt-info-vec")
			got := vectorisedLines(report, name)
			for _, l := range near(original, line) {
				require.True(t, got[l], "the converted nest is not vectorised at line %d:\n%s\n%s", l, report, strings.TrimSpace(w.text(written[0])))
			}
		})
	}
}

// near are the lines at a loop: gfortran names its DO, or its first statement.
func near(lines map[int]bool, loop int) (list []int) {
	for _, l := range []int{loop, loop + 1} {
		if lines[l] {
			list = append(list, l)
		}
	}
	return list
}
