package nest

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

// datum is a variable, or a component path from it: all elements of t(i)%a(j) are the datum t%a.
type datum struct {
	root *scope.Symbol
	path string // "%a%b"
}

func (d datum) name() string { return d.root.Name + d.path }

// overlaps reports whether d is e, or a part of it, or the other way round.
func (d datum) overlaps(e datum) bool {
	return d.root == e.root && (begins(d.path, e.path) || begins(e.path, d.path))
}

// covers reports whether e is d or a part of it.
func (d datum) covers(e datum) bool { return d.root == e.root && begins(d.path, e.path) }

func begins(path, longer string) bool {
	return strings.HasPrefix(longer, path) && (len(path) == len(longer) || longer[len(path)] == '%')
}

// sub is one subscript: an index, or a range of them.
type sub struct {
	lo, hi affine.Form
	point  bool
	stride int64         // of a range; 0: not known
	full   bool          // all of the dimension
	index  *scope.Symbol // the subscript goes through this array or function
}

// step is a variable or component with its subscripts.
type step struct {
	symbol *scope.Symbol
	subs   []sub
	closed bool // subs are final
	view   *view
}

// ref is a designator with its subscripts as forms.
type ref struct {
	steps   []step
	node    tree.Expression
	foreign bool // a called procedure uses it by its own name
	rough   bool // it may be less than the subscripts say: it never counts as set
}

func (r ref) datum() datum {
	var path strings.Builder
	for _, s := range r.steps[1:] {
		path.WriteByte('%')
		path.WriteString(s.symbol.Name)
	}
	return datum{r.steps[0].symbol, path.String()}
}

func (r ref) last() *scope.Symbol { return r.steps[len(r.steps)-1].symbol }

// scalar reports whether r has no subscripts at all.
func (r ref) scalar() bool {
	for _, s := range r.steps {
		if len(s.subs) > 0 || len(s.symbol.Dims) > 0 {
			return false
		}
	}
	return true
}

// subs are all subscripts, from left to right.
func (r ref) subs() (list []sub) {
	for _, s := range r.steps {
		list = append(list, s.subs...)
	}
	return list
}

// point reports whether r is one element.
func (r ref) point() bool {
	for _, s := range r.steps {
		for _, x := range s.subs {
			if !x.point {
				return false
			}
		}
	}
	return true
}

// procedure is the scope of the procedure, program or module that s is in.
func procedure(s *scope.Scope) *scope.Scope {
	for s != nil && s.Kind == scope.BlockScope && s.Parent != nil {
		s = s.Parent
	}
	return s
}

// static reports whether a local variable keeps its value between calls.
func static(y *scope.Symbol) bool {
	return y.Saved || y.Common != "" || y.Scope != nil && (procedure(y.Scope).Kind == scope.ModuleScope || procedure(y.Scope).Kind == scope.ProgramScope)
}

// ofCall reports whether y is a variable of which each call of the procedure of s has its own.
func ofCall(y *scope.Symbol, s *scope.Scope) bool {
	return y.Scope != nil && procedure(y.Scope) == procedure(s) && !y.Dummy && !static(y)
}

// mayPoint reports whether other names may mean the memory of y.
func mayPoint(y *scope.Symbol) bool { return y.Pointer || y.Target }

// effects are the data that statements may read and write.
type effects struct {
	reads, writes map[datum]token.Pos // first places
	unknown       bool                // something that cannot be seen may write any variable of a module or COMMON
	pointers      bool                // memory of pointers and targets may be written
	calls         []*scope.Symbol     // procedures called
	more          *effects            // others that written asks too

	roots   map[*scope.Symbol][]datum        // writes by their variables, as many as indexed
	commons map[string]map[*scope.Scope]bool // COMMON blocks written, by the scopes that declare them
	indexed int
	reading map[*scope.Symbol]bool
}

// blockKey is a block: its scope and its first statement, or this statement alone.
type blockKey struct {
	scope *scope.Scope
	first tree.Node
	alone bool
}

const (
	mostCalls = 2000    // calls of one block that are noted
	mostKept  = 1 << 21 // entries of effects that are kept for a second question
)

func newEffects() *effects {
	return &effects{reads: map[datum]token.Pos{}, writes: map[datum]token.Pos{}}
}

func (f *effects) read(d datum, at token.Pos) {
	if _, known := f.reads[d]; !known {
		f.reads[d] = at
	}
}

func (f *effects) write(d datum, at token.Pos) {
	if _, known := f.writes[d]; !known {
		f.writes[d] = at
	}
	if mayPoint(d.root) {
		f.pointers = true
	}
}

// add adds the effects g.
func (f *effects) add(g *effects) {
	f.calls = append(f.calls, g.calls...)
	if len(f.calls) > mostCalls {
		f.calls = f.calls[:mostCalls]
	}
	f.unknown, f.pointers = f.unknown || g.unknown, f.pointers || g.pointers
	for d, at := range g.reads {
		f.read(d, at)
	}
	for d, at := range g.writes {
		f.write(d, at)
	}
}

