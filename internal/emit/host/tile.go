package host

// passed are the arguments of the body in their order, as dummies and as the tile gives them.
func (n *one) passed(strided bool) (names, given []string) {
	add := func(name string) {
		names = append(names, name)
		given = append(given, "@portable_b%"+name)
	}
	for _, l := range n.loops {
		if l.step != "" {
			add(l.first)
			add(l.step)
		}
	}
	for _, a := range n.args {
		for _, name := range a.bounds(a.hasUpper() && !(strided && a.loose())) {
			add(name)
		}
	}
	for _, a := range n.args {
		add(a.name)
	}
	for _, r := range n.results {
		names, given = append(names, r.begin), append(given, "@portable_r%"+r.name)
		if r.hit != "" {
			names, given = append(names, r.hit), append(given, "@portable_r%"+r.hit)
		}
	}
	if n.keepsLast() {
		rank := decimal(len(n.loops))
		names = append(names, "@portable_last")
		given = append(given, "all(@portable_t%upper64(1:"+rank+") == @portable_b%@portable_upper)")
	}
	return names, given
}

// keepsLast reports whether values of the last iteration go to the user's variables.
func (n *one) keepsLast() bool {
	for _, l := range n.locals {
		if l.last != nil {
			return true
		}
	}
	return false
}

// tile is what the library calls: it takes the argument block apart.
func (n *one) tile(name, body string, strided bool) {
	t := &n.place.text
	d := n.need()
	for _, l := range n.loops {
		if l.step != "" {
			d.all(l.need)
		}
	}
	for _, a := range n.args {
		d.all(a.need)
	}
	uses := []string{"use, intrinsic :: iso_c_binding, only: @c_ptr, @c_f_pointer, @c_int64_t", "use portable_list_mod, only: @portable_tile"}
	if len(n.results) == 0 {
		n.procedure("subroutine", name, []string{"@portable_t", "@portable_a"}, " bind(c, name='')")
		n.declareNeeds(d, true, uses...)
		t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
		t.add(4, "type(@c_ptr), value :: @portable_a")
		n.blockType(!strided)
		t.add(4, "type(@portable_block), pointer :: @portable_b")
		t.add(4, "call @c_f_pointer(@portable_a, @portable_b)")
	} else {
		for _, r := range n.results {
			d.all(r.need)
		}
		n.procedure("subroutine", name, []string{"@portable_t", "@portable_r"}, "")
		n.declareNeeds(d, true, uses...)
		t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
		n.blockType(!strided)
		n.resultType()
		t.add(4, "type(@portable_result), intent(inout) :: @portable_r")
		t.add(4, "type(@portable_block), pointer :: @portable_b")
		t.add(4, "call @c_f_pointer(@portable_r%@portable_block, @portable_b)")
	}
	_, given := n.passed(strided)
	list := append([]string{"@portable_t"}, given...)
	t.add(4, "call "+body+"("+join(list)+")")
	t.add(2, "end subroutine "+name)
}
