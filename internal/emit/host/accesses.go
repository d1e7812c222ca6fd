package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/emit/cost"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// planner finds for each reference where and how a checked body tells it.
type planner struct {
	n      *one
	c      *checks
	sp     speller
	inside map[tree.Node]bool
	guards map[tree.Node]*tree.If // by the statement of IF (...) statement
	masked map[tree.Node]*masked  // by statements in WHERE and FORALL, and these
	pure   map[tree.Node]bool     // statements in DO CONCURRENT, which may call pure procedures only
	each   map[tree.Node]bool     // statements that each iteration runs
}

func (n *one) newPlanner(c *checks) *planner {
	p := &planner{n, c, n.speller(), map[tree.Node]bool{n.k.Inner: true}, map[tree.Node]*tree.If{}, map[tree.Node]*masked{}, map[tree.Node]bool{}, n.eachIteration()}
	emit.Statements(n.k.Body, func(s tree.Node) {
		p.inside[s] = true
		switch s := s.(type) {
		case *tree.Do:
			if s.Kind == tree.Concurrent {
				emit.Statements(s.Body, func(x tree.Node) { p.pure[x] = true })
			}
		case *tree.If:
			if s.OneLine && len(s.Branches[0].Body) == 1 {
				p.guards[s.Branches[0].Body[0]] = s
			}
		case *tree.Where, *tree.Forall:
			if p.masked[s] == nil {
				p.construct(s)
			}
		}
	})
	return p
}

// use plans a reference. told: the library gets it; else why says which access it does not get, "" for none.
func (p *planner) use(a *arg, u emit.Use) (told bool, why string) {
	what := "'" + a.Spelling() + "' "
	part := p.within(u)
	switch s := u.Statement.(type) {
	case *tree.Associate:
		return false, what + "in ASSOCIATE"
	case *tree.PointerAssignment:
		return false, what + "in a pointer assignment"
	case *tree.Do:
		if s.Kind == tree.While {
			return false, what + "in DO WHILE"
		}
		if s.Kind == tree.Concurrent && s != p.n.k.Inner && contains(s.Condition, u.Expression) {
			return false, what + "in the mask of DO CONCURRENT"
		}
	}
	switch {
	case !p.inside[u.Statement]:
		return false, what + "in a called procedure"
	case part == inquired:
		return false, ""
	case part == elsewhere:
		return false, what + "in a statement function"
	case part == implied:
		return false, what + "in an implied DO"
	case p.pure[u.Statement]:
		return false, what + "in an inner DO CONCURRENT"
	case p.n.k.Jumps[u.Statement.Info().Label] && u.Statement.Info().Label != 0:
		return false, what + "behind a label"
	}
	if u.Actual {
		if why = p.actual(&u); why != "" {
			return false, why
		}
	}
	if m := p.masked[u.Statement]; m != nil {
		return p.inMask(a, u, m, part)
	}
	index, spans, ok := p.n.indices(a, u, p.sp, 0)
	if !ok {
		return false, what + "by a vector subscript or as a whole"
	}
	x := access{array: a, index: index, line: u.Expression.Span().From.Line, fixed: p.n.isFixed(u)}
	at := p.position(u, &x)
	x.linear = x.fixed && len(spans) == 0 && len(x.open) == 0 && p.each[u.Statement] && p.n.isLinear(u)
	for _, s := range spans {
		x.open, x.close = append(x.open, s.loop()), append([]string{"end do"}, x.close...)
	}
	p.add(at, u, x, len(spans))
	return true, ""
}

// add notes the reads and writes of a reference in front of a statement.
func (p *planner) add(at tree.Node, u emit.Use, x access, rank int) {
	p.c.rank = max(p.c.rank, rank)
	x.write = u.Write
	p.c.before[at] = append(p.c.before[at], &x)
}

