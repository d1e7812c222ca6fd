package affine

// Way says how a dimension decides that two iterations never share an element.
type Way uint8

// The ways.
const (
	Undecided    Way = iota
	EqualIndex       // the same multiple of the loop variable, equal in everything else
	Divisibility     // the difference is no multiple of the coefficients
	Constants        // different constants
	Ranges           // ranges that do not meet
	OneIteration     // a condition lets only one iteration get there
)

func (w Way) String() string {
	return [...]string{"", "equal index", "divisibility", "different constants", "disjoint ranges", "one iteration"}[w]
}

// Outcome is the result of one dimension.
type Outcome struct {
	Way      Way
	Distance int64 // i-k of two iterations that share an element
	Exact    bool  // Distance is the only possible one
	NoIndex  bool  // neither index has the loop variable, and both are equal: all iterations share the element
	Strides  bool  // the coefficients of the loop variable differ
}

// Separate decides whether index a in an iteration and index b in another one are always different. The caller has replaced b and its
// facts by their twins; i is the loop's index and k its twin.
func (t *Table) Separate(a, b Form, i, k Atom, facts Facts) (o Outcome) {
	d := a.Minus(b)
	if d.bad {
		return o
	}
	ca, rest, ok := d.Split(i)
	if !ok {
		return o
	}
	cb, rest, ok := rest.Split(k)
	if !ok {
		return o
	}
	cb = cb.Scaled(-1)
	equal := ca.Equal(cb)
	if constant, is := d.Constant(); is && constant != 0 {
		o.Way = Constants
		return o
	}
	if g := d.divisor(); g > 1 && d.constant%g != 0 {
		o.Way = Divisibility
		return o
	}
	if equal && rest.IsZero() {
		if t.never(ca) || t.Positive(facts, ca) || t.Positive(facts, ca.Scaled(-1)) {
			o.Way = EqualIndex
			return o
		}
		o.NoIndex = ca.IsZero()
		return o
	}
	if equal {
		if c, isConstant := ca.Constant(); isConstant && c != 0 {
			if r, isConstant := rest.Constant(); isConstant {
				o.Distance, o.Exact = -r/c, true // divisible: the test above
			}
		}
	} else {
		o.Strides = true
	}
	if t.apart(d, ca, rest, equal, i, k, facts) {
		o.Way = Ranges
	}
	return o
}

// apart proves that d = a - b is not 0 if i > k, and that it is not 0 if i < k.
func (t *Table) apart(d, c, rest Form, equal bool, i, k Atom, facts Facts) bool {
	nonzero := func(f Form, facts Facts) bool { return t.Positive(facts, f) || t.Positive(facts, f.Scaled(-1)) }
	if nonzero(d, facts) {
		return true
	}
	if equal && !c.IsZero() {
		// d = c*n + rest with n >= 1 or n <= -1: for c >= 1 it is enough that |rest| < c.
		if _, constant := c.Constant(); !constant {
			for _, c := range []Form{c, c.Scaled(-1)} {
				if t.Positive(facts, c) && t.Positive(facts, rest.Plus(c)) && t.Positive(facts, c.Minus(rest)) {
					return true
				}
			}
			return false
		}
	}
	up := Of(i).Minus(Of(k)).Minus(Integer(1))
	down := Of(k).Minus(Of(i)).Minus(Integer(1))
	return nonzero(d, facts.And(up)) && nonzero(d, facts.And(down))
}

// Same proves that facts hold only if i = k: a condition lets one iteration through.
func (t *Table) Same(i, k Atom, facts Facts) bool {
	d := Of(i).Minus(Of(k))
	return t.NotNegative(facts, d) && t.NotNegative(facts, d.Scaled(-1))
}
