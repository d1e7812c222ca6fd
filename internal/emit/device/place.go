package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// A nest that keeps the place of an extreme value is launched twice. The first launch finds the value. The second one gets it as an argument and finds the
// number of the iteration that has it: the first, or for >= and <= the last. The host then runs that iteration, which sets the value and its places.

// place is the extreme value that an IF keeps with its place.
type place struct {
	of     *nest.Reduction
	found  *Argument // the value that the second launch looks for
	number *Variable // the result: the iteration's number
}

// places makes the results and the arguments of the second launch.
func (l *lowerer) places() {
	for i := range l.k.Nest.Reductions {
		r := &l.k.Nest.Reductions[i]
		if len(r.Place) == 0 {
			continue
		}
		if len(l.k.Last) > 0 {
			l.refuse(r.Statements[0].Info().Where.From, "a loop with the place of an extreme value and the last value of '"+l.k.Last[0].Name+"' is not written for devices",
				"find the place in a loop of its own")
			return
		}
		if l.phase == nil {
			l.phase = &Argument{Phase: true, Name: Own + "phase", Type: Type{scope.Integer, 4}}
			l.out.Arguments = append(l.out.Arguments, l.phase)
			l.numberLoops()
		}
		do := "max"
		if r.Strict {
			do = "min"
		}
		p := place{of: r, number: &Variable{Name: r.Symbol.Name, Type: wide, Result: len(l.out.Results) + 1}}
		p.found = &Argument{Found: r, Name: l.members.local(r.Symbol.Name + "_found"), Type: l.variables[r.Symbol].Type}
		l.out.Arguments = append(l.out.Arguments, p.found)
		l.out.Results = append(l.out.Results, &Result{Place: r, Operation: do, Variable: p.number})
		l.found = append(l.found, p)
	}
}

// numberLoops gives the iterations their numbers in the serial order.
func (l *lowerer) numberLoops() {
	l.out.Number = &Variable{Name: Own + "number", Type: wide}
	for i := range l.out.Loops {
		o := &l.out.Loops[i]
		o.Low = &Argument{Loop: i, Name: l.members.local(o.Variable.Name + "_low"), Type: wide}
		o.End = &Argument{Loop: i, Name: l.members.local(o.Variable.Name + "_end"), Type: wide}
		l.out.Arguments = append(l.out.Arguments, o.Low, o.End)
	}
}

// placed is IF (x > s) with s = x and the places in it; nil: the statement is another one.
func (l *lowerer) placed(sc *scope.Scope, n *tree.If) []Statement {
	if l.scope != nil {
		return nil
	}
	for _, p := range l.found {
		if p.of.Statements[0] != tree.Node(n) {
			continue
		}
		condition := n.Branches[0].Condition
		for {
			inner, ok := condition.(*tree.Parenthesis)
			if !ok {
				break
			}
			condition = inner.X
		}
		b := condition.(*tree.Binary) // see the package nest
		e := b.X
		if name, ok := e.(*tree.Name); ok && sc.Lookup(name.Name) == p.of.Symbol {
			e = b.Y
		}
		x := l.expression(sc, e)
		if x == nil {
			return nil
		}
		v := l.variables[p.of.Symbol]
		if x.Type != v.Type {
			l.refuse(n.Where.From, "the extreme value '"+p.of.Symbol.Name+"' has another type than what it is compared with", "give both one type")
			return nil
		}
		line := n.Where.From.Line
		private := func(v *Variable) *Expression { return &Expression{Do: Private, Type: v.Type, Variable: v} }
		argument := func(a *Argument) *Expression { return &Expression{Do: Value, Type: a.Type, Argument: a} }
		test := func(do Operation, a, b *Expression) *Expression {
			return &Expression{Do: do, Type: boolean, Operands: []*Expression{a, b}}
		}
		when := func(c *Expression, to, value *Expression) *If {
			return &If{Conditions: []*Expression{c}, Bodies: [][]Statement{{&Assign{Line: line, To: to, Value: value}}}}
		}
		better := Greater
		if p.of.Operator == "min" {
			better = Less
		}
		value, extreme := private(l.temporary("value", v.Type)), private(v)
		first := when(test(better, value, extreme), extreme, value)
		second := when(test(Equal, value, argument(p.found)), private(p.number), private(l.out.Number))
		null := &Expression{Do: Constant, Type: l.phase.Type, Constant: scope.Value{Type: scope.Type{Base: scope.Integer, Kind: 4}}}
		return []Statement{&Assign{Line: line, To: value, Value: x},
			&If{Conditions: []*Expression{test(Equal, argument(l.phase), null)}, Bodies: [][]Statement{{first}}, Else: []Statement{second}}}
	}
	return nil
}