// position is the statement in front of which a reference is reported, with the conditions under which it happens.
func (p *planner) position(u emit.Use, x *access) tree.Node {
	under := func(condition string) {
		x.open, x.close = append(x.open, "if ("+condition+") then"), append(x.close, "end if")
	}
	if g := p.guards[u.Statement]; g != nil {
		under(p.sp.text(g.Branches[0].Condition))
		return g
	}
	if s, ok := u.Statement.(*tree.If); ok {
		for i, b := range s.Branches {
			if !contains(b.Condition, u.Expression) {
				continue
			}
			for _, before := range s.Branches[:i] {
				under(".not. (" + p.sp.text(before.Condition) + ")")
			}
		}
	}
	return u.Statement
}

// part is the part of a statement in which a reference stands.
type part uint8

const (
	plain     part = iota
	inquired       // only its shape is asked
	whole          // the argument of a function of whole arrays
	implied        // an implied DO
	elsewhere      // not in the statement's own text
)

// within finds the part of its statement in which a reference stands.
func (p *planner) within(u emit.Use) part {
	found := elsewhere
	var walk func(e tree.Expression, at part)
	walk = func(e tree.Expression, at part) {
		if e == u.Expression {
			found = at
			return
		}
		switch x := e.(type) {
		case *tree.ImpliedDo:
			at = implied
		case *tree.Reference:
			m, y := u.Scope.Meaning(x)
			for i := range x.Arguments {
				v := x.Arguments[i].Value
				if v == nil {
					continue
				}
				switch {
				case m == scope.IntrinsicCall && cost.Inquiries[y.Name]:
					walk(v, inquired)
				case at == plain && (m == scope.IntrinsicCall && wholes[y.Name] || m == scope.FunctionCall):
					walk(v, whole)
				default:
					walk(v, at)
				}
			}
			walk(x.Base, at)
			return
		}
		emit.Parts(e, func(x tree.Expression) { walk(x, at) })
	}
	emit.Own(u.Statement, func(e tree.Expression) { walk(e, plain) })
	return found
}

// wholes are intrinsic functions that look at all elements of an argument, in the mask of WHERE too.
var wholes = map[string]bool{"sum": true, "product": true, "maxval": true, "minval": true, "any": true, "all": true, "count": true, "matmul": true,
	"dot_product": true, "cshift": true, "eoshift": true, "spread": true, "pack": true, "unpack": true, "reshape": true, "transpose": true,
	"maxloc": true, "minloc": true, "findloc": true, "norm2": true, "parity": true, "iall": true, "iany": true, "iparity": true, "transfer": true}

func contains(e, part tree.Expression) bool {
	found := false
	emit.Inside(e, func(x tree.Expression) { found = found || x == part })
	return found
}

// actual says why the accesses of a procedure to its argument are not known; "": it is an element whose accesses the analysis has found.
func (p *planner) actual(u *emit.Use) string {
	name := "a procedure"
	var callee *scope.Symbol
	at := -1
	look := func(procedure tree.Expression, y *scope.Symbol, list []tree.Argument) {
		for i := range list {
			if list[i].Value == u.Expression {
				name, callee, at = "'"+emit.Spelling(procedure)+"'", y, i
				if k := list[i].Keyword; k != "" && y != nil {
					for d, dummy := range y.Dummies {
						if dummy == k {
							at = d
						}
					}
				}
			}
		}
	}
	if s, ok := u.Statement.(*tree.Call); ok {
		var y *scope.Symbol
		if x, ok := s.Procedure.(*tree.Name); ok {
			if y = u.Scope.Lookup(x.Name); y.Kind == scope.Generic {
				y = u.Scope.Specific(y, s.Arguments)
			}
		}
		look(s.Procedure, y, s.Arguments)
	}
	emit.Own(u.Statement, func(e tree.Expression) {
		emit.Inside(e, func(x tree.Expression) {
			if r, ok := x.(*tree.Reference); ok {
				if m, y := u.Scope.Meaning(r); m == scope.FunctionCall {
					look(r.Base, y, r.Arguments)
				}
			}
		})
	})
	r, ok := u.Expression.(*tree.Reference)
	element := false
	if ok {
		m, _ := u.Scope.Meaning(r)
		_, rank := u.Scope.TypeOf(r)
		element = m == scope.Element && rank == 0
	}
	if !element || callee == nil || callee.Body == nil || at < 0 || at >= len(callee.Dummies) {
		return "call of " + name
	}
	if d := callee.Body.Lookup(callee.Dummies[at]); len(d.Dims) > 0 || d.AssumedRank {
		return "call of " + name
	}
	for _, x := range p.n.n.Arguments {
		for _, y := range x.Uses {
			if y.Expression != nil && y.Expression.Span().From == u.Expression.Span().From {
				u.Read, u.Write = y.Access != nest.Write, y.Access != nest.Read
			}
		}
	}
	return ""
}

