package nest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// program reads sources: names and texts in turn.
func program(namesAndTexts ...string) *scope.Program {
	set := source.NewSet(nil)
	var files []*tree.File
	for i := 0; i+1 < len(namesAndTexts); i += 2 {
		files = append(files, parse.File(source.Read(set, namesAndTexts[i], []byte(namesAndTexts[i+1]), source.Options{})))
	}
	return scope.Build(files, scope.Options{})
}

// summaryOf writes a verdict in one line.
func summaryOf(n *Nest) string {
	var b strings.Builder
	if n.Verdict == Serial {
		return "serial"
	}
	if n.Verdict == Refused {
		r := n.Refusals[0]
		return fmt.Sprintf("refused %d %s: %s", r.At.Line, r.Rule, r.Text)
	}
	b.WriteString("parallel")
	for _, l := range n.Loops {
		b.WriteString(" " + l.Variable.Name)
		if l.UsedAfter {
			b.WriteString("!")
		}
	}
	names := func(title string, list []*scope.Symbol) {
		if len(list) > 0 {
			b.WriteString("; " + title)
			for _, y := range list {
				b.WriteString(" " + y.Name)
			}
		}
	}
	var private []*scope.Symbol
	for _, y := range n.Private {
		last := false
		for _, z := range n.Last {
			last = last || y == z
		}
		if !last {
			private = append(private, y)
		}
	}
	names("private", private)
	names("last", n.Last)
	for _, r := range n.Reductions {
		fmt.Fprintf(&b, "; reduction %s:%s", r.Operator, r.Symbol.Name)
		for _, p := range r.Place {
			b.WriteString("@" + p.Name)
		}
	}
	for _, s := range n.Sums {
		fmt.Fprintf(&b, "; sums %s:%s", s.Operator, n.Arguments[s.Argument].Symbol.Name)
	}
	for _, p := range n.Pairs {
		fmt.Fprintf(&b, "; pair %s %s", n.Arguments[p.A].Symbol.Name, n.Arguments[p.B].Symbol.Name)
	}
	if n.Asserted {
		b.WriteString("; asserted")
	}
	return b.String()
}

// in wraps statements into a procedure with some declarations.
func in(body string) string {
	return "subroutine s(n, m, a, b, c, d, x, y, z, idx)\n" +
		"integer, intent(in) :: n, m\n" +
		"real :: a(0:n+1, 0:m+1), b(0:n+1, 0:m+1), c(n, m), d(n, m), x(0:n+1), y(0:n+1), z(0:n+1)\n" +
		"integer :: idx(n)\n" +
		"integer :: i, j, k, l, im, ip, jm, count, place\n" +
		"real :: s1, s2, t, t2, w(0:100), v(3), big\n" +
		"logical :: found\n" +
		body + "\nend subroutine\n"
}

func verdicts(text string) string {
	var list []string
	for _, n := range Find(program("test.f90", text), Options{Auto: true}) {
		list = append(list, summaryOf(n))
	}
	return strings.Join(list, " | ")
}

