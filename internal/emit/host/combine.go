package host

import (
	"slices"
	"strings"

	"libportable/internal/fortran/scope"
	"libportable/internal/nest"
)

// In this file: partial results of a launch are joined, and copies of arrays into whose elements it adds. Not in this file: what becomes a result
// (result.go), the atomic operations (sum.go).

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
	if r.operator == nest.LastSet {
		t.add(4, "if (@portable_from%"+r.hit+") then")
		t.add(6, into+" = "+from)
		t.add(6, "@portable_r%"+r.hit+" = .true.")
		t.add(4, "end if")
		return
	}
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

// A loop that adds into elements of arrays whose sizes are known when the launch begins is cut into parts. The first part adds into the user's arrays,
// each other one into copies, which a second launch adds in the order of the parts. Where copies cost too much, there is one part.

// An element of a copy costs copyWork operations, for its beginning and its end. The copies have a quarter of the loop's operations at most. Work that is
// not known before the loop runs counts as unknownWork an iteration. A launch has at most mostParts parts, and copies of mostCopied elements.
// With fewer operations than leastSums the user's loop takes less time.
const copyWork, unknownWork, mostParts, mostCopied, leastSums = 8, 32, 64, 1 << 25, 1 << 18

// summed are the arrays into which the nest adds, if all of them can have copies.
func (n *one) summed() (list []*arg) {
	if !n.mayBeAlone() || n.outside() || n.alike() || n.otherKinds() {
		return nil
	}
	wanted := map[int]bool{}
	for _, s := range n.sums {
		wanted[s.Argument] = true
	}
	for _, a := range n.args {
		if slices.Contains([]string{"all", "associated", "max", "min", "size"}, a.name) {
			return nil // the launch calls the intrinsic functions
		}
		found := false
		for _, i := range a.Number {
			found = found || wanted[i]
			delete(wanted, i)
		}
		if !found {
			continue
		}
		if !a.isArray() || a.form == starred || !a.comparable() || a.optional() != "" || a.Type.Kind != 4 && a.Type.Kind != 8 || mayBeLonger(a) {
			return nil
		}
		list = append(list, a)
	}
	if len(wanted) > 0 {
		return nil
	}
	return list
}

// copies is the name of the copies of an array, elements the number of its elements, in the launch and in its kernels.
func (a *arg) copies() string   { return "@portable_copies_" + a.name }
func (a *arg) elements() string { return "size(@portable_b%" + a.name + ", kind=@c_int64_t)" }

// mayBeLonger reports whether an array is declared as old programs declare those of any size, a(n, 1).
func mayBeLonger(a *arg) bool {
	if a.form != explicit && a.form != bounded {
		return false
	}
	d := a.Dims[len(a.Dims)-1]
	if d.Lower != nil || d.Upper == nil {
		return false
	}
	v, ok := a.Symbol.Scope.Constant(d.Upper)
	return ok && v.Integer == 1
}

// sumOperator is what combines elements of an array.
func (n *one) sumOperator(a *arg) nest.Operator {
	for _, node := range sortedNodes(n.sums) {
		for _, i := range a.Number {
			if n.sums[node].Argument == i {
				return n.sums[node].Operator
			}
		}
	}
	return ""
}

// onlyIntegers reports whether the number of parts changes no bit.
func (n *one) onlyIntegers(list []*arg) bool {
	for _, r := range n.results {
		if r.floating {
			return false
		}
	}
	for _, a := range list {
		if a.Type.Base != scope.Integer {
			return false
		}
	}
	return true
}

// inBlockCopies are the components of the argument block.
func (n *one) inBlockCopies() (list []string) {
	copied := n.summed()
	if len(copied) == 0 {
		return nil
	}
	rank := decimal(len(n.loops))
	list = append(list, "integer(@c_int64_t) :: @portable_lower("+rank+"), @portable_parts")
	for _, a := range copied {
		list = append(list, a.typ+", pointer :: "+a.copies()+"(:) => null()")
	}
	return list
}

// declareCopies declares what the launch needs.
func (n *one) declareCopies() {
	t := &n.place.text
	for i, a := range n.summed() {
		if i == 0 {
			t.add(4, "integer(@c_int64_t) :: @portable_work, @portable_elements")
			t.add(4, "integer :: @portable_missing")
		}
		t.add(4, a.typ+", pointer :: "+a.copies()+"(:)")
	}
}

