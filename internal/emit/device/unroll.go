package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// An array component of constant size in an array of a derived type, p(i)%x, has no view of its own: each of its elements is one for all i. So an
// assignment to it is written out for each element, and an assignment of the type for each component.

// most elements that are written out
const mostWritten = 16

// each is an assignment to such a component; nil: it has another form, or a refusal.
func (l *lowerer) each(sc *scope.Scope, n *tree.Assignment) (list []Statement) {
	parts, ok := partsOf(sc, n.Left)
	if !ok || len(parts) < 2 || len(parts[0].subscripts) == 0 {
		return nil
	}
	end := parts[len(parts)-1]
	subscripts := end.subscripts
	if end.name == "" {
		end = parts[len(parts)-2]
	}
	if end.component == nil {
		return nil
	}
	count := int64(1)
	extents, ok := constantExtents(sc, end.component, subscripts)
	for _, n := range extents {
		if count *= n; count > mostWritten {
			return nil
		}
	}
	if !ok || len(extents) == 0 {
		return nil
	}
	outer := l.elements
	defer func() { l.elements = outer }()
	for number := range count {
		l.elements = &elements{}
		for _, n := range extents {
			x := zero(wide)
			x.Constant.Integer = number % n
			number /= n
			l.elements.numbers = append(l.elements.numbers, x)
		}
		value, to := l.expression(sc, n.Right), l.designator(sc, n.Left)
		if value == nil || to == nil || to.Do != Element || (to.Type.Base == scope.Logical) != (value.Type.Base == scope.Logical) {
			return nil
		}
		list = append(list, &Assign{Line: n.Where.From.Line, To: to, Value: converted(value, to.Type)})
	}
	if list == nil {
		list = []Statement{&Block{Target: Target{&Frame{}}}} // no element
	}
	return list
}

// constantBounds are those of a dimension of a component.
func constantBounds(y *scope.Symbol, d int) (lower, upper int64, ok bool) {
	of := y.Dims[d]
	if of.Upper == nil || of.Deferred {
		return 0, 0, false
	}
	low, high := scope.Value{Integer: 1}, scope.Value{}
	if high, ok = y.Scope.Constant(of.Upper); ok && of.Lower != nil {
		low, ok = y.Scope.Constant(of.Lower)
	}
	return low.Integer, high.Integer, ok
}

// constantRange is the first, the last and the step of a range in a dimension, or of the whole dimension.
func constantRange(sc *scope.Scope, y *scope.Symbol, d int, subscripts []tree.Argument) (first, last, step int64, ok bool) {
	first, last, ok = constantBounds(y, d)
	step = 1
	if subscripts == nil || !ok {
		return first, last, step, ok
	}
	r := subscripts[d].Value.(*tree.Range)
	for _, x := range []struct {
		e  tree.Expression
		to *int64
	}{{r.Lower, &first}, {r.Upper, &last}, {r.Stride, &step}} {
		if x.e == nil {
			continue
		}
		v, known := sc.Constant(x.e)
		if !known || v.Shape != nil || v.Type.Base != scope.Integer {
			return 0, 0, 0, false
		}
		*x.to = v.Integer
	}
	return first, last, step, step != 0
}

// constantExtents are the numbers of elements along the ranges of a component.
func constantExtents(sc *scope.Scope, y *scope.Symbol, subscripts []tree.Argument) (list []int64, ok bool) {
	if subscripts != nil && len(subscripts) != len(y.Dims) {
		return nil, false
	}
	for d := range y.Dims {
		if subscripts != nil {
			if _, is := subscripts[d].Value.(*tree.Range); !is {
				if _, rank := sc.TypeOf(subscripts[d].Value); rank != 0 {
					return nil, false
				}
				continue
			}
		}
		first, last, step, ok := constantRange(sc, y, d, subscripts)
		if !ok {
			return nil, false
		}
		list = append(list, max((last-first+step)/step, 0))
	}
	return list, true
}

// constantIndex are the subscripts of an element of a component; ranges and whole dimensions stand for the element that is written out.
func (l *lowerer) constantIndex(sc *scope.Scope, y *scope.Symbol, subscripts []tree.Argument) (index []int64, ok bool) {
	at := 0
	for d := range y.Dims {
		if subscripts != nil {
			if _, is := subscripts[d].Value.(*tree.Range); !is {
				v, known := sc.Constant(subscripts[d].Value)
				if !known || v.Type.Base != scope.Integer || v.Shape != nil {
					return nil, false
				}
				index = append(index, v.Integer)
				continue
			}
		}
		first, _, step, known := constantRange(sc, y, d, subscripts)
		if !known || l.elements == nil || at >= len(l.elements.numbers) || l.elements.numbers[at].Do != Constant {
			return nil, false
		}
		index = append(index, first+l.elements.numbers[at].Constant.Integer*step)
		at++
	}
	return index, at == 0 || at == len(l.elements.numbers)
}

