package programs

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file converts refused loops that are cut into parts, and runs them: the bits of the plain program on threads and on the CUDA device. The first
// program has random bodies, the second has what a cut must keep. Not in this file: which statements are parts (internal/nest/fission), the text of
// parts (internal/cut).

// body is a random loop: statements over arrays a to d of 64 elements, w of 6 x 64, scalars s and t, indices k.
type body struct {
	head  string
	lines []string
	wide  bool // it sets x, a scalar of each iteration
	label int  // of the loop, in fixed form; 0: in free form
}

func randomBody(r *rand.Rand) (b body) {
	step := []string{"", "", "", "", ", -1", ", 2", ", -2", ", 3", ", k(2) - 25", ", k(2) - 28"}[r.Intn(10)] // k(2) is 27
	b.head = "i = lower, upper" + step
	if strings.HasPrefix(step, ", -") || strings.HasSuffix(step, "28") {
		b.head = "i = upper, lower" + step
	}
	offset := func() string { return fmt.Sprintf("i%+d", []int{0, 0, 0, 0, -1, -1, 1, -2, 2}[r.Intn(9)]) }
	array := func() string { return string("abcd"[r.Intn(4)]) }
	element := func() string {
		switch r.Intn(24) {
		case 0:
			return array() + "(20)"
		case 1:
			return array() + "(lower)"
		case 2:
			return array() + "(k(i))"
		case 3, 4:
			return fmt.Sprintf("w(%d, %s)", 1+r.Intn(3), offset())
		case 5:
			return "sum(w(2:4, " + offset() + "))"
		}
		return array() + "(" + offset() + ")"
	}
	value := func() string {
		switch r.Intn(12) {
		case 0:
			return "t"
		case 1:
			return "real(i, 8)"
		case 2, 3:
			if b.wide {
				return "x"
			}
		case 4:
			return "twice(" + element() + ")"
		}
		return element()
	}
	set := func(left string) string {
		return []string{left + " = 0.3d0*" + value() + " + 0.7d0*" + value(), left + " = sqrt(abs(" + value() + ")) - 0.5d0*" + value(),
			left + " = max(" + value() + ", " + value() + ") + 0.125d0"}[r.Intn(3)]
	}
	left := func() string {
		switch r.Intn(16) {
		case 5:
			if b.wide {
				return "x"
			}
		case 0:
			return "t"
		case 1:
			return array() + "(20)"
		case 2, 3:
			return fmt.Sprintf("w(%d, %s)", 1+r.Intn(3), offset())
		case 4:
			return "w(2:3, " + offset() + ")"
		}
		return array() + "(" + offset() + ")"
	}
	for range 2 + r.Intn(5) {
		switch r.Intn(14) {
		case 4:
			b.lines = append(b.lines, "call blend("+value()+", "+array()+"("+offset()+"))")
		case 5:
			b.lines, b.wide = append(b.lines, set("x")), true
		case 0:
			b.lines = append(b.lines, "if ("+value()+" > 0.4d0) "+set(left()))
		case 1:
			b.lines = append(b.lines, "if ("+value()+" > 0.4d0) then", "  "+set(left()), "else", "  "+set(left()), "end if")
		case 2:
			b.lines = append(b.lines, "do j = 1, 6", "  w(j, "+offset()+") = 0.9d0*w(j, "+offset()+") + "+value(), "end do")
		case 3:
			b.lines = append(b.lines, "! a comment", set(left()))
		default:
			b.lines = append(b.lines, set(left()))
		}
	}
	return b
}

// fortran is a procedure that runs the loop.
func (b body) fortran(number int, directive string) string {
	if b.label > 0 {
		return inFixedForm(b.free(number, directive), b.label)
	}
	return b.free(number, directive)
}

