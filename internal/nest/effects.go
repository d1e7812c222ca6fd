package nest

import (
	"math"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file says what statements may read and write, without their order and their subscripts. Not in this file: the datum of a designator (datum.go).

// summary is what a procedure does to its dummies and to data outside of it.
type summary struct {
	effects
	dummies []*scope.Symbol // in their order; nil for *
	reading []bool
	writing []bool
	seen    bool
	active  bool // it is being made: what it does itself is added when it is made
	at      int  // its place in making, while it is there
	open    int  // the length of unfinished when it began
	needs   int  // place in making of the outermost procedure whose effects are missing in it; its own or more: none
}

// summaries makes effects. It keeps those of procedures.
type summaries struct {
	program    *scope.Program
	known      map[*scope.Scope]*summary
	making     []*summary     // that are being made, the callers first
	unfinished []*scope.Scope // procedures whose summaries are without the effects of one that calls them
	bodies     map[*scope.Scope]*effects
	inner      map[blockKey]*effects   // of blocks in constructs
	selectors  map[*scope.Symbol]datum // of names of ASSOCIATE
	leaving    map[tree.Node]bool      // statements with jumps
	labelled   map[*tree.Unit]map[int32]int32
	backward   map[*tree.Unit]map[int32]int32
	kept       int // entries of inner
	budget     budget
	functions  int // statement functions that are open
	texts      map[*tree.Unit][]tree.Node
	canon      map[*scope.Symbol]*scope.Symbol
	blocks     map[string]*scope.Scope // COMMON blocks: the scope that was seen first
	exact      bool                    // t%a is no read of t
}

func newSummaries(p *scope.Program) *summaries {
	return &summaries{program: p, known: map[*scope.Scope]*summary{}, bodies: map[*scope.Scope]*effects{}, inner: map[blockKey]*effects{}, leaving: map[tree.Node]bool{}, selectors: map[*scope.Symbol]datum{}, labelled: map[*tree.Unit]map[int32]int32{}, backward: map[*tree.Unit]map[int32]int32{}, texts: map[*tree.Unit][]tree.Node{},
		canon: map[*scope.Symbol]*scope.Symbol{}, blocks: map[string]*scope.Scope{}}
}

// mostOutside bounds the data of modules in one summary, fewOutside if there are many summaries: with more, any may be used.
const (
	mostOutside = 2000
	fewOutside  = 50
)

// of is the summary of a procedure whose body, or interface, is known.
func (m *summaries) of(y *scope.Symbol) *summary {
	body := y.Body
	if s := m.known[body]; s != nil {
		m.need(s.needs)
		return s
	}
	s := &summary{effects: *newEffects(), seen: !y.OnlyInterface, active: true, at: len(m.making), needs: len(m.making), open: len(m.unfinished)}
	m.known[body] = s
	for _, name := range y.Dummies {
		var d *scope.Symbol
		if name != "*" {
			d = body.Lookup(name)
		}
		s.dummies = append(s.dummies, d)
		s.reading = append(s.reading, d != nil && d.Intent != "out")
		s.writing = append(s.writing, d != nil && d.Intent != "in" && !d.Value)
	}
	if !s.seen {
		s.unknown = !pure(body)
		s.active, s.needs = false, math.MaxInt
		return s
	}
	inside := newEffects()
	m.making = append(m.making, s)
	m.specification(body, inside)
	m.collect(body, m.body(body.Unit), inside)
	m.making = m.making[:s.at]
	s.unknown, s.pointers, s.calls = s.unknown || inside.unknown, inside.pointers, inside.calls
	for i, d := range s.dummies {
		if d == nil {
			continue
		}
		r, w := false, false
		for x := range inside.reads {
			r = r || x.root == d
		}
		for x := range inside.writes {
			w = w || x.root == d
		}
		s.reading[i] = r
		s.writing[i] = w || resets(d) && !d.Value
	}
	most := mostOutside
	if m.kept > mostKept/2 {
		most = fewOutside
	}
	outside := func(from map[datum]token.Pos, add func(datum, token.Pos)) {
		for d, at := range from {
			if global(d.root) && len(s.reads)+len(s.writes) >= most {
				s.unknown = true
				continue
			}
			if !d.root.Dummy && !ofCall(d.root, body) || d.root.Dummy && procedure(d.root.Scope) != body {
				add(d, at)
			}
		}
	}
	outside(inside.reads, s.read)
	outside(inside.writes, s.write)
	m.kept += len(s.reads) + len(s.writes)
	if hasEntry(body) { // its dummies are not those of the procedure
		s.dummies, s.reading, s.writing, s.unknown = nil, nil, nil, true
	}
	s.active = false
	m.finish(body, s)
	return s
}

// need notes that the effects of the procedure at a place of making are missing in what is being made: it is called by it.
func (m *summaries) need(at int) {
	if n := len(m.making); n > 0 {
		m.making[n-1].needs = min(m.making[n-1].needs, at)
	}
}

// finish keeps a summary for good if nothing is missing in it: the body of a procedure that calls itself has all effects, whatever the calls in it are for.
// Those of procedures on the way back to it are made again when they are asked for.
func (m *summaries) finish(body *scope.Scope, s *summary) {
	if s.needs < s.at {
		m.need(s.needs)
		m.unfinished = append(m.unfinished, body)
		return
	}
	s.needs = math.MaxInt
	for _, b := range m.unfinished[s.open:] {
		delete(m.known, b)
	}
	m.unfinished = m.unfinished[:s.open]
}

// body are the statements of a unit. An assignment to an element, first behind the declarations, looks like a statement function.
func (m *summaries) body(u *tree.Unit) []tree.Node {
	if list, known := m.texts[u]; known {
		return list
	}
	list := u.Body
	var first []tree.Node
	if s := m.program.Of(u); s != nil {
		for _, d := range u.Declarations {
			f, ok := d.(*tree.StatementFunction)
			if !ok {
				continue
			}
			if y := s.Symbol(f.Assignment.Left); y == nil || y.Function != f.Assignment {
				first = append(first, f.Assignment)
			}
		}
	}
	if len(first) > 0 {
		list = append(first, list...)
	}
	m.texts[u] = list
	return list
}

// pure reports whether the procedure of s is PURE or ELEMENTAL.
func pure(s *scope.Scope) bool {
	is := false
	for _, p := range s.Unit.Prefix {
		switch p {
		case "pure", "elemental":
			is = true
		case "impure":
			return false
		}
	}
	return is
}

// collect adds what statements do.
func (m *summaries) collect(s *scope.Scope, body []tree.Node, f *effects) {
	for _, n := range body {
		m.budget.spend(20)
		m.statement(s, n, f)
	}
}

func (m *summaries) statement(s *scope.Scope, n tree.Node, f *effects) {
	inside := s
	if x := m.program.Inside(n); x != nil {
		inside = x
	}
	at := n.Info().Where.From
	switch n := n.(type) {
	case *tree.Assignment:
		m.target(s, n.Left, f)
		m.reads(s, n.Right, f)
		if y, defined := m.assignment(s, n); defined {
			m.defined(s, y, f, n.Left, n.Right)
		}
		return
	case *tree.PointerAssignment:
		m.target(s, n.Left, f)
		m.reads(s, n.Right, f)
		f.pointers = true
		return
	case *tree.Call:
		meaning, y := s.Meaning(&tree.Reference{Base: n.Procedure, Arguments: n.Arguments})
		m.subroutine(s, meaning, y, n, f)
		return
	case *tree.Do:
		if n.Kind == tree.Counted {
			f.write(datum{root: m.canonical(s.Lookup(n.Variable))}, at)
		}
		for _, x := range parts.Expressions(n) {
			m.reads(inside, x, f)
		}
		f.add(m.inside(inside, n.Body))
		m.budget.spend(5 * int64(len(f.writes)))
		return
	case *tree.Transfer:
		for i := range n.Control {
			if n.Kind == "inquire" || n.Control[i].Keyword == "iostat" || n.Control[i].Keyword == "iomsg" || n.Control[i].Keyword == "size" {
				m.target(s, n.Control[i].Value, f)
				continue
			}
			if s.NamesGroup(&n.Control[i]) {
				f.unknown = true
			}
			m.target(s, n.Control[i].Value, f) // an internal file
			m.reads(s, n.Control[i].Value, f)
		}
		for _, x := range n.Items {
			if n.Kind == "read" {
				m.target(s, x, f)
			} else {
				m.reads(s, x, f)
			}
		}
		return
	case *tree.Allocation:
		for _, x := range n.Objects {
			m.target(s, x, f)
		}
		for i := range n.Options {
			m.target(s, n.Options[i].Value, f)
			m.reads(s, n.Options[i].Value, f)
		}
		f.pointers = f.pointers || n.Kind == "nullify"
		return
	case *tree.Labels:
		f.write(datum{root: m.canonical(s.Lookup(n.Variable))}, at)
	case *tree.Image, *tree.Unread:
		f.unknown = true
	case *tree.Block:
		m.specification(inside, f)
	case *tree.Select:
		if n.Kind != "case" {
			m.reads(s, n.Selector, f)
			for i := range n.Cases {
				if x := m.program.Case(n, i); x != nil {
					m.collect(x, n.Cases[i].Body, f)
				} else {
					m.collect(s, n.Cases[i].Body, f)
				}
			}
			return
		}
	}
	for _, x := range parts.Expressions(n) {
		m.reads(inside, x, f)
	}
	for _, b := range parts.Blocks(n) {
		m.collect(inside, b, f)
	}
}

// assignment reports whether a user defines an assignment, and its procedure: nil if that is not found.
func (m *summaries) assignment(s *scope.Scope, n *tree.Assignment) (y *scope.Symbol, defined bool) {
	if y := s.Assignment(n.Left, n.Right); y != nil {
		return y, true
	}
	left, _ := s.TypeOf(n.Left)
	right, _ := s.TypeOf(n.Right)
	if left.Base == scope.Derived && right.Base == scope.Derived {
		return nil, left.Def != nil && right.Def != nil && left.Def.Name != right.Def.Name
	}
	return nil, left.Base != scope.NoType && right.Base != scope.NoType && left.Base != scope.Class && right.Base != scope.Class &&
		(left.Base == scope.Derived || right.Base == scope.Derived)
}

// defined adds the call of a defined operator or assignment.
func (m *summaries) defined(s *scope.Scope, y *scope.Symbol, f *effects, operands ...tree.Expression) {
	if y != nil && y.Body != nil {
		m.call(s, y, values(operands), f)
		return
	}
	f.unknown = true
	for _, x := range operands {
		m.reads(s, x, f)
	}
}

// values are the arguments of a defined operator.
func values(operands []tree.Expression) []tree.Argument {
	list := make([]tree.Argument, len(operands))
	for i, x := range operands {
		list[i].Value = x
	}
	return list
}

// subroutine adds a CALL.
func (m *summaries) subroutine(s *scope.Scope, meaning scope.Meaning, y *scope.Symbol, n *tree.Call, f *effects) {
	if c, ok := n.Procedure.(*tree.Component); ok {
		m.target(s, c.Base, f)
		m.reads(s, c.Base, f)
	}
	switch {
	case meaning == scope.FunctionCall && y != nil && y.Body != nil:
		m.named(s, n.Procedure, y, n.Arguments, f)
	case meaning == scope.IntrinsicCall:
		for i := range n.Arguments {
			m.reads(s, n.Arguments[i].Value, f)
			m.target(s, n.Arguments[i].Value, f)
		}
	default:
		f.unknown = true
		for i := range n.Arguments {
			m.reads(s, n.Arguments[i].Value, f)
			m.target(s, n.Arguments[i].Value, f)
		}
	}
}

// named adds the effects of a call as it is written; a procedure that is chosen at run time may do anything.
func (m *summaries) named(s *scope.Scope, procedure tree.Expression, y *scope.Symbol, args []tree.Argument, f *effects) {
	all, known := m.withObject(s, procedure, y, args)
	if known {
		m.call(s, y, all, f)
		return
	}
	f.unknown = true
	m.call(s, y, nil, f)
	if c, ok := procedure.(*tree.Component); ok {
		m.target(s, c.Base, f)
	}
	for i := range args {
		m.reads(s, args[i].Value, f)
		m.target(s, args[i].Value, f)
	}
}

// call adds the effects of a procedure.
func (m *summaries) call(s *scope.Scope, y *scope.Symbol, args []tree.Argument, f *effects) {
	c := m.of(y)
	f.calls = append(f.calls, y)
	f.add(&c.effects)
	m.budget.spend(10 * int64(len(c.reads)+len(c.writes)))
	for k, a := range matched(c.dummies, args) {
		if a == nil {
			continue
		}
		m.reads(s, a, f)
		if k >= len(c.writing) || c.writing[k] {
			m.target(s, a, f)
		}
	}
}

// matched puts actual arguments into the order of the dummies. Those that fit none stand behind.
func matched(dummies []*scope.Symbol, args []tree.Argument) []tree.Expression {
	list := make([]tree.Expression, len(dummies))
next:
	for i := range args {
		at := i
		if args[i].Keyword != "" {
			at = len(list)
			for k, d := range dummies {
				if d != nil && d.Name == args[i].Keyword {
					at = k
				}
			}
		}
		if at < len(list) {
			list[at] = args[i].Value
			continue next
		}
		list = append(list, args[i].Value)
	}
	return list
}

// reads adds all that an expression reads, and the effects of functions in it.
func (m *summaries) reads(s *scope.Scope, e tree.Expression, f *effects) {
	m.budget.spend(5)
	switch e := e.(type) {
	case nil:
		return
	case *tree.Name, *tree.Component:
		if d, ok := m.datumOf(s, e); ok {
			f.read(d, e.Span().From)
			if y := s.Symbol(e); y != nil && y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
				m.reads(y.Scope.Parent, y.Alias, f)
			}
		}
		if m.exact {
			m.subscripts(s, e, f)
			return
		}
	case *tree.Reference:
		switch meaning, y := s.Meaning(e); meaning {
		case scope.FunctionCall:
			if c, ok := e.Base.(*tree.Component); ok {
				m.reads(s, c.Base, f)
			}
			if y.Body != nil {
				m.named(s, e.Base, y, e.Arguments, f)
				return
			}
			f.unknown = true
			for i := range e.Arguments {
				m.target(s, e.Arguments[i].Value, f)
			}
		case scope.StatementCall:
			if m.functions < deepestCall { // a wrong program may define a function by the function
				m.functions++
				m.reads(y.Scope, y.Function.Right, f)
				m.functions--
			}
		case scope.Element, scope.Section, scope.Substring, scope.NotKnown:
			if d, ok := m.datumOf(s, e); ok {
				f.read(d, e.Span().From)
			}
			if meaning == scope.NotKnown {
				f.unknown = true
			}
		}
	case *tree.Binary:
		if y, defined := s.Operation(e.Operator, []tree.Expression{e.X, e.Y}); defined {
			m.defined(s, y, f, e.X, e.Y)
			return
		}
	case *tree.Unary:
		if y, defined := s.Operation(e.Operator, []tree.Expression{e.X}); defined {
			m.defined(s, y, f, e.X)
			return
		}
	case *tree.ImpliedDo:
		s = s.Loop(e)
	}
	for _, x := range parts.Direct(e) {
		m.reads(s, x, f)
	}
}
