package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// associate lowers ASSOCIATE with names of scalars: of a value, which a variable keeps, or of a place, whose subscripts are kept. Both are computed where
// the construct begins.
func (l *lowerer) associate(sc, inner *scope.Scope, n *tree.Associate) (list []Statement) {
	keep := func(x *Expression) *Expression {
		if x.Do == Constant {
			return x
		}
		v := &Expression{Do: Private, Type: x.Type, Variable: l.temporary("name", x.Type)}
		list = append(list, &Assign{Line: n.Where.From.Line, To: v, Value: x})
		return v
	}
	for i := range n.Names {
		name, e := n.Names[i].Name, n.Names[i].Selector
		at := e.Span().From
		y := inner.Lookup(name)
		if t, rank := sc.TypeOf(e); rank != 0 || t.Base == scope.NoType || y == nil || y.Kind != scope.Alias {
			l.refuse(at, "'"+name+"' is a name of ASSOCIATE for an array", "use the array itself")
			return nil
		}
		x := l.expression(sc, e)
		if x == nil {
			return nil
		}
		if !isVariable(sc, e) {
			l.aliases[y] = keep(x)
			continue
		}
		if of := sc.Symbol(e); of == nil || l.combined(of) || x.Variable != nil && x.Variable.Result > 0 {
			l.refuse(at, "'"+name+"' is a name of ASSOCIATE for what iterations combine", "use the variable itself")
			return nil
		}
		place := *x
		place.Operands = nil
		if x.Which != nil {
			place.Which = keep(x.Which)
		}
		for _, index := range x.Operands {
			place.Operands = append(place.Operands, keep(index))
		}
		l.aliases[y] = &place
	}
	f := l.enter(n, n.Name, false)
	list = append(list, l.body(inner, n.Body)...)
	l.leave()
	return []Statement{&Block{Target{f}, list}}
}

// isVariable reports whether a selector is a variable, and no value.
func isVariable(sc *scope.Scope, e tree.Expression) bool {
	switch e := e.(type) {
	case *tree.Name:
		y := sc.Lookup(e.Name)
		return y.Kind == scope.Variable || y.Kind == scope.Alias
	case *tree.Component:
		return true
	case *tree.Reference:
		meaning, _ := sc.Meaning(e)
		return meaning == scope.Element
	}
	return false
}

// combined reports whether iterations add into the variable, or reduce it.
func (l *lowerer) combined(y *scope.Symbol) bool {
	for _, s := range l.k.Nest.Sums {
		if l.k.Nest.Arguments[s.Argument].Symbol == y {
			return true
		}
	}
	return false
}

// isPlace reports whether a name of ASSOCIATE stands for a variable.
func (l *lowerer) isPlace(y *scope.Symbol) bool {
	if y == nil || y.Kind != scope.Alias {
		return false
	}
	x := l.aliases[y]
	return x == nil || x.Do == Element
}
