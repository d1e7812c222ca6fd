package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// masked says in which WHERE and FORALL constructs a statement stands.
type masked struct {
	outer    tree.Node // the outermost one: its accesses are reported in front of it, before any of its assignments
	foralls  []*tree.Forall
	indices  map[tree.Expression]string // of FORALL, as counters
	counters int
	masks    []string // conditions that hold for the elements of the statement
	depth    int      // number of conditions of WHERE in masks
	changes  bool     // a condition reads what the construct assigns
}

// mask is a logical array of a checked body.
type mask struct {
	name string
	rank int
}

// construct notes the statements in a WHERE or FORALL construct.
func (p *planner) construct(s tree.Node) {
	assigned := map[*scope.Symbol]bool{}
	emit.Statements([]tree.Node{s}, func(x tree.Node) {
		if a, ok := x.(*tree.Assignment); ok {
			if y := p.scopeOf(s).Symbol(a.Left); y != nil {
				assigned[y] = true
			}
		}
	})
	names := map[tree.Expression]string{}
	for e, name := range p.sp.names {
		names[e] = name
	}
	p.enclosed(s, &masked{outer: s, indices: names}, assigned, true)
}

func (p *planner) scopeOf(s tree.Node) *scope.Scope {
	if inside := p.n.w.o.Program.Inside(s); inside != nil {
		return inside
	}
	return p.n.scope
}

// enclosed goes through the constructs. first: no assignment of the construct is done when the conditions of s are evaluated.
func (p *planner) enclosed(s tree.Node, m *masked, assigned map[*scope.Symbol]bool, first bool) {
	p.masked[s] = m
	switch s := s.(type) {
	case *tree.Where:
		others := m.masks
		for i, b := range s.Branches {
			inner := *m
			inner.masks = append(others[:len(others):len(others)], "("+speller{m.indices, p.n.w.math.Powers}.text(b.Condition)+")")
			inner.depth = m.depth + 1
			inner.changes = m.changes || (i > 0 || !first) && p.reads(s, b.Condition, assigned)
			p.all(b.Body, &inner, assigned)
			others = append(others[:len(others):len(others)], ".not. ("+speller{m.indices, p.n.w.math.Powers}.text(b.Condition)+")")
		}
		inner := *m
		inner.masks, inner.depth = others, m.depth+len(s.Branches)
		p.all(s.Else, &inner, assigned)
	case *tree.Forall:
		inner := *m
		inner.foralls = append(m.foralls[:len(m.foralls):len(m.foralls)], s)
		kinds := map[string]string{}
		for _, x := range s.Indices {
			inner.counters++
			kind := p.n.w.kinds().Integer
			if y := p.scopeOf(s).Lookup(x.Name); y.Type.Kind > 0 {
				kind = y.Type.Kind
			}
			kinds[x.Name] = "int(@portable_j" + decimal(inner.counters) + ", " + decimal(kind) + ")"
		}
		replace := func(e tree.Expression) {
			emit.Inside(e, func(x tree.Expression) {
				if name, ok := x.(*tree.Name); ok && kinds[name.Name] != "" {
					m.indices[x] = kinds[name.Name]
				}
			})
		}
		if s.Mask != nil {
			replace(s.Mask)
		}
		emit.Statements(s.Body, func(x tree.Node) { emit.Own(x, replace) })
		inner.changes = m.changes || !first && p.reads(s, s.Mask, assigned)
		p.all(s.Body, &inner, assigned)
	}
}

func (p *planner) all(body []tree.Node, m *masked, assigned map[*scope.Symbol]bool) {
	for _, x := range body {
		switch x.(type) {
		case *tree.Where, *tree.Forall:
			p.enclosed(x, m, assigned, false)
		default:
			p.masked[x] = m
		}
	}
}

// reads reports whether an expression reads one of the variables.
func (p *planner) reads(s tree.Node, e tree.Expression, variables map[*scope.Symbol]bool) bool {
	found := false
	emit.Inside(e, func(x tree.Expression) {
		if name, ok := x.(*tree.Name); ok && variables[p.scopeOf(s).Lookup(name.Name)] {
			found = true
		}
	})
	return found
}