// span is the range of a section in one dimension.
type span struct{ counter, first, last, step string }

func (s span) loop() string {
	if s.step == "" {
		return "do " + s.counter + " = " + s.first + ", " + s.last
	}
	return "do " + s.counter + " = " + s.first + ", " + s.last + ", " + s.step
}

// at is the index at a position, which counts from 1.
func (s span) at(position string) string {
	if s.step == "" {
		return s.first + " + " + position + " - 1_@c_int64_t"
	}
	return s.first + " + (" + position + " - 1_@c_int64_t)*" + s.step
}

// indices are the subscripts of a reference, and the ranges in it, whose counters have numbers behind taken.
func (n *one) indices(a *arg, u emit.Use, sp speller, taken int) (index []string, spans []span, ok bool) {
	ranged := func(d int) *span {
		dim := decimal(d + 1)
		s := span{counter: "@portable_j" + decimal(taken+len(spans)+1), first: "lbound(" + a.name + ", " + dim + ", @c_int64_t)",
			last: "ubound(" + a.name + ", " + dim + ", @c_int64_t)"}
		spans = append(spans, s)
		index = append(index, s.counter)
		return &spans[len(spans)-1]
	}
	wide := func(e tree.Expression) string { return "int(" + sp.text(e) + ", @c_int64_t)" }
	e := u.Expression
	if c, ok := e.(*tree.Component); ok && (c.Name == "re" || c.Name == "im") && u.Scope.Component(c) == nil && e != u.Prefix {
		e = c.Base // a part of a complex number counts as the number
	}
	r, subscripted := e.(*tree.Reference)
	if !subscripted {
		if a.Path != nil && e != u.Prefix {
			return nil, nil, false
		}
		for d := range a.Rank {
			ranged(d)
		}
		return index, spans, true
	}
	m, _ := u.Scope.Meaning(r)
	if m != scope.Element && m != scope.Section || len(r.Arguments) != a.Rank || a.Path != nil && r.Base != u.Prefix {
		return nil, nil, false
	}
	for d, x := range r.Arguments {
		part, isRange := x.Value.(*tree.Range)
		if !isRange {
			if _, rank := u.Scope.TypeOf(x.Value); rank != 0 {
				return nil, nil, false
			}
			index = append(index, wide(x.Value))
			continue
		}
		s := ranged(d)
		if part.Lower != nil {
			s.first = wide(part.Lower)
		}
		if part.Upper != nil {
			s.last = wide(part.Upper)
		}
		if part.Stride != nil {
			s.step = wide(part.Stride)
			if strings.HasPrefix(strings.TrimSpace(sp.text(part.Stride)), "-") && (part.Lower == nil || part.Upper == nil) {
				if part.Lower == nil {
					s.first = "ubound(" + a.name + ", " + decimal(d+1) + ", @c_int64_t)"
				}
				if part.Upper == nil {
					s.last = "lbound(" + a.name + ", " + decimal(d+1) + ", @c_int64_t)"
				}
			}
		}
	}
	return index, spans, true
}
