package device

import (
	"libportable/internal/fortran/scope"
	"libportable/internal/nest"
)

// Sums of reals whose statements are no s = s + x, that stand in inner loops, or that go into elements of a small array: the device does the user's
// statements for the iterations of a leaf one after the other, as the host does. Each element of such an array is a result of the launch.

// most results of a launch, where each element of an array counts as one
const mostInOrder = 64

// add makes a small array of reals a result; false: it stays as it was.
func (l *lowerer) add(a *nest.Argument, s *nest.ArraySum) bool {
	y := a.Symbol
	t, ok := typeOf(y.Type)
	if !ok || len(a.Path) > 0 || t.Base != scope.Real || s.Operator != "+" && s.Operator != "-" || len(l.k.Loops) > mostReduced {
		return false
	}
	at := s.Statements[0].Info().Where.From
	if y.Optional || l.added[y] != nil || l.k.Find(y) == nil {
		l.refuse(at, "the sum into the small array '"+y.Name+"' has no form for devices", "sum into scalars")
		return true
	}
	v := &Variable{Name: y.Name, Type: t}
	for _, d := range y.Dims {
		lower := scope.Value{Integer: 1}
		if d.Lower != nil {
			lower, _ = y.Scope.Constant(d.Lower)
		}
		upper, _ := y.Scope.Constant(d.Upper)
		v.Lower, v.Upper = append(v.Lower, lower.Integer), append(v.Upper, upper.Integer)
	}
	if count := v.Elements(); count < 1 || count > mostInOrder {
		l.refuse(at, "the sum into the small array '"+y.Name+"' of more than 64 elements would have other bits on devices", "use integers, or an array without constant bounds")
	}
	l.added[y], l.variables[y], l.out.InOrder = v, v, true
	return true
}

// Elements is their number; of a scalar 1.
func (v *Variable) Elements() int64 { return v.Bytes() / int64(v.Type.Kind) }

// addedResults makes the results, in the order of the sums; more results follow behind them.
func (l *lowerer) addedResults(more int64) {
	for i := range l.k.Nest.Sums {
		y := l.k.Nest.Arguments[l.k.Nest.Sums[i].Argument].Symbol
		v := l.added[y]
		if v == nil {
			continue
		}
		v.Result = len(l.out.Results) + 1
		l.out.Results = append(l.out.Results, &Result{Array: y, Operation: "sum", Variable: v})
	}
	count := more
	for _, r := range l.out.Results {
		count += r.Variable.Elements()
	}
	at := l.k.Loops[0].Do.Where.From
	switch {
	case count > mostInOrder:
		l.refuse(at, "a loop that adds into arrays has at most 64 results on devices, where each element counts", "write two loops")
	case l.out.InOrder && l.phase != nil:
		l.refuse(at, "a loop with the place of an extreme value has no such sums on devices", "write two loops")
	}
}
