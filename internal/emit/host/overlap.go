package host

import "libportable/internal/fortran/scope"

// pairs are the arguments that the verdict wants to be compared at each launch.
func (n *one) pairs() [][2]*arg {
	var list [][2]*arg
	of := func(number int) *arg {
		for _, a := range n.args {
			for _, i := range a.Number {
				if i == number {
					return a
				}
			}
		}
		return nil
	}
	for _, p := range n.n.Pairs {
		a, b := of(p.A), of(p.B)
		if a == nil || b == nil || a == b || a.form == value || b.form == value {
			continue
		}
		list = append(list, [2]*arg{a, b})
	}
	return list
}

func (n *one) overlapping() bool { return len(n.pairs()) > 0 }

// comparable reports whether the library can compare an argument with others.
func (a *arg) comparable() bool {
	switch a.Type.Base {
	case scope.Integer, scope.Logical:
		return a.Rank > 0 && a.Rank <= 7 && a.Type.Kind <= 8
	case scope.Real, scope.ComplexType:
		return a.Rank > 0 && a.Rank <= 7 && (a.Type.Kind == 4 || a.Type.Kind == 8)
	}
	return false
}

// planPairs refuses pairs that the launch cannot compare.
func (n *one) planPairs() {
	for _, p := range n.pairs() {
		for _, a := range p {
			if !a.comparable() || a.form == starred {
				n.refuse(a.Uses[0].Expression.Span().From, "'"+p[0].Spelt+"' and '"+p[1].Spelt+"' may overlap, and a launch cannot compare them",
					"use arrays of numbers without POINTER and TARGET")
				return
			}
		}
	}
}

// overlap leaves the launch if two arrays share elements: then the user's loop runs as it stands.
func (n *one) overlap() {
	t := &n.place.text
	var done []*arg
	for _, p := range n.pairs() {
		for _, a := range p {
			if !hasArg(done, a) {
				done = append(done, a)
			}
		}
	}
	if len(done) == 0 {
		return
	}
	list := ""
	for i, a := range done {
		switch a.form {
		case pointer:
			t.add(4, "@portable_done = associated("+a.name+")")
			t.add(4, "if (.not. @portable_done) return")
		case allocatable:
			t.add(4, "@portable_done = allocated("+a.name+")")
			t.add(4, "if (.not. @portable_done) return")
		}
		if i > 0 {
			list += ", "
		}
		access := "'read'"
		if a.Write {
			access = "'both'"
		}
		bounds := "lbound(" + a.name + ")"
		if n.otherKinds() {
			bounds = "lbound(" + a.name + ", kind=@portable_kind)"
		}
		list += "@portable_arg(" + a.name + ", " + bounds + ", " + access + ", name='" + short(a.name) + "', may_overlap=.true." + n.suffix() + ")"
	}
	t.add(4, "@portable_done = .not. @portable_overlap(["+list+"])")
	t.add(4, "if (.not. @portable_done) return")
}

func hasArg(list []*arg, a *arg) bool {
	for _, x := range list {
		if x == a {
			return true
		}
	}
	return false
}

func short(name string) string {
	if len(name) > 32 {
		return name[:32]
	}
	return name
}
