package fission_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// adviceOf is the part of the first remedy that names the parts of a loop, "" if there is none; wide says that t needs elements for all iterations.
func adviceOf(text string) (advice string, wide bool) {
	f := parse.File(source.Read(source.NewSet(nil), "a.f90", []byte(text), source.Options{}))
	for _, n := range nest.Find(scope.Build([]*tree.File{f}, scope.Options{}), nest.Options{Auto: true}) {
		if n.Verdict == nest.Refused && len(n.Refusals) > 0 {
			if _, after, is := strings.Cut(n.Refusals[0].Remedy, "into parts: "); is {
				advice, _, _ := strings.Cut(after, "; or ")
				return advice, len(n.Wide) == 1 && n.Wide[0].Name == "t"
			}
		}
	}
	return "", false
}

const around = `subroutine s(a, b, c, d, k, p, w, z, n, m)
integer :: n, m, i, j
integer :: k(n)
real :: a(n), b(n), c(n), d(n), w(40, n), z(40), t, sf, x, h(100)
real, pointer :: p(:)
real :: e(100), g(100)
equivalence (e(1), g(2))
real, volatile :: v(100)
real, target :: q(100)
common /y/ y1(100), y2(100), y3
real, save :: y4
type :: t1
real :: x(100)
end type
type(t1) :: o
sf(x) = x + t
do HEAD
BODY
end do
contains
pure real function pf(x)
real, intent(in) :: x
pf = 2*x
end function
pure real function pg(i)
integer, intent(in) :: i
pg = h(i) + h(i+1) + h(i-1)
end function
pure real function pc(i)
integer, intent(in) :: i
common /y/ u(300)
pc = u(i)
end function
subroutine np(x, y)
real, intent(in) :: x
real, intent(inout) :: y
y = y + x
end subroutine
pure subroutine ps(x, y)
real, intent(in) :: x
real, intent(inout) :: y
y = y + x
end subroutine
real function counts(x)
real, intent(in) :: x
integer, save :: count = 0
count = count + 1
counts = x
end function
end subroutine
`

