package source

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"libportable/internal/fortran/token"
)

// check reports what is wrong with the places of lines and tokens.
func check(set *Set, c *Contents) error {
	files := set.Files()
	starts := make([][]int, len(files))
	for i, f := range files {
		starts[i] = []int{0}
		for n, b := range f.Text {
			if b == '\n' {
				starts[i] = append(starts[i], n+1)
			}
		}
	}
	place := func(p token.Pos) error {
		if p.File < 0 || int(p.File) >= len(files) || p.Line < 1 || int(p.Line) > len(starts[p.File]) ||
			int(p.Offset) > len(files[p.File].Text) || starts[p.File][p.Line-1]+int(p.Column)-1 != int(p.Offset) {
			return fmt.Errorf("%+v is no place", p)
		}
		return nil
	}
	span := func(s token.Span) error {
		if err := errors.Join(place(s.From), place(s.To)); err != nil {
			return err
		}
		if s.From.File != s.To.File || s.From.Offset >= s.To.Offset {
			return fmt.Errorf("the span %+v is empty", s)
		}
		return nil
	}
	for _, p := range c.Problems {
		if err := place(p.At); err != nil {
			return fmt.Errorf("problem '%s': %w", p.Text, err)
		}
	}
	for _, l := range c.Lines {
		if err := span(l.Span); err != nil {
			return fmt.Errorf("line '%s': %w", written(l), err)
		}
		if l.Lines[0] > l.Span.From.Line || l.Lines[1] < l.Span.To.Line || l.Lines[0] > l.Lines[1] {
			return fmt.Errorf("line '%s' has lines %v, and the span %v", written(l), l.Lines, l.Span)
		}
		var last token.Token
		for _, t := range l.Tokens {
			if err := span(t.Span); err != nil {
				return fmt.Errorf("token '%s' of '%s': %w", t.Text, written(l), err)
			}
			same := last.Span.To.File == t.Span.From.File && last.Span.To.Known()
			// An included file may be read twice for one statement: it begins again.
			same = same && (t.Span.From.File == 0 || t.Span.From.Offset > last.Span.From.Offset)
			if same && last.Span.To.Offset > t.Span.From.Offset && !(last.Macro && t.Macro) {
				return fmt.Errorf("token '%s' at %v begins in front of the end of '%s' at %v", t.Text, t.Span, last.Text, last.Span)
			}
			if t.Kind == token.End || l.Alone && t.Macro {
				return fmt.Errorf("token '%s' of '%s' is of kind %d, macro: %v", t.Text, written(l), t.Kind, t.Macro)
			}
			last = t
			bytesOf := files[t.Span.From.File].Text[t.Span.From.Offset:t.Span.To.Offset]
			if t.Macro || t.Broken {
				continue
			}
			switch t.Kind {
			case token.String, token.Hollerith, token.BOZ:
				if bytes.IndexByte(bytesOf, '\n') >= 0 || len(t.Text)+len(t.Prefix) > len(bytesOf) {
					return fmt.Errorf("string '%s' has the bytes '%s'", t.Text, bytesOf)
				}
			default:
				if !strings.EqualFold(string(bytesOf), t.Text) && string(bytesOf) != t.Text {
					return fmt.Errorf("token '%s' has the bytes '%s'", t.Text, bytesOf)
				}
			}
		}
	}
	return nil
}

// selfSet opens any file whose name has no 'no' in it: its text is the beginning of text.
func selfSet(text []byte) *Set {
	return NewSet(func(name string) ([]byte, error) {
		if strings.Contains(name, "no") {
			return nil, errors.New("none")
		}
		return text[:min(len(text), 2000)], nil
	})
}

func FuzzRead(f *testing.F) {
	for _, x := range freeSources {
		f.Add([]byte(x.text), uint8(0))
		f.Add([]byte(x.text), uint8(0b1001))
	}
	for _, x := range fixedSources {
		f.Add([]byte(x.text), uint8(0b10))
		f.Add([]byte(x.text), uint8(0b1110))
	}
	for _, x := range sources {
		f.Add([]byte(x.text), uint8(1))
		f.Add([]byte(indented(x.text)), uint8(3))
		f.Add([]byte(x.text), uint8(0b100001))
	}
	f.Add([]byte("#include \"a\"\n#define a(x) a(a(x\n a(a(1))\n include 'b'\n"), uint8(1))
	f.Add([]byte("000000B\"0\x950000"), uint8(0x9e))
	f.Add([]byte("      x = B'\xe2\x84\xaa'"), uint8(2))
	f.Fuzz(func(t *testing.T, text []byte, how uint8) {
		name := "x.f"
		if how&2 == 0 {
			name = "x.f90"
		}
		o := Options{Preprocess: Never, DLines: how&4 != 0, OpenMP: how&8 != 0, Backslash: how&16 != 0, AllBranches: how&32 != 0, Mark: "ok"}
		if how&1 != 0 {
			o.Preprocess = Always
		}
		if how&64 != 0 {
			o.FixedColumns, o.FreeColumns = 20, 20
		}
		set := selfSet(text)
		c := Read(set, name, text, o)
		if err := check(set, c); err != nil {
			t.Errorf("%v\n%q", err, text)
		}
	})
}

