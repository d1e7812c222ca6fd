package scope

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNames asks what names mean in the last unit of the last file. A row of want is the kind, the type, and the scope that declares it.
func TestNames(t *testing.T) {
	kinds := map[SymbolKind]string{
		Unknown: "unknown", Variable: "variable", Constant: "constant", Procedure: "procedure", Generic: "generic", DerivedType: "type",
		Intrinsic: "intrinsic", Alias: "alias", ModuleName: "module", NamelistName: "namelist", Missing: "missing",
	}
	rows := []struct {
		name  string
		texts []string
		want  map[string]string
	}{
		{"rename, only and private", []string{"module a\n integer :: x, y\n real, private :: z\nend module",
			"module b\n use a, only: q => x\n real(8) :: r\n private :: r\nend module",
			"subroutine s\n use b\n use a, only: y\n implicit none\n q = 1\n y = z + r\nend subroutine"},
			map[string]string{"q": "variable i4 a", "y": "variable i4 a", "z": "unknown ? s", "r": "unknown ? s"}},
		{"a missing module", []string{"subroutine s\n use nowhere\n use gone, only: g\n implicit none\n real :: own\n own = g + h + sin(own)\nend subroutine"},
			map[string]string{"own": "variable r4 s", "g": "missing ?", "h": "missing ?", "sin": "intrinsic ? "}},
		{"a missing module and the host", []string{"module m\n use nowhere\n real :: x\ncontains\n subroutine s\n  use nowhere\n  use other\n  x = y\n end subroutine\n subroutine u\n  use nowhere\n  x = y\n end subroutine\nend module"},
			map[string]string{"x": "variable r4 m", "y": "missing ?"}},
		{"implicit rules of the host", []string{"program p\n implicit real(8) (a-h)\n a = 1\n call s\ncontains\n subroutine s\n  implicit integer(2) (b)\n  a = 2\n  b = 3\n  c = 4\n  i = 5\n end subroutine\nend program"},
			map[string]string{"a": "variable r8 p", "b": "variable i2 s", "c": "variable r8 s", "i": "variable i4 s"}},
		{"an external function, an array, a statement function", []string{"subroutine s(f, x)\n real f, g, h, a(3)\n h(y) = y*2\n a(1) = f(1.0) + g(2.0) + h(x)\n call t(x)\nend subroutine"},
			map[string]string{"f": "procedure r4 s", "g": "procedure r4 s", "h": "procedure r4 s", "a": "variable r4/1 s", "t": "procedure ? s", "x": "variable r4 s"}},
		{"an intrinsic with a type", []string{"subroutine s(x)\n implicit none\n real x, abs, max\n x = abs(x)\n max = 1\nend subroutine"},
			map[string]string{"abs": "intrinsic r4 s", "max": "variable r4 s"}},
		{"a submodule", []string{"module m\n integer, parameter :: k = 8\n interface\n  module function f(x) result(y)\n   real(k), intent(in) :: x(:)\n   real(k) :: y\n  end function\n end interface\nend module",
			"submodule (m) n\n real :: own\nend submodule", "submodule (m:n) o\ncontains\n module procedure f\n  y = x(1) + own\n end procedure\nend submodule"},
			map[string]string{"x": "variable r8/1 f", "y": "variable r8 f", "own": "variable r4 n", "k": "constant i4 m"}},
		{"an interface body", []string{"module m\n integer, parameter :: k = 8\n interface\n  subroutine s(x)\n   import :: k\n   real(k) :: x\n  end subroutine\n  real function f(y)\n   integer :: y\n  end function\n end interface\ncontains\n subroutine t\n  x = f(1)\n end subroutine\nend module"},
			map[string]string{"s": "procedure ? m", "f": "procedure r4 m"}},
		{"compiler modules", []string{"subroutine s\n use, intrinsic :: iso_c_binding\n use iso_fortran_env, only: dp => real64\n use omp_lib\n implicit none\n real(dp) :: x\n integer(c_long) :: n\n type(c_ptr) :: p\n x = omp_get_wtime()\nend subroutine"},
			map[string]string{"x": "variable r8 s", "n": "variable i8 s", "p": "variable t:c_ptr s", "c_null_char": "constant s1 iso_c_binding", "omp_get_wtime": "procedure r8 omp_lib", "omp_get_thing": "missing ?"}},
		{"an entry", []string{"real function f(x)\n integer :: n\n f = x\n return\n entry g(n) result(h)\n h = n\nend function"},
			map[string]string{"x": "variable r4 f", "f": "variable r4 f", "h": "variable r4 f", "g": "procedure r4 ", "n": "variable i4 f"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := program(t, Options{}, row.texts...).last()
			for name, want := range row.want {
				y := s.Lookup(name)
				typ, rank := y.Type, len(y.Dims)
				got := kinds[y.Kind] + " " + text(typ, rank)
				if y.Scope != nil && y.Kind != Missing {
					got += " " + y.Scope.Name
				} else if y.Kind != Missing {
					got += " "
				}
				require.Equal(t, want, got, name)
			}
		})
	}
}

