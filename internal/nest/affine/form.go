package affine

import (
	"slices"
	"strconv"
	"strings"
)

// Atom is a quantity that a form does not look into: a variable, a loop index, the value of an expression.
type Atom int32

// Form is a sum of integer multiples of products of atoms. The zero Form is 0.
type Form struct {
	constant int64
	terms    []term // sorted by atoms, no coefficient is 0
	bad      bool   // a limit was passed: nothing is known
}

// term is coefficient times the product of its atoms, which are sorted.
type term struct {
	coefficient int64
	atoms       []Atom
}

const (
	largest   = 1 << 40 // coefficients stay below it, so that a product of two small ones never overflows
	mostTerms = 48
	mostAtoms = 4
)

// Unknown is the form about which nothing is known.
var Unknown = Form{bad: true}

// Integer is the constant form n.
func Integer(n int64) Form { return Form{constant: n}.checked() }

// The function Of gives the form a.
func Of(a Atom) Form { return Form{terms: []term{{1, []Atom{a}}}} }

// Known reports whether f has a value that can be compared.
func (f Form) Known() bool { return !f.bad }

// Constant is the value of a form without atoms.
func (f Form) Constant() (int64, bool) { return f.constant, !f.bad && len(f.terms) == 0 }

// IsProduct reports whether the form is a number times atoms.
func (f Form) IsProduct() bool { return !f.bad && len(f.terms) == 1 && f.constant == 0 }

// IsZero reports whether f is the constant 0.
func (f Form) IsZero() bool { return !f.bad && len(f.terms) == 0 && f.constant == 0 }

// Equal reports whether f and g are the same form; an unknown form equals none.
func (f Form) Equal(g Form) bool {
	return !f.bad && !g.bad && f.constant == g.constant && slices.EqualFunc(f.terms, g.terms, func(a, b term) bool {
		return a.coefficient == b.coefficient && slices.Equal(a.atoms, b.atoms)
	})
}

func (f Form) checked() Form {
	if f.bad || f.constant >= largest || f.constant <= -largest || len(f.terms) > mostTerms {
		return Unknown
	}
	for _, t := range f.terms {
		if t.coefficient >= largest || t.coefficient <= -largest || len(t.atoms) > mostAtoms {
			return Unknown
		}
	}
	return f
}

// Plus is f+g.
func (f Form) Plus(g Form) Form { return combine(f, 1, g) }

// Minus is f-g.
func (f Form) Minus(g Form) Form { return combine(f, -1, g) }

// combine is f + factor*g.
func combine(f Form, factor int64, g Form) Form {
	if f.bad || g.bad || factor >= largest>>20 || factor <= -(largest>>20) {
		return Unknown
	}
	sum := Form{constant: f.constant + factor*g.constant, terms: make([]term, 0, len(f.terms)+len(g.terms))}
	i, k := 0, 0
	for i < len(f.terms) || k < len(g.terms) {
		order := 0
		switch {
		case i == len(f.terms):
			order = 1
		case k == len(g.terms):
			order = -1
		default:
			order = slices.Compare(f.terms[i].atoms, g.terms[k].atoms)
		}
		switch {
		case order < 0:
			sum.terms = append(sum.terms, f.terms[i])
			i++
		case order > 0:
			sum.terms = append(sum.terms, term{factor * g.terms[k].coefficient, g.terms[k].atoms})
			k++
		default:
			if c := f.terms[i].coefficient + factor*g.terms[k].coefficient; c != 0 {
				sum.terms = append(sum.terms, term{c, f.terms[i].atoms})
			}
			i, k = i+1, k+1
		}
	}
	if factor == 0 {
		return f
	}
	return sum.checked()
}

// Times is f*g.
func (f Form) Times(g Form) Form {
	if f.bad || g.bad || len(f.terms)*len(g.terms) > mostTerms*mostTerms/4 {
		return Unknown
	}
	if c, ok := g.Constant(); ok {
		return f.Scaled(c)
	}
	product := f.Scaled(g.constant)
	for _, t := range g.terms {
		part := make(map[string]int, len(f.terms)+1)
		var shifted Form
		add := func(coefficient int64, atoms []Atom) {
			key := text(atoms)
			if at, ok := part[key]; ok {
				shifted.terms[at].coefficient += coefficient
				return
			}
			part[key] = len(shifted.terms)
			shifted.terms = append(shifted.terms, term{coefficient, atoms})
		}
		if !small(t.coefficient) || !small(f.constant) {
			return Unknown
		}
		if f.constant != 0 {
			add(f.constant*t.coefficient, t.atoms)
		}
		for _, u := range f.terms {
			if !small(u.coefficient) {
				return Unknown
			}
			atoms := slices.Concat(u.atoms, t.atoms)
			slices.Sort(atoms)
			add(u.coefficient*t.coefficient, atoms)
		}
		slices.SortFunc(shifted.terms, func(a, b term) int { return slices.Compare(a.atoms, b.atoms) })
		product = product.Plus(shifted.checked())
	}
	return product
}

