package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// An assignment through a name of ASSOCIATE that reads the same memory by another name stays on the host: gfortran 12 does not see that the two overlap, and
// sets elements before it has read them.

// selector is the array that a name of ASSOCIATE stands for.
type selector struct {
	scope *scope.Scope
	e     tree.Expression
}

// sharesName reports whether an assignment may set elements that it reads by another name.
func (l *lowerer) sharesName(sc *scope.Scope, left, right tree.Expression) (found bool) {
	isNamed := func(e tree.Expression) bool { return l.selectors[sc.Symbol(e)].e != nil }
	emit.Inside(right, func(e tree.Expression) {
		switch x := e.(type) {
		case *tree.Reference:
			meaning, _ := sc.Meaning(x)
			found = found || meaning == scope.FunctionCall && isNamed(left)
		case *tree.Name, *tree.Component:
			y := sc.Symbol(x)
			if y == nil || y == sc.Symbol(left) || y.Kind != scope.Variable && y.Kind != scope.Alias || !isNamed(left) && !isNamed(x) {
				return
			}
			found = found || l.mayShare(sc, left, x)
		}
	})
	return found
}

// mayShare reports whether two designators, of which one begins with a name of ASSOCIATE, may have a common element.
func (l *lowerer) mayShare(sc *scope.Scope, a, b tree.Expression) bool {
	x, partsX := l.memory(sc, a)
	y, partsY := l.memory(sc, b)
	if x == nil || y == nil {
		return true
	}
	seen := func(z *scope.Symbol, list []part) bool {
		return z.Pointer || z.Target || z.Kind == scope.Alias || pointsIn(list)
	}
	if seen(x, partsX) && seen(y, partsY) {
		return true
	}
	if x != y {
		return len(x.Shares) > 0 || len(y.Shares) > 0 || x.Common != "" && x.Common == y.Common
	}
	return len(partsX) == 0 || len(partsY) == 0 || partsX[0].name == partsY[0].name
}

// memory is the variable of a designator, and its components without subscripts. Names of ASSOCIATE are followed.
func (l *lowerer) memory(sc *scope.Scope, e tree.Expression) (*scope.Symbol, []part) {
	y := sc.Symbol(e)
	list, ok := partsOf(sc, e)
	if y == nil || !ok {
		return nil, nil
	}
	var own []part
	for _, p := range list {
		if p.name != "" {
			own = append(own, p)
		}
	}
	if s := l.selectors[y]; s.e != nil {
		root, front := l.memory(s.scope, s.e)
		return root, append(front, own...)
	}
	return y, own
}
