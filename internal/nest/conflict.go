package nest

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/fission"
	"libportable/internal/nest/parts"
)

// This file writes refusals of arrays: which conflict explains most, and its text; and the advice to split a loop.

// weight says how much a conflict explains.
func weight(x conflict) int {
	switch {
	case x.exact:
		return 6
	case x.whole:
		return 5
	case x.index != nil:
		return 4
	case x.same && x.a.write && x.b.write && !x.opaque:
		return 3
	case x.opaque:
		return 2
	case x.strides, x.onesided:
		return 2
	case x.same:
		return 1
	}
	return 0
}

// refusalOf writes the refusal of a conflict.
func (c *candidate) refusalOf(y *scope.Symbol, x conflict) Refusal {
	a, b := x.a, x.b
	if comparePlaces(b.where.point(), a.where.point()) < 0 {
		a, b = b, a
	}
	i := c.variable.Name
	r := Refusal{At: a.where.point(), Also: []token.Pos{b.where.point()}, Remedy: "run another loop of the nest in parallel, or add 'independent' if no two iterations use one element"}
	name := a.ref.datum().name()
	both := fmt.Sprintf("%s at %s, %s at %s", parts.Show(a.ref.node), c.placeLine(a.where), parts.Show(b.ref.node), c.placeLine(b.where))
	write := a
	if !a.write {
		write = b
	}
	if write.where.foreign {
		r.Rule, r.Also = "call-effect", []token.Pos{write.where.at}
		r.At = write.where.point()
		r.Text = fmt.Sprintf("%s, called at %s, changes elements of the %s '%s' that another iteration uses (%s)", c.calledName(write.where), c.w.line(write.where.call), kindOfData(y), name, c.w.effects.fileLine(write.where.at))
		r.Remedy = "pass the array, or an element, as an argument"
		return r
	}
	switch {
	case x.whole:
		r.Rule = "whole-array"
		r.At, r.Also = write.where.point(), nil
		r.Text = fmt.Sprintf("'%s' is assigned as a whole at %s", name, c.placeLine(write.where))
		r.Remedy = "assign only the elements of the iteration, or add private(" + y.Name + ") if each iteration sets what it reads"
	case x.exact:
		d := x.distance
		if d < 0 {
			d = -d
		}
		r.Rule = "recurrence"
		r.Text = fmt.Sprintf("'%s' has distance %d in loop %s: %s", name, d, i, both)
		r.Remedy = "run another loop of the nest in parallel, or write the result to another array"
	case write.ref.rough && x.index == nil && !x.exact:
		r.Rule = "unknown-distance"
		r.Text = fmt.Sprintf("the elements of '%s' that %s at %s means are not known", name, parts.Show(write.ref.node), c.placeLine(write.where))
		r.Remedy = "give the procedure a section or a whole array, or add 'independent' if no two iterations use one element"
	case x.opaque && x.index == nil:
		r.Rule = "strides"
		r.At, r.Also = write.where.point(), nil
		r.Text = fmt.Sprintf("'%s' is indexed with a value that is no multiple of %s: %s at %s", name, i, parts.Show(write.ref.node), c.placeLine(write.where))
		if parts.Show(a.ref.node) != parts.Show(b.ref.node) {
			r.At, r.Also = a.where.point(), []token.Pos{b.where.point()}
			r.Text = fmt.Sprintf("'%s' is indexed with a value that is no multiple of %s: %s", name, i, both)
		}
	case x.same && x.index == nil:
		r.Rule = "same-element"
		r.At, r.Also = write.where.point(), nil
		r.Text = fmt.Sprintf("'%s' is written at %s with no index of loop %s: all its iterations write the same elements", name, c.placeLine(write.where), i)
		r.Remedy = "use " + i + " as an index, or add private(" + y.Name + ") if each iteration sets what it reads"
	case x.index != nil:
		r.Rule = "index-array"
		r.At, r.Also = write.where.point(), nil
		r.Text = fmt.Sprintf("'%s' is indexed through '%s' at %s: two iterations may have one element", name, x.index.Name, c.placeLine(write.where))
		r.Remedy = "add 'independent' if no two iterations have one element"
	case x.onesided:
		r.Rule = "recurrence"
		r.Text = fmt.Sprintf("'%s' has one element for all iterations of loop %s, which another one sets: %s", name, i, both)
		if !constantIndex(x) {
			r.Rule = "unknown-distance"
			r.Text = fmt.Sprintf("the distance of '%s' in loop %s is not known: %s", name, i, both)
		}
	case x.strides:
		r.Rule = "strides"
		r.Text = fmt.Sprintf("'%s' is indexed in two ways in loop %s: %s", name, i, both)
	default:
		r.Rule = "unknown-distance"
		r.Text = fmt.Sprintf("the distance of '%s' in loop %s is not known: %s", name, i, both)
	}
	return r
}

