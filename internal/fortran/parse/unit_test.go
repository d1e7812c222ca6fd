package parse

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// unitTests are files: as written, and as printed (empty: the same).
var unitTests = table{
	{"program p\nend program p\n", "program p\nend program\n"}, {"print *\nend\n", "  print *\nend program\n"}, {"end\n", "end program\n"}, {"contains\nsubroutine s\nend\nend program\n", "contains\n  subroutine s()\n  end subroutine\nend program\n"},
	{"module m\ncontains\nsubroutine s\ncontains\nreal function f(x)\nend function\nend subroutine s\nend module m\n", "module m\ncontains\n  subroutine s()\n  contains\n    real function f(x)\n    end function\n  end subroutine\nend module\n"},
	{"submodule (a:b) c\ncontains\nmodule procedure p\nend procedure p\nmodule subroutine q\nend\nend submodule\n", "submodule (a:b) c\ncontains\n  module procedure p\n  end procedure\n  module subroutine q()\n  end subroutine\nend submodule\n"},
	{"block data\nend block data\nblock data b\nendblockdata b\n", "block data\nend block data\nblock data b\nend block data\n"},
	{"recursive pure elemental function f(a) result(r) bind(c, name='f')\nend function\n", ""},
	{"pure integer(8) function f(a, *)\nend\n", "pure integer(kind=8) function f(a, *)\nend function\n"}, {"type(t) function f()\nend function\n", ""}, {"character*(*) function f()\nend function\n", "character(*) function f()\nend function\n"},
	{"double precision function f()\nend function\n", ""}, {"integer*4 function f()\nend function\n", ""}, {"attributes(global) subroutine s()\nend subroutine\n", ""},
	{"subroutine s() bind(c)\nend subroutine\n", ""}, {"module subroutine s()\nend subroutine\n", ""}, {"function f(function)\ninteger function\nend function\n", "function f(function)\n  integer :: function\nend function\n"},
	{"!$omp a\nsubroutine s\n!$omp b\nend\n!$omp c\n", "!$omp a\nsubroutine s()\n!$omp b\nend subroutine\n!$omp c\n"}, {"module m\n!$omp a\ncontains\n!$omp b\nend module\n", "module m\n!$omp a\ncontains\n!$omp b\nend module\n"},
	{"subroutine s\nif (a) goto 10\n10 end\n", "subroutine s()\n  if (a) go to 10\n10 end subroutine\n"}, {"integer function\nend\n", "  integer :: function\nend program\n"}, {"program = 3\nend\n", "  program = 3\nend program\n"},
}

// TestStatementFunctions counts the statement functions that the parser sees in a unit.
func TestStatementFunctions(t *testing.T) {
	for _, x := range []struct {
		text string
		want int
	}{
		{"subroutine s\nf(x) = x\ng() = 1\nend\n", 2},
		{"subroutine s\nreal f(3)\nf(i) = 0\nend\n", 0},
		{"subroutine s\ndimension f(3)\nf(i) = 0\nend\n", 0},
		{"subroutine s\ncommon /c/ f(3)\nf(i) = 0\nend\n", 0},
		{"subroutine s\nreal, dimension(3) :: f\nf(i) = 0\nend\n", 0},
		{"subroutine s\nf(1) = 0\nend\n", 0},
		{"subroutine s\nuse m\nimplicit none\nreal :: f, x\nf(x) = x\na(i) = 1\nend\n", 1},
		{"subroutine s\nblock\na(i) = 1\nend block\nend\n", 0},
		{"subroutine s\nx = 1\nf(x) = x\nend\n", 0},
	} {
		count := 0
		for _, d := range read("x.f90", x.text).Units[0].Declarations {
			if _, is := d.(*tree.StatementFunction); is {
				count++
			}
		}
		require.Equal(t, x.want, count, x.text)
	}
	hosted := read("x.f90", "module m\nimplicit none\nreal :: a(3)\ncontains\nsubroutine s\na(i) = 1\nend subroutine\nend module\n")
	require.Len(t, hosted.Units[0].Contains[0].Body, 1)
}

