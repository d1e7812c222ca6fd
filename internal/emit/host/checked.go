package host

import (
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

// checks are the calls that a body with shadows has in front of a statement.
type checks struct {
	arrays []*arg // that are looked at
	before map[tree.Node][]string
	reads  map[*arg]bool
	writes map[*arg]bool
	rank   int // most dimensions of a section
}

// isChecked reports whether the nest gets a body with shadows.
func (n *one) isChecked() bool { return n.w.o.Check || n.n.Asserted }

// hasChecks reports whether there is something that a checked run looks at.
func (n *one) hasChecks() bool { return n.isChecked() && len(n.check.arrays) > 0 && !n.otherKinds() }

// canShadow reports whether the library can have shadows of an argument: an array of numbers that all iterations share.
func (n *one) canShadow(a *arg) bool {
	return a.isArray() && a.form != starred && a.comparable() && a.optional() == "" && !n.k.IsLocal(a.Symbol)
}

// planChecks finds the references that a checked run looks at.
func (n *one) planChecks() *checks {
	c := &checks{before: map[tree.Node][]string{}, reads: map[*arg]bool{}, writes: map[*arg]bool{}}
	if !n.isChecked() {
		return c
	}
	guards := map[tree.Node]*tree.If{}
	masked := map[tree.Node]bool{}
	inside := map[tree.Node]bool{}
	emit.Statements(n.k.Body, func(s tree.Node) {
		inside[s] = true
		switch s := s.(type) {
		case *tree.If:
			if s.OneLine && len(s.Branches[0].Body) == 1 {
				guards[s.Branches[0].Body[0]] = s
			}
		case *tree.Where, *tree.Forall:
			masked[s] = true
			emit.Statements([]tree.Node{s}, func(x tree.Node) { masked[x] = true })
		}
	})
	sp := n.speller()
	for _, a := range n.args {
		if !n.canShadow(a) {
			continue
		}
		found := false
		for _, u := range a.Uses {
			if !inside[u.Statement] || masked[u.Statement] || n.sums[u.Statement] != nil && (a.Write || u.Write) {
				continue
			}
			list := n.checksOf(c, a, u, sp)
			if len(list) == 0 {
				continue
			}
			at, prefix, ok := position(u, guards, sp)
			if !ok {
				continue
			}
			found = true
			if prefix != "" {
				list = append(append([]string{prefix + "then"}, list...), "end if")
			}
			c.before[at] = append(c.before[at], list...)
		}
		if found {
			c.arrays = append(c.arrays, a)
		}
	}
	return c
}

// position is the statement in front of which a reference is looked at, and the condition under which.
func position(u emit.Use, guards map[tree.Node]*tree.If, sp speller) (tree.Node, string, bool) {
	if g := guards[u.Statement]; g != nil {
		return g, "if (" + sp.text(g.Branches[0].Condition) + ") ", true
	}
	if s, ok := u.Statement.(*tree.If); ok {
		for i, b := range s.Branches {
			if i > 0 && contains(b.Condition, u.Expression) {
				if len(b.Body) == 0 {
					return nil, "", false
				}
				return b.Body[0], "", true
			}
		}
	}
	return u.Statement, "", true
}

func contains(e, part tree.Expression) bool {
	found := false
	emit.Inside(e, func(x tree.Expression) { found = found || x == part })
	return found
}

// checksOf are the statements for one reference: none if its elements are not known.
func (n *one) checksOf(c *checks, a *arg, u emit.Use, sp speller) (list []string) {
	index, loops, ok := n.indices(a, u, sp)
	if !ok {
		return nil
	}
	c.rank = max(c.rank, len(loops))
	for _, l := range loops {
		list = append(list, "do "+l)
	}
	line := decimal(int(u.Expression.Span().From.Line))
	if u.Read {
		c.reads[a] = true
		list = append(list, "call @portable_read_"+a.name+"("+join(index)+", "+line+")")
	}
	if u.Write {
		c.writes[a] = true
		list = append(list, "call @portable_write_"+a.name+"("+join(index)+", "+line+")")
	}
	for range loops {
		list = append(list, "end do")
	}
	return list
}

// indices are the subscripts of a reference, and the loops over the ranges in it.
func (n *one) indices(a *arg, u emit.Use, sp speller) (index, loops []string, ok bool) {
	whole := func(d int) {
		v := "@portable_j" + decimal(len(loops)+1)
		dim := decimal(d + 1)
		loops = append(loops, v+" = lbound("+a.name+", "+dim+", @c_int64_t), ubound("+a.name+", "+dim+", @c_int64_t)")
		index = append(index, v)
	}
	r, subscripted := u.Expression.(*tree.Reference)
	if !subscripted {
		if u.Actual || a.Path != nil && u.Expression != u.Prefix {
			return nil, nil, false
		}
		for d := range a.Rank {
			whole(d)
		}
		return index, loops, true
	}
	m, _ := u.Scope.Meaning(r)
	if m != scope.Element && m != scope.Section || len(r.Arguments) != a.Rank || a.Path != nil && r.Base != u.Prefix || m == scope.Section && u.Actual {
		return nil, nil, false
	}
	for d, x := range r.Arguments {
		part, ranged := x.Value.(*tree.Range)
		if !ranged {
			if _, rank := u.Scope.TypeOf(x.Value); rank != 0 {
				return nil, nil, false
			}
			index = append(index, "int("+sp.text(x.Value)+", @c_int64_t)")
			continue
		}
		whole(d)
		bounds := strings.SplitN(strings.SplitN(loops[len(loops)-1], " = ", 2)[1], "), ", 2)
		first, last := bounds[0]+")", bounds[1]
		if part.Lower != nil {
			first = "int(" + sp.text(part.Lower) + ", @c_int64_t)"
		}
		if part.Upper != nil {
			last = "int(" + sp.text(part.Upper) + ", @c_int64_t)"
		}
		loops[len(loops)-1] = index[len(index)-1] + " = " + first + ", " + last
		if part.Stride != nil {
			loops[len(loops)-1] += ", int(" + sp.text(part.Stride) + ", @c_int64_t)"
		}
	}
	return index, loops, true
}

// checkedLaunch runs the body with shadows, on one thread, when PORTABLE_CHECK=races is set.
func (n *one) checkedLaunch() {
	if !n.hasChecks() {
		return
	}
	t := &n.place.text
	t.add(4, "@portable_checked = @portable_races_checked()")
	for _, a := range n.check.arrays {
		switch a.form {
		case pointer:
			t.add(4, "if (@portable_checked) @portable_checked = associated("+a.name+")")
		case allocatable:
			t.add(4, "if (@portable_checked) @portable_checked = allocated("+a.name+")")
		}
	}
	t.add(4, "if (@portable_checked) then")
	if len(n.results) > 0 {
		n.beginResults(6)
		t.add(6, "@portable_b%@portable_results = @c_loc(@portable_r)")
	}
	list := "@portable_arg(transfer(@c_loc(@portable_b), 0_@c_int64_t), name='portable')"
	for _, a := range n.check.arrays {
		access := "'read'"
		if a.Write {
			access = "'both'"
		}
		list += ", @portable_arg(" + a.name + ", lbound(" + a.name + "), " + access + ", name=" + quoted(short(a.Spelling())) + ")"
	}
	t.add(6, "call @portable_parallel_for("+quoted(n.n.Label)+", @portable_bounds(@portable_lower, @portable_upper), @c_funloc("+n.name+"_checked_tile), ["+
		list+"], checked=@c_funloc("+n.name+"_checked_tile)"+n.config()+")")
	for _, r := range n.results {
		t.add(6, r.name+" = @portable_r%"+r.name)
	}
	t.add(4, "else")
}

// Spelling is how the user writes the argument.
func (a *arg) Spelling() string {
	s := a.Spelt
	for _, p := range a.Path {
		s += "%" + p
	}
	return s
}
