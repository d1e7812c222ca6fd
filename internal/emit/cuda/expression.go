package cuda

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

// precedence of C's operators, as far as they are used
const (
	lowest = iota
	orLevel
	andLevel
	equalLevel
	relationLevel
	sumLevel
	productLevel
	unaryLevel
	highest
)

// typeName is the type of a number in memory; a logical is an integer of its size.
func typeName(t device.Type) string {
	switch t.Base {
	case scope.Real:
		return map[int]string{4: "float", 8: "double"}[t.Kind]
	case scope.ComplexType:
		return complexName + "<" + typeName(device.Type{Base: scope.Real, Kind: t.Kind}) + ">"
	}
	return fmt.Sprintf("int%d_t", 8*t.Kind)
}

type operator struct {
	text  string
	level int
}

var operators = map[device.Operation]operator{
	device.Add: {"+", sumLevel}, device.Subtract: {"-", sumLevel}, device.Multiply: {"*", productLevel}, device.Divide: {"/", productLevel},
	device.And: {"&&", andLevel}, device.Or: {"||", orLevel}, device.Equal: {"==", equalLevel}, device.Unequal: {"!=", equalLevel},
	device.Less: {"<", relationLevel}, device.AtMost: {"<=", relationLevel}, device.Greater: {">", relationLevel}, device.AtLeast: {">=", relationLevel},
}

// text is the expression, in parentheses if the place binds more tightly than it does.
func (w *writer) text(x *device.Expression, place int) string {
	s, level := w.expression(x)
	if level < place {
		return "(" + s + ")"
	}
	return s
}

func (w *writer) expression(x *device.Expression) (string, int) {
	switch x.Do {
	case device.Constant:
		return literal(x)
	case device.Value:
		return "args->" + x.Argument.Name, highest
	case device.Private:
		if x.Variable.Result > 0 {
			return fmt.Sprintf("give->r%d", x.Variable.Result), highest
		}
		return x.Variable.Name, highest
	case device.Element:
		return w.element(x), highest
	case device.Lowest:
		return fmt.Sprintf("%s.lbound(%d)", w.view(x), x.Dim), highest
	case device.Highest:
		return fmt.Sprintf("%s.ubound(%d)", w.view(x), x.Dim), highest
	case device.Extent:
		return fmt.Sprintf("%s.extent(%d)", w.view(x), x.Dim), highest
	case device.Call:
		list := "args"
		if x.Function.Numbered {
			list += ", " + device.Own + "number"
		}
		for i, o := range x.Operands {
			if o.Do == device.Vector {
				list += ", " + w.vector(o, x.Function.Parameters[i])
				continue
			}
			list += ", " + w.text(o, lowest)
		}
		return x.Function.Name + "(" + list + ")", highest
	case device.Convert:
		return w.conversion(x)
	case device.Not:
		return "!" + w.text(x.Operands[0], unaryLevel), unaryLevel
	case device.Negate:
		return w.narrow(x, "-"+w.text(x.Operands[0], highest), unaryLevel)
	}
	if o, ok := operators[x.Do]; ok {
		a, b := x.Operands[0], x.Operands[1]
		left, right := w.text(a, o.level), w.text(b, o.level+1)
		if (x.Do == device.Equal || x.Do == device.Unequal) && a.Type.Base == scope.Logical {
			return "(" + w.text(a, unaryLevel) + " != 0) " + o.text + " (" + w.text(b, unaryLevel) + " != 0)", o.level
		}
		return w.narrow(x, left+" "+o.text+" "+right, o.level)
	}
	return w.function(x)
}

// narrow gives an operation of small integers the type that C's promotion takes away.
func (w *writer) narrow(x *device.Expression, text string, level int) (string, int) {
	if x.Type.Base == scope.Integer && x.Type.Kind < 4 {
		return "(" + typeName(x.Type) + ")(" + text + ")", unaryLevel
	}
	return text, level
}

// view is the array of the block, or of a parameter.
func (w *writer) view(x *device.Expression) string {
	if x.Which != nil {
		return "args->" + x.Argument.Name + "[" + w.index(x.Which) + "]"
	}
	if x.Argument != nil {
		return "args->" + x.Argument.Name
	}
	return x.Variable.Name
}

