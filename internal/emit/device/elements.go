package device

import (
	"strconv"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/token"
	"libportable/internal/fortran/tree"
)

// elements is an assignment of arrays that is lowered as loops over the elements: their numbers from 0 on, one for each dimension. In an assignment that
// is written out for each element they are constants.
type elements struct{ numbers []*Expression }

// number is the counter of a loop over elements.
func (l *lowerer) number() *Expression {
	return &Expression{Do: Private, Type: wide, Variable: l.temporary("element", wide)}
}

var wide = Type{scope.Integer, 8}

// arrays lowers an assignment of arrays, if no element that it reads is one that it has written before.
func (l *lowerer) arrays(sc *scope.Scope, n *tree.Assignment) []Statement {
	at := n.Where.From
	if c, ok := n.Left.(*tree.Component); ok {
		y := sc.Component(c)
		if _, rank := sc.TypeOf(n.Right); y != nil && y.Allocatable && len(y.Dims) > 0 && rank > 0 {
			l.refuse(at, "the assignment may allocate '"+emit.Spelling(n.Left)+"' again", "write "+c.Name+"("+strings.Repeat(":, ", len(y.Dims)-1)+":) = ...")
			return nil
		}
	}
	if l.sharesName(sc, n.Left, n.Right) {
		l.refuse(at, "an assignment of arrays that may read what it sets by a name of ASSOCIATE", "use the array itself on both sides")
		return nil
	}
	free := l.apart(sc, n.Left, n.Right, true)
	if !free && !l.apart(sc, n.Left, nil, true) {
		return l.notApart(at)
	}
	if free {
		if list := l.each(sc, n); list != nil || len(l.reasons) > 0 {
			return list
		}
	}
	extents := l.extents(sc, n.Left)
	if extents == nil {
		if !free {
			return l.notApart(at)
		}
		if len(l.reasons) == 0 {
			l.ofThisForm(sc, n.Left, at)
		}
		return nil
	}
	e := &elements{}
	for range extents {
		e.numbers = append(e.numbers, l.number())
	}
	outer, inner := l.elements, l.inner
	var within []Statement
	l.elements, l.inner = e, &within
	value, to := l.expression(sc, n.Right), l.designator(sc, n.Left)
	l.elements, l.inner = outer, inner
	if value == nil || to == nil {
		return nil
	}
	if to.Do == Value || (to.Type.Base == scope.Logical) != (value.Type.Base == scope.Logical) {
		l.ofThisForm(sc, n.Left, at)
		return nil
	}
	value = converted(value, to.Type)
	if !free {
		return l.inTwo(e, extents, within, to, value, at)
	}
	return l.loops(e, extents, append(within, &Assign{Line: at.Line, To: to, Value: value}))
}

// ofThisForm refuses an assignment of arrays because of its left side.
func (l *lowerer) ofThisForm(sc *scope.Scope, left tree.Expression, at token.Pos) {
	y := sc.Symbol(left)
	t, _ := sc.TypeOf(left)
	switch _, known := typeOf(t); {
	case !known:
		l.refuse(at, "'"+emit.Spelling(left)+"' is "+typeName(t), "compute numbers or logicals of it before the loop, or leave the loop to the host by on(cpu)")
	case y != nil && len(y.Shares) > 0:
		l.refuse(at, "'"+y.Name+"' shares memory by EQUIVALENCE", "use arrays of their own")
	case y != nil && y.Type.Base == scope.Derived && l.isPrivate(y):
		l.refuse(at, "'"+y.Name+"' is a private structure with arrays, and '"+emit.Spelling(left)+"' is assigned as a whole", "use an array of its own in the place of the component")
	default:
		l.refuse(at, "an assignment of arrays of this form is not written for devices", "write a loop over the elements")
	}
}

func (l *lowerer) notApart(at token.Pos) []Statement {
	if len(l.reasons) == 0 {
		l.refuse(at, "an assignment of arrays that reads other elements of the array that it sets", "write a loop over the elements")
	}
	return nil
}

// inTwo computes all values before it assigns the first, as Fortran says, in an array of its own.
func (l *lowerer) inTwo(e *elements, extents []*Expression, within []Statement, to, value *Expression, at token.Pos) []Statement {
	v := &Variable{Type: to.Type}
	isConstant := true
	var first, last []*Expression
	for _, x := range extents {
		first, last = append(first, zero(wide)), append(last, folded(Subtract, x, one(wide)))
		isConstant = isConstant && x.Do == Constant
		v.Lower, v.Upper = append(v.Lower, 0), append(v.Upper, max(x.Constant.Integer, 0)-1)
	}
	l.count++
	v.Name = l.names.local("values_" + strconv.Itoa(l.count))
	var list []Statement
	if isConstant && v.Bytes() <= mostPrivate {
		*l.locals = append(*l.locals, v)
	} else {
		v.Lower, v.Upper, v.View = nil, nil, len(extents)
		if list = l.slice(v, first, last, at); len(l.reasons) > 0 {
			l.reasons = nil
			return l.notApart(at)
		}
	}
	kept := &Expression{Do: Element, Type: to.Type, Variable: v, Operands: e.numbers}
	list = append(list, l.loops(e, extents, append(within, &Assign{Line: at.Line, To: kept, Value: value}))...)
	return append(list, l.loops(e, extents, []Statement{&Assign{Line: at.Line, To: to, Value: kept}})...)
}

