package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// Complex numbers: a real operand is converted first, as compilers do that heed the signs of zeros. Quotients are those of gfortran, which divides by
// the larger part. Functions other than ABS, and powers whose exponent is no small constant, stay on the host: their last bits depend on the library.

// Make is the complex number of two reals.
const Make Operation = "complex"

// Size is the number of bytes.
func (t Type) Size() int64 {
	if t.Base == scope.ComplexType {
		return 2 * int64(t.Kind)
	}
	return int64(t.Kind)
}

// parts is the type of the real and the imaginary part.
func (t Type) parts() Type { return Type{scope.Real, t.Kind} }

// complexes are functions of complex numbers, or that give one, by their generic names.
var complexes = map[string]string{"cmplx": "cmplx", "dcmplx": "cmplx", "conjg": "conjg", "dconjg": "conjg", "aimag": "aimag", "dimag": "aimag", "imag": "aimag",
	"imagpart": "aimag", "realpart": "real", "dreal": "real", "abs": "abs", "cabs": "abs", "cdabs": "abs", "zabs": "abs"}

// ofComplex is such a function; nil without a refusal: it is another one.
func (l *lowerer) ofComplex(sc *scope.Scope, name string, list []tree.Expression, t Type, at token.Pos) *Expression {
	name = complexes[name]
	if name == "" || len(list) == 0 {
		return nil
	}
	of, _ := sc.TypeOf(list[0])
	if of.Base != scope.ComplexType && name != "cmplx" || name == "" {
		return nil
	}
	if of.Base == scope.BOZ {
		return l.operator("BOZ", at)
	}
	values := l.values(sc, list)
	if values == nil {
		return nil
	}
	for _, x := range values {
		if x.Type.Base == scope.Logical {
			return l.operator(name, at)
		}
	}
	switch x := values[0]; name {
	case "real":
		return converted(x, t)
	case "cmplx":
		if len(values) == 1 {
			return converted(x, t)
		}
		return &Expression{Do: Make, Type: t, Operands: []*Expression{converted(x, t.parts()), converted(values[1], t.parts())}}
	default:
		y := &Expression{Do: Operation(name), Type: x.Type, Operands: []*Expression{x}}
		if name != "conjg" {
			y.Type = x.Type.parts()
		}
		return converted(y, t)
	}
}

// literalOf is (RE, IM).
func (l *lowerer) literalOf(sc *scope.Scope, e *tree.Complex) *Expression {
	of, _ := sc.TypeOf(e)
	t, ok := typeOf(of)
	re, im := l.expression(sc, e.Re), l.expression(sc, e.Im)
	if !ok || re == nil || im == nil {
		return l.operator("( , )", e.Span().From)
	}
	return &Expression{Do: Make, Type: t, Operands: []*Expression{converted(re, t.parts()), converted(im, t.parts())}}
}

// powerOfComplex refuses what is no product: x is complex, or the exponent is.
func (l *lowerer) powerOfComplex(x, y *Expression, at token.Pos) *Expression {
	if x.Type.Base == scope.ComplexType && y.Do == Constant && y.Type.Base == scope.Integer && y.Type.Kind <= 4 {
		switch n := y.Constant.Integer; {
		case n == 0:
			unit := one(x.Type)
			unit.Constant.Real = 1
			return unit
		case n > 0 && n <= mostFactors:
			return &Expression{Do: PowerOf, Type: x.Type, Operands: []*Expression{x, y}}
		}
	}
	l.refuse(at, "this power of complex numbers is not written for devices", "write a product, or a constant exponent from 0 to 15")
	return nil
}

// most factors of such a power
const mostFactors = 15
