package nest

import (
	"libportable/internal/nest/affine"
)

// state is what is known at a point of one iteration.
type state struct {
	dead    bool
	env     map[datum]affine.Form // values of integer scalars
	set     map[datum]bool        // scalars set on every path from the beginning of the iteration
	facts   affine.Facts          // conditions and bounds of loops that hold here
	regions map[datum][]region    // array elements set on every path
}

func newState() *state {
	return &state{env: map[datum]affine.Form{}, set: map[datum]bool{}, regions: map[datum][]region{}}
}

func (s *state) clone() *state {
	c := &state{dead: s.dead, env: make(map[datum]affine.Form, len(s.env)), set: make(map[datum]bool, len(s.set)),
		facts: s.facts[:len(s.facts):len(s.facts)], regions: make(map[datum][]region, len(s.regions))}
	for k, v := range s.env {
		c.env[k] = v
	}
	for k := range s.set {
		c.set[k] = true
	}
	for k, v := range s.regions {
		c.regions[k] = v[:len(v):len(v)]
	}
	return c
}

// isSet reports whether d, or what it is a part of, is set.
func (s *state) isSet(d datum) bool {
	if s.set[d] {
		return true
	}
	for e := range s.set {
		if e.root == d.root && e.covers(d) {
			return true
		}
	}
	return false
}

// merged is what holds after a or b.
func (w *walker) merged(a, b *state) *state {
	switch {
	case a == nil || a.dead:
		if b == nil {
			return a
		}
		return b
	case b == nil || b.dead:
		return a
	}
	m := newState()
	for d, x := range a.env {
		if y, ok := b.env[d]; ok && x.Equal(y) {
			m.env[d] = x
			continue
		}
		m.env[d] = w.either(x, b.env[d])
	}
	for d, y := range b.env {
		if _, ok := a.env[d]; !ok {
			m.env[d] = w.either(y, affine.Unknown)
		}
	}
	for d := range a.set {
		if b.isSet(d) {
			m.set[d] = true
		}
	}
	for d := range b.set {
		if a.isSet(d) {
			m.set[d] = true
		}
	}
	for i := range a.facts {
		if i >= len(b.facts) || !a.facts[i].Equal(b.facts[i]) {
			break
		}
		m.facts = append(m.facts, a.facts[i])
	}
	for d, list := range a.regions {
		for _, r := range list {
			if w.coversRegion(b, d, r) {
				m.know(d, r)
			}
		}
		for _, r := range b.regions[d] {
			if w.coversRegion(a, d, r) {
				m.know(d, r)
			}
		}
	}
	return m
}

// know notes a box once.
func (s *state) know(d datum, r region) {
	for _, old := range s.regions[d] {
		if old.equal(r) {
			return
		}
	}
	if len(s.regions[d]) < mostRegions {
		s.regions[d] = append(s.regions[d], r)
	}
}

// either is a new value that is x or y.
func (w *walker) either(x, y affine.Form) affine.Form {
	a := w.table.Varying("a value set under a condition")
	if n := w.noteOf(x); n != nil {
		w.notes[a] = n
	} else if n := w.noteOf(y); n != nil {
		w.notes[a] = n
	}
	return affine.Of(a)
}
