package nest

import (
	"fmt"
	"maps"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/directive"
)

// This file compares the clauses of a directive with what the analysis finds.

// concurrentDirective is the directive that the locality of a DO CONCURRENT amounts to.
func concurrentDirective(do *tree.Do) *Directive {
	d := &Directive{Line: do.Line, Kind: "do concurrent", Independent: true, Reductions: map[string]Operator{}}
	for _, l := range do.Locality {
		switch l.Kind {
		case "local":
			d.Private = append(d.Private, l.Names...)
		case "local_init":
			d.FirstPrivate = append(d.FirstPrivate, l.Names...)
		case "reduce":
			for _, name := range l.Names {
				d.Reductions[name] = directive.Operator(l.Operator)
			}
		}
	}
	return d
}

// check compares the clauses of the directive with the loop.
func (c *candidate) check() {
	d := c.asked
	if d == nil || c.w == nil {
		return
	}
	at := c.do.Where.From
	if d.Line != nil {
		at = d.Line.Span.From
	}
	refuse := func(text, remedy string, also ...token.Pos) {
		also = append(also, c.do.Where.From)
		c.refuse(Refusal{Rule: "directive", At: at, Also: also, Text: text, Remedy: remedy})
	}
	find := func(name string) *scope.Symbol { return c.scope.Lookup(name) }
	for _, name := range d.Private {
		y := find(name)
		used := c.uses(y) && y != c.variable // each iteration has a loop's variable for itself
		switch {
		case !used && d.Kind == "portable":
			refuse(fmt.Sprintf("private(%s) is written, but the loop does not use '%s'", name, name), "remove it")
		case slices.ContainsFunc(c.reductions, func(r Reduction) bool { return r.Symbol == y }):
			refuse(fmt.Sprintf("private(%s) is written, but '%s' is a reduction", name, name), "remove it, or write reduction")
		case used && len(y.Dims) == 0 && !c.setsScalar(y) && y.Kind == scope.Variable:
			refuse(fmt.Sprintf("private(%s) is written, but the loop reads '%s' and never sets it", name, name), "remove it", c.naming(y)...)
		}
	}
	for _, name := range d.FirstPrivate {
		y := find(name)
		if c.setsScalar(y) && len(c.exposedPlaces(datum{root: y})) > 0 {
			p := c.exposedPlaces(datum{root: y})[0]
			refuse(fmt.Sprintf("firstprivate(%s) is written, but an iteration may read at %s what an earlier one has set", name, c.placeLine(p)), "set it in each iteration", p.point())
		}
	}
	for _, name := range d.LastPrivate {
		y := find(name)
		if slices.Contains(c.private, y) && !slices.Contains(c.last, y) && c.end.isSet(datum{root: y}) {
			c.last = append(c.last, y)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Reductions)) {
		c.checkReduction(find(name), d.Reductions[name], refuse)
	}
}

// inside compares the clauses of directives at loops of a proved nest with those loops, which run in it one after another, or in parallel. asked is the
// directive of the nest, which is compared already.
func (f *finder) inside(cx *context, do *tree.Do, asked *Directive) (wrong []Refusal) {
	for _, b := range do.Before {
		d := directive.Parse(b.Line).Directive
		if d == nil || asked != nil && d.Line == asked.Line || d.Kind != "portable" && !f.options.Accept[d.Kind] {
			continue
		}
		if len(d.Private)+len(d.FirstPrivate)+len(d.LastPrivate)+len(d.Reductions) > 0 && do.Kind == tree.Counted {
			wrong = append(wrong, f.contradictions(cx, do, d)...)
		}
	}
	s := cx.scope()
	if x := f.program.Inside(do); x != nil {
		s = x
	}
	f.loopsIn(cx.inside(do, s, do.Body, 0), func(cx *context, do *tree.Do) {
		wrong = append(wrong, f.inside(cx, do, asked)...)
	})
	return wrong
}