// onHost launches a nest without results on the host.
func (n *one) onHost(indent int, call, more string) {
	n.inParts(indent, "call @portable_parallel_for("+quoted(n.n.Label)+", "+wholeParts+", @c_funloc("+n.name+"_part), "+n.block()+", tile=[1])", func(indent int) {
		n.place.text.add(indent, call+"@portable_k, "+n.block()+more+")")
	})
}

// wholeParts are the bounds of a launch of parts.
const wholeParts = "@portable_bounds([1_@c_int64_t], [@portable_b%@portable_parts])"

// inParts launches the parts with copies, or the nest as a whole.
func (n *one) inParts(indent int, parts string, whole func(indent int)) {
	t := &n.place.text
	list := n.summed()
	if len(list) == 0 {
		whole(indent)
		return
	}
	n.countParts(indent, list)
	n.takeCopies(indent, list)
	t.add(indent, "if (@portable_b%@portable_parts > 1_@c_int64_t) then")
	t.add(indent+2, parts)
	t.add(indent+2, "call @portable_parallel_for("+quoted(n.n.Label)+"//' copies', @portable_bounds([1_@c_int64_t], [@portable_elements]), @c_funloc("+n.name+
		"_join), "+n.block()+", cut=16, wide=.true.)")
	t.add(indent, "else")
	whole(indent + 2)
	t.add(indent, "end if")
	for _, a := range list {
		name := a.copies()
		t.add(indent, "if (associated("+name+")) call @gator_deallocate("+name+")")
	}
}

// block are the arguments of a launch that give the kernel its block.
func (n *one) block() string {
	return "@c_loc(@portable_b), storage_size(@portable_b, @c_size_t)/8_@c_size_t"
}

// countParts finds the number of parts from the iterations and the sizes alone, so that sums have the same bits on any number of threads. Sums of
// integers have them in any case; one thread needs no copies for them.
func (n *one) countParts(indent int, list []*arg) {
	t := &n.place.text
	work := n.work()
	if work < 0 {
		work = unknownWork
	}
	sum, conditions := "", []string{"all(@portable_upper >= @portable_lower)"}
	for _, a := range list {
		sum += " + " + a.elements()
		conditions = append(conditions, a.elements()+" > 0_@c_int64_t")
	}
	if n.anyLoose() {
		conditions = append(conditions, "@portable_contiguous")
	}
	if n.onlyIntegers(list) {
		conditions = append(conditions, "@portable_num_threads() > 1")
	}
	t.comment(indent, "copies of the arrays cost less than atomic additions if they are small against the work")
	t.add(indent, "@portable_elements = "+strings.TrimPrefix(sum, " + "))
	t.add(indent, "@portable_b%@portable_parts = 1_@c_int64_t")
	t.add(indent, "if ("+strings.Join(conditions, " .and. ")+") then")
	t.add(indent+2, "@portable_work = min("+n.count()+", "+decimal(1<<40)+"_@c_int64_t)*"+decimal(int(work))+"_@c_int64_t")
	ordered := ""
	if len(n.results) > 0 && len(n.loops) > 1 {
		ordered = " .and. @portable_b%@portable_parts < " + n.extentOf(len(n.loops))
	}
	parts := "(2_@c_int64_t*@portable_b%@portable_parts - 1_@c_int64_t)*@portable_elements"
	t.add(indent+2, "do while (@portable_b%@portable_parts < "+decimal(mostParts)+"_@c_int64_t .and. "+parts+" <= min(@portable_work/"+
		decimal(4*copyWork)+"_@c_int64_t, "+decimal(mostCopied)+"_@c_int64_t)"+ordered+")")
	t.add(indent+4, "@portable_b%@portable_parts = 2_@c_int64_t*@portable_b%@portable_parts")
	t.add(indent+2, "end do")
	t.add(indent, "end if")
}

