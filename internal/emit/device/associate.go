package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// Bind makes a view of an array that has another name; Value is a Vector. Lower bounds that are not 1 follow as Shape.
type Bind struct {
	Variable *Variable
	Value    *Expression
}

func (*Bind) statement() {}

// associate lowers ASSOCIATE with names of scalars, of a value, which a variable keeps, or of a place, whose subscripts are kept; and with names of arrays,
// which are views. All are computed where the construct begins.
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
		if _, rank := sc.TypeOf(e); rank != 0 && y != nil && y.Kind == scope.Alias {
			if of := sc.Symbol(e); of != nil && !l.combined(of) {
				bound := l.bound(sc, y, e)
				if len(l.reasons) > 0 {
					return nil
				}
				if list = append(list, bound...); bound != nil {
					continue
				}
			}
		}
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

// bound makes the view of a name of ASSOCIATE for an array or a section; nil: it has another form.
func (l *lowerer) bound(sc *scope.Scope, y *scope.Symbol, e tree.Expression) []Statement {
	t, rank := sc.TypeOf(e)
	of, known := typeOf(t)
	if !known || rank > 7 {
		return nil
	}
	v := &Variable{Name: l.names.local(y.Name), Type: of, View: rank, Constant: true}
	dims := make([]scope.Dimension, rank)
	for d := range dims {
		dims[d].Assumed = true
	}
	x := l.vector(sc, v, &scope.Symbol{Name: y.Name, Dims: dims}, e, y.Name)
	if x == nil {
		return nil
	}
	v.Constant = x.Argument != nil && !x.Argument.Write || x.Variable != nil && x.Variable.Constant
	list := []Statement{&Bind{v, x}}
	b := bounds{}
	ask, _ := l.boundsOf(sc, e)
	for d := range rank {
		lower := one(wide)
		if _, section := e.(*tree.Reference); !section && ask != nil { // the whole array keeps its bounds
			lower = ask(Lowest, d+1)
			list = append(list, &Shape{Variable: v, Dim: d + 1, Lower: lower})
		}
		b.lower = append(b.lower, lower)
		b.upper = append(b.upper, folded(Subtract, folded(Add, lower, x.Operands[2*d]), one(wide)))
	}
	if l.slices == nil {
		l.slices = map[*Variable]bounds{}
	}
	l.slices[v], l.variables[y] = b, v
	if l.selectors == nil {
		l.selectors = map[*scope.Symbol]selector{}
	}
	l.selectors[y] = selector{sc, e}
	*l.locals = append(*l.locals, v)
	return list
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
	return l.variables[y] == nil && (x == nil || x.Do == Element)
}
