package parse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// read is the tree of a text.
func read(name, text string) *tree.File {
	return File(source.Read(source.NewSet(nil), name, []byte(text), source.Options{}))
}

// roundTrip prints a tree, parses that, and compares.
func roundTrip(t *testing.T, f *tree.File) {
	t.Helper()
	text := print(f, false)
	again := read("again.f90", text)
	if want, got := print(f, true), print(again, true); want != got {
		t.Errorf("the tree of the printed text differs.\n--- printed\n%s--- first\n%s--- second\n%s%v", text, want, got, again.Problems)
	}
}

type table []struct{ text, want string }

// run compares the printed trees of texts, without problems. Each text is parsed inside of a unit if frame is set.
func (x table) run(t *testing.T, name string, frame bool) {
	for _, x := range x {
		text, want := x.text, x.want
		if want == "" {
			want = text
		}
		if frame {
			text = "subroutine s()\n" + text + "\nend subroutine\n"
		}
		f := read(name, text)
		got := print(f, true)
		if frame {
			got = strings.TrimSuffix(strings.TrimPrefix(got, "subroutine s()\n"), "end subroutine\n")
			got = strings.ReplaceAll(strings.TrimPrefix(got, "  "), "\n  ", "\n")
		}
		require.Equal(t, strings.TrimSpace(want), strings.TrimSpace(got), x.text)
		require.Empty(t, f.Problems, x.text)
		require.Empty(t, wrongSpan(f), x.text)
		roundTrip(t, f)
	}
}

func TestStatements(t *testing.T)   { statementTests.run(t, "x.f90", true) }
func TestDeclarations(t *testing.T) { declarationTests.run(t, "x.f90", true) }
func TestUnits(t *testing.T)        { unitTests.run(t, "x.f90", false) }
func TestFixedForm(t *testing.T)    { fixedTests.run(t, "x.f", false) }

// TestExpressions shows the structure by braces.
func TestExpressions(t *testing.T) {
	for _, x := range [][2]string{
		{"a + b*c", "{a + {b * c}}"},
		{"-a**2", "{-{a ** 2}}"},
		{"a**b**c", "{a ** {b ** c}}"},
		{"a**(-b)**c", "{a ** {({-b}) ** c}}"},
		{"-a + b", "{{-a} + b}"},
		{"-a*b - c", "{{-{a * b}} - c}"},
		{"a - b - c", "{{a - b} - c}"},
		{"a / b * c", "{{a / b} * c}"},
		{"a - -b", "{a - {-b}}"},
		{"a * -b * c", "{{a * {-b}} * c}"},
		{"a ** -b ** c", "{a ** {-{b ** c}}}"},
		{"a + -b*c", "{a + {-{b * c}}}"},
		{"- - a", "{-{-a}}"},
		{".not. a .eqv. b", "{{.not. a} .eqv. b}"},
		{".not. a .and. b .or. c", "{{{.not. a} .and. b} .or. c}"},
		{"a .or. b .and. c", "{a .or. {b .and. c}}"},
		{"a .eqv. b .neqv. c .or. d", "{{a .eqv. b} .neqv. {c .or. d}}"},
		{"a .xor. b .or. c", "{a .xor. {b .or. c}}"},
		{"a == b .and. .not. c /= d", "{{a == b} .and. {.not. {c /= d}}}"},
		{"a.eq.b.or.a.lt.b.and.c.ge.d", "{{a == b} .or. {{a < b} .and. {c >= d}}}"},
		{"a // b // c == d", "{{{a // b} // c} == d}"},
		{"a < b + c", "{a < {b + c}}"},
		{"-a == -b", "{{-a} == {-b}}"},
		{"a .my. b .eqv. c", "{a .my. {b .eqv. c}}"},
		{"a .my. b .your. c", "{{a .my. b} .your. c}"},
		{".inv. a ** 2", "{{.inv. a} ** 2}"},
		{"a * .inv. b(i)%c + d", "{{a * {.inv. b(i)%c}} + d}"},
		{"(a + b)*c", "{({a + b}) * c}"},
		{"((a))", "((a))"},
		{"(1.0, -2.0d0)", "(1.0, {-2.0d0})"},
		{"f(1, x=2, y=:)", "f(1, x=2, y=:)"},
		{"a(:, 1:, :n, 1:n:2, ::3, i)", "a(:, 1:, :n, 1:n:2, ::3, i)"},
		{"a(i)(2:3)", ""}, {"a%b(i)%c%d(j, k)%e", ""}, {"a(i)[2, 3]%b", ""}, {"a[1, stat=s]", ""}, {"'abc'(1:2)", ""},
		{"z%re + p%kind", "{z%re + p%kind}"},
		{"[1, 2, 3]", ""}, {"(/ 1, 2 /)", "[1, 2]"}, {"(/ a/b, c//d /)", "[{a / b}, {c // d}]"}, {"(/ (/ 1 /) /)", "[[1]]"},
		{"[integer(kind=8) :: ]", ""}, {"[character(len=5) :: 'a', 'b']", "[character(5) :: 'a', 'b']"}, {"[t :: t(1)]", ""}, {"[type(t) :: x]", "[t :: x]"},
		{"[(i, i = 1, 3)]", ""}, {"[(i, 2*i, integer :: i = 1, n, 2)]", "[(i, {2 * i}, integer :: i = 1, n, 2)]"},
		{"[((a(i, j), i = 1, 3), j = 1, 3)]", ""},
		{"point(1.0, y=2.0)", ""}, {"pdt(4)(x=1)", ""}, {"null()", ""},
		{"1_8 + 2_ik + 1.5_wp + 1d0 + 1q0 + .5", "{{{{{1_8 + 2_ik} + 1.5_wp} + 1d0} + 1q0} + .5}"},
		{".true._1 .and. .false._lk", "{.true._1 .and. .false._lk}"},
		{"k_'it''s' // \"a\"", "{k_'it''s' // 'a'}"},
		{"z'ff' + b\"01\"", "{z'ff' + b\"01\"}"},
		{"f(%val(x), *10)", ""},
		{"x%f(1)%g()", ""},
		{"a(if, do, end)", ""},
	} {
		want := x[1]
		if want == "" {
			want = x[0]
		}
		f := read("x.f90", "x = "+x[0]+"\nend\n")
		require.Empty(t, f.Problems, x[0])
		a, ok := f.Units[0].Body[0].(*tree.Assignment)
		require.True(t, ok, "%s: %s", x[0], print(f, true))
		require.Equal(t, want, (&printer{braces: true}).expression(a.Right), x[0])
		require.Empty(t, wrongSpan(f), x[0])
		text := f.Source.Text[a.Right.Span().From.Offset:a.Right.Span().To.Offset]
		require.Equal(t, x[0], string(text))
		roundTrip(t, f)
	}
}

