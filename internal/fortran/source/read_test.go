package source

import (
	"fmt"
	"strings"
	"testing"

	"libportable/internal/fortran/token"
)

// written is a line as a test writes it: label, tokens with blanks between them. Strings have quotes, a name that goes on over lines has ~.
func written(l *Line) string {
	var out []string
	if l.Kind == Directive {
		out = append(out, "!"+l.Sentinel)
	} else if l.Kind == Branch {
		out = append(out, "#"+l.Sentinel)
	}
	if l.Label != 0 {
		out = append(out, fmt.Sprintf("%d:", l.Label))
	}
	for _, t := range l.Tokens {
		s := t.Text
		switch t.Kind {
		case token.String:
			s = "'" + s + "'"
			if t.Prefix != "" {
				s = t.Prefix + "_" + s
			}
		case token.Hollerith:
			s = "h'" + s + "'"
		case token.Real:
			s = "r" + s
		case token.BOZ:
			s = "#" + s
		case token.Other:
			s = "?" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func lines(t *testing.T, name, text string, o Options) (string, *Contents) {
	t.Helper()
	c := Read(NewSet(nil), name, []byte(text), o)
	var out []string
	for _, l := range c.Lines {
		out = append(out, written(l))
	}
	return strings.Join(out, "\n"), c
}

var freeSources = []struct{ text, want string }{
	{"a = 1\n", "a = 1"},
	{"x = a% b", "x = a % b"},
	{"if (1.eq.2.and.x.lt.1.e5.or.1..eq.y) z=.5d0_8", "if ( 1 .eq. 2 .and. x .lt. r1.e5 .or. r1. .eq. y ) z = r.5d0_8"},
	{"ab&\n  &cd = 'it''s & not' ; 10 e = \"a\"\"b\"! 'x'\n", "abcd = 'it's & not'\n10: e = 'a\"b'"},
	{"s = 'abc &\n! comment\n\n   &def' // k_'x'//1_\"y\"", "s = 'abc def' // k_'x' // 1_'y'"},
	{"a = b + &\n c ! x &\n", "a = b + c"},
	{"l = .true._4 .my. .not.x .eqv..false.", "l = .true._4 .my. .not. x .eqv. .false."},
	{"i = z'fF' + b\"01\"", "i = #z'ff' + #b\"01\""},
	{"x = [(/1,2/)]=>a::b**c==d/=e<=f>=g", "x = [ ( / 1 , 2 / ) ] => a :: b ** c == d /= e <= f >= g"},
	{"!$omp parallel do &\n!$omp& private(x) ! why\n!$ a = 1\n!$Id: x$\n!dir$ ivdep\nx=1", "!omp parallel do private ( x )\n!dir ivdep\nx = 1"},
	{"!$omp & && barrier & &\nx=1\n!$omp & &\ny=1", "!omp barrier\nx = 1\n!omp\ny = 1"},
	{"!$portable\nx = 1 &\n!$omp parallel\n + 2", "!portable\nx = 1 + 2"},
	{"\xef\xbb\xbfa=1\r\nb=2\r\n", "a = 1\nb = 2"},
	{"a = 1 &", "a = 1"},
}

func TestFree(t *testing.T) {
	for _, x := range freeSources {
		if got, c := lines(t, "x.f90", x.text, Options{}); got != x.want || len(c.Problems) > 0 {
			t.Errorf("%q:\n got %s\nwant %s\nproblems %v", x.text, got, x.want, c.Problems)
		}
	}
}

// TestOverLines: arguments of macros go on over lines; without an end, the lines stay lines.
func TestOverLines(t *testing.T) {
	const text = "#define f(x,y) x+y\n"
	for _, x := range []struct{ text, want string }{
		{"a = f(1, & ! one )\n  ! two\n  & 2) + 3 ! x\n", "a = 1 + 2 + 3"},
		{"a = f(1, &\n  b = 2\n", "a = f ( 1 , b = 2"},
		{"a = f(1 ! )\nb = 2\n", "a = f ( 1\nb = 2"},
		{"a = f(1, &\n#if 1\n 2)\n#endif\nb=1\n", "a = f ( 1 , 2 )\nb = 1"},
		{"include 'x.inc'\n", "f ( 1 , 2 )"},
	} {
		c := Read(given(map[string]string{"x.inc": "f(1,2)"}), "x.F90", []byte(text+x.text), Options{})
		var out []string
		for _, l := range c.Lines {
			out = append(out, written(l))
		}
		if got := strings.Join(out, "\n"); got != x.want {
			t.Errorf("%q:\n got %s\nwant %s", x.text, got, x.want)
		}
	}
}
