package host

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/emit"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

func tool(name, text string, include map[string]string) (*scope.Program, *tree.File, []*nest.Nest) {
	set := source.NewSet(func(name string) ([]byte, error) {
		if s, ok := include[name]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	})
	file := parse.File(source.Read(set, name, []byte(text), source.Options{}))
	p := scope.Build([]*tree.File{file}, scope.Options{})
	return p, file, nest.Find(p, nest.Options{Auto: true})
}

// TestRefused: proved nests that cannot be written are refused with the place, before anything is written.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		line             int32
	}{
		{"pure.f90", "pure subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(out) :: a(n)\n integer :: i\n do i = 1, n\n a(i) = i\n end do\nend subroutine\n",
			"'s' is PURE", 5},
		{"include.f90", "subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(out) :: a(n)\n integer :: i\n include 'loop.inc'\nend subroutine\n",
			"INCLUDE", 1},
		{"type.f90", "program p\n type :: t\n real :: x\n end type\n type(t) :: a(9)\n integer :: i\n do i = 1, 9\n a(i)%x = i\n end do\n print *, a(3)%x\nend program\n",
			"type", 7},
		{"max.f90", "subroutine s(a, n, max)\n integer, intent(in) :: n, max\n integer, intent(inout) :: a(n)\n integer :: i\n do i = 1, n\n" +
			" a(i) = max\n end do\n a(1) = i\nend subroutine\n", "the intrinsic function 'max'", 5},
		{"name.f90", "subroutine s(a, n, portable_list_mod)\n integer, intent(in) :: n, portable_list_mod\n integer, intent(inout) :: a(n)\n integer :: i\n do i = 1, n\n" +
			" a(i) = portable_list_mod\n end do\nend subroutine\n", "the module 'portable_list_mod'", 5},
		{"private.f90", "subroutine s(a, n)\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n integer :: i, iso_c_binding\n do i = 1, n\n" +
			" iso_c_binding = i\n a(i) = iso_c_binding\n end do\nend subroutine\n", "the module 'iso_c_binding'", 5},
		{"elemental.f90", "module m\n interface\n elemental module subroutine s(x, y)\n real, intent(in) :: x\n real, intent(inout) :: y\n end subroutine\n" +
			" end interface\nend module\nsubmodule (m) b\ncontains\n module procedure s\n integer :: k\n do k = 1, 10\n y = y + x*k\n end do\n end procedure\nend submodule\n",
			"'s' is ELEMENTAL", 13},
		{"hidden.f90", "subroutine s(a, n)\n integer, parameter :: wp = 8\n integer, intent(in) :: n\n real(wp), intent(inout) :: a(n)\n integer :: i\n block\n integer :: wp\n wp = n\n" +
			" do i = 1, n\n a(i) = wp\n end do\n end block\nend subroutine\n", "'wp' is a variable of the loop, and another thing", 9},
		{"two_names.f90", "module d\n integer :: x\nend module\nsubroutine s(a, n)\n use d, only: y => x, z => x\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n" +
			" integer :: i\n do i = 1, n\n a(i) = y + z\n end do\nend subroutine\n", "'y' and 'z' are two names of the same variable", 10},
		{"hidden_type.f90", "module d\n private\n type :: t\n integer :: x\n end type\n type(t), public :: list(9)\nend module\nprogram p\n use d\n integer :: i\n" +
			" do i = 1, 9\n list(i)%x = i\n end do\nend program\n", "'t' cannot be used in the outlined loop", 11},
		{"deferred.f90", "subroutine s(a, d, n)\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n character(:), allocatable, intent(in) :: d(:)\n integer :: i\n" +
			" do i = 1, n\n if (d(i) == 'a') a(i) = 1\n end do\nend subroutine\n", "the length of the texts in 'd' is no constant", 6},
		{"length.f90", "subroutine s(a, d, n)\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n character(*), intent(in) :: d(n)\n integer :: i\n" +
			" do i = 1, n\n if (d(i) == 'a') a(i) = 1\n end do\nend subroutine\n", "the length of the texts in 'd' is no constant", 6},
		{"inside.f90", "subroutine s(b, o, n)\n integer, intent(in) :: n\n type t\n real, allocatable :: x(:)\n end type\n type(t), pointer, intent(in) :: o\n" +
			" integer, intent(inout) :: b(n)\n integer :: i\n do i = 1, n\n if (associated(o)) then\n if (allocated(o%x)) b(i) = b(i) + 2\n end if\n end do\nend subroutine\n",
			"the structure that contains it may not exist there", 11},
		{"absent.f90", "subroutine s(b, c, n)\n integer, intent(in) :: n\n real, allocatable, optional, intent(in) :: c(:)\n integer, intent(inout) :: b(n)\n integer :: i\n" +
			" do i = 1, n\n if (present(c)) then\n if (allocated(c)) b(i) = b(i) + 2\n end if\n end do\nend subroutine\n", "'c' may be absent there", 8},
		{"mask.f90", "subroutine s(a, m, n)\n integer, intent(in) :: n\n logical, intent(inout) :: m(n)\n integer, intent(inout) :: a(n)\n integer :: j\n" +
			" do concurrent (j=1:n, m(j))\n m(n+1-j) = .false.\n a(j) = 1\n end do\nend subroutine\n", "the mask of DO CONCURRENT", 6},
		{"wide.f90", "subroutine s(a, k, x, n)\n integer, intent(in) :: n, k(n)\n real(8), intent(in) :: x(n)\n real, intent(inout) :: a(:)\n integer :: i\n do i = 1, n\n" +
			" a(k(i)) = a(k(i)) + x(i)\n end do\nend subroutine\n", "has a wider kind", 7},
		{"most.f90", "subroutine s(a, k, x, n)\n integer, intent(in) :: n, k(n)\n integer(8), intent(in) :: x(n)\n integer, intent(inout) :: a(:)\n integer :: i\n do i = 1, n\n" +
			" a(k(i)) = max(a(k(i)), k(i) - x(i))\n end do\nend subroutine\n", "has a wider kind", 7},
	} {
		p, file, nests := tool(c.name, c.text, map[string]string{"loop.inc": " do i = 1, n\n a(i) = i\n end do\n"})
		text, err := Write(file, nests, Options{Program: p, Output: "out"})
		var refused *Refused
		require.ErrorAs(t, err, &refused, "%s\n%s", c.name, text)
		require.Nil(t, text)
		require.Contains(t, refused.Reasons[0].Text, c.want)
		require.Equal(t, c.line, refused.Reasons[0].At.Line, c.name)
		require.Equal(t, emit.NotConverted, refused.Reasons[0].Rule)
		require.NotEmpty(t, refused.Reasons[0].Remedy)
	}
}

