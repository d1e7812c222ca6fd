package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// choice is SELECT CASE as a chain of conditions on a value that is evaluated once.
func (l *lowerer) choice(sc *scope.Scope, n *tree.Select) []Statement {
	at := n.Where.From
	if n.Kind != "case" {
		l.refuse(at, "SELECT "+n.Kind+" in the loop is not written for devices", "select before the loop, or write IF")
		return nil
	}
	x := l.expression(sc, n.Selector)
	if x == nil {
		return nil
	}
	v := l.temporary("chosen", x.Type)
	chosen := &Expression{Do: Private, Type: x.Type, Variable: v}
	out := &If{}
	f := l.enter(n, n.Name, false)
	for i := range n.Cases {
		c := &n.Cases[i]
		if !c.Where.From.Known() {
			continue
		}
		body := l.body(sc, c.Body)
		if c.Default {
			out.Else = body
			continue
		}
		var any *Expression
		for _, e := range c.Values {
			any = joined(Or, any, l.covers(sc, chosen, e))
		}
		if any == nil {
			l.refuse(c.Where.From, "a case that is no constant", "write constants in CASE")
			break
		}
		out.Conditions, out.Bodies = append(out.Conditions, any), append(out.Bodies, body)
	}
	l.leave()
	list := []Statement{&Assign{Line: at.Line, To: chosen, Value: x}}
	if len(out.Conditions) == 0 {
		list = append(list, out.Else...)
	} else {
		list = append(list, out)
	}
	return []Statement{&Block{Target{f}, list}}
}

// covers is the test of one value or range of a CASE.
func (l *lowerer) covers(sc *scope.Scope, chosen *Expression, e tree.Expression) *Expression {
	test := func(do Operation, e tree.Expression) *Expression {
		if e == nil {
			return nil
		}
		x := l.expression(sc, e)
		if x == nil {
			return nil
		}
		t := wider(chosen.Type, x.Type) // a value that the selector's kind does not have is no other value
		return &Expression{Do: do, Type: boolean, Operands: []*Expression{converted(chosen, t), converted(x, t)}}
	}
	if r, ok := e.(*tree.Range); ok {
		return joined(And, test(AtLeast, r.Lower), test(AtMost, r.Upper))
	}
	return test(Equal, e)
}

// boolean is the type of comparisons; logical kinds matter in memory only.
var boolean = Type{scope.Logical, 4}

func joined(do Operation, a, b *Expression) *Expression {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return &Expression{Do: do, Type: boolean, Operands: []*Expression{a, b}}
}
