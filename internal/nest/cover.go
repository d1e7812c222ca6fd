package nest

import (
	"libportable/internal/nest/affine"
)

// This file holds the elements of arrays that an iteration has set for sure: boxes of index ranges.

// region is a box: one range for each subscript of a reference. A box without ranges is the whole array.
type region []span

type span struct{ lo, hi affine.Form }

const mostRegions = 48

// surrounds reports whether a box has all elements of another one by numbers alone.
func (r region) surrounds(s region) bool {
	if len(r) != len(s) || len(r) == 0 {
		return false
	}
	for i := range r {
		below, ok1 := s[i].lo.Minus(r[i].lo).Constant()
		above, ok2 := r[i].hi.Minus(s[i].hi).Constant()
		if !ok1 || !ok2 || below < 0 || above < 0 {
			return false
		}
	}
	return true
}

func (r region) equal(s region) bool {
	if len(r) != len(s) {
		return false
	}
	for i := range r {
		if !r[i].lo.Equal(s[i].lo) || !r[i].hi.Equal(s[i].hi) {
			return false
		}
	}
	return true
}

// regionOf is the box of a reference; ok is false if it is not known, or if a write has gaps. A read with gaps has the box around it. A variable that is
// set as a whole has the whole array as its box, whatever its bounds are; a read has the bounds, so that boxes can cover it.
func regionOf(subs []sub, write bool) (r region, ok bool) {
	if write && len(subs) > 0 && isFull(subs) {
		return region{}, true
	}
	for _, s := range subs {
		if !s.lo.Known() || !s.hi.Known() || !s.point && (s.stride == 0 || write && s.stride != 1 && s.stride != -1) {
			return nil, false
		}
		if !s.point && s.stride < 0 {
			r = append(r, span{s.hi, s.lo})
			continue
		}
		r = append(r, span{s.lo, s.hi})
	}
	return r, true
}

// addRegion notes that a box is set, and joins it with those that it continues.
func (w *walker) addRegion(s *state, d datum, r region) {
	list := s.regions[d]
	w.effects.budget.spend(10 * int64(len(list)+1))
	for _, old := range list {
		if old.equal(r) || old.surrounds(r) {
			return
		}
	}
	if len(list) >= mostRegions {
		list = list[1:]
	}
	s.regions[d] = append(list[:len(list):len(list)], r)
	for _, old := range list {
		for _, pair := range [][2]region{{old, r}, {r, old}} {
			if j, ok := joined(pair[0], pair[1]); ok {
				w.addRegion(s, d, j)
				return
			}
		}
	}
}

// joined is the box of a and b, where b begins behind the end of a in one dimension and both are equal in the others. Since b begins
// there whatever its end is, the union has all elements from a's begin to b's end.
func joined(a, b region) (r region, ok bool) {
	if len(a) != len(b) || len(a) == 0 {
		return nil, false
	}
	at := -1
	for i := range a {
		if a[i].lo.Equal(b[i].lo) && a[i].hi.Equal(b[i].hi) {
			continue
		}
		if at >= 0 || !b[i].lo.Equal(a[i].hi.Plus(affine.Integer(1))) {
			return nil, false
		}
		at = i
	}
	if at < 0 {
		return nil, false
	}
	r = append(region(nil), a...)
	r[at] = span{a[at].lo, b[at].hi}
	return r, true
}

// coversRegion proves that all elements of r are set.
func (w *walker) coversRegion(s *state, d datum, r region) bool {
	for e, list := range s.regions {
		if e.root != d.root || !e.covers(d) {
			continue
		}
		for _, box := range list {
			if w.inside(append(w.table.Always[:len(w.table.Always):len(w.table.Always)], s.facts...), box, r) {
				return true
			}
		}
	}
	return false
}

// inside proves that r lies in the box. The box may have fewer dimensions: it is of a whole structure then.
func (w *walker) inside(facts affine.Facts, box, r region) bool {
	if len(box) > len(r) || len(r) == 0 && len(box) > 0 {
		return false
	}
	for i := range box {
		if !w.table.NotNegative(facts, r[i].lo.Minus(box[i].lo)) || !w.table.NotNegative(facts, box[i].hi.Minus(r[i].hi)) {
			return false
		}
	}
	return true
}

// swept is the box that the iterations of a loop set together: v goes from lo to hi, up or down by 1. A box without v is set if the
// loop has an iteration. Boxes with values that change in each iteration are lost.
func (w *walker) swept(r region, v affine.Atom, lo, hi affine.Form, newest affine.Atom, runs bool) (region, bool) {
	out := make(region, len(r))
	found := false
	isV := func(a affine.Atom) bool { return a == v }
	isNew := func(a affine.Atom) bool { return a > newest && a != v && w.table.Varies(affine.Of(a)) }
	for i, s := range r {
		if s.lo.Has(isNew) || s.hi.Has(isNew) {
			return nil, false
		}
		if !s.lo.Has(isV) && !s.hi.Has(isV) {
			out[i] = s
			continue
		}
		if found {
			return nil, false
		}
		found = true
		cl, rl, okl := s.lo.Split(v)
		ch, rh, okh := s.hi.Split(v)
		fl, constl := cl.Constant()
		fh, consth := ch.Constant()
		if !okl || !okh || !constl || !consth {
			return nil, false
		}
		switch {
		case fl == 1 && fh == 1 && rl.Equal(rh): // v+c
			out[i] = span{lo.Plus(rl), hi.Plus(rh)}
		case fl == -1 && fh == -1 && rl.Equal(rh): // c-v
			out[i] = span{rl.Minus(hi), rh.Minus(lo)}
		case fl == 0 && fh == 1: // from c to v+d: the last one has all of them, and each has c if it is not empty
			out[i] = span{rl, hi.Plus(rh)}
			if !runs {
				return nil, false
			}
		case fl == 1 && fh == 0:
			out[i] = span{lo.Plus(rl), rh}
			if !runs {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	if !found && !runs {
		return nil, false
	}
	return out, true
}
