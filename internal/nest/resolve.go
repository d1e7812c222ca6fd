package nest

import (
	"slices"
	"strconv"

	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/affine"
	"libportable/internal/nest/parts"
)

// resolve makes a designator with its subscripts as forms. It records the reads of the subscripts, not of the designator.
func (w *walker) resolve(e tree.Expression) (ref, bool) {
	r := ref{node: e}
	ok := w.designator(e, &r)
	if !ok || len(r.steps) == 0 {
		return r, false
	}
	w.closeLast(&r)
	return r, true
}

func (w *walker) designator(e tree.Expression, r *ref) bool {
	switch e := e.(type) {
	case *tree.Name:
		return w.named(e, r)
	case *tree.Component:
		if !w.designator(e.Base, r) {
			return false
		}
		w.closeLast(r)
		y := w.scope.Component(e)
		if y == nil {
			if e.Name == "re" || e.Name == "im" {
				return true // a part of a complex number
			}
			w.refuse("not-seen", e.Span().From, "what '"+parts.Show(e)+"' is, is not known", "give the file of its type to portablef")
			return false
		}
		if y.Kind != scope.Variable {
			return false
		}
		if isParent(w.scope, e) {
			r.rough = true
			return true // o%base%x is o%x
		}
		r.steps = append(r.steps, step{symbol: y})
		return true
	case *tree.Reference:
		meaning, _ := w.scope.Meaning(e)
		switch meaning {
		case scope.Element, scope.Section:
			if !w.designator(e.Base, r) {
				return false
			}
			last := &r.steps[len(r.steps)-1]
			if last.closed {
				return false
			}
			w.apply(r, w.subscripts(e, last))
			return true
		case scope.Substring:
			r.rough = true
			for i := range e.Arguments {
				w.expr(e.Arguments[i].Value)
			}
			return w.designator(e.Base, r)
		case scope.NotKnown:
			y := w.scope.Symbol(e)
			w.notKnown(e, y)
		}
	case *tree.Coindexed:
		w.refuse("not-converted", e.Span().From, "coarrays are not converted", "leave the loop as it is: !$portable off")
		return w.designator(e.Base, r)
	}
	return false
}

func (w *walker) named(e *tree.Name, r *ref) bool {
	y := w.scope.Lookup(e.Name)
	switch y.Kind {
	case scope.Missing:
		w.refuse("not-seen", e.Span().From, "module '"+y.Module+"' is in none of the files: what '"+e.Name+"' is, is not known", "give its file to portablef")
		return false
	case scope.Unknown:
		w.refuse("not-seen", e.Span().From, "what '"+e.Name+"' is, is not known", "declare it")
		return false
	case scope.Variable, scope.Alias:
	default:
		return false
	}
	y = w.effects.canonical(y)
	b := w.frame.bindings[y]
	if b == nil && y.Kind == scope.Alias && y.Alias != nil && y.Scope != nil && y.Scope.Parent != nil {
		b = w.bindAround(y)
	}
	if b == nil {
		r.steps = append(r.steps, step{symbol: y})
		r.foreign = w.frame.up != nil
		return true
	}
	if !b.isRef {
		return false
	}
	r.rough = r.rough || b.ref.rough
	r.foreign = b.ref.foreign
	r.steps = append(r.steps, b.ref.steps...)
	return true
}

// bindAround binds a name of an ASSOCIATE that stands around the loop. Its subscripts were evaluated there.
func (w *walker) bindAround(y *scope.Symbol) *binding {
	around := w.scope
	w.scope = y.Scope.Parent
	w.silent++
	var b *binding
	if _, ok := w.effects.datumOf(w.scope, y.Alias); ok {
		if r, ok := w.resolve(y.Alias); ok {
			w.freeze(y, &r)
			b = w.bindTo(y, r, nil, nil)
		}
	}
	w.silent--
	w.scope = around
	if b == nil {
		b = &binding{value: affine.Unknown, isRef: true, ref: ref{steps: []step{{symbol: y}}, node: y.Alias}}
	}
	w.frame.bindings[y] = b
	return b
}

