package host

import "libportable/internal/fortran/tree"

// combine joins two partial results; the first is of earlier iterations.
func (n *one) combine() {
	if len(n.results) == 0 {
		return
	}
	t := &n.place.text
	name := n.name + "_combine"
	n.procedure("subroutine", name, []string{"@portable_r", "@portable_from"}, "")
	d := n.need()
	for _, r := range n.results {
		d.all(r.need)
	}
	n.declareNeeds(d, false, "use, intrinsic :: iso_c_binding, only: @c_ptr")
	n.resultType()
	t.add(4, "type(@portable_result), intent(inout) :: @portable_r")
	t.add(4, "type(@portable_result), intent(in) :: @portable_from")
	for _, r := range n.results {
		if r.of == nil {
			n.join(r)
		}
	}
	t.add(2, "end subroutine "+name)
}

func (n *one) join(r *result) {
	t := &n.place.text
	into, from := "@portable_r%"+r.name, "@portable_from%"+r.name
	if r.byIf && (r.operator == "min" || r.operator == "max") {
		sign := " < "
		if r.operator == "max" {
			sign = " > "
		}
		condition := from + sign + into
		if !r.reduction.Strict {
			condition = from + sign[:2] + "= " + into
		}
		if r.hit != "" {
			condition = "@portable_from%" + r.hit + " .and. " + condition
		}
		t.add(4, "if ("+condition+") then")
		t.add(6, into+" = "+from)
		for _, p := range r.places {
			t.add(6, "@portable_r%"+p.name+" = @portable_from%"+p.name)
		}
		if r.hit != "" {
			t.add(6, "@portable_r%"+r.hit+" = .true.")
		}
		t.add(4, "end if")
		return
	}
	switch r.operator {
	case "+", "-":
		t.add(4, into+" = "+into+" + "+from)
	case "min", "max", "iand", "ior", "ieor":
		if r.later {
			into, from = from, into
		}
		t.add(4, "@portable_r%"+r.name+" = "+string(r.operator)+"("+into+", "+from+")")
	default:
		t.add(4, into+" = "+into+" "+string(r.operator)+" "+from)
	}
}

// sumTerms are the terms that an assignment adds to its left side, as one expression; false: it is no such sum.
func sumTerms(s *tree.Assignment, same func(a, b tree.Expression) bool, spell func(tree.Expression) string) (string, bool) {
	text, found, good := "", 0, true
	var walk func(e tree.Expression, minus bool)
	walk = func(e tree.Expression, minus bool) {
		if b, ok := e.(*tree.Binary); ok && (b.Operator == "+" || b.Operator == "-") {
			walk(b.X, minus)
			walk(b.Y, minus != (b.Operator == "-"))
			return
		}
		if u, ok := e.(*tree.Unary); ok && (u.Operator == "+" || u.Operator == "-") {
			walk(u.X, minus != (u.Operator == "-"))
			return
		}
		if same(e, s.Left) {
			found++
			good = good && !minus
			return
		}
		sign := " + "
		if minus {
			sign = " - "
		}
		if text == "" {
			sign = map[bool]string{true: "-", false: ""}[minus]
		}
		if _, ok := e.(*tree.Binary); ok && minus {
			text += sign + "(" + spell(e) + ")"
			return
		}
		text += sign + spell(e)
	}
	walk(s.Right, false)
	return text, good && found == 1 && text != ""
}
