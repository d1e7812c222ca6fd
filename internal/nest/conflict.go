package nest

import (
	"fmt"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/parts"
)

// This file writes refusals of arrays: which conflict explains most, and its text.

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

// another is a remedy, and to run another loop of the nest, if there is one.
func (c *candidate) another(remedy string) string {
	more := slices.ContainsFunc(c.cx.path(), func(n tree.Node) bool { _, is := n.(*tree.Do); return is }) || c.do.Kind == tree.Concurrent && len(c.do.Indices) > 1
	parts.Nodes(c.do.Body, func(n tree.Node) {
		_, is := n.(*tree.Do)
		more = more || is
	})
	if more {
		return "run another loop of the nest in parallel, or " + remedy
	}
	return remedy
}

// refusalOf writes the refusal of a conflict.
func (c *candidate) refusalOf(y *scope.Symbol, x conflict) Refusal {
	a, b := x.a, x.b
	if comparePlaces(b.where.point(), a.where.point()) < 0 {
		a, b = b, a
	}
	i := c.variable.Name
	r := Refusal{At: a.where.point(), Also: []token.Pos{b.where.point()}, Remedy: c.another("add 'independent' if no two iterations use one element")}
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
		r.Remedy = c.another("write the result to another array")
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
