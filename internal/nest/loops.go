package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
)

// index is the value of a loop's variable in any iteration, with what is known of it, and the atom that tells iterations apart.
func (w *walker) index(name string, first, last, step affine.Form) (value affine.Form, facts []affine.Form, v affine.Atom) {
	v = w.table.Varying(name)
	w.isIndex[v] = true
	value = affine.Of(v)
	n, isConstant := step.Constant()
	switch {
	case isConstant && n == 1:
		return value, []affine.Form{value.Minus(first), last.Minus(value)}, v
	case isConstant && n == -1:
		return value, []affine.Form{first.Minus(value), value.Minus(last)}, v
	case !first.Known() || !step.Known() || isConstant && n == 0:
		return value, nil, v
	}
	// v counts iterations from 0.
	count := value
	value = first.Plus(step.Times(count))
	facts = []affine.Form{count}
	switch {
	case !value.Known():
		return affine.Of(v), nil, v
	case isConstant && n > 0:
		facts = append(facts, last.Minus(value))
	case isConstant:
		facts = append(facts, value.Minus(last))
	}
	return value, facts, v
}

// runs proves that a loop has an iteration.
func (w *walker) runs(first, last, step affine.Form) bool {
	n, ok := step.Constant()
	switch {
	case ok && n > 0:
		return w.table.NotNegative(w.known(), last.Minus(first))
	case ok && n < 0:
		return w.table.NotNegative(w.known(), first.Minus(last))
	}
	return false
}

// known are the facts that hold here.
func (w *walker) known() affine.Facts {
	return append(w.table.Always[:len(w.table.Always):len(w.table.Always)], w.st.facts...)
}

func (w *walker) do(n *tree.Do) {
	switch n.Kind {
	case tree.Counted:
		w.counted(n)
	case tree.Concurrent:
		w.concurrent(n)
	default:
		w.whileLoop(n)
	}
}

// step is the value of a loop's step.
func (w *walker) step(e tree.Expression) affine.Form {
	if e == nil {
		return affine.Integer(1)
	}
	return w.expr(e)
}

func (w *walker) counted(n *tree.Do) {
	first, last, step := w.expr(n.First), w.expr(n.Last), w.step(n.Step)
	variable := &tree.Name{At: tree.At{Where: n.VariableAt}, Name: n.Variable}
	r, ok := w.resolve(variable)
	if !ok {
		w.refuse("not-read", n.Where.From, "the loop variable '"+n.Variable+"' at "+w.line(n.Where.From)+" is not understood", "declare it")
		return
	}
	if r.last().Type.Base != scope.Integer {
		w.refuse("not-converted", n.Where.From, "the loop variable '"+n.Variable+"' at "+w.line(n.Where.From)+" is no integer", "use an integer")
	}
	runs := w.runs(first, last, step)
	w.write(r, affine.Unknown)
	d := r.datum()
	changes := w.changes(n.Body)
	w.havoc(w.st, changes)
	before := w.st
	w.st = w.copied(before)
	newest := w.table.Newest()
	value, facts, v := w.index(n.Variable, first, last, step)
	w.st.env[d] = value
	w.assume(facts...)
	n1, _ := step.Constant()
	follows := w.coversAny(changes)
	unit := n1 == 1 || n1 == -1
	if follows && unit && w.sweeps < deepestSweep {
		w.earlier(n, first, v, n1, newest)
	}
	f := &loopFrame{name: n.Name, isLoop: true}
	body := w.body(n, f)
	after := w.copied(before)
	after.env[d] = w.final(first, last, n1, runs)
	if runs && !body.dead {
		for e := range body.set {
			after.set[e] = true
		}
	}
	if follows && !unit && !body.dead {
		w.few(after, body, v, first, last, n1)
	}
	if follows && unit && !body.dead {
		low, high := first, last
		if n1 < 0 {
			low, high = last, first
		}
		w.sweep(after, body, v, low, high, newest, runs)
	}
	w.st = w.merged(after, f.leave)
}

// final is the value of a loop's variable behind the loop.
func (w *walker) final(first, last affine.Form, step int64, runs bool) affine.Form {
	one := affine.Integer(1)
	switch {
	case step == 1 && (runs || w.table.NotNegative(w.known(), last.Minus(first).Plus(one))):
		return last.Plus(one)
	case step == -1 && (runs || w.table.NotNegative(w.known(), first.Minus(last).Plus(one))):
		return last.Minus(one)
	}
	return w.some("a loop variable behind its loop")
}

// body walks the body of a loop once and returns the state at the end of an iteration.
func (w *walker) body(n *tree.Do, f *loopFrame) *state {
	w.frame.loops = append(w.frame.loops, f)
	w.block(n.Body)
	w.arrive(n.End.Label)
	w.frame.loops = w.frame.loops[:len(w.frame.loops)-1]
	end := w.merged(w.st, f.cycle)
	if end == nil {
		end = w.st
	}
	return end
}

// deepestSweep bounds walks of earlier iterations inside of each other: a walk of n nested loops has about n*n/2 steps. A value that earlier
// iterations of the loops below have set matters to reads alone, and these walks have none.
const deepestSweep = 1