// folded is an operation of 64-bit integers, computed if both operands are constants and without a division by 1.
func folded(do Operation, a, b *Expression) *Expression {
	if do == Divide && b.Do == Constant && b.Constant.Integer == 1 {
		return a
	}
	if a.Do != Constant || b.Do != Constant || do == Divide && b.Constant.Integer == 0 {
		return &Expression{Do: do, Type: wide, Operands: []*Expression{a, b}}
	}
	x := zero(wide)
	switch m, n := a.Constant.Integer, b.Constant.Integer; do {
	case Add:
		x.Constant.Integer = m + n
	case Subtract:
		x.Constant.Integer = m - n
	case Multiply:
		x.Constant.Integer = m * n
	case Divide:
		x.Constant.Integer = m / n
	default:
		return &Expression{Do: do, Type: wide, Operands: []*Expression{a, b}}
	}
	return x
}

// number is a constant of 64 bits.
func number(value int64) *Expression {
	x := one(wide)
	x.Constant.Integer = value
	return x
}

func zero(t Type) *Expression {
	x := one(t)
	x.Constant.Integer = 0
	return x
}

// apart reports whether the right side and the subscripts name the assigned array only by designators that are clear of it, or not at all. In front:
// reductions of the right side are computed before the assignment.
func (l *lowerer) apart(sc *scope.Scope, left, right tree.Expression, inFront bool) bool {
	to := sc.Symbol(left)
	free := true
	check := func(e tree.Expression) {
		emit.Inside(e, func(x tree.Expression) {
			if name, ok := x.(*tree.Name); ok && (sc.Lookup(name.Name) == to || l.isPlace(sc.Lookup(name.Name))) {
				free = false
			}
		})
	}
	subscripts := func(e tree.Expression) {
		list, _ := partsOf(sc, e)
		for _, p := range list {
			for i := range p.subscripts {
				check(p.subscripts[i].Value)
			}
		}
	}
	subscripts(left)
	var visit func(e tree.Expression)
	visit = func(e tree.Expression) {
		if e == nil {
			return
		}
		if name, ok := e.(*tree.Name); ok && l.isPlace(sc.Lookup(name.Name)) && !sameDesignator(e, left) {
			free = false // it may be an element of the assigned array
			return
		}
		if y := sc.Symbol(e); y != nil && y == to {
			if sameDesignator(e, left) || clear(sc, left, e) {
				subscripts(e)
			} else {
				free = false // its base alone may be the assigned array
			}
			return
		}
		if r, ok := e.(*tree.Reference); ok {
			if meaning, y := sc.Meaning(r); meaning == scope.IntrinsicCall && reduces[y.Name] != "" && scalar(sc, e) {
				if !inFront {
					check(e)
				}
				return
			} else if meaning == scope.IntrinsicCall && !elementwise(y.Name) && !scalar(sc, e) {
				check(e) // an element of it is computed from others
				return
			} else if _, rank := sc.TypeOf(e); meaning == scope.FunctionCall && rank == 0 {
				check(e) // it is called for each element
				if touches(y, to, map[*scope.Symbol]bool{}) {
					free = false
				}
				return
			}
		}
		emit.Parts(e, visit)
	}
	visit(right)
	return free && to != nil
}

// sameDesignator compares designators whose subscripts have names, literals, ranges and operators.
func sameDesignator(a, b tree.Expression) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	switch a := a.(type) {
	case *tree.Name:
		b, ok := b.(*tree.Name)
		return ok && a.Name == b.Name
	case *tree.Literal:
		b, ok := b.(*tree.Literal)
		return ok && a.Text == b.Text
	case *tree.Component:
		b, ok := b.(*tree.Component)
		return ok && a.Name == b.Name && sameDesignator(a.Base, b.Base)
	case *tree.Binary:
		b, ok := b.(*tree.Binary)
		return ok && a.Operator == b.Operator && sameDesignator(a.X, b.X) && sameDesignator(a.Y, b.Y)
	case *tree.Unary:
		b, ok := b.(*tree.Unary)
		return ok && a.Operator == b.Operator && sameDesignator(a.X, b.X)
	case *tree.Range:
		b, ok := b.(*tree.Range)
		return ok && sameDesignator(a.Lower, b.Lower) && sameDesignator(a.Upper, b.Upper) && sameDesignator(a.Stride, b.Stride)
	case *tree.Reference:
		b, ok := b.(*tree.Reference)
		if !ok || len(a.Arguments) != len(b.Arguments) || !sameDesignator(a.Base, b.Base) {
			return false
		}
		for i := range a.Arguments {
			if a.Arguments[i].Keyword != b.Arguments[i].Keyword || !sameDesignator(a.Arguments[i].Value, b.Arguments[i].Value) {
				return false
			}
		}
		return true
	}
	return false
}

