package cuda

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/emit"
	"libportable/internal/emit/device"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

var update = flag.Bool("update", false, "write testdata/nests.txt")

// kernels are those of the parallel nests of a text.
func kernels(t *testing.T, name, text string) (list []*emit.Kernel) {
	t.Helper()
	file := parse.File(source.Read(source.NewSet(nil), name, []byte(text), source.Options{}))
	p := scope.Build([]*tree.File{file}, scope.Options{})
	for _, n := range nest.Find(p, nest.Options{Auto: true}) {
		require.Equal(t, nest.Parallel, n.Verdict, "%v", n.Refusals)
		k, reasons := emit.New(p, n)
		require.Empty(t, reasons)
		list = append(list, k)
	}
	return list
}

// TestText compares the texts of the nests in testdata with the ones that were looked at.
func TestText(t *testing.T) {
	source, err := os.ReadFile("testdata/nests.f90")
	require.NoError(t, err)
	var b strings.Builder
	for _, k := range kernels(t, "nests.f90", string(source)) {
		b.WriteString("---- " + k.Nest.Label + "\n")
		require.NoError(t, Emitter{}.Write(&b, k))
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/nests.txt", []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/nests.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
	for _, line := range strings.Split(b.String(), "\n") {
		require.LessOrEqual(t, len(line), 64, "a line of fixed form cannot hold %q", line)
		require.NotContains(t, line, "'")
		require.NotContains(t, line, "\\")
	}
}

// TestReserved: no variable of a user has a name that the texts use without the beginning of their own names.
func TestReserved(t *testing.T) {
	texts := []string{powi, head, "args( give("}
	for _, text := range prelude {
		texts = append(texts, text)
	}
	for _, names := range []map[device.Operation]string{library, reals} {
		for _, name := range names {
			texts = append(texts, name+"(", name+"f(")
		}
	}
	texts = append(texts, "llround( llroundf( floor( floorf( ceil( ceilf(")
	inside := regexp.MustCompile(`\b[a-z_][a-z0-9_]*[(<]`) // what is called
	for _, text := range texts {
		for _, name := range inside.FindAllString(text, -1) {
			require.True(t, device.Reserved(name[:len(name)-1]), "a user may have '%s'", name)
		}
	}
	require.True(t, device.Reserved("portable_last_1"))
}

// TestRefuses: what has no text for devices is said with its place and name.
func TestRefuses(t *testing.T) {
	const head = "module far\n real, private :: hidden(9)\ncontains\nreal function away(i)\n integer, intent(in) :: i\n away = hidden(i)\nend function\nend module\nmodule farther\n real :: there(9)\nend module\n" +
		"real function lost(i)\n use farther\n integer, intent(in) :: i\n lost = there(i)\nend function\n" +
		"module m\n use far, only: away\n real :: shared(4, 99), old(9), first, other\n real, allocatable :: alone\n equivalence (first, other)\n type :: two\n real :: x, y(3)\n end type\n type :: long\n real :: y(4, 5), none(0)\n real, pointer :: to(:)\n end type\n type(long) :: longs(9)\n type(two) :: twos(9), others(9)\n type :: held\n real, allocatable :: c(:)\n end type\n type(held) :: ga(3), gb(3), gc(20)\n type(held), allocatable :: gd(:)\ncontains\n" +
		"real function local(i)\n integer, intent(in) :: i\n local = old(i)\nend function\nreal function grown(i)\n integer, intent(in) :: i\n grown = alone*i\nend function\n" +
		"real function equal(i)\n integer, intent(in) :: i\n equal = first*i\nend function\nreal function of_two(i)\n integer, intent(in) :: i\n of_two = twos(i)%x\nend function\npure real function second(i)\n integer, intent(in) :: i\n second = shared(2, i)\nend function\npure real function f(x)\n real, intent(in) :: x(2)\n f = 2*x(1)\nend function\n" +
		"subroutine g(x)\n real, intent(inout) :: x(2, 2)\n x(1, 2) = 2\nend subroutine\n" +
		"subroutine over(x)\n real, intent(inout) :: x(:, :)\n call g(x)\nend subroutine\n" +
		"subroutine ahead(x, y)\n real, intent(in) :: y(5)\n real, intent(inout) :: x(size(y), 1)\n x(1, 1) = 2\nend subroutine\n" +
		"subroutine fill(k, x)\n integer, intent(in) :: k\n real, intent(inout) :: x\n real :: y(k)\n y = x\n x = y(1)\nend subroutine\n" +
		"subroutine s(n, a, z, old)\n integer, intent(in) :: n\n real, intent(inout) :: a(n), old(3, 1)\n complex(16), intent(inout) :: z(n)\n" +
		" integer :: i, j, k, m\n real :: t, w(500), v(2000), q(3, 3), most(64), e(n)\n integer :: hits(64)\n"
	for body, want := range map[string]string{
		"do i = 1, n\n block\n type(two) :: p\n p%y = a(i)\n a(i) = p%y(2)\n end block\n end do":                                            "'p' is a private structure with arrays, and 'p%y' is assigned as a whole",
		"do i = 1, 9\n twos(i) = two(twos(i)%y(1), [1.0, 2.0, 3.0])\n end do":                                                               "this assignment of a derived type",
		"do i = 2, 9\n twos(i) = twos(i)\n end do":                                                                                          "this assignment of a derived type",
		"do i = 1, 9\n twos(i) = others(int(twos(i)%x))\n end do":                                                                           "this assignment of a derived type",
		"!$portable parallel independent\n do i = 1, 9\n twos(int(twos(i)%x)) = two(5, 1.0)\n end do":                                       "this assignment of a derived type",
		"do i = 1, 9\n associate (x => twos(i)%x)\n twos(i) = others(int(x))\n end associate\n end do":                                      "this assignment of a derived type",
		"do i = 1, 3\n gb(i)%c = ga(i)%c\n end do":                                                                                          "the assignment may allocate 'gb%c' again",
		"do i = 1, 20\n gc(i)%c(2) = i\n end do":                                                                                            "'gc%c' is an array of its own for each element of an array that is a component itself, or has more than 16 elements",
		"do i = 1, n\n a(i) = gd(i)%c(2)\n end do":                                                                                          "'gd%c' is an array of its own for each element of an array that is a component itself, or has more than 16 elements or no constant bounds",
		"do i = 1, 3\n gb(i)%c = [1.0, 2.0]\n end do":                                                                                       "the assignment may allocate 'gb%c' again",
		"do i = 1, n\n k = int(a(i))\n most(k) = most(k) + a(i)\n hits(k) = hits(k) + 1\n end do\n a(1) = most(1) + hits(1)":                "has at most 64 results",
		"do i = 2, 9\n k = 1 + mod(i, 3)\n longs(i)%y(k, k) = 2\n end do":                                                                   "more than 16 elements of array components",
		"do i = 2, 9\n k = 1 + mod(i, 3)\n longs(i)%none(k) = 2\n end do":                                                                   "'longs%none' has no form",
		"do i = 2, 9\n k = 1 + mod(i, 3)\n a(i) = longs(i)%to(k)\n end do":                                                                  "'longs%to' has no form",
		"do i = 1, n\n w = a(i)\n j = i/n\n w(1:j) = w(j:1:-1)\n a(i) = w(2)\n end do":                                                      "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n w(1:4) = [(j*a(i), j=1, 4)]\n a(i) = w(2)\n end do":                                                       "an array constructor with arrays or implied loops",
		"do i = 2, n\n q = a(i)\n j = i/n\n q(1:j, 1) = q(j, 1:j)\n a(i) = q(1, 1)\n end do":                                                "an assignment of arrays that reads other elements",
		"do i = 1, n\n z(i) = z(i)*2\n end do":                                                                                              "'z' is a complex number of that kind",
		"do i = 1, n\n a(i) = f([a(i), 1.0])\n end do":                                                                                      "the array argument 'x' of 'f'",
		"t = 0\n do i = 1, n\n if (a(i) >= t) t = a(i)\n end do\n a(1) = t":                                                                 "the reduction of 't' would have other bits",
		"do i = 1, n\n w(int(a(i))) = w(int(a(i))) + 1\n end do\n a(1) = w(1)":                                                              "the sum into the small array 'w' of more than 64 elements",
		"t = 0\n do i = 1, n\n q(1, 2) = q(1, 2) + a(i)\n if (a(i) > t) then\n t = a(i)\n k = i\n end if\n end do\n a(1) = q(1, 1) + k":     "a loop with the place of an extreme value",
		"do i = 1, n\n w(1:4) = a(i)\n do concurrent (k=1:4, w(k) > 0)\n w(5-k) = 0\n end do\n a(i) = w(2)\n end do":                        "the mask or a bound",
		"do i = 1, n\n m = 2\n w(1:9) = 0\n do concurrent (k=1:m, j=1:m)\n if (k == 1) m = 3\n w(j) = a(i)\n end do\n a(i) = w(2)\n end do": "the mask or a bound",
		"do i = 1, n\n w = a(i)\n j = i/n\n w(2:j) = w(1:j-1)\n a(i) = w(9)\n end do":                                                       "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n j = i/n\n w(1:j) = w(int(a(i)))\n a(i) = w(2)\n end do":                                                   "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n j = i/n\n w(1:j) = w(1:j)/f(w(1:2))\n a(i) = w(2)\n end do":                                               "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n w(int(w(1)):int(w(2))) = w(2:3)\n a(i) = w(9)\n end do":                                                   "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n j = i/n\n w(:j) = w(:j)/w(3)\n a(i) = w(9)\n end do":                                                      "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n j = i/n\n associate (p => w(3))\n w(:j) = w(:j)/p\n end associate\n a(i) = w(9)\n end do":                 "an assignment of arrays that reads other elements",
		"do i = 1, n\n w = a(i)\n associate (p => 2*w(3:9))\n a(i) = p(1)\n end associate\n end do":                                         "'p' is a name of ASSOCIATE for an array",
		"do i = 1, n\n q = a(i)\n call g(q(1:2, 2:3))\n a(i) = q(2, 2)\n end do":                                                            "the array argument 'x' of 'g' would be a copy",
		"do i = 1, n\n q = a(i)\n call g(q(:, 1:3:2))\n a(i) = q(2, 2)\n end do":                                                            "the array argument 'x' of 'g' would be a copy",
		"do i = 1, n\n q = a(i)\n call over(q)\n a(i) = q(2, 2)\n end do":                                                                   "the array argument 'x' of 'g' would be a copy",
		"do i = 1, n\n q = a(i)\n call ahead(q, w)\n a(i) = q(2, 2)\n end do":                                                               "asks about an array behind it",
		"do i = 1, n\n w = a(i)\n a(i) = maxloc(w, dim=1, back=.true.)\n end do":                                                            "this use of the function maxloc",
		"do i = 1, n\n w = a(i)\n j = 1\n a(i) = sum(w, dim=j)\n end do":                                                                    "this use of the function sum",
		"t = 0\n do i = 1, n\n e = a(i)\n if (e(n) > t) then\n t = e(n)\n k = i\n end if\n end do\n a(1) = t + k":                           "'e' has no constant bounds, in a loop with places",
		"!$portable parallel async(n)\n do i = 1, n\n e = a(i)\n a(i) = e(n)\n end do":                                                      "'e' has no constant bounds, in a loop in a stream",
		"do i = 1, n\n call fill(i, a(i))\n end do":                                                                                         "the size of the private array 'y' is not known before the launch",
		"do i = 1, n\n block\n real :: y(i)\n y = a(i)\n a(i) = y(1)\n end block\n end do":                                                  "the bounds of the private array 'y' are not constants",
		"do i = 1, n\n w = a(i)\n associate (p => w(3:9))\n where (w(2:8) > 1) p = 2\n end associate\n a(i) = w(9)\n end do":                "WHERE that may read what it sets by a name",
		"do i = 1, n\n w = a(i)\n associate (p => w(3:9), o => w(2:8))\n p = o\n end associate\n a(i) = w(9)\n end do":                      "may read what it sets by a name of ASSOCIATE",
		"do i = 1, n\n w = a(i)\n associate (o => w(2:8))\n w(1:7) = o\n end associate\n a(i) = w(9)\n end do":                              "may read what it sets by a name of ASSOCIATE",
		"do i = 1, n\n q = a(i)\n associate (p => q(1:2, 2:3))\n call g(p)\n end associate\n a(i) = q(2, 2)\n end do":                       "the array argument 'x' of 'g' would be a copy",
		"do i = 1, n\n w = a(i)\n a(i) = norm2(w)\n end do":                                                                                 "the function NORM2",
		"do i = 1, n\n w = a(i)\n a(i) = sum(cshift(w, 1))\n end do":                                                                        "this use of the function sum",
		"do i = 1, n\n q = a(i)\n a(i) = sum(matmul(q, q))\n end do":                                                                        "this use of the function sum",
		"do i = 1, n\n w = a(i)\n where (w > 0) w = maxval(w)\n a(i) = w(9)\n end do":                                                       "WHERE that reads other elements",
		"do i = 1, n\n a(i) = scale(a(i), 2)\n end do":                                                                                      "the function SCALE",
		"do i = 1, n\n a(i) = transfer(i, 1.0)\n end do":                                                                                    "the function TRANSFER",
		"do i = 1, n\n block\n real :: y(2000)\n y(1) = a(i)\n a(i) = y(1)\n end block\n end do":                                            "more than 4096 bytes",
		"do i = 1, n\n w = a(i)\n where (w(1:8) > 0) w(2:9) = 0\n a(i) = w(9)\n end do":                                                     "WHERE that reads other elements",
		"do i = 1, n\n w = a(i)\n where (w > 0) w = sum(w)\n a(i) = w(9)\n end do":                                                          "WHERE that reads other elements",
		"do i = 1, n\n w = a(i)\n where (w > 0)\n w = 2\n elsewhere (w(500:1:-1) > 0)\n w = 3\n end where\n a(i) = w(9)\n end do":           "WHERE that reads other elements",
		"do i = 1, n\n w = a(i)\n where (w(1:8) > 0)\n w(1:8) = 2\n w(2:9) = 3\n end where\n a(i) = w(9)\n end do":                          "WHERE that sets different elements",
		"do i = 1, n\n w = a(i)\n where (w > 0) w = f(w(1:2))\n a(i) = w(9)\n end do":                                                       "WHERE that reads other elements",
		"do i = 1, n\n a(i) = away(i)\n end do":                                                                                             "'hidden', which a called procedure uses, is PRIVATE in the module 'far'",
		"do i = 1, n\n a(i) = lost(i)\n end do":                                                                                             "'there', which a called procedure uses, is in the module 'farther', which nothing here uses",
		"do i = 1, n\n a(i) = local(i)\n end do":                                                                                            "'old', which a called procedure uses, has the name of another variable here",
		"do i = 1, n\n a(i) = grown(i)\n end do":                                                                                            "'alone', which a called procedure uses, is a scalar that is allocated",
		"do i = 1, n\n a(i) = equal(i)\n end do":                                                                                            "'first', which a called procedure uses, shares memory",
		"do i = 1, n\n a(i) = of_two(i)\n end do":                                                                                           "'twos%x', which a called procedure uses, is no array or scalar of a module",
		"do i = 1, n\n where (shared(:, i) > 0) shared(:, i) = second(i)\n end do":                                                          "WHERE that reads other elements",
		"do i = 1, n\n goto (1, 2), k\n a(i) = 1\n1 a(i) = 2\n2 continue\n end do":                                                          "GOTO",
	} {
		list := kernels(t, "s.f90", head+body+"\nend subroutine\nend module\n")
		require.Len(t, list, 1, body)
		reasons := Emitter{}.Refuses(list[0])
		require.NotEmpty(t, reasons, body)
		require.Contains(t, reasons[0].Text, want)
		require.NotEmpty(t, reasons[0].Remedy, body)
		require.Positive(t, reasons[0].At.Line, body)
	}
}

// TestPacked: only arrays whose declaration says so have a first dimension without a distance.
func TestPacked(t *testing.T) {
	const text = `module m
  type part
    real, allocatable :: held(:)
    real, pointer :: seen(:)
    real, pointer, contiguous :: near(:)
    real :: fixed(9)
  end type
contains
subroutine s(n, bounded, shaped, joined, far, side, alone, p, q)
  integer, intent(in) :: n
  real, intent(inout) :: bounded(n), shaped(:), far(:, :)
  real, intent(inout), contiguous :: joined(:)
  real, pointer, contiguous, intent(in) :: side(:)
  real, allocatable, intent(inout) :: alone(:)
  real, pointer, intent(in) :: p(:)
  type(part), intent(inout) :: q
  integer :: i
  do i = 1, n
    bounded(i) = shaped(i) + joined(i) + far(i, 1) + side(i) + alone(i) + p(i)
  end do
  do i = 1, n
    bounded(i) = q%held(i) + q%seen(i) + q%near(i) + q%fixed(i)
  end do
end subroutine
end module
`
	packed := map[string]bool{}
	for _, k := range kernels(t, "s.f90", text) {
		d, reasons := device.Lower(k)
		require.Empty(t, reasons)
		for _, a := range d.Arguments {
			if a.Rank > 0 {
				packed[a.Name] = a.Packed
			}
		}
	}
	t.Log(packed)
	require.Equal(t, map[string]bool{
		"bounded": true, "joined": true, "side": true, "alone": true, "q_held": true, "q_near": true, "q_fixed": true,
		"shaped": false, "far": false, "p": false, "q_seen": false,
	}, packed)
}