// structure is an assignment of a derived type: of its components one after the other. The value is a structure constructor that does not name the
// variable, or another variable of the type.
func (l *lowerer) structure(sc *scope.Scope, n *tree.Assignment, t scope.Type) (list []Statement) {
	at := n.Where.From
	no := func() []Statement {
		if len(l.reasons) == 0 {
			l.refuse(at, "this assignment of a derived type is not written for devices", "assign its components")
		}
		return nil
	}
	to := sc.Symbol(n.Left)
	if t.Def == nil || t.Def.Decl == nil || t.Def.Parent != nil || to == nil || t.Def.Missing != "" {
		return no()
	}
	for i := range t.Def.Decl.Bindings {
		if t.Def.Decl.Bindings[i].Kind == "final" {
			return no()
		}
	}
	part := func(e tree.Expression, name string) tree.Expression {
		return &tree.Component{At: tree.At{Where: e.Span()}, Base: e, Name: name}
	}
	if l.setsSubscripts(sc, n.Left, to) {
		return no()
	}
	values := make([]tree.Expression, len(t.Def.Components))
	if r, ok := n.Right.(*tree.Reference); ok && isConstructor(sc, r) {
		for i, a := range r.Arguments {
			for k, c := range t.Def.Components {
				if a.Keyword == c.Name {
					i = k
				}
			}
			if i >= len(values) || values[i] != nil || a.Value == nil || l.mayRead(sc, a.Value, to) {
				return no()
			}
			values[i] = a.Value
		}
	} else {
		of, rank := sc.TypeOf(n.Right)
		if !isVariable(sc, n.Right) || rank != 0 || of.Def != t.Def || sc.Symbol(n.Right) == to || l.setsSubscripts(sc, n.Right, to) {
			return no()
		}
		for i, c := range t.Def.Components {
			values[i] = part(n.Right, c.Name)
		}
	}
	for i, c := range t.Def.Components {
		if _, known := typeOf(c.Type); !known || c.Kind != scope.Variable || c.Pointer || c.Allocatable || values[i] == nil {
			return no()
		}
		list = append(list, l.assignment(sc, &tree.Assignment{Head: n.Head, Left: part(n.Left, c.Name), Right: values[i]})...)
		if len(l.reasons) > 0 {
			return nil
		}
	}
	return list
}

// setsSubscripts reports whether an assignment to a variable may change a subscript of a designator, which the later components would read again.
func (l *lowerer) setsSubscripts(sc *scope.Scope, e tree.Expression, to *scope.Symbol) bool {
	parts, ok := partsOf(sc, e)
	for _, p := range parts {
		for i := range p.subscripts {
			ok = ok && !l.mayRead(sc, p.subscripts[i].Value, to)
		}
	}
	return !ok
}

func isConstructor(sc *scope.Scope, r *tree.Reference) bool {
	meaning, _ := sc.Meaning(r)
	return meaning == scope.Structure
}

// mayRead reports whether an expression may read a variable, also by a pointer.
func (l *lowerer) mayRead(sc *scope.Scope, e tree.Expression, y *scope.Symbol) (found bool) {
	shared := func(of *scope.Symbol) bool { return of == nil || of.Pointer || of.Target }
	emit.Inside(e, func(x tree.Expression) {
		switch x := x.(type) {
		case *tree.Name:
			of := sc.Lookup(x.Name)
			found = found || of == y || l.isPlace(of) || of != nil && of.Kind == scope.Alias && l.variables[of] != nil || shared(of) && shared(y)
		case *tree.Component:
			found = found || shared(sc.Component(x)) && shared(y)
		case *tree.Reference:
			if meaning, f := sc.Meaning(x); meaning == scope.FunctionCall {
				found = found || touches(f, y, map[*scope.Symbol]bool{})
			}
		}
	})
	return found
}

// constructor is [x, y, ...] in an assignment of arrays: the values are computed in front of the statement.
func (l *lowerer) constructor(sc *scope.Scope, e *tree.Constructor) *Expression {
	at := e.Where.From
	of, rank := sc.TypeOf(e)
	t, ok := typeOf(of)
	if !ok || rank != 1 || l.elements == nil || len(l.elements.numbers) != 1 || l.before == nil || len(e.Items) == 0 {
		l.refuse(at, "an array constructor is written for devices in assignments of arrays only", "write an array for it before the loop")
		return nil
	}
	v := l.temporary("list", t)
	v.Lower, v.Upper = []int64{1}, []int64{int64(len(e.Items))}
	if v.Bytes() > mostPrivate {
		l.refuse(at, "an array constructor has more than 4096 bytes", "write an array for it before the loop")
		return nil
	}
	outer := l.elements
	defer func() { l.elements = outer }()
	for i, item := range e.Items {
		_, rank := sc.TypeOf(item)
		if _, implied := item.(*tree.ImpliedDo); implied || rank != 0 {
			l.refuse(at, "an array constructor with arrays or implied loops is not written for devices", "write an array for it before the loop")
			return nil
		}
		l.elements = nil
		x := l.expression(sc, item)
		l.elements = outer
		if x == nil || (x.Type.Base == scope.Logical) != (t.Base == scope.Logical) {
			return nil
		}
		index := one(wide)
		index.Constant.Integer = int64(i + 1)
		*l.before = append(*l.before, &Assign{Line: at.Line, To: &Expression{Do: Element, Type: t, Variable: v, Operands: []*Expression{index}}, Value: converted(x, t)})
	}
	return &Expression{Do: Element, Type: t, Variable: v, Operands: []*Expression{folded(Add, outer.numbers[0], one(wide))}}
}
