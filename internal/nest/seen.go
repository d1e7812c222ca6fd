package nest

// This file shows other rooms what statements use and set (Seen), for data regions. Not in this
// file: how that is found (effects.go). Threads: as the walk of a program, one at a time.

import (
	"cmp"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Seen says what statements use, for data regions.
type Seen struct{ m *summaries }

// Touched is a variable, or a path of components from it ("%a%b"), that a statement uses.
type Touched struct {
	Root          *scope.Symbol
	Path          string
	Read, Written bool
	At            token.Pos
}

// Effects are those of a statement and of all that it calls.
type Effects struct {
	Data    []Touched       // in the order of their first places
	Unknown bool            // it calls something that is not seen
	Calls   []*scope.Symbol // procedures called, directly and through others
	All     bool            // these are all calls
}

// NewSeen sees the procedures of all files.
func NewSeen(p *scope.Program) *Seen {
	m := newSummaries(p)
	m.budget.all, m.exact = 1<<62, true
	return &Seen{m}
}

// Statements are the effects of statements with all that is in them.
func (s *Seen) Statements(in *scope.Scope, body ...tree.Node) Effects {
	f := newEffects()
	for _, n := range body {
		f.add(s.m.alone(in, n))
	}
	return f.exported()
}

// Expression are the effects of an expression that is read.
func (s *Seen) Expression(in *scope.Scope, e tree.Expression) Effects {
	f := newEffects()
	s.m.reads(in, e, f)
	return f.exported()
}

// Target are the effects of setting a designator.
func (s *Seen) Target(in *scope.Scope, e tree.Expression) Effects {
	f := newEffects()
	s.m.target(in, e, f)
	return f.exported()
}

// Subscripts are the effects of finding the place of a designator.
func (s *Seen) Subscripts(in *scope.Scope, e tree.Expression) Effects {
	f := newEffects()
	s.m.subscripts(in, e, f)
	return f.exported()
}

// Arguments puts actual arguments into the order of the dummies of a procedure that is seen; ok: it is the one that is called.
func (s *Seen) Arguments(in *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument) (dummies []*scope.Symbol, actuals []tree.Expression, ok bool) {
	all, ok := s.m.withObject(in, procedure, y, args)
	dummies = s.m.of(y).dummies
	return dummies, matched(dummies, all), ok
}

// Defined is the procedure of a defined assignment; nil with defined: it is not found.
func (s *Seen) Defined(in *scope.Scope, n *tree.Assignment) (y *scope.Symbol, defined bool) {
	return s.m.assignment(in, n)
}

// Variable reports whether an expression is a variable or a part of one.
func (s *Seen) Variable(in *scope.Scope, e tree.Expression) bool {
	_, is := s.m.datumOf(in, e)
	return is
}

// Same reports whether two symbols are one variable, or one of a COMMON block that both procedures declare alike.
func (s *Seen) Same(a, b *scope.Symbol) bool { return s.m.canonical(a) == s.m.canonical(b) }

// Shared reports whether procedures elsewhere can use a variable by another name.
func Shared(y *scope.Symbol) bool { return global(y) }

func (f *effects) exported() Effects {
	out := Effects{Unknown: f.unknown, Calls: f.calls, All: len(f.calls) < mostCalls}
	at := map[datum]int{}
	for _, list := range []map[datum]token.Pos{f.reads, f.writes} {
		for d, pos := range list {
			i, known := at[d]
			if !known {
				i = len(out.Data)
				at[d] = i
				out.Data = append(out.Data, Touched{Root: d.root, Path: d.path, At: pos})
			}
			out.Data[i].At = earlier(out.Data[i].At, pos)
		}
	}
	for d := range f.reads {
		out.Data[at[d]].Read = true
	}
	for d := range f.writes {
		out.Data[at[d]].Written = true
	}
	slices.SortFunc(out.Data, func(a, b Touched) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Offset, b.At.Offset), strings.Compare(a.Root.Name, b.Root.Name), strings.Compare(a.Path, b.Path))
	})
	return out
}

func earlier(a, b token.Pos) token.Pos {
	if b.File < a.File || b.File == a.File && b.Offset < a.Offset {
		return b
	}
	return a
}