// TestWholeCopies: for flang 16 nests are refused whose assignments have the array on the right side in another form.
func TestWholeCopies(t *testing.T) {
	for text, refused := range map[string]bool{
		"b(2:m, i) = b(1:m-1, i)":                     true,
		"b(:, i) = b(m:1:-1, i)":                      true,
		"b(:, i) = 2*c(:, i) + b(1, i)":               true,
		"where (b(1:m-1, i) > 0) b(2:m, i) = 0":       true,
		"b(:, i) = 2*b(:, i) + c(:, i)":               false,
		"where (b(:, i) > 0) b(:, i) = b(:, i) + 1":   false,
		"c(:, i) = b(m:1:-1, i)":                      false,
		"b(3, i) = b(2, i)":                           false,
		"w = c(:, i)\nw(2:m) = w(1:m-1)\nb(:, i) = w": false,
	} {
		p, file, nests := tool("a.f90", "subroutine s(b, c, n, m)\ninteger, intent(in) :: n, m\nreal, intent(inout) :: b(m, n), c(m, n)\nreal :: w(m)\ninteger :: i\n"+
			"do i = 1, n\n"+text+"\nend do\nend subroutine\n", nil)
		require.Equal(t, nest.Parallel, nests[0].Verdict, text)
		_, err := Write(file, nests, Options{Program: p, Output: "out", WholeCopies: true})
		require.Equal(t, refused, err != nil, text)
		_, err = Write(file, nests, Options{Program: p, Output: "out"})
		require.NoError(t, err, text)
	}
}

