package programs

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs random programs with data regions: launches, host statements and procedures that do both, on arrays under several names.

const randomProcedures = `
  subroutine blend(x, y)
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: y(:)
    integer :: i
    do i = 1, min(size(x), size(y))
      x(i) = 0.75d0*x(i) + 0.25d0*y(i)
    end do
  end subroutine
  subroutine fixed_size(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 1, n
      x(i) = x(i) + 0.01d0*i
    end do
    x(2) = 0.5d0*x(2)
  end subroutine
  subroutine bump(x, i)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: i
    x(i) = 0.5d0*x(i) + 1
  end subroutine
  subroutine scalar(x)
    real(8), intent(inout) :: x
    x = 0.5d0*x + 2
  end subroutine
  subroutine chain(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 2, size(x)
      x(i) = 0.5d0*x(i) + 0.25d0*x(i-1)
    end do
  end subroutine
`

// scribe writes a random program.
type scribe struct {
	*rand.Rand
	b      strings.Builder
	names  []string // arrays of rank 1 that the statements use
	matrix string   // or ""
	procs  []string // procedures of two arrays
	depth  int
}

func (s *scribe) line(indent int, format string, args ...any) {
	fmt.Fprintf(&s.b, strings.Repeat("  ", indent)+format+"\n", args...)
}

func (s *scribe) pick(list ...string) string { return list[s.Intn(len(list))] }

// array is a designator of rank 1, and its variable.
func (s *scribe) array() (designator, root string) {
	root = s.pick(s.names...)
	switch s.Intn(7) {
	case 0:
		return root + "(3:18)", root
	case 1:
		return root + "(1:19:2)", root
	case 2:
		return root + "(20:1:-1)", root
	case 3:
		if s.matrix != "" {
			return s.matrix + s.pick("(:, 3)", "(5, :)", "(2:7, 4)"), s.matrix
		}
	}
	return root, root
}

// other is an array that shares no memory with root.
func (s *scribe) other(root string) (designator string) {
	for {
		d, r := s.array()
		if r != root && !(r == "p" && root == "t") && !(r == "t" && root == "p") {
			return d
		}
	}
}

// whole is an array of a list that shares no memory with root; root if there is none.
func (s *scribe) whole(list []string, root string) string {
	for _, i := range s.Perm(len(list)) {
		if r := list[i]; r != root && !(r == "p" && root == "t") && !(r == "t" && root == "p") {
			return r
		}
	}
	return root
}

func (s *scribe) element() string { return s.pick(s.names...) + fmt.Sprintf("(%d)", 1+s.Intn(20)) }

func (s *scribe) simple() string {
	a, root := s.array()
	switch s.Intn(16) {
	case 0, 1, 2:
		return fmt.Sprintf("call grow(%s, %.2fd0)", a, 0.8+0.1*float64(s.Intn(4)))
	case 3, 4:
		return fmt.Sprintf("call blend(%s, %s)", a, s.other(root))
	case 5:
		return "call fixed_size(" + a + ", 5)"
	case 6:
		return fmt.Sprintf("call bump(%s, %d)", a, 1+s.Intn(4))
	case 7:
		return "call chain(" + a + ")"
	case 8:
		return "call scalar(" + s.element() + ")"
	case 9:
		return fmt.Sprintf("%s = 0.5d0*%s + %d", s.element(), s.element(), s.Intn(3))
	case 10:
		return "r = 0.5d0*r + " + s.element() + " + " + s.element()
	case 11:
		return "r = 0.5d0*r + " + s.pick("total", "host_sum") + "(" + a + ")"
	case 12:
		return s.element() + " = 0.5d0*total(" + a + ")"
	case 13:
		return "print '(z16)', " + s.element() + ", r"
	case 14:
		if len(s.procs) > 0 { // these use the module's arrays by their own names
			own := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return n == "common_field" || n == "w" })
			if len(own) < 2 {
				break
			}
			first := s.pick(own...)
			return "call " + s.pick(s.procs...) + "(" + first + ", " + s.whole(own, first) + ")"
		}
	case 15:
		return s.pick(root+" = 0.5d0*"+root, root+" = 0.5d0*"+root+" + 1", "call twice_seen("+a+")", "call push")
	}
	return "call set(" + a + ", 0.125d0)"
}