// contradictions are the clauses of a directive at a loop that are not true.
func (f *finder) contradictions(cx *context, do *tree.Do, d *Directive) (wrong []Refusal) {
	c := f.analyse(cx, do, 0, d)
	if c.w == nil || c.w.lost || c.w.cut || f.effects.budget.over() {
		return nil
	}
	c.refusals = nil
	c.check()
	refuse := func(clause, name string, p place) {
		text := fmt.Sprintf("%s(%s) is written, but the loop reads '%s' at %s before it sets it", clause, name, name, c.placeLine(p))
		c.refuse(Refusal{Rule: "directive", At: d.Line.Span.From, Also: []token.Pos{p.point(), do.Where.From}, Text: text, Remedy: "set it in each iteration, or remove the clause"})
	}
	early := func(clause string, list []string) {
		for _, name := range list {
			y := c.scope.Lookup(name)
			if slices.ContainsFunc(c.reductions, func(r Reduction) bool { return r.Symbol == y }) {
				continue
			}
			if p, is := c.readsFirst(y); is {
				refuse(clause, name, p)
			}
		}
	}
	early("private", d.Private)
	early("lastprivate", d.LastPrivate)
	return c.refusals
}

// readsFirst is the place where an iteration reads y, if no statement before it sets y, and another one does.
func (c *candidate) readsFirst(y *scope.Symbol) (p place, is bool) {
	if len(y.Dims) == 0 {
		exposed := c.exposedPlaces(datum{root: y})
		if len(exposed) == 0 || exposed[0].after || len(c.w.sets[datum{root: y}]) == 0 {
			return p, false
		}
		return exposed[0], true
	}
	first := slices.IndexFunc(c.w.accesses, func(a access) bool { return a.ref.steps[0].symbol == y })
	if first < 0 || c.w.accesses[first].write || !c.w.accesses[first].always {
		return p, false
	}
	return c.w.accesses[first].where, c.setsPart(y)
}

// setsPart reports whether the loop sets an element of an array, or of an array in a structure.
func (c *candidate) setsPart(y *scope.Symbol) bool {
	return slices.ContainsFunc(c.w.accesses, func(a access) bool { return a.write && a.ref.steps[0].symbol == y })
}

func (c *candidate) checkReduction(y *scope.Symbol, op Operator, refuse func(text, remedy string, also ...token.Pos)) {
	for _, r := range c.reductions {
		if r.Symbol != y || r.Object != nil {
			continue
		}
		if r.Operator != op {
			p := r.Statements[0].Info().Where.From
			refuse(fmt.Sprintf("reduction(%s: %s) is written, but %s %s '%s'", op, y.Name, c.w.line(p), verbs[r.Operator], y.Name), fmt.Sprintf("write reduction(%s: %s)", r.Operator, y.Name), p)
		}
		return
	}
	if slices.ContainsFunc(c.sums, func(s sum) bool { return s.root == y && s.operator == op }) {
		return
	}
	if len(c.w.sets[datum{root: y}]) == 0 {
		if !c.uses(y) || len(y.Dims) > 0 && c.setsPart(y) {
			return
		}
		refuse(fmt.Sprintf("reduction(%s: %s) is written, but the loop never sets '%s'", op, y.Name, y.Name), "remove it", c.naming(y)...)
		return
	}
	for _, p := range c.w.sets[datum{root: y}] {
		n, is := p.node.(*tree.Assignment)
		if !is {
			continue
		}
		if found, is := stepOf(c.scopeAt(n), n, y); is && found != op {
			refuse(fmt.Sprintf("reduction(%s: %s) is written, but %s %s '%s'", op, y.Name, c.placeLine(p), verbs[found], y.Name), "write one operator in all its statements", p.point())
			return
		}
	}
	if slices.Contains(c.private, y) && c.asked.Kind == "portable" {
		refuse(fmt.Sprintf("reduction(%s: %s) is written, but each iteration sets '%s' before it reads it", op, y.Name, y.Name), "remove it")
	}
}

var verbs = map[Operator]string{"+": "adds to", "*": "multiplies", "min": "takes the minimum of", "max": "takes the maximum of", ".and.": "joins by .and.",
	".or.": "joins by .or.", ".eqv.": "joins by .eqv.", ".neqv.": "joins by .neqv.", "iand": "joins by iand", "ior": "joins by ior", "ieor": "joins by ieor"}

// setsScalar reports whether the loop sets a scalar, or a component of it.
func (c *candidate) setsScalar(y *scope.Symbol) bool {
	for d := range c.w.sets {
		if d.root == y {
			return true
		}
	}
	return c.setsPart(y)
}

// naming are the first places of the loop that name a variable.
func (c *candidate) naming(y *scope.Symbol) (list []token.Pos) {
	list = c.mentions().places[y.Name]
	return slices.Clone(list[:min(len(list), 3)])
}

// uses reports whether the loop names a variable.
func (c *candidate) uses(y *scope.Symbol) bool {
	m := c.mentions()
	return len(m.places[y.Name]) > 0 || m.indices[y.Name]
}
