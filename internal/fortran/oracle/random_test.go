package oracle

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/scope"
)

// programs is the number of random programs for each set of flags.
var programs = flag.Int("oracle.programs", 1, "random programs for each set of flags")

// maker writes random expressions that gfortran accepts most of the time.
type maker struct{ *rand.Rand }

func (m maker) pick(list ...string) string { return list[m.Intn(len(list))] }

// number is a scalar numeric expression; constant: of constants only.
func (m maker) number(depth int, constant bool) string {
	if depth == 0 || m.Intn(6) == 0 {
		return m.leaf(constant)
	}
	x, y := m.number(depth-1, constant), m.number(depth-1, constant)
	switch m.Intn(12) {
	case 0, 1, 2, 3:
		return "(" + x + m.pick("+", "-", "*", "/") + y + ")"
	case 4:
		return "(" + x + ")**" + m.pick("2", "3", "(-1)", "2_8", "0", "0.5", "(-2)")
	case 5:
		return m.pick("-", "+", "") + "(" + x + ")"
	case 6:
		return m.pick("real", "dble", "abs", "cmplx", "int", "nint", "aint", "anint", "floor", "ceiling", "sqrt", "exp", "log", "sin", "cos", "atan", "tan", "acos", "tanh") +
			"(" + m.real(depth-1, constant) + ")"
	case 7:
		return m.pick("real", "int", "nint", "floor") + "(" + m.real(depth-1, constant) + ", " + m.pick("4", "8", "wp", "kind=8", "kind=4") + ")"
	case 8:
		r := m.pick("r4", "r8", "1.5", "2.5d0", "i4", "i8", "7", "-3_8", "3_2", "i2")
		return m.pick("max", "min", "mod", "modulo", "sign", "dim") + "(" + r + ", " + strings.Replace(r, "-", "", 1) + ")"
	case 9:
		return m.pick("iand", "ior", "ieor") + "(" + m.pick("7, 12", "6_8, 3_8") + ")"
	case 10:
		return m.pick("huge", "tiny", "epsilon", "digits", "precision", "range", "kind", "radix", "maxexponent") + "(" + m.pick("1.0", "1d0", "r4", "r8") + ")"
	}
	return m.pick("size(a)", "size(a, 1)", "ubound(a, 2)", "lbound(a, 1)", "sum(a)", "maxval(a)", "dot_product(v, w)", "a(2, 1)", "v(3)", "sum(v*2)", "table(2)", "sum(table)",
		"selected_real_kind(6)", "selected_int_kind(9)", "product([2, 3, 4])", "minval([1.5, 0.5])", "size([1, 2, 3])", "t%x", "t%k", "maxval(v + 1d0)", "len('abc')", "ichar('a')",
		"merge(1.0, 2.0, l4)", "aimag(c4)", "conjg(c8)", "dot_product(v, v)", "abs(c4)", "count(v > 1)", "norm2(v)")
}

func (m maker) leaf(constant bool) string {
	literals := []string{"1", "2", "7", "3_8", "5_2", "4_1", "0.1", "1.5", "2.5e3", "1d-3", "0.1d0", "3.0_8", "0.2_4", "1.0_wp", "(1.0, 2.0)", "ck", "pi", "n8", "1e-7", "123.456", "0.3", "16777217.0"}
	if constant {
		return m.pick(literals...)
	}
	return m.pick(append(literals, "i1", "i2", "i4", "i8", "r4", "r8", "c4", "c8", "i4", "r4", "r8", "i8")...)
}

// real is an expression without complex parts.
func (m maker) real(depth int, constant bool) string {
	for {
		if x := m.number(depth, constant); !strings.Contains(x, "c") && !strings.Contains(x, "(1.0, 2.0)") {
			return x
		}
	}
}

func (m maker) logical(depth int) string {
	if depth == 0 {
		return m.pick("l1", "l4", ".true.", ".false._1", "i4 > r8", "'ab' < 'b'", "c4 == i4", "s0 == 'x'")
	}
	switch m.Intn(4) {
	case 0:
		return ".not. (" + m.logical(depth-1) + ")"
	case 1:
		return m.real(depth-1, false) + m.pick(" < ", " <= ", " == ", " /= ", ">", " .ge. ") + m.real(depth-1, false)
	}
	return "(" + m.logical(depth-1) + ") " + m.pick(".and.", ".or.", ".eqv.", ".neqv.") + " (" + m.logical(depth-1) + ")"
}

