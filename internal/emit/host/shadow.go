package host

// checkedTile is the tile of the checked body: it gets the library's view of each array in front of its own block.
func (n *one) checkedTile() {
	t := &n.place.text
	name := n.name + "_checked_tile"
	d := n.need()
	for _, l := range n.loops {
		if l.step != "" {
			d.all(l.need)
		}
	}
	for _, a := range n.args {
		d.all(a.need)
	}
	for _, r := range n.results {
		d.all(r.need)
	}
	views := map[string]bool{}
	for _, a := range n.check.arrays {
		views["@portable_view_"+decimal(a.Rank)] = true
	}
	n.procedure("subroutine", name, []string{"@portable_t", "@portable_l"}, " bind(c, name='')")
	n.declareNeeds(d, true, "use, intrinsic :: iso_c_binding, only: @c_ptr, @c_null_ptr, @c_f_pointer, @c_int64_t",
		"use portable_list_mod, only: @portable_tile, "+join(sorted(views)))
	t.add(4, "type, bind(c) :: @portable_list")
	t.add(6, "integer(@c_int64_t) :: @portable_address")
	for _, a := range n.check.arrays {
		t.add(6, "type(@portable_view_"+decimal(a.Rank)+") :: "+a.name)
	}
	t.add(4, "end type @portable_list")
	t.add(4, "type(@portable_tile), intent(in) :: @portable_t")
	t.add(4, "type(@portable_list), intent(in) :: @portable_l")
	n.blockType(false)
	n.resultType()
	t.add(4, "type(@portable_block), pointer :: @portable_b")
	if len(n.results) > 0 {
		t.add(4, "type(@portable_result), pointer :: @portable_r")
	}
	t.add(4, "call @c_f_pointer(transfer(@portable_l%@portable_address, @c_null_ptr), @portable_b)")
	if len(n.results) > 0 {
		t.add(4, "call @c_f_pointer(@portable_b%@portable_results, @portable_r)")
	}
	_, given := n.passed(true)
	list := append([]string{"@portable_t"}, given...)
	for _, a := range n.check.arrays {
		for i := range a.Rank {
			list = append(list, "@portable_l%"+a.name+"%dim("+decimal(i+1)+")%stride")
		}
	}
	t.add(4, "call "+n.name+"_checked("+join(list)+")")
	t.add(2, "end subroutine "+name)
}

// strides are the names of the distances of neighbouring elements.
func (c *checks) strides() (list []string) {
	for _, a := range c.arrays {
		for i := range a.Rank {
			list = append(list, "@portable_s"+decimal(i+1)+"_"+a.name)
		}
	}
	return list
}

// declareChecks declares the shadows.
func (n *one) declareChecks() {
	t := &n.place.text
	if list := n.check.strides(); len(list) > 0 {
		t.add(4, "integer(@c_int64_t), value :: "+join(list))
	}
	for _, a := range n.check.arrays {
		t.add(4, "type(@portable_shadow) :: @portable_shadow_"+a.name)
	}
	t.add(4, "integer(@c_int64_t) :: @portable_first, @portable_step(8), @portable_n")
	for i := range n.check.rank {
		t.add(4, "integer(@c_int64_t) :: @portable_j"+decimal(i+1))
	}
}

// beginChecks finds the shadows, and the number of the tile's first iteration.
func (n *one) beginChecks() {
	t := &n.place.text
	for i, a := range n.check.arrays {
		t.add(4, "@portable_shadow_"+a.name+" = @portable_shadow_of(@portable_t, "+decimal(i+2)+")")
	}
	t.add(4, "@portable_first = @portable_tile_iteration(@portable_t, @portable_step)")
}

// numberIteration gives an iteration its number.
func (n *one) numberIteration(indent int) {
	text := "@portable_n = @portable_first"
	for i, l := range n.loops {
		d := decimal(len(n.loops) - i)
		index := wide(l.variable)
		if l.step != "" {
			index = "(" + index + " - " + wide(l.first) + ")/" + wide(l.step)
		}
		text += " + (" + index + " - @portable_t%lower64(" + d + "))*@portable_step(" + d + ")"
	}
	n.place.text.add(indent, text)
}

// checkProcedures are the internal procedures that tell the library which element is read or written.
func (n *one) checkProcedures() {
	t := &n.place.text
	for _, a := range n.check.arrays {
		for _, kind := range []string{"read", "write"} {
			if kind == "read" && !n.check.reads[a] || kind == "write" && !n.check.writes[a] {
				continue
			}
			var dummies []string
			element := ""
			for i := range a.Rank {
				d := decimal(i + 1)
				dummies = append(dummies, "@portable_i"+d)
				if i > 0 {
					element += " + "
				}
				element += "(@portable_i" + d + " - lbound(" + a.name + ", " + d + ", @c_int64_t))*@portable_s" + d + "_" + a.name
			}
			name := "@portable_" + kind + "_" + a.name
			t.add(4, "recursive subroutine "+name+"("+join(append(dummies, "@portable_line"))+")")
			t.add(6, "integer(@c_int64_t), value :: "+join(dummies))
			t.add(6, "integer, value :: @portable_line")
			t.add(6, "call @portable_shadow_"+kind+"(@portable_shadow_"+a.name+", "+element+", @portable_n, @portable_line)")
			t.add(4, "end subroutine "+name)
		}
	}
}
