package affine

// Facts are forms that are not negative.
type Facts []Form

// And is f with another fact; f stays as it is.
func (f Facts) And(more ...Form) Facts {
	g := f[:len(f):len(f)]
	for _, form := range more {
		if _, constant := form.Constant(); form.Known() && !constant {
			g = append(g, form)
		}
	}
	return g
}

// deepest and most bound a search: proofs that programs need have few steps.
const (
	deepest = 9
	most    = 160
)

// NotNegative proves goal >= 0.
func (f Facts) NotNegative(goal Form) bool { return f.notNegative(goal, nil) }

// notNegative counts its work, if the caller wants to know it.
func (f Facts) notNegative(goal Form, work *int64) bool {
	if goal.bad {
		return false
	}
	if c, ok := goal.Constant(); ok {
		return c >= 0
	}
	s := search{facts: f, left: most, seen: map[string]bool{}}
	is := s.prove(goal, 0)
	if work != nil {
		*work += int64(most-s.left+1) * int64(len(f)+20)
	}
	return is
}

// Positive proves goal >= 1.
func (f Facts) Positive(goal Form) bool { return f.NotNegative(goal.Minus(Integer(1))) }

type search struct {
	facts Facts
	left  int
	seen  map[string]bool
}

// prove eliminates one product of atoms of the goal after another: if F >= 0 is a fact and
// goal - m*F >= 0 for some m > 0, then goal >= 0.
func (s *search) prove(goal Form, depth int) bool {
	if goal.bad {
		return false
	}
	if len(goal.terms) == 0 {
		return goal.constant >= 0
	}
	goal = goal.tightened()
	if s.left <= 0 || depth > deepest {
		return false
	}
	s.left--
	key := goal.Key()
	if s.seen[key] {
		return false
	}
	s.seen[key] = true
	out := goal.terms[0] // the one with the newest atom: it has bounds in older ones
	for _, t := range goal.terms {
		if t.atoms[len(t.atoms)-1] > out.atoms[len(out.atoms)-1] {
			out = t
		}
	}
	for i := len(s.facts) - 1; i >= 0; i-- {
		fact := s.facts[i]
		c := fact.coefficient(out.atoms)
		if c == 0 || (c > 0) != (out.coefficient > 0) {
			continue
		}
		by, times := size(out.coefficient), size(c)
		g := divisor(by, times)
		if s.prove(combine(goal.Scaled(times/g), -(by/g), fact), depth+1) {
			return true
		}
	}
	return false
}

func (f Form) coefficient(atoms []Atom) int64 {
	for _, t := range f.terms {
		if len(t.atoms) == len(atoms) {
			same := true
			for i := range atoms {
				same = same && t.atoms[i] == atoms[i]
			}
			if same {
				return t.coefficient
			}
		}
	}
	return 0
}

// tightened divides the goal f >= 0 by the divisor of its coefficients; integers allow to round the constant down.
func (f Form) tightened() Form {
	g := f.divisor()
	if g <= 1 {
		return f
	}
	constant := f.constant / g
	if f.constant%g < 0 {
		constant--
	}
	f.constant = 0
	h, _ := f.Divided(g)
	h.constant = constant
	return h
}

// divisor is the greatest common divisor of the coefficients of the atoms; 0 if there are none.
func (f Form) divisor() (g int64) {
	for _, t := range f.terms {
		g = divisor(g, size(t.coefficient))
	}
	return g
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func size(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