// The body of each row begins at line 12.
func TestAdvice(t *testing.T) {
	for _, row := range []struct{ name, head, body, want string }{
		{"a recurrence behind", "i = 2, n", "b(i) = c(i)*2\na(i) = a(i-1) + b(i)", "line 18 parallel i; line 19 serial"},
		{"a recurrence in the middle", "i = 2, n", "b(i) = c(i)*2\na(i) = a(i-1) + b(i)\nd(i) = a(i) + 1",
			"line 18 parallel i; line 19 serial; line 20 parallel i"},
		{"reads of earlier iterations", "i = 2, n", "b(i) = c(i)\nd(i) = b(i-1)", "line 18 parallel i; line 19 parallel i"},
		{"reads of later iterations", "i = 2, n - 1", "b(i) = c(i)\nd(i) = b(i+1)", "line 19 parallel i; line 18 parallel i"},
		{"backwards", "i = n, 2, -1", "b(i) = c(i)\nd(i) = b(i-1)", "line 19 parallel i; line 18 parallel i"},
		{"reads of both", "i = 2, n - 1", "b(i) = c(i)\nd(i) = b(i+1) + b(i-1)", ""},
		{"a read of its own and of later iterations", "i = 2, n - 1", "b(i) = c(i)\nd(i) = b(i+1) + b(i)", ""},
		{"reads of the first iteration", "i = 1, n", "b(i) = c(i)\nd(i) = b(1)", "line 18 parallel i; line 19 parallel i"},
		{"reads of the last iteration", "i = 1, n", "b(i) = c(i)\nd(i) = b(n)", ""},
		{"the bound is the variable", "i = i, n", "b(i) = c(i)\na(i) = a(i-1)", ""},
		{"neighbours join", "i = 2, n", "b(i) = c(i)\na(i) = a(i-1)\nd(i) = c(i)", "line 18, line 20 parallel i; line 19 serial"},
		{"a cycle of two", "i = 2, n", "b(i) = a(i-1)\na(i) = b(i)", ""},
		{"a scalar across", "i = 2, n", "t = c(i)\na(i) = a(i-1) + t\nd(i) = t", "t: line 18, line 20 parallel i; line 19 serial"},
		{"a scalar across that is read first", "i = 2, n", "d(i) = t\nt = c(i)\na(i) = a(i-1) + t", ""},
		{"a scalar across under a condition", "i = 2, n", "if (c(i) > 0) t = c(i)\na(i) = a(i-1) + t\nd(i) = c(i)", "lines 18-19 serial; line 20 parallel i"},
		{"a dummy across", "i = 2, n", "m = k(i)\na(i) = a(i-1) + m\nd(i) = m", ""},
		{"a variable of COMMON across", "i = 2, n", "y3 = c(i)\na(i) = a(i-1) + y3\nd(i) = y3", ""},
		{"a saved variable across", "i = 2, n", "y4 = c(i)\na(i) = a(i-1) + y4\nd(i) = y4", ""},
		{"the variable of an inner loop across", "i = 2, n", "do j = 1, 40\nw(j, i) = c(i)\nend do\na(i) = a(i-1) + j", ""},
		{"a statement function across", "i = 2, n", "t = c(i)\na(i) = a(i-1) + sf(1.0)\nd(i) = t", ""},
		{"a PURE function", "i = 2, n", "b(i) = pf(c(i))\na(i) = a(i-1) + b(i)", "line 18 parallel i; line 19 serial"},
		{"a PURE function that reads what the loop sets", "i = 2, n", "b(i) = pg(i)\na(i) = a(i-1) + b(i)\nh(i) = c(i)", ""},
		{"a PURE subroutine", "i = 2, n", "call ps(c(i), b(i))\na(i) = a(i-1) + b(i)", "line 18 parallel i; line 19 serial"},
		{"a PURE subroutine that sets what the next iteration reads", "i = 2, n", "call ps(a(i-1), b(i))\ncall ps(b(i), a(i))", ""},
		{"RANDOM_NUMBER", "i = 2, n", "call random_number(b(i))\na(i) = a(i-1)\ncall random_number(d(i))", ""},
		{"an intrinsic subroutine", "i = 2, n", "call mvbits(k(i), 0, 2, k(i), 3)\nb(i) = c(i)\na(i) = a(i-1) + b(i)", ""},
		{"a function with a state", "i = 2, n", "b(i) = rand(0)\na(i) = a(i-1)\nd(i) = rand(0)", ""},
		{"another form of a COMMON block", "i = 2, n", "b(i) = pc(i)\na(i) = a(i-1)\ny1(i) = c(i)", ""},
		{"a subroutine that is not PURE", "i = 2, n", "call np(c(i), b(i))\na(i) = a(i-1) + b(i)", ""},
		{"a function that counts", "i = 2, n", "b(i) = counts(c(i))\na(i) = a(i-1) + b(i)", ""},
		{"a scalar inside of a part", "i = 2, n", "t = c(i)\nd(i) = t\na(i) = a(i-1) + d(i)", "lines 18-19 parallel i; line 20 serial"},
		{"a block stays whole", "i = 2, n", "if (c(i) > 0) then\nb(i) = c(i)\na(i) = a(i-1)\nend if\nd(i) = a(i)", "lines 18-21 serial; line 22 parallel i"},
		{"a bound is set", "i = 2, m", "b(i) = c(i)\na(i) = a(i-1)\nm = 5", ""},
		{"a bound is an element that is set", "i = 2, k(1)", "b(i) = c(i)\na(i) = a(i-1)\nk(i) = 5", ""},
		{"leaves the loop", "i = 2, n", "b(i) = c(i)\nif (b(i) > 1) exit\na(i) = a(i-1)", ""},
		{"next iteration", "i = 2, n", "if (c(i) > 1) cycle\nb(i) = c(i)\na(i) = a(i-1)", ""},
		{"returns", "i = 2, n", "b(i) = c(i)\nif (b(i) > 1) return\na(i) = a(i-1)", ""},
		{"prints", "i = 2, n", "b(i) = c(i)\nprint *, b(i)\na(i) = a(i-1)", ""},
		{"calls what is not known", "i = 2, n", "b(i) = c(i)\ncall what(i)\na(i) = a(i-1)", ""},
		{"a function that is not known", "i = 2, n", "b(i) = f(i)\na(i) = a(i-1)", ""},
		{"pointers", "i = 2, n", "p(i) = c(i)\na(i) = a(i-1)", ""},
		{"shared memory", "i = 2, n", "e(i) = c(i)\na(i) = a(i-1)\nd(i) = g(i)", ""},
		{"an index array", "i = 2, n", "b(k(i)) = c(i)\nd(i) = b(i)\na(i) = a(i-1)", ""},
		{"one variable of inner loops", "i = 2, n", "do j = 1, 40\nw(j, i) = c(i)\nend do\ndo j = 1, 40\nz(j) = z(j)*0.5 + c(i)\nend do", ""},
		{"two statements of a line", "i = 2, n", "b(i) = c(i); a(i) = a(i-1) + b(i)", ""},
		{"a line of two parts", "i = 2, n", "d(i) = c(i)\nb(i) = &\nc(i); a(i) = a(i-1) + b(i)", "line 18 parallel i; lines 19-20 serial"},
		{"few iterations", "i = 2, 5", "b(i) = c(i)\na(i) = a(i-1) + b(i)", ""},
		{"never runs", "i = 2, 1", "b(i) = c(i)\na(i) = a(i-1) + b(i)", ""},
		{"a bound is set in between", "i = 2, n", "b(i) = c(i)\nn = 5\na(i) = a(i-1)", ""},
		{"volatile", "i = 2, n", "v(i) = c(i)\na(i) = a(i-1)", ""},
		{"a target", "i = 2, n", "q(i) = c(i)\na(i) = a(i-1)", ""},
		{"components", "i = 2, n", "o%x(i) = c(i)\na(i) = a(i-1)", ""},
		{"goto", "i = 2, n", "b(i) = c(i)\nif (b(i) > 1) goto 20\na(i) = a(i-1)\n20 continue", ""},
		{"stops", "i = 2, n", "b(i) = c(i)\nif (b(i) > 1) stop\na(i) = a(i-1)", ""},
		{"reads a file", "i = 2, n", "b(i) = c(i)\nread *, d(i)\na(i) = a(i-1)", ""},
		{"allocates", "i = 2, n", "b(i) = c(i)\nallocate (p(i))\na(i) = a(i-1)", ""},
		{"names of memory in COMMON", "i = 2, n", "y1(i) = c(i)\na(i) = a(i-1) + y2(i)", "line 18 parallel i; line 19 serial"},
		{"steps of any sign", "i = 2, n, m", "b(i) = c(i)\na(i) = a(i-1) + b(i-2)", ""},
		{"steps of two", "i = 3, n, 2", "b(i) = c(i)\na(i) = a(i-2) + b(i-2)", "line 18 parallel i; line 19 serial"},
		{"all serial", "i = 2, n", "b(i) = b(i-1)\na(i) = a(i-1)", ""},
	} {
		text := strings.Replace(strings.Replace(around, "HEAD", row.head, 1), "BODY", row.body, 1)
		got, wide := adviceOf(text)
		if wide {
			got = "t: " + got
		}
		require.Equal(t, row.want, got, row.name)
	}
}