// takeCopies takes memory for the copies from the pool. Without it there is one part, which adds by atomic operations.
func (n *one) takeCopies(indent int, list []*arg) {
	t := &n.place.text
	for _, a := range list {
		t.add(indent, "nullify("+a.copies()+")")
	}
	for _, a := range list {
		name := a.copies()
		t.add(indent, "if (@portable_b%@portable_parts > 1_@c_int64_t) then")
		t.add(indent+2, "call @gator_allocate("+name+", ["+a.elements()+"*(@portable_b%@portable_parts - 1_@c_int64_t)], label="+
			quoted("copies of "+a.Spelling())+", stat=@portable_missing)")
		t.add(indent+2, "if (@portable_missing /= 0) @portable_b%@portable_parts = 1_@c_int64_t")
		t.add(indent+2, "@portable_b%"+name+" => "+name)
		t.add(indent, "end if")
	}
	t.add(indent, "@portable_b%@portable_lower = @portable_lower")
	for i, a := range list { // the second launch runs over the elements of the largest array
		size := a.elements()
		if i > 0 {
			size = "max(@portable_elements, " + size + ")"
		}
		t.add(indent, "@portable_elements = "+size)
	}
}

// writeCopies writes the kernels of both launches.
func (n *one) writeCopies() {
	if list := n.summed(); len(list) > 0 {
		n.part(list)
		n.joinCopies(list)
	}
}

// copiesKernel begins one of the kernels, up to its own declarations. One with results is that of a reduction.
func (n *one) copiesKernel(name, tile string, results bool) {
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
	if results {
		for _, r := range n.results {
			d.all(r.need)
		}
		n.procedure("subroutine", name, []string{tile, "@portable_r"}, "")
	} else {
		n.procedure("subroutine", name, []string{tile, "@portable_a"}, " bind(c, name='')")
	}
	n.declareNeeds(d, true, "use, intrinsic :: iso_c_binding, only: @c_ptr, @c_f_pointer, @c_loc, @c_int64_t", "use portable_list_mod, only: @portable_tile")
	t.add(4, "type(@portable_tile), intent(in) :: "+tile)
	n.blockType(true)
	t.add(4, "type(@portable_block), pointer :: @portable_b")
	if results {
		n.resultType()
		t.add(4, "type(@portable_result), intent(inout) :: @portable_r")
	} else {
		t.add(4, "type(@c_ptr), value :: @portable_a")
	}
}

// part is the kernel that runs parts of the loop. A part is a range of the outermost loop that has so many iterations. With results it is one of the
// outermost loop in any case: they are combined in the order of the iterations.
func (n *one) part(list []*arg) {
	t := &n.place.text
	name := n.name + "_part"
	n.copiesKernel(name, "@portable_p", len(n.results) > 0)
	rank := decimal(len(n.loops))
	t.add(4, "type(@portable_tile) :: @portable_t")
	t.add(4, "integer(@c_int64_t) :: @portable_number, @portable_size")
	t.add(4, "integer :: @portable_d")
	for _, a := range list {
		t.add(4, a.typ+", pointer, contiguous :: @portable_copy_"+a.name+colons(a.Rank))
	}
	if len(n.results) > 0 {
		t.add(4, "call @c_f_pointer(@portable_r%@portable_block, @portable_b)")
	} else {
		t.add(4, "call @c_f_pointer(@portable_a, @portable_b)")
	}
	t.add(4, "@portable_d = "+rank)
	extent := "@portable_b%@portable_upper(@portable_d) - @portable_b%@portable_lower(@portable_d)"
	if len(n.loops) > 1 && len(n.results) == 0 {
		t.add(4, "do while (@portable_d > 1 .and. "+extent+" < @portable_b%@portable_parts)")
		t.add(6, "@portable_d = @portable_d - 1")
		t.add(4, "end do")
	}
	t.add(4, "@portable_size = ("+extent+")/@portable_b%@portable_parts + 1_@c_int64_t")
	t.add(4, "if (@portable_d == 1) @portable_size = (@portable_size + 15_@c_int64_t)/16_@c_int64_t*16_@c_int64_t")
	t.add(4, "@portable_t = @portable_p")
	t.add(4, "do @portable_number = int(@portable_p%lower(1), @c_int64_t), int(@portable_p%upper(1), @c_int64_t)")
	t.add(6, "@portable_t%lower64(1:"+rank+") = @portable_b%@portable_lower")
	t.add(6, "@portable_t%upper64(1:"+rank+") = @portable_b%@portable_upper")
	t.add(6, "@portable_t%lower64(@portable_d) = @portable_b%@portable_lower(@portable_d) + (@portable_number - 1_@c_int64_t)*@portable_size")
	t.add(6, "@portable_t%upper64(@portable_d) = min(@portable_t%upper64(@portable_d), @portable_t%lower64(@portable_d) + @portable_size - 1_@c_int64_t)")
	if !n.isWide() {
		t.add(6, "@portable_t%lower(1:"+rank+") = int(@portable_t%lower64(1:"+rank+"))")
		t.add(6, "@portable_t%upper(1:"+rank+") = int(@portable_t%upper64(1:"+rank+"))")
	}
	t.add(6, "if (@portable_number == 1_@c_int64_t) then")
	for _, a := range list {
		t.add(8, "@portable_copy_"+a.name+" => @portable_b%"+a.name)
	}
	t.add(6, "else")
	for _, a := range list {
		array, copied := "@portable_b%"+a.name, "@portable_copy_"+a.name
		t.add(8, "call @c_f_pointer(@c_loc(@portable_b%"+a.copies()+"(1_@c_int64_t + (@portable_number - 2_@c_int64_t)*"+a.elements()+
			")), "+copied+", shape("+array+"))")
		t.add(8, copied+" = "+n.beginning(a))
	}
	t.add(6, "end if")
	_, given := n.passed(false, "@portable_r")
	for i, g := range given {
		for _, a := range list {
			if g == "@portable_b%"+a.name {
				given[i] = "@portable_copy_" + a.name
			}
		}
		if g == workersAlone {
			given[i] = ".true."
		}
	}
	t.comment(6, "a part without iterations has no last one")
	t.add(6, "if (@portable_t%upper64(@portable_d) >= @portable_t%lower64(@portable_d)) call "+n.name+"_body("+join(append([]string{"@portable_t"}, given...))+")")
	t.add(4, "end do")
	t.add(2, "end subroutine "+name)
}

