package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// sum is the atomic update of an element that several iterations share; nil: the statement has another form.
func (l *lowerer) sum(sc *scope.Scope, n *tree.Assignment, s *nest.ArraySum) Statement {
	at := n.Where.From
	to := l.designator(sc, n.Left)
	if to == nil {
		return nil
	}
	do := Add
	var value tree.Expression
	negative := false
	switch r := n.Right.(type) {
	case *tree.Binary:
		switch {
		case sameDesignator(r.X, n.Left) && (r.Operator == "+" || r.Operator == "-"):
			value, negative = r.Y, r.Operator == "-"
		case sameDesignator(r.Y, n.Left) && r.Operator == "+":
			value = r.X
		}
	case *tree.Reference:
		if len(r.Arguments) == 2 && (s.Operator == "min" || s.Operator == "max") {
			do = Operation(s.Operator)
			switch {
			case sameDesignator(r.Arguments[0].Value, n.Left):
				value = r.Arguments[1].Value
			case sameDesignator(r.Arguments[1].Value, n.Left):
				value = r.Arguments[0].Value
			}
		}
	}
	if value == nil || to.Do != Element || to.Argument == nil || to.Type.Kind < 4 || to.Type.Base == scope.Logical || to.Type.Base == scope.ComplexType || do != Add && to.Type.Base != scope.Integer {
		l.refuse(at, "the sum into elements of '"+emit.Spelling(n.Left)+"' has no atomic operation on devices", "write a(k) = a(k) + x")
		return nil
	}
	x := converted(l.expression(sc, value), to.Type)
	if x == nil {
		return nil
	}
	if negative {
		x = &Expression{Do: Negate, Type: x.Type, Operands: []*Expression{x}}
	}
	return &Atomic{Line: at.Line, Do: do, To: to, Value: x}
}

// sumOf is the sum that a statement is a part of; nil: none.
func (l *lowerer) sumOf(n tree.Node) *nest.ArraySum {
	if l.scope != nil {
		return nil
	}
	for i := range l.k.Nest.Sums {
		for _, s := range l.k.Nest.Sums[i].Statements {
			if s == n {
				return &l.k.Nest.Sums[i]
			}
		}
	}
	return nil
}
