package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// matmul is an element of a product of matrices in an assignment of arrays: a sum in front of it, from the first term to the last.
func (l *lowerer) matmul(sc *scope.Scope, e *tree.Reference, t Type, rank int) *Expression {
	at := e.Where.From
	args, ok := sc.Actuals("matmul", e.Arguments)
	a, b := args["matrix_a"], args["matrix_b"]
	if !ok || a == nil || b == nil || l.inner == nil || l.elements == nil || len(l.elements.numbers) != rank || t.Base == scope.Logical {
		return l.refused(at, "matmul")
	}
	extents := l.extentsOf(sc, a)
	if extents == nil {
		return l.refused(at, "matmul")
	}
	number, outer := l.number(), l.elements
	rows, columns := &elements{numbers: []*Expression{number}}, &elements{numbers: []*Expression{number}}
	if len(extents) == 2 {
		rows.numbers = []*Expression{outer.numbers[0], number}
	}
	if _, of := sc.TypeOf(b); of == 2 {
		columns.numbers = append(columns.numbers, outer.numbers[len(outer.numbers)-1])
	}
	into := l.inner
	var within []Statement
	l.inner, l.elements = &within, rows
	x := l.expression(sc, a)
	l.elements = columns
	y := (*Expression)(nil)
	if x != nil {
		y = l.expression(sc, b)
	}
	l.inner, l.elements = into, outer
	if x == nil || y == nil {
		return l.refused(at, "matmul")
	}
	sum := l.private1("sum", t)
	term := &Expression{Do: Multiply, Type: t, Operands: []*Expression{converted(x, t), converted(y, t)}}
	within = append(within, &Assign{Line: at.Line, To: sum, Value: &Expression{Do: Add, Type: t, Operands: []*Expression{sum, term}}})
	*into = append(*into, &Assign{Line: at.Line, To: sum, Value: zero(t)})
	*into = append(*into, l.loops(&elements{numbers: []*Expression{number}}, extents[len(extents)-1:], within)...)
	return sum
}