// written reports whether d may be changed.
func (f *effects) written(d datum) bool {
	if f.more != nil && f.more.written(d) {
		return true
	}
	if f.indexed != len(f.writes) {
		f.index()
	}
	for _, w := range f.roots[d.root] {
		if w.overlaps(d) {
			return true
		}
	}
	for _, y := range d.root.Shares {
		if len(f.roots[y]) > 0 {
			return true
		}
	}
	if d.root.Common != "" {
		for s := range f.commons[d.root.Common] {
			if s != d.root.Scope {
				return true
			}
		}
	}
	return mayPoint(d.root) && f.pointers || f.unknown && global(d.root)
}

// touches reports whether y, or a part of it, may be read or changed.
func (f *effects) touches(y *scope.Symbol) bool {
	if f.written(datum{root: y}) {
		return true
	}
	if f.reading == nil {
		f.reading = map[*scope.Symbol]bool{}
		for d := range f.reads {
			f.reading[d.root] = true
		}
	}
	return f.reading[y] || f.unknown && global(y) || mayPoint(y) || y.Common != "" || len(y.Shares) > 0
}

func (f *effects) index() {
	f.roots, f.commons, f.indexed = map[*scope.Symbol][]datum{}, map[string]map[*scope.Scope]bool{}, len(f.writes)
	for w := range f.writes {
		f.roots[w.root] = append(f.roots[w.root], w)
		if block := w.root.Common; block != "" {
			if f.commons[block] == nil {
				f.commons[block] = map[*scope.Scope]bool{}
			}
			f.commons[block][w.root.Scope] = true
		}
	}
}

// global reports whether procedures elsewhere can change y.
func global(y *scope.Symbol) bool {
	return y.Common != "" || y.Target || y.Pointer || y.Scope != nil && procedure(y.Scope).Kind == scope.ModuleScope
}

// inside are the effects of a block. They are kept, and never change: analyses ask for the blocks of all loops around.
func (m *summaries) inside(s *scope.Scope, block []tree.Node) *effects {
	if len(block) == 0 {
		return newEffects()
	}
	return m.effectsOf(blockKey{s, block[0], false}, block)
}

// alone are the effects of one statement.
func (m *summaries) alone(s *scope.Scope, n tree.Node) *effects {
	return m.effectsOf(blockKey{s, n, true}, []tree.Node{n})
}

func (m *summaries) effectsOf(key blockKey, block []tree.Node) *effects {
	if f := m.inner[key]; f != nil {
		return f
	}
	f := newEffects()
	m.collect(key.scope, block, f)
	if len(m.making) == 0 && key.first != nil && m.kept < mostKept { // a procedure that calls itself has no effects yet
		m.inner[key] = f
		m.kept += len(f.reads) + len(f.writes)
	}
	return f
}

// target adds a write of a designator, and the reads of its subscripts. Other expressions are no targets.
func (m *summaries) target(s *scope.Scope, e tree.Expression, f *effects) {
	d, ok := m.datumOf(s, e)
	if ok {
		f.write(d, e.Span().From)
	}
	m.subscripts(s, e, f)
}

func (m *summaries) subscripts(s *scope.Scope, e tree.Expression, f *effects) {
	switch e := e.(type) {
	case *tree.Reference:
		if meaning, _ := s.Meaning(e); meaning == scope.FunctionCall && m.exact { // what its result points to
			m.reads(s, e, f)
			return
		}
		m.subscripts(s, e.Base, f)
		for i := range e.Arguments {
			m.reads(s, e.Arguments[i].Value, f)
		}
	case *tree.Component:
		m.subscripts(s, e.Base, f)
	case *tree.ImpliedDo:
		for _, x := range e.Items {
			m.target(s, x, f)
		}
		f.write(datum{root: s.Lookup(e.Variable)}, e.VariableAt.From)
	}
}

// datumOf is the datum of a designator. Names of ASSOCIATE are replaced by their selectors.
func (m *summaries) datumOf(s *scope.Scope, e tree.Expression) (datum, bool) {
	switch e := e.(type) {
	case *tree.Name:
		y := s.Lookup(e.Name)
		if y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
			d, known := m.selectors[y]
			if !known {
				ok := false
				if d, ok = m.datumOf(y.Scope.Parent, y.Alias); !ok {
					d = datum{root: y}
				}
				m.selectors[y] = d
			}
			return d, true
		}
		return datum{root: m.canonical(y)}, y.Kind == scope.Variable || y.Kind == scope.Unknown || y.Kind == scope.Missing || y.Kind == scope.Alias
	case *tree.Component:
		d, ok := m.datumOf(s, e.Base)
		if isParent(s, e) {
			return d, ok // o%base%x is o%x
		}
		d.path += "%" + e.Name
		return d, ok
	case *tree.Reference:
		switch meaning, _ := s.Meaning(e); meaning {
		case scope.Element, scope.Section, scope.Substring, scope.NotKnown:
			return m.datumOf(s, e.Base)
		}
	case *tree.Coindexed:
		return m.datumOf(s, e.Base)
	}
	return datum{}, false
}
