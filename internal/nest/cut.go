package nest

import (
	"fmt"
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/directive"
	"libportable/internal/nest/fission"
	"libportable/internal/nest/parts"
)

// This file finds the parts into which a refused loop can be cut: which statements depend on which, and which parts are parallel. It changes no text.

// notCut are the rules of refusals that no cut of the body removes, or behind which the effects of statements are not known.
var notCut = []Rule{"directive", "not-read", "leaves-loop", "jump", "effect", "not-converted", "call-effect", "not-seen", "overlap"}

// ofScalars are the rules of refusals because of a scalar that iterations share.
var ofScalars = []Rule{"carried-scalar", "conditional-scalar", "last-value"}

// advise tells in the remedy of a refused nest which statements of its outer loop are parallel as loops of their own. It says nothing if a
// cut could change a result, or if nothing is gained. It comes last, for it spends of the nest's budget.
func (f *finder) advise(cx *context, do *tree.Do, asked *Directive, nests []*Nest) {
	if staysWhole(do) || len(nests) != 1 || nests[0].Verdict != Refused || nests[0].Outer != do || len(nests[0].Refusals) == 0 || asked != nil && (asked.Independent || len(asked.Private) > 0) {
		return
	}
	n := nests[0]
	if slices.ContainsFunc(n.Refusals, func(r Refusal) bool { return slices.Contains(notCut, r.Rule) }) || !f.simpleBody(do) {
		return
	}
	whole := f.analyse(cx, do, 0, nil)
	g, wide := whole.statements()
	if g == nil {
		return
	}
	list := g.Parts(func(statements []int) bool { return f.parallelPart(cx, do, statements, wide) })
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
	n.Parts, n.Cut, n.Wide = texts, list, across(list, wide)
	with := ""
	if len(n.Wide) > 0 {
		names := make([]string, len(n.Wide))
		for k, y := range n.Wide {
			names[k] = y.Name
		}
		with = ", with elements of '" + strings.Join(names, "', '") + "' for all iterations,"
	}
	n.Refusals[0].Remedy = "split loop " + do.Variable + with + " into parts: " + strings.Join(texts, "; ") + "; or " + n.Refusals[0].Remedy
}

// staysWhole reports whether the user wants a loop in one part.
func staysWhole(do *tree.Do) bool {
	return slices.ContainsFunc(do.Before, func(d *tree.Directive) bool { return directive.Parse(d.Line).Role == directive.Whole })
}

// ofParts are the statements of a loop's body without the CONTINUE that ends it.
func ofParts(do *tree.Do) []tree.Node {
	if last := len(do.Body) - 1; last >= 0 {
		if j, is := do.Body[last].(*tree.Jump); is && j.Kind == "continue" {
			return do.Body[:last]
		}
	}
	return do.Body
}