// TestDamaged: sources with changed bytes end with a text or an error.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, r := range rows {
		for range 60 {
			b := []byte(r.text)
			for range 1 + random.Intn(4) {
				switch at := random.Intn(len(b)); random.Intn(3) {
				case 0:
					b[at] = "()%,:=&!'\n;d10 "[random.Intn(15)]
				case 1:
					b = append(b[:at], b[min(len(b), at+random.Intn(9)):]...)
				case 2:
					b = append(b[:at:at], append([]byte(strings.Repeat(string(b[at:min(len(b), at+random.Intn(20))]), 2)), b[at:]...)...)
				}
				if len(b) == 0 {
					b = []byte(" ")
				}
			}
			p, file, nests := tool(r.name, string(b), nil)
			o := Options{Program: p, Output: "out", Check: true}
			for _, n := range nests {
				if n.Verdict == nest.Parallel && len(Check(n, o)) > 0 {
					n.Verdict = nest.Refused
				}
			}
			_, err := Write(file, nests, o)
			require.NoError(t, err, string(b))
		}
	}
}

// TestEmitter: the interface gives the procedures of a kernel alone.
func TestEmitter(t *testing.T) {
	p, _, nests := tool("a.f90", rows[0].text, nil)
	e := Emitter{Options{Program: p, Output: "out", NoMarkers: true}}
	k, reasons := emit.New(p, nests[0])
	require.Empty(t, reasons)
	require.Empty(t, e.Refuses(k))
	var b strings.Builder
	require.NoError(t, e.Write(&b, k))
	require.True(t, strings.HasPrefix(b.String(), "  recursive function scale_7("), b.String())
	require.NotContains(t, b.String(), "#")
	require.Equal(t, "host.pf.F90", e.Name()+e.Suffix())
}

// TestNames: a program that has all names of the generated code for its own becomes the same program, with other names in what is
// generated.
func TestNames(t *testing.T) {
	ours := regexp.MustCompile(`\b(portable_[a-z0-9_]+|c_[a-z0-9_]+)\b`)
	quoted := regexp.MustCompile(`'[^'\n]*'`)
	compiled := false
	if _, err := exec.LookPath("gfortran"); err == nil {
		compiled = os.Getenv("PORTABLE_TEST_LONG") != ""
	}
	folder := t.TempDir()
	if compiled {
		stub, err := filepath.Abs("testdata/portable_list_mod.f90")
		require.NoError(t, err)
		gfortran(t, folder, "-O1", "-w", "-c", stub)
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := Options{Check: !compiled, Width: 10000} // no statement is broken; the module of the tests has no shadows of all types
			plain, _ := automatic(t, r.name, r.text, o)
			names := map[string]bool{}
			for _, m := range ours.FindAllString(quoted.ReplaceAllString(plain, ""), -1) {
				if m != "portable_list_mod" && m != "portable_core_mod" && !strings.Contains(r.text, m) {
					names[m] = true
				}
			}
			require.NotEmpty(t, names)
			// A module of the file has variables of all these names, and so have the units of the row.
			list := sorted(names)
			module := "module taken\n  implicit none\n"
			for _, name := range list {
				module += "  integer :: " + name + " = 1\n"
			}
			module += "end module taken\n"
			if strings.HasSuffix(r.name, ".f") {
				module = strings.ReplaceAll(module, "\n  ", "\n      ")
				module = "      " + strings.ReplaceAll(module, "\nend", "\n      end")
			}
			text, written := automatic(t, r.name, module+r.text, o)
			require.GreaterOrEqual(t, len(written), r.launches, text)
			for _, line := range strings.Split(strings.Replace(text, module, "", 1), "\n") {
				line = quoted.ReplaceAllString(line, "")
				head, only, found := strings.Cut(line, "only:")
				if strings.Contains(head, "use") && found {
					for _, x := range strings.Split(only, ",") {
						if local := strings.TrimSpace(strings.Split(x, "=>")[0]); names[local] {
							require.Fail(t, "USE takes a name of the user", "%s in\n%s", line, text)
						}
					}
					continue
				}
				if strings.Contains(line, "=> ") && !strings.Contains(line, "%") || strings.Contains(module, line) {
					continue
				}
				for _, m := range ours.FindAllString(line, -1) {
					require.False(t, names[m], "'%s' is a name of the user: %s in\n%s", m, line, text)
				}
			}
			if !compiled {
				return
			}
			suffix := filepath.Ext(r.name)
			suffix = strings.ToUpper(suffix[:2]) + suffix[2:]
			require.NoError(t, os.WriteFile(filepath.Join(folder, "converted"+suffix), []byte(text), 0o644))
			gfortran(t, folder, "-std=gnu", "-w", "-ffree-line-length-none", "-ffixed-line-length-none", "-fsyntax-only", "converted"+suffix)
		})
	}
}

