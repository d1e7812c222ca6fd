package host

import (
	"regexp"
	"slices"
	"strings"

	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

// procedure begins a generated procedure.
func (n *one) procedure(kind, name string, dummies []string, ending string) {
	t := &n.place.text
	t.add(2, "recursive "+kind+" "+name+"("+join(dummies)+")"+ending)
	n.place.names = append(n.place.names, name)
}

// declareNeeds writes the USE statements and copied declarations of a procedure.
func (n *one) declareNeeds(d *need, own bool, extra ...string) {
	t := &n.place.text
	for _, m := range d.uses {
		t.add(4, "use "+m+", only: "+join(d.only[m]))
	}
	for _, u := range extra {
		t.add(4, u)
	}
	t.add(4, "implicit none")
	if list := n.shadowed(); len(list) > 0 && own {
		t.add(4, "intrinsic :: "+join(list))
	}
	for _, c := range d.before {
		t.add(4, c)
	}
	for _, b := range d.blocks {
		t.pieces = append(t.pieces, piece{text: b + "\n"})
	}
	if len(d.hidden) > 0 {
		n.refuse(n.k.Loops[0].Do.Where.From, "'"+d.hidden[0]+"' is a variable of the loop, and another thing in a declaration that the loop needs", "give one of them another name")
	}
	if len(d.missing) > 0 {
		n.refuse(n.k.Loops[0].Do.Where.From, "'"+d.missing[0]+"' cannot be used in the outlined loop", "declare it in the module, or in a module that this unit uses")
	}
}

// shadowed are intrinsic functions of generated statements whose names the user's file has for something else, perhaps.
func (n *one) shadowed() (list []string) {
	for _, name := range []string{"abs", "all", "allocated", "associated", "huge", "int", "is_contiguous", "lbound", "max", "min", "mod", "present", "product", "shape", "size", "storage_size", "transfer", "ubound"} {
		if n.place.scope != nil && n.w.user[name] && !n.isDummy(name) && n.place.scope.Lookup(name).Kind != scope.Intrinsic {
			list = append(list, name)
		}
	}
	return list
}

func (n *one) isDummy(name string) bool {
	for _, a := range n.args {
		if a.name == name {
			return true
		}
	}
	return false
}

// dummies of the launch: bounds of the loops, values that loops leave, arguments, results.
func (n *one) launchDummies() (names, actual []string) {
	for _, l := range n.loops {
		names = append(names, l.first, l.last)
		actual = append(actual, l.actual[0], l.actual[1])
		if l.step != "" {
			names = append(names, l.step)
			actual = append(actual, l.actual[2])
		}
	}
	for _, l := range n.loops {
		if l.after != "" {
			names = append(names, l.after)
			actual = append(actual, l.variable)
		}
	}
	for _, a := range n.args {
		more, given := a.atCall()
		names, actual = append(names, more...), append(actual, given...)
	}
	for _, a := range n.args {
		if a.of == nil {
			names, actual = append(names, a.name), append(actual, a.actual)
		}
	}
	for _, o := range n.owners {
		names, actual = append(names, o.name), append(actual, n.k.NameOf(o.symbol))
	}
	for _, r := range n.results {
		if r.owner == nil {
			names, actual = append(names, r.name), append(actual, r.actual)
		}
	}
	if s := n.queue(); s != "" {
		names, actual = append(names, "@portable_stream"), append(actual, s)
	}
	if c := n.condition(); c != "" {
		names, actual = append(names, "@portable_if"), append(actual, c)
	}
	if c := n.self(); c != "" {
		names, actual = append(names, "@portable_self"), append(actual, c)
	}
	for _, b := range n.bounds {
		names, actual = append(names, b.name), append(actual, b.actual)
	}
	more, given := n.insideDummies()
	names, actual = append(names, more...), append(actual, given...)
	return names, actual
}

// condition is that of IF of the directive and of its region: where it does not hold, the user's loop runs; "": there is none.
func (n *one) condition() string {
	var all []string
	if n.n.Region != nil {
		all = append(all, n.n.Region.If...)
	}
	if n.n.Directive != nil {
		all = append(all, n.n.Directive.If...)
	}
	return n.joined(all, " .and. ")
}

// self is the condition of SELF for a nest with a version for devices: where it holds, the host runs the nest; "": there is none.
func (n *one) self() string {
	if n.device == nil {
		return ""
	}
	return n.joined(n.n.Self(), " .or. ")
}

// joined joins the conditions whose variables exist.
func (n *one) joined(all []string, by string) string {
	var taken []string
	for _, c := range all {
		if n.declared(c) {
			taken = append(taken, "logical("+c+")") // of any kind
		}
	}
	return strings.Join(taken, by)
}

// conditionNames are the words of a condition outside of texts, with what stands around them.
var conditionNames = regexp.MustCompile(`'[^']*'|(%?) *\b([A-Za-z]\w*)\b( *\()?`)

// declared reports whether all variables of a condition exist. Without its flag the compiler does not read the directive, so they may not.
func (n *one) declared(condition string) bool {
	for _, m := range conditionNames.FindAllStringSubmatch(condition, -1) {
		if m[2] == "" || m[1] != "" || m[3] != "" || strings.Contains(condition, "."+m[2]+".") || strings.HasSuffix(m[2], "_") {
			continue // a text, a component, a function or an element, an operator
		}
		if y := n.n.Scope.Lookup(strings.ToLower(m[2])); y.Type.Base == scope.NoType && y.Kind != scope.Missing {
			return false
		}
	}
	return true
}

// write makes the edits and the procedures of the nest.
func (n *one) write() {
	names, actual := n.launchDummies()
	n.inPlace(actual)
	n.place.visible = append(n.place.visible, n.name)
	n.launch(names)
	strided := n.anyLoose()
	n.tile(n.name+"_tile", n.name+"_body", false)
	if strided {
		n.tile(n.name+"_strided_tile", n.name+"_strided", true)
	}
	n.writeTurned()
	n.writeCopies()
	n.combine()
	n.body(n.name+"_body", false, nil)
	if strided {
		n.body(n.name+"_strided", true, nil)
	}
	if n.hasChecks() {
		n.checkedTile()
		n.uncheckedTile()
		if n.hasApart() {
			n.body(n.name+"_apart", true, n.check.told())
		}
		n.body(n.name+"_checked", true, n.check)
	}
}

// launch is the function that the user's procedure calls: it launches the nest, or is false where that must not be.
func (n *one) launch(names []string) {
	t := &n.place.text
	n.procedure("function", n.name, names, " result(@portable_done)")
	d := n.need()
	for _, l := range n.loops {
		d.all(l.need)
	}
	for _, a := range n.args {
		d.all(a.need)
		if a.form != starred {
			d.all(a.sizes)
		}
	}
	for _, o := range n.owners {
		d.all(o.need)
	}
	for _, r := range n.results {
		d.all(r.need)
	}
	from := "@portable_parallel_for, @portable_bounds, @portable_ensure, @portable_in_kernel"
	iso := "@c_loc, @c_funloc, @c_funptr, @c_size_t, @c_int64_t"
	if len(n.results) > 0 {
		from = "@portable_parallel_reduce, @portable_bounds, @portable_ensure, @portable_in_kernel"
		iso = "@c_loc, @c_ptr, @c_size_t, @c_int64_t"
	}
	if n.device != nil {
		from += ", @portable_on_device, @portable_arg"
		if len(n.device.kernel.Results) > 0 {
			from += ", @portable_result_of"
			if len(n.placed()) > 0 {
				from += ", @portable_tile"
				iso += ", @c_null_ptr"
			}
		}
		if len(n.results) == 0 && n.givesLasts() {
			from += ", @portable_parallel_reduce"
		}
	}
	if n.leavesDevices() {
		from += ", @portable_on_device"
	}
	if len(n.inside) == 0 && n.device != nil && slices.ContainsFunc(n.device.kernel.Arguments, func(a *device.Argument) bool { return a.InPlace }) {
		from += ", @portable_device_takes"
	}
	if len(n.inside) > 0 {
		from += ", @portable_on_device, @portable_device_takes"
		if !n.overlapping() && !n.hasChecks() {
			from += ", @portable_arg"
		}
	}
	if n.w.o.hasRegions() && (n.device != nil || len(n.inside) > 0 || n.outside()) {
		from += ", @portable_data_open, @portable_data_host"
	}
	if n.asksHost() {
		from += ", @portable_host_asked"
	}
	if n.hasChecks() || n.leastIterations() > 1 {
		from += ", @portable_races_checked"
	}
	if n.hasChecks() {
		if !n.overlapping() && n.device == nil {
			from += ", @portable_arg"
		}
	}
	if len(n.results) > 0 && (n.hasChecks() || len(n.summed()) > 0) {
		from += ", @portable_parallel_for"
		iso += ", @c_funloc"
	}
	if n.overlapping() {
		from += ", @portable_overlap"
		if n.device == nil {
			from += ", @portable_arg"
		}
	}
	if n.turned != nil {
		iso += ", @c_f_pointer"
		from += ", @portable_in_order"
		if n.device == nil && !n.overlapping() && !n.hasChecks() && len(n.inside) == 0 {
			from += ", @portable_arg"
		}
	}
	n.useModules(d)
	copied := n.summed()
	if len(n.scratch()) > 0 || len(copied) > 0 {
		d.use("gator_mod", n.own("gator_allocate"), "gator_allocate")
		d.use("gator_mod", n.own("gator_deallocate"), "gator_deallocate")
	}
	if len(copied) > 0 && n.onlyIntegers(copied) {
		d.use("portable_core_mod", n.own("portable_num_threads"), "portable_num_threads")
	}
	uses := []string{"use, intrinsic :: iso_c_binding, only: " + iso, "use portable_list_mod, only: " + from}
	var core []string
	if n.otherKinds() {
		core = append(core, "@portable_loop_rank")
	}
	if n.isDynamic() {
		core = append(core, "@portable_dynamic")
	}
	if n.fences() {
		core = append(core, "@portable_stream_fence")
	}
	if len(core) > 0 {
		uses = append(uses, "use portable_core_mod, only: "+join(core))
	}
	n.declareNeeds(d, true, uses...)
	if n.otherKinds() {
		t.add(4, "integer, parameter :: @portable_kind = kind(@portable_loop_rank)")
	}
	for _, l := range n.loops {
		t.add(4, l.typ+", value :: "+l.first+", "+l.last)
		if l.step != "" {
			t.add(4, l.typ+", value :: "+l.step)
		}
		if l.after != "" {
			t.add(4, l.typ+", intent(inout) :: "+l.after)
		}
	}
	n.declareArguments((*arg).atLaunch, true)
	for _, a := range n.args {
		if a.maybeNone() {
			t.add(4, a.none())
		}
	}
	for _, r := range n.results {
		target := ""
		if n.onlyAtomic(r) {
			target = ", target"
		}
		switch {
		case r.owner != nil:
			t.add(4, r.typ+target+" :: "+r.name)
		case r.absent:
			t.add(4, r.typ+", intent(inout), optional"+target+" :: "+r.name+r.shape())
		default:
			t.add(4, r.typ+", intent(inout)"+target+" :: "+r.name+r.shape())
		}
	}
	if n.queue() != "" {
		t.add(4, "integer(@c_int64_t), value :: @portable_stream")
	}
	if n.condition() != "" {
		t.add(4, "logical, value :: @portable_if")
	}
	if n.self() != "" {
		t.add(4, "logical, value :: @portable_self")
	}
	if names, _ := n.insideDummies(); len(names) > 0 {
		t.add(4, "integer(@c_int64_t), value :: "+join(names))
	}
	t.add(4, "logical :: @portable_done")
	n.blockType(false)
	n.resultType()
	t.add(4, "type(@portable_block), target :: @portable_b")
	if len(n.results) > 0 {
		t.add(4, "type(@portable_result), target :: @portable_r, @portable_identity")
	} else {
		t.add(4, "type(@c_funptr) :: @portable_k")
	}
	if n.device != nil && len(n.device.kernel.Results) > 0 {
		kind := ""
		if n.otherKinds() {
			kind = "(@portable_kind)" // as the library's
		}
		t.add(4, "logical"+kind+" :: @portable_on")
		if len(n.device.kernel.Arguments) == 0 {
			t.add(4, "integer(@c_int64_t), target :: @portable_none")
		}
		if n.takesOdd() {
			t.add(4, "logical, target :: @portable_odd")
		}
		n.declareLasts()
		n.declareCounters()
		n.declareSeek()
	}
	if n.leafIterations() > 1 {
		kind := ""
		if n.otherKinds() {
			kind = "(@portable_kind)"
		}
		t.add(4, "integer"+kind+" :: @portable_leaf("+decimal(len(n.loops))+")")
		t.add(4, "integer(@c_int64_t) :: @portable_count")
	}
	t.add(4, "integer(@c_int64_t) :: @portable_lower("+decimal(len(n.loops))+"), @portable_upper("+decimal(len(n.loops))+")")
	n.declareCopies()
	if n.anyLoose() {
		t.add(4, "logical :: @portable_contiguous")
		if n.turned != nil {
			t.add(4, "logical :: @portable_turned")
		}
	}
	if n.hasChecks() {
		t.add(4, "logical :: @portable_checked")
	}
	if n.device != nil {
		n.declareParts()
		n.declareScratch()
		n.declareTexts()
	}
	if n.atomicOfOpenMP() {
		t.conditional(4, "logical(4), external :: omp_in_parallel")
	}
	n.declareLevels()
	n.deviceSource()
	n.inKernel()
	n.awaitQueue()
	n.leaveRegion()
	if n.condition() != "" {
		n.leaveUnless("@portable_if")
	}
	if n.w.inside[n.n] {
		n.leaveUnless("@portable_on_device()")
	}
	n.takeResults()
	n.space()
	t.add(4, "call @portable_ensure()")
	n.small()
	n.leaveLevel()
	n.leaveInside()
	n.overlap()
	n.fill()
	n.contiguity()
	n.forDevices()
	n.checkedLaunch()
	n.tellAsked()
	if len(n.results) > 0 {
		n.reduce()
	} else {
		n.start()
	}
	if n.hasChecks() {
		t.add(4, "end if")
	}
	n.giveResults()
	n.after()
	t.add(2, "end function "+n.name)
}

// declare writes declarations, those of one type and attributes together.
func (n *one) declare(indent int, list []string) {
	var order []string
	entities := map[string][]string{}
	for _, d := range list {
		head, entity, _ := strings.Cut(d, " :: ")
		if entities[head] == nil {
			order = append(order, head)
		}
		entities[head] = append(entities[head], entity)
	}
	for _, head := range order {
		n.place.text.add(indent, head+" :: "+join(entities[head]))
	}
}

// start launches a nest without results.
func (n *one) start() {
	t := &n.place.text
	t.add(4, "@portable_k = @c_funloc("+n.name+"_tile)")
	if n.anyLoose() {
		t.add(4, "if (.not. @portable_contiguous) @portable_k = @c_funloc("+n.name+"_strided_tile)")
		if n.turned != nil {
			t.add(4, "if (@portable_turned) @portable_k = @c_funloc("+n.name+"_turned_tile)")
		}
	}
	more := n.config()
	if n.stream() != "" {
		more += ", stream=@portable_stream"
	}
	call := "call @portable_parallel_for(" + quoted(n.n.Label) + ", @portable_bounds(@portable_lower, @portable_upper), "
	switch {
	case n.device == nil:
		n.leaveRegions(4)
		n.onHost(4, call, more)
		return
	case n.givesLasts():
		n.reduceOnDevice("")
		t.add(4, "if (.not. @portable_on) then")
		n.leaveRegions(6)
		n.onHost(6, call, more)
		t.add(4, "end if")
		n.endLasts()
		return
	}
	n.onDevice(call, more)
}

// leaveRegions brings what data regions have on the device to the host, in front of a launch on the host.
func (n *one) leaveRegions(indent int) {
	if n.w.o.hasRegions() && (n.device != nil || len(n.inside) > 0 || n.outside()) {
		n.place.text.add(indent, "if (@portable_data_open()) call @portable_data_host("+n.no()+")")
	}
}

// no is .false. of the library's kind.
func (n *one) no() string {
	if n.otherKinds() {
		return ".false._4"
	}
	return ".false."
}