func small(n int64) bool { return n < 1<<20 && n > -(1<<20) }

// Scaled is n*f.
func (f Form) Scaled(n int64) Form {
	if f.bad || !small(n) {
		return Unknown
	}
	if n == 0 {
		return Form{}
	}
	g := Form{constant: n * f.constant, terms: slices.Clone(f.terms)}
	for i := range g.terms {
		g.terms[i].coefficient *= n
	}
	return g.checked()
}

// Divided is f/n if n divides every coefficient.
func (f Form) Divided(n int64) (Form, bool) {
	if f.bad || n == 0 || f.constant%n != 0 {
		return Unknown, false
	}
	g := Form{constant: f.constant / n, terms: slices.Clone(f.terms)}
	for i := range g.terms {
		if g.terms[i].coefficient%n != 0 {
			return Unknown, false
		}
		g.terms[i].coefficient /= n
	}
	return g, true
}

// Split writes f as factor*a + rest. It fails if a has a power in f.
func (f Form) Split(a Atom) (factor, rest Form, ok bool) {
	if f.bad {
		return Unknown, Unknown, false
	}
	rest.constant = f.constant
	for _, t := range f.terms {
		at := slices.Index(t.atoms, a)
		if at < 0 {
			rest.terms = append(rest.terms, t)
			continue
		}
		others := slices.Delete(slices.Clone(t.atoms), at, at+1)
		if slices.Contains(others, a) {
			return Unknown, Unknown, false
		}
		if len(others) == 0 {
			factor.constant += t.coefficient
			continue
		}
		factor.terms = append(factor.terms, term{t.coefficient, others})
	}
	slices.SortFunc(factor.terms, func(a, b term) int { return slices.Compare(a.atoms, b.atoms) })
	return factor, rest, true
}

// Has reports whether f contains an atom for which is holds.
func (f Form) Has(is func(Atom) bool) bool {
	for _, t := range f.terms {
		if slices.ContainsFunc(t.atoms, is) {
			return true
		}
	}
	return false
}

// Replaced is f with other atoms.
func (f Form) Replaced(by func(Atom) Atom) Form {
	if f.bad {
		return f
	}
	g := Form{constant: f.constant, terms: make([]term, 0, len(f.terms))}
	for _, t := range f.terms {
		atoms := make([]Atom, len(t.atoms))
		for i, a := range t.atoms {
			atoms[i] = by(a)
		}
		slices.Sort(atoms)
		g.terms = append(g.terms, term{t.coefficient, atoms})
	}
	slices.SortFunc(g.terms, func(a, b term) int { return slices.Compare(a.atoms, b.atoms) })
	return g
}

// With is f with the form value in the place of a.
func (f Form) With(a Atom, value Form) Form {
	factor, rest, ok := f.Split(a)
	if !ok {
		return Unknown
	}
	if factor.IsZero() {
		return f
	}
	return factor.Times(value).Plus(rest)
}

func text(atoms []Atom) string {
	var b strings.Builder
	for _, a := range atoms {
		b.WriteByte('*')
		b.WriteString(strconv.Itoa(int(a)))
	}
	return b.String()
}

// Key is a text that two forms share only if they are equal; "?" of an unknown form.
func (f Form) Key() string {
	return f.Text(func(a Atom) string { return "#" + strconv.Itoa(int(a)) })
}

// Text writes f with names for its atoms.
func (f Form) Text(name func(Atom) string) string {
	if f.bad {
		return "?"
	}
	var b strings.Builder
	for _, t := range f.terms {
		c := t.coefficient
		if c < 0 {
			b.WriteByte('-')
			c = -c
		} else if b.Len() > 0 {
			b.WriteByte('+')
		}
		if c != 1 {
			b.WriteString(strconv.FormatInt(c, 10))
			b.WriteByte('*')
		}
		for i, a := range t.atoms {
			if i > 0 {
				b.WriteByte('*')
			}
			b.WriteString(name(a))
		}
	}
	if f.constant != 0 || b.Len() == 0 {
		if f.constant >= 0 && b.Len() > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strconv.FormatInt(f.constant, 10))
	}
	return b.String()
}