// TestChecks: which accesses the body of PORTABLE_CHECK=races tells, how often, and which are named as not checked.
func TestChecks(t *testing.T) {
	const program = "subroutine s(n, a, b, m, map, x)\n integer, intent(in) :: n, map(n)\n real(8), intent(inout) :: a(n, n), b(n, n), x(n)\n" +
		" logical, intent(in) :: m(n, n)\n integer :: i, k\n real(8) :: y\n complex :: z(9)\n !$portable parallel independent\n do i = 1, n\n %s\n end do\n" +
		"contains\n subroutine one(y)\n real(8), intent(inout) :: y\n y = y + 1\n end subroutine\n" +
		" subroutine all_of(y)\n real(8), intent(inout) :: y(:)\n y(1) = y(2)\n end subroutine\nend subroutine\n"
	for _, c := range []struct {
		name, text    string
		reads, writes int      // calls in the body
		want          []string // of the body
		gap           string
	}{
		{"update", "x(map(i)) = x(map(i)) + b(i, 1)*b(i, 1)", 2, 0, nil, ""}, // the sum is atomic: map and b are read
		{"one element", "x(map(i)) = 2*x(map(i))", 1, 1, nil, ""},
		{"again", "x(map(i)) = 2; b(i, 1) = x(map(i)); x(map(i)) = b(i, 1)", 1, 2, nil, ""},
		{"after a branch", "if (i > 3) x(map(i)) = 2\n x(map(i)) = 3", 2, 2, []string{"if (i > 3) then"}, ""},
		{"index that changes", "k = map(i); x(k) = 1; k = k + 1; x(k) = 2", 1, 2, nil, ""},
		{"else if", "if (i > 3) then\n x(i) = 1\n else if (x(map(i)) > 2) then\n x(i) = 2\n end if", 2, 2, []string{"if (.not. (i > 3)) then"}, ""},
		{"where", "where (m(:, i)) a(:, map(i)) = b(:, i)", 3, 1, []string{"portable_mask_1 = ((m(:, i)))", "if (portable_mask_1(portable_j1)) then"}, ""},
		{"elsewhere", "where (m(:, i))\n x = 1\n elsewhere (b(:, i) > 2)\n a(:, map(i)) = 3\n end where", 3, 2,
			[]string{"portable_mask_1 = (.not. (m(:, i)) .and. (b(:, i) > 2))"}, ""},
		{"mask that changes", "where (m(:, i))\n x = 1\n elsewhere (x > 2)\n a(:, map(i)) = 3\n end where", -1, -1, nil, "'a' in WHERE or FORALL"},
		{"forall", "forall (k = 1:n, k > i) a(k, map(i)) = b(i, k)", 2, 1,
			[]string{"do portable_j1 = int(1, c_int64_t), int(n, c_int64_t)", "if (int(portable_j1, 4) > i) then"}, ""},
		{"element of a call", "call one(x(map(i)))", 1, 1, nil, ""},
		{"array of a call", "a(1, i) = 1; call all_of(a(:, map(i)))", -1, -1, nil, "call of 'all_of'"},
		{"vector subscript", "a(map, map(i)) = 1; x(i) = 2", -1, -1, nil, "'a' by a vector subscript"},
		{"associate", "associate (z => a(:, map(i)))\n z(2) = 1\n end associate\n x(i) = 2", -1, -1, nil, "'a' in ASSOCIATE"},
		{"implied do", "x(i) = sum([(x(k), k = 1, 2)])", -1, -1, nil, "'x' in an implied DO"},
		{"inner concurrent", "do concurrent (k = 1:n)\n a(k, i) = 1\n end do\n x(i) = 2", -1, -1, nil, "'a' in an inner DO CONCURRENT"},
		{"part", "z(i)%re = z(map(i))%im", 2, 1, nil, ""},
		{"shape", "x(i) = size(x) + ubound(a, 1)", 0, 1, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, file, nests := tool("checks.f90", strings.Replace(program, "%s", c.text, 1), nil)
			require.Len(t, nests, 1)
			require.Equal(t, nest.Parallel, nests[0].Verdict, "%v", nests[0].Refusals)
			text, err := Write(file, nests, Options{Program: p, Output: "out", NoMarkers: true})
			require.NoError(t, err)
			body := regexp.MustCompile(`(?s)recursive subroutine s_9_checked\(.*?end do\n *contains`).FindString(string(text))
			require.NotEmpty(t, body, string(text))
			if c.reads >= 0 {
				require.Equal(t, c.reads, strings.Count(body, "call portable_read_"), body)
				require.Equal(t, c.writes, strings.Count(body, "call portable_write_"), body)
			}
			for _, w := range c.want {
				require.Contains(t, body, w)
			}
			require.Equal(t, c.gap != "", strings.Contains(string(text), "s_9_unchecked"), string(text))
			require.Contains(t, regexp.MustCompile(`'// ?&?\s*'`).ReplaceAllString(strings.ReplaceAll(string(text), "''", "'"), ""), c.gap)
		})
	}
}

