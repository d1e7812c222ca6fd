package host

import (
	"strings"

	"libportable/internal/emit/cost"
	"libportable/internal/fortran/scope"
)

// space sets the bounds of the launch: the loop's own where its step is 1, else the numbers of its iterations from 0 on.
func (n *one) space() {
	t := &n.place.text
	rank := len(n.loops)
	for i, l := range n.loops {
		d := decimal(rank - i)
		if l.step == "" {
			t.add(4, "@portable_lower("+d+") = "+wide(l.first))
			t.add(4, "@portable_upper("+d+") = "+wide(l.last))
			continue
		}
		t.add(4, "@portable_lower("+d+") = 0_@c_int64_t")
		t.add(4, "@portable_upper("+d+") = ("+wide(l.last)+" - "+wide(l.first)+" + "+wide(l.step)+")/"+wide(l.step)+" - 1_@c_int64_t")
	}
}

func wide(name string) string { return "int(" + name + ", @c_int64_t)" }

// isWide reports whether the tile's indices are taken as 64-bit ones.
func (n *one) isWide() bool {
	for _, l := range n.loops {
		if l.wide {
			return true
		}
	}
	return false
}

// after gives the loops' variables the values that DO leaves.
func (n *one) after() {
	t := &n.place.text
	for i, l := range n.loops {
		if l.after == "" {
			continue
		}
		d := decimal(len(n.loops) - i)
		indent := 4
		for j := range i {
			o := decimal(len(n.loops) - j)
			t.add(indent, "if (@portable_upper("+o+") >= @portable_lower("+o+")) then")
			indent += 2
		}
		if l.step == "" {
			t.add(indent, l.after+" = int(max("+wide(l.first)+", @portable_upper("+d+") + 1_@c_int64_t), "+decimal(l.kind)+")")
		} else {
			t.add(indent, l.after+" = int("+wide(l.first)+" + max(0_@c_int64_t, @portable_upper("+d+") + 1_@c_int64_t)*"+wide(l.step)+
				", "+decimal(l.kind)+")")
		}
		for range i {
			indent -= 2
			t.add(indent, "end if")
		}
	}
}

// otherKinds reports whether flags of the user's compiler change the default kinds, which the library's modules need not have.
func (n *one) otherKinds() bool { return n.w.kinds().Integer != 4 }

// suffix gives a literal the default kind of the library's modules.
func (n *one) suffix() string {
	if n.otherKinds() {
		return "_@portable_kind"
	}
	return ""
}

// config are the optional arguments that each launch has.
func (n *one) config() string {
	s := ", cut=16" + n.suffix()
	if n.isDynamic() {
		s += ", schedule=@portable_dynamic"
	}
	if n.isWide() {
		s += ", wide=.true." + n.suffix()
	}
	return s
}

// isDynamic reports whether free threads take the next tile: the directive of the nest says so. Bits do not depend on it.
func (n *one) isDynamic() bool { return n.n.Directive != nil && n.n.Directive.Dynamic }

// blockType declares the argument block. Its text is the same wherever the block is used.
func (n *one) blockType(contiguous bool) {
	t := &n.place.text
	t.add(4, "type :: @portable_block")
	if len(n.loops) > 0 {
		t.add(6, "integer(@c_int64_t) :: @portable_upper("+decimal(len(n.loops))+")")
	}
	if n.hasChecks() && len(n.results) > 0 {
		t.add(6, "type(@c_ptr) :: @portable_results")
	}
	if n.outside() {
		t.add(6, "logical :: @portable_outside = .false.")
	}
	for _, l := range n.loops {
		if l.step != "" {
			t.add(6, l.typ+" :: "+l.first+", "+l.step)
		}
	}
	var list []string
	for _, a := range n.args {
		if names := a.bounds(a.hasUpper()); len(names) > 0 {
			list = append(list, "integer(@c_int64_t) :: "+strings.Join(names, " = 1_@c_int64_t, ")+" = 1_@c_int64_t")
		}
	}
	for _, a := range n.args {
		list = append(list, a.inBlock(contiguous))
	}
	for _, a := range n.args {
		if t := n.turned[a]; t != nil {
			list = append(list, a.typ+", pointer, contiguous :: "+t.name+colons(a.Rank)+" => null()")
		}
	}
	list = append(list, n.inBlockCopies()...)
	for _, d := range list { // one by one: the order must not depend on the attribute CONTIGUOUS
		t.add(6, d)
	}
	t.add(4, "end type @portable_block")
}