func (m maker) program() string {
	b := &strings.Builder{}
	b.WriteString(`module m
  implicit none
  integer, parameter :: wp = kind(1d0)
  integer(8), parameter :: n8 = 10_8**10
  real(wp), parameter :: pi = 3.14159
  complex, parameter :: ck = (1.5, -2)
  integer, parameter :: table(3) = [1, 4, 9]
  type tt
    real(wp) :: x = 1
    integer(2) :: k
  end type
contains
`)
	b.WriteString("  subroutine s(i1, i2, i4, i8, r4, r8, c4, c8, l1, l4, a, v, w, t, s0)\n")
	b.WriteString("    integer(1) :: i1\n    integer(2) :: i2\n    integer :: i4, v(4), w(4)\n    integer(8) :: i8\n    real :: r4\n    real(8) :: r8, a(0:3, 5)\n")
	b.WriteString("    complex :: c4\n    complex(8) :: c8\n    logical(1) :: l1\n    logical :: l4\n    type(tt) :: t\n    character(3) :: s0\n")
	for range 60 {
		left := m.pick("i1", "i2", "i4", "i8", "r4", "r8", "c4", "c8", "a", "a(1, :)", "t%x", "t%k")
		right := m.number(3, m.Intn(3) == 0)
		if m.Intn(5) == 0 {
			left, right = m.pick("l1", "l4"), m.logical(2)
		}
		fmt.Fprintf(b, "    %s = %s\n", left, right)
	}
	b.WriteString("  end subroutine\nend module\n")
	return b.String()
}

var place = regexp.MustCompile(`\.f90:(\d+):\d+:`)

// accepted writes a program without the lines that gfortran refuses: constants that overflow, divisions by zero.
func accepted(t *testing.T, name, text string, flags []string) bool {
	for range 6 {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		complaints, err := exec.Command("gfortran", append([]string{"-w", "-fsyntax-only", "-ffree-line-length-none", "-J", filepath.Dir(name), name}, flags...)...).CombinedOutput()
		if err == nil {
			return true
		}
		lines := strings.Split(text, "\n")
		for _, m := range place.FindAllStringSubmatch(string(complaints), -1) {
			if n, _ := strconv.Atoi(m[1]); n > 0 && n <= len(lines) {
				lines[n-1] = "!"
			}
		}
		text = strings.Join(lines, "\n")
	}
	return false
}

// TestRandom compares random expressions.
func TestRandom(t *testing.T) {
	rows := []struct {
		name  string
		flags []string
		o     scope.Options
	}{
		{"plain", nil, scope.Options{}},
		{"real-8", []string{"-fdefault-real-8"}, scope.Options{Real: 8}},
		{"real-8 double-8", []string{"-fdefault-real-8", "-fdefault-double-8"}, scope.Options{Real: 8, Double: 8}},
		{"integer-8", []string{"-fdefault-integer-8"}, scope.Options{Integer: 8, Logical: 8}},
	}
	for i, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := maker{rand.New(rand.NewSource(int64(i + 1)))}
			if _, err := exec.LookPath("gfortran"); err != nil {
				t.Skip("gfortran is not there")
			}
			folder := t.TempDir()
			var names []string
			for n := range *programs {
				name := filepath.Join(folder, fmt.Sprintf("p%d.f90", n))
				if accepted(t, name, strings.Replace(m.program(), "module m", fmt.Sprintf("module m%d", n), 1), row.flags) {
					names = append(names, name)
				}
			}
			report := compare(t, names, row.flags, row.o)
			if !t.Skipped() {
				require.Greater(t, report.Statements, 25**programs)
				require.Greater(t, report.Types, 150**programs)
				require.Greater(t, report.Conversions, 5**programs)
			}
			if t.Failed() {
				for _, name := range names {
					text, _ := os.ReadFile(name)
					t.Logf("%s:\n%s", name, text)
				}
			}
		})
	}
}
