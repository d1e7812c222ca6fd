package device

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// Result is a scalar that all iterations combine. An iteration begins with the identity of the operation and says what it gives.
type Result struct {
	Of        *nest.Reduction // nil: a last value, the number of an iteration, or the result Odd
	Last      *Last           // the last iteration gives it; else nil
	Place     *nest.Reduction // the number of the iteration that has its extreme value; else nil
	Array     *scope.Symbol   // a small array of reals into whose elements the iterations add; else nil
	Operation string          // sum, product, min, max, any, all
	Variable  *Variable
}

// object is a component that all iterations combine.
type object struct {
	designator tree.Expression
	variable   *Variable
}

// most results and dimensions of a reduction on devices: those of an iteration, of 8 bytes each, fit shared memory for 8 iterations at a time
const mostResults, mostReduced = 8, 4

var operations = map[nest.Operator]string{"+": "sum", "-": "sum", "*": "product", "min": "min", "max": "max", ".or.": "any", ".and.": "all"}

// results are the reductions and the last values of the kernel.
func (l *lowerer) results() {
	n := l.k.Nest
	more, odd, do := 0, l.partial, Never // a launch into small arrays is a reduction on the host, and so it is here
	for i := range n.Reductions {
		if takesOdd(&n.Reductions[i]) {
			odd, do = true, Odd
		}
	}
	for i := range n.Reductions {
		if len(n.Reductions[i].Place) > 0 {
			more++
		}
	}
	if odd {
		more++
	}
	count := len(n.Reductions)
	for _, y := range l.k.Last {
		if len(y.Dims) == 0 {
			count++
		}
	}
	if count > 0 && (count+more > mostResults || len(l.k.Loops) > mostReduced) {
		l.refuse(l.k.Loops[0].Do.Where.From, "a loop with reductions or last values has at most 8 of them and 4 loops on devices", "write two loops")
		return
	}
	for i := range n.Reductions {
		r := &n.Reductions[i]
		at := r.Statements[0].Info().Where.From
		t, ok := typeOf(r.Symbol.Type)
		name := l.k.NameOf(r.Symbol)
		if r.Object != nil {
			of, rank := n.Scope.TypeOf(r.Object)
			t, ok = typeOf(of)
			ok = ok && rank == 0 && !(t.Base == scope.Real && (r.Operator == "min" || r.Operator == "max"))
			name = emit.Spelling(r.Object)
		}
		do := operations[r.Operator]
		if r.Operator == nest.LastSet {
			l.refuse(at, "only some iterations set '"+name+"', which is used behind the loop", "set it in each iteration, or find the last iteration that sets it by a maximum of its index")
			return
		}
		switch {
		case do == "" || !ok || t.Base == scope.ComplexType || r.Object == nil && len(r.Symbol.Dims) > 0 || t.Base != scope.Logical && t.Kind < 4:
			l.refuse(at, "the reduction of '"+name+"' is not written for devices", "reduce numbers of 4 or 8 bytes, or logicals")
		case t.Base == scope.Real && len(r.Place) == 0 && !l.exact(r) && (do == "sum" || do == "product"):
			l.out.InOrder = true
		case t.Base == scope.Real && len(r.Place) == 0 && !l.exact(r):
			l.refuse(at, "the reduction of '"+r.Symbol.Name+"' would have other bits on devices", "use one statement s = s + x outside of inner loops")
		}
		if len(l.reasons) > 0 {
			return
		}
		if t.Base == scope.Logical {
			t.Kind = 4
		}
		v := &Variable{Name: r.Symbol.Name, Type: t, Result: i + 1}
		if r.Object != nil {
			l.objects = append(l.objects, object{r.Object, v})
		} else {
			l.variables[r.Symbol] = v
		}
		l.out.Results = append(l.out.Results, &Result{Of: r, Operation: do, Variable: v})
	}
	if l.places(); len(l.reasons) > 0 {
		return
	}
	l.lasts()
	if !odd {
		l.addedResults(0)
	} else {
		l.addedResults(1)
		l.odd = &Variable{Name: Own + "odd", Type: boolean, Result: len(l.out.Results) + 1}
		l.out.Results = append(l.out.Results, &Result{Operation: do, Variable: l.odd})
	}
}

// exact reports whether what an iteration gives, combined with what came before it, has the bits of the statement itself.
func (l *lowerer) exact(r *nest.Reduction) bool {
	extreme := r.Operator == "min" || r.Operator == "max"
	for _, s := range r.Statements {
		a, ok := s.(*tree.Assignment)
		if !ok {
			return extreme && r.Strict
		}
		if extreme {
			continue // see extreme.go
		}
		b, ok := a.Right.(*tree.Binary)
		if !ok || len(r.Statements) > 1 || inLoop(l.k.Body, s) {
			return false
		}
		left, right := sameDesignator(b.X, a.Left), sameDesignator(b.Y, a.Left)
		commutes := b.Operator == "+" || b.Operator == "*"
		if !(left && (commutes || b.Operator == "-") || right && commutes) {
			return false
		}
		to, _ := l.k.Nest.Scope.TypeOf(a.Left)
		if t, _ := l.k.Nest.Scope.TypeOf(a.Right); t.Kind != to.Kind {
			return false // it is rounded after each addition
		}
	}
	return true
}

// inLoop reports whether a statement stands in a loop of the body.
func inLoop(body []tree.Node, s tree.Node) bool {
	found := false
	emit.Statements(body, func(n tree.Node) {
		if d, ok := n.(*tree.Do); ok {
			emit.Statements(d.Body, func(x tree.Node) { found = found || x == s })
		}
	})
	return found
}
