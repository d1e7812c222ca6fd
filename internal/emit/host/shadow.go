package host

import (
	"slices"
	"strings"

	"libportable/internal/emit"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/tree"
)

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
	if n.hasApart() {
		t.add(4, "logical :: @portable_apart")
	}
	t.add(4, "type(@c_ptr) :: @portable_p") // flang 16 takes no expression as the first argument of c_f_pointer
	t.add(4, "@portable_p = transfer(@portable_l%@portable_address, @c_null_ptr)")
	t.add(4, "call @c_f_pointer(@portable_p, @portable_b)")
	if len(n.results) > 0 {
		t.add(4, "call @c_f_pointer(@portable_b%@portable_results, @portable_r)")
	}
	_, given := n.passed(true, "@portable_r")
	list := append([]string{"@portable_t"}, given...)
	for _, a := range n.check.arrays {
		for i := range a.Rank {
			list = append(list, "@portable_l%"+a.name+"%dim("+decimal(i+1)+")%stride")
		}
	}
	if n.hasApart() {
		t.add(4, "call "+n.name+"_apart("+join(append(list, "@portable_apart"))+")")
		t.add(4, "if (@portable_apart) return")
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
func (n *one) declareChecks(k *checks) {
	t := &n.place.text
	if len(k.arrays) == 0 {
		return
	}
	for _, a := range k.arrays {
		t.add(4, "type(@portable_shadow) :: @portable_shadow_"+a.name)
		t.add(4, "type(@portable_race_cell), pointer, contiguous :: @portable_cells_"+a.name+"(:)")
		t.add(4, "integer(@c_int64_t) :: @portable_zero_"+a.name+", @portable_low_"+a.name+", @portable_high_"+a.name)
	}
	t.add(4, "integer(@c_int64_t) :: @portable_first, @portable_step(8), @portable_n, @portable_from, @portable_now")
	for i := range k.rank {
		t.add(4, "integer(@c_int64_t) :: @portable_j"+decimal(i+1))
	}
	for _, m := range k.masks {
		t.add(4, "logical, allocatable :: "+m.name+colons(m.rank))
	}
}

// beginChecks finds the shadows, and the number of the tile's first iteration.
func (n *one) beginChecks(k *checks) {
	t := &n.place.text
	if len(k.arrays) == 0 {
		return
	}
	t.add(4, "@portable_from = 0_@c_int64_t")
	for _, a := range k.arrays {
		shadow := "@portable_shadow_" + a.name
		t.add(4, shadow+" = @portable_shadow_of(@portable_t, "+n.check.number(a)+")")
		t.add(4, "call @portable_find_cells("+shadow+", @portable_cells_"+a.name+")")
		t.add(4, "@portable_low_"+a.name+" = "+shadow+"%low")
		t.add(4, "@portable_high_"+a.name+" = "+shadow+"%low + "+shadow+"%elements - 1_@c_int64_t")
		t.add(4, "if ("+shadow+"%from > @portable_from) @portable_from = "+shadow+"%from")
		t.add(4, "@portable_zero_"+a.name+" = "+a.zero())
	}
	t.add(4, "@portable_first = @portable_tile_iteration(@portable_t, @portable_step)")
}

// number is that of an array in the list of the launch, whose first argument is the block.
func (c *checks) number(a *arg) string { return decimal(slices.Index(c.arrays, a) + 2) }

// zero is the place of the element with the lowest indices, where that with indices 0 has place 0.
func (a *arg) zero() string {
	var terms []string
	for d := range a.Rank {
		k := decimal(d + 1)
		terms = append(terms, "lbound("+a.name+", "+k+", @c_int64_t)*@portable_s"+k+"_"+a.name)
	}
	return strings.Join(terms, " + ")
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
func (n *one) checkProcedures(k *checks) {
	t := &n.place.text
	done := map[string]bool{}
	for _, x := range k.list {
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
		if k.shared {
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

// mostReferences is how many linear references the library compares in a launch.
const mostReferences = 64

// linearReference is what linear accesses with the same subscripts say together.
type linearReference struct {
	array *arg
	index []string
	write bool
}

// references are those to arrays all of whose accesses are linear: one question in front of the loops says whether iterations race by them.
func (c *checks) references() (list []linearReference) {
	for _, a := range c.arrays {
		var own []linearReference
		linear := true
		for _, x := range c.list {
			if x.array != a {
				continue
			}
			linear = linear && x.linear
			i := slices.IndexFunc(own, func(r linearReference) bool { return slices.Equal(r.index, x.index) })
			if i < 0 {
				i, own = len(own), append(own, linearReference{a, x.index, false})
			}
			own[i].write = own[i].write || x.write
		}
		if linear && len(list)+len(own) <= mostReferences {
			list = append(list, own...)
		}
	}
	return list
}

// linearArrays are those of the references.
func (c *checks) linearArrays() (list []*arg) {
	for _, r := range c.references() {
		if len(list) == 0 || list[len(list)-1] != r.array {
			list = append(list, r.array)
		}
	}
	return list
}

// hasApart reports whether the nest gets a body for iterations that are proved to be apart.
func (n *one) hasApart() bool { return n.hasChecks() && len(n.check.linearArrays()) > 0 }

// told is the part of the checks that this body tells access by access: all of the other arrays.
func (c *checks) told() *checks {
	linear := c.linearArrays()
	to := &checks{before: map[tree.Node][]*access{}, shared: c.shared}
	for _, a := range c.arrays {
		if !slices.Contains(linear, a) {
			to.arrays = append(to.arrays, a)
		}
	}
	text := ""
	for _, node := range sortedNodes(c.before) {
		for _, x := range c.before[node] {
			if !slices.Contains(linear, x.array) {
				to.before[node] = append(to.before[node], x)
				to.list = append(to.list, x)
				text += strings.Join(x.open, "\n") + "\n"
			}
		}
	}
	for to.rank < c.rank && strings.Contains(text, "@portable_j"+decimal(to.rank+1)) {
		to.rank++
	}
	for _, m := range c.masks {
		if strings.Contains(text, m.name) {
			to.masks = append(to.masks, m)
		}
	}
	return to
}

// declareApart declares what the question needs.
func (n *one) declareApart() {
	t := &n.place.text
	for _, a := range n.check.linearArrays() {
		t.add(4, "integer(@c_int64_t) :: @portable_zero_"+a.name)
	}
	t.add(4, "logical, intent(out) :: @portable_apart")
	t.add(4, "integer(@c_int64_t) :: @portable_at(0:"+decimal(len(n.loops))+", "+decimal(len(n.check.references()))+")")
	t.add(4, "integer :: @portable_d")
}

// beginApart asks: it computes the elements in the tile's first iteration and in the neighbour of that in each dimension.
func (n *one) beginApart() {
	t := &n.place.text
	rank := len(n.loops)
	for _, a := range n.check.linearArrays() {
		t.add(4, "@portable_zero_"+a.name+" = "+a.zero())
	}
	t.add(4, "do @portable_d = 0, "+decimal(rank))
	for i, l := range n.loops {
		d := decimal(rank - i)
		lower, upper, kind := "@portable_t%lower64("+d+")", "@portable_t%upper64("+d+")", decimal(l.kind)
		next := "1_" + kind
		if l.step == "" {
			t.add(6, l.variable+" = int("+lower+", "+kind+")")
		} else {
			t.add(6, l.variable+" = int("+l.first+" + "+lower+"*"+l.step+", "+kind+")")
			next = l.step
		}
		t.add(6, "if (@portable_d == "+d+" .and. "+upper+" > "+lower+") "+l.variable+" = "+l.variable+" + "+next)
	}
	var numbers []string
	for k, r := range n.check.references() {
		number := n.check.number(r.array)
		if r.write {
			number = "-" + number
		}
		numbers = append(numbers, number)
		element := ""
		for d, index := range r.index {
			element += index + "*@portable_s" + decimal(d+1) + "_" + r.array.name + " + "
		}
		t.add(6, "@portable_at(@portable_d, "+decimal(k+1)+") = "+element[:len(element)-3]+" - @portable_zero_"+r.array.name)
	}
	t.add(4, "end do")
	t.add(4, "@portable_apart = @portable_shadow_apart(@portable_t, ["+join(numbers)+"], @portable_at)")
	t.add(4, "if (.not. @portable_apart) return")
}

// eachIteration are the statements that each iteration runs once: those in no construct, if nothing leaves the iteration before its end.
func (n *one) eachIteration() map[tree.Node]bool {
	each := map[tree.Node]bool{}
	leaves := len(n.k.Jumps) > 0 || n.mask() != ""
	emit.Statements(n.k.Body, func(s tree.Node) {
		switch s := s.(type) {
		case *tree.Goto:
			leaves = true
		case *tree.Jump:
			leaves = leaves || s.Kind != "continue"
		}
	})
	if leaves {
		return each
	}
	for _, s := range n.k.Body {
		switch s.(type) {
		case *tree.Assignment, *tree.Call, *tree.If, *tree.Do, *tree.Select, *tree.Transfer:
			each[s] = true
		}
	}
	return each
}

// isLinear reports whether the subscripts of a reference, which is fixed, are sums of the indices of the loops, each times what all iterations share.
func (n *one) isLinear(u emit.Use) bool {
	linear := true
	for _, x := range u.Expression.(*tree.Reference).Arguments {
		linear = linear && n.isSum(u.Scope, x.Value)
	}
	return linear
}

func (n *one) isSum(sc *scope.Scope, e tree.Expression) bool {
	if !n.hasIndex(sc, e) {
		return true
	}
	switch e := e.(type) {
	case *tree.Name:
		return true
	case *tree.Parenthesis:
		return n.isSum(sc, e.X)
	case *tree.Unary:
		return (e.Operator == "+" || e.Operator == "-") && n.isSum(sc, e.X)
	case *tree.Binary:
		switch e.Operator {
		case "+", "-":
			return n.isSum(sc, e.X) && n.isSum(sc, e.Y)
		case "*":
			return !(n.hasIndex(sc, e.X) && n.hasIndex(sc, e.Y)) && n.isSum(sc, e.X) && n.isSum(sc, e.Y)
		}
	}
	return false
}

// hasIndex reports whether an expression names the index of a loop of the launch.
func (n *one) hasIndex(sc *scope.Scope, e tree.Expression) bool {
	found := false
	emit.Inside(e, func(x tree.Expression) {
		name, ok := x.(*tree.Name)
		found = found || ok && slices.ContainsFunc(n.loops, func(l *loop) bool { return l.symbol != nil && l.symbol == sc.Lookup(name.Name) })
	})
	return found
}