// inFixedForm writes a source of one loop in fixed form, where the loop ends at a label. Statements end in column 72 at any letter.
func inFixedForm(text string, label int) string {
	var out strings.Builder
	inner := 0
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		s := strings.TrimSpace(line)
		head := "      "
		switch {
		case s == "" || s[0] == '!':
			out.WriteString(strings.Replace(s, "!", "C", 1) + "\n")
			continue
		case strings.HasPrefix(s, "do i = "):
			s = fmt.Sprintf("do %d %s", label, s[len("do "):])
		case strings.HasPrefix(s, "do "):
			inner++
		case s == "end do" && inner > 0:
			inner--
		case s == "end do":
			head, s = fmt.Sprintf("%5d ", label), "continue"
		}
		for len(s) > 66 {
			out.WriteString(head + s[:66] + "\n")
			head, s = "     &", s[66:]
		}
		out.WriteString(head + s + "\n")
	}
	return out.String()
}

func (b body) free(number int, directive string) string {
	return fmt.Sprintf(`subroutine body%d(lower, upper, k, a, b, c, d, w, t)
  use of_bodies, only: twice, blend
  implicit none
  integer, intent(in) :: lower, upper, k(64)
  real(8), intent(inout) :: a(64), b(64), c(64), d(64), w(6, 64), t
  real(8) :: x
  integer :: i, j
  j = 0
  %s
  do %s
    %s
  end do
  t = t + i + j
end subroutine body%d
`, number, directive, b.head, strings.Join(b.lines, "\n    "), number)
}

const ofBodies = `module of_bodies
contains
  pure real(8) function twice(p)
    real(8), intent(in) :: p
    twice = 2*p - p*p
  end function twice
  pure subroutine blend(p, q)
    real(8), intent(in), value :: p
    real(8), intent(inout) :: q
    q = 0.5d0*q + 0.25d0*p
  end subroutine blend
end module of_bodies
`

const cutDriver = `subroutine show(number, a, b, c, d, w, t)
  integer, intent(in) :: number
  real(8), intent(in) :: a(64), b(64), c(64), d(64), w(6, 64), t
  integer(8) :: bits(64*10 + 1), sum
  integer :: i
  bits = transfer([a, b, c, d, reshape(w, [6*64]), t], bits)
  sum = 0
  do i = 1, size(bits)
    sum = ieor(ishftc(sum, 7), bits(i))
  end do
  print '(a,i0,a,z16.16)', ' body', number, ' ', sum
end subroutine show
program main
  implicit none
  integer :: k(64), i
  real(8) :: a(64), b(64), c(64), d(64), w(6, 64), t
`

const cutStart = `  do i = 1, 64
    k(i) = 1 + mod(i*13, 60)
    a(i) = mod(i*37, 64)/64d0
    b(i) = mod(i*29, 64)/64d0 - 0.5d0
    c(i) = mod(i*11, 64)/16d0
    d(i) = 1d0/i
    w(:, i) = mod(i*[3, 7, 9, 11, 13, 17], 64)/64d0
  end do
  t = 0.25d0
`

func cutProgram(bodies []body, numbers []int) string {
	var b strings.Builder
	b.WriteString(cutDriver)
	for _, n := range numbers {
		for _, bounds := range []string{"4, 60", "20, 20", "9, 8"} {
			fmt.Fprintf(&b, "  call start()\n  call body%d(%s, k, a, b, c, d, w, t)\n  call show(%d, a, b, c, d, w, t)\n", n, bounds, n)
		}
	}
	return b.String() + "contains\n  subroutine start()\n" + cutStart + "  end subroutine start\nend program main\n"
}

var cutLine = regexp.MustCompile(`(?m)^bodies\.(f90|f):(\d+):\d+ (.*)$`)