// TestStorage looks at what shares memory, what stays, and what each thread has.
func TestStorage(t *testing.T) {
	s := program(t, Options{}, `
subroutine s(d)
  real a(10), b(10), c, d(3), e, g
  common /blk/ e, f(3)
  common // h
  equivalence (a(1), b(2)), (b(3), c)
  save /blk/
  data i /3/
  integer :: k = 2
  real, allocatable, target :: t(:, :)
  !$omp threadprivate(/blk/, k)
  g = 1
end subroutine`).last()
	names := func(list []*Symbol) (all []string) {
		for _, y := range list {
			all = append(all, y.Name)
		}
		return all
	}
	require.ElementsMatch(t, []string{"b", "c"}, names(s.Lookup("a").Shares))
	require.ElementsMatch(t, []string{"a", "b"}, names(s.Lookup("c").Shares))
	require.Equal(t, "/blk/", s.Lookup("f").Common)
	require.Equal(t, "//", s.Lookup("h").Common)
	for name, want := range map[string][2]bool{"e": {true, true}, "f": {true, true}, "h": {}, "i": {true, false}, "k": {true, true}, "g": {}, "d": {}} {
		y := s.Lookup(name)
		require.Equal(t, want, [2]bool{y.Saved, y.ThreadPrivate}, name)
	}
	y := s.Lookup("t")
	require.True(t, y.Allocatable && y.Target && y.Dims[1].Deferred)
	require.Equal(t, []string{"d"}, s.symbols["s"].Dummies)
}

// TestConstructs asks for types inside constructs with names of their own.
func TestConstructs(t *testing.T) {
	rows := []struct{ body, want string }{
		{"associate (w => a(:, 1), n => 2)\n x = w*n\nend associate", "r8/1"},
		{"block\n integer(8) :: a\n x = a\nend block", "i8"},
		{"do concurrent (integer(2) :: i = 1:3)\n x = i\nend do", "i2"},
		{"do concurrent (i = 1:3) local(q)\n x = q\nend do", "r8"},
		{"forall (i = 1:3) a(i, i) = i", "i4"},
		{"select type (c)\ntype is (t)\n x = c%k\nend select", "i2"},
		{"select type (z => c)\nclass is (t)\n x = z%k\nend select", "i2"},
		{"select type (c)\ntype is (real(8))\n x = c\nend select", "r8"},
		{"select rank (r)\nrank (2)\n x = r\nend select", "r4/2"},
		{"associate (w => a)\n block\n  x = w(1, :)\n end block\nend associate", "r8/1"},
	}
	for i, row := range rows {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := program(t, Options{}, "subroutine s(c, r)\n implicit none\n type t\n  integer(2) :: k\n end type\n class(*) :: c\n real :: r(..)\n real(8) :: a(3, 3), x, q\n integer :: i\n"+row.body+"\nend subroutine").last()
			at, _, right := s.right()
			require.Equal(t, row.want, text(at.TypeOf(right)))
		})
	}
}

type fewNames struct{}

func (fewNames) Offers(module, name string) (offers, known bool) {
	return name == "tile" || name == "team", module == "ours"
}

// TestLibrary: of a module whose names are known no other name comes; a module of the same file is taken before others.
func TestLibrary(t *testing.T) {
	s := program(t, Options{Library: fewNames{}}, "module n\n real :: x\nend module", "module n\n integer :: x\nend module\nmodule m\n real :: flux\ncontains\n subroutine s\n  use ours\n"+
		"  use ours, only: box => tile\n  use n\n  flux = box + team + gone + x\n end subroutine\nend module").last()
	for name, want := range map[string]Symbol{"flux": {Kind: Variable}, "box": {Kind: Missing, Module: "ours", Theirs: "tile"},
		"team": {Kind: Missing, Module: "ours", Theirs: "team"}, "gone": {Kind: Variable}} {
		y := s.Lookup(name)
		require.Equal(t, want, Symbol{Kind: y.Kind, Module: y.Module, Theirs: y.Theirs}, name)
	}
	require.Equal(t, Integer, s.Lookup("x").Type.Base)
}

// TestImplicitInBlock: a variable without a declaration is one variable in the unit and in its BLOCKs, however often it is looked up.
func TestImplicitInBlock(t *testing.T) {
	p := program(t, Options{}, "subroutine s(a)\n real :: a(9)\n block\n  integer :: k\n  k = 1\n  do i = 1, 9\n   a(i) = z + k\n   z = a(i)\n  end do\n end block\nend subroutine")
	unit := p.last()
	inside := p.Inside(unit.Unit.Body[0])
	require.NotNil(t, inside)
	for _, name := range []string{"i", "z"} {
		y := inside.Lookup(name)
		require.Equal(t, Variable, y.Kind)
		require.Same(t, y, inside.Lookup(name))
		require.Same(t, y, unit.Lookup(name))
		require.Same(t, unit, y.Scope)
	}
}
