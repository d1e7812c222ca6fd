package nest

import (
	"strings"

	"libportable/internal/fortran/token"
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
	for !s.set[d] {
		at := strings.LastIndexByte(d.path, '%')
		if at < 0 {
			return false
		}
		d.path = d.path[:at]
	}
	return true
}

// size is the work that a copy of s costs.
func (s *state) size() int64 { return 10 * int64(len(s.env)+len(s.set)+len(s.regions)+1) }

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
	w.spend(a.size() + b.size())
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

// budget bounds the work of an analysis, so that any input ends with a verdict. It counts steps, not time: verdicts do not depend on the
// machine. A step is about 30 ns.
type budget struct{ all, nest int64 }

const (
	leastSteps     = 100_000_000 // for any sources
	statementSteps = 4000        // more for each statement: real programs need about 1500
	nestSteps      = 60_000_000  // for one nest
	tooLong        = "the loop has too many statements to be analysed, with those of called procedures"
	tooLarge       = "it needs too many steps of analysis, with the procedures that it calls"
)

// open begins a nest.
func (b *budget) open() { b.nest = min(nestSteps, b.all) }

func (b *budget) spend(steps int64) { b.nest, b.all = b.nest-steps, b.all-steps }

// over reports whether nothing is left for the nest.
func (b *budget) over() bool { return b.nest <= 0 || b.all <= 0 }

// mostFacts bounds the facts of one place: others are dropped, so that less is proved.
const mostFacts = 600

// assume adds facts.
func (w *walker) assume(facts ...affine.Form) {
	if len(w.st.facts) < mostFacts {
		w.st.facts = w.st.facts.And(facts...)
	}
}

// copied is a copy of s.
func (w *walker) copied(s *state) *state {
	w.spend(s.size())
	return s.clone()
}

// tooLarge refuses a loop of which a part is not walked, also where the walk stands behind a jump.
func (w *walker) tooLarge(at token.Pos, text string) {
	dead := w.st.dead
	w.st.dead = false
	w.refuse("not-read", at, text, "split the loop")
	w.st.dead = dead
	w.lost, w.cut = true, true
}

// spend counts the steps of the walk, with those of its proofs.
func (w *walker) spend(steps int64) {
	w.effects.budget.spend(steps + w.table.Work - w.tallied)
	w.tallied = w.table.Work
}