// TestProblems: a wrong file has a usable tree, and messages with the right lines.
func TestProblems(t *testing.T) {
	for _, x := range []struct {
		text, want string
		problems   []string
		lines      []int32
	}{
		{"subroutine s\nif (a) then\nx = 1\nend subroutine\n", "subroutine s()\n  if (a) then\n    x = 1\nend subroutine\n", []string{"IF has no END; add one"}, []int32{2}},
		{"subroutine s\ndo i = 1, 2\nif (a) then\nend do\nend\n", "subroutine s()\n  do i = 1, 2\n    if (a) then\n  end do\nend subroutine\n", []string{"IF has no END; add one"}, []int32{3}},
		{"subroutine s\nend do\nx = 1\nend\n", "subroutine s()\n  ? end do\n  x = 1\nend subroutine\n", []string{"this END ends nothing; remove it, or add the beginning"}, []int32{2}},
		{"subroutine s\nx = 1\nelse\nend\n", "subroutine s()\n  x = 1\n  ? else\nend subroutine\n", []string{"this ELSE belongs to nothing"}, []int32{3}},
		{"module m\ncontains\nsubroutine a\nsubroutine b\nend subroutine\nend module\n", "module m\ncontains\n  subroutine a()\n  subroutine b()\n  end subroutine\nend module\n", []string{"SUBROUTINE 'a' has no END; add one"}, []int32{3}},
		{"module m\ncontains\nsubroutine a\nend module\n", "module m\ncontains\n  subroutine a()\nend module\n", []string{"SUBROUTINE 'a' has no END; add one"}, []int32{3}},
		{"subroutine s\nend function\n", "subroutine s()\nend subroutine\n", []string{"END FUNCTION ends a SUBROUTINE"}, []int32{2}},
		{"subroutine s\nend subroutine t\n", "subroutine s()\nend subroutine\n", []string{"END SUBROUTINE t ends 's'"}, []int32{2}},
		{"subroutine s\ntype t\ninteger :: i\nx = 1\nend\n", "subroutine s()\n  type :: t\n    integer :: i\n    ? x = 1\nend subroutine\n", []string{"TYPE 't' has no END; add one"}, []int32{2}},
		{"subroutine s\nx = 1\ninteger :: i\nend\n", "subroutine s()\n  integer :: i\n  x = 1\nend subroutine\n", []string{"a declaration stands behind an executable statement"}, []int32{3}},
		{"subroutine s\nMACRO(x) y\nx = (1\nif (a b) x = 1\nend\n", "subroutine s()\n  ? macro ( x ) y\n  ? x = ( 1\n  ? if ( a b ) x = 1\nend subroutine\n", nil, nil},
		{"subroutine s\nif (a b) then\nx = 1\nend if\nend\n", "subroutine s()\n  if () then\n    x = 1\n  end if\nend subroutine\n", []string{"this condition is not understood: ')' is expected, found 'b'"}, []int32{2}},
		{"subroutine s\nselect case (i)\nx = 1\ncase (2)\nend select\nend\n", "subroutine s()\n  select case (i)\n    x = 1\n  case (2)\n  end select\nend subroutine\n", []string{"a statement stands between SELECT and its first block"}, []int32{2}},
		{"end if\n", "", []string{"this statement ends nothing; remove it"}, []int32{1}},
		{"subroutine s\ndo 10 i = 1, 2\nx = 1\nend\n", "subroutine s()\n  do 10 i = 1, 2\n    x = 1\nend subroutine\n", []string{"DO has no END; add one"}, []int32{2}},
		{"interface\nsubroutine s\nend interface\nend\n", "  interface\n    subroutine s()\n  end interface\nend program\n", []string{"SUBROUTINE 's' has no END; add one"}, []int32{2}},
	} {
		f := read("x.f90", x.text)
		require.Equal(t, x.want, print(f, true), x.text)
		var problems []string
		var lines []int32
		for _, p := range f.Problems {
			problems = append(problems, p.Text)
			lines = append(lines, p.At.Line)
		}
		require.Equal(t, x.problems, problems, x.text)
		require.Equal(t, x.lines, lines, x.text)
		require.Empty(t, wrongSpan(f), x.text)
	}
}

// TestBranches reads all branches of #if.
func TestBranches(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"subroutine s\n#ifdef A\nif (a) then\n#else\nif (b) then\n#endif\nx = 1\nend if\nend\n", "subroutine s()\n  if (a) then\n  end if\n  if (b) then\n    x = 1\n  end if\nend subroutine\n"},
		{"subroutine s\ndo i = 1, n\n#if A\nx = 1\nend do\n#elif B\nend do\n#else\nend do\n#endif\nend\n", "subroutine s()\n  do i = 1, n\n    x = 1\n  end do\nend subroutine\n"},
		{"#ifdef A\nsubroutine s(x)\nreal :: x\n#else\nsubroutine s(x, y)\n#endif\nx = 1\nend\n", "subroutine s(x)\n  real :: x\nend subroutine\nsubroutine s(x, y)\n  x = 1\nend subroutine\n"},
		{"subroutine s\n#if A\ndo 1 i = 1, n\n#else\ndo 1 i = 1, m\n#endif\n1 x = 1\n#endif\nend\n", "subroutine s()\n  do 1 i = 1, n\n    do 1 i = 1, m\n      1 x = 1\nend subroutine\n"},
		{"subroutine s\n#if A\n#if B\nif (b) then\n#else\nif (c) then\n#endif\ninterface f\nprocedure g\n#endif\nend interface\nend if\nend\n",
			"subroutine s()\n  interface f\n    procedure :: g\n  end interface\n  if (b) then\n  end if\n  if (c) then\n  end if\nend subroutine\n"},
	} {
		f := File(source.Read(source.NewSet(nil), "x.f90", []byte(x.text), source.Options{AllBranches: true}))
		require.Equal(t, x.want, print(f, true), x.text)
	}
}
