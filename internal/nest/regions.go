package nest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/around"
	"libportable/internal/nest/directive"
)

// This file decides what a region around loops means for their nests, and shows what statements use, for data regions (package data). Not in this file:
// which regions may be removed (package around).

// Region is a region whose directives the generated file loses, if all its loops are converted.
type Region = around.Region

// removed reports whether the region around a loop may be removed.
func (f *finder) removed(do *tree.Do) bool { return f.region[do] != nil && f.region[do].Drop != nil }

// kernels is the directive of a loop in a region KERNELS, which asks for all its loops; else nil.
func (f *finder) kernels(do *tree.Do) *Directive {
	if !f.removed(do) || f.region[do].Name != "kernels" || !slices.Contains(f.region[do].Drop.Loops, do) {
		return nil
	}
	return &Directive{Line: f.region[do].Drop.Lines[0], Kind: "acc", Reductions: map[string]Operator{}}
}

// shared is the region whose threads run the loop together; nil if there is none, or it may be removed. A loop with OMP DO or LOOP that stands in no
// region belongs to one around the call of its procedure.
func (f *finder) shared(do *tree.Do, own *directive.Parsed) *around.Loop {
	if r := f.region[do]; r != nil {
		if r.Drop != nil {
			return nil
		}
		return r
	}
	if own != nil && own.Role == directive.Inner && own.Directive.Kind == "omp" {
		return &around.Loop{At: own.Directive.Line.Span.From}
	}
	return nil
}

// Keep refuses the nests of the regions that stay, because a loop in them is not converted.
func Keep(nests []*Nest) {
	converted, broken := map[*tree.Do]bool{}, map[*Region]bool{}
	for _, n := range nests {
		if n.Region == nil {
			continue
		}
		if n.Verdict != Parallel {
			broken[n.Region] = true
			if n.Directive != nil && n.Directive.Line == n.Region.Lines[0] {
				n.Directive = nil // KERNELS leaves it to the tool which loops are parallel
			}
			continue
		}
		converted[n.Outer], converted[n.Loops[0].Do] = true, true
		for _, do := range n.Around {
			converted[do] = true
		}
	}
	for _, n := range nests {
		r := n.Region
		if r == nil || n.Verdict != Parallel {
			continue
		}
		if broken[r] || slices.ContainsFunc(r.Loops, func(do *tree.Do) bool { return !converted[do] }) {
			n.Verdict, n.Directive = Refused, nil
			at := r.Lines[0].Span.From
			n.Refusals = []Refusal{{Rule: "directive", At: n.Outer.Where.From, Also: []token.Pos{at}, Loop: n.Outer.Variable,
				Text:   "the region '" + r.Name + "' at line " + strconv.Itoa(int(at.Line)) + " stays, because not all of its loops are converted",
				Remedy: "write a directive of its own at the loop, such as parallel do or parallel loop"}}
		}
	}
}

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