// freeze replaces subscripts of a selector by atoms if what they are made of may change in the construct.
func (w *walker) freeze(y *scope.Symbol, r *ref) {
	body := newEffects()
	n := y.Scope.Construct
	if n == nil {
		return
	}
	for _, b := range parts.Blocks(n) {
		body.add(w.effects.inside(y.Scope, b))
	}
	used := newEffects()
	w.effects.subscripts(y.Scope.Parent, y.Alias, used)
	for d := range used.reads {
		if !body.written(d) {
			continue
		}
		for i := range r.steps {
			for k := range r.steps[i].subs {
				s := &r.steps[i].subs[k]
				a, _ := w.table.Fixed("selector " + w.key(datum{root: y}) + strconv.Itoa(i) + "," + strconv.Itoa(k))
				if s.point {
					s.lo, s.hi = affine.Of(a), affine.Of(a)
				} else {
					b, _ := w.table.Fixed("end of selector " + w.key(datum{root: y}) + strconv.Itoa(i) + "," + strconv.Itoa(k))
					s.lo, s.hi, s.stride = affine.Of(a), affine.Of(b), 0
				}
			}
		}
		return
	}
}

// subscripts are the forms of the arguments of an element or section.
func (w *walker) subscripts(e *tree.Reference, of *step) (list []sub) {
	for i := range e.Arguments {
		list = append(list, w.subscript(e.Arguments[i].Value, of, i))
	}
	return list
}

func (w *walker) subscript(e tree.Expression, of *step, dim int) sub {
	if g, ok := e.(*tree.Range); ok {
		s := sub{stride: 1}
		if g.Stride != nil {
			s.stride = 0
			if n, ok := w.expr(g.Stride).Constant(); ok {
				s.stride = n
			}
		}
		s.full = g.Lower == nil && g.Upper == nil && s.stride == 1
		low, high := w.bounds(of, dim)
		s.lo, s.hi = low, high
		if s.stride < 0 {
			s.lo, s.hi = high, low
		}
		if g.Lower != nil {
			s.lo = w.indexForm(g.Lower, &s)
		}
		if g.Upper != nil {
			s.hi = w.indexForm(g.Upper, &s)
		}
		return s
	}
	if _, rank := w.scope.TypeOf(e); rank != 0 {
		s := sub{lo: affine.Unknown, hi: affine.Unknown, index: w.indexName(e)}
		w.expr(e)
		return s
	}
	s := sub{point: true}
	s.lo = w.indexForm(e, &s)
	s.hi = s.lo
	return s
}

// indexForm is the value of a subscript; one that cannot be followed gets an atom.
func (w *walker) indexForm(e tree.Expression, s *sub) affine.Form {
	f := w.expr(e)
	if !f.Known() {
		a := w.table.Varying(parts.Show(e))
		if n := w.indexName(e); n != nil {
			w.notes[a] = n
		}
		f = affine.Of(a)
	}
	if s.index == nil {
		s.index = w.noteOf(f)
	}
	return f
}

// indexName is the array or function that a subscript goes through, or nil.
func (w *walker) indexName(e tree.Expression) (y *scope.Symbol) {
	parts.Every(e, func(x tree.Expression) {
		if r, ok := x.(*tree.Reference); ok && y == nil {
			if meaning, z := w.scope.Meaning(r); meaning == scope.Element || meaning == scope.Section || meaning == scope.FunctionCall {
				y = z
			}
		}
	})

	if n, ok := e.(*tree.Name); ok && y == nil {
		y = w.scope.Lookup(n.Name)
	}
	return y
}

// closeLast gives the last step all its elements, if it is an array without subscripts.
func (w *walker) closeLast(r *ref) {
	last := &r.steps[len(r.steps)-1]
	if last.closed {
		return
	}
	if last.view != nil {
		w.apply(r, nil)
		return
	}
	for i := range last.symbol.Dims {
		low, high := w.boundsOf(r.steps, i)
		last.subs = append(last.subs, sub{lo: low, hi: high, stride: 1, full: true})
	}
	last.closed = true
}

// bounds are the bounds of the array that a subscript stands in.
func (w *walker) bounds(of *step, dim int) (low, high affine.Form) {
	if of.view != nil {
		if dim < len(of.view.lower) {
			return of.view.lower[dim], of.view.upper[dim]
		}
		return w.some("bound"), w.some("bound")
	}
	return w.boundsOf([]step{*of}, dim)
}

// some is a value about which nothing is known.
func (w *walker) some(name string) affine.Form { return affine.Of(w.table.Varying(name)) }

