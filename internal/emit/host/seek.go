package host

import "libportable/internal/nest"

// placed are the results whose place the device finds; see device/place.go.
func (n *one) placed() (list []*result) {
	for _, r := range n.results {
		if n.device != nil && len(r.places) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// foundName is the variable with the value that the second launch looks for, and numberName the one that gets the iteration's number.
func (n *one) foundName(of *nest.Reduction) string {
	for i, r := range n.placed() {
		if r.reduction == of {
			return "@portable_found_" + decimal(i+1)
		}
	}
	return ""
}

func numberName(i int) string { return "@portable_number_" + decimal(i+1) }

// noNumber is no iteration, to which the least or the greatest number is joined.
func (r *result) noNumber() string {
	if r.reduction.Strict {
		return "9223372036854775807_@c_int64_t"
	}
	return "-1_@c_int64_t"
}

// declareSeek declares what both launches and the host's iteration need.
func (n *one) declareSeek() {
	t := &n.place.text
	if len(n.placed()) == 0 {
		return
	}
	t.add(4, "type(@portable_result), target :: @portable_f")
	t.add(4, "type(@portable_tile) :: @portable_t")
	t.add(4, "integer(4), target :: @portable_phase")
	t.add(4, "integer(@c_int64_t), target :: @portable_low("+decimal(len(n.loops))+")")
	t.add(4, "integer(@c_int64_t) :: @portable_rest, @portable_extent")
	for i, r := range n.placed() {
		t.add(4, "integer(@c_int64_t), target :: "+numberName(i))
		t.add(4, r.typ+", target :: "+n.foundName(r.reduction))
	}
}

// beginSeek prepares the first launch.
func (n *one) beginSeek() {
	t := &n.place.text
	if len(n.placed()) == 0 {
		return
	}
	t.add(6, "@portable_phase = 0")
	t.add(6, "@portable_low = @portable_lower")
	for _, r := range n.placed() {
		t.add(6, n.foundName(r.reduction)+" = "+r.name)
	}
}

// seek launches again to find the iterations that have the extreme values, and runs them on the host. It clears @portable_on where it finds none.
func (n *one) seek(launch func(results string)) {
	list := n.placed()
	if len(list) == 0 {
		return
	}
	t := &n.place.text
	some := ""
	for d := range n.loops {
		some += "@portable_upper(" + decimal(d+1) + ") >= @portable_lower(" + decimal(d+1) + ") .and. "
	}
	t.add(4, "if (@portable_on) then")
	for _, r := range list {
		t.add(6, n.foundName(r.reduction)+" = @portable_r%"+r.name)
		is := "@portable_phase = 1"
		if r.reduction.Strict { // of equal values the one from before the loop stays
			is = "if (" + r.better() + ") " + is
		}
		t.add(6, is)
	}
	some = some[:len(some)-len(" .and. ")]
	t.add(6, "if (.not. ("+some+")) @portable_phase = 0")
	t.add(4, "end if")
	t.add(4, "if (@portable_on .and. @portable_phase == 1) then")
	launch("@portable_f")
	t.add(4, "end if")
	for i, r := range list {
		t.add(4, "if (@portable_on) then")
		t.add(6, "if (@portable_phase == 1 .and. "+numberName(i)+" /= "+r.noNumber()+") then")
		n.runAlone(numberName(i), r)
		t.add(6, "else if ("+r.better()+") then")
		t.add(8, "@portable_on = .false.")
		t.add(6, "else")
		t.add(8, "@portable_r%"+r.name+" = "+r.name)
		for _, p := range r.places {
			t.add(8, "@portable_r%"+p.name+" = "+p.name)
		}
		t.add(6, "end if")
		t.add(4, "end if")
	}
}

// better is whether the device has found a value beyond that from before the loop.
func (r *result) better() string {
	sign := " > "
	if r.operator == "min" {
		sign = " < "
	}
	return "@portable_r%" + r.name + sign + r.name
}

// runAlone runs one iteration as a tile, beginning with the values from before the loop.
func (n *one) runAlone(number string, r *result) {
	t := &n.place.text
	t.add(8, "@portable_rest = "+number)
	t.add(8, "@portable_t%lower64 = 0")
	for d := range n.loops {
		at := "(" + decimal(d+1) + ")"
		t.add(8, "@portable_extent = @portable_upper"+at+" - @portable_lower"+at+" + 1_@c_int64_t")
		t.add(8, "@portable_t%lower64"+at+" = @portable_lower"+at+" + @portable_rest - @portable_rest/@portable_extent*@portable_extent")
		t.add(8, "@portable_rest = @portable_rest/@portable_extent")
	}
	t.add(8, "@portable_t%upper64 = @portable_t%lower64")
	t.add(8, "@portable_t%stride64 = 1")
	if n.isWide() {
		t.add(8, "@portable_t%lower = 0")
	} else {
		t.add(8, "@portable_t%lower = int(@portable_t%lower64)")
	}
	t.add(8, "@portable_t%upper = @portable_t%lower")
	t.add(8, "@portable_t%stride = 1")
	t.add(8, "@portable_t%rank = "+decimal(len(n.loops)))
	t.add(8, "@portable_t%worker = 0")
	t.add(8, "@portable_t%workers = 1")
	t.add(8, "@portable_t%device = 0")
	t.add(8, "@portable_t%number = 0")
	t.add(8, "@portable_t%launch = @c_null_ptr")
	n.identities(8)
	t.add(8, "@portable_f = @portable_identity")
	call := func(indent int, body string, strided bool) {
		_, given := n.passed(strided, "@portable_f")
		t.add(indent, "call "+n.name+body+"("+join(append([]string{"@portable_t"}, given...))+")")
	}
	if n.anyLoose() {
		t.add(8, "if (@portable_contiguous) then")
		call(10, "_body", false)
		t.add(8, "else")
		call(10, "_strided", true)
		t.add(8, "end if")
	} else {
		call(8, "_body", false)
	}
	t.add(8, "@portable_r%"+r.name+" = @portable_f%"+r.name)
	for _, p := range r.places {
		t.add(8, "@portable_r%"+p.name+" = @portable_f%"+p.name)
	}
}
