package host

import (
	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// most bytes of an array that each tile sums up for itself
const mostPartial = 4096

// planSums decides for each sum into array elements: a partial array for each tile if it is small, else atomics.
func (n *one) planSums() {
	for i := range n.n.Sums {
		s := &n.n.Sums[i]
		y := n.n.Arguments[s.Argument].Symbol
		if len(n.n.Arguments[s.Argument].Path) == 0 && n.partial(s, y) {
			continue
		}
		if !atomic(s.Operator, n.n.Arguments[s.Argument].Type) {
			n.refuse(s.Statements[0].Info().Where.From, "the sum into elements of '"+y.Name+"' has no atomic operation for its type and operator",
				"declare the array with constant bounds, or run another loop in parallel")
			return
		}
		for _, node := range s.Statements {
			if !n.keeps(node, s) {
				n.refuse(node.Info().Where.From, "what is combined with elements of '"+y.Name+"' has a wider kind than they have, and an atomic update would round or cut it first",
					"convert it, or declare the array with its kind")
				return
			}
			if n.inMasked(node) {
				n.refuse(node.Info().Where.From, "the sum into elements of '"+y.Name+"' stands in WHERE or FORALL, which cannot hold an atomic update",
					"write it as a loop with IF")
				return
			}
			if t := n.n.Arguments[s.Argument].Type; n.w.o.Math != nil && t.Base == scope.Real && s.Operator != "min" && s.Operator != "max" {
				n.refuse(node.Info().Where.From, "the iterations add to elements of '"+y.Name+"' in any order, which changes last bits (--bits)",
					"declare the array with constant bounds, or run another loop in parallel")
				return
			}
			n.sums[node] = s
		}
	}
}

// keeps reports whether the terms of a statement can take the type of the element before they are combined with it: integers do for sums, which wrap.
func (n *one) keeps(node tree.Node, s *nest.ArraySum) bool {
	a, ok := node.(*tree.Assignment)
	if !ok {
		return false
	}
	in := n.scope
	for _, a := range n.k.Arguments {
		for _, u := range a.Uses {
			if u.Statement == node {
				in = u.Scope
			}
		}
	}
	to, _ := in.TypeOf(a.Left)
	t, _ := in.TypeOf(a.Right)
	switch {
	case t.Base != to.Base:
		return to.Base == scope.Real && t.Base == scope.Integer
	case to.Base == scope.Integer && s.Operator != "min" && s.Operator != "max":
		return true
	}
	return t.Kind == to.Kind
}

// inMasked reports whether a statement stands in WHERE or FORALL.
func (n *one) inMasked(node tree.Node) bool {
	found := false
	emit.Statements(n.k.Body, func(s tree.Node) {
		switch s.(type) {
		case *tree.Where, *tree.Forall:
			emit.Statements([]tree.Node{s}, func(x tree.Node) { found = found || x == node })
		}
	})
	return found
}

func atomic(op nest.Operator, t scope.Type) bool {
	switch op {
	case "+", "-":
	case "min", "max":
		return t.Base == scope.Integer && (t.Kind == 4 || t.Kind == 8)
	default:
		return false
	}
	return (t.Base == scope.Integer || t.Base == scope.Real) && (t.Kind == 4 || t.Kind == 8)
}

// partial makes the array a result if its bounds are constants and it is small.
func (n *one) partial(s *nest.ArraySum, y *scope.Symbol) bool {
	elements := int64(1)
	var extents []string
	for _, d := range y.Dims {
		if d.Deferred || d.Assumed || d.Star || d.Upper == nil {
			return false
		}
		lower := int64(1)
		if d.Lower != nil {
			v, ok := y.Scope.Constant(d.Lower)
			if !ok {
				return false
			}
			lower = v.Integer
		}
		v, ok := y.Scope.Constant(d.Upper)
		if !ok {
			return false
		}
		extent := max(0, v.Integer-lower+1)
		elements *= extent
		extents = append(extents, decimal(int(extent)))
	}
	if len(y.Dims) == 0 || elements*int64(max(y.Type.Kind, 1)) > mostPartial || y.Optional {
		return false
	}
	if s.Operator == "min" || s.Operator == "max" {
		return false
	}
	var kept []*emit.Argument
	for _, a := range n.k.Arguments {
		if a.Symbol != y {
			kept = append(kept, a)
		}
	}
	if len(kept) != len(n.k.Arguments)-1 {
		return false
	}
	text, refs, ok := n.declaredDims(y)
	if !ok {
		return false
	}
	r := n.result(y)
	if r == nil {
		return false
	}
	n.partials = append(n.partials, n.k.Find(y))
	n.k.Arguments = kept
	r.operator, r.dims, r.extents = s.Operator, text, extents
	r.floating = y.Type.Base == scope.Real || y.Type.Base == scope.ComplexType
	r.need = append(r.need, refs...)
	r.identity = n.identity(s.Operator, y.Type, r)
	r.reduction = &nest.Reduction{}
	return true
}

// workersAlone is whether a tile belongs to a launch on one thread.
const workersAlone = "@portable_t%workers == 1"

// mayBeAlone reports whether a launch on one thread may add by the user's statements: no other thread adds at the same time. Launches in streams
// run next to others.
func (n *one) mayBeAlone() bool { return len(n.sums) > 0 && n.stream() == "" }

// atomicOfOpenMP reports whether the nest has an ATOMIC or CRITICAL of OpenMP.
func (n *one) atomicOfOpenMP() (atomic bool) {
	directives(n.k.Inner.Body, n.k.Inner.End, func(d *tree.Directive) { atomic = atomic || isAtomicOfOpenMP(d.Line) })
	return atomic
}

// leaveRegion leaves a nest with ATOMIC or CRITICAL to the user's statements where threads of a region of OpenMP may run it together: a launch reads a
// sum at its beginning and sets it at its end. The compiler of the generated file decides whether there are such threads.
func (n *one) leaveRegion() {
	if t := &n.place.text; n.atomicOfOpenMP() {
		t.conditional(4, "@portable_done = .not. omp_in_parallel()")
		if n.stream() != "" {
			t.conditional(4, "if (.not. @portable_done) call @portable_stream_fence(@portable_stream)")
		}
		t.conditional(4, "if (.not. @portable_done) return")
	}
}

// writeSum puts the atomic operation into the place of a sum, or next to the user's statement, which a launch on one thread runs.
func (n *one) writeSum(e *editor, node tree.Node, call string, sp speller) {
	from, to := node.Info().Where.From.Offset, node.Info().Where.To.Offset
	condition, ends := n.around(node)
	switch a := node.(*tree.Assignment); {
	case ends || !n.mayBeAlone():
		e.replace(from, to, n.resolve(call))
	case condition || e.start(from) == from && (from == 0 || e.source[from-1] != '\n') || e.end(to) == to:
		both := "if (@portable_alone) then; " + sp.text(a.Left) + " = " + sp.text(a.Right) + "; else; " + call + "; end if"
		if condition {
			both = "then; " + both + "; end if"
		}
		e.replace(from, to, n.resolve(both))
	default:
		indent := int(from - e.start(from))
		var before, behind text
		before.form, behind.form = n.w.form, n.w.form
		before.resolve, behind.resolve = n.resolve, n.resolve
		before.add(indent, "if (@portable_alone) then")
		behind.add(indent, "else")
		behind.add(indent+2, call)
		behind.add(indent, "end if")
		e.insert(from, before.pieces)
		e.after(to, behind.pieces)
	}
}

// around reports whether a statement stands in an IF of one line, and whether it ends a loop by its label, where no block may stand.
func (n *one) around(node tree.Node) (condition, ends bool) {
	where := node.Info().Where
	emit.Statements(n.k.Body, func(s tree.Node) {
		switch s := s.(type) {
		case *tree.If:
			if s.OneLine && len(s.Branches) > 0 && len(s.Branches[0].Body) > 0 && s.Branches[0].Body[0] == node {
				condition, where = true, s.Where
			}
		}
	})
	emit.Statements(n.k.Body, func(s tree.Node) {
		if do, ok := s.(*tree.Do); ok && do.EndLabel != 0 && do.End.Where == where {
			ends = true
		}
	})
	return condition, ends
}

// atomicCall is the statement in the place of a sum into an element.
func (n *one) atomicCall(node tree.Node, s *nest.ArraySum, sp speller) (string, bool) {
	a, ok := node.(*tree.Assignment)
	if !ok {
		return "", false
	}
	t, _ := n.scope.TypeOf(a.Left)
	if s.Operator == "min" || s.Operator == "max" {
		f, ok := a.Right.(*tree.Reference)
		if !ok || len(f.Arguments) != 2 {
			return "", false
		}
		x := f.Arguments[1].Value
		if sameText(x, a.Left) {
			x = f.Arguments[0].Value
		}
		return "call @portable_atomic_" + string(s.Operator) + "(" + sp.text(a.Left) + ", " + n.convert(x, sp.text(x), t) + ")", true
	}
	// The statement adds each term in the kind of the element, not all of them in theirs.
	terms, ok := sumTerms(a, sameText, func(e tree.Expression) string { return n.convert(e, sp.text(e), t) })
	if !ok {
		return "", false
	}
	return "call @portable_atomic_add(" + sp.text(a.Left) + ", " + terms + ")", true
}

// convert gives a value the kind that assignment would give it.
func (n *one) convert(e tree.Expression, text string, t scope.Type) string {
	have, _ := n.scope.TypeOf(e)
	if have.Base == t.Base && have.Kind == t.Kind {
		return text
	}
	if t.Base == scope.Integer {
		return "int(" + text + ", " + decimal(t.Kind) + ")"
	}
	return "real(" + text + ", " + decimal(t.Kind) + ")"
}

func sameText(a, b tree.Expression) bool { return speller{}.text(a) == speller{}.text(b) }

// sumTerms are the terms that an assignment adds to its left side, as one expression; false: it is no such sum.
func sumTerms(s *tree.Assignment, same func(a, b tree.Expression) bool, spell func(tree.Expression) string) (string, bool) {
	text, found, good := "", 0, true
	var walk func(e tree.Expression, minus bool)
	walk = func(e tree.Expression, minus bool) {
		if b, ok := e.(*tree.Binary); ok && (b.Operator == "+" || b.Operator == "-") {
			walk(b.X, minus)
			walk(b.Y, minus != (b.Operator == "-"))
			return
		}
		if u, ok := e.(*tree.Unary); ok && (u.Operator == "+" || u.Operator == "-") {
			walk(u.X, minus != (u.Operator == "-"))
			return
		}
		if same(e, s.Left) {
			found++
			good = good && !minus
			return
		}
		sign := " + "
		if minus {
			sign = " - "
		}
		if text == "" {
			sign = map[bool]string{true: "-", false: ""}[minus]
		}
		if _, ok := e.(*tree.Binary); ok && minus {
			text += sign + "(" + spell(e) + ")"
			return
		}
		text += sign + spell(e)
	}
	walk(s.Right, false)
	return text, good && found == 1 && text != ""
}
