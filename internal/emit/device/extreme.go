package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Odd is the operation of the result that says that the host has to reduce again: a NaN or -0.0 went into a minimum or maximum, and which of several such
// values stays depends on the order in which the host takes them.
const Odd = "any"

// Never is the operation of that result in a launch without such a minimum or maximum: the library tells the two apart, because what a launch with Odd
// writes may be discarded.
const Never = "all"

// takesOdd reports whether a reduction by MIN or MAX of reals needs that result. An IF keeps the first of equal values and never a NaN, on devices too.
func takesOdd(r *nest.Reduction) bool {
	if r.Object != nil {
		return false
	}
	_, byIf := r.Statements[0].(*tree.If)
	return (r.Operator == "min" || r.Operator == "max") && r.Symbol.Type.Base == scope.Real && !byIf
}

// extreme is s = max(s, x) of reals, with a look at each x; nil: the statement is another one.
func (l *lowerer) extreme(sc *scope.Scope, n *tree.Assignment) []Statement {
	to := sc.Symbol(n.Left)
	v := l.variables[to]
	if v == nil || v.Result == 0 || v.Type.Base != scope.Real || l.odd == nil || l.added[to] != nil || !takesOdd(l.out.Results[v.Result-1].Of) {
		return nil
	}
	at := n.Where.From
	e := n.Right
	for {
		p, ok := e.(*tree.Parenthesis)
		if !ok {
			break
		}
		e = p.X
	}
	call, ok := e.(*tree.Reference)
	if !ok {
		l.refuse(at, "the reduction of '"+to.Name+"' would have other bits on devices", "write s = max(s, x)")
		return nil
	}
	var list []Statement
	x := &Expression{Do: Operation(l.out.Results[v.Result-1].Of.Operator), Type: v.Type}
	self := &Expression{Do: Private, Type: v.Type, Variable: v}
	odd := &Expression{Do: Private, Type: boolean, Variable: l.odd}
	for i := range call.Arguments {
		a := &call.Arguments[i]
		if a.Keyword != "" || a.Value == nil {
			l.refuse(at, "the keywords of a reduction are not understood", "write the arguments without keywords")
			return nil
		}
		if sameDesignator(a.Value, n.Left) {
			x.Operands = append(x.Operands, self)
			continue
		}
		value := l.expression(sc, a.Value)
		if value == nil {
			return nil
		}
		t := value.Type
		if t.Base != scope.Real {
			l.refuse(at, "the reduction of '"+to.Name+"' would have other bits on devices", "give MAX values of one type")
			return nil
		}
		one := &Expression{Do: Private, Type: t, Variable: l.temporary("value", t)}
		null := &Expression{Do: Constant, Type: t, Constant: scope.Value{Type: scope.Type{Base: t.Base, Kind: t.Kind}}}
		unit := &Expression{Do: Constant, Type: t, Constant: scope.Value{Type: scope.Type{Base: t.Base, Kind: t.Kind}, Real: 1}}
		sign := &Expression{Do: "sign", Type: t, Operands: []*Expression{unit, one}}
		test := func(do Operation, a, b *Expression) *Expression {
			return &Expression{Do: do, Type: boolean, Operands: []*Expression{a, b}}
		}
		is := joined(Or, joined(Or, odd, test(Unequal, one, one)), joined(And, test(Equal, one, null), test(Less, sign, null)))
		list = append(list, &Assign{Line: at.Line, To: one, Value: value}, &Assign{Line: at.Line, To: odd, Value: is})
		x.Operands = append(x.Operands, converted(one, v.Type))
	}
	return append(list, &Assign{Line: at.Line, To: self, Value: x})
}