// inMask plans a reference in WHERE or FORALL.
func (p *planner) inMask(a *arg, u emit.Use, m *masked, at part) (bool, string) {
	why := "'" + a.Spelling() + "' in WHERE or FORALL"
	masks, depth := m.masks, m.depth
	if w, ok := u.Statement.(*tree.Where); ok { // a condition: those in front of it do not hold
		for i, b := range w.Branches {
			if contains(b.Condition, u.Expression) {
				for _, before := range w.Branches[:i] {
					masks = append(masks[:len(masks):len(masks)], ".not. ("+speller{m.indices, p.n.w.math.Powers}.text(before.Condition)+")")
					depth++
				}
			}
		}
	}
	if m.changes || at == implied {
		return false, why
	}
	foralls := m.foralls
	if f, ok := u.Statement.(*tree.Forall); ok && contains(f.Mask, u.Expression) {
		foralls = append(foralls[:len(foralls):len(foralls)], f)
	}
	counters := 0
	var x access
	sp := speller{m.indices, p.n.w.math.Powers}
	for i, f := range foralls {
		for _, k := range f.Indices {
			counters++
			s := span{"@portable_j" + decimal(counters), "int(" + sp.text(k.First) + ", @c_int64_t)", "int(" + sp.text(k.Last) + ", @c_int64_t)", ""}
			if k.Step != nil {
				s.step = "int(" + sp.text(k.Step) + ", @c_int64_t)"
			}
			x.open, x.close = append(x.open, s.loop()), append([]string{"end do"}, x.close...)
		}
		if f.Mask != nil && !(i == len(foralls)-1 && f == u.Statement) {
			x.open, x.close = append(x.open, "if ("+sp.text(f.Mask)+") then"), append([]string{"end if"}, x.close...)
		}
	}
	index, spans, ok := p.n.indices(a, u, sp, counters)
	if !ok {
		return false, why
	}
	if depth > 0 {
		rank := p.maskRank(u, m)
		condition := masks[0]
		for _, c := range masks[1:] {
			condition += " .and. " + c
		}
		name := p.maskOf(rank)
		switch {
		case len(spans) == rank && at == plain:
			x.open = append(x.open, name+" = ("+condition+")")
			element := ""
			for d := range spans {
				k := decimal(d + 1)
				if d > 0 {
					element += ", "
				}
				element += spans[d].counter
				for i := range index {
					if index[i] == spans[d].counter {
						index[i] = spans[d].at(spans[d].counter)
					}
				}
				spans[d].first, spans[d].last, spans[d].step = "1_@c_int64_t", "ubound("+name+", "+k+", @c_int64_t)", ""
			}
			for _, s := range spans {
				x.open, x.close = append(x.open, s.loop()), append([]string{"end do"}, x.close...)
			}
			x.open, x.close = append(x.open, "if ("+name+"("+element+")) then"), append([]string{"end if"}, x.close...)
			spans = nil
		case len(spans) == 0:
			x.open, x.close = append(x.open, "if (any("+condition+")) then"), append([]string{"end if"}, x.close...)
		}
		counters += rank
	}
	for _, s := range spans {
		x.open, x.close = append(x.open, s.loop()), append([]string{"end do"}, x.close...)
	}
	x.array, x.index, x.line = a, index, u.Expression.Span().From.Line
	p.add(m.outer, u, x, counters+len(spans))
	return true, ""
}

// maskRank is the rank of the conditions around a statement.
func (p *planner) maskRank(u emit.Use, m *masked) int {
	rank := 0
	emit.Statements([]tree.Node{m.outer}, func(s tree.Node) {
		if w, ok := s.(*tree.Where); ok && rank == 0 {
			emit.Statements([]tree.Node{w}, func(x tree.Node) {
				if x == u.Statement {
					_, rank = p.scopeOf(w).TypeOf(w.Branches[0].Condition)
				}
			})
		}
	})
	return rank
}

// maskOf is the name of a logical array of that rank.
func (p *planner) maskOf(rank int) string {
	name := "@portable_mask_" + decimal(rank)
	for _, m := range p.c.masks {
		if m.rank == rank {
			return name
		}
	}
	p.c.masks = append(p.c.masks, mask{name, rank})
	return name
}
