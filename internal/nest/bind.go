package nest

import (
	"slices"

	"libportable/internal/fortran/scope"
	"libportable/internal/nest/affine"
)

// This file lets dummies and names of ASSOCIATE stand for their actual arguments.

// bindTo makes the binding of y to a resolved designator. extents are the evaluated dimensions of a dummy, bounds those of the array that
// an element of it is; both are nil of a name of ASSOCIATE.
func (w *walker) bindTo(y *scope.Symbol, r ref, extents, bounds [][2]affine.Form) *binding {
	b := &binding{isRef: true, ref: r}
	b.ref.steps = slices.Clone(r.steps)
	last := &b.ref.steps[len(b.ref.steps)-1]
	ranges := 0
	for _, s := range last.subs {
		if !s.point {
			ranges++
		}
	}
	early := false // ranges before the last step: t(:)%x
	for _, s := range b.ref.steps[:len(b.ref.steps)-1] {
		for _, x := range s.subs {
			early = early || !x.point
		}
	}
	if ranges == 0 && len(y.Dims) == 0 && !early {
		return b // a scalar for a scalar
	}
	if len(y.Dims) == 0 && y.Kind != scope.Alias {
		return b // an elemental procedure
	}
	v := &view{subs: last.subs, from: make([]bool, len(last.subs)), limited: make([]bool, len(last.subs))}
	v.bounds = bounds
	last.view, last.closed, last.subs = v, false, nil
	if early {
		v.rough = true
		return b
	}
	if extents == nil || assumed(y) {
		w.viewShape(y, v, ranges, extents)
		return b
	}
	w.viewSequence(y, v, ranges, extents)
	return b
}

// assumed reports whether a dummy takes its shape from its actual argument.
func assumed(y *scope.Symbol) bool {
	return len(y.Dims) > 0 && (y.Dims[0].Assumed || y.Dims[0].Deferred)
}

// viewShape is for names of ASSOCIATE and for assumed shape: dimension k is range k of the actual argument.
func (w *walker) viewShape(y *scope.Symbol, v *view, ranges int, extents [][2]affine.Form) {
	v.whole = true
	if extents != nil && len(y.Dims) != ranges {
		v.rough = true
		return
	}
	one := affine.Integer(1)
	whole := v.isWhole()
	k := 0
	for _, s := range v.subs {
		if s.point {
			continue
		}
		low := one
		switch {
		case extents != nil && y.Dims[k].Deferred: // pointer or allocatable: the bounds of the actual argument
			low = s.lo
		case extents != nil:
			low = extents[k][0]
		case whole:
			low = s.lo
		}
		v.lower = append(v.lower, low)
		high := low.Plus(s.hi).Minus(s.lo)
		if s.stride != 1 {
			high = w.some("bound")
		}
		v.upper = append(v.upper, high)
		k++
	}
}

// isWhole reports whether the actual argument is an array without subscripts: each dimension is a range with stride 1.
func (v *view) isWhole() bool {
	return !slices.ContainsFunc(v.subs, func(s sub) bool { return s.point || s.stride != 1 })
}

// viewSequence is for explicit shape and assumed size: the elements of the actual argument follow each other as in storage.
func (w *walker) viewSequence(y *scope.Symbol, v *view, ranges int, extents [][2]affine.Form) {
	rank := len(y.Dims)
	for k := range rank {
		v.lower = append(v.lower, extents[k][0])
		v.upper = append(v.upper, extents[k][1])
	}
	if ranges > 0 {
		// A section or a whole array: its ranges, one after the other.
		k := 0
		for _, s := range v.subs {
			if s.point {
				continue
			}
			if k < rank-1 || k < ranges-1 {
				same := k < rank && s.stride == 1 && s.hi.Minus(s.lo).Equal(v.upper[k].Minus(v.lower[k]))
				if !same {
					v.rough = true
					return
				}
			}
			k++
		}
		v.rough = k != rank
		if last := rank - 1; !v.rough && !v.upper[last].Known() {
			v.upper[last] = w.some("bound")
			v.rough = false
		}
		return
	}
	// An element: the array goes on from it.
	if len(v.bounds) < rank || rank > len(v.subs) {
		v.unknown(w)
		return
	}
	for k := range rank {
		s := &v.subs[k]
		low, high := v.bounds[k][0], v.bounds[k][1]
		if k < rank-1 && (!s.lo.Equal(low) || !high.Minus(low).Equal(v.upper[k].Minus(v.lower[k]))) {
			v.unknown(w)
			return
		}
		v.from[k] = true
		// The last dimension may be longer than that of the actual argument, unless it is its last one too.
		v.limited[k] = k == rank-1 && k < len(v.subs)-1 && !w.table.NotNegative(w.st.facts, high.Minus(s.lo).Minus(v.upper[k]).Plus(v.lower[k]))
		*s = sub{lo: s.lo, hi: high, stride: 1, index: s.index}
	}
}

// unknown makes v a view of elements about which nothing is known.
func (v *view) unknown(w *walker) {
	v.rough = true
	v.subs = slices.Clone(v.subs)
	for k := range v.subs {
		x := w.some("?")
		v.subs[k] = sub{lo: x, hi: x, point: true, index: v.subs[k].index}
	}
}
