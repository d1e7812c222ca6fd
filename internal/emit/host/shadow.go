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
	t.add(4, "type(@c_ptr) :: @portable_p") // flang 16 takes no expression as the first argument of c_f_pointer
	t.add(4, "@portable_p = transfer(@portable_l%@portable_address, @c_null_ptr)")
	t.add(4, "call @c_f_pointer(@portable_p, @portable_b)")
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
		t.add(4, "type(@portable_race_cell), pointer, contiguous :: @portable_cells_"+a.name+"(:)")
		t.add(4, "integer(@c_int64_t) :: @portable_zero_"+a.name+", @portable_low_"+a.name+", @portable_high_"+a.name)
	}
	t.add(4, "integer(@c_int64_t) :: @portable_first, @portable_step(8), @portable_n, @portable_from, @portable_now")
	for i := range n.check.rank {
		t.add(4, "integer(@c_int64_t) :: @portable_j"+decimal(i+1))
	}
	for _, m := range n.check.masks {
		t.add(4, "logical, allocatable :: "+m.name+colons(m.rank))
	}
}

// beginChecks finds the shadows, and the number of the tile's first iteration.
func (n *one) beginChecks() {
	t := &n.place.text
	t.add(4, "@portable_from = 0_@c_int64_t")
	for i, a := range n.check.arrays {
		shadow := "@portable_shadow_" + a.name
		t.add(4, shadow+" = @portable_shadow_of(@portable_t, "+decimal(i+2)+")")
		t.add(4, "call @portable_find_cells("+shadow+", @portable_cells_"+a.name+")")
		t.add(4, "@portable_low_"+a.name+" = "+shadow+"%low")
		t.add(4, "@portable_high_"+a.name+" = "+shadow+"%low + "+shadow+"%elements - 1_@c_int64_t")
		t.add(4, "if ("+shadow+"%from > @portable_from) @portable_from = "+shadow+"%from")
		zero := ""
		for d := range a.Rank {
			k := decimal(d + 1)
			if d > 0 {
				zero += " + "
			}
			zero += "lbound(" + a.name + ", " + k + ", @c_int64_t)*@portable_s" + k + "_" + a.name
		}
		t.add(4, "@portable_zero_"+a.name+" = "+zero)
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
	n.place.text.add(indent, "@portable_now = @portable_from + @portable_n*"+stampLines)
}

// stampLines is the number of lines in the stamp of an iteration, whose number is above them.
const stampLines = "1048576_@c_int64_t"

// checkProcedures are the internal procedures that note in the cells which element is read or written, and tell the library of an access
// that may be a race.
func (n *one) checkProcedures() {
	t := &n.place.text
	done := map[string]bool{}
	for _, x := range n.check.list {
		if done[x.procedure] {
			continue
		}
		done[x.procedure] = true
		a := x.array
		var dummies []string
		element := ""
		for i := range a.Rank {
			d := decimal(i + 1)
			dummies = append(dummies, "@portable_i"+d)
			element += "@portable_i" + d + "*@portable_s" + d + "_" + a.name + " + "
		}
		all, line := dummies, decimal(int(x.line))+"_@c_int64_t"
		if n.check.isShared() {
			line = "@portable_line"
			all = append(dummies[:len(dummies):len(dummies)], line)
		}
		cell := "@portable_cells_" + a.name + "(@portable_e)"
		other := func(stamp string) string {
			return cell + "%" + stamp + " >= @portable_from .and. ieor(" + cell + "%" + stamp + ", @portable_now + " + line + ") >= " + stampLines
		}
		t.add(4, "recursive subroutine "+x.procedure+"("+join(all)+")")
		t.add(6, "integer(@c_int64_t), value :: "+join(all))
		t.add(6, "integer(@c_int64_t) :: @portable_e")
		t.add(6, "@portable_e = "+element[:len(element)-3]+" - @portable_zero_"+a.name)
		t.add(6, "if (@portable_e < @portable_low_"+a.name+" .or. @portable_e > @portable_high_"+a.name+") return")
		tell := "(@portable_shadow_" + a.name + ", @portable_e, @portable_n, " + line + ")"
		if x.write {
			t.add(6, "if ("+other("wrote")+" .or. "+other("read")+") then")
			t.add(8, "call @portable_shadow_write"+tell)
			t.add(6, "else")
			t.add(8, cell+"%wrote = @portable_now + "+line)
		} else {
			t.add(6, "if ("+other("wrote")+") then")
			t.add(8, "call @portable_shadow_read"+tell)
			t.add(6, "else if ("+cell+"%read < @portable_from) then")
			t.add(8, cell+"%read = @portable_now + "+line)
		}
		t.add(6, "end if")
		t.add(4, "end subroutine "+x.procedure)
	}
	t.add(4, "recursive subroutine @portable_find_cells(@portable_s, @portable_c)")
	t.add(6, "type(@portable_shadow), intent(in) :: @portable_s")
	t.add(6, "type(@portable_race_cell), pointer, contiguous, intent(inout) :: @portable_c(:)")
	t.add(6, "type(@portable_race_cell), pointer, contiguous :: @portable_w(:)")
	t.add(6, "type(@c_ptr) :: @portable_p")
	t.add(6, "nullify(@portable_c)")
	t.add(6, "if (@portable_s%elements < 1_@c_int64_t) return")
	t.add(6, "@portable_p = transfer(transfer(@portable_s%cells, 0_@c_int64_t) + @portable_s%low*16_@c_int64_t, @c_null_ptr)")
	t.add(6, "call @c_f_pointer(@portable_p, @portable_w, [@portable_s%elements])")
	t.add(6, "@portable_c(@portable_s%low:) => @portable_w")
	t.add(4, "end subroutine @portable_find_cells")
}
