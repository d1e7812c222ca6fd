package source

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// given is a set of files in memory.
func given(files map[string]string) *Set {
	return NewSet(func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("none")
	})
}

// TestPlaces: each line is written with its file, its lines, its bytes and what is known of it.
func TestPlaces(t *testing.T) {
	for _, x := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"continued", "a = b & ! c\n  ! d\n  & + c ; e = 1\nf=2", Options{}, "0 1-3 [a = b & ! c\n  ! d\n  & + c]\n0 3-3 [e = 1]\n0 4-4 [f=2] alone"},
		{"label", "10 continue\n 20 a = 1", Options{}, "0 1-1 [10 continue] alone\n0 2-2 [20 a = 1] alone"},
		{"macro", "#define M x +\na = M y\nb = M&\n  1\nM\nc=1", Options{Preprocess: Always}, "0 2-2 [a = M y]\n0 3-4 [b = M&\n  1]\n0 5-5 [M]\n0 6-6 [c=1] alone"},
		{"nothing", "#define M\nM a = 1\nb = 2 ! M\n", Options{Preprocess: Always}, "0 2-2 [a = 1]\n0 3-3 [b = 2] alone"},
		{"include", "a=1\ninclude 'i.inc'\nb=1; include \"i.inc\"; c=2\n", Options{}, "0 1-1 [a=1] alone\n1 1-1 [i = 1] alone nested\n0 3-3 [b=1]\n1 1-1 [i = 1] alone nested\n0 3-3 [c=2]"},
		{"in a statement", "call s(a, &\n#include \"args.inc\"\n  & z)\nb = 1", Options{Preprocess: Always}, "0 1-3 [call s(a, &\n#include \"args.inc\"\n  & z)]\n0 4-4 [b = 1] alone"},
		{"directive", "!$omp parallel do & ! x\n!$omp  private(a)\n!$portable\na=1", Options{}, "0 1-2 [!$omp parallel do & ! x\n!$omp  private(a)] alone\n0 3-3 [!$portable] alone\n0 4-4 [a=1] alone"},
		{"OpenMP", "!$ a = 1 + &\n!$ & 2\nb = & ! x\n!$  1 +&\n 2\n", Options{OpenMP: true}, "0 1-2 [a = 1 + &\n!$ & 2] alone if\n0 3-5 [b = & ! x\n!$  1 +&\n 2] alone"},
		{"marks", "a=1 ! Tool: OK\nb=1\nc=& ! tool: ok\n 2\n! tool: ok\nd=1", Options{Mark: "tool: ok"}, "0 1-1 [a=1] alone marked\n0 2-2 [b=1] alone\n0 3-4 [c=& ! tool: ok\n 2] alone marked\n0 6-6 [d=1] alone"},
		{"branches", "#define A B\n#ifdef A\na=1 + &\n#if 1\n 2\n#endif\n# else\nA=2\n#endif\n#include \"i.inc\"\n", Options{AllBranches: true},
			"0 2-2 [#ifdef A] alone\n0 3-5 [a=1 + &\n#if 1\n 2] alone\n0 6-6 [#endif] alone\n0 7-7 [# else] alone\n0 8-8 [A=2] alone\n0 9-9 [#endif] alone\n1 1-1 [i = 1] alone nested"},
		{"branches of a statement", "      call s(a\n#ifdef B\nc b\n     & ,b\n#endif\n     & )\n#ifdef B\n      x=1\n", Options{AllBranches: true, Form: Fixed},
			"0 1-6 [call s(a\n#ifdef B\nc b\n     & ,b\n#endif\n     & )] alone\n0 7-7 [#ifdef B] alone\n0 8-8 [x=1] alone"},
	} {
		set := given(map[string]string{"i.inc": "i = 1\n", "args.inc": " b, & ! more\n"})
		c := Read(set, "x.f90", []byte(x.text), x.o)
		var out []string
		for _, l := range c.Lines {
			s := fmt.Sprintf("%d %d-%d [%s]", l.Span.From.File, l.Lines[0], l.Lines[1], set.File(l.Span.From.File).Text[l.Span.From.Offset:l.Span.To.Offset])
			for _, is := range []struct {
				word string
				is   bool
			}{{"alone", l.Alone}, {"nested", l.Nested}, {"marked", l.Marked}, {"if", l.If}} {
				if is.is {
					s += " " + is.word
				}
			}
			out = append(out, s)
		}
		if got := strings.Join(out, "\n"); got != x.want || len(c.Problems) > 0 {
			t.Errorf("%s:\n%s\ngot:\n%s\nwant:\n%s\nproblems %v", x.name, x.text, got, x.want, c.Problems)
		}
		if err := check(set, c); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"x.F90", "a=1\n#if 1\n b=1", "2:1 #if without #endif"},
		{"x.F90", "#endif\n#else\n#elif 1", "1:1 #endif without #if; 2:1 #else without #if; 3:1 #elif without #if"},
		{"x.F90", "#if 1 +\n#endif\n#if\n#endif\n#ifdef\n#endif", "1:1 #if: the expression has no end; 3:1 #if: there is no expression; 5:1 #ifdef has no name; write the macro behind it"},
		{"x.F90", "#error too bad\n#foo\n#include\n", "1:1 #error too bad; 2:1 '#foo' is not known to the preprocessor; the line is left out; 3:1 #include has no name; write it in quotes"},
		{"x.F90", "#define f(x) x\n a = f(1,2)", "2:6 the macro 'f' has 2 arguments here, and 1 parameters"},
		{"x.f90", "a = 'b\nc = 1", "1:1 the string has no end on its line; write the quote ', or & at the end of the line"},
		{"x.f90", "#define a\n a = 1", "1:1 a line of the preprocessor is left out, because the preprocessor does not run here; compile with -cpp"},
		{"x.f90", "10\n include 'x.inc'", "1:1 label 10 has no statement; write 'continue' behind it; 2:2 the included file 'x.inc' is not in the folder of the source and the folders of -I; give its folder with -I"},
		{"x.f90", "include 'self.f90'", "1:1 the file 'self.f90' includes itself; remove the line"},
		{"x.f", "      a = 'b\n      c = 1", "1:13 the string has no end in its statement; write the quote '"},
		{"x.f", " include 'no.inc'", "1:2 the included file 'no.inc' is not in the folder of the source and the folders of -I; give its folder with -I"},
		{"x.f", "a b   c = 1", "1:1 character 'a' in columns 1 to 5; they hold a label"},
	} {
		c := Read(given(map[string]string{"self.f90": "include 'self.f90'\n"}), x.name, []byte(x.text), Options{})
		var out []string
		for _, p := range c.Problems {
			out = append(out, fmt.Sprintf("%d:%d %s", p.At.Line, p.At.Column, p.Text))
		}
		if got := strings.Join(out, "; "); got != x.want {
			t.Errorf("%q:\n got %s\nwant %s", x.text, got, x.want)
		}
	}
}
