package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// whole is SUM, PRODUCT or DOT_PRODUCT of all elements, as loops in front of the statement that has the call: from the first element to the last, as
// compilers add without options that change values.
func (l *lowerer) whole(sc *scope.Scope, list []tree.Expression, at token.Pos, name string, t Type) *Expression {
	count := 1
	if name == "dot_product" {
		count = 2
	}
	if l.before == nil || len(list) != count || t.Base == scope.Logical {
		return l.refused(at, name)
	}
	shape := arrayIn(sc, list[0])
	if shape == nil {
		return l.refused(at, name)
	}
	extents := l.extents(sc, shape)
	if extents == nil {
		return l.refused(at, name)
	}
	own := &elements{}
	for range extents {
		own.numbers = append(own.numbers, l.number())
	}
	outer, before := l.elements, l.before
	l.elements, l.before = own, nil
	var values []*Expression
	for _, e := range list {
		values = append(values, l.expression(sc, e))
	}
	l.elements, l.before = outer, before
	for _, v := range values {
		if v == nil {
			return nil
		}
		if v.Type.Base == scope.Logical {
			return l.refused(at, name)
		}
	}
	sum := &Expression{Do: Private, Type: t, Variable: l.temporary("sum", t)}
	value, do, first := converted(values[0], t), Add, zero(t)
	if count == 2 {
		value = &Expression{Do: Multiply, Type: t, Operands: []*Expression{value, converted(values[1], t)}}
	}
	if name == "product" {
		do, first = Multiply, one(t)
		first.Constant.Real = 1
	}
	step := &Assign{Line: at.Line, To: sum, Value: &Expression{Do: do, Type: t, Operands: []*Expression{sum, value}}}
	*l.before = append(*l.before, &Assign{Line: at.Line, To: sum, Value: first})
	*l.before = append(*l.before, l.loops(own, extents, []Statement{step})...)
	return sum
}

func (l *lowerer) refused(at token.Pos, name string) *Expression {
	l.refuse(at, "this use of the function "+name+" is not written for devices", "compute it in a statement of its own, of arrays without DIM and MASK")
	return nil
}

// loops are loops over all elements, the first dimension fastest.
func (l *lowerer) loops(e *elements, extents []*Expression, body []Statement) []Statement {
	for d, x := range e.numbers {
		v := x.Variable
		last := folded(Subtract, extents[d], one(wide))
		l.count++
		body = []Statement{&Counted{Target: Target{&Frame{Number: l.count, IsLoop: true}}, Variable: v, First: zero(wide), Last: last, Step: one(wide), Body: body, Inside: true}}
	}
	return body
}

// arrayIn is a variable in an expression that has its shape; nil: there is none.
func arrayIn(sc *scope.Scope, e tree.Expression) tree.Expression {
	_, rank := sc.TypeOf(e)
	if rank == 0 {
		return nil
	}
	switch e := e.(type) {
	case *tree.Name, *tree.Component:
		return e
	case *tree.Parenthesis:
		return arrayIn(sc, e.X)
	case *tree.Unary:
		return arrayIn(sc, e.X)
	case *tree.Binary:
		if x := arrayIn(sc, e.X); x != nil {
			return x
		}
		return arrayIn(sc, e.Y)
	case *tree.Reference:
		switch meaning, _ := sc.Meaning(e); meaning {
		case scope.Section, scope.Element:
			return e
		case scope.IntrinsicCall:
			for i := range e.Arguments {
				if a := e.Arguments[i].Value; a != nil {
					if x := arrayIn(sc, a); x != nil {
						return x
					}
				}
			}
		}
	}
	return nil
}