// beginning is the value with which the elements of a copy begin: it changes no bit of what it is combined with.
func (n *one) beginning(a *arg) string {
	array := "@portable_b%" + a.name
	switch op := n.sumOperator(a); op {
	case "min":
		return "huge(" + array + ")"
	case "max":
		return "-huge(" + array + ") - 1_" + decimal(a.Type.Kind)
	default:
		return n.identity(op, a.Type, nil)
	}
}

// joinCopies is the kernel that adds the copies to the arrays, some elements at a time, so that these stay in the cache.
func (n *one) joinCopies(list []*arg) {
	t := &n.place.text
	name := n.name + "_join"
	n.copiesKernel(name, "@portable_t", false)
	t.add(4, "integer(@c_int64_t) :: @portable_number, @portable_size, @portable_from, @portable_to, @portable_i")
	for _, a := range list {
		t.add(4, a.typ+", pointer, contiguous :: @portable_all_"+a.name+"(:), @portable_copy_"+a.name+"(:)")
	}
	t.add(4, "call @c_f_pointer(@portable_a, @portable_b)")
	for _, a := range list {
		all, copied := "@portable_all_"+a.name, "@portable_copy_"+a.name
		t.add(4, "@portable_size = "+a.elements())
		t.add(4, "call @c_f_pointer(@c_loc(@portable_b%"+a.name+"), "+all+", [@portable_size])")
		t.add(4, "do @portable_from = @portable_t%lower64(1), min(@portable_t%upper64(1), @portable_size), 512_@c_int64_t")
		t.add(6, "@portable_to = min(@portable_from + 511_@c_int64_t, @portable_t%upper64(1), @portable_size)")
		t.add(6, "do @portable_number = 1_@c_int64_t, @portable_b%@portable_parts - 1_@c_int64_t")
		t.add(8, "call @c_f_pointer(@c_loc(@portable_b%"+a.copies()+"((@portable_number - 1_@c_int64_t)*@portable_size + 1_@c_int64_t)), "+copied+
			", [@portable_size])")
		t.add(8, "do @portable_i = @portable_from, @portable_to")
		into, from := all+"(@portable_i)", copied+"(@portable_i)"
		bits := ", 0_" + decimal(a.Type.Kind) + ")"
		t.comment(10, "elements to which the loop adds nothing belong to others")
		t.add(10, "if (transfer("+from+bits+" /= transfer("+n.beginning(a)+bits+") then")
		switch op := n.sumOperator(a); op {
		case "min", "max":
			t.add(12, into+" = "+string(op)+"("+into+", "+from+")")
		default:
			t.add(12, into+" = "+into+" + "+from)
		}
		t.add(10, "end if")
		t.add(8, "end do")
		t.add(6, "end do")
		t.add(4, "end do")
	}
	t.add(2, "end subroutine "+name)
}
