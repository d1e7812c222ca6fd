package device

import (
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// How an intrinsic function takes its operands.
type shape uint8

const (
	ofReals    shape = iota // one or two reals of the result's type
	ofNumbers               // numbers of the result's type, any count
	ofIntegers              // integers of the result's type
	ofShift                 // an integer of the result's type, then default integers
	ofReal                  // a real, to an integer or a real of another kind
	ofAny                   // one value, as it is
)

// intrinsics are those that have a form for devices; others are refused.
var intrinsics = map[string]shape{
	"sqrt": ofReals, "exp": ofReals, "log": ofReals, "log10": ofReals, "sin": ofReals, "cos": ofReals, "tan": ofReals, "asin": ofReals,
	"acos": ofReals, "atan": ofReals, "atan2": ofReals, "sinh": ofReals, "cosh": ofReals, "tanh": ofReals, "asinh": ofReals, "acosh": ofReals,
	"atanh": ofReals, "erf": ofReals, "erfc": ofReals, "gamma": ofReals, "log_gamma": ofReals, "hypot": ofReals,
	"abs": ofNumbers, "sign": ofNumbers, "dim": ofNumbers, "mod": ofNumbers, "modulo": ofNumbers, "min": ofNumbers, "max": ofNumbers,
	"iand": ofIntegers, "ior": ofIntegers, "ieor": ofIntegers, "not": ofIntegers,
	"ishft": ofShift, "ishftc": ofShift, "shiftl": ofShift, "shiftr": ofShift, "shifta": ofShift, "lshift": ofShift, "rshift": ofShift,
	"ibset": ofShift, "ibclr": ofShift, "ibits": ofShift,
	"nint": ofReal, "floor": ofReal, "ceiling": ofReal, "aint": ofReal, "anint": ofReal,
	"popcnt": ofAny, "leadz": ofAny, "trailz": ofAny, "poppar": ofAny,
}

// specific names of old programs, with the generic that they are
var specific = map[string]string{
	"iabs": "abs", "dabs": "abs", "isign": "sign", "dsign": "sign", "idim": "dim", "ddim": "dim", "amod": "mod", "dmod": "mod",
	"max0": "max", "amax1": "max", "dmax1": "max", "min0": "min", "amin1": "min", "dmin1": "min",
	"dsqrt": "sqrt", "dexp": "exp", "alog": "log", "dlog": "log", "alog10": "log10", "dlog10": "log10", "dsin": "sin", "dcos": "cos", "dtan": "tan",
	"dasin": "asin", "dacos": "acos", "datan": "atan", "datan2": "atan2", "dsinh": "sinh", "dcosh": "cosh", "dtanh": "tanh",
	"idnint": "nint", "dnint": "anint", "dint": "aint", "derf": "erf", "derfc": "erfc",
}

// conversions are functions that change the type alone.
var conversions = map[string]bool{"real": true, "dble": true, "int": true, "float": true, "sngl": true, "dfloat": true, "ifix": true, "idint": true, "logical": true}

func (l *lowerer) intrinsic(sc *scope.Scope, e *tree.Reference, y *scope.Symbol) *Expression {
	at := e.Where.From
	if status := l.prefixes[e]; status != nil { // ALLOCATED, ASSOCIATED
		a := l.argument(status, at)
		if a == nil {
			return nil
		}
		return &Expression{Do: Value, Type: a.Type, Argument: a}
	}
	name := y.Name
	if g, ok := specific[name]; ok {
		name = g
	}
	result, rank := sc.TypeOf(e)
	t, ok := typeOf(result)
	if !ok || rank != 0 && (l.elements == nil || rank != len(l.elements.numbers)) {
		l.refuse(at, "the function "+strings.ToUpper(y.Name)+" of these arguments is not written for devices", "compute it before the loop")
		return nil
	}
	if t.Base == scope.ComplexType && (name == "matmul" || name == "dot_product") {
		l.refuse(at, "the function "+strings.ToUpper(y.Name)+" of complex numbers is not written for devices", "write loops")
		return nil
	}
	if _, is := reduces[name]; is {
		return l.whole(sc, e, name, t, rank)
	}
	if name == "matmul" {
		return l.matmul(sc, e, t, rank)
	}
	list, ok := scope.Ordered(y.Name, e.Arguments)
	if y.Name == "atan" && len(e.Arguments) == 2 && e.Arguments[0].Keyword == "" && e.Arguments[1].Keyword == "" {
		name, list, ok = "atan2", []tree.Expression{e.Arguments[0].Value, e.Arguments[1].Value}, true
	}
	if !ok || len(list) == 0 {
		l.refuse(at, "the keywords of "+strings.ToUpper(y.Name)+" are not understood", "write the arguments without keywords")
		return nil
	}
	if x := l.ofComplex(sc, y.Name, list, t, at); x != nil || len(l.reasons) > 0 {
		return x
	}
	switch {
	case conversions[name]:
		return l.conversion(sc, list[0], t)
	case name == "merge":
		return l.merge(sc, list, at, t)
	case name == "btest":
		return l.operands(sc, list, at, Operation(name), t, ofAny)
	case name == "size" || name == "lbound" || name == "ubound":
		return l.inquiry(sc, list, at, name, t)
	}
	how, known := intrinsics[name]
	if !known || how == ofReals && t.Base != scope.Real {
		l.refuse(at, "the function "+strings.ToUpper(y.Name)+" is not written for devices", "compute it before the loop")
		return nil
	}
	return l.operands(sc, list, at, Operation(name), t, how)
}

// values are the arguments; nil after a refusal.
func (l *lowerer) values(sc *scope.Scope, arguments []tree.Expression) (list []*Expression) {
	for _, a := range arguments {
		x := l.expression(sc, a)
		if x == nil {
			return nil
		}
		list = append(list, x)
	}
	return list
}

func (l *lowerer) operands(sc *scope.Scope, arguments []tree.Expression, at token.Pos, do Operation, t Type, how shape) *Expression {
	list := l.values(sc, arguments)
	if list == nil {
		return nil
	}
	for i, x := range list {
		switch {
		case x.Type.Base == scope.Logical:
			return l.operator(string(do), at)
		case how == ofShift && i > 0:
			list[i] = converted(x, Type{scope.Integer, 4})
		case how == ofReal && x.Type.Base != scope.Real || how == ofAny && x.Type.Base != scope.Integer:
			return l.operator(string(do), at)
		case how != ofReal && how != ofAny:
			if x.Type.Base != t.Base {
				return l.operator(string(do), at)
			}
			list[i] = converted(x, t)
		}
	}
	if do == "aint" || do == "anint" { // rounded in the kind of the operand
		x := &Expression{Do: do, Type: list[0].Type, Operands: list}
		return converted(x, t)
	}
	return &Expression{Do: do, Type: t, Operands: list}
}

func (l *lowerer) conversion(sc *scope.Scope, e tree.Expression, t Type) *Expression {
	if _, boz := e.(*tree.Literal); boz {
		if x, _ := sc.TypeOf(e); x.Base == scope.BOZ {
			return l.operator("BOZ", e.Span().From)
		}
	}
	x := l.expression(sc, e)
	if x == nil {
		return nil
	}
	if (x.Type.Base == scope.Logical) != (t.Base == scope.Logical) {
		return l.operator("conversion", e.Span().From)
	}
	return converted(x, t)
}

func (l *lowerer) merge(sc *scope.Scope, arguments []tree.Expression, at token.Pos, t Type) *Expression {
	list := l.values(sc, arguments)
	if len(list) != 3 || list[2].Type.Base != scope.Logical {
		return l.operator("merge", at)
	}
	return &Expression{Do: "merge", Type: t, Operands: []*Expression{converted(list[0], t), converted(list[1], t), list[2]}}
}

// inquiry is a bound or extent of an array of the block.
func (l *lowerer) inquiry(sc *scope.Scope, arguments []tree.Expression, at token.Pos, name string, t Type) *Expression {
	var found *Argument
	var which *Expression
	view := l.viewOf(sc, arguments[0])
	switch b := arguments[0].(type) {
	case *tree.Name:
		if a := l.find(sc.Lookup(b.Name), at); a != nil {
			found = l.argument(a, at)
		}
	case *tree.Component:
		found, which = l.view(sc, b)
	}
	rank := 0
	switch {
	case found != nil:
		rank = found.Rank
	case view != nil:
		rank = view.View
	}
	if rank == 0 {
		l.refuse(at, "the bounds of this array are not written for devices", "copy them into variables before the loop")
		return nil
	}
	wide := Type{scope.Integer, 8}
	bound := func(do Operation, dim int) *Expression {
		return &Expression{Do: do, Type: wide, Argument: found, Which: which, Variable: view, Dim: dim}
	}
	dim := 0
	if len(arguments) > 1 {
		v, ok := sc.Constant(arguments[1])
		if !ok || v.Integer < 1 || int(v.Integer) > rank {
			l.refuse(at, "DIM of "+strings.ToUpper(name)+" is no constant", "write a constant")
			return nil
		}
		dim = int(v.Integer)
	}
	if name == "size" {
		x := bound(Extent, max(dim, 1))
		for d := 2; dim == 0 && d <= rank; d++ {
			x = &Expression{Do: Multiply, Type: wide, Operands: []*Expression{x, bound(Extent, d)}}
		}
		return converted(x, t)
	}
	// The view has the bounds of the actual array: 1 and 0 where it has no elements.
	if dim == 0 {
		l.refuse(at, "the bounds of an array as an array are not written for devices", "give DIM")
		return nil
	}
	return converted(bound(Operation(name), dim), t)
}