// TestLarge reads sources that are made to take long. None may take a time that grows with the square of the length.
func TestLarge(t *testing.T) {
	const n = 1 << 17
	many := func(s string) string { return strings.Repeat(s, n/len(s)) }
	for _, x := range []struct{ name, file, text string }{
		{"blanks", "x.F", many("      \n")},
		{"one line", "x.F90", "x = " + many("a+")},
		{"one name", "x.F90", many("a")},
		{"one string", "x.F90", "x = '" + many("a")},
		{"continued string", "x.f", "      x = 'a\n" + many("     &b\n")},
		{"continued string", "x.F90", "x = 'a&\n" + many("  &b&\n")},
		{"parentheses", "x.F", "      x = " + many("(")},
		{"if(if(", "x.f", "      " + many("if(")},
		{"if()if()", "x.f", "      " + many("if(a)")},
		{"labels", "x.f", "      " + many("a:do")},
		{"words", "x.f", "      " + many("recursive")},
		{"types", "x.f", "      implicit " + many("real*8(a),")},
		{"#if", "x.F90", many("#if 1\n")},
		{"#if (", "x.F90", "#if " + many("(")},
		{"#if !", "x.F90", "#if " + many("!")},
		{"#if 1?", "x.F90", "#if " + many("1?")},
		{"#else", "x.F90", "#if 0\n" + many("#elif 0\n")},
		{"comments", "x.F90", many("/*")},
		{"comments on lines", "x.F90", many("x/*\n")},
		{"spliced", "x.F90", many("a\\\n")},
		{"open macro", "x.F90", "#define f(x) x\n" + many("f(")},
		{"open macro on lines", "x.F90", "#define f(x) x\n" + many("f(\n")},
		{"chain", "x.F90", chain(20000) + "\n x = a0\n"},
		{"doubled", "x.F90", doubled(64) + "\n x = a0\n" + strings.Repeat(" x = a0\n", 100)},
		{"doubled by arguments", "x.F90", "#define f(x) x x\n x = " + strings.Repeat("f(", 64) + strings.Repeat(")", 64)},
		{"behind", "x.F90", "#define f(x) x f\n x = f" + many("(1)")},
		{"include", "x.F90", "#include \"x\"\n#include \"x\"\n" + many("! "+strings.Repeat("comment ", 100)+"\n")},
		{"include", "x.f90", "include 'x'\n include 'x'\n"},
		{"directives", "x.f", "      x=1\n" + many("c$omp x\n")},
		{"directives", "x.f", "      x=1\n" + many("c$omp x\nc\nc\n") + "     &+1\n"},
		{"semicolons", "x.f90", many(";")},
		{"marks", "x.f90", many("&")},
		{"mark lines", "x.f90", "a=1&\n" + many("&\n")},
		{"digits", "x.f", many("9")},
		{"digits", "x.f", "      x=" + many("9h")},
		{"quotes", "x.f90", many("'")},
		{"zeros", "x.F", many("\x00\n")},
	} {
		t.Run(x.name+x.file, func(t *testing.T) {
			begin := processorTime()
			set := selfSet([]byte(x.text))
			c := Read(set, x.file, []byte(x.text), Options{})
			if took := processorTime() - begin; took > 4*time.Second {
				t.Errorf("took %v of a processor", took)
			}
			if err := check(set, c); err != nil {
				t.Errorf("%.500s", err.Error())
			}
		})
	}
}

// processorTime is the time of this process on processors: the machine may be busy.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func chain(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "#define a%d a%d\n", i, i+1)
	}
	return s.String()
}

func doubled(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "#define a%d a%d a%d\n", i, i+1, i+1)
	}
	return s.String()
}