// notCut are the rules of refusals that no cut of the body removes, or behind which the effects of statements are not known.
var notCut = []Rule{"directive", "not-read", "leaves-loop", "jump", "effect", "not-converted", "call-effect", "not-seen", "overlap"}

// advise tells in the remedy of a refused nest which statements of its outer loop are parallel as loops of their own. It says nothing if a
// cut could change a result, or if nothing is gained. It comes last, for it spends of the nest's budget.
func (f *finder) advise(cx *context, do *tree.Do, asked *Directive, nests []*Nest) {
	if len(nests) != 1 || nests[0].Verdict != Refused || nests[0].Outer != do || len(nests[0].Refusals) == 0 || asked != nil && (asked.Independent || len(asked.Private) > 0) {
		return
	}
	n := nests[0]
	if slices.ContainsFunc(n.Refusals, func(r Refusal) bool { return slices.Contains(notCut, r.Rule) }) || !f.simpleBody(do) {
		return
	}
	whole := f.analyse(cx, do, 0, nil)
	g := whole.statements()
	if g == nil {
		return
	}
	list := g.Parts(func(statements []int) bool { return f.parallelPart(cx, do, statements) })
	if len(list) < 2 || f.effects.budget.over() || !slices.ContainsFunc(list, func(p fission.Part) bool { return p.Parallel }) {
		return
	}
	texts := make([]string, 0, len(list))
	for _, p := range list {
		kind := "serial"
		if p.Parallel {
			kind = "parallel " + do.Variable
		}
		texts = append(texts, linesOf(do, p.Statements)+" "+kind)
	}
	n.Parts = texts
	n.Refusals[0].Remedy = "split loop " + do.Variable + " into parts: " + strings.Join(texts, "; ") + "; or " + n.Refusals[0].Remedy
}

// simpleBody reports whether the body of a counted loop has only statements that can be cut apart: no jump, call, input or output.
func (f *finder) simpleBody(do *tree.Do) bool {
	simple := do.Kind == tree.Counted && len(do.Body) > 1 && len(do.Body) <= fission.Most
	parts.Nodes(do.Body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment, *tree.If, *tree.Passive:
		case *tree.Select:
			simple = simple && n.Kind == "case"
		case *tree.Do:
			simple = simple && n.Kind == tree.Counted
		case *tree.Jump:
			simple = simple && n.Kind == "continue"
		default:
			simple = false
		}
		simple = simple && n.Info().Where.From.File == do.Where.From.File
	})
	return simple && !slices.Contains(do.Body, nil)
}

// statements is the graph of the statements of the loop's body; nil: they stay together. Each datum that two statements share, and one of
// them sets, keeps their order. It ties them unless it is an array, and no later iteration of the first shares an element with an earlier
// one of the second.
func (c *candidate) statements() *fission.Graph {
	body := c.do.Body
	bounds := newEffects()
	for _, e := range []tree.Expression{c.do.First, c.do.Last, c.do.Step} {
		c.f.effects.reads(c.cx.scope(), e, bounds)
	}
	n := len(body)
	reads, writes := make([]map[*scope.Symbol]bool, n), make([]map[*scope.Symbol]bool, n)
	for k, s := range body {
		e := c.f.effects.alone(c.scope, s)
		if e.unknown || e.pointers || len(e.calls) > 0 || len(bounds.calls) > 0 || bounds.unknown {
			return nil
		}
		reads[k], writes[k] = map[*scope.Symbol]bool{}, map[*scope.Symbol]bool{}
		for from, to := range map[*map[datum]token.Pos]map[*scope.Symbol]bool{&e.reads: reads[k], &e.writes: writes[k]} {
			for d := range *from {
				y := d.root
				if y.Pointer || y.Target || y.Volatile || y.ThreadPrivate || y.Type.Base == scope.Derived || len(y.Shares) > 0 || y.Alias != nil {
					return nil
				}
				to[y] = true
			}
		}
		for d := range bounds.reads { // each part evaluates the bounds again
			if writes[k][d.root] {
				return nil
			}
		}
		if writes[k][c.variable] {
			return nil
		}
	}
	of := c.accessesOf()
	g := fission.New(n)
	for s := range n {
		if s+1 < n && parts.Behind(body[s]).Line >= body[s+1].Info().Where.From.Line {
			g.Tie(s, s+1) // parts are named by lines
		}
		for t := s + 1; t < n; t++ {
			shared := func(y *scope.Symbol) {
				g.Order(s, t)
				if !c.forward(y, of[s], of[t]) && !bothCount(y, body[s], body[t]) {
					g.Tie(s, t)
				}
			}
			for y := range writes[s] {
				if reads[t][y] || writes[t][y] {
					shared(y)
				}
			}
			for y := range writes[t] {
				if reads[s][y] && !writes[s][y] {
					shared(y)
				}
			}
		}
	}
	if c.tooMany {
		return nil
	}
	return g
}