func (a *arg) hasUpper() bool { return a.form >= bounded && a.form != starred }

// fill sets the argument block.
func (n *one) fill() {
	t := &n.place.text
	t.add(4, "@portable_b%@portable_upper = @portable_upper")
	if n.outside() {
		t.add(4, "@portable_b%@portable_outside = @portable_outside")
	}
	for _, l := range n.loops {
		if l.step != "" {
			t.add(4, "@portable_b%"+l.first+" = "+l.first)
			t.add(4, "@portable_b%"+l.step+" = "+l.step)
		}
	}
	for _, a := range n.args {
		indent := 4
		var ends []string
		open := func(condition string) {
			t.add(indent, "if ("+condition+") then")
			ends = append(ends, "end if")
			indent += 2
		}
		switch {
		case a.maybeNone():
			t.add(4, "@portable_b%"+a.name+" => "+a.noneName())
		case a.form == value && a.optional() != "" && a.Type.Base == scope.Logical:
			t.add(4, "@portable_b%"+a.name+" = .false.")
		case a.form == value && a.optional() != "":
			t.add(4, "@portable_b%"+a.name+" = 0")
		}
		for _, condition := range a.exists() {
			open(condition)
		}
		name := a.here()
		for i := range a.low {
			if a.low[i] == "" {
				t.add(indent, "@portable_b%"+a.lo[i]+" = lbound("+name+", "+decimal(i+1)+", @c_int64_t)")
			}
		}
		if a.hasUpper() {
			for i := range a.up {
				t.add(indent, "@portable_b%"+a.up[i]+" = ubound("+name+", "+decimal(i+1)+", @c_int64_t)")
			}
		}
		if a.form == value {
			t.add(indent, "@portable_b%"+a.name+" = "+name)
		} else {
			t.add(indent, "@portable_b%"+a.name+" => "+name)
		}
		for range ends {
			indent -= 2
			t.add(indent, "end if")
		}
	}
}

// contiguity asks once for all tiles whether the elements of all arrays stand side by side.
func (n *one) contiguity() {
	if !n.anyLoose() {
		return
	}
	t := &n.place.text
	t.add(4, "@portable_contiguous = .true.")
	for _, a := range n.args {
		if !a.loose() {
			continue
		}
		if a.form == pointer && (a.Type.Base == scope.Character || a.Type.Base == scope.Class) {
			t.add(4, "@portable_contiguous = .false.") // their addresses cannot be asked for
			continue
		}
		t.add(4, "if (associated(@portable_b%"+a.name+")) then")
		t.add(6, "@portable_contiguous = @portable_contiguous .and. is_contiguous(@portable_b%"+a.name+")")
		if a.form == pointer {
			n.neighbours(a)
		}
		t.add(4, "end if")
	}
	n.askOrders()
}

// neighbours compares the addresses of two elements of a pointer that is said to be contiguous: gfortran 12 forgets that one to a component of an array of
// structures is none.
func (n *one) neighbours(a *arg) {
	t := &n.place.text
	array := "@portable_b%" + a.name
	var first []string
	for d := range a.Rank {
		first = append(first, "lbound("+array+", "+decimal(d+1)+")")
	}
	t.add(6, "if (.not. @portable_contiguous .or. size("+array+") < 2) then")
	t.add(8, "continue")
	for d := range a.Rank {
		second := append([]string{}, first...)
		second[d] += " + 1"
		if d+1 < a.Rank {
			t.add(6, "else if (size("+array+", "+decimal(d+1)+") > 1) then")
		} else {
			t.add(6, "else")
		}
		at := func(index []string) string {
			return "transfer(@c_loc(" + array + "(" + join(index) + ")), 0_@c_int64_t)"
		}
		t.add(8, "@portable_contiguous = "+at(second)+" - "+at(first)+" == storage_size("+array+", @c_int64_t)/8_@c_int64_t")
	}
	t.add(6, "end if")
}

func (n *one) anyLoose() bool {
	for _, a := range n.args {
		if a.loose() {
			return true
		}
	}
	return false
}

// Numbers of element operations. leastWork, leastReduction: with fewer the user's loop takes less time than its launch. sumWork is that of a leaf
// of a reduction, which costs the library 13 ns and the end of a vector loop 25 ns; lightWork the same where vector loops take a quarter
// of the time.
const leastWork, leastReduction, sumWork, lightWork = 1024, 16384, 16384, 65536