// dimension is one dimension of a designator that is an array: its elements are at lower + number*stride, or where an array says.
type dimension struct {
	lower, upper, stride *Expression
	index                tree.Expression // a vector subscript; else nil
}

// extents are the numbers of elements of the assigned array; nil: its form is not known here.
func (l *lowerer) extents(sc *scope.Scope, e tree.Expression) (list []*Expression) {
	for _, d := range l.dimensions(sc, e) {
		if d == nil {
			continue
		}
		if d.index != nil {
			extents := l.extentsOf(sc, d.index)
			if len(extents) != 1 {
				return nil
			}
			list = append(list, extents[0])
			continue
		}
		list = append(list, folded(Divide, folded(Add, folded(Subtract, d.upper, d.lower), d.stride), d.stride))
	}
	return list
}

// dimensions are the ranges of a section or a whole array, nil for a scalar subscript; no list after a refusal.
func (l *lowerer) dimensions(sc *scope.Scope, e tree.Expression) (list []*dimension) {
	base, subscripts := e, []tree.Argument(nil)
	if r, ok := e.(*tree.Reference); ok {
		base, subscripts = r.Base, r.Arguments
	}
	bound, rank := l.boundsOf(sc, base)
	if bound == nil || subscripts != nil && len(subscripts) != rank {
		return nil
	}
	for d := range rank {
		whole := &dimension{lower: bound(Lowest, d+1), upper: bound(Highest, d+1), stride: one(wide)}
		if subscripts == nil {
			list = append(list, whole)
			continue
		}
		r, ok := subscripts[d].Value.(*tree.Range)
		if !ok {
			if _, rank := sc.TypeOf(subscripts[d].Value); rank != 0 {
				list = append(list, &dimension{index: subscripts[d].Value})
				continue
			}
			list = append(list, nil)
			continue
		}
		outer := l.elements
		l.elements = nil
		for i, x := range []tree.Expression{r.Lower, r.Upper, r.Stride} {
			if x == nil {
				continue
			}
			v := converted(l.expression(sc, x), wide)
			if v == nil {
				l.elements = outer
				return nil
			}
			*[]**Expression{&whole.lower, &whole.upper, &whole.stride}[i] = v
		}
		l.elements = outer
		list = append(list, whole)
	}
	return list
}

// boundsOf gives the bounds of a whole array, of an argument or a private one.
func (l *lowerer) boundsOf(sc *scope.Scope, base tree.Expression) (func(Operation, int) *Expression, int) {
	at := base.Span().From
	if b, ok := base.(*tree.Name); ok {
		y := sc.Lookup(b.Name)
		if l.isPrivate(y) || l.constants(y) {
			v := l.variable(y, at)
			if v == nil {
				return nil, 0
			}
			if v.View > 0 {
				return func(do Operation, d int) *Expression { return &Expression{Do: do, Type: wide, Variable: v, Dim: d} }, v.View
			}
			return func(do Operation, d int) *Expression {
				x := one(wide)
				x.Constant.Integer = v.Lower[d-1]
				if do == Highest {
					x.Constant.Integer = v.Upper[d-1]
				}
				return x
			}, len(v.Lower)
		}
	}
	if c, ok := base.(*tree.Component); ok && l.prefixes[c] == nil {
		if bound := l.fixed(sc, base); bound != nil {
			return bound, len(sc.Component(c).Dims)
		}
	}
	a, which := l.view(sc, base)
	if a == nil {
		return nil, 0
	}
	return func(do Operation, d int) *Expression {
		return &Expression{Do: do, Type: wide, Argument: a, Which: which, Dim: d}
	}, a.Rank
}

// elementOf are the subscripts of the element that an array stands for in an assignment of arrays.
func (l *lowerer) elementOf(sc *scope.Scope, e tree.Expression) (index []*Expression) {
	var subscripts []tree.Argument
	if r, ok := e.(*tree.Reference); ok {
		subscripts = r.Arguments
	}
	at := 0
	for d, of := range l.dimensions(sc, e) {
		if of == nil {
			x := l.expression(sc, subscripts[d].Value)
			if x == nil {
				return nil
			}
			index = append(index, converted(x, wide))
			continue
		}
		if at == len(l.elements.numbers) {
			return nil
		}
		number := l.elements.numbers[at]
		at++
		if of.index != nil {
			outer := l.elements
			l.elements = &elements{numbers: []*Expression{number}}
			x := l.expression(sc, of.index)
			l.elements = outer
			if x == nil || x.Type.Base != scope.Integer {
				return nil
			}
			index = append(index, converted(x, wide))
			continue
		}
		x := number
		if c := of.stride; c.Do != Constant || c.Constant.Integer != 1 {
			x = &Expression{Do: Multiply, Type: wide, Operands: []*Expression{number, c}}
		}
		index = append(index, &Expression{Do: Add, Type: wide, Operands: []*Expression{of.lower, x}})
	}
	if at != len(l.elements.numbers) {
		return nil
	}
	return index
}
