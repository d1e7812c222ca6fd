package device

import (
	"math"
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// reduces are functions of whole arrays, with the dummy that has the elements. Their loops go from the first element to the last, as compilers go without
// options that change values.
var reduces = map[string]string{"sum": "array", "product": "array", "dot_product": "vector_a", "maxval": "array", "minval": "array", "iall": "array",
	"iany": "array", "iparity": "array", "any": "mask", "all": "mask", "parity": "mask", "count": "mask", "maxloc": "array", "minloc": "array", "findloc": "array"}

// fold is a call of such a function.
type fold struct {
	name  string
	t     Type // of the result
	at    token.Pos
	args  map[string]tree.Expression
	array tree.Expression
	dim   int // from 1; 0: all elements
	all   []*Expression
	own   *elements     // of the array
	loops []*Expression // the extents along which it goes
	over  *elements     // the numbers of these loops
}

// whole is such a call, as loops in front of the statement; with DIM in front of the element of the assignment that needs it.
func (l *lowerer) whole(sc *scope.Scope, e *tree.Reference, name string, t Type, rank int) *Expression {
	f := &fold{name: name, t: t, at: e.Where.From}
	known := false
	if f.args, known = sc.Actuals(name, e.Arguments); !known {
		return l.refused(f.at, name)
	}
	f.array = f.args[reduces[name]]
	into := l.before
	if into == nil || f.args["back"] != nil || f.array == nil || !l.along(sc, f, rank) {
		return l.refused(f.at, name)
	}
	if f.dim > 0 && len(f.own.numbers) > 1 {
		if into = l.inner; into == nil {
			return l.refused(f.at, name)
		}
	}
	var first, step []Statement
	var result *Expression
	outer, inner := l.elements, l.inner
	var within []Statement
	l.elements, l.inner = f.own, &within
	switch name {
	case "maxval", "minval":
		first, step, result = l.extremeOf(sc, f)
	case "maxloc", "minloc", "findloc":
		first, step, result = l.placeOf(sc, f)
	default:
		first, step, result = l.folding(sc, f)
	}
	if mask := f.args["mask"]; mask != nil && mask != f.array && result != nil {
		c := l.condition(sc, mask)
		if c == nil {
			result = nil
		}
		step = []Statement{&If{Conditions: []*Expression{c}, Bodies: [][]Statement{step}}}
	}
	l.elements, l.inner = outer, inner
	if result == nil {
		return l.refused(f.at, name)
	}
	*into = append(append(*into, first...), l.loops(f.over, f.loops, append(within, step...))...)
	if result.Do == Element { // of a list of places
		result.Operands = []*Expression{folded(Add, outer.numbers[0], one(wide))}
	}
	return result
}

// along finds the extents of the array, and the loops.
func (l *lowerer) along(sc *scope.Scope, f *fold, rank int) bool {
	if f.all = l.extentsOf(sc, f.array); f.all == nil {
		return false
	}
	if dim := f.args["dim"]; dim != nil {
		v, ok := sc.Constant(dim)
		if !ok || v.Shape != nil || v.Integer < 1 || int(v.Integer) > len(f.all) {
			return false
		}
		f.dim = int(v.Integer)
	}
	located := f.name == "maxloc" || f.name == "minloc" || f.name == "findloc"
	if rank != 0 && f.dim == 0 && !located || f.dim > 0 && len(f.all) > 1 && (l.elements == nil || len(l.elements.numbers) != len(f.all)-1) {
		return false
	}
	f.own, f.over = &elements{}, &elements{}
	for d := range f.all {
		if f.dim > 0 && d != f.dim-1 {
			at := d
			if d >= f.dim {
				at--
			}
			f.own.numbers = append(f.own.numbers, l.elements.numbers[at])
			continue
		}
		number := l.number()
		f.own.numbers = append(f.own.numbers, number)
		f.over.numbers, f.loops = append(f.over.numbers, number), append(f.loops, f.all[d])
	}
	return true
}

// extentsOf are those of an expression that is an array; nil: its form is not known here.
func (l *lowerer) extentsOf(sc *scope.Scope, e tree.Expression) []*Expression {
	shape := arrayIn(sc, e)
	if shape == nil {
		return nil
	}
	if c, is := shape.(*tree.Constructor); is {
		n := zero(wide)
		n.Constant.Integer = int64(len(c.Items))
		return []*Expression{n}
	}
	if r, is := shape.(*tree.Reference); is {
		if meaning, y := sc.Meaning(r); meaning == scope.IntrinsicCall {
			args, known := sc.Actuals(y.Name, r.Arguments)
			dim, constant := sc.Constant(args["dim"])
			list := l.extentsOf(sc, args[reduces[y.Name]])
			if !known || !constant || dim.Integer < 1 || int(dim.Integer) > len(list) {
				return nil
			}
			return slices.Delete(list, int(dim.Integer)-1, int(dim.Integer))
		}
	}
	return l.extents(sc, shape)
}

func (l *lowerer) private1(name string, t Type) *Expression {
	return &Expression{Do: Private, Type: t, Variable: l.temporary(name, t)}
}

// folding is a function that combines all elements by one operation.
func (l *lowerer) folding(sc *scope.Scope, f *fold) (first, step []Statement, result *Expression) {
	value := l.expression(sc, f.array)
	if value == nil {
		return nil, nil, nil
	}
	line := f.at.Line
	isLogical := value.Type.Base == scope.Logical
	set := func(to, x *Expression) Statement { return &Assign{Line: line, To: to, Value: x} }
	if do := f.name; do == "any" || do == "all" || do == "count" || do == "parity" {
		if !isLogical {
			return nil, nil, nil
		}
		acc := l.private1(do, f.t)
		test, begin, then := value, truth(f.t, false), truth(f.t, true)
		switch do {
		case "all":
			test, begin, then = &Expression{Do: Not, Type: value.Type, Operands: []*Expression{value}}, then, begin
		case "parity":
			then = &Expression{Do: Not, Type: f.t, Operands: []*Expression{acc}}
		case "count":
			begin, then = zero(f.t), &Expression{Do: Add, Type: f.t, Operands: []*Expression{acc, one(f.t)}}
		}
		return []Statement{set(acc, begin)}, []Statement{&If{Conditions: []*Expression{test}, Bodies: [][]Statement{{set(acc, then)}}}}, acc
	}
	if isLogical {
		return nil, nil, nil
	}
	value = converted(value, f.t)
	if f.name == "dot_product" {
		other := f.args["vector_b"]
		if other == nil {
			return nil, nil, nil
		}
		y := l.expression(sc, other)
		if y == nil || y.Type.Base == scope.Logical {
			return nil, nil, nil
		}
		value = &Expression{Do: Multiply, Type: f.t, Operands: []*Expression{value, converted(y, f.t)}}
	}
	do, begin := Add, zero(f.t)
	switch f.name {
	case "product":
		do, begin = Multiply, one(f.t)
		begin.Constant.Real = 1
	case "iall":
		do = "iand"
		begin.Constant.Integer = -1
	case "iany":
		do = "ior"
	case "iparity":
		do = "ieor"
	}
	acc := l.private1("sum", f.t)
	return []Statement{set(acc, begin)}, []Statement{set(acc, &Expression{Do: do, Type: f.t, Operands: []*Expression{acc, value}})}, acc
}

// truth is a logical constant.
func truth(t Type, value bool) *Expression {
	x := one(t)
	x.Constant.Logical = value
	return x
}

// better is the condition that an element takes the place of the extreme value so far: there is none yet, it is better, or that is a NaN and this a number.
func better(name string, none, value, so *Expression) *Expression {
	do := Greater
	if name[:3] == "min" {
		do = Less
	}
	compare := func(do Operation, a, b *Expression) *Expression {
		return &Expression{Do: do, Type: boolean, Operands: []*Expression{a, b}}
	}
	test := joined(Or, none, compare(do, value, so))
	if value.Type.Base == scope.Real {
		test = joined(Or, test, joined(And, compare(Unequal, so, so), compare(Equal, value, value)))
	}
	return test
}

// extremeOf is MAXVAL or MINVAL: of no element the number that Fortran says, of NaN alone the first.
func (l *lowerer) extremeOf(sc *scope.Scope, f *fold) (first, step []Statement, result *Expression) {
	x := l.expression(sc, f.array)
	if x == nil || x.Type.Base == scope.Logical {
		return nil, nil, nil
	}
	x = converted(x, f.t)
	line := f.at.Line
	so, value, found := l.private1("extreme", f.t), l.private1("value", f.t), l.private1("found", boolean)
	none := zero(f.t)
	none.Constant.Integer, none.Constant.Real = -1<<(8*f.t.Kind-1), -math.MaxFloat64
	if f.t.Kind == 4 {
		none.Constant.Real = -math.MaxFloat32
	}
	if f.name == "minval" {
		none.Constant.Integer, none.Constant.Real = 1<<(8*f.t.Kind-1)-1, -none.Constant.Real
	}
	not := &Expression{Do: Not, Type: boolean, Operands: []*Expression{found}}
	first = []Statement{&Assign{Line: line, To: so, Value: none}, &Assign{Line: line, To: found, Value: truth(boolean, false)}}
	step = []Statement{&Assign{Line: line, To: value, Value: x},
		&If{Conditions: []*Expression{better(f.name, not, value, so)}, Bodies: [][]Statement{{&Assign{Line: line, To: so, Value: value}}}},
		&Assign{Line: line, To: found, Value: truth(boolean, true)}}
	return first, step, so
}

// placeOf is MAXLOC, MINLOC or FINDLOC: the first place, 0 if there is none. Without DIM it is a list with an index for each dimension.
func (l *lowerer) placeOf(sc *scope.Scope, f *fold) (first, step []Statement, result *Expression) {
	x := l.expression(sc, f.array)
	if x == nil || x.Type.Base == scope.Logical && f.name != "findloc" {
		return nil, nil, nil
	}
	line := f.at.Line
	set := func(to, x *Expression) Statement { return &Assign{Line: line, To: to, Value: converted(x, to.Type)} }
	var places []*Expression
	if f.dim > 0 {
		result = l.private1("place", f.t)
		places = []*Expression{result}
	} else {
		v := l.temporary("places", f.t)
		v.Lower, v.Upper = []int64{1}, []int64{int64(len(f.all))}
		for d := range f.all {
			index := one(wide)
			index.Constant.Integer = int64(d + 1)
			places = append(places, &Expression{Do: Element, Type: f.t, Variable: v, Operands: []*Expression{index}})
		}
		result = &Expression{Do: Element, Type: f.t, Variable: v}
	}
	var here []Statement
	for i, p := range places {
		first = append(first, set(p, zero(f.t)))
		here = append(here, set(p, folded(Add, f.over.numbers[i], one(wide))))
	}
	none := &Expression{Do: Equal, Type: boolean, Operands: []*Expression{places[0], zero(f.t)}}
	if f.name == "findloc" {
		y := l.expression(sc, f.args["value"])
		if y == nil || (y.Type.Base == scope.Logical) != (x.Type.Base == scope.Logical) {
			return nil, nil, nil
		}
		t := wider(x.Type, y.Type)
		same := &Expression{Do: Equal, Type: boolean, Operands: []*Expression{converted(x, t), converted(y, t)}}
		return first, []Statement{&If{Conditions: []*Expression{joined(And, none, same)}, Bodies: [][]Statement{here}}}, result
	}
	so, value := l.private1("extreme", x.Type), l.private1("value", x.Type)
	first = append(first, set(so, zero(x.Type)))
	step = []Statement{set(value, x), &If{Conditions: []*Expression{better(f.name, none, value, so)}, Bodies: [][]Statement{append(here, set(so, value))}}}
	return first, step, result
}

func (l *lowerer) refused(at token.Pos, name string) *Expression {
	if len(l.reasons) == 0 {
		l.refuse(at, "this use of the function "+name+" is not written for devices", "compute it in a statement of its own, of variables, with a constant DIM and without BACK")
	}
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

// arrayIn is a variable in an expression that has its shape, an array constructor of scalars, or a function along a dimension; nil: there is none.
func arrayIn(sc *scope.Scope, e tree.Expression) tree.Expression {
	_, rank := sc.TypeOf(e)
	if rank == 0 {
		return nil
	}
	switch e := e.(type) {
	case *tree.Name, *tree.Component:
		return e
	case *tree.Constructor:
		for _, item := range e.Items {
			if _, implied := item.(*tree.ImpliedDo); implied || !scalar(sc, item) {
				return nil
			}
		}
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
		switch meaning, y := sc.Meaning(e); meaning {
		case scope.Section, scope.Element:
			return e
		case scope.IntrinsicCall:
			if reduces[y.Name] != "" {
				return e // it has one dimension less
			}
			if !elementwise(y.Name) {
				return nil
			}
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

// elementwise reports whether a function of arrays has the value of an element from those of the same place.
func elementwise(name string) bool {
	if g, ok := specific[name]; ok {
		name = g
	}
	_, known := intrinsics[name]
	return known || complexes[name] != "" || conversions[name] || name == "merge" || name == "btest"
}