// TestCutRandom: loops that are cut give the bits of the plain program. A directive stands at each loop for which the tool knows parts.
func TestCutRandom(t *testing.T) {
	count, seed := 40, *firstSeed
	if *all {
		count = 600
	}
	w := with(t)
	env := onDevice(t, w)
	r := rand.New(rand.NewSource(int64(seed)))
	bodies := make([]body, count)
	texts := map[string]*strings.Builder{"f90": {}, "f": {}} // by the form
	first := map[string][]int{}
	of := map[string][]int{}
	for i := range bodies {
		bodies[i] = randomBody(r)
		form := "f90"
		if i%3 == 2 {
			form, bodies[i].label = "f", 10+i
		}
		text := texts[form]
		first[form], of[form] = append(first[form], 1+strings.Count(text.String(), "\n")), append(of[form], i)
		text.WriteString(bodies[i].fortran(i, ""))
	}
	sources := []string{w.source("of_bodies.f90", ofBodies)}
	survey, errors, err := w.try(nil, *portablef, "survey", sources[0], w.source("bodies.f90", texts["f90"].String()), w.source("bodies.f", texts["f"].String()))
	require.NoError(t, err, errors)
	chosen := map[int]bool{}
	for _, m := range cutLine.FindAllStringSubmatch(survey, -1) {
		if !strings.Contains(m[3], "; parts: ") && !strings.Contains(m[3], "part of the loop") {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		at, _ := slices.BinarySearch(first[m[1]], line+1)
		chosen[of[m[1]][at-1]] = true
	}
	var numbers []int
	for _, form := range []string{"f90", "f"} {
		var list []int
		for i, b := range bodies {
			if chosen[i] && (b.label > 0) == (form == "f") {
				list = append(list, i)
			}
		}
		require.Greater(t, 10*len(list), len(of[form]), "too few loops are cut: %s", form)
		for part := range slices.Chunk(list, 60) { // the compilation of a file has four minutes
			var text strings.Builder
			for _, i := range part {
				text.WriteString(bodies[i].fortran(i, "!$portable parallel"))
			}
			sources = append(sources, w.source(fmt.Sprintf("cut%d.%s", len(sources), form), text.String()))
		}
		numbers = append(numbers, list...)
	}
	main := w.source("main.f90", cutProgram(bodies, numbers))
	w.build("original", []string{"-O1", "-w"}, append(slices.Clone(sources), main)...)
	want := strings.Split(w.run(nil, "original"), "\n")
	converted := w.convert([]string{"--device", "cuda"}, sources...)
	var now strings.Builder
	for _, name := range converted {
		now.WriteString(w.text(name))
	}
	require.GreaterOrEqual(t, strings.Count(now.String(), " part 1 of "), len(numbers))
	w.build("converted.x", []string{"-O1", "-w"}, append(converted, main)...)
	check := func(where string, env []string) {
		got := strings.Split(w.run(env, "converted.x"), "\n")
		require.Len(t, got, len(want))
		wrong := 0
		for i := range want {
			if got[i] == want[i] {
				continue
			}
			if wrong++; wrong < 4 {
				t.Errorf("%s: want%s, got%s\n%s", where, want[i], got[i], bodies[numbers[i/3]].fortran(numbers[i/3], ""))
			}
		}
		require.Zero(t, wrong, "%s: so many of %d loops have other bits", where, len(want))
	}
	for _, threads := range []string{"1", "2", "7"} {
		check(threads+" threads", []string{"PORTABLE_NUM_THREADS=" + threads, "PORTABLE_VERBOSE=" + w.path("log.threads")})
	}
	require.NotEmpty(t, launchLine.FindAllString(w.text("log.threads"), -1))
	check("on the device", env)
	launches := launchesOnDevice(w.text("log"))
	widened := strings.Count(now.String(), "cut_refused = 1")
	t.Logf("%d of %d loops are cut, %d with an array for x; %d launches on the device", len(numbers), count, widened, len(launches))
	require.Greater(t, 20*widened, len(numbers))
	require.Greater(t, len(launches), len(numbers))
}

// cutParts has a macro, INCLUDE, a data region, labels, a scalar that becomes an array, and two loops in another order.
const cutParts = `#define SCALE(v) (2*(v))
#ifdef NEVER
subroutine nothing()
end subroutine
#endif
subroutine work(a, b, c, d, n)
  include 'params.inc'
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n), c(n), d(n)
  real(8) :: x
  integer :: i, step
  !$portable data inout(a, b, c, d)
  do step = 1, 3
    !$portable parallel label('first')
    do i = 2, n
      x = exp(-c(i)) + log(2 + c(i))   ! x of the iteration
      b(i) = SCALE(c(i))**0.3d0 + x
      a(i) = 0.5d0*a(i-1) + x
      d(i) = a(i)*b(i)
    end do
    !$portable parallel
    do i = 2, n - 1
      c(i) = 0.25d0*d(i)
      b(i) = c(i+1)
    end do
  end do
  !$portable end data
end subroutine
`

const cutFixed = `      SUBROUTINE OLD(A, B, C, D, N)
      DOUBLE PRECISION A(N), B(N), C(N), D(N), X
C$PORTABLE PARALLEL LABEL('old')
      DO 10 I = N - 1, 2, -1
        X = SQRT(ABS(C(I))) + 1
C       A RECURRENCE
        A(I) = 0.5D0*A(I + 1)
     &         + X
        D(I) = A(I)*X
   10 CONTINUE
      END
`

const cutMain = `program p
  integer, parameter :: n = 3000
  real(8) :: a(n), b(n), c(n), d(n)
  integer :: i
  integer(8) :: bits(n)
  a = [(mod(i*7, 31)/31d0, i = 1, n)]; b = a*2; c = [(mod(i*11, 17)/17d0, i = 1, n)]; d = 0
  call work(a, b, c, d, n)
  call old(a, b, c, d, n)
  print *, sum(transfer(a, bits)/n), sum(transfer(b, bits)/n), sum(transfer(c, bits)/n), sum(transfer(d, bits)/n)
end program
`

// TestCutProgram: parts have their labels and the bits of the plain program on threads, under the check for races, with --bits and on the device.
func TestCutProgram(t *testing.T) {
	w := with(t)
	env := onDevice(t, w)
	w.source("params.inc", "  integer, parameter :: big = 500\n")
	sources := []string{w.source("parts.F90", cutParts), w.source("old.f", cutFixed)}
	main := w.source("main.f90", cutMain)
	flags := []string{"-O1", "-I."}
	w.build("original", flags, append(slices.Clone(sources), main)...)
	want := w.run(nil, "original")
	labels := func(log string) (list []string) {
		for _, m := range launchLine.FindAllStringSubmatch(w.text(log), -1) {
			if !slices.Contains(list, m[1]) {
				list = append(list, m[1])
			}
		}
		return list
	}
	all := []string{"first", "first:19", "work:22", "work:23", "old", "old:9"}
	for _, options := range [][]string{{"--device", "cuda"}, {"--check"}, {"--bits"}} {
		converted := w.convert(options, sources...)
		w.build("converted.x", append(slices.Clone(flags), "-Wall", "-ffp-contract=off"), append(converted, main)...)
		for _, threads := range []string{"1", "2", "7"} {
			require.Equal(t, want, w.run([]string{"PORTABLE_NUM_THREADS=" + threads, "PORTABLE_VERBOSE=" + w.path("log.threads")}, "converted.x"), "%v", options)
			require.Equal(t, all, labels("log.threads"))
		}
		if options[0] == "--check" {
			_, text, err := w.try([]string{"PORTABLE_CHECK=races", "PORTABLE_NUM_THREADS=2"}, w.path("converted.x"))
			require.NoError(t, err)
			require.Contains(t, text, "no races were found")
		}
		if options[0] == "--device" {
			require.Equal(t, want, w.run(env, "converted.x"))
			for _, label := range all {
				require.Contains(t, launchesOnDevice(w.text("log")), label)
			}
		}
	}
}