// The library cuts a space into 64 leaves, or into leaves of 4096 iterations: from mostLeaves on its own cut is as good.
const mostLeaves, usualLeaf, mostLong = 64, 4096, 1024

// small leaves the launch if the nest has so few operations that the user's loop as it stands takes less time. Never in streams, whose order
// it would break, and never under PORTABLE_CHECK=races. The bounds alone decide, so that sums have the same bits on any number of threads.
func (n *one) small() {
	least := n.leastIterations()
	if least <= 1 {
		return
	}
	t := &n.place.text
	t.comment(4, "with so few operations the loop as it stands takes less time than a launch")
	t.add(4, "if ("+n.count()+" < "+decimal(least)+"_@c_int64_t) then")
	t.add(6, "@portable_done = @portable_races_checked()")
	if n.inRegions() {
		t.add(6, "if (.not. @portable_done) @portable_done = @portable_data_open()")
	}
	t.add(6, "if (.not. @portable_done) return")
	t.add(4, "end if")
}

// inRegions reports whether the launch may find arrays in data regions.
func (n *one) inRegions() bool { return n.w.o.hasRegions() && n.device != nil }

// count is the number of iterations.
func (n *one) count() string {
	count := ""
	for d := range n.loops {
		if d > 0 {
			count += "*"
		}
		count += n.extentOf(d + 1)
	}
	return count
}

func (n *one) extentOf(d int) string {
	k := "(" + decimal(d) + ")"
	return "(@portable_upper" + k + " - @portable_lower" + k + " + 1_@c_int64_t)"
}

// leastIterations is the number of iterations from which on a nest is launched; 0 or 1: always.
func (n *one) leastIterations() int {
	if n.w.o.Always || n.stream() != "" {
		return 0
	}
	if n.device == nil && len(n.summed()) > 0 {
		return iterations(leastSums, n.work())
	}
	if len(n.results) > 0 {
		return iterations(leastReduction, n.work())
	}
	return iterations(leastWork, n.work())
}

// leafIterations is the least number of iterations of a leaf; 0 or 1: the library chooses. Threads do not count: the bits of sums depend on it.
func (n *one) leafIterations() int {
	if len(n.results) == 0 {
		return 0
	}
	for _, r := range n.results {
		if r.byIf || r.of != nil || r.dims != "" || r.floating && r.operator != "min" && r.operator != "max" {
			return iterations(sumWork, n.work())
		}
	}
	return iterations(lightWork, n.work())
}

func (n *one) work() int64 { return cost.Of(n.w.o.Program, n.scope, n.k.Body) }

// iterations have so many operations; 0: it is not known.
func iterations(operations, work int64) int {
	if work < 0 {
		return 0
	}
	return int((operations + work - 1) / work)
}

// cutLeaves sets the shape of the leaves of a reduction: of one size, so that threads get equal shares, and multiples of the 16 iterations at
// which launches cut. The shape 0 is the library's choice.
func (n *one) cutLeaves() {
	least := n.leafIterations()
	if least <= 1 {
		return
	}
	t := &n.place.text
	leaf, most := decimal(least)+"_@c_int64_t", mostLeaves
	if least >= usualLeaf {
		most = mostLong
	}
	t.comment(4, "a part of less work would take more time to begin and to combine than to run")
	t.add(4, "@portable_leaf = 0"+n.suffix())
	t.add(4, "@portable_count = "+n.count())
	t.add(4, "if (@portable_count > 0_@c_int64_t .and. @portable_count < "+decimal(most*least)+"_@c_int64_t) then")
	t.add(6, "@portable_count = (@portable_count - 1_@c_int64_t)/max(2_@c_int64_t, @portable_count/"+leaf+") + 1_@c_int64_t")
	t.add(6, "@portable_count = (@portable_count + 15_@c_int64_t)/16_@c_int64_t*16_@c_int64_t")
	for d := range n.loops {
		kind := ""
		if n.otherKinds() {
			kind = ", @portable_kind"
		}
		t.add(6, "@portable_leaf("+decimal(d+1)+") = int(@portable_count"+kind+")")
		if d+1 < len(n.loops) {
			t.add(6, "@portable_count = (@portable_count - 1_@c_int64_t)/"+n.extentOf(d+1)+" + 1_@c_int64_t")
		}
	}
	t.add(4, "end if")
}
