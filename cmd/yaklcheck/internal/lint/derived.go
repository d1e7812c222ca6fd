package lint

// This file finds the names of a procedure that depend on its arguments, so that threads have
// different values in them. A dummy depends, and so does a variable that is assigned from such
// names, or that a called procedure may change.

func (p *program) derived(s *scope, inherited map[string]bool) map[string]bool {
	d := map[string]bool{}
	for n := range inherited {
		if s.symbols[n] == nil {
			d[n] = true
		}
	}
	for _, a := range s.args {
		d[a] = true
	}
	for changed := true; changed; {
		before := len(d)
		for _, x := range s.statements {
			p.spread(x, d)
		}
		changed = len(d) > before
	}
	return d
}

// spread adds the names that one statement makes dependent.
func (p *program) spread(x statement, d map[string]bool) {
	for at := x.scope; at != nil && at.kind == blockScope; at = at.parent {
		for n, y := range at.symbols {
			if y.alias != nil && p.depends(at, y.alias, d) || y.alias == nil && len(y.dims) > 0 && p.depends(at, y.dims, d) {
				d[n] = true
			}
		}
	}
	p.parts(x, x.t, func(e effect) {
		switch e.how {
		case assigned:
			if len(e.rhs) == 0 || p.depends(x.scope, e.rhs, d) || p.depends(x.scope, e.t[1:], d) {
				d[e.t[0].word] = true
			}
		case loopVariable:
			if p.depends(x.scope, e.rhs, d) {
				d[e.t[0].word] = true
			}
		default:
			d[e.t[0].word] = true
		}
	})
	for _, c := range calls(x.t) {
		if !c.sub {
			continue
		}
		for _, a := range c.args {
			if _, a = keyword(a); isVariable(a) {
				if y, _, m := p.variable(x.scope, a); y == nil && m.module != "" || y != nil && p.isShared(y) {
					continue // a call does not give each thread a copy of a shared variable
				}
				d[a[0].word] = true
			}
		}
	}
}

func (p *program) isShared(y *symbol) bool {
	return y.scope != nil && y.scope.procedure() != nil && y.scope.procedure().kind != procedureScope
}

// depends reports whether an expression may differ between threads.
func (p *program) depends(s *scope, t []token, d map[string]bool) bool {
	for i, w := range t {
		if w.kind != name || i > 0 && t[i-1].is("%") {
			continue
		}
		if d[w.word] {
			return true
		}
		if at(t, i+1).is("(") && !uniform[w.word] {
			if y, _, m := p.variable(s, t[i:i+1]); y == nil && m.module == "" {
				return true // a function may return anything
			}
		}
	}
	return false
}

// oneOnly reports whether the conditions around a statement leave one iteration: an index or a component of the tile
// equals something.
func (p *program) oneOnly(x statement, d map[string]bool) bool {
	for _, g := range x.guards {
		for _, part := range conjuncts(g) {
			for i, w := range part {
				if !w.is("==") && !w.is(".eq.") {
					continue
				}
				left, right := part[:i], part[i+1:]
				if p.isIndex(left, d) && !p.depends(x.scope, right, d) || p.isIndex(right, d) && !p.depends(x.scope, left, d) {
					return true
				}
			}
		}
	}
	return false
}

// conjuncts are the conditions that must all hold; none if the text has other operators.
func conjuncts(t []token) [][]token {
	for _, w := range outside(t) {
		if w.is(".or.") || w.is(".not.") || w.is(".eqv.") || w.is(".neqv.") {
			return nil
		}
	}
	return cut(t, ".and.")
}

func (p *program) isIndex(t []token, d map[string]bool) bool {
	return isVariable(t) && d[t[0].word] && (len(t) == 1 || t[1].is("%"))
}
