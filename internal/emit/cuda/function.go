package cuda

import (
	"fmt"
	"math"
	"strings"

	"libportable/internal/emit/device"
	"libportable/internal/emit/libmath"
	"libportable/internal/fortran/scope"
)

// library are functions that the language has, with an f behind the name for float.
var library = map[device.Operation]string{
	"sqrt": "sqrt", "exp": "exp", "log": "log", "log10": "log10", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos",
	"atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
	"erf": "erf", "erfc": "erfc", "gamma": "tgamma", "log_gamma": "lgamma", "hypot": "hypot", "aint": "trunc", "anint": "round", device.Power: "pow",
}

// reals have another form of functions that integers have, too.
var reals = map[device.Operation]string{"abs": "fabs", "mod": "fmod", "sign": "copysign"}

// own are functions of the prelude, templates over the type.
var own = map[device.Operation]string{
	"abs": "abs", "sign": "sign", "dim": "dim", "modulo": "modulo", "min": "min", "max": "max", "ishft": "ishft", "ishftc": "ishftc",
	"shiftl": "shiftl", "lshift": "shiftl", "shiftr": "shiftr", "shifta": "shifta", "rshift": "shifta", "ibits": "ibits", "popcnt": "popcnt", "poppar": "poppar",
	"leadz": "leadz", "trailz": "trailz", device.Power: "power",
}

func (w *writer) function(x *device.Expression) (string, int) {
	t := typeName(x.Type)
	a, isReal := x.Operands[0], x.Type.Base == scope.Real
	switch {
	case x.Do == device.Make:
		return made(x.Type, w.text(a, lowest), w.text(x.Operands[1], lowest)), highest
	case x.Do == "aimag":
		return w.text(a, highest) + ".im", highest
	case x.Do == "conjg":
		return w.call("portable_f_conjg", x.Operands), highest
	case x.Do == "abs" && a.Type.Base == scope.ComplexType:
		return w.call(w.need("cabs"), x.Operands), highest
	case isReal:
		if name := string(x.Do); w.bits && (libmath.Has(name) || x.Do == device.Power) {
			w.functions = true
			if x.Do == device.Power {
				name = "pow"
			}
			return w.call(fmt.Sprintf("portable_%s_real%d", name, 8*x.Type.Kind), x.Operands), highest
		}
		if name, ok := library[x.Do]; ok {
			return w.call(suffixed(name, x.Type), x.Operands), highest
		}
		if name, ok := reals[x.Do]; ok {
			return w.call(suffixed(name, x.Type), x.Operands), highest
		}
	}
	if isReal && x.Do == "modulo" {
		return w.call(w.need("modulo_of_reals")+"<"+t+">", x.Operands), highest
	}
	switch x.Do {
	case device.PowerOf:
		return w.powerOf(x)
	case "mod":
		return w.narrow(x, w.text(a, productLevel)+" % "+w.text(x.Operands[1], productLevel+1), productLevel)
	case "iand", "ior", "ieor":
		sign := map[device.Operation]string{"iand": " & ", "ior": " | ", "ieor": " ^ "}[x.Do]
		s := w.text(a, highest)
		for _, o := range x.Operands[1:] {
			s += sign + w.text(o, highest)
		}
		return "(" + t + ")(" + s + ")", unaryLevel
	case "not":
		return "(" + t + ")~" + w.text(a, highest), unaryLevel
	case "ibset":
		return "(" + t + ")(" + w.text(a, highest) + " | (" + t + ")((" + t + ")1 << " + w.text(x.Operands[1], sumLevel+1) + "))", unaryLevel
	case "ibclr":
		return "(" + t + ")(" + w.text(a, highest) + " & ~(" + t + ")((" + t + ")1 << " + w.text(x.Operands[1], sumLevel+1) + "))", unaryLevel
	case "btest":
		return "((" + w.text(a, highest) + " >> " + w.text(x.Operands[1], sumLevel+1) + ") & 1) != 0", equalLevel
	case "nint":
		return "(" + t + ")" + w.call(suffixed("llround", a.Type), x.Operands), unaryLevel
	case "floor", "ceiling":
		name := map[device.Operation]string{"floor": "floor", "ceiling": "ceil"}[x.Do]
		return "(" + t + ")" + w.call(suffixed(name, a.Type), x.Operands), unaryLevel
	case "merge":
		return "(" + w.text(x.Operands[2], lowest) + " ? " + w.text(a, orLevel) + " : " + w.text(x.Operands[1], orLevel) + ")", highest
	case "min", "max": // from the left to the right, as gfortran does
		s := w.text(a, lowest)
		name := w.need(own[x.Do])
		for _, o := range x.Operands[1:] {
			s = fmt.Sprintf("%s<%s>(%s, %s)", name, t, s, w.text(o, lowest))
		}
		return s, highest
	case "popcnt", "poppar", "leadz", "trailz":
		return fmt.Sprintf("%s<%s>(%s)", w.need(own[x.Do]), typeName(a.Type), w.text(a, lowest)), highest
	case "ishftc":
		if len(x.Operands) == 2 {
			return fmt.Sprintf("%s<%s>(%s, %s, %d)", w.need("ishftc"), t, w.text(a, lowest), w.text(x.Operands[1], lowest), 8*x.Type.Kind), highest
		}
	}
	return w.call(w.need(own[x.Do])+"<"+t+">", x.Operands), highest
}

func suffixed(name string, t device.Type) string {
	if t.Kind == 4 {
		return name + "f"
	}
	return name
}

func (w *writer) call(name string, operands []*device.Expression) string {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = w.text(o, lowest)
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// need asks for a function of the prelude.
func (w *writer) need(name string) string {
	w.needs[name] = true
	return "portable_f_" + name
}

// powerOf is a real to an integer: a constant exponent gives the multiplications of an optimising gfortran, another one those of its library. That
// has a function of its own for exponents of 64 bits, constant ones too.
func (w *writer) powerOf(x *device.Expression) (string, int) {
	t := typeName(x.Type)
	n, known := constant(x.Operands[1])
	if x.Operands[1].Type.Kind == 8 && (!known || n < -1 || n > 2) {
		return fmt.Sprintf("%s<%s>(%s, %s)", w.need("powi_long"), t, w.text(x.Operands[0], lowest), w.text(x.Operands[1], lowest)), highest
	}
	if !known || n < math.MinInt32 || n > math.MaxInt32 {
		return fmt.Sprintf("%s<%s>(%s, %s)", w.need("powi"), t, w.text(x.Operands[0], lowest), w.text(x.Operands[1], lowest)), highest
	}
	text := fmt.Sprintf("portable_f_power_%d<%s>(%s)", max(n, -n), t, w.text(x.Operands[0], lowest))
	w.needs[fmt.Sprintf("power_%d", max(n, -n))] = true
	if n < 0 {
		one, _ := real(1, x.Type.Kind)
		return one + " / " + text, productLevel
	}
	return text, highest
}
