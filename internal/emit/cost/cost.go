// Package cost estimates how many operations a piece of Fortran has.
//
// In this package: operators, elements and intrinsic functions of statements, before the program runs. It has no time
// of a machine and decides nothing. An estimate is a number of operations, or -1 where it depends on the run.
// Threads: any; nothing is kept.
package cost

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// most is the number above which an estimate counts as not known
const most = 1 << 20

// Of is the number of operations of statements that run once; -1: it is not known before they run.
func Of(p *scope.Program, sc *scope.Scope, body []tree.Node) int64 {
	total := int64(1)
	for _, s := range body {
		total = added(total, work(p, sc, s))
	}
	return total
}

// work is the estimate of the operations of a statement: operators and elements, those of all branches together. -1: it is not known
// before the statement runs.
func work(p *scope.Program, sc *scope.Scope, s tree.Node) int64 {
	if inside := p.Inside(s); inside != nil {
		sc = inside
	}
	times := int64(1)
	switch s := s.(type) {
	case *tree.Assignment, *tree.If, *tree.Select, *tree.Jump:
	case *tree.Do:
		if times = trips(sc, s); times < 0 {
			return -1
		}
	default:
		return -1
	}
	total := int64(0)
	emit.Own(s, func(e tree.Expression) { total = added(total, operations(sc, e)) })
	inner := int64(0)
	emit.Blocks(s, func(body []tree.Node, _ int) {
		for _, x := range body {
			inner = added(inner, work(p, sc, x))
		}
	})
	if total < 0 || inner < 0 || inner > most {
		return -1
	}
	return total + times*inner + 1
}

// trips is the number of trips of an inner loop whose bounds are constants, else -1.
func trips(sc *scope.Scope, d *tree.Do) int64 {
	if d.Kind != tree.Counted || d.Step != nil || d.First == nil || d.Last == nil {
		return -1
	}
	first, ok := sc.Constant(d.First)
	last, known := sc.Constant(d.Last)
	if !ok || !known || first.Type.Base != scope.Integer || last.Type.Base != scope.Integer {
		return -1
	}
	if trips := last.Integer - first.Integer + 1; trips < most {
		return max(0, trips)
	}
	return -1
}

// added is the sum of two numbers of operations; -1 if one is not known.
func added(a, b int64) int64 {
	if a < 0 || b < 0 {
		return -1
	}
	return a + b
}

// Inquiries are intrinsic functions that look at no element of their argument.
var Inquiries = map[string]bool{"size": true, "lbound": true, "ubound": true, "present": true, "kind": true, "huge": true, "tiny": true,
	"epsilon": true, "allocated": true, "associated": true}

// cheap are intrinsic functions of one or two machine instructions.
var cheap = map[string]bool{"abs": true, "min": true, "max": true, "real": true, "dble": true, "int": true, "merge": true, "iand": true,
	"ior": true, "ieor": true, "not": true, "ishft": true, "btest": true, "sign": true, "cmplx": true, "aimag": true, "conjg": true}

// operations of an expression: operators, elements, calls of intrinsic functions by their usual time. -1: it has arrays as a whole, or
// calls that cannot be estimated.
func operations(sc *scope.Scope, e tree.Expression) int64 {
	if _, rank := sc.TypeOf(e); rank != 0 {
		return -1
	}
	own := int64(0)
	switch x := e.(type) {
	case *tree.Name, *tree.Literal:
		return 0
	case *tree.Unary:
		return added(1, operations(sc, x.X))
	case *tree.Binary:
		own = map[string]int64{"/": 4, "**": 8}[x.Operator]
		return added(max(own, 1), added(operations(sc, x.X), operations(sc, x.Y)))
	case *tree.Parenthesis:
		return operations(sc, x.X)
	case *tree.Complex:
		return added(operations(sc, x.Re), operations(sc, x.Im))
	case *tree.Component:
		if _, rank := sc.TypeOf(x.Base); rank != 0 {
			return -1
		}
		return operations(sc, x.Base)
	case *tree.Reference:
		switch m, y := sc.Meaning(x); m {
		case scope.Element:
			own = 1
			if c, ok := x.Base.(*tree.Component); ok {
				own = added(own, operations(sc, c.Base))
			}
		case scope.IntrinsicCall:
			if Inquiries[y.Name] {
				return 1
			}
			own = 16
			if cheap[y.Name] {
				own = 1
			}
		default:
			return -1
		}
		for i := range x.Arguments {
			own = added(own, operations(sc, x.Arguments[i].Value))
		}
		return own
	}
	return -1
}