// earlier adds the elements that earlier iterations of an inner loop have set.
func (w *walker) earlier(n *tree.Do, first affine.Form, v affine.Atom, step int64, newest affine.Atom) {
	entry := w.st
	w.st = w.copied(entry)
	w.silent++
	w.sweeps++
	lost := w.lost
	end := w.body(n, &loopFrame{name: n.Name, isLoop: true})
	w.sweeps--
	w.silent--
	w.lost = lost || w.lost
	w.st = entry
	if end.dead {
		return
	}
	one := affine.Integer(1)
	low, high := first, affine.Of(v).Minus(one)
	if step < 0 {
		low, high = affine.Of(v).Plus(one), first
	}
	for d, list := range end.regions {
		for _, r := range list {
			if hasRegion(entry.regions[d], r) {
				continue
			}
			// The end of the sweep has v itself, so v is replaced by another atom first.
			u := w.table.Varying("an earlier iteration")
			swap := func(a affine.Atom) affine.Atom {
				if a == v {
					return u
				}
				return a
			}
			moved := make(region, len(r))
			for i := range r {
				moved[i] = span{r[i].lo.Replaced(swap), r[i].hi.Replaced(swap)}
			}
			if s, ok := w.swept(moved, u, low, high, newest, false); ok {
				w.addRegion(entry, d, s)
			}
		}
	}
}

// few adds what the iterations of a loop with a constant number of iterations have set, one after the other. v counts them from 0.
func (w *walker) few(after, body *state, v affine.Atom, first, last affine.Form, step int64) {
	a, ok := first.Constant()
	b, known := last.Constant()
	if !ok || !known || step == 0 || (b-a+step)/step > 16 {
		return
	}
	for d, list := range body.regions {
		for _, r := range list {
			if hasRegion(after.regions[d], r) || slices.ContainsFunc(r, func(s span) bool {
				isNew := func(x affine.Atom) bool { return x > v && w.table.Varies(affine.Of(x)) }
				return s.lo.Has(isNew) || s.hi.Has(isNew)
			}) {
				continue
			}
			for count := int64(0); count < (b-a+step)/step; count++ {
				one := make(region, len(r))
				for i, s := range r {
					one[i] = span{s.lo.With(v, affine.Integer(count)), s.hi.With(v, affine.Integer(count))}
				}
				w.addRegion(after, d, one)
			}
		}
	}
}

func hasRegion(list []region, r region) bool {
	for _, old := range list {
		if old.equal(r) {
			return true
		}
	}
	return false
}

// sweep adds to a state what all iterations of a loop have set together.
func (w *walker) sweep(after, body *state, v affine.Atom, low, high affine.Form, newest affine.Atom, runs bool) {
	for d, list := range body.regions {
		for _, r := range list {
			if hasRegion(after.regions[d], r) {
				continue
			}
			if s, ok := w.swept(r, v, low, high, newest, runs); ok {
				w.addRegion(after, d, s)
			}
		}
	}
}

// coversAny reports whether statements set elements of the arrays that are followed.
func (w *walker) coversAny(changes []datum) bool {
	for _, d := range changes {
		for e := range w.covering {
			if d.root == e.root {
				return true
			}
		}
	}
	return false
}

// changes are the data that statements may write, with dummies replaced by what they stand for.
func (w *walker) changes(body []tree.Node) (list []datum) {
	return w.changed(w.effects.inside(w.scope, body))
}

// changed are the data that effects write.
func (w *walker) changed(f *effects) (list []datum) {
	w.spend(5 * int64(len(f.writes)))
	for d := range f.writes {
		if b := w.frame.bindings[d.root]; b != nil && b.isRef {
			d = datum{root: b.ref.datum().root}
		}
		list = append(list, d)
	}
	if f.unknown || f.pointers {
		for d := range w.st.env {
			if f.written(d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// havoc gives all scalars that may change a value about which nothing is known.
func (w *walker) havoc(s *state, changes []datum) {
	roots := map[*scope.Symbol]bool{}
	for _, d := range changes {
		roots[d.root] = true
		for _, y := range d.root.Shares {
			roots[y] = true
		}
	}
	for d := range s.env {
		if roots[d.root] {
			s.env[d] = w.some(d.name())
			continue
		}
		for y := range roots {
			if mayPoint(y) && mayPoint(d.root) || y.Common != "" && y.Common == d.root.Common && y.Scope != d.root.Scope {
				s.env[d] = w.some(d.name())
			}
		}
	}
	for d := range roots {
		x := datum{root: d}
		if _, known := s.env[x]; !known && isInteger(d) {
			s.env[x] = w.some(d.Name)
		}
	}
}

func (w *walker) whileLoop(n *tree.Do) {
	w.havoc(w.st, w.changes(n.Body))
	if n.Condition != nil {
		w.expr(n.Condition)
	}
	before := w.st
	w.st = w.copied(before)
	f := &loopFrame{name: n.Name, isLoop: true}
	w.body(n, f)
	if n.Kind == tree.Forever {
		before = newState()
		before.dead = true
	}
	w.st = w.merged(before, f.leave)
	if w.st == nil {
		w.st = before
	}
}

// concurrent is a DO CONCURRENT inside of the loop.
func (w *walker) concurrent(n *tree.Do) {
	w.havoc(w.st, w.changes(n.Body))
	before := w.copied(w.st)
	w.indices(n.Indices)
	if n.Condition != nil {
		yes, _ := w.condition(n.Condition)
		w.assume(yes...)
	}
	f := &loopFrame{name: n.Name, isLoop: true}
	w.body(n, f)
	w.st = before
}