// accessesOf are the references of each statement of the body.
func (c *candidate) accessesOf() [][]access {
	of := make([][]access, len(c.do.Body))
	for _, a := range c.w.accesses {
		for k := len(of) - 1; k >= 0; k-- {
			if comparePlaces(c.do.Body[k].Info().Where.From, a.where.point()) <= 0 {
				of[k] = append(of[k], a)
				break
			}
		}
	}
	return of
}

// forward reports whether no iteration of the second statement uses an element of y that a later iteration of the first one uses, one of
// both writing. That is so if all conflicts have one distance, of which the sign is known.
func (c *candidate) forward(y *scope.Symbol, first, second []access) bool {
	in := func(list []access) (out []access) {
		for _, a := range list {
			if a.ref.steps[0].symbol == y {
				out = append(out, a)
			}
		}
		return out
	}
	first, second = in(first), in(second)
	if len(y.Dims) == 0 || len(first) == 0 || len(second) == 0 {
		return false
	}
	counts := c.do.Step == nil
	for _, a := range first {
		for _, b := range second {
			if !a.write && !b.write {
				continue
			}
			if x, is := c.pair(a, b); is && !(counts && x.exact && x.distance < 0) || c.tooMany {
				return false
			}
		}
	}
	return true
}

// bothCount reports whether y is only the variable of two loops of the body: each of them sets it first.
func bothCount(y *scope.Symbol, a, b tree.Node) bool {
	for _, n := range []tree.Node{a, b} {
		do, is := n.(*tree.Do)
		if !is || do.Kind != tree.Counted || do.Variable != y.Name {
			return false
		}
		used := false
		for _, e := range []tree.Expression{do.First, do.Last, do.Step} {
			parts.Every(e, func(x tree.Expression) {
				name, is := x.(*tree.Name)
				used = used || is && name.Name == y.Name
			})
		}
		if used {
			return false
		}
	}
	return true
}

// parallelPart reports whether some statements of a loop's body are a parallel loop that is worth a launch.
func (f *finder) parallelPart(cx *context, do *tree.Do, statements []int) bool {
	first := do.Body[statements[0]].Info()
	// Effects of blocks are kept by their first statement: each part needs one of its own.
	body := []tree.Node{&tree.Passive{Head: tree.Head{Where: first.Where, Line: first.Line}}}
	for _, s := range statements {
		body = append(body, do.Body[s])
	}
	part := *do
	part.Body = body
	c := f.chain(cx, &part, nil)[0]
	return len(c.refusals) == 0 && len(c.sums) == 0 && c.writes() && c.works() && !tiny(&Nest{Scope: cx.scope(), Loops: []Loop{{Do: &part}}})
}

// linesOf names the lines of statements of a body.
func linesOf(do *tree.Do, statements []int) string {
	var ranges [][2]int32
	for i, s := range statements {
		from, to := do.Body[s].Info().Where.From.Line, parts.Behind(do.Body[s]).Line
		if i > 0 && statements[i-1] == s-1 {
			ranges[len(ranges)-1][1] = to
		} else {
			ranges = append(ranges, [2]int32{from, to})
		}
	}
	texts := make([]string, 0, len(ranges))
	for _, r := range ranges {
		if r[0] == r[1] {
			texts = append(texts, fmt.Sprintf("line %d", r[0]))
		} else {
			texts = append(texts, fmt.Sprintf("lines %d-%d", r[0], r[1]))
		}
	}
	return strings.Join(texts, ", ")
}