// TestLiterals checks what the printer does not show.
func TestLiterals(t *testing.T) {
	f := read("x.f90", "x = f(1_8, 1.5_wp, 1d0, 1q0, .true._4, k_'a', z'f', 4habcd)\nend\n")
	call := f.Units[0].Body[0].(*tree.Assignment).Right.(*tree.Reference)
	want := []tree.Literal{
		{Kind: tree.IntegerLiteral, Text: "1", Parameter: "8"}, {Kind: tree.RealLiteral, Text: "1.5", Parameter: "wp"},
		{Kind: tree.DoubleLiteral, Text: "1d0"}, {Kind: tree.QuadLiteral, Text: "1q0"}, {Kind: tree.LogicalLiteral, Text: ".true.", Parameter: "4"},
		{Kind: tree.StringLiteral, Text: "a", Parameter: "k"}, {Kind: tree.BOZLiteral, Text: "z'f'"}, {Kind: tree.HollerithLiteral, Text: "abcd"},
	}
	for i, a := range call.Arguments {
		got := *a.Value.(*tree.Literal)
		got.At = tree.At{}
		require.Equal(t, want[i], got)
	}
}

// TestDepth: no nesting exhausts the stack, and statements behind it are read.
func TestDepth(t *testing.T) {
	const n = 100000
	repeat := strings.Repeat
	lines := func(text string, n int) string { return strings.Repeat(text, n/10) }
	for name, text := range map[string]string{
		"parentheses":    "x = " + repeat("(", n) + "1" + repeat(")", n),
		"brackets":       "x = " + repeat("[", n) + "1" + repeat("]", n),
		"calls":          "x = " + repeat("f(", n) + "1" + repeat(")", n),
		"signs":          "x = " + repeat("-", n) + "1",
		"not":            "x = " + repeat(".not.", n) + "a",
		"defined":        "x = " + repeat(".my.", n) + "a",
		"powers":         "x = 1" + repeat("**2", n),
		"sums":           "x = 1" + repeat("+2", n),
		"components":     "x" + repeat("%a", n) + " = 1",
		"subscripts":     "x = f" + repeat("(1)", n),
		"implied loops":  "print *, " + repeat("(", n) + "a" + repeat(", i = 1, 2)", n),
		"one line":       repeat("if (a) ", n) + "x = 1",
		"open":           "x = " + repeat("((f(", n),
		"type":           "procedure(" + repeat("type(integer(", n) + " :: x",
		"if":             repeat("if (a) then\n", n) + "x = 1\n" + repeat("end if\n", n),
		"if without end": lines("if (a) then\n", n) + "x = 1\n",
		"do":             lines("do 10 i = 1, 2\n", n) + "10 continue\n",
		"blocks":         lines("block\n", n) + lines("end block\n", n),
		"interfaces":     lines("interface\nsubroutine s\n", n) + lines("end subroutine\nend interface\n", n),
		"contains":       lines("contains\nsubroutine s\n", n),
		"types":          lines("type t\n", n),
		"ends":           repeat("end if\n", n),
		"elses":          lines("else\n", n),
		"headers":        lines("subroutine s\n", n),
		"selects":        lines("select case (i)\ncase (1)\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			f := read("x.f90", "subroutine outer()\n"+text+"\nend subroutine\nsubroutine last()\nend subroutine\n")
			require.Equal(t, "last", lastUnit(f).Name)
			tree.Walk(f, func(any) bool { return true })
		})
	}
}

func lastUnit(f *tree.File) *tree.Unit {
	u := f.Units[len(f.Units)-1]
	for len(u.Contains) > 0 {
		u = u.Contains[len(u.Contains)-1]
	}
	return u
}
