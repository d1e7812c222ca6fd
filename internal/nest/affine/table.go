package affine

// Table names the atoms of one analysis. An atom is fixed, or it varies: its value may be another one in each iteration of the loop
// that is analysed. Two values of one varying atom are compared by means of its twin.
type Table struct {
	names   []string
	varies  []bool
	nonzero []bool
	twin    []Atom        // 0: none yet
	origin  map[Atom]Atom // of twins
	index   map[string]Atom
	Always  Facts // about fixed atoms, true in the whole loop
	Work    int64 // of the proofs so far
}

// NewTable is a table without atoms.
func NewTable() *Table {
	return &Table{names: []string{""}, varies: []bool{false}, nonzero: []bool{false}, twin: []Atom{0}, index: map[string]Atom{}}
}

// Fixed is the atom of a value that does not change in the loop; equal keys are one atom.
func (t *Table) Fixed(key string) (a Atom, isNew bool) {
	if a, ok := t.index[key]; ok {
		return a, false
	}
	a = t.add(key, false)
	t.index[key] = a
	return a, true
}

// Varying is a new atom that may have another value in each iteration.
func (t *Table) Varying(name string) Atom { return t.add(name, true) }

func (t *Table) add(name string, varies bool) Atom {
	t.names = append(t.names, name)
	t.varies = append(t.varies, varies)
	t.nonzero = append(t.nonzero, false)
	t.twin = append(t.twin, 0)
	return Atom(len(t.names) - 1)
}

// Newest is the atom that was made last.
func (t *Table) Newest() Atom { return Atom(len(t.names) - 1) }

// NeverZero notes that a is not 0.
func (t *Table) NeverZero(a Atom) { t.nonzero[a] = true }

// Name is the name of a.
func (t *Table) Name(a Atom) string { return t.names[a] }

// Text writes a form with the names of its atoms.
func (t *Table) Text(f Form) string { return f.Text(t.Name) }

// Varies reports whether f may have another value in each iteration.
func (t *Table) Varies(f Form) bool {
	return f.bad || f.Has(func(a Atom) bool { return t.varies[a] })
}

// Twin is f in another iteration.
func (t *Table) Twin(f Form) Form {
	return f.Replaced(func(a Atom) Atom {
		if !t.varies[a] {
			return a
		}
		if t.twin[a] == 0 {
			b := t.add(t.names[a], true)
			t.nonzero[b] = t.nonzero[a]
			t.twin[a] = b
			if t.origin == nil {
				t.origin = map[Atom]Atom{}
			}
			t.origin[b] = a
		}
		return t.twin[a]
	})
}

// TwinOf is the atom a in another iteration.
func (t *Table) TwinOf(a Atom) Atom {
	t.Twin(Of(a))
	return t.twin[a]
}

// Original is the atom that a is the twin of, or a.
func (t *Table) Original(a Atom) Atom {
	if o, ok := t.origin[a]; ok {
		return o
	}
	return a
}

// Twins are facts in another iteration.
func (t *Table) Twins(f Facts) (g Facts) {
	for _, form := range f {
		g = append(g, t.Twin(form))
	}
	return g
}

// never reports whether f is never 0 by its own form.
func (t *Table) never(f Form) bool {
	if f.bad {
		return false
	}
	if len(f.terms) == 0 {
		return f.constant != 0
	}
	if len(f.terms) != 1 || f.constant != 0 {
		return false
	}
	for _, a := range f.terms[0].atoms {
		if !t.nonzero[a] {
			return false
		}
	}
	return true
}

// NotNegative proves goal >= 0 and counts its work.
func (t *Table) NotNegative(facts Facts, goal Form) bool { return facts.notNegative(goal, &t.Work) }

// Positive proves goal >= 1 and counts its work.
func (t *Table) Positive(facts Facts, goal Form) bool {
	return facts.notNegative(goal.Minus(Integer(1)), &t.Work)
}