// vector is an actual argument that is an array, for a parameter of so many dimensions.
func (w *writer) vector(x *device.Expression, p *device.Variable) string {
	pairs := 2 * len(x.Dims)
	first := &device.Expression{Do: device.Element, Type: x.Type, Argument: x.Argument, Which: x.Which, Variable: x.Variable, Operands: x.Operands[pairs:]}
	t, number := typeName(x.Type), "0"
	if p.Constant {
		t = "const " + t
	}
	isView := x.Argument != nil || x.Variable.View > 0
	if isView {
		number = w.view(x) + ".argument"
	}
	list := ""
	for i, dim := range x.Dims {
		step := w.text(x.Operands[2*i+1], productLevel)
		switch {
		case dim == 0:
		case isView:
			step += fmt.Sprintf(" * %s.dim[%d].stride", w.view(x), dim-1)
		default:
			distance := int64(1)
			for d := range dim - 1 {
				distance *= x.Variable.Upper[d] - x.Variable.Lower[d] + 1
			}
			step += fmt.Sprintf(" * %d", distance)
		}
		list += fmt.Sprintf(", %s, %s", w.text(x.Operands[2*i], lowest), step)
	}
	if p.View == 1 {
		return fmt.Sprintf("%s<%s>(&%s%s, %s)", w.need("vector"), t, w.text(first, lowest), list, number)
	}
	list += strings.Repeat(", 0, 0", p.View-len(x.Dims))
	return fmt.Sprintf("%s<%s>(&%s, %s%s)", w.need(fmt.Sprintf("array_%d", p.View)), t, w.text(first, lowest), number, list)
}

func (w *writer) element(x *device.Expression) string {
	list := make([]string, len(x.Operands))
	if x.Argument != nil || x.Variable.View > 0 {
		for i, o := range x.Operands {
			list[i] = w.index(o)
		}
		return w.view(x) + "(" + strings.Join(list, ", ") + ")"
	}
	s := x.Variable.Name
	if len(x.Variable.Values) > 0 {
		return s + "[" + w.flat(x) + "]"
	}
	if x.Variable.Result > 0 {
		s = fmt.Sprintf("give->r%d", x.Variable.Result)
	}
	for i := len(x.Operands) - 1; i >= 0; i-- {
		index := w.text(x.Operands[i], sumLevel+1)
		if c, ok := constant(x.Operands[i]); ok {
			s += fmt.Sprintf("[%d]", c-x.Variable.Lower[i])
			continue
		}
		switch lower := x.Variable.Lower[i]; {
		case lower > 0:
			index += fmt.Sprintf(" - %d", lower)
		case lower < 0:
			index += fmt.Sprintf(" + %d", -lower)
		}
		s += "[" + index + "]"
	}
	return s
}

// index is a subscript: the parameter of a view is a 64-bit integer, so no conversion is written.
func (w *writer) index(x *device.Expression) string {
	if x.Do == device.Convert && x.Operands[0].Type.Base == scope.Integer {
		x = x.Operands[0]
	}
	if c, ok := constant(x); ok {
		return strconv.FormatInt(c, 10)
	}
	return w.text(x, lowest)
}

// conversion is a conversion of numbers or of kinds of logicals. Fortran cuts off reals, as C does.
func (w *writer) conversion(x *device.Expression) (string, int) {
	from := x.Operands[0]
	if x.Type.Base == scope.Logical {
		return w.expression(from)
	}
	if x.Type.Base == scope.ComplexType || from.Type.Base == scope.ComplexType {
		return w.ofComplex(x, from)
	}
	return "(" + typeName(x.Type) + ")" + w.text(from, unaryLevel+1), unaryLevel
}

// literal is a constant with its bits.
func literal(x *device.Expression) (string, int) {
	v := x.Constant
	switch {
	case x.Type.Base == scope.Logical && v.Logical:
		return "1", highest
	case x.Type.Base == scope.Logical:
		return "0", highest
	case x.Type.Base == scope.Integer:
		return whole(v.Integer, x.Type.Kind)
	case x.Type.Base == scope.ComplexType:
		re, _ := real(v.Real, x.Type.Kind)
		im, _ := real(v.Imag, x.Type.Kind)
		return made(x.Type, re, im), highest
	}
	return real(v.Real, x.Type.Kind)
}

func whole(v int64, kind int) (string, int) {
	switch {
	case kind == 8 && v == math.MinInt64:
		return "(-9223372036854775807LL - 1)", highest
	case kind == 4 && v == math.MinInt32:
		return "(-2147483647 - 1)", highest
	}
	text := strconv.FormatInt(v, 10)
	if kind == 8 {
		text = "(int64_t)" + text
		if v > math.MaxInt32 || v < -math.MaxInt32 {
			text += "LL"
		}
		return text, unaryLevel
	}
	if v < 0 {
		return text, unaryLevel
	}
	return text, highest
}

// real is the shortest decimal text that gives these bits. C++14 and older cannot read hexadecimal reals.
func real(v float64, kind int) (string, int) {
	text := strconv.FormatFloat(math.Abs(v), 'g', -1, 8*kind)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if kind == 4 {
		text += "f"
	}
	if math.Signbit(v) {
		return "-" + text, unaryLevel
	}
	return text, highest
}