// TestVerdicts is a table of small nests. The first statement is line 8.
func TestVerdicts(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"copy", "do j=1,m\ndo i=1,n\nt = a(i,j)\nc(i,j) = t*2\nend do\nend do", "parallel j i; private t"},
		{"inner recurrence", "do j=1,m\ndo i=1,n\na(i,j) = a(i-1,j)\nend do\nend do", "parallel j; private i"},
		{"recurrence", "do i=1,n\nx(i) = x(i-1)\nend do", "refused 9 recurrence: 'x' has distance 1 in loop i: x(i) at line 9, x(i-1) at line 9"},
		{"step of run time, downwards", "do i=n,1,-m\ny(i) = x(i)\nend do", "parallel i"},
		{"step that is a sum", "do i=1,n,m+1\ny(i) = x(i)*y(i)\nend do", "parallel i"},
		{"step that is an element", "do i=1,n,idx(2)-3\nc(i,1) = c(i,1)+c(i,2)\nend do", "parallel i"},
		{"step that is a product", "do i=1,n,-2*m*k\ny(2*i) = x(i)\nend do", "parallel i"},
		{"step of a sum, other elements", "do i=1,n,m+1\ny(i) = y(i+1)\nend do", "refused 9 unknown-distance: the distance of 'y' in loop i is not known: y(i) at line 9, y(i+1) at line 9"},
		{"step of a sum, one element", "do i=1,n,m+1\ny(m+1) = x(i)\nend do", "refused 9 same-element: 'y' is written at line 9 with no index of loop i: all its iterations write the same elements"},
		{"step that changes in the loop around", "do j=1,m\nk=j-3\ndo i=1,n,k+1\nc(i,j) = x(i)\nend do\nend do", "parallel j; private i k"},
		{"sum", "s1=0\ndo i=1,n\ns1 = s1+x(i)\nend do\nx(1)=s1", "parallel i; reduction +:s1"},
		{"difference is no reduction", "s1=0\ndo i=1,n\ns1 = x(i)-s1\nend do\nx(1)=s1", "refused 10 carried-scalar: 's1' carries a value from one iteration to the next: read at line 10, set at line 10"},
		{"clause for cut steps", "place=0\n!$portable parallel reduction(+: place)\ndo i=1,n\nplace = place + x(i)\nend do\nx(1)=place",
			"refused 11 carried-scalar: 'place' carries a value from one iteration to the next: read at line 11, set at line 11"},
		{"scatter", "do i=1,n\nx(idx(i)) = y(i)\nend do", "refused 9 index-array: 'x' is indexed through 'idx' at line 9: two iterations may have one element"},
		{"histogram", "do i=1,n\nx(idx(i)) = x(idx(i)) + y(i)\nend do", "parallel i; sums +:x"},
		{"private array", "do i=1,n\ndo k=1,3\nv(k) = a(i,k)\nend do\nx(i)=v(1)+v(2)\nend do", "parallel i; private k v"},
		{"array that is not covered", "do i=1,n\ndo k=1,2\nv(k) = a(i,k)\nend do\nx(i)=v(3)\nend do", "refused 12 private-array: 'v' may be read before its iteration sets it: v(3) at line 12"},
		{"scan in a private array", "do i=1,n\nw(0)=0\ndo k=1,m\nw(k) = w(k-1)+a(i,k)\nend do\nx(i)=w(m)\nend do", "parallel i; private k w"},
		{"last value", "do i=1,n\nt = x(i)\ny(i) = t\nend do\nx(1)=t", "parallel i; last t"},
		{"last value for a NAMELIST", "namelist /group/ t\ndo i=1,n\nt = x(i)\ny(i) = t\nend do\nwrite (*, group)", "parallel i; last t"},
		{"last value for a NAMELIST with PRINT", "namelist /group/ t\ndo i=1,n\nt = x(i)\ny(i) = t\nend do\nprint group", "parallel i; last t"},
		{"loop variable behind the loop", "do i=1,n\ny(i) = 1\nend do\nx(1)=i", "parallel i!"},
		{"conditional scalar", "t=0\ndo i=1,n\nif (x(i)>0) t = x(i)\ny(i) = t\nend do", "refused 11 conditional-scalar: 't' is set under a condition at line 10 and read at line 11"},
		{"zero trips", "t=0\ndo i=1,n\ndo k=1,m\nt = x(k)\nend do\ny(i) = t\nend do", "refused 13 conditional-scalar: 't' is set under a condition at line 11 and read at line 13"},
		{"known trips", "do i=1,n\ndo k=1,3\nt = z(k)\nend do\ny(i) = t\nend do", "parallel i; private k t"},
		{"place of a maximum", "big=-1\nplace=0\ndo i=1,n\nif (x(i) > big) then\nbig = x(i)\nplace = i\nend if\nend do\nx(1)=big+place", "parallel i; reduction max:big@place"},
		{"flag", "found=.false.\ndo i=1,n\nif (x(i) > 1) found = .true.\nend do\nif (found) x(1)=0", "parallel i; reduction .or.:found"},
		{"even and odd", "do i=1,n/2\nx(2*i) = x(2*i-1)\nend do", "parallel i"},
		{"halves", "do i=1,n/2\nx(i) = x(i+n/2)\nend do", "parallel i"},
		{"swap from both ends", "do i=1,n/2\nt = x(i)\nx(i) = x(n+1-i)\nx(n+1-i) = t\nend do", "parallel i; private t"},
		{"blocks of 3", "do i=1,n\ndo k=1,3\nz(3*i+k) = 0\nend do\nend do", "parallel i k"},
		{"neighbours through scalars", "do i=1,n\nim = i-1\nif (i == 1) im = n\ny(i) = x(im)\nend do", "parallel i; private im"},
		{"one iteration", "do i=1,n\nif (i == m) y(1) = x(i)\nend do", "parallel i"},
		{"leaves", "do i=1,n\nif (x(i) > 0) exit\ny(i) = x(i)\nend do", "refused 9 leaves-loop: EXIT at line 9 leaves the loop"},
		{"output", "do i=1,n\nprint *, x(i)\ny(i)=1\nend do", "refused 9 effect: PRINT at line 9 does input or output"},
		{"wavefront", "do j=1,m\ndo i=1,n\na(i,j) = a(i-1,j) + a(i,j-1)\nend do\nend do", "refused 10 recurrence: 'a' has distance 1 in loop j: a(i,j) at line 10, a(i,j-1) at line 10"},
		{"constant index", "do i=1,n\nx(i) = 0\nx(5) = y(i)\nend do", "refused 10 same-element: 'x' is written at line 10 with no index of loop i: all its iterations write the same elements"},
		{"transpose needs two dimensions", "do j=1,m\ndo i=j+1,n\na(i,j) = a(j,i)\nend do\nend do", "parallel j; private i"},
		{"lost index", "do k=1,m\ndo j=1,m\ndo i=1,n\nc(i,j) = 0.5*c(i,j) + a(i,k)\nend do\nend do\nend do", "parallel j i"},
		{"forward jump", "do i=1,n\nt = x(i)\nif (t < 0) goto 10\nt = sqrt(t)\n10 y(i) = t\nend do", "parallel i; private t"},
		{"bounds that the loop sets", "k = 3\nl = n\ndo i=1,l,k\nl = 7\nk = 9\ny(i) = i\nend do\nx(1) = k+l", "parallel i; last k l"},
		{"bounds that the loop sets, and an index", "k = 3\ndo i=1,n,k\nk = 9\ny(i+k) = i\nx(k) = 1\nend do", "refused 12 same-element: 'x' is written at line 12 with no index of loop i: all its iterations write the same elements"},
		{"scalar that one branch of the next iteration reads", "do i=1,n\nif (y(i) < 2) then\nt = z(i)\nx(1) = t\nelse\nx(1) = min(x(1), t)\nend if\ndo k=1,n\nt = z(k)\nb(i,k) = t\nend do\nend do",
			"parallel k; last t"},
		{"jump back", "do i=1,n\n10 x(i) = x(i)/2\nif (x(i) > 1) goto 10\nend do", "parallel i"},
		{"jump back that sets what it reads", "do i=1,n\nk = 0\n10 k = k+1\nif (x(i) > k) goto 10\ny(i) = k\nend do", "parallel i; private k"},
		{"jump back out of a loop", "do i=1,n\n10 continue\ndo k=1,3\nx(i) = x(i)/2\nif (x(i) > k) goto 10\nend do\nend do", "parallel i; private k"},
		{"two jumps back", "do i=1,n\nt = 1\n10 t = t/2\n20 t = t/3\nif (x(i) > t) goto 10\nif (x(i) < t) goto 20\ny(i) = t\nend do", "parallel i; private t"},
		{"index behind a jump back", "do i=1,n\nk = i\n10 y(k) = 1\nk = k+1\nif (x(i) > k) goto 10\nend do", "refused 10 strides: 'y' is indexed with a value that is no multiple of i: y(k) at line 10"},
		{"jump back to what is not set", "do i=1,n\nif (x(i) > 0) goto 15\nt = 1\n10 y(i) = t\n15 x(i) = x(i)+1\nif (x(i) < 3) goto 10\nend do", "refused 13 jump: GOTO 10 at line 13 jumps backwards"},
		{"jump back to what only it reaches", "do i=1,n\ngoto 20\n10 y(1) = i\ngoto 30\n20 if (x(i) > 0) goto 10\n30 x(i) = 0\nend do", "refused 12 jump: GOTO 10 at line 12 jumps backwards"},
		{"jump back out of the loop", "10 do i=1,n\nx(i) = 0\nif (y(i) > 0) goto 10\nend do", "refused 10 leaves-loop: GOTO 10 at line 10 leaves the loop"},
		{"scalar that a jump back carries", "do i=1,n\n10 y(i) = t\nt = x(i)\nif (t > 0) goto 10\nend do", "refused 9 carried-scalar: 't' carries a value from one iteration to the next: read at line 9, set at line 10"},
		{"directive", "!$portable parallel reduction(*: s1)\ndo i=1,n\ns1 = s1+x(i)\nend do\nx(1)=s1", "refused 8 directive: reduction(*: s1) is written, but line 10 adds to 's1'"},
		{"reduction of elements", "!$portable parallel reduction(max: v)\ndo i=1,n\nif (x(i) > v(2)) then\nv(2) = x(i)\nend if\nend do\nx(1)=v(2)",
			"refused 10 private-array: 'v' may be read before its iteration sets it: v(2) at line 10"},
		{"reduction of elements that are read", "!$portable parallel reduction(max: v)\ndo i=1,n\ny(i) = v(2)\nend do", "refused 8 directive: reduction(max: v) is written, but the loop never sets 'v'"},
		{"wrong clause", "!$portable parallel privat(t)\ndo i=1,n\nt=x(i)\ny(i)=t\nend do", "refused 8 directive: 'privat' is no clause of !$portable here"},
		{"columns", "!$portable parallel columns(i=1:n)\ndo i=1,n\ny(i)=x(i)\nend do", "parallel i"},
		{"independent", "!$portable parallel independent\ndo i=1,n\nx(idx(i)) = y(i)\nend do", "parallel i; asserted"},
		{"independent in any order", "!$portable parallel independent\ndo i=1,n\nx(mod(i*7,101)+1) = y(i/2)\nend do", "parallel i; asserted"},
		{"concurrent in any order", "do concurrent (i=1:n)\nx(ieor(i,1)) = y(2**i)\nend do", "parallel i; asserted"},
		{"independent, but one element", "!$portable parallel independent\ndo i=1,n\nx(max(n,3)) = y(i)\nend do",
			"refused 10 same-element: 'x' is written at line 10 with no index of loop i: all its iterations write the same elements"},
		{"independent, with elements of the inner loop", "!$portable parallel independent\ndo i=1,n\ndo j=1,m\nx(mod(j,5)+1) = i\nend do\nend do",
			"refused 11 strides: 'x' is indexed with a value that is no multiple of i: x(mod(j,5)+1) at line 11"},
		{"concurrent, with elements of the inner loop", "do concurrent (i=1:n)\ndo j=1,m\nx(min(j,n)) = i\nend do\nend do",
			"refused 10 strides: 'x' is indexed with a value that is no multiple of i: x(min(j,n)) at line 10"},
		{"independent, with elements of both loops", "!$portable parallel independent\ndo i=1,n\ndo j=1,m\nx(mod(i+j,5)+1) = i\nend do\nend do", "parallel i; private j; asserted"},
		{"off", "!$portable off\ndo i=1,n\nx(i) = y(i)\nend do\n!$portable on\ndo i=1,n\nx(i) = y(i)\nend do", "serial | parallel i"},
		{"concurrent", "do concurrent (i=1:n, j=1:m)\nt = a(i,j)\nb(i,j) = t\nend do", "parallel i j; private t; asserted"},
		{"region", "!$omp parallel\n!$omp do\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp end parallel", "parallel i"},
		{"region with a critical part", "!$omp parallel\n!$omp do\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp critical\nk = k+1\n!$omp end critical\n!$omp end parallel", "refused 10 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"loop that each thread runs", "!$omp parallel\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp end parallel", "refused 9 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"loop of a region around the call", "!$omp do\ndo i=1,n\nx(i) = y(i)\nend do", "refused 9 directive: the directive at line 8 shares the loop between the threads of a region around the call"},
		{"kernels", "!$acc kernels\ndo i=1,n\nx(i) = y(i)\nend do\nt = 2\n!$acc loop\ndo i=1,n\ny(i) = x(i)+t\nend do\n!$acc end kernels", "parallel i | parallel i"},
		{"serial statement", "!$omp parallel\nt = t+1\n!$omp do\ndo i=1,n\nx(i) = y(i)+t\nend do\n!$omp end parallel", "refused 11 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"region in a serial loop", "do j=1,m\n!$omp parallel\n!$omp do\ndo i=1,n\nx(i) = x(i)+y(i)\nend do\n!$omp end parallel\ny(1) = y(1)+x(1)\nend do", "parallel i"},
		{"region in a serial loop that stays", "do j=1,m\n!$omp parallel\ndo i=1,n\nx(i) = x(i)+y(i)\nend do\n!$omp end parallel\ny(1) = y(1)+x(1)\nend do", "refused 11 same-element: 'x' is written at line 11 with no index of loop j: all its iterations write the same elements"},
		{"parallel loop of each thread", "!$omp parallel\n!$omp parallel do\ndo i=1,n\nx(i) = x(i)+y(i)\nend do\n!$omp end parallel", "refused 10 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"loop of each team", "!$omp teams\n!$omp do\ndo i=1,n\nx(i) = x(i)+y(i)\nend do\n!$omp end teams", "refused 10 directive: the loop stands in the region 'teams' at line 8, whose threads run it together"},
		{"tasks of each thread", "!$omp parallel\n!$omp taskloop\ndo i=1,n\nx(i) = x(i)+y(i)\nend do\n!$omp end parallel", "refused 10 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"thread number", "!$omp parallel\nk = omp_get_thread_num()\n!$omp do\ndo i=1,n\nx(i) = y(i)+k\nend do\n!$omp end parallel", "refused 11 directive: the loop stands in the region 'parallel' at line 8, whose threads run it together"},
		{"region before ELSE", "if (n > 3) then\n!$omp parallel\n!$omp do\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp end parallel\nelse\n!$omp parallel do\ndo i=1,n\ny(i) = x(i)\nend do\nend if", "parallel i | parallel i"},
		{"target and teams", "!$omp target\n!$omp teams\n!$omp distribute parallel do\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp end teams\n!$omp end target", "parallel i"},
		{"region with a loop that stays", "!$omp parallel\n!$omp do\ndo i=1,n\nx(i) = y(i)\nend do\n!$omp do\ndo i=2,n\ny(i) = y(i-1)+x(i)\nend do\n!$omp end parallel", "refused 10 directive: the region 'parallel' at line 8 stays, because not all of its loops are converted | refused 15 recurrence: 'y' has distance 1 in loop i: y(i) at line 15, y(i-1) at line 15"},
		{"omp", "!$omp target teams distribute parallel do private(t) map(to: x)\ndo i=1,n\nt = x(i)\ny(i) = t\nend do", "parallel i; private t"},
		{"steps that cut", "k=0\ndo i=1,n\nk = k - 0.5\nend do\nx(1)=k", "refused 10 carried-scalar: 'k' carries a value from one iteration to the next: read at line 10, set at line 10"},
		{"sums that cut", "do i=1,n\nidx(k) = idx(k) - 0.5\nend do", "refused 9 same-element: 'idx' is written at line 9 with no index of loop i: all its iterations write the same elements"},
		{"place of a maximum that is cut", "k=0\nplace=0\ndo i=1,n\nif (x(i) > k) then\nk = x(i)\nplace = i\nend if\nend do\nx(1)=k+place", "refused 11 carried-scalar: 'k' carries a value from one iteration to the next: read at line 11, set at line 12"},
		{"last value for a BLOCK", "do i=1,n\nk = i/2\nx(i) = k\nend do\nblock\nreal :: q(k)\nx(1) = size(q)\nend block", "parallel i; last k"},
		{"seq", "!$acc loop seq\ndo i=1,n\nx(i) = y(i)\nend do", "serial"},
	} {
		require.Equal(t, row.want, verdicts(in(row.text)), row.name)
	}
}

// TestCalls follows calls into other files.
func TestCalls(t *testing.T) {
	library := `module library
integer :: count
real :: table(100)
contains
pure real function f(x)
real, intent(in) :: x
f = x*2
end function
subroutine update(i, y)
integer, intent(in) :: i
real, intent(out) :: y
table(i) = i
y = table(i)
end subroutine
subroutine counts(y)
real, intent(inout) :: y
count = count + 1
y = count
end subroutine
subroutine column(n, x)
integer, intent(in) :: n
real, intent(inout) :: x(n)
integer :: k
do k = 1, n
x(k) = 0
end do
end subroutine
recursive subroutine again(x)
real, intent(inout) :: x
if (x > 0) call again(x)
end subroutine
subroutine keeps(x)
real, intent(inout) :: x
real, save :: old = 0
x = x + old
old = x
end subroutine
integer function at(i, n)
integer, intent(in) :: i, n
at = n + 1 - i
end function
end module
`
	for _, row := range []struct{ name, text, want string }{
		{"function", "do i=1,n\ny(i) = f(x(i))\nend do", "parallel i"},
		{"module array", "do i=1,n\ncall update(i, y(i))\nend do", "parallel i"},
		{"module scalar", "do i=1,n\ncall counts(y(i))\nend do", "refused 7 call-effect: 'counts', called at line 7, changes the module variable 'count' (library.f90:17)"},
		{"column by its first element", "do j=1,m\ncall column(n, a(1,j))\nend do", "parallel j"},
		{"too long a column", "do j=1,m\ncall column(n+1, a(1,j))\nend do", "refused 7 unknown-distance: the elements of 'a' that x(k) at library.f90:25 (called at line 7) means are not known"},
		{"recursion", "do i=1,n\ncall again(x(i))\nend do", "refused 7 call-effect"},
		{"saved", "do i=1,n\ncall keeps(x(i))\nend do", "refused 7 call-effect"},
		{"index function", "do i=1,n\ny(at(i,n)) = x(i)\nend do", "parallel i"},
		{"unseen", "do i=1,n\ncall rain(x(i))\nend do", "refused 7 not-seen: 'rain', called at line 7, is in none of the files"},
		{"intrinsic with an effect", "do i=1,n\ncall random_number(x(i))\nend do", "refused 7 effect: 'random_number' at line 7 changes the state of the random numbers"},
	} {
		text := "subroutine s(n, m, a, x, y)\nuse library\ninteger, intent(in) :: n, m\nreal :: a(n, m), x(n), y(n)\ninteger :: i, j\n" + row.text + "\nend subroutine\n"
		var list []string
		for _, n := range Find(program("s.f90", text, "library.f90", library), Options{Auto: true}) {
			if n.File.Source.Name == "s.f90" {
				list = append(list, summaryOf(n))
			}
		}
		require.Contains(t, strings.Join(list, " | "), row.want, row.name)
	}
}

// TestDefinedOperations: an operator or assignment that a user defines is a call, for intrinsic types too; if its procedure is not seen, it may do anything.
func TestDefinedOperations(t *testing.T) {
	const m = "module m\n implicit none\n integer :: calls = 0\n type d\n real :: x\n end type\n" +
		" interface operator(+)\n procedure two\n end interface\n interface operator(*)\n procedure apply\n end interface\n" +
		" interface operator(.not.)\n procedure no\n end interface\n interface operator(.far.)\n procedure pure_one\n end interface\n" +
		" interface assignment(=)\n procedure cut, whole\n end interface\ncontains\n" +
		" integer function two(a, b)\n logical, intent(in) :: a, b\n calls = calls + 1\n two = merge(1, 2, a .and. b)\n end function\n" +
		" integer function apply(a, b)\n integer, intent(in) :: a(:,:), b(:)\n calls = calls + 1\n apply = a(1, 1)*b(1)\n end function\n" +
		" logical function no(a)\n integer, intent(in) :: a\n calls = calls + 1\n no = a == 0\n end function\n" +
		" pure integer function pure_one(a, b)\n integer, intent(in) :: a, b\n pure_one = a - b\n end function\n" +
		" subroutine cut(a, b)\n real, intent(out) :: a\n type(d), intent(in) :: b\n calls = calls + 1\n a = b%x\n end subroutine\n" +
		" subroutine whole(a, b)\n integer, intent(out) :: a\n logical, intent(in) :: b\n calls = calls + 1\n a = merge(1, 0, b)\n end subroutine\nend module\n"
	const s = "subroutine s(n, a, r, l, b, c, v, w)\n use %s\n implicit none\n integer, intent(in) :: n\n integer :: a(n), b(3, 3), c(3), i\n real :: r(n)\n" +
		" logical :: l(n)\n%s do i = 1, n\n %s\n end do\ncontains\n subroutine inner(k)\n integer :: k\n a(k) = l(k) + l(k)\n end subroutine\nend subroutine\n"
	const types = " type(d) :: v(n), w(n)\n"
	for _, c := range []struct{ use, declared, body, want string }{
		{"m", types, "a(i) = l(i) + l(i)", "call-effect: 'two'"},
		{"m", types, "a(i) = b*c", "call-effect: 'apply'"},
		{"m", types, "if (.not. a(i)) r(i) = 1", "call-effect: 'no'"},
		{"m", types, "if (r(i) > 0 .and. (.not. a(i))) r(i) = 1", "call-effect: 'no'"},
		{"m", types, "r(i) = v(i)", "not-converted: the defined assignment"},
		{"m", types, "a(i) = l(i)", "not-converted: the defined assignment"},
		{"m", types, "v(i) = w(i)", ""},
		{"m", types, "a(i) = i .far. 3", ""},
		{"m", types, "a(i) = sum(b*b + matmul(b, b)) + sum(c)*2; l(i) = .not. l(i) .and. a(i) > 3", ""},
		{"m", types, "call inner(i)", "call-effect: 'inner'"},
		{"elsewhere", " real :: v, w\n", "a(i) = l(i) + l(i)", "not-seen: the procedure of the operator +"},
		{"elsewhere", " real :: v, w\n", "a(i) = i .far. 3", "not-seen: the procedure of the operator .far."},
		{"elsewhere", " real :: v, w\n", "a(i) = b*c", "not-seen: the procedure of the operator *"},
	} {
		t.Run(c.use+" "+c.body, func(t *testing.T) {
			n := Find(program("s.f90", fmt.Sprintf(s, c.use, c.declared, c.body), "m.f90", m), Options{Auto: true})
			require.Len(t, n, 1)
			if c.want == "" {
				require.Equal(t, Parallel, n[0].Verdict, "%v", n[0].Refusals)
				return
			}
			require.Equal(t, Refused, n[0].Verdict)
			require.Contains(t, string(n[0].Refusals[0].Rule)+": "+n[0].Refusals[0].Text, c.want)
		})
	}
}

// TestStray reports directives that stand at no loop.
func TestStray(t *testing.T) {
	list := Stray(program("a.f90", in("!$portable paralel\nx(1)=0\n!$portable parallel\ny(1)=0")), Options{})
	require.Len(t, list, 2)
	require.Equal(t, "did you mean 'parallel'?", list[0].Remedy)
	require.Equal(t, Rule("directive"), list[1].Rule)
}

// TestTold: a refusal is reported once.
func TestTold(t *testing.T) {
	nests := Find(program("a.f90", in("!$portable parallel collapse(3)\ndo j=1,m\ndo i=1,n\nc(i,j)=x(j)\nend do\nend do")), Options{})
	require.Len(t, nests, 1)
	require.Equal(t, Refused, nests[0].Verdict)
	require.Len(t, nests[0].Refusals, 1)
	require.Equal(t, "write collapse(2)", nests[0].Refusals[0].Remedy)
}

// TestHiddenUses are loops whose data other names use too.
func TestHiddenUses(t *testing.T) {
	target := "subroutine s(a, b)\nreal, intent(inout) :: a(100), b(100)\nreal, target :: t\nreal, pointer :: q\ninteger :: i\nq => t\n"
	for _, row := range []struct{ name, text, want string }{
		{"private target", target + "do i=1,100\nt = a(i)\nb(i) = q\nend do\nend", "refused 8 not-converted: 't', set at line 8, may be the target of the pointer 'q', which the loop uses"},
		{"reduced target", target + "do i=1,100\nt = t + a(i)\nb(i) = q\nend do\nend", "refused 8 not-converted: 't', set at line 8, may be the target of the pointer 'q', which the loop uses"},
		{"target without a pointer", target + "do i=1,100\nt = t + a(i)\nend do\nb(1) = t\nend", "parallel i; reduction +:t"},
		{"scalar pointer to an element", "subroutine s(a, q)\nreal, target :: a(100)\nreal, pointer :: q\ninteger :: i\ndo i=1,100\na(i) = q\nend do\nend",
			"refused 6 overlap: the pointer 'q' may mean an element of 'a', which is written at line 6"},
		{"COMMON under another name", "integer function f(i)\ninteger :: i, q\ncommon /c/ q\nf = q + i\nend\nsubroutine s(b)\ninteger :: b(100), i, t\ninteger, external :: f\ncommon /c/ t\n" +
			"do i=1,100\nt = t + i\nb(i) = f(i)\nend do\nend", "refused 12 call-effect: 'f', called at line 12, uses the COMMON variable 't', which the loop sets (test.f90:4)"},
		{"bounds of an internal procedure", "subroutine s(a)\ninteger :: a(100), i, k\ndo i=1,100\nk = i/2\na(i) = k\nend do\ncall inside()\ncontains\n" +
			"subroutine inside()\nreal :: w(k)\na(1) = size(w)\nend\nend", "parallel i; last k"},
		{"parent component", "module m\ntype base\nreal :: x(200)\nend type\ntype, extends(base) :: kid\nreal :: y(200)\nend type\ncontains\nsubroutine s(o)\ntype(kid) :: o\ninteger :: i\n" +
			"do i=2,200\no%x(i) = o%base%x(i-1)\nend do\nend\nend module", "refused 13 recurrence: 'o%x' has distance 1 in loop i: o%x(i) at line 13, o%base%x(i-1) at line 13"},
		{"step of a loop under a condition", "subroutine s(a, b, n)\ninteger :: n, i, k, a(0:500), b(100)\ndo i=1,100\nb(i) = 0\nif (n /= 0) then\ndo k=1,10,n\nb(i) = k\nend do\nend if\na(n*i) = i\nend do\nend",
			"refused 10 unknown-distance: the distance of 'a' in loop i is not known: a(n*i) at line 10, a(n*i) at line 10"},
		{"ENTRY", "module m\ncontains\nsubroutine p(x, k)\nreal :: x\ninteger :: k\nx = 0\nentry e(x, k)\nx = x + k\nend\nsubroutine s(a)\nreal :: a(100)\ninteger :: i\ndo i=1,100\ncall e(a(i), i)\nend do\nend\nend module",
			"refused 14 not-converted: 'e', called at line 14, has an ENTRY"},
		{"initial values of INTENT(OUT)", "module m\ntype r\ninteger :: n = 0\nend type\ncontains\nsubroutine reset(v)\ntype(r), intent(out) :: v\nend\nsubroutine s(a, v)\ninteger :: a(100), i\ntype(r) :: v\n" +
			"do i=1,100\na(i) = v%n\ncall reset(v)\nend do\nend\nend module", "refused 13 carried-scalar: 'v' carries a value from one iteration to the next: read at line 13, set at line 14"},
		{"copied pointers", "module m\ntype r\nreal, pointer :: p(:)\nend type\ntype(r) :: g\ncontains\nsubroutine s(a)\nreal :: a(100)\ninteger :: i\ntype(r) :: v\ndo i=2,100\nv = g\nv%p(i) = g%p(i-1)\nend do\nend\nend module",
			"refused 12 not-converted: the structure at line 12 has pointers as components: its assignment changes pointers"},
		{"copied pointers that nothing follows", "module m\ntype r\ninteger :: n\nreal, pointer :: p(:)\nend type\ncontains\nsubroutine s(a, b, c)\ntype(r) :: a(100), b(100), v\ninteger :: c(100), i\ndo i=1,100\nv = b(i)\nc(i) = v%n\na(i) = v\nend do\nend\nend module", "parallel i; private v"},
		{"copied pointers that are followed", "module m\ntype r\ninteger :: n\nreal, pointer :: p(:)\nend type\ncontains\nsubroutine s(a, b, c)\ntype(r) :: a(100), b(100), v\ninteger :: c(100), i\ndo i=1,100\nv = b(i)\nv%p(1) = i\nend do\nend\nend module",
			"refused 11 not-converted: the structure at line 11 has pointers as components: its assignment changes pointers"},
		{"copied pointers that a procedure may follow", "module m\ntype r\ninteger :: n\nreal, pointer :: p(:)\nend type\ncontains\nsubroutine s(a, b, c)\ntype(r) :: a(100), b(100), v\ninteger :: c(100), i\ndo i=1,100\nv = b(i)\ncall q(v)\nend do\nend\nsubroutine q(v)\ntype(r) :: v\nv%p(1) = 0\nend\nend module",
			"refused 11 not-converted: the structure at line 11 has pointers as components: its assignment changes pointers"},
		{"pointer in a called procedure", "module m\nreal, pointer :: q(:)\ncontains\nreal function f(i)\ninteger, intent(in) :: i\nf = q(i-1)\nend\nsubroutine s(a)\nreal, target :: a(100)\ninteger :: i\n" +
			"do i=2,100\na(i) = f(i)\nend do\nend\nend module", "refused 12 call-effect: 'f', called at line 12, uses 'q' or 'a', which may be one array"},
		{"deep statement functions", "subroutine s(a)\nreal :: a(0:100)\ninteger :: i\nreal :: p, q\n" + functions(20) + "do i=1,100\na(i) = f19(real(i))\nend do\nend",
			"refused 26 not-read: the statement functions inside of 'f7' are too many to be followed"},
		{"module variable behind the loop in a procedure that no file has", "module m\nreal :: t\ncontains\nsubroutine s(a)\nreal :: a(100)\ninteger :: i\ndo i=1,100\nt = a(i)\na(i) = t*t\nend do\ncall rain()\nt = 0\nend\nend module",
			"parallel i; last t"},
		{"type-bound procedure that sets an argument", bound + "do i=1,100\na(i) = k\ncall o%next(k)\nend do\nend\nend module",
			"refused 46 carried-scalar: 'k' carries a value from one iteration to the next: read at line 46, set at line 18 (called at line 47)"},
		{"type-bound generic", bound + "do i=1,100\ncall o%set(a(i))\nend do\nend\nend module", "parallel i"},
		{"type-bound generic of another type of argument", bound + "do i=1,100\ncall o%set(b(i))\nend do\nend\nend module", "parallel i"},
		{"type-bound generic with NOPASS", bound + "do i=1,100\na(o%two(i)/2) = i\nend do\nend\nend module", "parallel i"},
		{"type-bound generic that a kid overrides", bound + "do i=1,100\ncall kin%set(a(i))\nend do\nend\nend module",
			"refused 46 call-effect: 'seti', called at line 46: READ at line 33 does input or output"},
		{"type-bound generic of a polymorphic object", bound + "do i=1,100\ncall any%set(a(i))\nend do\nend\nend module",
			"refused 46 call-effect: 'seti', called at line 46, is chosen at run time"},
		{"FINAL", "module m\ninteger :: count\ntype r\ninteger :: n\ncontains\nfinal :: done\nend type\ncontains\nsubroutine done(v)\ntype(r), intent(inout) :: v\ncount = count + 1\nend\n" +
			"integer function f(i)\ninteger, intent(in) :: i\ntype(r) :: v\nv%n = i\nf = v%n\nend\nsubroutine s(a)\ninteger :: a(100), i\ndo i=1,100\na(i) = f(i)\nend do\nend\nend module",
			"refused 22 not-converted: 'f', called at line 22: 'v' has a FINAL procedure, which would be called in the loop"},
	} {
		require.Equal(t, row.want, verdicts(row.text), row.name)
	}
}

// bound is a module with a type, up to the loop of a procedure at line 45.
const bound = `module m
type t
integer :: n
contains
procedure :: next, seti, setr
generic :: set => seti, setr
procedure, nopass :: twice
generic :: two => twice
end type
type, extends(t) :: kid
contains
procedure :: seti => kidset
end type
contains
subroutine next(self, k)
class(t), intent(in) :: self
integer, intent(inout) :: k
k = k + self%n
end
subroutine seti(self, k)
class(t), intent(in) :: self
integer, intent(out) :: k
k = self%n
end
subroutine setr(self, k)
class(t), intent(in) :: self
real, intent(out) :: k
k = self%n
end
subroutine kidset(self, k)
class(kid), intent(in) :: self
integer, intent(out) :: k
read *, k
end
integer function twice(k)
integer, intent(in) :: k
twice = 2*k
end
subroutine s(o, any, kin, a, b)
type(t) :: o
class(t) :: any
type(kid) :: kin
integer :: a(100), i, k
real :: b(100)
`

// functions are n statement functions, each of which uses the one before; the first reads an array.
func functions(n int) string {
	text := "f0(x) = a(int(x)-1)\n"
	for k := 1; k < n; k++ {
		text += fmt.Sprintf("f%d(x) = f%d(x)\n", k, k-1)
	}
	return text
}

// TestMerges: what is known of arrays does not grow with each IF behind which it is still known.
func TestMerges(t *testing.T) {
	memory := func(ifs int) uint64 {
		text := in("do i=1,n\nv(1)=x(i)\nv(2)=y(i)\n" + strings.Repeat("if (x(i) > 0) y(i) = y(i) + 1\n", ifs) + "z(i) = v(1) + v(2)\nend do")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.Equal(t, "parallel i; private v", verdicts(text))
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := memory(8), memory(16)
	require.Less(t, many, 4*few, "twice as many statements need about twice the memory")
}

// TestTwoDirectives finds the conditions and devices of all directives of a loop.
func TestTwoDirectives(t *testing.T) {
	acc, omp := "!$acc parallel loop self(n<5) if(n>2)\n", "!$omp parallel do if(n>7)\n"
	for _, row := range []struct {
		text             string
		accept           []string
		self, conditions []string
		on               []string
	}{
		{acc + omp, []string{"acc", "omp"}, []string{"n < 5"}, []string{"n > 7", "n > 2"}, nil},
		{omp + acc, []string{"acc", "omp"}, []string{"n < 5"}, []string{"n > 2", "n > 7"}, nil},
		{acc + omp, []string{"omp"}, nil, []string{"n > 7"}, nil},
		{"!$portable parallel on(cpu)\n" + acc, []string{"acc"}, []string{"n < 5"}, []string{"n > 2"}, []string{"cpu"}},
	} {
		accept := map[string]bool{}
		for _, kind := range row.accept {
			accept[kind] = true
		}
		nests := Find(program("test.f90", in(row.text+"do i=1,n\ny(i) = x(i)\nend do")), Options{Accept: accept})
		require.Len(t, nests, 1)
		d := nests[0].Directive
		require.Equal(t, row.self, d.Self, row.text)
		require.Equal(t, row.conditions, d.If, row.text)
		require.Equal(t, row.on, d.On, row.text)
	}
}

// TestInsideOnHost leaves loops inside of a nest on the host if their directives say so.
func TestInsideOnHost(t *testing.T) {
	for line, count := range map[string]int{"": 1, "!$portable parallel on(gpu)\n": 0, "!$portable parallel serial(cpu)\n": 0, "!$acc parallel loop\n": 1,
		"!$portable parallel on(cpu)\n": 0, "!$portable parallel serial(gpu)\n": 0, "!$acc parallel loop self\n": 0, "!$acc parallel loop if(n>9)\n": 0,
		"!$acc parallel loop self(n<9)\n!$omp parallel do\n": 0} {
		text := in("do j=1,m\nv(1) = a(1,j)\nv(2) = a(2,j)\n" + line + "do i=1,n\na(i,j) = a(i,j) + v(1)*v(2)\nend do\nend do")
		nests := Find(program("test.f90", text), Options{Auto: true, Devices: func(n *Nest) bool { return n.Loops[0].Variable.Name == "i" }})
		if strings.Contains(line, "on(gpu)") || strings.Contains(line, "serial(cpu)") { // a nest of its own, to which the outer one leaves devices
			require.Len(t, nests, 2, line)
			require.True(t, nests[0].Holds(nests[1]), line)
		} else {
			require.Len(t, nests, 1, line)
		}
		require.Len(t, nests[0].Inside, count, line)
	}
}