// statement is x(i + to) = y(i + from[0]) + z(i + from[1]); array 4 is a scalar, and fixed is an element for all iterations.
type statement struct {
	to, from [3]int // array, offset, fixed
	second   [3]int
	guarded  bool
}

func name(r [3]int) string {
	switch {
	case r[0] == 4:
		return "t"
	case r[2] != 0:
		return fmt.Sprintf("x%d(20)", r[0])
	}
	return fmt.Sprintf("x%d(i%+d)", r[0], r[1])
}

type memory [5][64]int64

func (m *memory) at(r [3]int, i int, wide bool) *int64 {
	switch {
	case r[0] == 4 && wide:
		return &m[4][i]
	case r[0] == 4:
		return &m[4][0]
	case r[2] != 0:
		return &m[r[0]][20]
	}
	return &m[r[0]][i+r[1]]
}

func (m *memory) run(s statement, k, i int, wide bool) {
	if !s.guarded || m[3][i]%2 == 0 {
		*m.at(s.to, i, wide) = 31**m.at(s.from, i, wide) + 7**m.at(s.second, i, wide) + int64(k)
	}
}

var named = regexp.MustCompile(`lines? (\d+)(?:-(\d+))?`)

// TestTruth runs loops whole, and cut as advised with the iterations of parallel parts in any order: the elements must be the same.
func TestTruth(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	advised, parallel, widened := 0, 0, 0
	for range 1600 {
		list := make([]statement, 2+r.Intn(4))
		place := func() [3]int {
			p := [3]int{r.Intn(4), r.Intn(5) - 2, 0}
			switch r.Intn(12) {
			case 0, 2:
				p[0] = 4
			case 1:
				p[2] = 1
			}
			return p
		}
		var text strings.Builder
		step := []int{1, 1, 1, -1, 2}[r.Intn(5)]
		first, last, head := 8, 50, "do i = 8, 50"
		if step < 0 {
			first, last, head = 50, 8, "do i = 50, 8, -1"
		} else if step == 2 {
			head = "do i = 8, 50, 2"
		}
		text.WriteString("subroutine s(x0, x1, x2, x3)\ninteger :: x0(64), x1(64), x2(64), x3(64), i, t\nt = 3\n" + head + "\n")
		for k := range list {
			list[k] = statement{place(), place(), place(), r.Intn(6) == 0}
			if list[k].guarded {
				text.WriteString("if (mod(x3(i), 2) == 0) ")
			}
			fmt.Fprintf(&text, "%s = 31*%s + 7*%s + %d\n", name(list[k].to), name(list[k].from), name(list[k].second), k)
		}
		text.WriteString("end do\nend subroutine\n")
		advice, wide := adviceOf(text.String())
		if advice == "" {
			continue
		}
		advised++
		if wide {
			widened++
		}
		var whole, cut memory
		for a := range whole {
			for i := range whole[a] {
				whole[a][i] = r.Int63n(1000)
			}
		}
		cut = whole
		var order []int
		for i := first; step > 0 && i <= last || step < 0 && i >= last; i += step {
			order = append(order, i)
		}
		for _, i := range order {
			for k, s := range list {
				whole.run(s, k, i, false)
			}
		}
		for _, part := range strings.Split(advice, "; ") {
			now := append([]int(nil), order...)
			if strings.HasSuffix(part, "parallel i") {
				parallel++
				r.Shuffle(len(now), func(a, b int) { now[a], now[b] = now[b], now[a] })
			}
			for _, i := range now {
				for _, m := range named.FindAllStringSubmatch(part, -1) {
					from, _ := strconv.Atoi(m[1])
					to := from
					if m[2] != "" {
						to, _ = strconv.Atoi(m[2])
					}
					for line := from; line <= to; line++ {
						cut.run(list[line-5], line-5, i, wide)
					}
				}
			}
		}
		whole[4], cut[4] = [64]int64{}, [64]int64{}
		require.Equal(t, whole, cut, "%s\n%s", text.String(), advice)
	}
	require.Greater(t, advised, 100)
	require.Greater(t, parallel, advised)
	require.Greater(t, widened, 5)
}