// boundsOf are the bounds of the last of steps.
func (w *walker) boundsOf(steps []step, dim int) (low, high affine.Form) {
	y := steps[len(steps)-1].symbol
	if dim >= len(y.Dims) {
		return w.some("bound"), w.some("bound")
	}
	d := y.Dims[dim]
	key := "bound " + w.key(ref{steps: steps}.datum()) + " " + strconv.Itoa(dim)
	value := func(e tree.Expression, upper string) affine.Form {
		if e != nil && y.Scope != nil {
			if v, ok := y.Scope.Constant(e); ok && v.Type.Base == scope.Integer {
				return affine.Integer(v.Integer)
			}
			if f, ok := w.declared(y, e); ok {
				return f
			}
		}
		for _, s := range steps[:len(steps)-1] {
			if len(s.subs) > 0 || len(s.symbol.Dims) > 0 {
				return w.some("bound")
			}
		}
		if w.ofFrames(y) {
			return w.some("bound")
		}
		a, _ := w.table.Fixed(key + upper)
		return affine.Of(a)
	}
	low = affine.Integer(1)
	if d.Lower != nil || d.Deferred {
		low = value(d.Lower, "low")
	}
	return low, value(d.Upper, "high")
}

// declared is the value of a bound in a declaration, if its variables never change in their procedure.
func (w *walker) declared(y *scope.Symbol, e tree.Expression) (affine.Form, bool) {
	if w.frame.up != nil || y.Scope == nil || procedure(y.Scope) != w.frame.scope || w.frame.scope.Unit == nil {
		return affine.Unknown, false
	}
	all := w.effects.whole(w.frame.scope)
	ok := true
	parts.Every(e, func(x tree.Expression) {
		switch x := x.(type) {
		case *tree.Reference:
			if meaning, _ := y.Scope.Meaning(x); meaning != scope.IntrinsicCall {
				ok = false
			}
		case *tree.Name:
			z := y.Scope.Lookup(x.Name)
			if z.Kind == scope.Variable && (all.written(datum{root: z}) || len(z.Dims) > 0 || global(z) && len(all.calls) > 0 && all.unknown) {
				ok = false
			}
			if z.Kind == scope.Missing || z.Kind == scope.Unknown {
				ok = false
			}
		case *tree.Component, *tree.Coindexed:
			ok = false
		}
	})

	if !ok {
		return affine.Unknown, false
	}
	if w.bounding > 4 { // a wrong program may declare an array by its own bounds
		return affine.Unknown, false
	}
	around := w.scope
	w.scope = y.Scope
	w.silent++
	w.bounding++
	f := w.expr(e)
	w.bounding--
	w.silent--
	w.scope = around
	return f, f.Known()
}

// apply gives the last step its subscripts; nil means the whole array.
func (w *walker) apply(r *ref, subs []sub) {
	r.steps = append([]step(nil), r.steps...)
	last := &r.steps[len(r.steps)-1]
	last.closed = true
	v := last.view
	if v == nil {
		last.subs = subs
		return
	}
	last.view = nil
	if v.whole && isFull(subs) {
		last.subs = v.subs
		return
	}
	if v.rough || subs != nil && len(subs) != len(v.lower) {
		r.rough = true
		last.subs = v.subs
		return
	}
	if subs == nil {
		for i := range v.lower {
			subs = append(subs, sub{lo: v.lower[i], hi: v.upper[i], stride: 1})
		}
	}
	last.subs = append([]sub(nil), v.subs...)
	next := 0
	for i := range last.subs {
		if last.subs[i].point && !v.from[i] {
			continue
		}
		g, s := last.subs[i], subs[next]
		first := s.lo.Minus(v.lower[next])
		final := s.hi.Minus(v.lower[next])
		next++
		stride := g.stride
		if stride == 0 || !s.lo.Known() {
			last.subs[i] = sub{lo: affine.Unknown, hi: affine.Unknown, index: s.index, point: s.point}
			r.rough = true
			continue
		}
		x := sub{point: s.point, index: s.index, stride: s.stride * stride}
		if !small(s.stride) || !small(stride) {
			x.stride = 0
		}
		x.lo = g.lo.Plus(first.Scaled(stride))
		x.hi = g.lo.Plus(final.Scaled(stride))
		if v.limited[i] && !w.table.NotNegative(w.st.facts, g.hi.Minus(x.hi)) && !(s.point && w.table.NotNegative(w.st.facts, g.hi.Minus(x.lo))) {
			// The storage may go on in the next column.
			for k := range last.subs {
				last.subs[k] = sub{lo: w.some("?"), point: true}
				last.subs[k].hi = last.subs[k].lo
			}
			r.rough = true
			return
		}
		last.subs[i] = x
	}
}

// isFull reports whether subscripts are those of a whole array; nil are.
func isFull(subs []sub) bool {
	return !slices.ContainsFunc(subs, func(s sub) bool { return !s.full })
}

func small(n int64) bool { return n < 1<<20 && n > -(1<<20) }
