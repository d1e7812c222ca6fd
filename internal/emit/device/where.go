package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// masked are the parts of a WHERE construct, those of constructs inside too.
type masked struct {
	lefts, others []tree.Expression // what is assigned; masks and right sides
}

// where lowers WHERE as one loop over the elements that has the masks as conditions. Fortran does each assignment for all elements before the next: one
// loop has the same values if no element needs what another one sets.
func (l *lowerer) where(sc *scope.Scope, n *tree.Where) []Statement {
	at := n.Where.From
	m := &masked{}
	if !l.maskedIn(sc, m, n) {
		return nil
	}
	if len(m.lefts) == 0 {
		return nil // masks have no effect
	}
	for i, left := range m.lefts {
		for _, e := range append(m.others, m.lefts...) {
			if l.sharesName(sc, left, e) {
				l.refuse(left.Span().From, "WHERE that may read what it sets by a name of ASSOCIATE", "use the array itself")
				return nil
			}
		}
		for j, other := range m.lefts {
			if i != j && !l.apart(sc, left, other, false) {
				l.refuse(other.Span().From, "WHERE that sets different elements of one array", "write two constructs, or a loop over the elements")
				return nil
			}
		}
		for _, e := range m.others {
			if !l.apart(sc, left, e, false) {
				l.refuse(e.Span().From, "WHERE that reads other elements of an array that it sets", "copy the array before, or write a loop over the elements")
				return nil
			}
		}
	}
	extents := l.extents(sc, m.lefts[0])
	if extents == nil {
		if len(l.reasons) == 0 {
			l.refuse(at, "WHERE of this form is not written for devices", "write a loop over the elements")
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
	body := l.masks(sc, n)
	l.elements, l.inner = outer, inner
	if body == nil {
		return nil
	}
	return l.loops(e, extents, append(within, body))
}

// maskedIn collects the parts; false after a refusal.
func (l *lowerer) maskedIn(sc *scope.Scope, m *masked, n *tree.Where) bool {
	bodies := [][]tree.Node{n.Else}
	for i := range n.Branches {
		m.others = append(m.others, n.Branches[i].Condition)
		bodies = append(bodies, n.Branches[i].Body)
	}
	for _, body := range bodies {
		for _, s := range body {
			switch s := s.(type) {
			case *tree.Assignment:
				if sc.Assignment(s.Left, s.Right) != nil || l.sumOf(s) != nil {
					l.refuse(s.Where.From, "this assignment in WHERE is not written for devices", "write a loop over the elements")
					return false
				}
				m.lefts, m.others = append(m.lefts, s.Left), append(m.others, s.Right)
			case *tree.Where:
				if !l.maskedIn(sc, m, s) {
					return false
				}
			case *tree.Passive:
			default:
				l.refuse(s.Info().Where.From, statementName(s)+" in WHERE is not written for devices", "write a loop over the elements")
				return false
			}
		}
	}
	return true
}

// masks is the construct for one element; nil after a refusal.
func (l *lowerer) masks(sc *scope.Scope, n *tree.Where) Statement {
	out := &If{}
	for i := range n.Branches {
		c := l.condition(sc, n.Branches[i].Condition)
		if c == nil {
			return nil
		}
		out.Conditions = append(out.Conditions, c)
		out.Bodies = append(out.Bodies, l.assignments(sc, n.Branches[i].Body))
	}
	out.Else = l.assignments(sc, n.Else)
	if len(l.reasons) > 0 {
		return nil
	}
	return out
}

// assignments are those of one element.
func (l *lowerer) assignments(sc *scope.Scope, body []tree.Node) (list []Statement) {
	for _, s := range body {
		switch s := s.(type) {
		case *tree.Assignment:
			value, to := l.expression(sc, s.Right), l.designator(sc, s.Left)
			if value == nil || to == nil {
				return nil
			}
			if to.Do == Value || (to.Type.Base == scope.Logical) != (value.Type.Base == scope.Logical) {
				l.refuse(s.Where.From, "this assignment in WHERE is not written for devices", "write a loop over the elements")
				return nil
			}
			list = append(list, &Assign{Line: s.Where.From.Line, To: to, Value: converted(value, to.Type)})
		case *tree.Where:
			inner := l.masks(sc, s)
			if inner == nil {
				return nil
			}
			list = append(list, inner)
		}
	}
	return list
}

// touches reports whether a procedure, or one that it calls, may name the variable, which it then has from its module or its host.
func touches(y, variable *scope.Symbol, seen map[*scope.Symbol]bool) (found bool) {
	if seen[y] || y.Kind == scope.Intrinsic {
		return false
	}
	seen[y] = true
	if y.Body == nil || y.Body.Unit == nil {
		return true
	}
	emit.Statements(y.Body.Unit.Body, func(n tree.Node) {
		emit.Own(n, func(e tree.Expression) {
			emit.Inside(e, func(x tree.Expression) {
				name, ok := x.(*tree.Name)
				if !ok || found {
					return
				}
				switch z := y.Body.Lookup(name.Name); {
				case z == nil:
				case z == variable || z.Kind == scope.Generic:
					found = true
				case z.Kind == scope.Procedure:
					found = touches(z, variable, seen)
				}
			})
		})
		if c, ok := n.(*tree.Call); ok {
			if name, ok := c.Procedure.(*tree.Name); ok && !found {
				z := y.Body.Lookup(name.Name)
				found = z == nil || touches(z, variable, seen)
			}
		}
	})
	return found
}