// TestDefinedOperator: what a user's operator gives is another value each time, so the second access of such an element is reported too.
func TestDefinedOperator(t *testing.T) {
	const program = "module m\n implicit none\n type t\n integer :: k\n end type\n" +
		" interface operator(.op.)\n procedure next, other\n end interface\n interface operator(+)\n procedure both, sum_of\n end interface\n" +
		" interface operator(-)\n procedure minus\n end interface\ncontains\n" +
		" integer function next(a, b)\n integer, intent(in) :: a, b\n next = a + b\n end function\n" +
		" integer function other(a)\n integer, intent(in) :: a\n other = a\n end function\n" +
		" integer function both(a, b)\n logical, intent(in) :: a, b\n both = merge(1, 2, a .and. b)\n end function\n" +
		" integer function sum_of(a, b)\n type(t), intent(in) :: a\n integer, intent(in) :: b\n sum_of = a%%k + b\n end function\n" +
		" integer function minus(a)\n type(t), intent(in) :: a\n minus = a%%k\n end function\n" +
		"subroutine s(n, x, l, d, k)\n integer, intent(in) :: n, k\n real(8), intent(inout) :: x(n)\n logical, intent(in) :: l(n)\n type(t), intent(in) :: d(n)\n" +
		" integer :: i\n!$portable parallel independent\n do i = 1, n\n x(%[1]s) = 1; x(i) = 0; x(%[1]s) = 2\n end do\nend subroutine\nend module\n"
	for _, c := range []struct {
		index string
		told  int
	}{
		{"i + k", 2}, {"2*i", 2}, {"i .op. k", 3}, {".op. i", 3}, {"(k .op. 1) + i", 3}, {"d(i) + 1", 3}, {"-d(i)", 3},
	} {
		t.Run(c.index, func(t *testing.T) {
			p, file, nests := tool("operator.f90", fmt.Sprintf(program, c.index), nil)
			require.Len(t, nests, 1)
			require.Equal(t, nest.Parallel, nests[0].Verdict, "%v", nests[0].Refusals)
			text, err := Write(file, nests, Options{Program: p, Output: "out", NoMarkers: true})
			require.NoError(t, err)
			body := regexp.MustCompile(`(?s)recursive subroutine s_\d+_checked\(.*?end do\n *contains`).FindString(string(text))
			require.Equal(t, c.told, strings.Count(body, "call portable_write_"), body)
		})
	}
}

// TestUnseenModule: a module that no file has does not take the names of the procedures.
func TestUnseenModule(t *testing.T) {
	text, written := automatic(t, "unseen.f90", "module m\n use elsewhere\ncontains\n subroutine s(a, n)\n integer, intent(in) :: n\n"+
		" real, intent(inout) :: a(n)\n integer :: i\n do i = 1, n\n a(i) = i\n end do\n end subroutine\nend module\n", Options{})
	require.Len(t, written, 1)
	require.Contains(t, text, "recursive function s_8(")
}