// simpleBody reports whether the body of a counted loop has only statements that can be cut apart: no jump, input or output.
func (f *finder) simpleBody(do *tree.Do) bool {
	body := ofParts(do)
	simple := do.Kind == tree.Counted && len(body) > 1 && len(body) <= fission.Most && !slices.ContainsFunc(body, func(n tree.Node) bool {
		_, is := n.(*tree.Passive)
		return is
	})
	parts.Nodes(do.Body, func(n tree.Node) {
		switch n := n.(type) {
		case *tree.Assignment, *tree.If, *tree.Passive, *tree.Call: // effects tell which calls are taken
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
// them sets, keeps their order, or turns it round if the first one sets what only earlier iterations of the second one use. It ties them unless
// it is an array, and all conflicts have one direction; or a scalar that each iteration sets before it reads it, which may have an element for each
// iteration: then an iteration of the first one comes before the same one of the second one. wide are these scalars with the statements that name them.
func (c *candidate) statements() (g *fission.Graph, wide map[*scope.Symbol][]int) {
	body := ofParts(c.do)
	bounds := newEffects()
	for _, e := range []tree.Expression{c.do.First, c.do.Last, c.do.Step} {
		c.f.effects.reads(c.cx.scope(), e, bounds)
	}
	own := func(y *scope.Symbol) bool { // no other name means its memory
		return !(y.Pointer || y.Target || y.Volatile || y.ThreadPrivate || y.Coarray || y.Type.Base == scope.Derived || y.Type.Base == scope.Class || len(y.Shares) > 0 || y.Alias != nil)
	}
	if len(bounds.calls) > 0 || bounds.unknown || !own(c.variable) {
		return nil, nil
	}
	for d := range bounds.reads { // each part evaluates the bounds again
		if d.root.Volatile || d.root == c.variable {
			return nil, nil
		}
	}
	blocks := map[string]*scope.Symbol{} // COMMON blocks that a called procedure declares in another way
	n := len(body)
	reads, writes := make([]map[*scope.Symbol]bool, n), make([]map[*scope.Symbol]bool, n)
	for k, s := range body {
		e := c.f.effects.alone(c.scope, s)
		if e.unknown || e.pointers || !seenPure(e.calls) || c.callsIntrinsic(s) {
			return nil, nil
		}
		reads[k], writes[k] = map[*scope.Symbol]bool{}, map[*scope.Symbol]bool{}
		for from, to := range map[*map[datum]token.Pos]map[*scope.Symbol]bool{&e.reads: reads[k], &e.writes: writes[k]} {
			for d := range *from {
				first := blocks[d.root.Common]
				if !own(d.root) || first != nil && sameBlockOtherNames(first, d.root) {
					return nil, nil
				}
				if d.root.Common != "" {
					blocks[d.root.Common] = d.root
				}
				to[d.root] = true
			}
		}
		for d := range bounds.reads {
			if writes[k][d.root] {
				return nil, nil
			}
		}
		if writes[k][c.variable] {
			return nil, nil
		}
	}
	wide = c.widened(reads, writes, bounds)
	of := c.accessesOf()
	g = fission.New(n)
	for s := range n {
		if s+1 < n && parts.Behind(body[s]).Line >= body[s+1].Info().Where.From.Line {
			g.Order(s, s+1) // parts are named by lines
			g.Order(s+1, s)
		}
		for t := s + 1; t < n; t++ {
			shared := func(y *scope.Symbol) {
				forward, backward := true, wide[y] == nil && !bothCount(y, body[s], body[t])
				if backward {
					forward, backward = c.orders(y, of[s], of[t])
				}
				if forward {
					g.Order(s, t)
				}
				if backward {
					g.Order(t, s)
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
		return nil, nil
	}
	return g, wide
}

// callsIntrinsic reports whether a statement has a CALL of an intrinsic subroutine: some have a state, such as RANDOM_NUMBER.
func (c *candidate) callsIntrinsic(s tree.Node) (does bool) {
	parts.Nodes([]tree.Node{s}, func(n tree.Node) {
		if call, is := n.(*tree.Call); is {
			meaning, _ := c.scope.Meaning(&tree.Reference{Base: call.Procedure, Arguments: call.Arguments})
			does = does || meaning != scope.FunctionCall
		}
	})
	return does
}

// widened are the scalars that each iteration sets before it reads them, and that nothing reads behind the loop, with the statements that name them.
func (c *candidate) widened(reads, writes []map[*scope.Symbol]bool, bounds *effects) map[*scope.Symbol][]int {
	body := ofParts(c.do)
	wide := map[*scope.Symbol][]int{}
	for _, y := range c.private {
		_, bound := bounds.reads[datum{root: y}]
		local := y.Scope != nil && procedure(y.Scope) == procedure(c.scope) && !y.Dummy && !y.Result && y.Common == "" && !y.Saved && y.Init == nil && !y.Allocatable
		if len(y.Dims) > 0 || y.Type.Text() == "" || !local || bound || slices.Contains(c.last, y) || slices.ContainsFunc(c.unsure, func(u unsure) bool { return u.symbol == y }) {
			continue
		}
		var list []int
		named := true
		for k, s := range body {
			used := reads[k][y] || writes[k][y]
			mentions, other := c.namesIn(s, y)
			named = named && !other && used == (mentions > 0)
			if used {
				list = append(list, k)
			}
		}
		if named && len(list) > 1 {
			wide[y] = list
		}
	}
	return wide
}

// namesIn counts the places where a statement names y as a variable. other says that the name has another meaning there, or one that is not seen: as the
// variable of a loop, or in a procedure inside of the one of the loop.
func (c *candidate) namesIn(s tree.Node, y *scope.Symbol) (count int, other bool) {
	tree.Walk(s, func(n any) bool {
		switch n := n.(type) {
		case *tree.Do:
			other = other || n.Variable == y.Name
		case *tree.ImpliedDo:
			other = other || n.Variable == y.Name
		case *tree.Reference:
			meaning, _ := c.scope.Meaning(n)
			other = other || meaning == scope.StatementCall
		case *tree.Name:
			if n.Name == y.Name {
				count++
				other = other || c.scope.Lookup(n.Name) != y
			}
		}
		return true
	})
	for _, callee := range c.f.effects.alone(c.scope, s).calls {
		other = other || callee.Body.Parent != nil && procedure(callee.Body.Parent) == procedure(c.scope)
	}
	return count, other
}

// across are the scalars that statements of several parts name, by their names.
func across(list []fission.Part, wide map[*scope.Symbol][]int) (all []*scope.Symbol) {
	for y, statements := range wide {
		count := 0
		for _, p := range list {
			if slices.ContainsFunc(statements, func(s int) bool { return slices.Contains(p.Statements, s) }) {
				count++
			}
		}
		if count > 1 {
			all = append(all, y)
		}
	}
	slices.SortFunc(all, func(a, b *scope.Symbol) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// seenPure reports whether all calls are of PURE procedures whose statements are known: they print nothing, and all that they use is known.
func seenPure(calls []*scope.Symbol) bool {
	return len(calls) < mostCalls && !slices.ContainsFunc(calls, func(y *scope.Symbol) bool {
		return y.Body == nil || y.Body.Unit == nil || y.OnlyInterface || !pure(y.Body)
	})
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

// orders reports whether the loop of the second statement must not run before that of the first one (forward), and the other way round, because
// of y. One iteration may use an element in both statements unless all conflicts have a distance that is known: then their order is that of the body.
func (c *candidate) orders(y *scope.Symbol, first, second []access) (forward, backward bool) {
	in := func(list []access) (out []access) {
		for _, a := range list {
			if a.ref.steps[0].symbol == y {
				out = append(out, a)
			}
		}
		return out
	}
	first, second = in(first), in(second)
	rises := c.rises()
	if len(y.Dims) == 0 || len(first) == 0 || len(second) == 0 || rises == 0 {
		return true, true
	}
	for _, a := range first {
		for _, b := range second {
			if !a.write && !b.write {
				continue
			}
			x, is := c.pair(a, b)
			switch {
			case c.tooMany:
				return true, true
			case !is:
				forward = true
			case x.exact && x.distance*rises < 0:
				forward = true
			case x.exact:
				backward = true
			default:
				forward = true
				later := affine.Of(c.w.loop).Minus(affine.Of(c.w.table.TwinOf(c.w.loop))).Scaled(rises).Minus(affine.Integer(1))
				_, is := c.pair(a, b, later) // an iteration of the first statement behind one of the second
				backward = backward || is
			}
			if forward && backward {
				return true, true
			}
		}
	}
	return forward, backward
}

// rises is 1 if the values by which the analysis separates iterations rise in the order of the loop, -1 if they fall, 0 if that is not known.
func (c *candidate) rises() int64 {
	if c.do.Step == nil {
		return 1
	}
	x, is := c.scope.Constant(c.do.Step)
	switch {
	case !is || x.Type.Base != scope.Integer:
		return 0
	case x.Integer > 0:
		return 1
	case x.Integer == -1:
		return -1
	}
	return 0 // they are values of the variable, or numbers from 0 on
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
func (f *finder) parallelPart(cx *context, do *tree.Do, statements []int, wide map[*scope.Symbol][]int) bool {
	first := do.Body[statements[0]].Info()
	// Effects of blocks are kept by their first statement: each part needs one of its own.
	body := []tree.Node{&tree.Passive{Head: tree.Head{Where: first.Where, Line: first.Line}}}
	for _, s := range statements {
		body = append(body, do.Body[s])
	}
	part := *do
	part.Body = body
	c := f.chain(cx, &part, nil)[0]
	writes := c.writes()
	for d := range c.w.sets {
		writes = writes || wide[d.root] != nil
	}
	refused := slices.ContainsFunc(c.refusals, func(r Refusal) bool { // a scalar with elements is none for the loops in the new text
		for y := range wide {
			if slices.Contains(ofScalars, r.Rule) && strings.Contains(r.Text, "'"+y.Name+"'") {
				return false
			}
		}
		return true
	})
	return !refused && len(c.sums) == 0 && writes && c.works() && !tiny(&Nest{Scope: cx.scope(), Loops: []Loop{{Do: &part}}})
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