func (s *scribe) statements(indent, count int) {
	for range count {
		switch n := s.Intn(12); {
		case n == 0 && s.depth < 3:
			s.line(indent, "if (mod(int(%s), 2) == 0) then", s.element())
			s.depth++
			s.statements(indent+1, 2)
			s.line(indent, "else")
			s.statements(indent+1, 1)
			s.depth--
			s.line(indent, "end if")
		case n == 1 && s.depth < 3:
			s.line(indent, "do k%d = 1, 2", s.depth)
			s.depth++
			s.statements(indent+1, 3)
			s.depth--
			s.line(indent, "end do")
		case n == 2:
			s.line(indent, "if (r > %s) %s", s.element(), s.simple())
		case n == 3:
			s.line(indent, "do i = 2, 30")
			s.line(indent+1, "%s(i) = 0.5d0*%[1]s(i-1) + 0.25d0*%[2]s(i)", s.names[0], s.names[1])
			s.line(indent, "end do")
		case n == 4 && s.depth < 2:
			s.line(indent, "!$portable data")
			s.depth++
			s.statements(indent, 3)
			s.depth--
			s.line(indent, "!$portable end data")
		default:
			s.line(indent, "%s", s.simple())
		}
	}
}

// randomRegion is a module and a program.
func randomRegion(seed int64) (module, program string) {
	s := &scribe{Rand: rand.New(rand.NewSource(seed)), names: []string{"x", "y", "common_field", "w"}}
	for i := range 3 {
		head := fmt.Sprintf("mixed_%d", i)
		s.line(1, "subroutine %s(x, y)", head)
		s.line(2, "real(8), intent(inout) :: x(:)%s", s.pick(", y(20)", ", y(:)", ", y(*)"))
		s.line(2, "real(8) :: r")
		s.line(2, "integer :: i, k0, k1, k2, k3")
		text := s.b.String()
		starred := strings.HasSuffix(text[:strings.Index(text[strings.LastIndex(text, head):], "real(8) :: r")+strings.LastIndex(text, head)], "y(*)\n    ")
		s.line(2, "r = 1")
		if starred { // neither whole, nor as an argument of assumed shape
			s.names = []string{"x", "common_field", "w"}
			s.line(2, "y(2) = 0.5d0*y(1)")
			s.line(2, "call fixed_size(y, 4)")
			s.line(2, "x(1) = y(3)")
		}
		s.matrix = ""
		s.statements(2, 5)
		s.line(1, "end subroutine")
		s.names = []string{"x", "y", "common_field", "w"}
		s.procs = append(s.procs, head)
	}
	s.line(1, "subroutine twice_seen(x)")
	s.line(2, "real(8), intent(inout) :: x(:)")
	s.line(2, "call grow(x, 0.5d0)")
	s.line(2, "call scalar(x(1))")
	s.line(2, "call grow(x, 1.5d0)")
	s.line(1, "end subroutine")
	module = strings.Replace(regionalKernels, "end module k", randomProcedures+s.b.String()+"end module k", 1)
	s.b.Reset()
	s.names, s.matrix = []string{"a", "b", "common_field", "w", "t", "p"}, "c"
	s.line(0, "program random\n  use k\n  real(8) :: a(40), b(40), c(8, 40), r\n  real(8), target :: t(90)\n  real(8), pointer :: p(:)\n  integer :: i, step, k0, k1, k2, k3")
	s.line(1, "a = 1; b = 2; c = 3; t = 4; r = 0; common_field = 5")
	s.line(1, "allocate (w(40), source=6d0)")
	s.line(1, "p => t(5:90:2)")
	s.line(1, "!$portable data")
	s.line(1, "do step = 1, 3")
	s.statements(2, 14)
	if s.Intn(2) == 0 {
		s.line(2, "if (step == 2) then")
		s.line(3, "deallocate (w)")
		s.line(3, "allocate (w(60), source=r)")
		s.line(2, "end if")
	}
	s.statements(2, 6)
	s.line(1, "end do")
	s.line(1, "!$portable end data")
	s.line(1, "print '(z16)', a, b, c, t, w, r, common_field")
	s.line(0, "end program")
	return module, s.b.String()
}

// TestDataRandom: random programs have the bits of the original.
func TestDataRandom(t *testing.T) {
	seeds := int64(2)
	if *all {
		seeds = 60
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := with(t)
			env := slices.DeleteFunc(onDevice(t, w), func(s string) bool { return strings.Contains(s, "HOSTMEM") || strings.Contains(s, "pageable") })
			module, program := randomRegion(seed)
			sources := []string{w.source("k.f90", module), w.source("p.f90", program)}
			w.build("original", []string{"-O1"}, sources...)
			converted := w.convert([]string{"--auto", "--device", "cuda", "--always-launch"}, sources...)
			w.build("converted.x", []string{"-O1"}, converted...)
			want := w.run(nil, "original")
			out, text, err := w.try(append(slices.Clone(env), "PORTABLE_PROFILE=1"), w.path("converted.x"))
			require.NoError(t, err, text+module+program)
			require.True(t, want == out, "seed %d has other bits\n%s%s", seed, module, program)
			require.Contains(t, text, "data random:")
			require.Equal(t, want, w.run(append(slices.Clone(env), "PORTABLE_LIMIT_MB=1", "GATOR_INITIAL_MB=1"), "converted.x"))
			require.Equal(t, want, w.run([]string{"PORTABLE_DEVICE=threads"}, "converted.x"))
		})
	}
}
