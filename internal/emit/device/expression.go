package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// expression lowers a scalar value; nil after a refusal.
func (l *lowerer) expression(sc *scope.Scope, e tree.Expression) *Expression {
	at := e.Span().From
	if v, ok := sc.Constant(e); ok && v.Shape == nil {
		if t, ok := typeOf(v.Type); ok {
			return &Expression{Do: Constant, Type: t, Constant: v}
		}
	}
	switch e := e.(type) {
	case *tree.Parenthesis:
		return l.expression(sc, e.X)
	case *tree.Name, *tree.Component:
		return l.designator(sc, e)
	case *tree.Reference:
		return l.reference(sc, e)
	case *tree.Unary:
		return l.unary(sc, e)
	case *tree.Binary:
		if takesText(sc, e.X, e.Y) {
			return l.text(sc, e)
		}
		return l.binary(sc, e)
	case *tree.Constructor:
		return l.constructor(sc, e)
	case *tree.Complex:
		return l.literalOf(sc, e)
	}
	if t, _ := sc.TypeOf(e); t.Base == scope.Character || t.Base == scope.ComplexType {
		l.refuse(at, "this value is "+typeName(t), "compute numbers or logicals of it before the loop, or leave the loop to the host by on(cpu)")
		return nil
	}
	l.refuse(at, "an expression of this form is not written for devices", "compute it before the loop")
	return nil
}

func (l *lowerer) reference(sc *scope.Scope, e *tree.Reference) *Expression {
	meaning, y := sc.Meaning(e)
	switch meaning {
	case scope.Element:
		return l.designator(sc, e)
	case scope.IntrinsicCall:
		for _, a := range e.Arguments {
			if takesText(sc, a.Value) && l.prefixes[e] == nil { // not ALLOCATED, which is an argument
				return l.text(sc, e)
			}
		}
		return l.intrinsic(sc, e, y)
	case scope.FunctionCall:
		if _, rank := sc.TypeOf(e); rank != 0 {
			l.refuse(e.Where.From, "the call of '"+emit.Spelling(e)+"' gives an array", "write a loop over the elements")
			return nil
		}
		return l.call(sc, e.Base, y, e.Arguments, e.Where.From)
	case scope.StatementCall:
		l.refuse(e.Where.From, "the statement function '"+emit.Spelling(e)+"' is not written for devices", "write an internal function")
	case scope.Section:
		if l.elements != nil {
			return l.designator(sc, e)
		}
		l.refuse(e.Where.From, "'"+emit.Spelling(e)+"' is a section", "write a loop over its elements")
	default:
		l.refuse(e.Where.From, "'"+emit.Spelling(e)+"' has no form for devices", "copy it into an array or a scalar of numbers or logicals before the loop")
	}
	return nil
}

func (l *lowerer) unary(sc *scope.Scope, e *tree.Unary) *Expression {
	if sc.Operator(e.Operator, []tree.Expression{e.X}) != nil {
		return l.operator(e.Operator, e.Where.From)
	}
	x := l.expression(sc, e.X)
	if x == nil {
		return nil
	}
	switch e.Operator {
	case "+":
		return x
	case "-":
		if x.Type.Base != scope.Logical {
			return &Expression{Do: Negate, Type: x.Type, Operands: []*Expression{x}}
		}
	case ".not.":
		if x.Type.Base == scope.Logical {
			return &Expression{Do: Not, Type: x.Type, Operands: []*Expression{x}}
		}
	}
	return l.operator(e.Operator, e.Where.From)
}

func (l *lowerer) operator(operator string, at token.Pos) *Expression {
	l.refuse(at, "the operator "+operator+" of these types is not written for devices", "call the procedure of the operator, or compute the value before the loop")
	return nil
}

// operations of two numbers of one type, comparisons, and those of logicals
var (
	arithmetic = map[string]Operation{"+": Add, "-": Subtract, "*": Multiply, "/": Divide}
	compared   = map[string]Operation{"==": Equal, "/=": Unequal, "<": Less, "<=": AtMost, ">": Greater, ">=": AtLeast}
	logical    = map[string]Operation{".and.": And, ".or.": Or, ".eqv.": Equal, ".neqv.": Unequal}
)

func (l *lowerer) binary(sc *scope.Scope, e *tree.Binary) *Expression {
	if sc.Operator(e.Operator, []tree.Expression{e.X, e.Y}) != nil {
		return l.operator(e.Operator, e.Where.From)
	}
	x, y := l.expression(sc, e.X), l.expression(sc, e.Y)
	if x == nil || y == nil {
		return nil
	}
	if x.Type.Base == scope.Logical && y.Type.Base == scope.Logical {
		if do, ok := logical[e.Operator]; ok {
			return &Expression{Do: do, Type: wider(x.Type, y.Type), Operands: []*Expression{x, y}}
		}
		return l.operator(e.Operator, e.Where.From)
	}
	if x.Type.Base == scope.Logical || y.Type.Base == scope.Logical {
		return l.operator(e.Operator, e.Where.From)
	}
	t := wider(x.Type, y.Type)
	if do, ok := compared[e.Operator]; ok {
		return &Expression{Do: do, Type: boolean, Operands: []*Expression{converted(x, t), converted(y, t)}}
	}
	if do, ok := arithmetic[e.Operator]; ok {
		return &Expression{Do: do, Type: t, Operands: []*Expression{converted(x, t), converted(y, t)}}
	}
	if e.Operator != "**" {
		return l.operator(e.Operator, e.Where.From)
	}
	if t.Base == scope.ComplexType {
		return l.powerOfComplex(x, y, e.Where.From)
	}
	if x.Type.Base == scope.Real && y.Type.Base == scope.Integer {
		return &Expression{Do: PowerOf, Type: x.Type, Operands: []*Expression{x, y}}
	}
	return &Expression{Do: Power, Type: t, Operands: []*Expression{converted(x, t), converted(y, t)}}
}

// wider is the type of an operation of two types.
func wider(a, b Type) Type {
	switch {
	case a.Base == b.Base:
		return Type{a.Base, max(a.Kind, b.Kind)}
	case a.Base == scope.ComplexType && b.Base == scope.Real, b.Base == scope.ComplexType && a.Base == scope.Real:
		return Type{scope.ComplexType, max(a.Kind, b.Kind)}
	case a.Base == scope.ComplexType:
		return a
	case a.Base == scope.Real && b.Base != scope.ComplexType:
		return a
	}
	return b
}
