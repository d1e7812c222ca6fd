// Package within finds the loops inside of a nest that run on devices in its place, where the nest itself has no version for them.
//
// The loops inside do so if no bit depends on it, if the rest of an iteration is a known small number of operations, and if their bounds
// are known before the nest runs, so that the launch can see whether they are long enough. Not in this package: which loops have a version for devices
// (the caller of package nest knows), the text that is written (host).
// Threads: any; nothing is kept.
package within

import (
	"slices"

	"libportable/internal/emit"
	"libportable/internal/emit/cost"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Least is the number of operations that a nest inside needs, or a launch on a device takes longer than the threads of the host.
const Least = 1 << 17

// mostRest is the most operations of the rest of an iteration, which one thread of the host runs between launches.
const mostRest = 1 << 10

// unknown stands for the operations of an iteration that are not known.
const unknown = 16

// Inside is a nest inside with what its number of operations follows from.
type Inside struct {
	Nest   *nest.Nest
	Kernel *emit.Kernel
	Work   int64 // operations of an iteration
}

// Nests gives the nests inside of the one whose innermost parallel loop is inner; none if the nest does not leave devices to them.
func Nests(p *scope.Program, n *nest.Nest, inner *tree.Do) (list []Inside) {
	sc := n.Scope
	if s := p.Inside(inner); s != nil {
		sc = s
	}
	if n.Rounds() {
		return nil
	}
	loops := map[tree.Node]bool{}
	for _, x := range n.Inside {
		k, reasons := emit.New(p, x)
		if len(reasons) > 0 || x.Rounds() || !slices.ContainsFunc(inner.Body, func(s tree.Node) bool { return contains(s, x.Outer) }) {
			return nil
		}
		for _, l := range k.Loops {
			if l.Do.Kind != tree.Counted || l.Do.Step != nil || !settled(n, x, l.Do.First) || !settled(n, x, l.Do.Last) {
				return nil
			}
		}
		work := cost.Of(p, x.Scope, k.Body)
		if work <= 0 {
			work = unknown
		}
		loops[x.Outer] = true
		list = append(list, Inside{x, k, work})
	}
	if len(list) == 0 || !small(p, sc, inner.Body, loops) {
		return nil
	}
	return list
}

func contains(s, loop tree.Node) (found bool) {
	emit.Statements([]tree.Node{s}, func(x tree.Node) { found = found || x == loop })
	return found
}

// small reports whether the statements without the loops have a known small number of operations.
func small(p *scope.Program, sc *scope.Scope, body []tree.Node, loops map[tree.Node]bool) bool {
	var rest []tree.Node
	ok := true
	for _, s := range body {
		inside := false
		for l := range loops {
			inside = inside || contains(s, l)
		}
		switch s.(type) {
		case *tree.If, *tree.Select:
			if inside {
				emit.Blocks(s, func(inner []tree.Node, _ int) { ok = ok && small(p, sc, inner, loops) })
				continue
			}
		default:
			if loops[s] {
				continue
			}
			ok = ok && !inside
		}
		rest = append(rest, s)
	}
	work := cost.Of(p, sc, rest)
	return ok && work >= 0 && work <= mostRest
}

// settled reports whether a bound has the same value before the nest as in each of its iterations, and is known there: it names integers that are
// sure to exist and that the nest does not change.
func settled(n, inside *nest.Nest, e tree.Expression) bool {
	switch e := e.(type) {
	case *tree.Literal:
		return true
	case *tree.Parenthesis:
		return settled(n, inside, e.X)
	case *tree.Unary:
		return (e.Operator == "-" || e.Operator == "+") && settled(n, inside, e.X)
	case *tree.Binary:
		return slices.Contains([]string{"+", "-", "*"}, e.Operator) && settled(n, inside, e.X) && settled(n, inside, e.Y)
	case *tree.Name:
		y := n.Scope.Lookup(e.Name)
		return y == inside.Scope.Lookup(e.Name) && y.Type.Base == scope.Integer && kept(n, y)
	case *tree.Component:
		base, ok := e.Base.(*tree.Name)
		if !ok {
			return false
		}
		y, part := n.Scope.Lookup(base.Name), n.Scope.Component(e)
		return y == inside.Scope.Lookup(base.Name) && part != nil && part.Kind == scope.Variable && part.Type.Base == scope.Integer &&
			len(part.Dims) == 0 && !part.Pointer && !part.Allocatable && kept(n, y)
	}
	return false
}

// kept reports whether y is a constant, or a scalar that exists and that the nest does not change by any name.
func kept(n *nest.Nest, y *scope.Symbol) bool {
	if y.Kind == scope.Constant {
		return true
	}
	if y.Kind != scope.Variable || len(y.Dims) > 0 || y.Pointer || y.Allocatable || y.Optional || y.Target || y.Volatile || len(y.Shares) > 0 {
		return false
	}
	return !slices.Contains(n.Private, y) && !slices.Contains(n.Last, y) &&
		!slices.ContainsFunc(n.Loops, func(l nest.Loop) bool { return l.Variable == y }) &&
		!slices.ContainsFunc(n.Reductions, func(r nest.Reduction) bool { return r.Symbol == y || slices.Contains(r.Place, y) }) &&
		!slices.ContainsFunc(n.Arguments, func(a nest.Argument) bool { return a.Symbol == y && a.Access != nest.Read })
}