// TestHiddenBounds: where a name in the bounds of an array means something else at the nest, the array's own bounds are passed.
func TestHiddenBounds(t *testing.T) {
	for _, nest := range []string{
		"block\n integer :: n, m\n n = 3\n m = 4\n do i = 1, n\n a(i, m) = n\n end do\n end block\n",
		"call inner(3, 4)\ncontains\n subroutine inner(n, m)\n integer, intent(in) :: n, m\n integer :: i\n do i = 1, n\n a(i, m) = n\n end do\n end subroutine\n",
	} {
		text, written := automatic(t, "hidden.f90", "subroutine s(a, n)\n integer, parameter :: m = 5\n integer, intent(in) :: n\n real, intent(inout) :: a(n, m)\n"+
			" integer :: i\n"+nest+"end subroutine\n", Options{})
		require.Len(t, written, 1)
		require.Contains(t, text, "ubound(a, 1)")
		require.NotContains(t, text, "target :: a(n")
	}
}

// TestApart: which references the body asks about in front of its loops, and which it still tells access by access.
func TestApart(t *testing.T) {
	const program = "subroutine s(n, k, a, b, m, map, x)\n integer, intent(in) :: n, k, map(n)\n real(8), intent(inout) :: a(n, n), b(n, n), x(n)\n" +
		" logical, intent(in) :: m(n, n)\n integer :: i, j, p\n real(8) :: y\n !$portable parallel independent\n do j = 2, n - 1\n do i = 2, n - 1\n %s\n end do\n end do\n" +
		"end subroutine\n"
	for _, c := range []struct {
		name, text string
		arrays     string // of the question; "": there is no such body
		told       int    // calls in that body
		want       string // in it
	}{
		{"stencil", "a(i, j) = b(i, j) + b(i-1, j) + b(i, j+1)", "-2, 3, 3, 3", 0, "portable_at(portable_d, 1) = int(i, c_int64_t)*portable_s1_a + int(j, c_int64_t)*portable_s2_a - portable_zero_a"},
		{"twice", "a(i, j) = b(i, j)*b(i, j); a(i, j) = a(i, j) + 1", "-2, 3", 0, ""},
		{"strides", "a(2*i - 1, 3*(n - j)) = b(-i + k*j, j)", "-2, 3", 0, "int(2 * i - 1, c_int64_t)"},
		{"constant index", "a(i, j) = b(map(3), k) + map(k)", "-2, 3, 3, 4", 0, ""},
		{"index array", "a(i, j) = b(map(i), j)", "-2, 3", 1, "if (portable_high_b >= portable_low_b) then"},
		{"condition", "if (m(i, j)) a(i, j) = b(i, j)", "2", 2, "if (m(i, j)) then"},
		{"branch", "a(i, j) = 1\n if (m(i, j)) then\n x(i) = 2\n b(i, j) = 3\n end if", "-2, 3", 2, ""},
		{"repeated in a branch", "a(i, j) = 1\n if (m(i, j)) then\n y = a(i, j)\n end if", "-2, 3", 0, ""},
		{"product", "a(i, j) = b(i*j, j)", "-2", 1, ""},
		{"division", "a(i, j) = b(i/2, j)", "-2", 1, ""},
		{"cycle", "if (m(i, j)) cycle\n a(i, j) = b(i, j)", "", 0, ""},
		{"inner loop", "do p = 1, n\n a(i, j) = a(i, j) + b(p, j)\n end do", "", 0, ""},
		{"private index", "p = i + 1; a(p, j) = b(i, j)", "3", 1, ""},
		{"section", "a(i, j) = sum(b(:, j))", "-2", 1, "do portable_j1 ="},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, file, nests := tool("checks.f90", strings.Replace(program, "%s", c.text, 1), nil)
			require.Len(t, nests, 1)
			require.Equal(t, nest.Parallel, nests[0].Verdict, "%v", nests[0].Refusals)
			text, err := Write(file, nests, Options{Program: p, Output: "out", NoMarkers: true})
			require.NoError(t, err)
			body := regexp.MustCompile(`(?s)recursive subroutine s_\d+_apart\(.*?end subroutine s_\d+_apart`).FindString(string(text))
			if c.arrays == "" {
				require.Empty(t, body)
				return
			}
			body = regexp.MustCompile(`&\s*`).ReplaceAllString(body, "")
			require.Contains(t, body, "portable_shadow_apart(portable_t, ["+c.arrays+"], portable_at)")
			require.Equal(t, c.told, strings.Count(body, "call portable_read_")+strings.Count(body, "call portable_write_"), body)
			require.Contains(t, body, c.want)
			require.Contains(t, string(text), "if (portable_apart) return")
		})
	}
}
